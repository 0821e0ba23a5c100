"""Repetition of erasures on a database that was restored, before anything is served."""

import functools
import json
from collections.abc import Callable, Mapping
from typing import Any

from django.db import connection, models, transaction
from django.utils import timezone

from accounts.models import User
from launcher.erasures import WAITING
from league.base.acts import erasures
from league.clubs.acts import account_data, ending, forgetting, hidden_names, players
from league.models import (
    Channel,
    Claim,
    Club,
    Confirmation,
    Dispute,
    Erasure,
    FormerWay,
    HiddenName,
    Mention,
    PaymentWay,
    Player,
    Result,
    RoleOffer,
    SignUpAnswer,
)


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
    kept = {entry["key"] for entry in entries if entry["kind"] == "name_back"}
    missed = [entry for entry in entries if entry["id"] not in known]
    found = sum(
        _is_repeated(entry)
        for entry in missed
        if entry["kind"] != "renamed" or entry["key"] not in kept
    )
    # With their own keys: what is repeated has listed itself once more.
    Erasure.objects.bulk_create([Erasure(**entry) for entry in missed])
    return found


def _is_repeated(entry: Mapping[str, Any]) -> bool:
    """Erase the row that an entry means; return whether this database has it."""
    if entry["kind"] in forgetting.TEXTS:
        mentions = Mention.objects.filter(kind=entry["kind"], key=entry["key"])
        forgetting.decide(mentions=mentions, erased=mentions.values_list("pk", flat=True), by=None)
        return False
    if entry["kind"] not in _AGAIN:
        return False
    model, erase = _AGAIN[entry["kind"]]
    same = {"pk": entry["key"], f"{erasures.time_of(model)}__lte": entry["made_at"]}
    row = model._base_manager.filter(**same).first()
    if row is None:
        return False
    erase(row)
    if entry["kind"] == "hidden":
        HiddenName.objects.filter(player=row.pk).update(at=entry["at"])
    return True


def _erase_account(user: User) -> None:
    account_data.erase_person(user=user, is_again=True)


def _erase_name(player: Player) -> None:
    players.anonymise_player(player=player.merged_into or player, by=None)


def _end_claim(claim: Claim) -> None:
    PaymentWay.objects.filter(claim=claim).delete()
    SignUpAnswer.objects.filter(device=claim.phone_hash).update(device="")
    ended_at = claim.ended_at or timezone.now()
    _set(claim, phone_hash="", asked_by="", ended_at=ended_at)


def _set(row: models.Model, **values: Any) -> None:
    type(row)._base_manager.filter(pk=row.pk).update(**values)


_forget_device = functools.partial(_set, device="")


def _delete(row: models.Model) -> None:
    row.delete()


_AGAIN: dict[str, tuple[type[models.Model], Callable[[Any], None]]] = {
    "account": (User, _erase_account),
    "player": (Player, _erase_name),
    "renamed": (Player, players.lose_name),
    "hidden": (Player, hidden_names.hide_again),
    "unhidden": (Player, hidden_names.bring_back_again),
    "club": (Club, ending.delete_again),
    "second_phone": (Club, functools.partial(_set, second_by="")),
    "claim": (Claim, _end_claim),
    "asking": (Claim, functools.partial(_set, asked_by="", refused_at=None)),
    "answer": (SignUpAnswer, _forget_device),
    "confirmation": (Confirmation, _forget_device),
    "dispute": (Dispute, _forget_device),
    "result": (Result, _forget_device),
    "formerway": (FormerWay, _delete),
    "channel": (Channel, _delete),
    "offer": (RoleOffer, _delete),
}
