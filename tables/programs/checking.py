"""Checks of a bot: it plays against itself at every kind of table, and its faults are reported."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from engine import bots
from engine.rules.inherited import PastChop, Previous
from engine.rules.ruleset import Ruleset, preset, preset_keys, with_options
from engine.sim.faults import CRASHED, ILLEGAL, KINDS, PROTOCOL, SLOW, Conditions
from engine.sim.simulation import Block, first_instant_win, play_in_a_row
from tables.programs.apart import Alive, play_apart

GAMES = 2
SEED = "check"
HINTS = {
    ILLEGAL: 'Choose one of "legal", exactly as it stands there.',
    SLOW: "Answer sooner: think for a fixed number of steps and not until time is up.",
    CRASHED: "Catch what can fail, and try it with the cards and the rules named above.",
    PROTOCOL: (
        'Answer "hello" with {"type": "ready"} and each "turn" with one line, '
        '{"action": "…"}; flush it, and write nothing else to standard output.'
    ),
}
_SLOW_MS = 20.0


@dataclass(frozen=True)
class Situation:
    """A kind of table and the start of its first game, to produce rare events on purpose."""

    ruleset: Ruleset
    players: int
    games: int
    what: str = ""
    first: int = 0
    previous: Previous | None = None


@dataclass
class Report:
    situation: Situation
    problems: list[str] = field(default_factory=list)
    milliseconds: tuple[int, float, float] = (0, 0.0, 0.0)  # decisions, their sum, the longest


def check(name: str, *, games: int = GAMES) -> Iterator[Report]:
    """Play some games in a row at each table; raise `OurFault` if the bot cannot be started."""
    for situation in situations(games):
        yield at_table(name, situation)


def situations(games: int) -> Iterator[Situation]:
    """Yield every kind of table, and the rare situations."""
    for key in preset_keys():
        ruleset = preset(key)
        for players in range(ruleset.min_players, ruleset.max_players + 1):
            yield Situation(ruleset, players, games)
    yield from _rare()


@cache
def number_of_tables() -> int:
    """Return how many tables a bot has to pass."""
    return sum(1 for _situation in situations(1))


def _rare() -> Iterator[Situation]:
    """Yield declared instant wins, and all kinds of exchange questions."""
    placings = ((0,), (1,), (2,), (3,))
    chop = (PastChop(by=0, of=1, level=1, twos=1),)
    debt = {"exchange": ["chop_debt"], "chop_debt_cards": "any_two"}
    taken = {"exchange": ["winner_takes"]}
    killa, thirteen = preset("killa"), preset("thirteen")
    instant = first_instant_win(killa, 4, SEED)
    if instant is not None:
        yield Situation(killa, 4, 1, "instant win", first=instant)
    yield Situation(preset("family"), 4, 1, "asking for a rank", previous=Previous(placings, chop))
    lost = Previous(placings)
    yield Situation(with_options(thirteen, taken), 4, 1, "giving cards back", previous=lost)
    paid = with_options(thirteen, debt)
    yield Situation(paid, 4, 3, "paying with a 2", previous=Previous(placings, chop))


def summary(reports: list[Report], *, outside: bool) -> list[str]:
    """Return the summary of all reports: the bot's speed, and hints for its faults.

    The first decision of a program `outside` includes its start.
    """
    decisions = sum(report.milliseconds[0] for report in reports)
    lines = []
    if decisions:
        mean = sum(report.milliseconds[1] for report in reports) / decisions
        longest = max(report.milliseconds[2] for report in reports)
        lines.append(f"{decisions} decisions: {mean:.2f} ms on average, {longest:.1f} ms at most.")
        if outside:
            lines.append("The first of each game begins with the start of the program.")
        if mean > _SLOW_MS and not outside:
            lines.append(f"More than {_SLOW_MS:g} ms on average makes long tournaments slow.")
    text = "\n".join(problem for report in reports for problem in report.problems)
    lines += [HINTS[kind] for kind in KINDS if f": {kind}: " in text]
    return lines


def at_table(name: str, situation: Situation, alive: Alive = lambda: None) -> Report:
    """Play a situation's games and report problems; `alive` is called as bots answer."""
    report = Report(situation)
    first = _play(name, situation, alive)
    effects = first.tally["effects"]
    notes: dict[str, str] = {}
    for seat, kind, number, _, text, *_move in first.tally["notes"]:
        where = f"game {number - situation.first + 1}, seat {seat}"
        notes.setdefault(f"{kind}: {text}", where)
    report.problems = [f"{where}: {what}" for what, where in notes.items()]
    more = sum(count for _, _, count in effects["faults"]) - len(report.problems)
    if more:
        report.problems.append(f"and in {more} more {'seat' if more == 1 else 'seats'}")
    if not report.problems and not bots.is_outside(name) and name not in bots.LADDER:
        again = _play(name, situation, alive)
        if again.digest != first.digest:
            report.problems.append(
                "it plays the same games differently when they are played again: take all chance "
                "from random.Random(seed) and keep nothing from game to game"
            )
    thoughts = effects["thinking"]
    report.milliseconds = (
        sum(count for count, *_ in thoughts),
        sum(total for _, total, *_ in thoughts) / 1000,
        max(longest for _, _, longest, _ in thoughts) / 1000,
    )
    return report


def _play(name: str, situation: Situation, alive: Alive) -> Block:
    return play_apart(
        [name],
        lambda guard, _alive: play_in_a_row(
            situation.ruleset,
            [name] * situation.players,
            SEED,
            situation.games,
            first=situation.first,
            previous=situation.previous,
            conditions=Conditions(clock=time.perf_counter, guard=guard),
        ),
        alive,
    )
