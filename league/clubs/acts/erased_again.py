"""Repetition of erasures on a database that was restored, before anything is served."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from django.db import connection, models, transaction

from accounts.models import User
from launcher.erasures import WAITING
from league.clubs.acts import account_data, players
from league.models import Erasure, Player


@transaction.atomic
def repeat() -> int:
    """Erase again what a restore has brought back; return how many rows that were."""
    if WAITING not in connection.introspection.table_names():
        return 0
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT line::text FROM {WAITING} ORDER BY line->>'at'")
        entries = [json.loads(line) for (line,) in cursor.fetchall()]
        cursor.execute(f"DROP TABLE {WAITING}")
    known = {str(key) for key in Erasure.objects.values_list("pk", flat=True)}
    missed = [entry for entry in entries if entry["id"] not in known]
    found = sum(_is_repeated(entry) for entry in missed)
    # With their own keys: what is repeated has listed itself once more.
    Erasure.objects.bulk_create([Erasure(**entry) for entry in missed])
    return found


def _is_repeated(entry: Mapping[str, Any]) -> bool:
    """Erase the row that an entry means; return whether this database has it."""
    if entry["kind"] not in _AGAIN:
        return False
    model, erase = _AGAIN[entry["kind"]]
    row = model._base_manager.filter(pk=entry["key"], created_at=entry["made_at"]).first()
    if row is not None:
        erase(row)
    return row is not None


def _erase_account(user: User) -> None:
    account_data.erase_person(user=user, is_again=True)


def _erase_name(player: Player) -> None:
    players.anonymise_player(player=player.merged_into or player, by=None)


_AGAIN: dict[str, tuple[type[models.Model], Callable[[Any], None]]] = {
    "account": (User, _erase_account),
    "player": (Player, _erase_name),
}
