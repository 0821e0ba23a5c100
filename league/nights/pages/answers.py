"""Organisers' answers to reports of mistakes, for the phones that sent them."""

from collections.abc import Iterable

from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from league.models import Dispute, Event, Player, Result, Sitting
from league.models.result import latest


def at_table(sitting: Sitting, resolved: list[Dispute]) -> list[str]:
    """Return the answers about a table's games, in the order of its resolved disputes."""
    for dispute in resolved:
        dispute.sitting = sitting
    return _sentences(resolved)


def to_player(event: Event, player: Player, *, by: User | None, device: str) -> list[str]:
    """Return the answers to reports by the player, this account or this phone in the night."""
    own = Q(player=player) | Q(player__merged_into=player)
    if by is not None:
        own |= Q(by=by)
    elif device:
        own |= Q(device=device)
    resolved = Dispute.objects.exclude(outcome=Dispute.Outcome.OPEN).filter(
        own, sitting__round__event=event
    )
    return _sentences(resolved.select_related("sitting").order_by("-resolved_at", "-pk"))


def of_open(dispute: Dispute) -> str:
    """Return whether an organiser has seen the report."""
    if dispute.seen_at:
        return _("An organiser is looking at it.")
    return _("No organiser has looked at it yet.")


def _sentences(resolved: Iterable[Dispute]) -> list[str]:
    found = list(resolved)
    if not found:
        return []
    tables = [each.sitting_id for each in found]
    void = set(
        Result.objects.filter(latest(), sitting__in=tables, void=True).values_list(
            "sitting_id", "game_no"
        )
    )
    return [_sentence(each, (each.sitting_id, each.game_no) in void) for each in found]


def _sentence(dispute: Dispute, is_void: bool) -> str:
    if dispute.outcome == Dispute.Outcome.DISMISSED:
        text = _("Table %(table)s, game %(game)s stays as it is")
    elif is_void:
        text = _("Table %(table)s, game %(game)s no longer counts")
    else:
        text = _("Table %(table)s, game %(game)s was corrected")
    said = text % {"table": dispute.sitting.table_no, "game": dispute.game_no}
    return f"{said}: {dispute.reason}" if dispute.reason else f"{said}."
