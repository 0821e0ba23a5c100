"""What a night's page offers: segments, the next step, tables that need someone, buttons."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from django.db.models import Count
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from league.base import texts
from league.base.facts.next_nights import when_and_where
from league.base.page_parts import Button, MenuRow, Tab
from league.base.pages.address import To, address
from league.models import Event, Player, Round, Season
from league.money.facts import open_debts
from league.money.facts.money import OwedPayment
from league.nights.facts import ceremony, last_changes
from league.nights.facts.clock import Clock
from league.nights.facts.final_places import Placed, podium
from league.nights.facts.night import Night
from league.nights.facts.progress import Progress, counted, progress_of, timed
from league.nights.facts.viewer import Viewer
from league.nights.pages import plan_words
from league.nights.pages.after_round import AfterRound, after_round
from league.nights.pages.check_in_page import SignUpNote
from league.nights.pages.my_seat import OwnSeats
from league.nights.pages.needs import Need, lacking, needs, to_confirm
from league.nights.pages.next_step import (
    NextStep,
    add_minutes,
    close_night,
    is_round_over,
    last_game,
    other_draws,
    post,
    row_of,
    step_of,
    taking_on,
)
from league.nights.pages.night_specials import ChopSentence, chop_of
from league.nights.pages.night_tables import NightTable, tables_of
from league.nights.pages.pace import RoundPace, pace_of
from league.nights.pages.queue_page import QueuePage, queue_page
from league.nights.pages.stage_page import StagePage, round_name, stage_names, stage_page, way_on
from league.seasons.facts.standings import Standing, ties_told
from tables.web.addresses import Address

STANDINGS, TABLES = "show=standings", "show=tables"
"""The query with which a night's page shows its standings first, also on a phone."""

MANY = 30
"""With more players than this the page polls less often and offers a name search."""
UNFOLDED = 2
"""So many seldom rows stand open in a menu."""
MOST_ROUNDS = 5
"""More rounds than this have no room for a column each."""


@dataclass(frozen=True)
class RoundTables:
    """The tables of a round; `stages` names the group or the final of each, by its number."""

    number: int
    is_draft: bool
    tables: list[NightTable]
    stages: Mapping[int, str]
    name: str


@dataclass(frozen=True)
class LineFact:
    """What the bar says of a night below its name; `is_wide` where a phone has no room for it.

    `is_news` is what changes while the page is open.
    """

    text: str
    is_wide: bool = False
    is_news: bool = False


@dataclass(frozen=True)
class Frame:
    """What surrounds a night's rounds and standings; a button that is None is not offered.

    `current` is the number of the latest round on the page, `news_at` the address that it polls,
    `latest_change` says to organisers who changed something last, and when, `made_of` what a night
    to come is made of. `needs` is how many tables and names need someone, `listed` those of them
    that neither the next step nor the table itself tells.
    """

    line: list[LineFact]
    facts: str
    made_of: str
    is_over: bool
    segments: list[Tab]
    menu: list[MenuRow]
    step: NextStep | None
    current: int | None
    playing: Round | None
    clock: Clock | None
    clock_buttons: list[Button]
    start_clock: Button | None
    needs: int
    listed: list[Need]
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
class Lead:
    """Who leads a night in play alone; in words with how many points, and how many more or why."""

    player: Player
    told: str


