"""Bot rankings: the choice of the next meeting, and ratings over all of them.

A ladder plays one small run of the lowest priority at a time, and none while another run waits.
"""

import datetime
import logging
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q, Sum
from django.utils import timezone

from engine import bots as engine_bots
from engine.rules.ruleset import Ruleset
from engine.sim import designs
from engine.statistics import rate
from engine.statistics.pairing import Known, table_of_most_gain
from engine.statistics.partners import partners
from engine.statistics.ratings import Order, order_of
from tables.base import rulesets
from tables.base.columns import set_columns
from tables.bots.acts import uploads
from tables.bots.facts import member_bots
from tables.models import Ladder, Meeting, Run, Unit, Upload
from tables.programs import config
from tables.runs import run_ratings, runs, verdicts
from tables.runs.run_ratings import BotVersion

log = logging.getLogger(__name__)

HOUSE = ("lowest", "greedy", "planner")
"""House bots on every ladder; the mean rating of the initial versions is its zero."""
DEALS, DEALS_OUTSIDE, DEALS_ONCE = 12, 4, 40
"""Deals of a meeting: with seat rotations, the same with a program, and once with memory."""
EFFECT, TEST_DEALS, MOST_TEST_DEALS = 0.03, 8, 600
"""The test of a new version: effect looked for, deals of a block, and most deals."""
UNKNOWN, SETTLED = 400.0, 12.0
"""Elo error of a bot without games, and the error below which it rests."""
MOST_GAMES, FEW_GAMES = 10_000, 200
"""Most games of a version, and the games after which one with too many faults is dropped."""
MOST_FAULTS = 0.01
"""Share of games with faults above which a version is not rated, as in tournaments."""
MOST_GROUPS, SAMPLES = 300, 100
"""The ratings' bootstrap: most groups of deals, and number of samples."""
WORTH_A_FIT = 0.02
"""Share of new games, of those of the last fit, that triggers another fit."""
AWAKE = datetime.timedelta(minutes=2)
"""A remote bot may meet others if it polled within this time."""
MOST_TIME, AFTER_TROUBLE = datetime.timedelta(minutes=45), datetime.timedelta(minutes=10)
"""Time limit of a meeting, and the pause after one with dead units."""
REST_AFTER_REMOTE = datetime.timedelta(seconds=30)


def set_ladder(*, pool: str, ruleset: Ruleset, is_on: bool) -> Ladder:
    """Start, resume or stop a pool's ladder by these rules; its ladder by other rules stops."""
    zero = [[name, engine_bots.version_of(name)] for name in HOUSE]
    with transaction.atomic():
        frozen = rulesets.freeze(ruleset)
        Ladder.objects.filter(pool=pool, is_on=True).exclude(ruleset=frozen).update(is_on=False)
        ladder, _created = Ladder.objects.get_or_create(
            pool=pool, ruleset=frozen, defaults={"zero": zero, "is_on": is_on}
        )
        set_columns(ladder, is_on=is_on, chosen_at=timezone.now())
    return ladder


def stop_ladder(*, pool: str) -> None:
    """Stop a pool's ladder, if it has one; the meeting in progress is played to its end."""
    Ladder.objects.filter(pool=pool, is_on=True).update(is_on=False)


@transaction.atomic
def delete_pool(*, pool: str) -> None:
    """Delete a pool's ladders and bots; their meetings and test matches are played no further."""
    for run in Run.objects.filter(
        Q(meeting__ladder__pool=pool) | Q(trial__upload__pool=pool), status__in=runs.OPEN
    ).order_by("pk"):
        runs.cancel_run(run_id=run.pk)
    Ladder.objects.filter(pool=pool).delete()
    Upload.objects.filter(pool=pool).delete()


def ladder_of(pool: str) -> Ladder | None:
    """Return the pool's ladder: the running one, else the one chosen last."""
    found = Ladder.objects.filter(pool=pool).select_related("ruleset")
    return found.order_by("-is_on", "-chosen_at").first()


def tick() -> None:
    """Close finished meetings, and open the next one of each ladder that may go on."""
    going = Q(is_open=True) | Q(run__finished_at=None)
    for meeting in Meeting.objects.filter(going).select_related("run"):
        _close(meeting)
    share = settings.TABLES_LADDER_SHARE
    if not share:
        return
    on = list(Ladder.objects.filter(is_on=True).select_related("ruleset"))
    for ladder in on:
        last = ladder.meetings.select_related("run").order_by("-opened_at").first()
        if last is not None and (
            last.is_open or timezone.now() < rested_at(last, share / 100 / len(on))
        ):
            continue
        try:
            _open(ladder, after_test=last is not None and last.test)
        except ValueError as error:  # A bot left meanwhile; the next try is without it.
            log.warning("Ladder %s: %s", ladder, error)


