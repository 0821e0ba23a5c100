"""What is paid, in words; amounts are in stakes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.ruleset import Ruleset
from engine.texts import mark as _
from league.domain.rule_text.words import Words, words


def sentences(rules: Ruleset) -> Iterator[Words]:
    """The payments of the ruleset's betting scheme."""
    yield from _OF[rules.betting](rules)


def _none(_rules: Ruleset) -> Iterator[Words]:
    yield words(_("Nothing is paid."))


def _points(_rules: Ruleset) -> Iterator[Words]:
    yield words(_("Nothing is paid: each place earns points."))


def _loser_pays_winner(_rules: Ruleset) -> Iterator[Words]:
    yield words(_("Counted in stakes."))
    yield words(_("The last pays the first 1."))
    yield words(_("Whose single 2, pair of 2s or led bomb is chopped pays the chopper 1."))
    yield words(_("A chop on a chop: that payment lapses, and who is beaten pays 2."))
    yield words(_("Beating one's own play costs nothing."))


def _loser_pays_all(_rules: Ruleset) -> Iterator[Words]:
    yield words(_("Counted in stakes."))
    yield words(_("The last pays each of the others 1."))


def _mien_nam(rules: Ruleset) -> Iterator[Words]:
    amounts = dict(rules.money)
    yield words(_("Counted in stakes."))
    yield words(_("The last pays the first %(loser)s."), loser=amounts["loser"])
    yield words(_("With four, the third pays the second %(third)s."), third=amounts["third"])
    yield words(
        _("Values: a black 2 = %(black)s, a red 2 = %(red)s, 3 consecutive pairs = %(three)s, "
          "four of a kind = %(quad)s, 4 or more consecutive pairs = %(four)s."),
        black=amounts["black_two"], red=amounts["red_two"], three=amounts["pair_run_3"],
        quad=amounts["quad"], four=amounts["pair_run_4"],
    )  # fmt: skip
    yield words(
        _("Chop: who is beaten last in a chain pays the chopper the value of all that was beaten.")
    )
    yield words(
        _("Cóng: who has played nothing when the first goes out pays the first %(cong)s and the "
          "value of the 2s and bombs held; payments for that place lapse."),
        cong=amounts["cong"],
    )  # fmt: skip
    yield words(
        _("Thối: the last pays the first the value of the 2s and bombs left in hand, unless cóng.")
    )
    if rules.plays_instant_wins():
        yield _instant_win(rules, amounts["instant_win"])


def _instant_win(rules: Ruleset, amount: int) -> Words:
    if rules.instant_win_then == "end":
        return words(
            _("Instant win: each other player pays the winner %(amount)s and nothing else."),
            amount=amount,
        )
    return words(_("An instant win is paid like any first place."))


_OF: dict[str, Callable[[Ruleset], Iterator[Words]]] = {
    "none": _none,
    "points": _points,
    "loser_pays_winner": _loser_pays_winner,
    "loser_pays_all": _loser_pays_all,
    "mien_nam": _mien_nam,
}
