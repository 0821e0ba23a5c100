"""Draws: who sits where in a round. A thin adapter around the pure planner."""

from __future__ import annotations

import random
import secrets
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, count, islice, zip_longest
from typing import Any, Literal

from django.db import transaction
from django.db.models import F, Value
from django.db.models.functions import Coalesce, NullIf
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from league import seating
from league.base.acts import audit, links, locks
from league.clubs.acts import players
from league.models import Bye, Entrant, Event, Place, Player, Round, Sitting
from league.nights import online
from league.nights.acts import attendance, handicaps, pools, roll_calls, same_deals, waitlist
from league.nights.acts.pools import Pool
from league.nights.facts import draw_changes, missing_games, table_sizes
from league.nights.facts.persons import as_persons, persons
from league.nights.facts.small_tables import shorted
from league.nights.facts.stages import StoredPool
from league.nights.facts.wishes import NightWishes, wishes_of
from league.nights.signals import round_released
from league.seasons.facts import rosters, standings
from league.seasons.facts.standings import OWNER
from tables.base.columns import set_columns
from tables.refusals import Refusal

METHODS: dict[str, Literal["few repeats", "swiss"]] = {
    "few_repeats": "few repeats",
    "swiss": "swiss",
}


TRIES = 2
"""How often a draw is searched while the night is free to change; then others wait for it."""


class _Unsearched(Exception):
    """What a draw asks for is not searched yet; `keeps` says whether its look changed the night."""

    def __init__(self, *, keeps: bool) -> None:
        super().__init__()
        self.keeps = keeps


class _Searches:
    """The searches of a draw, made while others change the night, for what it asked then."""

    def __init__(self) -> None:
        self.seed, self.tries = secrets.randbelow(2**31), TRIES
        self.asked: list[dict[str, Any]] = []
        self.found: list[seating.Drawn] = []

    def of(self, asked: list[dict[str, Any]], *, keeps: bool) -> list[seating.Drawn]:
        """Return what was found if this was searched; search it now after `TRIES` in vain."""
        if asked != self.asked:
            self.asked = asked
            if self.tries:
                raise _Unsearched(keeps=keeps)
            self.search()
        return self.found

    def search(self) -> None:
        self.tries -= 1
        self.found = [seating.next_round(**each) for each in self.asked]


def draw_round(
    *,
    event: Event,
    by: User,
    method: str = "few_repeats",
    seed: int | None = None,
    anyway: bool = False,
    number: int | None = None,
    version: int | None = None,
    back: bool = False,
) -> Round:
    """Draft the next round for everyone who is here, replacing an earlier draft.

    `number` is the round that the caller expected to draw, `version` that of the draft it saw (0:
    none); None skips the check.

    The draw depends only on the seed, the settings stored with it, the seating of earlier rounds
    and, in formats with stages, their results. The settings hold the rounds planned after it, which
    the next draw follows or adapts. Without `seed` it reuses the last round's; redrawing a draft
    takes a new one, and another round of the same plan; `back` returns to the round's first draft.
    The night is locked to read it and to store the draw, not for the search between: if it was
    another one then, the search begins again.
    Refusal: `stale` when the draws have changed since, `too_few` players, `early` while games of
    earlier rounds are missing, unless `anyway` or for a redraw, and those of `pools.plan`.
    """
    searches = _Searches()
    while True:
        with transaction.atomic():
            event = locks.event_to_change(event.pk)
            _check_seen(event, number, version)
            roll_calls.end_if_due(event)
            attendance.let_go(event)
            try:
                return _draw(
                    event, by, searches, method=method, seed=seed, anyway=anyway, back=back
                )
            except _Unsearched as look:
                transaction.set_rollback(not look.keeps)
        searches.search()


def _draw(
    event: Event,
    by: User,
    searches: _Searches,
    *,
    method: str,
    seed: int | None,
    anyway: bool,
    back: bool,
) -> Round:
    """Store the draft of the locked event's next round, once it is searched."""
    present = event.entrants.filter(presence="here", counts=True).order_by("pk")
    here = list(present.values_list("pk", flat=True))
    drafts = event.rounds.filter(status=Round.Status.DRAFT)
    draft = drafts.first()
    first = _first_draft(draft) if draft and seed is None else None
    if back and first:
        seed, first = first["seed"], None
    turn = draft.settings.get("turn", 0) + 1 if draft and first else 0
    rounds = list(
        event.rounds.exclude(status=Round.Status.DRAFT).prefetch_related("sittings__places", "byes")
    )
    if seed is None:
        seed = searches.seed if draft or not rounds else rounds[-1].seed
    if event.has_queue:
        drafts.delete()
        drawn = _draw_queue(event, here, seed, rounds)
    else:
        drawn = _draw_tables(
            event,
            here,
            seed,
            rounds,
            searches,
            method=method,
            anyway=anyway,
            draft=draft,
            turn=turn,
            by=by,
        )
    if first:
        set_columns(drawn, settings=drawn.settings | {"first": first})
    audit.log("draw.drafted", by=by, event=event, round=drawn.number, seed=seed)
    return drawn


