"""Combinations in words."""

from collections.abc import Iterator

from engine.rules.ruleset import Ruleset
from engine.rules.texts import mark as _
from league.base.domain.rule_text.labels import CHOICES
from league.base.domain.rule_text.words import Words, each, row_of, words


def sentences(rules: Ruleset) -> Iterator[Words]:
    """Yield the sentences on the order of cards, the combinations and beating."""
    yield from each(
        _("Low to high: 3 4 5 6 7 8 9 10 J Q K A 2; of one rank ♠ ♣ ♦ ♥."),
        _("Singles, pairs, triples, four of a kind, and straights of three cards or more."),
    )
    yield _pair_runs(rules)
    if rules.quad_runs:
        yield words(_("Two or more consecutive fours of a kind are a combination too."))
    yield words(
        _("A straight may end with a 2: Q K A 2. It never starts with one.")
        if rules.twos_top_straights
        else _("No 2 in a straight: the ace is its highest card.")
    )
    yield _twos_in_pair_runs(rules)
    yield from _matching(rules)
    yield words(
        _(
            "To beat a play you need the same kind, the same length and a higher top "
            "card. Anything else is a chop."
        )
    )


def _matching(rules: Ruleset) -> Iterator[Words]:
    """Yield the sentences on combinations of one colour or suit."""
    if rules.pairs_match == "colour":
        yield words(
            _("A pair is of one colour, ♠♣ or ♦♥, also in consecutive pairs; 2s may be any two.")
        )
    if rules.straights_match == "suit":
        yield words(_("A straight is of one suit."))
    if rules.pair_runs_match == "colour":
        yield words(_("Consecutive pairs are all of one colour."))
    if rules.answers_match:
        yield words(
            _(
                "A play is beaten in its own suits only: the same suit for a single or a straight, "
                "the same colour for a pair, the same suits for a triple. 2s and bombs may be of "
                "any suits."
            )
        )
        if rules.answers_free:
            kinds = row_of([words(CHOICES["answers_free"][kind]) for kind in rules.answers_free])
            yield words(_("These are beaten in any suits all the same: %(kinds)s."), kinds=kinds)


def _pair_runs(rules: Ruleset) -> Words:
    if rules.longest_pair_run < 3:
        return words(_("There are no consecutive pairs."))
    if rules.longest_pair_run == 3:
        return words(_("Exactly 3 consecutive pairs, no more."))
    if rules.longest_pair_run < 13:
        return words(
            _("3 to %(longest)s consecutive pairs, no more."), longest=rules.longest_pair_run
        )
    return words(_("3 or more consecutive pairs."))


def _twos_in_pair_runs(rules: Ruleset) -> Words:
    if rules.quad_runs:
        return words(
            _("Consecutive pairs and fours of a kind may end with 2s.")
            if rules.twos_top_pair_runs
            else _("No 2s in consecutive pairs or fours of a kind.")
        )
    return words(
        _("Consecutive pairs may end with a pair of 2s.")
        if rules.twos_top_pair_runs
        else _("No 2s in consecutive pairs.")
    )
