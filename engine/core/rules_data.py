"""A ruleset as one flat array for the kernels, made from the readable engine's tables."""

from functools import cache, lru_cache
from itertools import product

from ..rules.cardset import BYTE_SIZE
from ..rules.plays import subsets
from ..rules.rule_tables import Chops, table
from ..rules.ruleset import KINDS, Ruleset, long_straights
from .kernels import layout

_FIRST_KINDS = {"any": 0, "alone": 1, "single_pair_straight": 2}
_WINS = {
    "four_twos": layout.FOUR_TWOS,
    "one_suit": layout.DRAGONS,
    "ultimate_dragon": layout.DRAGONS,
    "dragon": layout.DRAGONS,
    "dragon_to_ace": layout.DRAGONS,
    "three_consecutive_triples": layout.THREE_TRIPLES,
    "six_consecutive_pairs": layout.FIVE_PAIRS_IN_A_ROW,
    "five_consecutive_pairs": layout.FIVE_PAIRS_IN_A_ROW,
    "four_triples": layout.THREE_TRIPLES,
    "three_triples": layout.THREE_TRIPLES,
    "one_colour": layout.ONE_COLOUR,
    "six_pairs": layout.SIX_PAIRS,
    "four_threes": layout.FOUR_THREES,
    "two_bombs": layout.TWO_BOMBS,
    "three_pairs_with_three_spades": layout.THREE_PAIRS,
}


def fits(ruleset: Ruleset) -> bool:
    """Return whether the kernels can play a ruleset: no opening out of turn, no trick locks."""
    return not ruleset.pair_run_opens and ruleset.straight_flush_locks == "never"


@lru_cache(maxsize=64)
def rules_data(ruleset: Ruleset, players: int) -> tuple[int, ...]:
    """Return a ruleset's tables for this number of players, laid out as in `kernels.layout`."""
    ready = table(ruleset)
    generator = ready.generator
    rows: dict[tuple[int, ...], int] = {(): 0}
    decks = ruleset.decks_for(players)
    facts = [0] * 32
    for at, fact in (
        (layout.STRAIGHT_END, generator.straight_end),
        (layout.PAIR_END, generator.pair_end),
        (layout.LONGEST, generator.longest),
        (layout.QUAD_RUNS, generator.quad_runs),
        (layout.FORWARD, ready.forward),
        (layout.PASS_LOCKS, ruleset.pass_locks),
        (layout.ALL_LOSE, ruleset.all_lose),
        (layout.FIRST_KINDS, _FIRST_KINDS[ruleset.first_play]),
        (layout.FIRST_NO_PAIR_RUN, ruleset.first_play_not_pair_run),
        (layout.DECKS, decks),
        (layout.DEALT, 52 * decks if ruleset.deal_all else ruleset.cards_for(players) * players),
        (layout.INSTANT_WINS, _wins(ruleset)),
        (layout.HIDES_COUNTS, ruleset.card_counts != "public"),
        (layout.FIRST_OUT_ENDS, ready.first_out_ends),
        (layout.LEFT_COUNTS, _left_counts(ruleset)),
        (layout.UNBEATEN, min(ready.unbeaten, default=0) >> 2),
        (layout.PAIRS_MATCH, ruleset.pairs_match == "colour"),
        (layout.STRAIGHTS_MATCH, ruleset.straights_match == "suit"),
        (layout.PAIR_RUNS_MATCH, ruleset.pair_runs_match == "colour"),
        (layout.ANSWERS_MATCH, _answers_match(ruleset)),
        (layout.MATCHED, ready.matched),
        (layout.LAST_NO_TWOS, ruleset.last_play == "no_twos"),
        (layout.NO_BOMBS_LEAD, not ruleset.bombs_lead),
        (layout.PARTICULAR, ready.matched or ready.restricted),
        (layout.TWOS_LOSE, ruleset.last_play == "twos_lose"),
        (layout.THREE_SPADES, ruleset.three_spades_last),
        (layout.LONG_STRAIGHTS, long_straights(ruleset)),
    ):
        facts[at - layout.FACTS] = int(fact)
    by_code = _by_code(ready.chops, rows, 0) + _by_code(ready.locked_out, rows, -1)
    flat = [*_subsets_of_bytes(), *by_code, *facts, *_die_base()]
    for shapes in rows:
        flat += [len(shapes), *shapes, *[0] * (layout.ROW - 1 - len(shapes))]
    return tuple(flat)


def _answers_match(ruleset: Ruleset) -> int:
    """Return the kinds that are beaten in their own suits only, as bits."""
    bound = [kind not in ruleset.answers_free for kind in KINDS]
    return sum(bit << number for number, bit in enumerate(bound)) if ruleset.answers_match else 0


def _left_counts(ruleset: Ruleset) -> int:
    if ruleset.winner_doubles:
        return 3
    if ruleset.last_play == "twos_lose" or ruleset.three_spades_last:
        return 2
    if ruleset.betting != "mien_nam":
        return 0
    return 2 if ruleset.losers_pay == "cards" or ruleset.most_paid else 1


def _wins(ruleset: Ruleset) -> int:
    if not ruleset.plays_instant_wins():
        return 0
    kinds = 0
    for name in ruleset.instant_wins:
        kinds |= _WINS[name]
    return kinds


def _by_code(chops: Chops, rows: dict[tuple[int, ...], int], without: int) -> list[int]:
    """Return, by code, the number of its row of shapes, or `without` if it has none."""
    found = [without] * 4096
    for code, shapes in chops.items():
        found[code] = rows.setdefault(shapes, len(rows))
    return found


@cache
def _subsets_of_bytes() -> list[int]:
    counts = [0] * (5 * 256)
    cards = [0] * (5 * 256 * 20)
    tops = [0] * (5 * 256 * 20)
    for suits in product(range(3), repeat=4):
        byte = sum(count << 2 * suit for suit, count in enumerate(suits))
        for size in range(1, 5):
            row = size * 256 + byte
            for i, (top, packed) in enumerate(subsets(byte, size)):
                counts[row] = i + 1
                cards[20 * row + i] = packed
                tops[20 * row + i] = top
    return [*counts, *cards, *tops, *BYTE_SIZE]


@cache
def _die_base() -> list[int]:
    """Return the state that every seeding of MT19937 begins with: init_genrand(19650218)."""
    words = [19650218]
    for number in range(1, 624):
        last = words[-1]
        words.append(1812433253 * (last ^ last >> 30) + number & 0xFFFFFFFF)
    return words