def _first_draft(draft: Round) -> dict[str, int]:
    """Return the seed and the repeat meetings of the first draft of this draft's round."""
    known = {"seed": draft.seed, "repeats": draft.quality.get("repeats", 0)}
    return draft.settings.get("first") or known


def _draw_tables(
    event: Event,
    here: list[int],
    seed: int,
    rounds: list[Round],
    searches: _Searches,
    *,
    method: str,
    anyway: bool,
    draft: Round | None,
    turn: int,
    by: User,
) -> Round:
    """Return a draft in which each pool of the night's format has its own tables."""
    _refuse_too_few(len(here), event)
    groups, fixed = _groups(event, here)
    plan = pools.plan(event, rounds, here, seed, anyway=anyway, teams=groups)
    if not (anyway or draft):
        _refuse_early(event)
    same_deals.refuse_preparers(event, here)
    wishes = wishes_of(event, here)
    if not rounds and len(firsts := _firsts(event, here)) > 1:
        wishes.apart.append(firsts)
    bots, names = _Bots(event, by), persons(event)
    asked = [
        _ask(
            event,
            pool,
            here,
            seed,
            rounds,
            method=method,
            turn=turn,
            bots=bots,
            wishes=wishes,
            names=names,
        )
        for pool in plan.pools
    ]
    seated = [each for each in asked if each.seated]
    if not seated:
        _refuse_too_few(max(len(each.resting) for each in asked), event)
    # House bots keep the keys that are searched with; else a look leaves no trace.
    drawn = searches.of([each.asked for each in seated], keeps=bool(bots.filling))
    if event.rules_of_format.same_deals:
        for each, found in zip(seated, drawn, strict=True):
            _seat_last(each.filling, found.tables)
    tables = seating.place_tables([table for found in drawn for table in found.tables], fixed)
    resting = {key for each in asked for key in each.resting}
    settings = {
        "method": method,
        "here": here,
        "ahead": plan.pools[0].ahead,
        "groups": groups,
        "fixed_tables": fixed,
        "apart": wishes.apart,
        "together": wishes.together,
        "turn": turn,
        "planned": _together([each.planned for each in drawn]),
    }
    if bots.filling:
        settings["bots"] = sorted(bots.filling)
    if event.rules_of_format.has_stages:
        settings["pools"] = [each.record(tables) for each in asked]
    if plan.cut is not None:
        settings["cut"] = plan.cut
    if draft:
        draft.delete()
    round_ = Round.objects.create(
        event=event,
        number=len(rounds) + 1,
        version=event.version,
        seed=seed,
        settings=settings,
        quality=_quality(asked, drawn, rounds, tables, names),
    )
    _seat(round_, tables, resting, _dealt(rounds, names))
    return round_


@dataclass(frozen=True)
class _Seated:
    """The entrants at a pool's tables, those who sit out, and what the search is asked for them.

    `filling` are the house bots among them.
    """

    pool: Pool
    seated: list[int]
    resting: set[int]
    filling: list[int]
    asked: dict[str, Any]

    def record(self, tables: list[list[int]]) -> StoredPool:
        """Return the pool as the round stores it, with its table numbers."""
        numbers = [no for no, table in enumerate(tables, start=1) if {*table} <= {*self.seated}]
        pool = self.pool
        return {"kind": pool.kind, "no": pool.no, "members": pool.members, "tables": numbers}


