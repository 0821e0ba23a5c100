"""Exchanges owed from one game to the next, as a list of steps."""

from collections.abc import Iterator

from .inherited import ASK, GIVE, HIGHEST, MOVE, RETURN, TWOS, PastChop, Previous, Step
from .ruleset import Ruleset


def exchange_steps(ruleset: Ruleset, previous: Previous | None) -> list[Step]:
    """Return the steps owed from the previous game, in the order of the ruleset's `exchange`."""
    if previous is None:
        return []
    steps: list[Step] = []
    for key in ruleset.exchange:
        if key == "go_fish":
            steps += _go_fish(previous)
        elif key == "winner_takes":
            steps += _winner_takes(previous)
        elif key == "chop_debt":
            steps += _chop_debt(ruleset, previous)
        elif key == "twos_left":
            steps += _twos_left(previous)
    return steps


def debtors(steps: list[Step]) -> int:
    """Return, as bits, the seats that owe cards by `chop_debt` or `twos_left`."""
    found = 0
    for step in steps:
        if step.do == MOVE and step.back:
            found |= 1 << step.other
        elif step.do == GIVE:
            found |= 1 << step.seat
    return found


def chains(chops: tuple[PastChop, ...]) -> Iterator[list[PastChop]]:
    """Yield the chains of a game: a chop of level 1 and the chops of rising level after it."""
    chain: list[PastChop] = []
    for chop in chops:
        if chop.level == 1 or not chain:
            if chain:
                yield chain
            chain = []
        chain.append(chop)
    if chain:
        yield chain


def _owed(previous: Previous, chop: PastChop) -> bool:
    return chop.by != chop.of and not {chop.by, chop.of} & previous.gone


def _chains_on_twos(previous: Previous) -> Iterator[list[PastChop]]:
    return (chain for chain in chains(previous.chops) if chain[0].level == 1 and chain[0].twos)


def _go_fish(previous: Previous) -> list[Step]:
    return [
        Step(ASK, chop.by, chop.of)
        for chain in _chains_on_twos(previous)
        for chop in chain
        if _owed(previous, chop)
        for _ in range(chop.level)
    ]


def _winner_takes(previous: Previous) -> list[Step]:
    if any(len(group) > 1 for group in previous.placings):
        return []
    order = [group[0] for group in previous.placings]
    pairs = [(order[0], order[-1], 2)]
    if len(order) >= 4:
        pairs.append((order[1], order[-2], 1))
    pairs = [pair for pair in pairs if not {pair[0], pair[1]} & previous.gone]
    takes = [Step(MOVE, high, low, count, back=False) for high, low, count in pairs]
    return takes + [Step(RETURN, high, low, count) for high, low, count in pairs]


def _chop_debt(ruleset: Ruleset, previous: Previous) -> list[Step]:
    steps = []
    for chain in _chains_on_twos(previous):
        by_others = [chop for chop in chain if chop.by != chop.of]
        counted = by_others if ruleset.chop_debt_owed_by == "each" else by_others[-1:]
        for chop in counted:
            if _owed(previous, chop):
                count = _debt_size(ruleset, chain[0].twos, chop.level)
                steps.append(_debt_step(ruleset, chop, count))
    return steps


def _debt_size(ruleset: Ruleset, twos: int, level: int) -> int:
    if ruleset.chop_debt_count == "none":
        return twos
    extra = twos + level - 2
    return 1 << extra if ruleset.chop_debt_count == "doubling" else extra + 1


def _debt_step(ruleset: Ruleset, chop: PastChop, count: int) -> Step:
    if ruleset.chop_debt_cards == "any_two":
        return Step(GIVE, chop.of, chop.by, count)
    what = TWOS if ruleset.chop_debt_cards == "highest_two" else HIGHEST
    return Step(MOVE, chop.by, chop.of, count, what)


def _twos_left(previous: Previous) -> list[Step]:
    winner = previous.placings[0][0]
    return [
        Step(MOVE, winner, loser, previous.twos_left[loser], TWOS)
        for loser in previous.placings[-1]
        if previous.twos_left
        and previous.twos_left[loser]
        and loser != winner
        and not {winner, loser} & previous.gone
    ]
