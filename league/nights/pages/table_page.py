"""A table of a round: its games, who deals and leads next, and what this visitor can do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.rules import payments
from engine.rules.inherited import ASK, GIVE, RETURN, TWOS, Step
from engine.rules.lead import leading_place
from league.base import texts
from league.base.domain.grouped import grouped
from league.base.domain.stored_specials import from_json
from league.base.facts import links
from league.base.page_parts import Badge, Button, Remark
from league.base.pages.address import address
from league.base.rights import Right
from league.models import Claim, Dispute, Entrant, Event, Place, Player, Result, Round, Sitting
from league.models.result import latest
from league.nights.acts import disputes
from league.nights.domain.entry import groups_of, write_order, write_specials
from league.nights.domain.night_formats import NightFormat
from league.nights.facts import online_tables, sittings
from league.nights.facts.clock import Clock, clock_of
from league.nights.facts.one_table import games_asked
from league.nights.facts.persons import persons
from league.nights.facts.sittings import NextGame, PlayedGame, TableFacts
from league.nights.facts.so_far import SoFar, so_far
from league.nights.pages import answers, plan_words
from league.nights.pages.desk import Desk
from league.nights.pages.entry_form import WHAT, EntryForm, entry_form, sentences
from league.nights.pages.next_step import (
    close_friends,
    games_of_friends,
    games_played,
    is_round_over,
)
from league.nights.pages.queue_page import TableQueue, table_queue
from league.nights.pages.same_deals import HAND_NAMES
from league.nights.pages.stake_offer import StakeCard, card
from league.seasons.domain.same_deals import hand_of
from tables.base import currencies
from tables.base.placings import place_name

LEFT = Entrant.Presence.LEFT


@dataclass(frozen=True)
class DrawnSeat:
    name: str
    deals: bool = False
    leads: bool = False
    player: Player | None = None


@dataclass(frozen=True)
class Now:
    """A table's state: a notice where no game can be entered, else who deals and leads.

    `call` answers the table's call for an organiser. `cut` are the players of whom one cut the
    highest card. `owed` are the exchanges of cards before the game. `seats` are drawn for visitors
    who only look. `stake` is what the game is played for, `offer` the proposal of another, `total`
    the number of games. Friends at one table who have `played` all of theirs `settle`.
    """

    notice: Remark | None = None
    deals: str = ""
    leads: str = ""
    direction: str = ""
    call: Remark | None = None
    cut: Sequence[Place] = ()
    owed: Sequence[str] = ()
    seats: Sequence[DrawnSeat] = ()
    stake: str = ""
    offer: StakeCard | None = None
    total: int | None = None
    played: str = ""
    settle: Button | None = None


@dataclass(frozen=True)
class GameRow:
    """A game in a table's list: places with medals, specials in words, badges, its actions.

    `order` and `specials` are the entry's fields; they are compared with taps of the same game.
    `confirms` is set where this visitor can confirm the game, `link` to the words of the link to
    its page; "" without one.
    """

    result: Result
    order: str
    specials: str
    finish: list[tuple[int, str, Player]]
    sentences: list[str]
    badges: list[Badge]
    confirms: bool
    link: str
    stake: str


@dataclass(frozen=True)
class GamesPlayed:
    """The latest of the table's games, the number of all, and everyone's sums."""

    rows: list[GameRow]
    total: int
    so_far: list[SoFar]
    answers: list[str]


@dataclass(frozen=True)
class Turn:
    """A queue night's sentences at a table: who moved, who moves next, and who waits."""

    moved: list[str]
    next_change: list[str]
    queue: list[Entrant]


@dataclass(frozen=True)
class SeatChanges:
    """What an organiser can change at a table.

    `free` are those who can sit down, `left` those who sit there and have left the night.
    """

    free: list[Entrant]
    left: list[Entrant]
    to_other_table: bool


@dataclass(frozen=True)
class TableState:
    """The parts of a table's page that change with each game."""

    desk: Desk
    next: NextGame
    now: Now
    clock: Clock | None
    turn: Turn | None
    asked: int | None
    """The games of a round of friends at one table; None elsewhere."""
    changes: bool
    """Whether seats change hands after the next game."""
    played: GamesPlayed