def _ask(
    event: Event,
    pool: Pool,
    here: list[int],
    seed: int,
    rounds: list[Round],
    *,
    method: str,
    turn: int,
    bots: _Bots,
    wishes: NightWishes,
    names: Mapping[int, int],
) -> _Seated:
    people = [key for key in pool.members if key in here]
    together = event.rules_of_format.sits_together(len(people), event.most_at_table)
    filling = [] if together else bots.fill(len(people))
    seats = sum(table_sizes.sizes_of(event, pool.kind, len(people), len(here)))
    resting = _who_rests(rounds, people, seats, seed, names)
    seated = sorted([*(key for key in people if key not in resting), *filling])
    groups, _fixed = _groups(event, seated)
    asked = {
        "history": _history(rounds, seated if pool.kind else None, names),
        "present": seated,
        "seed": seed,
        "method": METHODS[method],
        "scores": {key: float(points) for key, points in standings.points_by_entrant(event).items()}
        if method == "swiss"
        else None,
        "apart": _pairs([filling, *wishes.apart]),
        "united": _pairs(wishes.together),
        "clubs": groups,
        "ahead": pool.ahead,
        "together": together,
        "size": event.full_table,
        "compare": event.rules_of_format.same_deals,
        "planned": _planned(rounds, names),
        "changed": len(rounds) > 1 and bool(rounds[-1].settings.get("swaps")),
        "turn": turn,
        "shorted": None if rounds else shorted(event, seated),
    }
    return _Seated(pool, seated, resting, filling, asked)


def _planned(rounds: list[Round], names: Mapping[int, int]) -> list[list[list[int]]] | None:
    """Return the rounds planned after the last one; None if it was drawn before plans were stored.

    Those who were swapped in the first round take each other's place in the whole plan.
    """
    settings = rounds[-1].settings if rounds else {}
    if "planned" not in settings:
        return None
    planned = [as_persons(tables, names) for tables in settings["planned"]]
    for a, b in settings.get("swaps", []) if len(rounds) == 1 else []:
        planned = [as_persons(tables, {a: b, b: a}) for tables in planned]
    return planned


def _together(plans: list[list[list[list[int]]]]) -> list[list[list[int]]]:
    """Return the rounds of several pools as rounds of the night."""
    return [
        [table for tables in rounds for table in tables]
        for rounds in zip_longest(*plans, fillvalue=[])
    ]


def _pairs(groups: Iterable[Sequence[int]]) -> list[tuple[int, int]]:
    return [pair for group in groups for pair in combinations(group, 2)]


def _seat_last(bots: Collection[int], tables: list[list[int]]) -> None:
    """Give the bots that fill tables one hand, so that people are compared with people."""
    for table in tables:
        for chair, bot in enumerate(sorted(set(table) & set(bots)), start=1):
            at = table.index(bot)
            table[at], table[-chair] = table[-chair], bot


def _history(
    rounds: list[Round], people: list[int] | None, names: Mapping[int, int]
) -> list[list[list[int]]]:
    """Return the tables of earlier rounds, or only those with at least one of `people`."""
    history = [as_persons(tables_of(earlier), names) for earlier in rounds]
    if people is None:
        return history
    return [[table for table in tables if set(table) & set(people)] for tables in history]


def _quality(
    asked: list[_Seated],
    drawn: list[seating.Drawn],
    rounds: list[Round],
    tables: list[list[int]],
    names: Mapping[int, int],
) -> dict[str, Any]:
    """Return the round's measures: those of its only pool, or of all pools together."""
    measured = [each.quality for each in drawn]
    if len(asked) == 1:
        return measured[0].as_dict()
    whole = seating.round_quality(
        _history(rounds, None, names),
        tables,
        present=[key for each in asked for key in {*each.seated, *each.resting}],
        method=measured[0].method,
        seconds=round(sum(quality.seconds for quality in measured), 3),
    )
    return whole.as_dict()


class _Bots:
    """The house bots that fill the empty seats of one round, each in one pool only."""

    def __init__(self, event: Event, by: User) -> None:
        self.event, self.by, self.name = event, by, event.rules_of_format.bot
        self.filling: list[int] = []
        self._free = self._players()

    def fill(self, people: int) -> list[int]:
        """Return the bot entrants, created as needed, that fill this pool's last table."""
        needed = -people % self.event.full_table if self.name and people else 0
        for player in islice(self._free, needed):
            entrant, _made = Entrant.objects.update_or_create(
                event=self.event,
                player=player,
                defaults={"presence": Entrant.Presence.HERE, "counts": False},
            )
            self.filling.append(entrant.pk)
        return self.filling[len(self.filling) - needed :] if needed else []

    def _players(self) -> Iterator[Player]:
        """Yield players of that bot, created as needed, except those on tonight's own list."""
        own = set(self.event.entrants.filter(counts=True).values_list("player", flat=True))
        for number in count(1):
            player = players.of_bots(self.event.season.club, [self.name] * number, self.by)[-1]
            if player.pk not in own:
                yield player


