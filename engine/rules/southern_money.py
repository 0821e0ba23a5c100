"""Values of cards in the money game, in units of the ruleset's settings."""

from functools import lru_cache

from .cards import TWO
from .cardset import RANK_BYTES, rank_counts
from .payments import Left
from .plays import HAS, RUN
from .ruleset import Ruleset
from .shapes import PAIR, PAIR_RUN, QUAD, QUAD_RUN, is_twos, packed_of, shape_of

BOMBS = {"PR3": 6, "Q": 4, "PR4": 8}
"""Bombs and their numbers of cards; PR4 stands for four pairs or more."""
_BLACK, _RED = (0, 1), (2, 3)


def twos_value(ruleset: Ruleset, packed: int) -> int:
    """Return the value of the 2s in a packed hand, by colour."""
    byte = packed.to_bytes(RANK_BYTES, "little")[TWO]
    if not byte:
        return 0
    money = dict(ruleset.money)
    black = sum((byte >> 2 * suit) & 3 for suit in _BLACK)
    red = sum((byte >> 2 * suit) & 3 for suit in _RED)
    return black * money["black_two"] + red * money["red_two"]


def bomb_value(ruleset: Ruleset, play: int) -> int:
    """Return the value of a beaten play: 2s by colour, bombs by kind."""
    if is_twos(play):
        return twos_value(ruleset, packed_of(play))
    money = dict(ruleset.money)
    shape = shape_of(play)
    if shape == QUAD:
        return money["quad"]
    if shape > QUAD_RUN:
        return money["quad"] * (shape - QUAD_RUN)
    return money["pair_run_3" if shape == PAIR_RUN + 3 else "pair_run_4"]


def bombs_left(ruleset: Ruleset, packed: int) -> tuple[str, ...]:
    """Return the most valuable bombs that a hand forms: `Q`, `PR3` and `PR4` (or longer)."""
    return _bombs_left(ruleset, packed)[1]


def _bombs_left(ruleset: Ruleset, packed: int) -> tuple[int, tuple[str, ...]]:
    held = packed.to_bytes(RANK_BYTES, "little")[:TWO]
    if RUN[3] not in held.translate(HAS[PAIR]) and 1 not in held.translate(HAS[QUAD]):
        return 0, ()  # Fast path for most hands.
    money = dict(ruleset.money)
    prices = money["quad"], money["pair_run_3"], money["pair_run_4"], ruleset.longest_pair_run
    if _by_colours(ruleset):
        colours = tuple(_by_colour(byte) for byte in held)
        return _best_of_colours(colours, *prices, mixed=ruleset.pair_runs_match == "any")
    counts = tuple(min(count, 4) for count in rank_counts(packed)[:TWO])
    return _best_bombs(counts, *prices)


def holds_worth(ruleset: Ruleset, packed: int) -> bool:
    """Return whether a hand has 2s or bombs of any value."""
    return bool(twos_value(ruleset, packed) or _bombs_left(ruleset, packed)[0])


def left_with(ruleset: Ruleset, packed: int) -> Left:
    """Return the cards, 2s and bombs of a hand as they are paid for; 2s belong to no bomb."""
    bombs, names = _bombs_left(ruleset, packed)
    counts = rank_counts(packed)
    apart = counts[TWO] + sum(BOMBS[name] for name in names)
    return Left(sum(counts), twos_value(ruleset, packed), bombs, apart)


@lru_cache(maxsize=4096)
def _best_bombs(
    counts: tuple[int, ...], quad: int, three: int, longer: int, longest: int
) -> tuple[int, tuple[str, ...]]:
    if not any(count >= 2 for count in counts):
        return 0, ()
    first, rest = counts[0], counts[1:]
    best = without = _best_bombs(rest, quad, three, longer, longest)
    if first == 4:
        best = max(best, (quad + without[0], ("Q", *without[1])), key=_worth)
    taken = list(counts)
    for size, count in enumerate(counts, start=1):
        if count < 2 or size > longest:
            break
        taken[size - 1] -= 2
        if size >= 3:
            worth, kind = (three, "PR3") if size == 3 else (longer, "PR4")
            # The first rank may start a second run when it holds four.
            left, kinds = _best_bombs(tuple(taken), quad, three, longer, longest)
            best = max(best, (worth + left, (kind, *kinds)), key=_worth)
    return best


def most_bombs(ruleset: Ruleset, packed: int) -> int:
    """Return the most bombs without a common card in a hand: quads and runs of three pairs.

    Colours matter where only pairs count that may be played (`instant_pairs`).
    """
    counts = rank_counts(packed)
    if ruleset.instant_pairs == "any" or not _by_colours(ruleset):
        held = tuple(min(count, 4) for count in counts[:TWO])
        return _best_bombs(held, 1, 1, 1, 3)[0] + (counts[TWO] >= 4)
    colours = tuple(_by_colour(byte) for byte in packed.to_bytes(RANK_BYTES, "little")[:TWO])
    mixed = ruleset.pair_runs_match == "any"
    return _best_of_colours(colours, 1, 1, 1, 3, mixed=mixed)[0] + (counts[TWO] >= 4)


def _by_colours(ruleset: Ruleset) -> bool:
    return "colour" in (ruleset.pairs_match, ruleset.pair_runs_match)


def _by_colour(byte: int) -> tuple[int, int]:
    """Return the numbers of black and of red cards in a rank's byte."""
    black, red = (sum((byte >> 2 * suit) & 3 for suit in suits) for suits in (_BLACK, _RED))
    return black, red


@lru_cache(maxsize=4096)
def _best_of_colours(
    held: tuple[tuple[int, int], ...],
    quad: int,
    three: int,
    longer: int,
    longest: int,
    *,
    mixed: bool,
) -> tuple[int, tuple[str, ...]]:
    """Return the best bombs if each pair, and unless `mixed` each run, is of one colour."""
    if not any(max(colours) >= 2 for colours in held):
        return 0, ()

    def rest(of: tuple[tuple[int, int], ...]) -> tuple[int, tuple[str, ...]]:
        return _best_of_colours(of, quad, three, longer, longest, mixed=mixed)

    best = without = rest(held[1:])
    if sum(held[0]) >= 4:
        best = max(best, (quad + without[0], ("Q", *without[1])), key=_worth)
    runs: list[tuple[tuple[tuple[int, int], ...], int, tuple[int, ...]]] = [(held, 0, (0, 1))]
    while runs:
        left, length, allowed = runs.pop()
        if length >= 3:
            worth, kind = (three, "PR3") if length == 3 else (longer, "PR4")
            after, kinds = rest(left)
            best = max(best, (worth + after, (kind, *kinds)), key=_worth)
        for colour in allowed if length < min(longest, len(held)) else ():
            black, red = left[length]
            if (black, red)[colour] >= 2:
                fewer = (black - 2, red) if colour == 0 else (black, red - 2)
                taken = (*left[:length], fewer, *left[length + 1 :])
                runs.append((taken, length + 1, (0, 1) if mixed else (colour,)))
    return best


def _worth(bombs: tuple[int, tuple[str, ...]]) -> tuple[int, int]:
    """Return the sort key of a choice of bombs: higher value, then fewer cards."""
    return bombs[0], -sum(BOMBS[name] for name in bombs[1])