@dataclass(frozen=True)
class TablePage:
    """A table's page; what is None or empty, this visitor is not offered.

    `stored_as` is the name under which a phone stores this table's unsent games, `last_number` the
    last game that it may enter offline (None: no limit), `stop_notice` its notice after a game that
    changes the seats. `online` is the key of the online table. `entry` is there where games are
    entered. `lies_at` is the address of the night's link on a tablet that lies on the table.
    """

    table: TableState
    desk: Desk
    back: str
    stored_as: str
    last_number: int | None
    stop_notice: Remark | None
    lowest_leads: str
    next_leads: str
    online: str
    entry: EntryForm | None
    ends_table: Button | None
    notes_side: bool
    sits_here: bool
    own: Claim | None
    findable: list[Player]
    lies_at: str
    call: Button | None
    change_stake: str
    seat_changes: SeatChanges | None
    link_path: str
    make_link: Button | None


def table_state(desk: Desk, *, everything: bool = False, online: str = "") -> TableState:
    """Return the parts that change for this visitor; `everything` lists all games.

    `online` is the key of the online table, where nobody cuts, deals or exchanges real cards.
    """
    event, sitting = desk.event, desk.sitting
    facts = sittings.facts_of(sitting, event, most=sittings.ALL if everything else sittings.MOST)
    table = facts.visible(organises=desk.viewer.organises, plays=desk.may_enter)
    tells_order = table.next is facts.next
    asked = games_asked(event) if event.has_queue and event.is_open else None
    queue = None
    if event.has_queue and not asked:
        queue = table_queue(event, sitting, table.next.number)
    if asked:
        now = _for_friends(desk, table.next, asked)
    else:
        now = now_of(desk, table.next, tells_order=tells_order)
    if online:
        now = replace(now, deals="", leads="", direction="", cut=(), owed=())
    return TableState(
        desk=desk,
        next=table.next,
        now=now,
        clock=clock_of(sitting.round, sitting) if event.is_open and not desk.moved_to else None,
        turn=turn_of(event, queue) if queue and not table.next.is_over else None,
        asked=asked,
        changes=queue is not None and queue.changes,
        played=_played(desk, table),
    )


def table_page(desk: Desk, sent: Mapping[str, str]) -> TablePage:
    """Return the table's page for this visitor, after the taps in `sent`."""
    event, sitting, here = desk.event, desk.sitting, desk.here
    key = online_tables.key_at(sitting)
    state = table_state(desk, everything="all" in sent, online=key)
    following, enters = state.next, desk.may_enter
    hosts = desk.viewer.organises and event.is_open and not following.is_over
    own, findable = _phone(desk, following.places)
    shares = enters and desk.link is None
    link = links.of_table(sitting) if shares else None
    return TablePage(
        table=state,
        desk=desk,
        back=_back(desk, own),
        stored_as=_stored_as(event, sitting),
        last_number=last_number(event, state),
        stop_notice=stop_notice(event, state),
        lowest_leads=lowest_leads(),
        next_leads={0: "first", -1: "last", None: ""}[leading_place(event.rules)],
        online=key,
        entry=entry_form(desk, following.places, sent) if enters and not key else None,
        ends_table=_end(desk)
        if enters and event.has_queue and following.places and not state.asked
        else None,
        notes_side=event.may_note_side and enters and not desk.moved_to,
        sits_here=own is None or own.player in map(_person, following.places),
        own=own,
        findable=findable,
        lies_at=night_of(event) if desk.lies_here else "",
        call=Button(_("Call"), f"{here}call/", posts=True)
        if desk.may_speak and not state.asked
        else None,
        change_stake=f"{here}stake/"
        if enters and event.stake and desk.sees_money and not (key or following.is_over)
        else "",
        seat_changes=SeatChanges(
            _free(event, sitting.round),
            [place.entrant for place in following.places if place.entrant.presence == LEFT],
            to_other_table=not event.has_queue,
        )
        if hosts
        else None,
        link_path=reverse("league:link_table", args=[link.secret]) if link else "",
        make_link=_make_link(event, sitting) if shares and not link else None,
    )


