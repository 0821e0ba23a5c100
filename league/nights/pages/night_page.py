"""What a night's page offers: segments, the next step, tables that need someone, buttons."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from league.base.page_parts import Badge, Button, MenuRow, Tab
from league.models import Dispute, Entrant, Event, LivePlan, Player, Round, Season, Sitting
from league.money.facts import open_debts
from league.money.facts.money import OwedPayment
from league.nights.facts import ceremony, last_changes
from league.nights.facts.clock import Clock, clock_of
from league.nights.facts.events import (
    Attention,
    GameCount,
    Gap,
    attention,
    games_of,
    missing,
    rounds_of,
)
from league.nights.facts.final_places import Placed, event_places, podium
from league.nights.facts.one_table import games_asked
from league.nights.facts.stages import next_stage
from league.nights.facts.table_sizes import is_final_ahead, sizes_ahead
from league.nights.pages.check_in_page import SignUpNote, tables_told
from league.nights.pages.night_specials import ChopSentence, chop_of
from league.nights.pages.night_tables import NightTable, tables_of
from league.nights.pages.pace import RoundPace, pace_of
from league.nights.pages.queue_page import QueuePage, queue_page
from league.nights.pages.stage_page import StagePage, stage_page
from league.seasons.facts.standings import Standing, entrants_of, event_standings
from tables.web.addresses import Address

To = Callable[..., str]
"""A function from a night page's name and further URL arguments to its address."""

STANDINGS = "show=standings"
"""The query with which a night's page shows its standings first, also on a phone."""

MANY = 30
"""With more players than this the page polls less often and offers a name search."""


@dataclass(frozen=True)
class NextStep:
    """An organiser's next step: what is true now, more about it, and buttons.

    `early` are the buttons that would leave games out, which `early_note` names.
    """

    title: str
    sentences: list[str] = field(default_factory=list)
    actions: list[Button] = field(default_factory=list)
    early: list[Button] = field(default_factory=list)
    early_note: str = ""


@dataclass(frozen=True)
class NightState:
    """How far an open night is; `stage` is the next draw's kind from `next_stage`.

    `asked` are the games of a round of friends at one `table`, where `played` have been played and
    which `settles` money; 0 in all other nights. `sorts` says that packs are sorted by sheets.
    `sizes` are those of the tables that the next draw makes of those here, and `playing` is the
    latest released round. `time_left` is True while its clock runs in a night without a set number
    of games.
    """

    here: int
    sizes: Sequence[int] = ()
    is_ahead: bool = False
    tables: int = 0
    rounds: int = 0
    draft: int | None = None
    playing: int | None = None
    games: GameCount | None = None
    missing: tuple[Gap, ...] = ()
    time_left: bool = False
    rounds_over: bool = False
    has_queue: bool = False
    queue_open: bool = False
    stage: str = ""
    final_ahead: bool = False
    has_final: bool = False
    final_over: bool = False
    kept_back: bool = False
    asked: int = 0
    played: int = 0
    table: int = 1
    settles: bool = False
    sorts: bool = False


@dataclass(frozen=True)
class Need:
    """A table that needs someone; `game` is the one in dispute.

    `offer` labels the button by which an organiser takes it on; "" once one has. `table` is its
    number.
    """

    badge: Badge
    text: str
    address: str
    note: str = ""
    sitting: int = 0
    game: int | None = None
    offer: str = ""
    table: int = 0


@dataclass(frozen=True)
class RoundTables:
    number: int
    is_draft: bool
    tables: list[NightTable]


@dataclass(frozen=True)
class Frame:
    """What surrounds a night's rounds and standings; a button that is None is not offered.

    `current` is the number of the latest round on the page, `news_at` the address that it polls,
    `latest_change` says to organisers who changed something last, and when.
    """

    gives: str
    facts: str
    is_over: bool
    segments: list[Tab]
    menu: list[MenuRow]
    step: NextStep | None
    current: int | None
    playing: Round | None
    clock: Clock | None
    clock_buttons: list[Button]
    start_clock: Button | None
    needs: list[Need]
    lacking: list[Need]
    to_confirm: list[Need]
    unconfirmed_games: int
    confirm_all: Button | None
    online_tables: dict[int, str]
    is_long: bool
    news_at: str
    news_every: int
    latest_change: str


