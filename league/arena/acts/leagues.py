"""Bot leagues: on each matchday of the schedule, every division plays a tournament."""

import datetime
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from engine import bots as engine_bots
from engine.rules.ruleset import Ruleset
from league.arena.acts import bots
from league.arena.domain.divisions import division_sizes
from league.arena.facts import leagues as selector
from league.arena.facts.own_bots import lookers, pool_of
from league.models import BotLeague, Club, Event, LeagueSeat, Matchday
from league.nights.acts import events
from tables.base import rulesets
from tables.bots.facts import member_bots
from tables.models import Ladder, Run, Upload
from tables.refusals import Refusal
from tables.runs import ladders


@transaction.atomic
def play_matchday(
    *,
    league: BotLeague,
    by: User,
    day: datetime.date,
    ruleset: Ruleset,
    deals: int,
) -> Event:
    """Create a tournament for each division; return that of the highest one that plays.

    The last matchday decides the divisions; newcomers start at the bottom. Raises `Refusal` while
    the last matchday is still being played, and for too few bots.
    """
    last = league.matchdays.order_by("number").last()
    open_events = Event.objects.filter(league_seats__matchday=last, status=Event.Status.OPEN)
    if last is not None and open_events.exists():
        raise Refusal(_("The league's last matchday is still being played."))
    club = league.season.club
    entries, strengths = _entries(club, last), _strengths(club, ruleset)
    order = _order(last, entries, strengths)
    sizes = _sizes(league, ruleset, order)
    if max(sizes, default=0) > 4:  # The design `tables` repeats deals: no bots that remember.
        entries = {bot: name for bot, name in entries.items() if not engine_bots.remembers(name)}
        order = _order(last, entries, strengths)
        sizes = _sizes(league, ruleset, order)
    matchday = Matchday.objects.create(
        league=league, number=last.number + 1 if last else 1, day=day
    )
    away = ladders.asleep(pool_of(club))
    first: Event | None = None
    for level, size in enumerate(sizes, start=1):
        start = sum(sizes[: level - 1])
        members = order[start : start + size]
        here = {bot: entries[bot] for bot in members if entries[bot] not in away}
        event = None
        if len(here) >= max(2, ruleset.min_players):
            event = bots.create_bot_event(
                season=league.season,
                by=by,
                name=events.dated(league.name, day, f" {level} ·"),
                date=day,
                ruleset=ruleset,
                bots=list(here.values()),
                **_design(list(here.values()), deals),
                priority=Run.Priority.LOW,
            )
        first = first or event
        LeagueSeat.objects.bulk_create(
            LeagueSeat(
                matchday=matchday, bot=bot, number=number, division=level, entry=entries[bot],
                event=event if bot in here else None,
            )
            for number, bot in enumerate(members, start=start + 1)
        )  # fmt: skip
    if first is None:
        raise Refusal(_("The league has too few bots to play."))
    return first


def _sizes(league: BotLeague, ruleset: Ruleset, order: Sequence[str]) -> list[int]:
    return division_sizes(len(order), league.size, ruleset.min_players, ruleset.max_players)


def _design(names: Sequence[str], deals: int) -> dict[str, Any]:
    """Return the design and its deals; a bot that remembers meets each deal only once.

    The design `single` then plays as many games in all.
    """
    if len(names) > 4:
        return {"design": "tables", "deals": deals}
    if any(map(engine_bots.remembers, names)):
        return {"design": "single", "deals": min(bots.MOST_DEALS, deals * len(names))}
    return {"design": "rotations", "deals": deals}


def _entries(club: Club, last: Matchday | None) -> dict[str, str]:
    """Return the version to enter by bot: house bots, the server's, members' newest.

    An author gets one place, for the bot of the last matchday if it still plays: two of one author
    never share a table of three or more.
    """
    names = ladders.bots_of(pool_of(club), lookers(club))
    authors = dict(
        Upload.objects.filter(name__in=names, author__isnull=False)
        .order_by("pk")
        .values_list("name", "author")
    )
    own = member_bots.bases(names)
    before = set(last.seats.values_list("bot", flat=True)) if last else set()
    one_each: dict[int, str] = {}
    for name in sorted(authors, key=lambda name: own[name] not in before):
        one_each.setdefault(authors[name], name)
    return {
        own.get(name, name): name
        for name in names
        if name not in authors or one_each[authors[name]] == name
    }


def _strengths(club: Club, ruleset: Ruleset) -> dict[str, float]:
    """Return the ladder ratings by bot, of the newest version, for these rules."""
    ladder = Ladder.objects.filter(pool=pool_of(club), ruleset=rulesets.freeze(ruleset)).first()
    rows = [row for row in ladder.rows if "rating" in row] if ladder else []
    own = member_bots.bases([row["name"] for row in rows])
    rows.sort(key=lambda row: row["version"])
    return {own.get(row["name"], row["name"]): row["rating"] for row in rows}


def _order(
    last: Matchday | None, entries: dict[str, str], strengths: dict[str, float]
) -> Sequence[str]:
    before = [bot for level in selector.next_divisions(last) for bot in level] if last else []
    stay = [bot for bot in before if bot in entries]
    newcomers = sorted(
        entries.keys() - set(stay), key=lambda bot: (-strengths.get(bot, float("-inf")), bot)
    )
    return [*stay, *newcomers]