def rate_behind() -> int:
    """Refit the ratings of ladders with enough new games; return their number."""
    fitted = 0
    for ladder in Ladder.objects.all():
        games = _done(ladder).order_by().aggregate(games=Sum("games"))["games"] or 0
        if _is_behind(ladder, games):
            rows = ratings_of(ladder)  # Takes seconds; nothing is locked.
            Ladder.objects.filter(pk=ladder.pk).update(rows=rows, rated_games=games)
            fitted += 1
    return fitted


def _is_behind(ladder: Ladder, games: int) -> bool:
    """Return whether a new fit is worth it: for a new version, or for enough new games.

    A fit reads all games, so it runs once per two per cent of new games and not every minute.
    """
    if games - ladder.rated_games >= max(1, ladder.rated_games * WORTH_A_FIT):
        return True
    known = {(row["name"], row["version"]) for row in ladder.rows}
    return games != ladder.rated_games and not known.issuperset(+_games_of(ladder))


def bots_of(pool: str, seen_by: Collection[str] = (uploads.EVERYONE, uploads.CLUB)) -> list[str]:
    """Return the house bots, the server's own, and the newest visible bots of members."""
    config.refresh()
    own = [name for name in engine_bots.BOTS if name not in engine_bots.LADDER]
    found = []
    for name in dict.fromkeys([*HOUSE, *own, *member_bots.newest(pool, seen_by)]):
        try:
            engine_bots.version_of(name)
        except (KeyError, engine_bots.PluggedError):
            continue
        found.append(name)
    return found


def asleep(pool: str) -> set[str]:
    """Return the remote bots that have not polled for positions lately."""
    remote = Upload.objects.filter(pool=pool, language=Upload.REMOTE)
    return set(remote.exclude(seen_at__gt=timezone.now() - AWAKE).values_list("name", flat=True))


def entries_of(ladder: Ladder) -> list[str]:
    """Return the bots that may meet now."""
    away = asleep(ladder.pool) | _held_up(ladder)
    return [name for name in bots_of(ladder.pool) if name not in away]


def _held_up(ladder: Ladder) -> set[str]:
    """Return the bots of slow meetings that go on aside: there the one that thinks longest.

    Before the first unit is played it may be any of a meeting's bots but those of the house.
    """
    found: set[str] = set()
    aside = ladder.meetings.filter(is_open=False, run__finished_at=None)
    for meeting in aside.select_related("run"):
        names = [bot["name"] for bot in meeting.run.bots]
        means = [
            took / max(1, count) for count, took, *_rest in verdicts.totals(meeting.run).thinking
        ]
        found |= {names[means.index(max(means))]} if any(means) else set(names)
    return found - set(HOUSE)


def _close(meeting: Meeting) -> None:
    """Close a meeting whose run is over or slow, and cancel a run that takes too long.

    A slow run goes on aside, so that the others need not wait for its bot.
    """
    if meeting.run.finished_at is None:
        begun = meeting.run.units.filter(
            Q(attempts__gt=0, done_at=None)
            | Q(begun__isnull=False, done_at=None)
            | Q(remote_games__isnull=False)
            | Q(done_at__gte=meeting.opened_at)
        )
        if not begun.exists():  # Waiting for workers does not count as its time.
            Meeting.objects.filter(pk=meeting.pk).update(opened_at=timezone.now())
        elif meeting.opened_at < timezone.now() - MOST_TIME:
            runs.cancel_run(run_id=meeting.run_id)
        if not meeting.run.is_slow:
            return
    Meeting.objects.filter(pk=meeting.pk).update(is_open=False)


def rested_at(last: Meeting, share: float) -> datetime.datetime:
    """Return when the ladder may go on, so that it uses this share of one processor.

    Nobody rests for a slow meeting that goes on aside.
    """
    run = last.run
    if run.finished_at is None:
        return last.opened_at
    if run.units.filter(state=Unit.State.DEAD).exists():
        return run.finished_at + AFTER_TROUBLE
    if run.remote_since:
        return run.finished_at + REST_AFTER_REMOTE
    return last.opened_at + datetime.timedelta(milliseconds=run.spent / share)


