"""The door Bots of a club: one ranking, what is running, the reader's bots, code to try."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import QuerySet, Sum
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from engine.sim import designs
from league.arena.facts import own_bots
from league.arena.facts.own_bots import pool_of, visible_bots
from league.arena.facts.run_effects import KIND_NAMES
from league.arena.pages import runs
from league.arena.pages.bot_faces import bot_face
from league.arena.pages.standing_ladder import LadderPage, ladder_page
from league.base.facts.interval_rows import IntervalRow, drawn
from league.base.page_parts import MenuRow
from league.base.pages.address import of_season
from league.base.rights import Right
from league.models import Club, Event, Player, Season, shown_names
from league.seasons.facts import ratings
from league.seasons.facts.ratings import MEAN
from tables.bots.facts import member_bots
from tables.models import Ladder, Run, Tryout, Unit, Upload
from tables.numbers import rounded
from tables.programs import checking
from tables.runs import ladders, queues, tryouts

NEW = 500
"""The games below which a rating is drawn with dashes."""
STEP = 100
SHOWN_RUNS = 5
SAMPLE = '''class MiserBot:
    """%s"""
    name, version = "miser", 1

    def __init__(self, seed):
        pass

    def choose(self, observation, legal):
        plays = [a for a in legal if a.do == "play"]
        cheap = [a for a in plays
                 if a.cards[-1] // 4 != 12]
        if cheap:
            return min(cheap, key=lambda a: a.cards)
        passes = [a for a in legal if a.do == "pass"]
        return passes[0] if passes else legal[0]
'''


@dataclass(frozen=True)
class RankedBot:
    """A bot of the ranking; `who` says whose it is, `address` is its page if the reader has one."""

    place: int
    name: str
    face: str
    who: str
    address: str
    row: IntervalRow
    is_mine: bool
    is_new: bool
    partner: str = ""

    @property
    def rating(self) -> int:
        return round(self.row.mean)


@dataclass(frozen=True)
class Ranking:
    """The ranking by one ruleset; `ticks` are places on the scale of its plots."""

    rules: str = ""
    says: str = ""
    bots: list[RankedBot] = field(default_factory=list)
    ticks: list[float] = field(default_factory=list)
    others: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class RunningRun:
    """What is being played: `percent` of its games, or `stops` if a test ends it."""

    name: str
    address: str
    percent: int
    stops: bool
    says: str


@dataclass(frozen=True)
class MyBot:
    """The newest version of one of the reader's bots."""

    name: str
    face: str
    address: str
    note: str
    state: str
    tone: str


@dataclass(frozen=True)
class BotsDoor:
    """The door for one reader; `duel` has the two best of the tournament that ended last."""

    here: str
    last: Event | None
    duel: list[runs.FirstRow]
    ranking: Ranking
    ladder: LadderPage | None
    running: list[RunningRun]
    mine: list[MyBot]
    free: int
    others: list[own_bots.MemberBot]
    menu: list[MenuRow]
    needs_season: bool
    may_try: bool
    code: str


def door(club: Club, reader: User | AnonymousUser, right: Right, rules: str = "") -> BotsDoor:
    """Return the door; `rules` is the digest of the ruleset whose ranking is shown."""
    page = ladder_page(club, _ladder(club, rules), reader, right)
    seen = {bot.name: bot for bot in visible_bots(club, reader, right).select_related("author")}
    authors = _authors(club, seen.values())
    ranking = (
        _of_ladder(club, page, seen, authors, reader)
        if page and page.rated
        else _of_pools(club, seen, authors, reader)
    )
    organises = right >= Right.ORGANISE
    still_open = club.seasons.filter(status=Season.Status.OPEN).order_by("-ranks_bots", "-pk")
    season = still_open.first() if organises else None
    mine = _mine(club, reader, ranking) if right >= Right.BELONG else []
    last = tournaments_of(club).filter(run__status=Run.Status.DONE).select_related("run").first()
    return BotsDoor(
        here=reverse("league:arena", args=[club.slug]),
        last=last,
        duel=_duel(last.run) if last and last.run else [],
        ranking=ranking,
        ladder=page,
        running=_running(club, page),
        mine=mine,
        free=member_bots.free_places(reader.pk, pool_of(club)) if right >= Right.BELONG else 0,
        others=own_bots.of_others(club, reader, right) if right >= Right.BELONG else [],
        menu=_menu(club, season),
        needs_season=organises and season is None,
        may_try=settings.BOT_UPLOADS,
        code=SAMPLE % _("Keeps its twos until nothing else is left."),
    )