def night_of(event: Event) -> str:
    """Return the address of the night's link; empty without one."""
    link = links.of_night(event)
    return reverse("league:link_night", args=[link.secret]) if link else ""


def _free(event: Event, round_: Round) -> list[Entrant]:
    """Return the entrants who can take a seat in this round: not seated, left or absent."""
    held, names = Place.objects.filter(round=round_, to_game=None), persons(event)
    seated = [names.get(key, key) for key in held.values_list("entrant", flat=True)]
    free = event.entrants.filter(counts=True).exclude(pk__in=seated)
    free = free.exclude(presence__in=[LEFT, Entrant.Presence.ABSENT])
    return list(free.select_related("player").order_by("player__sort_key"))


def _phone(desk: Desk, places: Sequence[Place]) -> tuple[Claim | None, list[Player]]:
    """Return the phone's claim, or who at the table can claim it."""
    if not desk.link or not desk.event.is_open or desk.viewer.right >= Right.SCORE:
        return None, []
    own = desk.viewer.claim
    asks = own is None and not (desk.moved_to or desk.lies_here)
    return own, [*map(_person, places)] if asks else []


def _person(place: Place) -> Player:
    return place.entrant.player.merged_into or place.entrant.player


def _back(desk: Desk, own: Claim | None) -> str:
    """Return the way back: to the night, or to an earlier round; "" for a phone of nobody here."""
    event, number = desk.event, desk.sitting.round.number
    if desk.link:
        return reverse("league:my_night", args=[event.pk]) if own else ""
    later = event.rounds.filter(number__gt=number, status=Round.Status.RELEASED)
    if not event.has_queue and later.exists():
        return address(event, "round", number)
    return address(event, "event")


def _end(desk: Desk) -> Button:
    """Return the button that ends a queue night's table; a quiet one asks first."""
    is_open_night = desk.event.rules_of_format.kind == "open"
    text = _("This table is done") if is_open_night else _("Close table")
    return Button(text, f"{desk.here}done/", "" if is_open_night else "quiet", posts=True)


def _make_link(event: Event, sitting: Sitting) -> Button:
    path = address(event, "renew_link", sitting.round.number, sitting.table_no)
    return Button(_("Create a link for any phone"), path, posts=True)


def _stored_as(event: Event, sitting: Sitting) -> str:
    parts = [event.season.club.name, event.name]
    parts.append(_("Table %(table)s") % {"table": sitting.table_no})
    if not event.has_queue:
        parts.append(_("Round %(number)s") % {"number": sitting.round.number})
    return " · ".join(parts)


def now_of(desk: Desk, following: NextGame, *, tells_order: bool = True) -> Now:
    """Return the text above the entry form of the next game."""
    call = _call(desk.sitting) if desk.may_speak else None
    if following.is_over:
        return Now(Remark(_("All games of this round are entered."), "success"), call=call)
    if not tells_order:
        text = _("The results of this round are kept back until the ceremony.")
        return Now(Remark(text), call=call)
    if following.waits:
        return Now(Remark(_too_few(following.places)), call=call)
    dealer, leader = following.dealer, following.leader
    deals = _of(_("<b>%(name)s</b> shuffles and deals."), dealer) if dealer else ""
    if desk.event.rules_of_format.same_deals:
        words = _("Deal %(number)s of this round: everyone takes the hand of their seat.")
        deals = format_html("{} {}", words % {"number": following.number}, _hands(following))
    return Now(
        deals=_("Cut for the first deal.") if following.cuts else deals,
        leads=_of(_("<b>%(name)s</b> leads."), leader) if leader else lowest_leads(),
        direction=_("Play goes clockwise.")
        if desk.event.is_clockwise
        else _("Play goes counter-clockwise."),
        call=call,
        cut=following.places if following.may_cut and desk.may_enter else (),
        owed=owed(following),
        seats=() if desk.may_enter else drawn_seats(following),
        stake=_stake(desk, len(following.places)),
        offer=_offer(desk, following),
        total=desk.event.games_per_round,
    )