@dataclass(frozen=True)
class NightPage:
    """A night's rounds and standings, alike for all who see as much of drafts and money.

    `latest` is the open night's latest round, `way_on` says who of its tables advances, and
    `earlier` are the others. `by_round` is what each round gave whom, by number and player, where
    that adds up to the points. `lead` is for who only looks on, `after` while the latest round is
    done and another one follows. `money` is what changed hands, and None where it is not shown;
    `payments` are who pays whom once all is played.
    """

    state: Progress
    latest: RoundTables | None
    way_on: str
    earlier: list[RoundTables]
    pace: RoundPace | None
    chop: ChopSentence | None
    awaits_draw: bool
    standings: list[Standing]
    lead: Lead | None
    by_round: Mapping[int, Mapping[int, Fraction]]
    places: list[Placed]
    podium: list[Placed]
    after: AfterRound | None
    queue: QueuePage | None
    stages: StagePage | None
    kept_back: str
    money: int | None
    payments: Sequence[OwedPayment]
    who_pays: Button | None

    @property
    def is_long(self) -> bool:
        return len(self.standings) > MANY

    @property
    def owed(self) -> int:
        """What the payments come to."""
        return sum(payment.amount for payment in self.payments)

    @property
    def games_apart(self) -> tuple[int, int] | None:
        """The fewest and the most games of a player, where those of a night in play differ."""
        games = [one.row.games for one in self.standings if one.row.games]
        fewest, most = min(games, default=0), max(games, default=0)
        return (fewest, most) if fewest < most and not self.state.is_over else None

    @property
    def shows_won(self) -> bool:
        """Whether the standings have a column of what each won in money."""
        return self.money is not None


@dataclass(frozen=True)
class SharedNight:
    """The queue, rounds, first places, leader and standings of a night as HTML, and its `state`."""

    is_long: bool
    state: Progress
    queue: str
    rounds: str
    podium: str
    lead: str
    standings: str

    def with_own(self, keys: Sequence[int]) -> SharedNight:
        """Return the night with the seats and rows of these players marked as the reader's own."""
        rounds, standings = self.rounds, self.standings
        for key in keys:
            looks = f'class="of-{key}"', f'class="of-{key} own"'
            rounds, standings = rounds.replace(*looks), standings.replace(*looks)
        return replace(self, rounds=mark_safe(rounds), standings=mark_safe(standings))


@dataclass(frozen=True)
class EventPage:
    """What one viewer finds on a night's page: its frame, their own seats, and the rounds.

    The rounds are `shared` by all who see no more, else drawn for this viewer. `rings` says that
    the page calls an organiser, `shows_needs` that it lists tables that need someone. `sign_up` is
    the list of a night that has not begun. Organisers see who is `expected`, None where nobody can
    join, the `code` of the night's link, and a ready message for the `group`.
    """

    frame: Frame
    rounds: NightPage | None
    shared: SharedNight | None
    own: OwnSeats
    rings: bool
    shows_needs: bool
    sign_up: SignUpNote | None
    expected: list[Player] | None
    code: Address | None
    group: str

    @property
    def beside_step(self) -> str:
        """The message that stands beside the next step: that of a night to come."""
        return self.group if self.frame.made_of else ""

    @property
    def in_menu(self) -> str:
        """The message that the menu has: that of a night that has begun."""
        return self.group if self.frame.step and not self.frame.made_of else ""

    @property
    def lacks_link(self) -> bool:
        """Whether only the night's link, or signing in, lets the viewer answer its list."""
        note = self.sign_up
        return note is not None and not note.groups and not note.answers


