"""What may be played, in words."""

from __future__ import annotations

from collections.abc import Iterator

from engine.ruleset import Ruleset
from engine.texts import mark as _
from league.domain.rule_text.words import Words, words


def sentences(rules: Ruleset) -> Iterator[Words]:
    """The order of the cards, the combinations and what beats what."""
    yield words(_("Low to high: 3 4 5 6 7 8 9 10 J Q K A 2; of one rank ♠ ♣ ♦ ♥."))
    yield words(_("Singles, pairs, triples, four of a kind, and straights of three cards or more."))
    yield _pair_runs(rules)
    if rules.quad_runs:
        yield words(_("Two or more consecutive quads are a combination too."))
    yield words(
        _("A straight may end with a 2: Q K A 2. It never starts with one.")
        if rules.twos_top_straights
        else _("No 2 in a straight: the ace is its highest card.")
    )
    yield _twos_in_pair_runs(rules)
    yield words(
        _("A play is beaten by the same kind, as long, with a higher top card; all else is a chop.")
    )


def _pair_runs(rules: Ruleset) -> Words:
    if rules.longest_pair_run == 3:
        return words(_("3 consecutive pairs, never more."))
    if rules.longest_pair_run < 13:
        return words(
            _("3 to %(longest)s consecutive pairs, never more."), longest=rules.longest_pair_run
        )
    return words(_("3 or more consecutive pairs."))


def _twos_in_pair_runs(rules: Ruleset) -> Words:
    if rules.quad_runs:
        return words(
            _("Consecutive pairs and quads may end with 2s.")
            if rules.twos_top_pair_runs
            else _("No 2s in consecutive pairs or quads.")
        )
    return words(
        _("Consecutive pairs may end with a pair of 2s.")
        if rules.twos_top_pair_runs
        else _("No 2s in consecutive pairs.")
    )