def _hands(following: NextGame) -> str:
    """Return who holds which hand of the deal, in the words of its envelopes."""
    held = [
        _bold("<b>%(name)s</b> %(hand)s", name=place.entrant.player.name, hand=hand)
        for place in following.places
        for hand in [HAND_NAMES[hand_of(place.seat, following.number)]]
    ]
    return mark_safe(", ".join(held) + "." if held else "")


def _for_friends(desk: Desk, following: NextGame, asked: int) -> Now:
    """Return the text above the entry form for friends at one table."""
    played = desk.sitting.results.filter(latest(), void=False).count()
    now = replace(now_of(desk, following), total=games_of_friends(played, asked))
    if not is_round_over(played, asked) or not desk.viewer.organises:
        return now
    close = close_friends(partial(address, desk.event), desk.event.stake > 0)
    return replace(now, played=games_played(played), settle=close)


def _stake(desk: Desk, players: int) -> str:
    """Return what a game costs: the sums of the places that lose, where these differ."""
    event = desk.event
    if not desk.sees_money or not event.stake:
        return ""
    stake, unit = event.stake_of(desk.sitting), event.season.unit
    seats = [(seat,) for seat in range(players)]
    sums = payments.net(players, payments.payments_from_placings(event.rules, seats, stake))
    lost = {rank: -won for rank, won in enumerate(sums, 1) if won < 0}
    if not lost or len(lost) > len(set(lost.values())):
        return plan_words.stake(stake, unit)
    told = [(place_name(rank, players), currencies.in_k(lost[rank], unit)) for rank in lost]
    return " · ".join(f"{place} {amount}" for place, amount in reversed(told))


def _offer(desk: Desk, following: NextGame) -> StakeCard | None:
    """Return the proposal for the next game, for those at the table."""
    hears = desk.sees_money and (desk.may_enter or desk.may_speak)
    if not hears or desk.sitting.stake_since != following.number:
        return None
    found = card(desk.event, desk.sitting, following, desk.viewer.own)
    return found if found and (found.asks or desk.may_enter) else None


def _call(sitting: Sitting) -> Remark | None:
    if not sitting.called_at:
        return None
    if sitting.call_seen_at:
        return Remark(_("An organiser is coming."), "info")
    return Remark(_("The organisers' pages show your call. Nobody has answered yet."), "warning")


def drawn_seats(following: NextGame) -> list[DrawnSeat]:
    """Return the seats of a table's next game, with who deals and leads."""
    return [
        DrawnSeat(
            place.entrant.player.name,
            deals=place == following.dealer and not following.cuts,
            leads=place == following.leader,
            player=place.entrant.player,
        )
        for place in following.places
    ]


def owed(following: NextGame) -> list[str]:
    """Return a sentence for each exchange of cards before the next game."""
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


def last_number(event: Event, state: TableState) -> int | None:
    """Return the last game that an offline phone may enter; None: no limit."""
    return state.next.number if state.changes else event.games_per_round


def stop_notice(event: Event, state: TableState) -> Remark | None:
    """Return an offline phone's notice after a game that changes the seats.

    None where nobody moves.
    """
    if not state.changes:
        return None
    if event.rules_of_format.kind == "open":
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


def turn_of(event: Event, table: TableQueue) -> Turn:
    """Return who gave up a seat after the last game, who takes one, and what happens next."""
    moved = [_of(_("<b>%(name)s</b> gave up the seat."), place) for place in table.went]
    moved += [_of(_("<b>%(name)s</b> takes the seat."), place) for place in table.came]
    return Turn(moved, _next_change(event, table), table.queue)


def _next_change(event: Event, table: TableQueue) -> list[str]:
    """Return how seats change after this game, or when an open-play table is finished."""
    rules, total = event.rules_of_format, event.games_together
    if rules.kind == "loser_leaves":
        return _loser_leaves(rules, table)
    if not total:
        return []
    words = _("This table plays %(total)s games; %(done)s played.")
    return [words % {"total": total, "done": table.together}]