def _open(ladder: Ladder, *, after_test: bool) -> None:
    """Open the ladder's next meeting; two concurrent calls open only one.

    Tests of new versions alternate with tables; tables come first for bots without any game.
    """
    ruleset, games = rulesets.thaw(ladder.ruleset), _games_of(ladder)
    entries = [(name, engine_bots.version_of(name)) for name in entries_of(ladder)]
    table = _next_table(ladder, ruleset, entries, games)
    test = _next_test(ladder, ruleset)
    is_new = any(not games[entry] for entry in entries)
    try:
        with transaction.atomic():
            if test is not None and not (table and (after_test or is_new)):
                _open_test(ladder, ruleset, *test)
            elif table:
                _open_table(ladder, ruleset, table)
    except IntegrityError:
        return


def _open_table(ladder: Ladder, ruleset: Ruleset, bots: Sequence[str]) -> None:
    if any(map(engine_bots.remembers, bots)):
        deals, design = DEALS_ONCE, "single"
    else:
        outside = any(map(engine_bots.is_outside, bots))
        deals, design = DEALS_OUTSIDE if outside else DEALS, "rotations"
    run = runs.start_run(
        ruleset=ruleset, bots=bots, deals=deals, design=design, priority=Run.Priority.LOW,
        queue=Run.Queue.LADDER,
    )  # fmt: skip
    Meeting.objects.create(ladder=ladder, run=run)


def _open_test(ladder: Ladder, ruleset: Ruleset, bots: list[str], known: Meeting | None) -> None:
    if known is None:
        run = runs.start_run(
            ruleset=ruleset, bots=bots, deals=TEST_DEALS, design="versus", effect=EFFECT,
            priority=Run.Priority.LOW, queue=Run.Queue.LADDER,
        )  # fmt: skip
        Meeting.objects.create(ladder=ladder, run=run, test=True)
        return
    runs.extend_run(run_id=known.run_id, deals=TEST_DEALS)
    Run.objects.filter(pk=known.run_id).update(spent=0, counted=0)
    Meeting.objects.filter(pk=known.pk).update(is_open=True, opened_at=timezone.now())


def _next_test(ladder: Ladder, ruleset: Ruleset) -> tuple[list[str], Meeting | None] | None:
    """Return a new version and its predecessor with their meeting; `None` if no test is due."""
    if not ruleset.min_players <= designs.table_size(2, "versus") <= ruleset.max_players:
        return None
    for name in member_bots.newest(ladder.pool):
        newest = Upload.objects.defer("body").get(name=name)
        if newest.language == Upload.REMOTE or newest.number < 2:
            continue
        versions = Upload.objects.filter(base=newest.base, number__lt=newest.number, state="sound")
        before = versions.exclude(language=Upload.REMOTE).order_by("-number")
        for other in before.values("name", "number")[:1]:
            bots = [{"name": name, "version": newest.number},
                    {"name": other["name"], "version": other["number"]}]  # fmt: skip
            met = ladder.meetings.filter(test=True, run__bots=bots).select_related("run").first()
            if met is None or _goes_on(met.run):
                return [name, other["name"]], met
    return None


def _goes_on(run: Run) -> bool:
    """Return whether a played test has no verdict yet and may be extended."""
    if run.status != Run.Status.DONE or run.verdict is not None or run.deals >= MOST_TEST_DEALS:
        return False
    return not run.units.filter(state=Unit.State.DEAD).exists()


def _next_table(
    ladder: Ladder,
    ruleset: Ruleset,
    entries: Sequence[BotVersion],
    games: Mapping[BotVersion, int],
) -> list[str]:
    """Return the most informative table of bots that may meet, or [] if all ratings are settled."""
    rows = {(row["name"], row["version"]): row for row in ladder.rows}
    out = {bot for bot, row in rows.items() if row.get("unrated") and games[bot] >= FEW_GAMES}
    left = [entry for entry in entries if entry not in out]
    known = [_known(rows.get(entry), games[entry]) for entry in left]
    if max((one.error for one in known), default=0.0) <= SETTLED:
        return []
    anchors = [at for at, (name, _version) in enumerate(left) if name in HOUSE]

    size = min(4, ruleset.max_players, len(left))
    authors = member_bots.authors([name for name, _version in left])

    def may_meet(one: int, other: int) -> bool:
        author = authors.get(left[one][0])
        return author is None or author != authors.get(left[other][0])

    # House bots meet each other first, which connects all ratings, if they fill a table.
    if len(anchors) < ruleset.min_players or all(games[left[at]] for at in anchors):
        table = table_of_most_gain(known, size, anchors, may_meet)
    else:
        table = sorted(anchors, key=lambda at: games[left[at]])[:size]
    return [left[at][0] for at in table] if len(table) >= max(2, ruleset.min_players) else []