def _draw_queue(event: Event, here: list[int], seed: int, rounds: list[Round]) -> Round:
    """Draft the tables of a queue night and the queue."""
    if rounds:
        raise Refusal(
            _("The tables are already open. Checked-in players join the queue."),
            code="open",
        )
    _refuse_too_few(len(here), event)
    night = waitlist.draft(event, here, seed)
    tables = [list(seats) for seats in night.tables]
    waiting, wishes = list(night.waiting), wishes_of(event, here)
    kind = event.rules_of_format.kind
    drawn = Round.objects.create(
        event=event,
        number=1,
        version=event.version,
        seed=seed,
        settings={
            "method": kind,
            "here": here,
            "waiting": waiting,
            "format": event.format,
            "apart": wishes.apart,
            "together": wishes.together,
        },
        quality=seating.round_quality(
            [], [table for table in tables if table], present=here, method=kind
        ).as_dict(),
    )
    _seat(drawn, tables, set(waiting), Counter())
    return drawn


@transaction.atomic
def release_round(
    *, round_: Round, by: User, version: int | None = None, seen: str | None = None
) -> Round:
    """Release the draft: results can be entered from now on, and online tables open.

    `version` is the draft's as the caller saw it, `seen` what the page said of who came and left
    since the draw; None skips the check. Refusal: `stale` when either has changed since.
    """
    if round_.event.rules_of_format.handicap:
        locks.season(round_.event.season_id)
    event = locks.event_to_change(round_.event_id)
    draft = _as_seen(event, round_, version)
    if draft.status != Round.Status.DRAFT:
        raise draw_changes.stale(event, round_.number)
    since = draw_changes.since(event, draft)
    if seen not in (None, since):
        text = since or _("Everyone who was drawn is here again.")
        text = _("%(since)s Draw again, or release the tables as they are.") % {"since": text}
        raise Refusal(text, code="stale", status=409)
    set_columns(
        draft, status=Round.Status.RELEASED, released_at=timezone.now(), version=event.version
    )
    links.make_for_tables(sittings=draft.sittings.all(), event=event, by=by)
    handicaps.give(event, draft, by)
    if event.has_queue:
        waitlist.open_round(event, draft)
    online.tables().open_round(round_=draft, event=event, by=by)
    audit.log("draw.released", by=by, event=event, round=draft.number)
    round_released.send(Round, round_=draft)
    return draft


@transaction.atomic
def discard_round(*, round_: Round, by: User, reason: str = "", version: int | None = None) -> None:
    """Discard a draft, or withdraw the last released round while it has no results.

    `version` is the draw's as the caller saw it. Refusal: `stale` when it has changed since.
    """
    if round_.event.rules_of_format.handicap:
        locks.season(round_.event.season_id)
    event = locks.event_to_change(round_.event_id)
    found = _as_seen(event, round_, version)
    if found.number != event.rounds.count():
        raise Refusal(_("Only the latest round can be withdrawn."), code="not_last", status=409)
    online.tables().end_tables(event=event, round_=found, now=True)
    if found.sittings.filter(results__isnull=False).exists():
        raise Refusal(
            _("Round %(round)s already has results. Correct them instead."),
            code="played",
            params={"round": found.number},
            status=409,
        )
    if found.status == Round.Status.RELEASED and not reason.strip():
        raise Refusal(_("Say why you withdraw the draw."), field="reason")
    audit.log(
        "draw.discarded",
        by=by,
        event=event,
        round=found.number,
        reason=reason.strip()[:200],
        tables=tables_of(found),
    )
    if event.has_queue:
        waitlist.close_round(event)
    found.delete()
    if event.rules_of_format.handicap and found.status == Round.Status.RELEASED:
        handicaps.take_back(event, by)


def _refuse_early(event: Event) -> None:
    """Refuse to draw while games of a released round are missing."""
    if missing := missing_games.unfinished_sittings(event):
        raise Refusal(
            _("Games are still missing: %(tables)s. Enter them first, or draw anyway."),
            code="early",
            params={"tables": missing_games.named(missing)},
            status=409,
        )


def _check_seen(event: Event, number: int | None, version: int | None) -> None:
    """Refuse to draw another round than the caller saw, or over a draft it did not see."""
    drafts = event.rounds.filter(status=Round.Status.DRAFT)
    seen = drafts.values_list("version", flat=True).first() or 0
    following = 1 + event.rounds.exclude(status=Round.Status.DRAFT).count()
    if number not in (None, following) or version not in (None, seen):
        raise draw_changes.stale(event, number or following)