def tournaments_of(club: Club) -> QuerySet[Event]:
    """Return the club's bot tournaments, the latest first."""
    return Event.objects.filter(season__club=club, kind=Event.Kind.BOTS).select_related("season")


def _duel(run: Run) -> list[runs.FirstRow]:
    return runs.statistics(run, designs.entry_names([bot["name"] for bot in run.bots])).firsts[:2]


def _menu(club: Club, season: Season | None) -> list[MenuRow]:
    if season is None:
        return []
    return [
        MenuRow("plus", _("New bot tournament"), of_season(season, "bots_create")),
        MenuRow("trophy", _("New bot league"), of_season(season, "league_create")),
    ]


def _ladder(club: Club, rules: str) -> Ladder | None:
    """Return the ladder by these rules, else the running one."""
    found = Ladder.objects.filter(pool=pool_of(club), ruleset=rules).select_related("ruleset")
    return (found.first() if rules else None) or ladders.ladder_of(pool_of(club))


def _authors(club: Club, bots: Iterable[Upload]) -> dict[int, str]:
    """Return the authors' names by account: as the reader sees their players here.

    Who is no player here has the account's name, but not where strangers do not see names whole.
    """
    accounts = {bot.author.pk: bot.author.name for bot in bots if bot.author}
    players = Player.objects.filter(club=club, user__in=accounts).values_list("user", "name")
    return (dict.fromkeys(accounts, "") if shown_names.form() else accounts) | dict(players)


def _of_ladder(
    club: Club,
    page: LadderPage,
    seen: dict[str, Upload],
    authors: Mapping[int, str],
    reader: User | AnonymousUser,
) -> Ranking:
    """Return the ranking of the newest rated version of each bot."""
    newest: dict[str, dict[str, Any]] = {}
    for row in page.rated:
        base = row["base"]
        if base not in newest or newest[base]["version"] < row["version"]:
            newest[base] = row
    rows = sorted(newest.values(), key=lambda row: -row["rating"])
    ends = [tuple(MEAN + row[end] for end in ("rating", "low", "high")) for row in rows]
    names = [row["base"] if row["name"] in seen else row["name"] for row in rows]
    bots = [
        _ranked(club, place, line, row, seen.get(row["name"]), authors, reader)
        for place, (line, row) in enumerate(zip(drawn(names, ends, MEAN), rows, strict=True), 1)
    ]
    all_rules = Ladder.objects.filter(pool=page.ladder.pool).exclude(pk=page.ladder.pk)
    door_at = reverse("league:arena", args=[club.slug])
    others = [
        (one.ruleset.body["name"], f"{door_at}?rules={one.ruleset_id}")
        for one in all_rules.select_related("ruleset").order_by("-chosen_at")
    ]
    says = _("lines are 95% intervals · 1,000 = mean of three house bots")
    return Ranking(page.ladder.ruleset.body["name"], says, bots, _ticks(ends), others)


def _ranked(
    club: Club,
    place: int,
    line: IntervalRow,
    row: dict[str, Any],
    bot: Upload | None,
    authors: Mapping[int, str],
    reader: User | AnonymousUser,
    *,
    address: str = "",
    names_house: bool = True,
) -> RankedBot:
    is_mine = bot is not None and bot.author_id == reader.pk
    if bot is None:
        who = _("house") if names_house and row["name"] in ladders.HOUSE else ""
    elif is_mine:
        who = _("yours · version %(n)s") % {"n": bot.number}
    else:
        name = authors.get(bot.author_id or 0) or "?"
        who = _("by %(name)s · version %(n)s") % {"name": name, "n": bot.number}
    if bot is not None:
        address = reverse("league:bot", args=[club.slug, bot.pk])
    is_new = row["games"] < NEW
    partner = ""
    if helped := row.get("partner"):
        told = {"gain": rounded(helped["gain"], 1), "bot": helped["helper"]}
        partner = _("+%(gain)s points against others beside %(bot)s") % told
    return RankedBot(
        place, line.name, bot_face(row["name"]), who, address, line, is_mine, is_new, partner
    )