@dataclass(frozen=True)
class NightPage:
    """A night's rounds and standings, and the frame around them.

    `latest` is the open night's latest round and `earlier` the others. `money` is what changed
    hands, and None where it is not shown; `payments` are who pays whom once all is played.
    """

    frame: Frame
    state: NightState
    latest: RoundTables | None
    earlier: list[RoundTables]
    pace: RoundPace | None
    chop: ChopSentence | None
    awaits_draw: bool
    standings: list[Standing]
    places: list[Placed]
    podium: list[Placed]
    queue: QueuePage | None
    stages: StagePage | None
    kept_back: str
    money: int | None
    payments: Sequence[OwedPayment]
    who_pays: Button | None


@dataclass(frozen=True)
class EventPage:
    """What one visitor finds on a night's page besides its rounds and their own seats.

    `rings` says that the page calls an organiser, `shows_needs` that it lists tables that need
    someone. `sign_up` is the list of a night that has not begun. Organisers see who is `expected`,
    the `code` of the night's link, and a ready message for the `group`.
    """

    event: Event
    rings: bool
    shows_needs: bool
    sign_up: SignUpNote | None
    expected: list[Player]
    code: Address | None
    group: str


def night_page(
    event: Event, *, may_organise: bool, may_see_money: bool = False, now: Attention | None = None
) -> NightPage:
    """Return a night's page, with drafts for those who may organise.

    `now` is the event's `attention`, if already known.
    """
    entrants = {entrant.pk: entrant for entrant in entrants_of([event])}
    rounds = rounds_of(event, with_drafts=may_organise, entrants=entrants)
    released = [round_ for round_ in rounds if round_.status == Round.Status.RELEASED]
    playing = released[-1] if released else None
    standings = event_standings(event, entrants=entrants.values())
    queue, stages = queue_page(event, rounds), stage_page(event, rounds)
    notice, now = ceremony_notice(event), now or attention(event)
    calling = {table.pk for table in now.calls}
    tables = tables_of(event, rounds, calling=calling, open_disputes=now.disputes)
    by_round = [
        RoundTables(
            round_.number,
            round_.status == Round.Status.DRAFT,
            sorted(tables[round_.number], key=lambda table: table.need),
        )
        for round_ in rounds
    ]
    latest = by_round[-1] if by_round and event.is_open else None
    here = [key for key, e in entrants.items() if e.counts and e.presence == Entrant.Presence.HERE]
    state = replace(
        _state(event, rounds, playing),
        sizes=sizes_ahead(event, here, released) if event.is_open and not event.has_queue else (),
        final_ahead=is_final_ahead(event, here, released),
        tables=len(latest.tables) if latest else 0,
        here=len(here),
        queue_open=queue is not None,
        has_final=stages is not None and bool(stages.final),
        final_over=stages is not None and stages.final_over,
        kept_back=bool(notice),
    )
    if event.is_open and event.rules_of_format.same_deals:
        state = replace(state, sorts=not LivePlan.objects.filter(event=event).exists())
    if queue is not None and latest and (asked := games_asked(event)):
        only = latest.tables[0]
        state = replace(
            state,
            asked=asked,
            played=only.played,
            table=only.table_no,
            settles=event.stake > 0,
        )
    pays = event.stake > 0 and may_see_money
    around = frame(
        event,
        now,
        playing,
        state,
        is_long=len(standings) > MANY,
        may_see_money=may_see_money,
        may_organise=may_organise,
    )
    told = around.is_over and not notice
    won = event_places(event, standings) if told else []
    return NightPage(
        frame=around,
        state=state,
        latest=latest,
        earlier=by_round[-2::-1] if event.is_open else by_round[::-1],
        pace=pace_of(latest.tables, playing.clock_started_at or playing.released_at, _now())
        if latest and playing is not None and playing.number == latest.number
        else None,
        chop=chop_of(event) if by_round else None,
        awaits_draw=not rounds and not may_organise,
        standings=standings,
        places=[] if event.is_open else won,
        podium=podium(won),
        queue=queue if queue is None or may_organise else replace(queue, proposal=None),
        stages=stages,
        kept_back=notice,
        money=sum(max(0, one.row.money) for one in standings) if pays else None,
        payments=open_debts.of_night(event) if pays and told else [],
        who_pays=Button(_("Who pays whom"), address(event, "event_money")) if pays else None,
    )


