"""The names of combinations, targets and instant wins."""

from engine.rules.texts import mark as _
from league.base.domain.rule_text.words import Value, Words, any_of, words

TWOS = {
    "one_two": _("a single 2"),
    "two_twos": _("a pair of 2s"),
    "three_twos": _("three 2s"),
    "four_twos": _("four 2s"),
}
INSTANT_WINS = {
    "four_twos": _("four 2s"),
    "one_suit": _("3 to ace in one suit"),
    "ultimate_dragon": _("3 to ace, including 3♠ and A♥"),
    "dragon": _("one card of every rank, 3 to 2"),
    "dragon_to_ace": _("one card of every rank, 3 to ace"),
    "three_consecutive_triples": _("three consecutive triples"),
    "six_consecutive_pairs": _("six consecutive pairs without 2s"),
    "five_consecutive_pairs": _("five consecutive pairs without 2s"),
    "four_triples": _("four triples"),
    "three_triples": _("three triples"),
    "one_colour": _("all red or all black cards"),
    "six_pairs": _("six pairs"),
    "four_threes": _("four 3s, in the first game only"),
    "two_bombs": _("two bombs without a common card"),
    "three_pairs_with_three_spades": _("3-3 4-4 5-5 with 3♠, in the first game only"),
}
WINNER_DOUBLES = {
    "three_spades": _("with 3♠ alone"),
    "bomb": _("with a bomb"),
    "sweep": _("before anyone else has played a card"),
}
EXCHANGES = {
    "go_fish": _("Go Fish: the chopper asks the victim for cards"),
    "winner_takes": _("First and second take cards from the last two"),
    "negotiated": _("Free open trading"),
    "chop_debt": _("A chopped player owes cards"),
    "twos_left": _("The loser owes the 2s left in hand"),
}


def combination(name: str) -> Words:
    """Return the words for a name of the chop table: `Q`, `PR4`, `PR3+`, `QR2`, or a `TWOS` key."""
    if name in TWOS:
        return words(TWOS[name])
    if name == "Q":
        return words(_("four of a kind"))
    if name.startswith("S"):
        return words(_("a straight of %(count)s cards or more"), count=int(name[1]))
    kind, count = name[:2], name[2:].rstrip("+")
    if name.endswith("+"):
        return words(_("%(count)s or more consecutive pairs"), count=int(count))
    if kind == "PR":
        return pair_runs([int(count)])
    return words(_("%(count)s consecutive fours of a kind"), count=int(count))


def pair_runs(lengths: list[int]) -> Words:
    """Return the words for pair runs of these lengths: "3, 4 or 5 consecutive pairs"."""
    return words(_("%(count)s consecutive pairs"), count=any_of([*lengths]))


def short(name: str) -> Words:
    """Return the short words for a chop, for the head of a narrow column."""
    if name == "Q":
        return words(_("Four of a kind"))
    if name.startswith("S"):
        return words(_("Straight of %(count)s"), count=name[1:])
    kind, count = name[:2], name[2:]
    return words(
        _("%(count)s pairs") if kind == "PR" else _("%(count)s fours of a kind"), count=count
    )


def span(counts: list[int]) -> Value:
    """Return a single number, or "2 to 4" for consecutive numbers."""
    if len(counts) == 1:
        return counts[0]
    return words(_("%(least)s to %(most)s"), least=counts[0], most=counts[-1])


def runs(pairs: list[tuple[int, int]]) -> list[tuple[list[int], int]]:
    """Group neighbouring counts that share a value: [([2, 3, 4], 13), ([5], 10)]."""
    found: list[tuple[list[int], int]] = []
    for count, value in pairs:
        if found and found[-1][1] == value:
            found[-1][0].append(count)
        else:
            found.append(([count], value))
    return found