def night_page(night: Night, *, sees_drafts: bool, sees_money: bool) -> NightPage:
    """Return a night's page without its frame: as organisers see it if it is with drafts.

    It is kept for all, so that nothing on it goes by who looks.
    """
    event = night.event
    rounds = night.rounds if sees_drafts else night.released
    playing, standings = night.playing, night.standings
    queue, stages = queue_page(event, rounds), stage_page(event, rounds, night.played)
    state, now = progress_of(night, sees_drafts=sees_drafts), night.attention
    notice = _kept_back(event) if state.kept_back else ""
    calling = {table.pk for table in now.calls}
    advanced = stages.advanced if stages else {}
    tables = tables_of(
        event, rounds, night.played, advanced, calling=calling, open_disputes=now.disputes
    )
    drawn = [
        RoundTables(
            round_.number,
            round_.status == Round.Status.DRAFT,
            sorted(tables[round_.number], key=lambda table: table.need),
            stage_names(event, round_),
            round_name(event, round_),
        )
        for round_ in rounds
    ]
    latest = drawn[-1] if drawn and event.is_open else None
    pays = sees_money and event.has_money
    told = not notice and (state.is_over or not event.is_open)
    won = night.places if told else []
    leads = stages is None and not event.rules_of_format.same_deals
    return NightPage(
        state=state,
        latest=latest,
        way_on=way_on(event, rounds[-1]) if latest else "",
        earlier=drawn[-2::-1] if event.is_open else drawn[::-1],
        pace=pace_of(
            latest.tables, playing.clock_started_at or playing.released_at, timezone.localtime()
        )
        if latest and playing is not None and playing.number == latest.number
        else None,
        chop=chop_of(event, rounds) if drawn else None,
        awaits_draw=event.is_open and not rounds and not sees_drafts,
        standings=standings if stages is None or any(one.row.games for one in standings) else [],
        lead=_lead(standings) if latest and not told and leads else None,
        by_round=_points_by_round(night, rounds) if stages is None and queue is None else {},
        places=[] if event.is_open else won,
        podium=podium(won),
        after=after_round(night, state),
        queue=queue if queue is None or sees_drafts else replace(queue, proposal=None),
        stages=stages,
        kept_back=notice,
        money=sum(max(0, one.row.money) for one in standings)
        if pays and event.games_have_money
        else None,
        payments=open_debts.of_night(event) if pays and told else [],
        who_pays=Button(_("Who pays whom"), address(event, "event_money")) if pays else None,
    )


def _points_by_round(night: Night, rounds: Sequence[Round]) -> dict[int, dict[int, Fraction]]:
    """Return what each of a few rounds gave whom; {} where games do not count one by one."""
    scoring, format_ = night.event.rules_of_scoring, night.event.rules_of_format
    each = scoring.counting == "fixed" and not (scoring.points_table.stake or format_.same_deals)
    if not each or not 1 < len(rounds) <= MOST_ROUNDS:
        return {}
    given = {
        one.number: points
        for one in rounds
        if (points := night.played.points_in([table.pk for table in one.sittings.all()]))
    }
    return given if len(given) > 1 else {}


def _lead(standings: Sequence[Standing]) -> Lead | None:
    """Return who leads; None before a first game, and where several lead."""
    first, second = [*standings, None, None][:2]
    if first is None or second is None or first.row.rank != 1 or first.row.shared:
        return None
    points = texts.points_told(first.row.points)
    ahead = first.row.points - second.row.points
    if not ahead:
        by = ties_told((one.row, one.player.name) for one in (first, second))
        return Lead(first.player, ". ".join([points, *by]))
    told = _("%(points)s, %(ahead)s more than %(second)s")
    more = {"ahead": texts.points(ahead), "second": second.player.name}
    return Lead(first.player, told % {"points": points, **more})


def ceremony_notice(event: Event) -> str:
    """Return the notice that results are held; empty if none are."""
    return _kept_back(event) if ceremony.is_waiting(event) else ""


def _kept_back(event: Event) -> str:
    if event.rules_of_format.has_stages:
        return _("The results of the final are kept back until the ceremony.")
    words = _("Results of round %(number)s and later are kept back until the ceremony.")
    return words % {"number": event.keeps_back}