def _now() -> datetime.datetime:
    return timezone.localtime()


def _state(event: Event, rounds: list[Round], playing: Round | None) -> NightState:
    """Return how far the night is by its rounds alone."""
    lacking_games = missing(event, rounds)
    return NightState(
        here=0,
        is_ahead=event.days_ahead > 0,
        rounds=len(rounds),
        draft=next((r.number for r in rounds if r.status == Round.Status.DRAFT), None),
        playing=playing.number if playing else None,
        games=games_of(event, playing),
        missing=lacking_games,
        rounds_over=event.rules_of_format.kind == "rounds"
        and playing is not None
        and playing.number >= event.rounds_planned
        and not lacking_games,
        has_queue=event.has_queue,
        stage=next_stage(event, rounds),
    )


def ceremony_notice(event: Event) -> str:
    """Return the notice that results are held; empty if none are."""
    if not ceremony.is_waiting(event):
        return ""
    if event.rules_of_format.has_stages:
        return _("The results of the final are kept back until the ceremony.")
    words = _("Results of round %(number)s and later are kept back until the ceremony.")
    return words % {"number": event.keeps_back}


def frame(
    event: Event,
    now: Attention,
    playing: Round | None,
    state: NightState,
    *,
    is_long: bool,
    may_see_money: bool = False,
    may_organise: bool,
) -> Frame:
    """Return the parts of the page around a night's rounds and standings."""
    to = partial(address, event)
    hosts, clock = may_organise and event.is_open, clock_of(playing)
    left = clock is not None and clock.seconds > 0 and not clock.last_game
    state = replace(state, time_left=left and event.games_per_round is None)
    needed = needs(now.calls, now.disputes, to)
    step = next_step(state, to, needed) if hosts else None
    is_over = not event.is_open or state.rounds_over or state.final_over
    here = "standings" if is_over and not event.rules_of_format.same_deals else "event"
    confirm_all = Button(_("Confirm all"), to("confirm_all"), posts=True, icon="check")
    return Frame(
        gives=gives(event),
        facts=_facts(event, state),
        is_over=is_over,
        segments=segments(
            event,
            "check_in" if hosts and not (state.rounds or state.draft) else here,
            may_see_money=may_see_money,
            may_organise=may_organise,
            counts={"check_in": state.here, "event": state.tables},
        ),
        menu=[
            *menu(event, may_organise=may_organise, online=bool(now.online_tables)),
            *([_share(to)] if event.is_open and state.rounds else []),
            *([_row("cards", draw) for draw in step.early[1:]] if step else []),
            *(afterwards(event, state, to) if may_organise else []),
        ],
        step=step and replace(step, early=step.early[:1]),
        current=state.draft or state.playing,
        playing=playing,
        clock=clock,
        clock_buttons=clock_buttons(clock, playing, to) if hosts else [],
        start_clock=_post(_("Start the clock"), to("round_clock", playing.number), do="start")
        if hosts and playing is not None and clock is None and not is_over
        else None,
        needs=[need if may_organise else replace(need, offer="") for need in needed],
        lacking=lacking(state, to) if event.is_open else [],
        to_confirm=to_confirm(now.unconfirmed, to),
        unconfirmed_games=sum(table.waiting for table in now.unconfirmed),  # type: ignore[attr-defined]
        confirm_all=confirm_all if hosts and now.unconfirmed else None,
        online_tables=now.online_tables,
        is_long=is_long,
        news_at=f"{to('event_live')}?version={event.version}" if event.is_open else "",
        news_every=12 if is_long else 4,
        latest_change=last_changes.say_latest(event) if hosts and not state.asked else "",
    )


def gives(event: Event) -> str:
    """Return a sentence on what the night gives the season; empty for the points of its games."""
    if event.kind != Event.Kind.NIGHT:
        return ""
    text = {
        "places": _("Gives the season points for its final places."),
        "nothing": _("Gives the season no points."),
    }
    return text.get(event.rules_of_scoring.gives, "")


def _facts(event: Event, state: NightState) -> str:
    """Return how far the night is, in one line."""
    found = []
    if state.rounds and event.rules_of_format.kind == "rounds":
        numbers = {"number": state.rounds, "total": event.rounds_planned}
        found.append(_("round %(number)s of %(total)s") % numbers)
    if state.here:
        people = ngettext("%(n)s player", "%(n)s players", state.here)
        found.append(people % {"n": state.here})
    if state.tables:
        tables = ngettext("%(n)s table", "%(n)s tables", state.tables)
        found.append(tables % {"n": state.tables})
    return " · ".join(found)


