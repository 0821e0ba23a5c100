"""Why money moved, in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import Entrant, Transfer

REASONS: dict[str, str | Promise] = {
    "loser": gettext_lazy("last place"),
    "third": gettext_lazy("third place"),
    "chop": gettext_lazy("chopped"),
    "cong": gettext_lazy("had played no card"),
    "twos_left": gettext_lazy("left with 2s"),
    "bombs_left": gettext_lazy("left with bombs"),
    "instant_win": gettext_lazy("instant win"),
    "settlement": gettext_lazy("paid"),
    "cost": gettext_lazy("shared cost"),
    "fee": gettext_lazy("entry fee"),
    "prize": gettext_lazy("prize"),
}

BEATEN: dict[str, str | Promise] = {
    "B": gettext_lazy("a black 2"),
    "R": gettext_lazy("a red 2"),
    "BB": gettext_lazy("two black 2s"),
    "BR": gettext_lazy("a black and a red 2"),
    "RR": gettext_lazy("two red 2s"),
    "BBR": gettext_lazy("two black 2s and a red one"),
    "BRR": gettext_lazy("a black 2 and two red ones"),
    "PR3": gettext_lazy("three pairs in a row"),
    "Q": gettext_lazy("four of a kind"),
    "PR4": gettext_lazy("four pairs in a row"),
    "2": gettext_lazy("a 2"),
    "22": gettext_lazy("two 2s"),
    "222": gettext_lazy("three 2s"),
    "bomb": gettext_lazy("a bomb"),
}


def explain(transfers: list[Transfer]) -> None:
    """Gives each transfer `words`: why it was made, and of a reversal what it takes back."""
    players = _players(transfers)
    for transfer in transfers:
        text = _words(transfer, players)
        if transfer.reverses_id or (transfer.posting and transfer.posting.reverses_id):
            text = _("taken back: %(what)s") % {"what": text}
        transfer.words = text  # type: ignore[attr-defined]


def _words(transfer: Transfer, players: dict[int, int]) -> str:
    reason = str(REASONS.get(transfer.reason, transfer.reason))
    if transfer.posting is not None and transfer.posting.note:
        return f"{reason}: {transfer.posting.note}"
    if transfer.reason == "chop":
        return "; ".join(_chop(special) for special in _chops(transfer, players)) or reason
    return reason


def _chop(special: dict[str, Any]) -> str:
    what = str(BEATEN.get(special.get("what", ""), special.get("what", "")))
    text = _("chopped with %(what)s on the table") % {"what": what}
    if special.get("chained"):
        return _("%(chop)s, on top of another chop") % {"chop": text}
    return text


def _chops(transfer: Transfer, players: dict[int, int]) -> Iterable[dict[str, Any]]:
    """The chop that the transfer pays for, as it was entered: the last of its chain.

    At a table of no night its detail has it.
    """
    if transfer.result is None:
        yield from transfer.detail.get("chops", ())
        return
    pair = {transfer.payer.player_id, transfer.payee.player_id}
    for special in transfer.result.specials:
        people = {players.get(special.get("by", 0)), players.get(special.get("of", 0))}
        if special.get("kind") == "chop" and people == pair:
            yield special


def _players(transfers: list[Transfer]) -> dict[int, int]:
    """The player of every entrant whom specials of these transfers name."""
    named = {
        key
        for transfer in transfers
        if transfer.result is not None and transfer.reason == "chop"
        for special in transfer.result.specials
        for key in (special.get("by"), special.get("of"))
        if key
    }
    return (
        dict(Entrant.objects.filter(pk__in=named).values_list("pk", "player_id")) if named else {}
    )
