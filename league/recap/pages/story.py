"""The story of a night: everyone's points game by game, and the title that its facts allow."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import TypeAlias

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.base import texts
from league.base.domain.stored_specials import from_json
from league.models import Event, Player, Result
from league.nights.facts.final_places import Placed
from league.nights.pages.entry_form import sentences
from league.seasons.domain.scoring.points import points_for
from league.seasons.facts.standings import canonical

LEAST_STEPS, MOST_STEPS, MOST_PEOPLE = 3, 120, 60
STREAK, CLIMB = 4, 4
LEFT, TOP, APART = 28.0, 22.0, 27.0
WIDE, SMALL = (560.0, 400.0), (280.0, 220.0)
X: TypeAlias = Callable[[int], float]
Y: TypeAlias = Callable[[Fraction], float]
KEYS = ("first", "second", "third", "shown", "shown")


@dataclass(frozen=True)
class StoryChop:
    """A chop after so many steps: who chopped, and its sentence."""

    step: int
    by: int
    text: str


@dataclass(frozen=True)
class NightCourse:
    """The points after each step of everyone, best first, and what happened on the way.

    A step is a game of a round, counted over all rounds; `rounds` are the steps of each. `firsts`
    are each player's steps that brought a first place, `played` all of them.
    """

    players: list[Placed]
    sums: dict[int, list[Fraction]]
    firsts: dict[int, list[int]]
    played: dict[int, list[int]]
    rounds: list[int]
    chops: list[StoryChop]

    @property
    def steps(self) -> int:
        return sum(self.rounds)

    def leaders(self, step: int) -> set[int]:
        """Return who has most points after this step."""
        best = max(line[step] for line in self.sums.values())
        return {key for key, line in self.sums.items() if line[step] == best}

    def rank(self, player: int, step: int) -> int:
        """Return a player's rank by points after this step."""
        own = self.sums[player][step]
        return 1 + sum(line[step] > own for line in self.sums.values())


@dataclass(frozen=True)
class Streak:
    """A player's consecutive first places: how many, and the first and the last step."""

    player: int
    games: int
    begins: int
    ends: int


@dataclass(frozen=True)
class StoryLine:
    """A player's line; `kind` says how it is drawn, `y` where it ends, `label_y` its face."""

    player: Player
    kind: str
    points: str
    total: Fraction
    y: float
    label_y: float


@dataclass(frozen=True)
class Mark:
    """A chop on a line, with its sentence."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class StoryPlot:
    """Points by game: faint lines, then the named ones, best last; the streak as a bracket."""

    lines: list[StoryLine]
    marks: list[Mark]
    rounds: list[tuple[float, float, int]]
    levels: list[tuple[float, int]]
    streak: tuple[float, float, float, Streak] | None
    width: float
    height: float


@dataclass(frozen=True)
class Story:
    """A night's title, the sentence below it, and its plot; None where the points allow none.

    `small` is the same plot for a phone.
    """

    title: str
    line: str
    plot: StoryPlot | None = None
    small: StoryPlot | None = None


def story_of(event: Event, places: Sequence[Placed], *, own: Sequence[int] = ()) -> Story:
    """Return the story of a night with games; `own` are the visitor's players."""
    course = _course_of(event, places)
    winners = [place.player for place in places if place.row.rank == 1]
    if course is None:
        return Story(_first(winners), "")
    streak = longest_streak(course, winners[0].pk) if len(winners) == 1 else None
    title, line = title_of(course, winners, has_stages=event.rules_of_format.has_stages)
    plots = [plot_of(course, streak, own, size) for size in (WIDE, SMALL)]
    return Story(title, line, *plots)


def title_of(
    course: NightCourse, winners: Sequence[Player], *, has_stages: bool = False
) -> tuple[str, str]:
    """Return the first of the titles that is true, and the sentence below it.

    In this order: a streak of the winner, a lead that changed in the last two games, one from start
    to end, a comeback, a chop. Where stages decide, leads and ranks by points say nothing, and who
    won is the title.
    """
    winner = winners[0] if len(winners) == 1 else None
    last = course.steps
    if winner is not None:
        name = {"name": winner.name}
        if has_stages or course.leaders(last) != {winner.pk}:
            behind = None
        else:
            behind = next((n for n in range(last, 0, -1) if winner.pk not in course.leaders(n)), 0)
        line = _behind(course, winner.pk, behind) if behind else ""
        if streak := longest_streak(course, winner.pk):
            text = _("%(name)s came first %(n)s games in a row")
            return text % (name | {"n": streak.games}), line
        if behind is not None and behind >= last - 2 and behind:
            return _("%(name)s took the lead at the very end") % name, line
        if behind == 0 and all(course.leaders(n) == {winner.pk} for n in range(1, last + 1)):
            return _("%(name)s led from start to end") % name, ""
    half = last // 2
    climbs = {key: course.rank(key, half) - course.rank(key, last) for key in course.sums}
    best = max(climbs, key=lambda key: climbs[key])
    if climbs[best] >= CLIMB and not has_stages:
        who = next(place.player for place in course.players if place.player.pk == best)
        numbers = {"name": who.name, "from": course.rank(best, half), "to": course.rank(best, last)}
        return _("%(name)s climbed from place %(from)s to %(to)s") % numbers, _first(winners)
    first, chop = _first(winners), course.chops[-1].text if course.chops else ""
    return (chop, first) if chop and not has_stages else (first, chop)


def longest_streak(course: NightCourse, player: int) -> Streak | None:
    """Return a player's longest run of first places, if it is one to tell."""
    best, run = Streak(player, 0, 0, 0), list[int]()
    for step in course.played.get(player, []):
        run = [*run, step] if step in course.firsts.get(player, []) else []
        if len(run) > best.games:
            best = Streak(player, len(run), run[0], step)
    return best if best.games >= STREAK else None


