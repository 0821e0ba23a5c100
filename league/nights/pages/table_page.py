"""What a table's page says: who deals and leads, seat changes, the state of each game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.html import escape
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.rules.inherited import ASK, GIVE, RETURN, TWOS, Step
from league.base.page_parts import Badge, Remark
from league.models import Event, Place
from league.nights.domain.night_formats import NightFormat
from league.nights.facts.sittings import PlayedGame, SittingPage
from league.nights.facts.waitlist import FloorTable


@dataclass(frozen=True)
class Now:
    """A table's state: a notice where no game can be entered, else who deals and leads."""

    notice: Remark | None = None
    deals: str = ""
    leads: str = ""
    direction: str = ""


@dataclass(frozen=True)
class GameRow:
    """A played game in a table's list: places with medals, badges, and its action."""

    game: PlayedGame
    finish: list[tuple[int, str, str]]
    badges: list[Badge]
    may_confirm: bool


def said(table: SittingPage) -> dict[str, Any]:
    """Return everything on the page except the entry form and the list of games."""
    floor = table.floor
    return {
        "now": now(table),
        "last_number": last_number(table),
        "stop_notice": stop_notice(table),
        "lowest_leads": lowest_leads(),
        "owed": owed(table),
        "moved": moved(floor) if floor else [],
        "next_change": next_change(table.event, floor) if floor else [],
    }


def title(table: SittingPage) -> str:
    """Return the name under which a phone stores this table's unsent games."""
    event, sitting = table.event, table.sitting
    parts = [event.season.club.name, event.name]
    parts.append(_("Table %(table)s") % {"table": sitting.table_no})
    if not event.is_floor:
        parts.append(_("Round %(number)s") % {"number": sitting.round.number})
    return " · ".join(parts)


def now(table: SittingPage) -> Now:
    """Return the text above the entry form of the next game."""
    following = table.next
    if following.is_over:
        return Now(Remark(_("All games of this round are entered."), "success"))
    if not table.tells_order:
        return Now(Remark(_("The results of this round are kept back until the ceremony.")))
    if following.waits:
        return Now(Remark(_too_few(following.places)))
    dealer, leader = following.dealer, following.leader
    deals = _of(_("<b>%(name)s</b> shuffles and deals."), dealer) if dealer else ""
    return Now(
        deals=_("Cut for the first deal.") if following.cuts else deals,
        leads=_of(_("<b>%(name)s</b> leads."), leader) if leader else lowest_leads(),
        direction=_("Play goes clockwise.")
        if table.clockwise
        else _("Play goes counter-clockwise."),
    )


def owed(table: SittingPage) -> list[str]:
    """Return a sentence for each exchange of cards before the next game."""
    following = table.next
    if following.is_over or following.waits:
        return []
    asked = Counter(step for step in following.owed if step.do == ASK)
    names = [place.entrant.player.name for place in following.places]
    return [
        _bold(
            _owed_words(step, asked[step] or step.number),
            seat=names[step.seat],
            other=names[step.other],
            n=asked[step] or step.number,
        )
        for step in dict.fromkeys(following.owed)
    ]


def _owed_words(step: Step, number: int) -> str:
    if step.do == ASK:
        return ngettext(
            "<b>%(seat)s</b> asks <b>%(other)s</b> once.",
            "<b>%(seat)s</b> asks <b>%(other)s</b> %(n)s times.",
            number,
        )
    if step.do == RETURN:
        return ngettext(
            "<b>%(seat)s</b> gives <b>%(other)s</b> any card back.",
            "<b>%(seat)s</b> gives <b>%(other)s</b> any %(n)s cards back.",
            number,
        )
    if step.do == GIVE:
        return ngettext(
            "<b>%(seat)s</b> gives <b>%(other)s</b> a 2 of their choice and gets any card back.",
            "<b>%(seat)s</b> gives <b>%(other)s</b> %(n)s 2s of their choice and gets as many "
            "cards back.",
            number,
        )
    if step.what == TWOS:
        return ngettext(
            "<b>%(other)s</b> gives <b>%(seat)s</b> their highest 2 and gets any card back.",
            "<b>%(other)s</b> gives <b>%(seat)s</b> their %(n)s highest 2s and gets as many cards "
            "back.",
            number,
        )
    if step.back:
        return ngettext(
            "<b>%(other)s</b> gives <b>%(seat)s</b> their highest card and gets any card back.",
            "<b>%(other)s</b> gives <b>%(seat)s</b> their %(n)s highest cards and gets as many "
            "back.",
            number,
        )
    return ngettext(
        "<b>%(other)s</b> gives <b>%(seat)s</b> their highest card.",
        "<b>%(other)s</b> gives <b>%(seat)s</b> their %(n)s highest cards.",
        number,
    )