def frame(viewer: Viewer, state: Progress, *, is_long: bool) -> Frame:
    """Return what this viewer finds around a night's rounds and standings."""
    night, event = viewer.night, viewer.event
    now, playing, clock = night.attention, night.playing, night.clock
    to, hosts = partial(address, event), viewer.organises and event.is_open
    wanted = now.wanted if hosts else []
    needed = needs(now.calls, now.disputes, to, playing=state.playing, wanted=wanted)
    step = step_of(night, timed(state, night)) if hosts else None
    listed = needed
    if step:
        listed = [need for need in needed if not (need == step.need or need.is_told)]
        step = taking_on(step, to)
    is_over = not event.is_open or state.is_over or is_round_over(state.played, state.asked)
    here = "standings" if is_over and not event.rules_of_format.same_deals else "event"
    confirm_all = Button(_("Confirm all"), to("confirm_all"), posts=True, icon="check")
    facts, current = _facts(night, state, counts=not viewer.organises), state.draft or state.playing
    is_to_come = state.is_ahead and event.is_open and not state.rounds
    return Frame(
        line=_line(event, facts, current, is_to_come=is_to_come),
        facts=facts,
        made_of=made_of(viewer) if is_to_come else "",
        is_over=is_over,
        segments=segments(
            event,
            "before" if hosts and not (state.rounds or state.draft) else here,
            may_see_money=viewer.sees_money,
            may_organise=viewer.organises,
            counts={"check_in": state.here, "event": state.tables},
        ),
        menu=_folded(
            [
                *([_share(to, seldom=not is_over)] if state.rounds else []),
                *([_download(to)] if state.rounds and viewer.organises else []),
                *menu(event, may_organise=viewer.organises, online=bool(now.online_tables)),
                *(replace(draw, seldom=True) for draw in (other_draws(step) if step else [])),
                *(afterwards(event, state, to, step) if viewer.organises else []),
            ]
        ),
        step=step,
        current=current,
        playing=playing,
        clock=clock,
        clock_buttons=clock_buttons(clock, playing, to) if hosts else [],
        start_clock=post(_("Start the clock"), to("round_clock", playing.number), do="start")
        if hosts and playing is not None and clock is None and not is_over
        else None,
        needs=len(needed),
        listed=[need if hosts else replace(need, offer="") for need in listed],
        lacking=lacking(state, to) if event.is_open else [],
        to_confirm=to_confirm(now.unconfirmed, to),
        unconfirmed_games=sum(table.waiting for table in now.unconfirmed),  # type: ignore[attr-defined]
        confirm_all=confirm_all if hosts and now.unconfirmed else None,
        online_tables=now.online_tables,
        is_long=is_long,
        news_at=_news_at(event, to, clock if step else None, state) if event.is_open else "",
        news_every=12 if is_long else 4,
        latest_change=last_changes.say_latest(event, viewer.by)
        if hosts and not state.asked
        else "",
    )


def _news_at(event: Event, to: To, clock: Clock | None, state: Progress) -> str:
    """Return what the page asks for changes; drawn again when the clock or a table's mark says."""
    until = [state.late_until] if state.late_until else []
    if clock and clock.running and clock.seconds > 0:
        until.append(math.ceil(timezone.now().timestamp()) + clock.seconds)
    return f"{to('event_live')}?version={event.version}" + (f"&until={min(until)}" if until else "")


def _line(event: Event, facts: str, current: int | None, *, is_to_come: bool) -> list[LineFact]:
    """Return what the bar says below the night's name: of one in play how far it is, no more."""
    ahead = event.is_open and event.days_ahead > 0
    told = [LineFact(facts, is_news=True, is_wide=not event.is_open)] if facts else []
    if told and current and event.is_open and not ahead:
        return told
    if not event.is_open or (current and ahead):
        when = date_format(event.date, "SHORT_DATE_FORMAT")
    elif current:
        when = ""
    else:
        when = _short_when(event) if is_to_come and event.hour else when_and_where(event)
    told = [*told, LineFact(when)] if event.is_open else [LineFact(when), *told]
    narrow = event.run_id or (event.is_open and not (facts or is_to_come))
    told += [LineFact(event.season.name, is_wide=not narrow), LineFact(gives(event))]
    return [fact for fact in told if fact.text]


def _short_when(event: Event) -> str:
    """Return the day, hour and place of a night on a line of a phone."""
    day = f"{date_format(event.date, 'l')} {date_format(event.date, 'MONTH_DAY_FORMAT')}"
    told = [f"{day}, {event.hour:%H:%M}", event.venue_name if event.venue else ""]
    return " · ".join(filter(None, told))