def _known(row: dict[str, Any] | None, games: int) -> Known:
    """Return a version's rating and error, with the error adjusted for games since the last fit."""
    if games >= MOST_GAMES:
        return Known(row.get("rating", 0.0) if row else 0.0, 0.0)
    if row is None or "rating" not in row:
        return Known(0.0, UNKNOWN / (1 + games) ** 0.5)
    error = min(UNKNOWN, (row["high"] - row["low"]) / 4)
    return Known(row["rating"], error * (row["games"] / max(games, 1)) ** 0.5)


def _games_of(ladder: Ladder) -> Counter[BotVersion]:
    """Return each version's number of rated games on the ladder."""
    games: Counter[BotVersion] = Counter()
    met = ladder.meetings.filter(test=False).annotate(games=Sum("run__units__games"))
    for bots, count in met.values_list("run__bots", "games"):
        for bot in bots:
            games[bot["name"], bot["version"]] += count or 0
    return games


def ratings_of(ladder: Ladder) -> list[dict[str, Any]]:
    """Return the rating rows of all versions that played, best first, from one fit of all games.

    A version at fault in too many games is unrated, and the others are rated as if it had not
    played.
    """
    games, faults = _games_of(ladder), _faults_of(ladder)
    gone = {bot for bot in games if faults[bot] > MOST_FAULTS * games[bot]}
    zero = [(name, version) for name, version in ladder.zero]
    entries = [*zero, *(bot for bot in games if games[bot] and bot not in gone and bot not in zero)]
    number = {bot: at for at, bot in enumerate(entries)}
    deals = _deals_of(ladder)
    together = max(1, -(-len(deals) // MOST_GROUPS))
    groups: list[Counter[Order]] = [Counter() for _ in range(0, len(deals), together)]
    each: list[Counter[Order]] = []
    for place, (bots, texts) in enumerate(deals):
        counted = Counter(texts.split())
        orders = {order_of(text): count for text, count in counted.items()}
        each.append(run_ratings.renamed(orders, [number.get(bot) for bot in bots]))
        groups[place // together].update(each[-1])
    if not groups:
        return []
    rated = rate(groups, len(entries), str(ladder), SAMPLES, zero=range(len(zero)))
    helped = {
        entries[one.one]: {"helper": entries[one.helper][0], "gain": round(100 * one.gain, 1)}
        for one in reversed(partners(each, len(entries)))
    }
    rows = [
        {"name": bot[0], "version": bot[1], "games": games[bot], "faults": faults[bot]}
        | run_ratings.as_json(rating)
        | ({"partner": helped[bot]} if bot in helped else {})
        for bot, rating in zip(entries, rated, strict=True)
        if games[bot]
    ]
    out = [
        {"name": bot[0], "version": bot[1], "games": games[bot], "faults": faults[bot],
         "unrated": True}
        for bot in sorted(gone)
    ]  # fmt: skip
    return [*sorted(rows, key=lambda row: -row["rating"]), *out]


def _done(ladder: Ladder) -> Any:
    """Return the rated units: a test's table has two bots of one author, so it rates nobody."""
    done = Unit.objects.filter(run__meeting__ladder=ladder, state=Unit.State.DONE)
    return done.filter(run__meeting__test=False).order_by("run__meeting", "index")


def _deals_of(ladder: Ladder) -> list[tuple[list[BotVersion], str]]:
    """Return each played deal's bots and game orders, in the order of meetings."""
    found = []
    for bots, texts in _done(ladder).values_list("run__bots", "tally__deal_orders").iterator():
        named = [(bot["name"], bot["version"]) for bot in bots]
        found += [(named, text) for text in texts or ()]
    return found


def _faults_of(ladder: Ladder) -> Counter[BotVersion]:
    """Return each version's number of games with a fault."""
    faults: Counter[BotVersion] = Counter()
    at_fault = _done(ladder).filter(faults__gt=0).values_list("run__bots", "moments__faults")
    for bots, found in at_fault.iterator():
        for bot, _kind, games in found or ():
            faults[bots[bot]["name"], bots[bot]["version"]] += games
    return faults