def _as_seen(event: Event, round_: Round, version: int | None) -> Round:
    """Return the locked event's round; refuse if it is gone or changed since the caller saw it."""
    found = event.rounds.filter(pk=round_.pk).first()
    if found is None or version not in (None, found.version):
        raise draw_changes.stale(event, round_.number)
    return found


def _who_rests(
    rounds: list[Round], people: list[int], seats: int, seed: int, names: Mapping[int, int]
) -> set[int]:
    """Return the entrants who sit out because there are fewer seats."""
    played = [
        (
            {key for table in as_persons(tables_of(each), names) for key in table},
            {names.get(b.entrant_id, b.entrant_id) for b in each.byes.all()},
        )
        for each in rounds
    ]
    return seating.who_rests(
        played, people, len(people) - seats, random.Random(f"byes:{seed}:{len(rounds)}")
    )


def _refuse_too_few(count: int, event: Event) -> None:
    least = max(2, event.least_at_table)
    if count < least:
        raise Refusal(
            _(
                "%(count)s players are here; these rules need at least %(least)s per "
                "table. Check in more players."
            ),
            code="too_few",
            params={"count": count, "least": least},
        )


def _groups(event: Event, here: list[int]) -> tuple[dict[int, int | None], dict[int, int]]:
    """Return each entrant's group number (or None), and the required tables, numbered from 0.

    Groups of a night keep their members apart. Team-mates are a group; players without a team use
    the group that they asked for.
    """
    rows = event.entrants.filter(pk__in=here).order_by("pk")
    # The clubs that sent them count in the first round alone.
    is_first = not event.rounds.exclude(status=Round.Status.DRAFT).exists()
    group = (
        Coalesce(NullIf("player__group", Value("")), "from_club")
        if is_first
        else F("player__group")
    )
    columns = ("pk", OWNER, "sent", "player__fixed_table")
    wishes = list(rows.annotate(sent=group).values_list(*columns))
    teams = rosters.teams_of(event.season_id)
    named = {
        key: f"team {teams[player].pk}" if player in teams else f"group {group.casefold()}"
        for key, player, group, _table in wishes
        if player in teams or group
    }
    names = sorted(set(named.values()))
    groups = {key: names.index(named[key]) if key in named else None for key, *_more in wishes}
    return groups, {key: table - 1 for key, _player, _group, table in wishes if table}


def _firsts(event: Event, here: list[int]) -> list[int]:
    """Return those with the best places in the nights that sent them, one for each table."""
    sent = event.entrants.filter(pk__in=here, from_place__isnull=False)
    tables = len(here) // event.full_table
    return list(sent.order_by("from_place", "pk").values_list("pk", flat=True)[:tables])


def tables_of(round_: Round) -> list[list[int]]:
    """Return the round's tables, each a list of entrants in seat order.

    A seat counts for its last holder: a player who left during the round has not met the
    substitute's neighbours.
    """
    return [[place.entrant_id for place in sitting.seated] for sitting in round_.sittings.all()]


def _dealt(rounds: list[Round], names: Mapping[int, int]) -> Counter[int]:
    """Return how often each entrant was a table's first dealer."""
    return Counter(
        names.get(place.entrant_id, place.entrant_id)
        for round_ in rounds
        for sitting in round_.sittings.all()
        for place in sitting.places.all()
        if place.seat == sitting.first_dealer and place.from_game == 1
    )


def _seat(drawn: Round, tables: list[list[int]], resting: set[int], dealt: Counter[int]) -> None:
    """Store the tables with their first dealers, and the entrants who sit out."""
    (dealers,) = seating.first_dealers([[table for table in tables if table]], dealt)
    dealing = iter(dealers)
    sittings = Sitting.objects.bulk_create(
        Sitting(round=drawn, table_no=no, first_dealer=table.index(next(dealing)) if table else 0)
        for no, table in enumerate(tables, start=1)
    )
    Place.objects.bulk_create(
        Place(sitting=sitting, round=drawn, entrant_id=entrant, seat=seat)
        for sitting, table in zip(sittings, tables, strict=True)
        for seat, entrant in enumerate(table)
    )
    Bye.objects.bulk_create(Bye(round=drawn, entrant_id=entrant) for entrant in sorted(resting))
