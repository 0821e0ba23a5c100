"""A table's stake: what a visitor reads of a proposal, and the page that makes one."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from engine.rules.payments import net
from engine.rules.specials import SpecialError, payments_of_game
from league.base import texts
from league.base.domain.amounts import near
from league.models import Event, Place, Player, Sitting
from league.nights.facts.sittings import NextGame, own_at
from league.nights.pages.desk import Desk


@dataclass(frozen=True)
class StakeCard:
    """A proposal that applies from the next game: `asks` a player there, others may undo it.

    `refused` says who refused it; then nothing can be done.
    """

    key: int
    game_no: int
    who: str
    player: Player | None
    amount: str
    was: str
    at: str
    kept: str
    agreed: str
    asks: bool
    refused: str


@dataclass(frozen=True)
class StakePage:
    """The amounts to choose from and what the `chosen` one pays; empty `address`: none here."""

    desk: Desk
    game_no: int
    now: str
    chosen: int
    chips: list[tuple[int, str]]
    most: tuple[int, int] | None
    kept: str


def card(
    event: Event, sitting: Sitting, following: NextGame, own: Collection[int]
) -> StakeCard | None:
    """Return the table's open proposal for its next game; `own` are the viewer's players."""
    if sitting.stake_since != following.number or following.is_over:
        return None
    offers = sitting.stake_offers.select_related("entrant__player", "ended_by__player")
    found = offers.filter(game_no=following.number).last()
    if found is None or (found.ended_at and found.ended_by_id in (None, found.entrant_id)):
        return None
    mine = own_entrant(following.places, own)
    agreed = {one.pk: one.player.name for one in found.agreed.select_related("player")}
    unit = event.season.unit
    was = event.stake if found.was is None else found.was
    who = found.entrant.player if found.entrant else None
    return StakeCard(
        key=found.pk,
        game_no=found.game_no,
        who=who.name if who else _("An organiser"),
        player=who,
        amount=texts.amount(found.stake, unit),
        was=texts.amount(was, unit),
        at=time_format(localtime(found.at)),
        kept=_kept(found.game_no, texts.amount(was, unit)),
        agreed=", ".join(agreed.values()),
        refused=_("%(name)s said no. %(amount)s stays.")
        % {"name": found.ended_by.player.name, "amount": texts.amount(was, unit)}
        if found.ended_by
        else "",
        asks=mine is not None and mine != found.entrant_id and mine not in agreed,
    )


def own_entrant(places: Sequence[Place], own: Collection[int]) -> int | None:
    """Return the entrant among those seated who is one of these players."""
    at = own_at(places, own)
    return None if at is None else places[at].entrant_id


def _kept(game_no: int, amount: str) -> str:
    """Return the sentence on the games before, which stay as they are."""
    if game_no == 1:
        return ""
    words = _("Games 1 to %(n)s stay at %(amount)s.")
    if game_no == 2:
        words = _("Game 1 stays at %(amount)s.")
    return words % {"n": game_no - 1, "amount": amount}


def stake_page(desk: Desk, places: Sequence[Place], game_no: int, chosen: int) -> StakePage:
    """Return the page on which a table chooses another stake from that game on."""
    event, unit = desk.event, desk.event.season.unit
    now = event.stake_of(desk.sitting)
    stake = chosen or now * 2
    return StakePage(
        desk=desk,
        game_no=game_no,
        now=texts.amount(now, unit),
        chosen=stake,
        chips=[(one, texts.bare(one, unit)) for one in near(now)],
        most=_first_and_last(event, len(places), stake),
        kept=_kept(game_no, texts.amount(now, unit)),
    )


def _first_and_last(event: Event, players: int, stake: int) -> tuple[int, int] | None:
    """Return what first and last place pay in a plain game; None where cards decide it."""
    try:
        paid = payments_of_game(event.rules, [[seat] for seat in range(players)], [], stake)
    except SpecialError:
        return None
    money = net(players, paid)
    return money[0], money[-1]