def _behind(course: NightCourse, player: int, step: int) -> str:
    """Return how far behind the player was after this step, the last one without the lead."""
    leader = next(p.player for p in course.players if p.player.pk in course.leaders(step))
    points = course.sums[leader.pk][step] - course.sums[player][step]
    text = ngettext(
        "After game %(n)s still %(points)s point behind %(leader)s.",
        "After game %(n)s still %(points)s points behind %(leader)s.",
        1 if points == 1 else 2,
    )
    return text % {"n": step, "points": texts.points(points), "leader": leader.name}


def _first(winners: Sequence[Player]) -> str:
    names = ", ".join(player.name for player in winners[:3])
    text = ngettext("%(names)s came first", "%(names)s share first place", len(winners))
    return text % {"names": names}


def _course_of(event: Event, places: Sequence[Placed]) -> NightCourse | None:
    """Return the points by game; None where they do not add up to the night's by games alone."""
    table = event.rules_of_scoring.by_games.points_table
    if table.stake:
        return None
    results = list(
        Result.objects.filter(sitting__round__event=event, current=True, void=False)
        .select_related("sitting__round")
        .prefetch_related("placings__entrant__player__merged_into")
        .order_by("sitting__round__number", "game_no")
    )
    longest: defaultdict[int, int] = defaultdict(int)
    for one in results:
        number = one.sitting.round.number
        longest[number] = max(longest[number], one.game_no)
    rounds = [longest[number] for number in sorted(longest)]
    begins = dict(zip(sorted(longest), accumulate([0, *rounds]), strict=False))
    steps, people = sum(rounds), {place.player.pk for place in places}
    if not LEAST_STEPS <= steps <= MOST_STEPS or len(people) > MOST_PEOPLE:
        return None
    gained = {key: [Fraction(0)] * (steps + 1) for key in people}
    firsts: defaultdict[int, list[int]] = defaultdict(list)
    played: defaultdict[int, list[int]] = defaultdict(list)
    chops = []
    for one in results:
        step = begins[one.sitting.round.number] + one.game_no
        names: dict[int, Player] = {}
        for placing in one.placings.all():
            player = names[placing.entrant_id] = canonical(placing.entrant.player)
            if player.pk in gained:
                worth = points_for(table, placing.size, placing.rank, placing.tied)
                gained[player.pk][step] += worth
            played[player.pk].append(step)
            if placing.rank == 1:
                firsts[player.pk].append(step)
        of_game = [s for s in from_json(one.specials) if s.kind == "chop" and s.by in names]
        words = sentences(of_game, {key: player.name for key, player in names.items()})
        chops += [
            StoryChop(step, names[special.by or 0].pk, text)
            for special, text in zip(of_game, words, strict=True)
        ]
    sums = {key: list(accumulate(line)) for key, line in gained.items()}
    more = {place.row.points - sums[place.player.pk][-1] for place in places}
    if len(more) != 1 and not event.rules_of_format.has_stages:
        return None
    return NightCourse(list(places), sums, firsts, played, rounds, chops)


def plot_of(
    course: NightCourse, streak: Streak | None, own: Sequence[int], size: tuple[float, float]
) -> StoryPlot:
    """Return the plot of the night's points."""
    width, height = size
    apart = APART if size == WIDE else APART - 3
    most = max(max(line) for line in course.sums.values()) or Fraction(1)
    low = min(Fraction(0), min(min(line) for line in course.sums.values()))

    def x(step: int) -> float:
        return round(LEFT + step * (width - LEFT) / course.steps, 1)

    def y(points: Fraction) -> float:
        return round(TOP + float((most - points) / (most - low)) * (height - TOP), 1)

    people = [place.player for place in course.players]
    kinds = {player.pk: kind for player, kind in zip(people, KEYS, strict=False)}
    kinds |= {player.pk: "own" for player in people if player.pk in own}
    named = [player for player in people if player.pk in kinds]
    named.sort(key=lambda player: -course.sums[player.pk][-1])
    lines, lowest = [], -apart
    for player in named:
        lowest = max(y(course.sums[player.pk][-1]), lowest + apart)
        lines.append(_line(course, player, kinds[player.pk], x, y, lowest))
    rest = [player for player in people if player.pk not in kinds]
    faint = [_line(course, player, "rest", x, y, 0) for player in rest]
    ends = list(accumulate([0, *course.rounds]))
    bracket = None
    if streak is not None:
        top = y(course.sums[streak.player][streak.ends]) - 8
        bracket = (x(streak.begins), x(streak.ends), max(top, 10.0), streak)
    step = max(1, round(float(most - low) / 4 / 5) * 5 or 2)
    return StoryPlot(
        lines=[*faint, *lines[::-1]],
        marks=[
            Mark(x(chop.step), y(course.sums[chop.by][chop.step]), chop.text)
            for chop in course.chops
            if chop.by in kinds
        ],
        rounds=[(x(a), x(b) - x(a), n) for n, (a, b) in enumerate(pairwise(ends), 1)],
        levels=[(y(Fraction(value)), value) for value in range(step, int(most) + 1, step)],
        streak=bracket,
        width=width,
        height=max(height, lowest),
    )


def _line(course: NightCourse, player: Player, kind: str, x: X, y: Y, label_y: float) -> StoryLine:
    line = course.sums[player.pk]
    points = " ".join(f"{x(step)},{y(value)}" for step, value in enumerate(line))
    return StoryLine(player, kind, points, line[-1], y(line[-1]), round(label_y, 1))