def lowest_leads() -> str:
    """Return the sentence on who leads when no winner does."""
    return _("The player with the lowest card leads.")


def last_number(table: SittingPage) -> int | None:
    """Return the last game that an offline phone may enter; None: no limit."""
    if table.floor is not None and table.floor.changes:
        return table.next.number
    return table.event.games_per_round


def stop_notice(table: SittingPage) -> Remark | None:
    """Return an offline phone's notice after a game that changes the seats.

    None where nobody moves.
    """
    if table.floor is None or not table.floor.changes:
        return None
    if table.event.rules_of_format.kind == "open":
        text = _(
            "This table is finished. Once the game has been sent, this page shows "
            "where everyone plays next."
        )
    else:
        text = _(
            "Once the game has been sent, this page shows who sits down. Without a "
            "connection, keep playing by the queue, write the games down and enter "
            "them later."
        )
    return Remark(text, "info")


def moved(floor: FloorTable) -> list[str]:
    """Return who gave up a seat after the last game and who takes one for the next."""
    return [_of(_("<b>%(name)s</b> gave up the seat."), place) for place in floor.went] + [
        _of(_("<b>%(name)s</b> takes the seat."), place) for place in floor.came
    ]


def next_change(event: Event, floor: FloorTable) -> list[str]:
    """Return how seats change after this game, or when an open-play table is finished."""
    rules, total = event.rules_of_format, event.games_together
    if rules.kind == "loser_leaves":
        return _loser_leaves(rules, floor)
    if not total:
        return []
    told = _("This table plays %(total)s games; %(done)s played.")
    return [told % {"total": total, "done": floor.together}]


def game_rows(
    event: Event, games: Iterable[PlayedGame], may_confirm: Callable[[PlayedGame], bool]
) -> list[GameRow]:
    """Return the games as rows of the table's list."""
    return [GameRow(game, _finish(game), badges(event, game), may_confirm(game)) for game in games]


def badges(event: Event, game: PlayedGame) -> list[Badge]:
    """Return a game's badges: held, corrected, disputed and, where required, confirmed."""
    if game.kept_back:
        return [Badge(_("kept back"), "open")]
    found = [Badge(_("kept back"), "open")] if game.result.held else []
    if game.versions > 1:
        found.append(Badge(_("corrected"), "gold"))
    if game.dispute:
        found.append(Badge(_("disputed"), "live"))
    if event.confirmed_by != Event.Confirmed.NONE and not game.result.void:
        done = Badge(_("confirmed"), "done")
        found.append(done if game.confirmed else Badge(_("to confirm"), "open"))
    return found


def _too_few(places: list[Place]) -> str:
    if not places:
        return _("Nobody is seated here now.")
    names = ", ".join(place.entrant.player.name for place in places)
    sitting, next_comes = (
        _("Not enough players to start:"),
        _("The next player to arrive sits down here."),
    )
    return f"{sitting} {names}. {next_comes}"


def _loser_leaves(rules: NightFormat, floor: FloorTable) -> list[str]:
    if not floor.queue:
        return [_("Nobody is waiting: everyone stays for the next game.")]
    if rules.look > 1:
        told = _("Last place gives up the seat to one of the first %(look)s in the queue.")
        first = told % {"look": rules.look}
    else:
        name = floor.queue[0].player.name
        first = _bold(_("Last place gives up the seat to <b>%(name)s</b>."), name=name)
    again = _(
        "<b>%(name)s</b> is playing game %(cap)s in a row and also gives up the seat, if "
        "enough players are waiting."
    )
    return [first] + [
        _bold(again, name=turn.place.entrant.player.name, cap=rules.cap)
        for turn in floor.turns
        if turn.is_last
    ]


def _finish(game: PlayedGame) -> list[tuple[int, str, str]]:
    """Return everyone's rank, medal and name, the first first."""
    return [
        (p.rank, "last" if p.rank == p.size else str(p.rank), p.entrant.player.name)
        for p in game.placings
    ]


def _of(message: str, place: Place) -> str:
    return _bold(message, name=place.entrant.player.name)


def _bold(message: str, **values: object) -> str:
    """Return an HTML message, filled with escaped values."""
    return mark_safe(message % {key: escape(value) for key, value in values.items()})