def _of_pools(
    club: Club,
    seen: dict[str, Upload],
    authors: Mapping[int, str],
    reader: User | AnonymousUser,
) -> Ranking:
    """Return the ranking by the closed tournaments."""
    pool = ratings.ranked_bots(club)
    ends = [tuple(MEAN + bot[end] for end in ("rating", "low", "high")) for bot in pool]
    names = [seen[bot["name"]].base if bot["name"] in seen else bot["name"] for bot in pool]
    players = dict(club.players.filter(bot__in=names).order_by("-pk").values_list("bot", "pk"))
    bots = [
        _ranked(
            club, no, line, bot, seen.get(bot["name"]), authors, reader,
            address=_player(club, players.get(bot["name"])), names_house=False,
        )
        for no, (line, bot) in enumerate(zip(drawn(names, ends, MEAN), pool, strict=True), start=1)
    ]  # fmt: skip
    says = _("by closed tournaments · lines are 95% intervals · 1,000 = mean")
    return Ranking("", says if bots else "", bots, _ticks(ends))


def _player(club: Club, pk: int | None) -> str:
    """Return the address of a bot's page in the club's seasons, "" if it has none."""
    return reverse("league:player", args=[club.slug, pk]) if pk else ""


def _ticks(ends: list[Any]) -> list[float]:
    """Return the places of the round ratings on the scale of `drawn`."""
    if not ends:
        return []
    low, high = min(MEAN, *(one[1] for one in ends)), max(MEAN, *(one[2] for one in ends))
    round_ones = range(math.ceil(low / STEP) * STEP, math.floor(high) + 1, STEP)
    return [round(3 + 94 * (rating - low) / ((high - low) or 1), 2) for rating in round_ones]


def _running(club: Club, page: LadderPage | None) -> list[RunningRun]:
    going = (Run.Status.RUNNING, Run.Status.PAUSED)
    found = tournaments_of(club).filter(run__status__in=going).select_related("run")
    events = list(found.order_by("-pk")[:SHOWN_RUNS])
    meeting = page.ladder.meetings.filter(is_open=True).first() if page else None
    keys = [event.run_id for event in events] + ([meeting.run_id] if meeting else [])
    done = Unit.objects.filter(run__in=keys, state=Unit.State.DONE).values("run")
    games = dict(done.annotate(games=Sum("games")).values_list("run", "games").order_by())
    rows = [
        _going(
            event.name,
            reverse("league:event", args=[club.slug, event.pk]),
            event.run,
            games.get(event.run.pk, 0),
        )
        for event in events
        if event.run
    ]
    if page and meeting:
        met = _("Ranking: %(bots)s") % {"bots": ", ".join(page.now)}
        rows.append(_going(met, "", meeting.run, games.get(meeting.run_id, 0)))
    return rows