def _played(desk: Desk, table: TableFacts) -> GamesPlayed:
    sums = so_far(desk.event, desk.sitting, with_held=desk.viewer.organises)
    resolved = [each for each in table.disputes if each.outcome != Dispute.Outcome.OPEN]
    results = [game.result for game in table.games]
    varies = {desk.sitting.stake, *[result.stake for result in results]} != {None}
    return GamesPlayed(
        rows=[_row(desk, game, varies=varies) for game in reversed(table.games)],
        total=table.next.number - 1,
        so_far=sums if desk.sees_money else [replace(row, money=None) for row in sums],
        answers=answers.at_table(desk.sitting, resolved) if desk.hears else [],
    )


def _row(desk: Desk, game: PlayedGame, *, varies: bool) -> GameRow:
    event, result, hidden = desk.event, game.result, is_hidden(desk, game.result)
    shows_stake = varies and desk.sees_money and event.stake and not hidden
    link = _("Edit") if desk.may_enter else _("View")
    order = groups_of((placing.rank, placing.entrant_id) for placing in game.placings)
    return GameRow(
        result=result,
        order=write_order(order),
        specials=write_specials(from_json(result.specials)),
        finish=[
            (p.rank, "last" if p.rank == p.size else str(p.rank), p.entrant.player)
            for p in game.placings
        ],
        sentences=specials_of(game),
        badges=badges(desk.event, game, hidden=hidden),
        confirms=desk.may_speak and may_confirm(desk, game),
        link="" if desk.moved_to or hidden else link,
        stake=texts.amount(event.stake_of(result), event.season.unit) if shows_stake else "",
    )


def may_confirm(desk: Desk, game: PlayedGame) -> bool:
    """Return whether the game is to be confirmed, and this visitor is one who may."""
    return not game.confirmed and disputes.may_confirm(
        result=game.result,
        event=desk.event,
        by=desk.viewer.by,
        device=desk.viewer.device,
        organises=desk.viewer.organises,
    )


def is_hidden(desk: Desk, result: Result) -> bool:
    """Return whether the game's places are kept from this visitor until the ceremony."""
    return result.held and not desk.viewer.organises


def specials_of(game: PlayedGame, of: Collection[int] | None = None) -> list[str]:
    """Return the game's specials as sentences, one for all that a player is caught with.

    With `of`, those of these entrants alone.
    """
    names = {p.entrant_id: p.entrant.player.name for p in game.placings}
    specials = from_json(game.result.specials)
    if of is not None:
        specials = [one for one in specials if not {one.by, one.of}.isdisjoint(of)]
    left = [one for one in specials if one.kind == "left"]
    caught = grouped((one.of, str(WHAT.get(one.what, one.what))) for one in left)
    merged = []
    for one in specials:
        if one.kind != "left":
            merged.append(one)
        elif cards := caught.pop(one.of, None):
            merged.append(one._replace(what=", ".join(cards)))
    return sentences(merged, names)


def badges(event: Event, game: PlayedGame, *, hidden: bool = False) -> list[Badge]:
    """Return a game's badges: held, corrected, disputed and, where required, confirmed."""
    found = [Badge(_("kept back"), "open")] if game.result.held else []
    if hidden:
        return found
    if game.result.version > 1:
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
    too_few = _("Not enough players to start:")
    comes = _("The next player to arrive sits down here.")
    return f"{too_few} {names}. {comes}"


def _loser_leaves(rules: NightFormat, table: TableQueue) -> list[str]:
    if not table.queue:
        return [_("Nobody is waiting: everyone stays for the next game.")]
    if rules.look > 1:
        words = _("Last place gives up the seat to one of the first %(look)s in the queue.")
        first = words % {"look": rules.look}
    else:
        name = table.queue[0].player.name
        first = _bold(_("Last place gives up the seat to <b>%(name)s</b>."), name=name)
    again = _(
        "<b>%(name)s</b> is playing game %(cap)s in a row and also gives up the seat, if "
        "enough players are waiting."
    )
    return [first] + [
        _bold(again, name=one.place.entrant.player.name, cap=rules.cap)
        for one in table.seated
        if one.is_last
    ]


def _of(message: str, place: Place) -> str:
    return _bold(message, name=place.entrant.player.name)


def _bold(message: str, **values: object) -> str:
    """Return an HTML message, filled with escaped values."""
    return mark_safe(message % {key: escape(value) for key, value in values.items()})