def gives(event: Event) -> str:
    """Return a sentence on what the night gives the season; empty for the points of its games."""
    if event.kind != Event.Kind.NIGHT:
        return ""
    text = {
        "places": _("Gives the season points for its final places."),
        "nothing": _("Gives the season no points."),
    }
    return text.get(event.rules_of_scoring.gives, "")


def _facts(night: Night, state: Progress, *, counts: bool) -> str:
    """Return how far the night is, in one line of a phone; its tabs count the tables.

    With `counts` the players before that, whom a tab counts for organisers.
    """
    event, found = night.event, []
    if event.is_open and state.rounds and event.rules_of_format.kind == "rounds":
        numbers = {"number": state.rounds, "total": event.rounds_planned}
        found.append(_("round %(number)s/%(total)s") % numbers)
    elif event.is_open and event.rules_of_format.has_stages and night.playing:
        found.append(round_name(event, night.playing))
    if found and state.games:
        games = {"done": state.games.done, "total": state.games.planned}
        found.append(_("%(done)s/%(total)s games") % games)
    if counts and state.here and not found:
        found.append(ngettext("%(n)s player", "%(n)s players", state.here) % {"n": state.here})
    return " · ".join(found)


def made_of(viewer: Viewer) -> str:
    """Return the rules and the plan; what a game costs is for members."""
    event = viewer.event
    plan = event.plan if viewer.sees_money else replace(event.plan, stake=0)
    return f"{event.ruleset.body['name']} · {plan_words.of_plan(plan, event.season.unit)}"


def segments(
    event: Event,
    here: str,
    *,
    may_see_money: bool = False,
    may_organise: bool,
    counts: Mapping[str, int] | None = None,
) -> list[Tab]:
    """Return the night's segments that have something; `here` names the current one's address.

    Before a round is drawn, who may not check people in finds who comes under the first; others on
    the night's own page, "before" then, to which the check-in alone has a segment. A night that is
    over opens with its standings; one that was called off has nothing.
    """
    if event.called_off_at:
        return []
    to = partial(address, event)
    same_deals = event.rules_of_format.same_deals
    ranked = to("deals") if same_deals else f"{to('event')}?{STANDINGS}"
    is_over = here == "standings" or not (event.is_open or same_deals)
    tables = f"?{TABLES}" if is_over else ""
    numbers, people = counts or {}, pgettext("segment", "People")
    awaits = event.is_open and not (event.run_id or numbers.get("event"))
    first = pgettext("segment", "Tables") if may_organise or not awaits else people
    has_tables = here == "check_in" or not (awaits and may_organise)
    offered = [
        (may_organise, "check_in", people, to("check_in")),
        (has_tables, "event", first, f"{to('event')}{tables}"),
        (not awaits, "standings", pgettext("segment", "Standings"), ranked),
        (
            may_see_money and event.has_money,
            "event_money",
            pgettext("segment", "Money"),
            to("event_money"),
        ),
    ]
    return [
        Tab(text, path, name == here.replace("before", "check_in"), numbers.get(name) or None)
        for shown, name, text, path in offered
        if shown
    ]


def counts_of(event: Event, *, may_organise: bool) -> dict[str, int]:
    """Return the numbers of the segments where no round is read: who is here, and the tables."""
    counts = {}
    if may_organise:
        counts["check_in"] = counted(event).count()
    if event.is_open:
        rounds = event.rounds.order_by("-number").annotate(tables=Count("sittings"))
        seen = rounds if may_organise else rounds.exclude(status=Round.Status.DRAFT)
        counts["event"] = seen.values_list("tables", flat=True).first() or 0
    return counts