def _going(name: str, address: str, run: Run, played: int) -> RunningRun:
    asked = run.deals * designs.games_of_deal(len(run.bots), run.design)
    bots = ngettext("%(n)s bot", "%(n)s bots", len(run.bots)) % {"n": len(run.bots)}
    games = _("%(done)s / %(all)s games") % {"done": intcomma(played), "all": intcomma(asked)}
    paused = _("paused") if run.status == Run.Status.PAUSED else ""
    says = " · ".join(filter(None, (bots, games, paused)))
    return RunningRun(name, address, 100 * played // (asked or 1), run.effect is not None, says)


def _mine(club: Club, reader: User | AnonymousUser, ranking: Ranking) -> list[MyBot]:
    """Return the newest version of each of the reader's bots, and the playing one before it."""
    places = {bot.name: bot for bot in reversed(ranking.bots) if bot.is_mine}
    found: list[MyBot] = []
    last: dict[str, str] = {}
    bots = Upload.objects.filter(pool=pool_of(club), author=reader.pk).defer("body")
    for bot in bots.order_by("base", "-number"):
        gone = last.get(bot.base) == Upload.State.WITHDRAWN and bot.state == Upload.State.REFUSED
        if gone or last.get(bot.base) == Upload.State.SOUND:
            continue
        last[bot.base] = bot.state
        if bot.state == Upload.State.WITHDRAWN:
            continue
        found.append(_own(club, bot, places.get(bot.base)))
    return found


def _own(club: Club, bot: Upload, ranked: RankedBot | None) -> MyBot:
    state, tone = own_bots.STATES[Upload.State(bot.state)], "done"
    note = ""
    if bot.state == Upload.State.SOUND:
        tone = "open"
        note = _("rank %(n)s") % {"n": ranked.place} if ranked else _("not ranked yet")
    elif bot.state == Upload.State.WAITING:
        tone = "gold"
        done = {"n": bot.checked, "all": checking.number_of_tables()}
        note = _("checked at %(n)s of %(all)s tables") % done
        if not bot.checked:
            note = _("place %(n)s in the queue") % {"n": queues.place_of_check(bot)}
    if bot.language == Upload.REMOTE:
        note = own_bots.seen_words(bot)
    address = reverse("league:bot", args=[club.slug, bot.pk])
    return MyBot(f"{bot.base} {bot.number}", bot_face(bot.name), address, note, str(state), tone)


# ── Code to try ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Side:
    """The places of one side, as widths of its bar from 0 to 100, and its mean place."""

    name: str
    bars: list[tuple[int, float, float]]
    mean: float


@dataclass(frozen=True)
class TryPanel:
    """A hundred games of tried code: being played, or their result."""

    tryout: Tryout
    name: str
    before: int
    done: bool
    first: float = 0.0
    margin: float | None = None
    facts: str = ""
    sides: list[Side] = field(default_factory=list)
    bold: str = ""
    says: str = ""
    fault: str = ""
    fault_text: str = ""
    record: str = ""
    step: int = 0


def try_panel(tryout: Tryout) -> TryPanel:
    name, result = tryouts.name_of(tryout.code), tryout.result
    if result is None:
        return TryPanel(tryout, name, tryouts.place_of(tryout), False)
    if not result["games"]:
        text = _("No deal could be played to its end. Try again, or let it answer sooner.")
        return TryPanel(tryout, name, 0, True, bold=text)
    words = _("%(games)s games · %(deals)s deals × 4 seats · %(seconds)s s") % {
        "games": result["games"],
        "deals": result["games"] // tryouts.SEATS,
        "seconds": rounded(result["seconds"], 1),
    }
    against = _("3 × %(bot)s") % {"bot": tryouts.OPPONENT}
    names = zip((name, against), result["places"], strict=True)
    note = result["note"]
    fault = bold = says = ""
    if not note:
        bold, says = _sentence(result["first"], result["margin"])
    else:
        told = {"kind": KIND_NAMES[note[0]], "deal": note[1] + 1, "game": note[2] + 1}
        fault = _("Fault: %(kind)s, in deal %(deal)s, game %(game)s.") % told
    return TryPanel(
        tryout, name, 0, True,
        first=result["first"], margin=result["margin"], facts=words,
        sides=[_side(name, places) for name, places in names],
        bold=bold, says=says, fault=fault, fault_text=note[3] if note else "",
        record=json.dumps(result["record"]), step=result["step"],
    )  # fmt: skip


def _side(name: str, places: list[int]) -> Side:
    games, start, bars = sum(places) or 1, 0.0, []
    for place, count in enumerate(places, start=1):
        width = 100 * count / games
        bars.append((place, round(start, 2), round(max(width - 0.7, 0), 2)))
        start += width
    mean = sum(place * count for place, count in enumerate(places, start=1)) / games
    return Side(name, bars, mean)


def _sentence(first: float, margin: float | None) -> tuple[str, str]:
    """Return what the share of firsts says, and why it is sure or not."""
    if margin is None or abs(first - 25) <= margin:
        if first >= 25:
            bold = _("Perhaps better than greedy, not sure")
        else:
            bold = _("Perhaps weaker than greedy, not sure")
        return bold, _("even is 25%, still within the error.")
    bold = _("Better than greedy") if first > 25 else _("Weaker than greedy")
    return bold, _("even is 25%, outside the error.")
