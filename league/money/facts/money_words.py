"""The reasons of transfers, in words."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import Entrant, Event, Posting, Sitting, Transfer

REASONS: dict[str, str | Promise] = {
    "loser": gettext_lazy("last place"),
    "third": gettext_lazy("third place"),
    "chop": gettext_lazy("chopped"),
    "cong": gettext_lazy("cóng"),
    "twos_left": gettext_lazy("left with 2s"),
    "bombs_left": gettext_lazy("left with bombs"),
    "cards_left": gettext_lazy("cards left in hand"),
    "last_two": gettext_lazy("went out on 2s"),
    "three_spades": gettext_lazy("only 3♠ left (đút 3 bích)"),
    "instant_win": gettext_lazy("instant win"),
    "settlement": gettext_lazy("paid"),
    "cost": gettext_lazy("shared cost"),
    "fee": gettext_lazy("entry fee"),
    "prize": gettext_lazy("prize"),
    "side": gettext_lazy("plus and minus"),
    "notebook": gettext_lazy("from the notebook"),
}

POSTINGS: dict[str, tuple[str | Promise, str | Promise]] = {
    "cost": (
        gettext_lazy("Shared cost"),
        gettext_lazy(
            "The player in last place pays for the coffee, or everyone shares it. The person "
            "who paid upfront gets it back."
        ),
    ),
    "fee": (
        gettext_lazy("Entry fee"),
        gettext_lazy("Everyone named owes the club this amount."),
    ),
    "prize": (
        gettext_lazy("Prize"),
        gettext_lazy("The club owes the winner this amount."),
    ),
    "settlement": (
        gettext_lazy("Payment"),
        gettext_lazy("Money changed hands: the debt between the two goes down by this amount."),
    ),
}
"""The title and the explanation of each kind of entry that an organiser may post."""

BEATEN: dict[str, str | Promise] = {
    "B": gettext_lazy("a black 2"),
    "R": gettext_lazy("a red 2"),
    "BB": gettext_lazy("two black 2s"),
    "BR": gettext_lazy("a black and a red 2"),
    "RR": gettext_lazy("two red 2s"),
    "BBR": gettext_lazy("two black 2s and a red one"),
    "BRR": gettext_lazy("a black 2 and two red ones"),
    "PR3": gettext_lazy("three consecutive pairs"),
    "Q": gettext_lazy("four of a kind"),
    "PR4": gettext_lazy("four consecutive pairs"),
    "2": gettext_lazy("a 2"),
    "22": gettext_lazy("two 2s"),
    "222": gettext_lazy("three 2s"),
    "bomb": gettext_lazy("a bomb"),
}


def explain(transfers: list[Transfer]) -> None:
    """Set each transfer's `words`: its reason, for a reversal that of the reversed transfer."""
    players = _players(transfers)
    for transfer in transfers:
        text = _words(transfer, players)
        if transfer.reverses_id or (transfer.posting and transfer.posting.reverses_id):
            text = _("reversed: %(what)s") % {"what": text}
        transfer.words = text  # type: ignore[attr-defined]
        said = ""
        if transfer.posting:
            said = entered(transfer.posting, [transfer], transfer.plays_as)  # type: ignore[attr-defined]
        transfer.entered = said  # type: ignore[attr-defined]


def entered(posting: Posting, transfers: Iterable[Transfer], plays_as: str | None = None) -> str:
    """Return who entered a posting, "" for a program; a payer's own word is called so.

    `plays_as` is the name under which its account plays in the club.
    """
    if posting.by is None:
        return ""
    if posting.kind == Posting.Kind.SETTLEMENT and not posting.reverses_id:
        payers = [moved.hands[0].player for moved in transfers]
        own = {player and (player.merged_into or player).user_id for player in payers}
        if own == {posting.by_id}:
            return _("entered by the payer")
    return _("entered by %(name)s") % {"name": plays_as or posting.by}


def _words(transfer: Transfer, players: dict[int, int]) -> str:
    reason = str(REASONS.get(transfer.reason, transfer.reason))
    if transfer.posting is not None and transfer.posting.note:
        return f"{reason}: {transfer.posting.told}"
    if transfer.reason == "chop":
        return "; ".join(_chop(special) for special in _chops(transfer, players)) or reason
    return reason


def _chop(special: dict[str, Any]) -> str:
    what = str(BEATEN.get(special.get("what", ""), special.get("what", "")))
    text = _("chopped with %(what)s on the table") % {"what": what}
    if special.get("chained"):
        return _("%(chop)s, counter-chop") % {"chop": text}
    return text


def _chops(transfer: Transfer, players: dict[int, int]) -> Iterable[dict[str, Any]]:
    """Yield the chops between the two people of the transfer, as they were entered.

    A transfer without a result comes from a stakes table; its `detail` has the chops.
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
    """Return player keys by entrant key, for the entrants in these transfers' specials."""
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


def place_name(label: Mapping[str, object]) -> str:
    """Return the words for a proof's label: the night's name, or the table's or game's number."""
    if "name" in label:
        return str(label["name"])
    if "game" in label:
        return _("game %(game)s") % label
    return _("round %(round)s, table %(table)s") % label


def scope_name(event: Event, sitting: Sitting | None, game: int | None) -> str:
    """Return the words for a page's scope: the night, the table and the game."""
    names = [event.name]
    if sitting is not None:
        names.append(place_name({"round": sitting.round.number, "table": sitting.table_no}))
    if game is not None:
        names.append(place_name({"game": game}))
    return ", ".join(names)