def showing(frame: Frame, part: str) -> Frame:
    """Return the frame with this part's segment as the current one, also in the page's news."""
    there = f"?show={part}"
    if not any(tab.address.endswith(there) for tab in frame.segments):
        return frame
    segments = [replace(tab, is_here=tab.address.endswith(there)) for tab in frame.segments]
    news_at = frame.news_at and f"{frame.news_at}&show={part}"
    return replace(frame, segments=segments, news_at=news_at)


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
    seldom = partial(MenuRow, seldom=True)
    offered = [
        (is_night, MenuRow("screen", _("Big screen"), to("wall"), _("TV or projector"))),
        (
            runs and event.stake > 0,
            seldom(
                "money",
                _("Big screen with money"),
                to("wall") + "?money",
                _("the whole room can read it"),
            ),
        ),
        (
            runs and event.keeps_back > 0,
            seldom("trophy", _("Ceremony"), to("ceremony"), _("after the last game")),
        ),
        (runs, seldom("list", _("Sign-up"), to("sign_up"), _("who is coming"))),
        (
            hosts or online,
            seldom("cards", _("Online"), to("online"), _("for those who are far away")),
        ),
        (
            runs and event.rules_of_format.same_deals,
            seldom("print", _("Cards to sort"), to("deal_sheets"), _("for real cards")),
        ),
        (runs, MenuRow("gear", _("Settings"), to("event_settings"), _("rounds, games, stake"))),
        (True, seldom("scale", _("Rules"), rules, _("what this night is played by"))),
        (
            may_organise,
            seldom("clock", _("Log"), f"{log}?event={event.pk}", _("who changed what")),
        ),
    ]
    return [row for shown, row in offered if shown]


def _folded(rows: list[MenuRow]) -> list[MenuRow]:
    """Return a menu with its seldom rows behind one, if they are many; what ends comes last."""
    seldom = [row for row in rows if row.seldom]
    if len(seldom) <= UNFOLDED:
        return rows
    more = MenuRow("", _("More"), "", _("rules, log, repeat"), rows=seldom)
    often = [row for row in rows if not row.seldom]
    return sorted([*often, more], key=lambda row: row.ends)


def clock_buttons(clock: Clock | None, playing: Round | None, to: To) -> list[Button]:
    """Return the buttons that run the current round's clock; none before it is started."""
    if clock is None or playing is None:
        return []
    button = partial(Button, address=to("round_clock", playing.number), posts=True, name="do")
    buttons = [
        button(_("Pause"), value="pause") if clock.running else button(_("Resume"), value="resume"),
        add_minutes(playing, clock, to),
    ]
    if not clock.last_game:
        buttons.append(last_game(playing, to))
    return buttons


def afterwards(
    event: Event, state: Progress, to: To, step: NextStep | None = None
) -> list[MenuRow]:
    """Return the acts on the night as a whole: repeat, close, call off or reopen it.

    Closing is left to the `step` where that has it.
    """
    if event.kind != Event.Kind.NIGHT:
        return []
    found = [
        MenuRow(
            "calendar",
            _("Repeat next week"),
            to("event_again"),
            posts=True,
            seldom=event.is_open,
        )
    ]
    if event.season.status == Season.Status.OPEN:
        path = reverse("league:schedule_create", args=[event.season.club.slug, event.season_id])
        automatic = f"{path}?event={event.pk}"
        found.append(MenuRow("clock", _("Repeat automatically"), automatic, seldom=True))
    ends, status = partial(row_of, ends=True), to("event_status")
    if not event.is_open:
        found.append(row_of("undo", post(_("Reopen the night"), status, status="open")))
    elif not state.rounds:
        found.append(ends("close", post(_("Call off the night"), status, status="called_off")))
    elif not state.is_over and not (step and any(one.name == "status" for one in step.buttons)):
        found.append(ends("lock", close_night(to, "")))
    if not state.rounds:
        found.append(
            replace(ends("trash", post(_("Move to the bin"), to("event_bin"))), seldom=True)
        )
    return found


def _download(to: To) -> MenuRow:
    path = f"{to('event_csv', 'standings')}?as=xlsx"
    return MenuRow("download", _("Download"), path, _("the standings, for Excel"), seldom=True)


def _share(to: To, *, seldom: bool) -> MenuRow:
    note = _("as a picture or as text")
    return MenuRow("share", _("Share results"), to("event_share"), note, seldom=seldom)