def segments(
    event: Event,
    here: str,
    *,
    may_see_money: bool = False,
    may_organise: bool,
    counts: Mapping[str, int] | None = None,
) -> list[Tab]:
    """Return the night's four segments; `here` names the current one's address."""
    to = partial(address, event)
    same_deals = event.rules_of_format.same_deals
    ranked = to("deals") if same_deals else f"{to('event')}?{STANDINGS}"
    tables = "#tables" if here == "standings" else ""
    offered = [
        (may_organise, "check_in", pgettext("segment", "People"), to("check_in")),
        (True, "event", pgettext("segment", "Tables"), f"{to('event')}{tables}"),
        (True, "standings", pgettext("segment", "Standings"), ranked),
        (
            event.stake > 0 and may_see_money,
            "event_money",
            pgettext("segment", "Money"),
            to("event_money"),
        ),
    ]
    numbers = counts or {}
    return [
        Tab(text, path, name == here, numbers.get(name) or None)
        for shown, name, text, path in offered
        if shown
    ]


def on_standings(frame: Frame) -> Frame:
    """Return the frame with the segment of the standings as the current one."""
    segments = [replace(tab, is_here=tab.address.endswith(STANDINGS)) for tab in frame.segments]
    return replace(frame, segments=segments)


def menu(event: Event, *, may_organise: bool, online: bool = False) -> list[MenuRow]:
    """Return the night's other pages that this visitor may open: those of once a night or less."""
    to = partial(address, event)
    is_night = event.kind == Event.Kind.NIGHT
    hosts, runs = may_organise and is_night, may_organise and is_night and event.is_open
    slug = event.season.club.slug
    log, rules = (
        reverse("league:audit", args=[slug]),
        reverse("league:rules", args=[slug, event.ruleset_id]),
    )
    offered = [
        (is_night, MenuRow("screen", _("Big screen"), to("wall"), _("TV or projector"))),
        (
            runs and event.stake > 0,
            MenuRow(
                "money",
                _("Big screen with money"),
                to("wall") + "?money",
                _("the whole room can read it"),
            ),
        ),
        (
            runs and event.keeps_back > 0,
            MenuRow("trophy", _("Ceremony"), to("ceremony"), _("after the last game")),
        ),
        (runs, MenuRow("list", _("Sign-up"), to("sign_up"), _("who is coming"))),
        (
            hosts or online,
            MenuRow("cards", _("Online"), to("online"), _("for those who are far away")),
        ),
        (
            runs and event.rules_of_format.same_deals,
            MenuRow("print", _("Cards to sort"), to("deal_sheets"), _("for real cards")),
        ),
        (runs, MenuRow("gear", _("Settings"), to("event_settings"), _("rounds, games, stake"))),
        (True, MenuRow("scale", _("Rules"), rules, _("what this night is played by"))),
        (
            may_organise,
            MenuRow("clock", _("Log"), f"{log}?event={event.pk}", _("who changed what")),
        ),
    ]
    return [row for shown, row in offered if shown]


def next_step(state: NightState, to: To, needs: Sequence[Need] = ()) -> NextStep:
    """Return an organiser's next step while the night is open; conflicts come first."""
    step = _next_step(state, to, needs)
    if not state.sorts or state.rounds_over:
        return step
    sheets = Button(_("Cards to sort"), to("deal_sheets"), icon="print")
    sentences = [] if state.rounds else [_("An organiser who doesn't play sorts the cards.")]
    return replace(step, sentences=[*step.sentences, *sentences], actions=[*step.actions, sheets])


