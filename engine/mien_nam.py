"""What cards are worth in the Southern money game, in units of the ruleset's settings."""

from __future__ import annotations

from functools import lru_cache

from engine.cards import TWO
from engine.packed import RANK_BYTES, rank_counts
from engine.plays import HAS, RUN
from engine.ruleset import Ruleset
from engine.shapes import PAIR, PAIR_RUN, QUAD, QUAD_RUN, is_twos, packed_of, shape_of

_BLACK, _RED = (0, 1), (2, 3)


def twos_value(ruleset: Ruleset, packed: int) -> int:
    """Return what the 2s among some cards are worth, black and red."""
    byte = packed.to_bytes(RANK_BYTES, "little")[TWO]
    if not byte:
        return 0
    money = dict(ruleset.money)
    black = sum((byte >> 2 * suit) & 3 for suit in _BLACK)
    red = sum((byte >> 2 * suit) & 3 for suit in _RED)
    return black * money["black_two"] + red * money["red_two"]


def bomb_value(ruleset: Ruleset, play: int) -> int:
    """Return what a beaten play is worth: 2s by colour, bombs by their kind."""
    if is_twos(play):
        return twos_value(ruleset, packed_of(play))
    money = dict(ruleset.money)
    shape = shape_of(play)
    if shape == QUAD:
        return money["quad"]
    if shape > QUAD_RUN:
        return money["quad"] * (shape - QUAD_RUN)
    return money["pair_run_3" if shape == PAIR_RUN + 3 else "pair_run_4"]


def bombs_left_value(ruleset: Ruleset, packed: int) -> int:
    """Return the most that quads and pair runs without a common card are worth in a hand.

    2s are counted by themselves, so they belong to no bomb here.
    """
    return _bombs_left(ruleset, packed)[0]


def bombs_left(ruleset: Ruleset, packed: int) -> tuple[str, ...]:
    """Return the bombs of a hand that are worth the most: `Q`, `PR3` and `PR4` (or longer)."""
    return _bombs_left(ruleset, packed)[1]


def _bombs_left(ruleset: Ruleset, packed: int) -> tuple[int, tuple[str, ...]]:
    held = packed.to_bytes(RANK_BYTES, "little")[:TWO]
    if RUN[3] not in held.translate(HAS[PAIR]) and 1 not in held.translate(HAS[QUAD]):
        return 0, ()  # Most hands: said at once.
    money = dict(ruleset.money)
    counts = tuple(min(count, 4) for count in rank_counts(packed)[:TWO])
    return _best_bombs(
        counts, money["quad"], money["pair_run_3"], money["pair_run_4"], ruleset.longest_pair_run
    )


def cong_value(ruleset: Ruleset, packed: int) -> int:
    """Return what a player who never played pays: the fixed sum and the 2s and bombs he holds."""
    held = twos_value(ruleset, packed) + bombs_left_value(ruleset, packed)
    return dict(ruleset.money)["cong"] + held


def left_over_payments(ruleset: Ruleset, packed: int) -> list[tuple[int, str]]:
    """Return (units, reason) for what the last player still holds (thối)."""
    return [
        (twos_value(ruleset, packed), "twos_left"),
        (bombs_left_value(ruleset, packed), "bombs_left"),
    ]


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


def _worth(bombs: tuple[int, tuple[str, ...]]) -> int:
    return bombs[0]