def _next_step(state: NightState, to: To, needs: Sequence[Need]) -> NextStep:
    if not state.here and state.playing is None:
        return _first_of_all(state, to)
    if state.draft is not None:
        look = Button(_("Review the draft"), to("round", state.draft), "primary")
        title = _("Round %(number)s is a draft") % {"number": state.draft}
        return NextStep(title, [_("Only organisers can see it.")], [look])
    if state.queue_open and state.asked:
        return _one_table(state, to)
    if state.queue_open:
        check_in = Button(_("Check people in or out"), to("check_in"))
        more = _post(_("Add a table"), to("floor"), "quiet", add="1")
        sentences = [_("Enter each game at its table.")]
        return NextStep(_("The tables are open"), sentences, [_code(to), check_in, more])
    if (state.missing or state.time_left) and (state.kept_back or not state.final_over):
        return _being_played(state, to, needs)
    if state.kept_back and (state.final_over or state.rounds_over):
        hold = Button(_("Hold the ceremony"), to("ceremony"), "primary")
        sentences = [_("Their results are kept back until the ceremony.")]
        return NextStep(_("All games are in"), sentences, [hold])
    if state.final_over:
        sentences = [
            _("Close the night to confirm its podium."),
            *_lacking_sentences(state.missing),
        ]
        return NextStep(_("The final is over"), sentences, [_close(to, "primary"), _screen(to)])
    if state.stage == "over":
        return NextStep(_("The final is drawn; it decides the night."))
    if state.rounds_over:
        title = _("All rounds are played. Close the night?")
        sentences = [] if state.games else [_("Close it when everyone has finished.")]
        return NextStep(title, sentences, [_close(to, "primary"), _screen(to)], _draws(state, to))
    return NextStep(
        _round_done(state), [tables_told(state.here, state.sizes)], _draws(state, to, "primary")
    )


def _one_table(state: NightState, to: To) -> NextStep:
    """Return the step of friends at one table: its next game, or the end after those asked for."""
    table = Button(_("Enter game"), to("table", 1, state.table), "primary")
    if is_round_over(state.played, state.asked):
        again = replace(table, text=_("Another round"), tone="")
        return NextStep(games_played(state.played), [], [close_friends(to, state.settles), again])
    total = games_of_friends(state.played, state.asked)
    title = _("Game %(number)s of %(total)s") % {"number": state.played + 1, "total": total}
    return NextStep(title, [], [table, replace(_code(to), tone="")])


def is_round_over(played: int, asked: int) -> bool:
    """Return True if friends have played all games of a round."""
    return played > 0 and played % asked == 0


def games_of_friends(played: int, asked: int) -> int:
    """Return how many games friends have played after the round that is on."""
    return (played // asked + 1) * asked


def games_played(played: int) -> str:
    """Return the sentence that so many games are played."""
    words = ngettext("%(n)s game is played", "%(n)s games are played", played)
    return words % {"n": played}


def close_friends(to: To, settles: bool) -> Button:
    """Return the button that ends a night of friends."""
    return (
        replace(_close(to, "gold"), text=_("Close and settle")) if settles else _close(to, "gold")
    )


def _first_of_all(state: NightState, to: To) -> NextStep:
    check_in = Button(_("Check people in"), to("check_in"), "" if state.is_ahead else "primary")
    if state.is_ahead:
        asked = Button(_("Ask who's coming"), to("sign_up"), "primary")
        return NextStep(_("Ask your group who's coming"), [], [asked, check_in])
    return NextStep(_("Nobody is checked in yet"), [], [check_in])


def needs(calls: Iterable[Sitting], disputes: Iterable[Dispute], to: To) -> list[Need]:
    """Return the tables that call an organiser, then the disputed games."""
    calling = Badge(_("calls the organiser"), "live")
    disputed = Badge(_("disputed"), "gold")
    found = [
        Need(
            Badge(_("organiser is coming"), "open") if table.call_seen_at else calling,
            _table_name(table),
            _table(table, to),
            table.call_note,
            sitting=table.pk,
            offer="" if table.call_seen_at else _("I'm coming"),
            table=table.table_no,
        )
        for table in calls
    ]
    for dispute in disputes:
        table, game_no = dispute.sitting, dispute.game_no
        numbers = {"round": table.round.number, "table": table.table_no, "game": game_no}
        name = _("Round %(round)s, table %(table)s, game %(game)s") % numbers
        address = to("game", table.round.number, table.table_no, game_no)
        found.append(
            Need(
                Badge(_("being looked at"), "open") if dispute.seen_at else disputed,
                name,
                address,
                dispute.told,
                sitting=table.pk,
                game=game_no,
                offer="" if dispute.seen_at else _("I'll look at it"),
                table=table.table_no,
            )
        )
    return found


def to_confirm(tables: Iterable[Sitting], to: To) -> list[Need]:
    """Return the tables with unconfirmed games, each with their number."""
    badge, found = Badge(_("to confirm"), "open"), []
    for table in tables:
        n: int = table.waiting  # type: ignore[attr-defined]
        count = ngettext("%(n)s game", "%(n)s games", n) % {"n": n}
        found.append(Need(badge, _table_name(table), _table(table, to), count))
    return found


def clock_buttons(clock: Clock | None, playing: Round | None, to: To) -> list[Button]:
    """Return the buttons that run the current round's clock; none before it is started."""
    if clock is None or playing is None:
        return []
    address = to("round_clock", playing.number)
    button = partial(Button, address=address, posts=True, name="do")
    seen = ("seen", str(playing.clock_minutes or 0))
    buttons = [
        button(_("Pause"), value="pause") if clock.running else button(_("Resume"), value="resume"),
        button(_("Add 5 minutes"), value="add", hidden=(("minutes", "5"), seen)),
    ]
    if not clock.last_game:
        buttons.append(button(_("Call the last game"), value="last_game"))
    return buttons


def afterwards(event: Event, state: NightState, to: To) -> list[MenuRow]:
    """Return the acts on the night as a whole: repeat, close, call off or reopen it."""
    if event.kind != Event.Kind.NIGHT:
        return []
    found = [MenuRow("calendar", _("Repeat next week"), to("event_again"), posts=True)]
    if event.season.status == Season.Status.OPEN:
        path = reverse("league:schedule_create", args=[event.season.club.slug, event.season_id])
        found.append(MenuRow("clock", _("Repeat automatically"), f"{path}?event={event.pk}"))
    ends, status = partial(_row, ends=True), to("event_status")
    if not event.is_open:
        found.append(_row("undo", _post(_("Reopen the night"), status, status="open")))
    elif not state.rounds:
        off = _post(_("Call off the night"), status, status="called_off")
        found.append(ends("close", off))
    elif not (state.rounds_over or state.final_over):
        found.append(ends("check", _close(to, "")))
    if not state.rounds:
        found.append(ends("trash", _post(_("Move to the bin"), to("event_bin"))))
    return found


def _share(to: To) -> MenuRow:
    return MenuRow("share", _("Share results"), to("event_share"), _("as a picture or as text"))


def _row(icon: str, button: Button, *, ends: bool = False) -> MenuRow:
    """Return the button as a row of the menu."""
    named = ((button.name, button.value),) if button.name else ()
    hidden = button.hidden + named
    return MenuRow(icon, button.text, button.address, posts=True, hidden=hidden, ends=ends)


def _round_done(state: NightState) -> str:
    if state.games is None:
        return _("Draw the next round?") if state.playing else _("Draw the tables?")
    numbers = {"number": state.playing, "planned": state.games.planned}
    return _("Round %(number)s is done: all %(planned)s games") % numbers


def _being_played(state: NightState, to: To, needs: Sequence[Need]) -> NextStep:
    """Return the step while tables lack games: the conflict, the code, or an earlier table."""
    now = [gap for gap in state.missing if gap.round == state.playing]
    earlier = [gap for gap in state.missing if gap.round != state.playing]
    actions, sentences = [_code(to)], [f"{need.text}: {need.badge.text}." for need in needs]
    if now or state.time_left:
        title = _progress(state)
        sentences += _none_yet(state, now)
    else:
        title = _round_done(state)
        numbers = {"round": earlier[0].round, "table": earlier[0].table}
        text = _("Enter games of round %(round)s, table %(table)s") % numbers
        actions.insert(0, Button(text, to("table", *numbers.values()), "primary"))
    if urgent := [need for need in needs if need.offer]:
        look = _("View table %(table)s") % {"table": urgent[0].table}
        actions.insert(0, Button(look, urgent[0].address, "primary"))
    actions = [actions[0], *(replace(action, tone="") for action in actions[1:])]
    draws = [] if state.stage == "over" or state.final_over else _draws(state, to)
    note = _lacks(now) if draws else ""
    return NextStep(title, sentences + _lacking_sentences(earlier), actions, draws, note)


def _progress(state: NightState) -> str:
    if state.games is None:
        return _("Round %(number)s is being played") % {"number": state.playing}
    counted = {"done": state.games.done, "planned": state.games.planned, "number": state.playing}
    return _("Round %(number)s is being played: %(done)s of %(planned)s games") % counted


def _none_yet(state: NightState, gaps: Iterable[Gap]) -> list[str]:
    """Return the tables without a game once others have one."""
    tables = [str(gap.table) for gap in gaps if not gap.done]
    if not tables or (state.games is not None and not state.games.done):
        return []
    text = ngettext(
        "Table %(tables)s has no game yet.", "Tables %(tables)s have no game yet.", len(tables)
    )
    return [text % {"tables": ", ".join(tables)}]


def _lacks(gaps: Iterable[Gap]) -> str:
    """Return how many games would be left out, and of which tables; "" if none is counted."""
    by_number: defaultdict[int, list[str]] = defaultdict(list)
    for gap in gaps:
        by_number[(gap.wanted or 0) - gap.done].append(str(gap.table))
    total = sum(n * len(tables) for n, tables in by_number.items())
    if total <= 0:
        return ""
    text = ngettext(
        "%(n)s game is missing: %(tables)s", "%(n)s games are missing: %(tables)s", total
    )
    each = _("table %(tables)s lacks %(n)s")
    named = [
        each % {"tables": ", ".join(tables), "n": n}
        for n, tables in sorted(by_number.items(), reverse=True)
    ]
    return text % {"n": total, "tables": "; ".join(named)}


def _lacking_sentences(gaps: Iterable[Gap]) -> list[str]:
    table = _("round %(round)s, table %(table)s")
    named = "; ".join(table % {"round": gap.round, "table": gap.table} for gap in gaps)
    return [_("Games are missing: %(tables)s.") % {"tables": named}] if named else []


def lacking(state: NightState, to: To) -> list[Need]:
    """Return the tables that lack games: of earlier rounds, and those behind in the latest."""
    now = [gap for gap in state.missing if gap.round == state.playing]
    behind = [gap for gap in state.missing if gap.round != state.playing]
    if state.games is not None and now and now[0].wanted:
        tables = state.games.planned // now[0].wanted
        behind += now if 2 * len(now) <= tables else []
    badge = Badge(_("games missing"), "gold")
    return [
        Need(
            badge,
            _("Round %(round)s, table %(table)s") % {"round": gap.round, "table": gap.table},
            to("table", gap.round, gap.table),
            _("%(done)s of %(planned)s games") % {"done": gap.done, "planned": gap.wanted or 1},
        )
        for gap in behind
    ]


def _draws(state: NightState, to: To, tone: str = "quiet") -> list[Button]:
    """Return the buttons that draw; quiet unless the next draw is the likely step."""
    if state.has_queue:
        return [_draw(_("Draw the tables"), state, to, tone, method="")]
    if state.final_ahead and not state.has_final:
        return [_draw(_("Draw the final"), state, to, tone)]
    text = _("Draw round %(number)s") % {"number": state.rounds + 1}
    draws = [_draw(text, state, to, tone)]
    if state.rounds:
        quiet = "" if tone == "primary" else "quiet"
        draws.append(_draw(_("Draw by standings"), state, to, quiet, method="swiss"))
    return draws


def _draw(
    text: str, state: NightState, to: To, tone: str = "", method: str = "few_repeats"
) -> Button:
    """Return the button that drafts exactly the round after those on the page."""
    button = _post(text, to("draw"), tone, **({"method": method} if method else {}))
    return replace(button, hidden=(("round", str(state.rounds + 1)),))


def _code(to: To) -> Button:
    """Return the button to the QR code by which players find their table and enter games."""
    button = _post(_("QR code"), to("check_in_link"), "primary", do="show")
    return replace(button, icon="qr")


def _close(to: To, tone: str) -> Button:
    return _post(_("Close the night"), to("event_status"), tone, status="closed")


def _screen(to: To) -> Button:
    return Button(_("Big screen"), to("wall"), icon="screen")


def _post(text: str, address: str, tone: str = "", **sent: str) -> Button:
    name, value = next(iter(sent.items()), ("", ""))
    return Button(text, address, tone, posts=True, name=name, value=value)


def _table_name(table: Sitting) -> str:
    numbers = {"round": table.round.number, "table": table.table_no}
    return _("Round %(round)s, table %(table)s") % numbers


def _table(table: Sitting, to: To) -> str:
    return to("table", table.round.number, table.table_no)


def address(event: Event, name: str, *more: object) -> str:
    return reverse(f"league:{name}", args=[event.season.club.slug, event.pk, *more])
