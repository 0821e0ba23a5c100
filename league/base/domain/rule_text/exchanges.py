"""Exchanges of cards before play, in words."""

from collections.abc import Iterator

from engine.rules.ruleset import Ruleset
from engine.rules.texts import mark as _
from league.base.domain.rule_text.words import Words, each, words

OWED_BY = {
    "each": _(
        "In a chain of chops that began on 2s, everyone who was chopped owes the chopper cards."
    ),
    "last": _("In a chain of chops that began on 2s, only the last player chopped owes cards."),
}
DEBT_CARDS = {
    "highest_two": _("The debt is paid with the debtor's highest 2s."),
    "any_two": _("The debt is paid with 2s that the debtor chooses."),
    "highest_card": _("The debt is paid with the debtor's highest cards."),
}
DEBT_COUNTS = {
    "stacking": _("One card for each 2 chopped at the start, plus one for each further chop."),
    "doubling": _(
        "One card for one 2 at the start, doubled for each further 2 and each further chop."
    ),
    "none": _("One card for each 2 chopped at the start, however many chops follow."),
}
FIXED = {
    "go_fish": (
        _("Go Fish: a player who chopped 2s in the last game asks the victim for a rank."),
        _(
            "The victim gives their highest card of that rank; if they have none, the "
            "asker asks again."
        ),
        _("The asker returns any card."),
        _("A counter-chop earns one card more than the chop it beat."),
    ),
    "winner_takes": (
        _("The last player gives the first their two highest cards and gets any two cards back."),
        _(
            "With four or more players, the last but one gives the second their highest "
            "card and gets any one card back."
        ),
    ),
    "twos_left": (
        _("For each 2 left in hand, the loser gives the winner a 2 in the next game."),
        _("The winner returns the same number of cards, of their choice."),
    ),
}
"""The exchanges that no option changes."""


def sentences(rules: Ruleset) -> Iterator[Words]:
    """Yield the sentences on the ruleset's exchanges in the order in which they happen."""
    if not rules.exchange:
        yield words(_("No cards change hands."))
    for key in rules.exchange:
        if key == "negotiated":
            yield from _negotiated(rules)
        elif key == "chop_debt":
            yield from _chop_debt(rules)
        else:
            yield from each(*FIXED[key])


def _negotiated(rules: Ruleset) -> Iterator[Words]:
    yield words(_("Before the first play, any two players may trade cards openly."))
    if rules.trade_equal:
        yield words(_("Both give the same number of cards."))
    else:
        yield words(
            _("Nobody may give away more than %(net)s cards beyond what they got back (0: none)."),
            net=rules.trade_net,
        )
        yield words(
            _("With 13 cards dealt, no hand may grow beyond %(hand)s cards."), hand=rules.trade_hand
        )
    if rules.trade_seconds:
        yield words(_("Time for trading, in seconds: %(seconds)s."), seconds=rules.trade_seconds)
    if rules.trading_ends_instant_wins:
        yield words(_("No instant wins in games with trading."))


def _chop_debt(rules: Ruleset) -> Iterator[Words]:
    return each(
        OWED_BY[rules.chop_debt_owed_by],
        DEBT_COUNTS[rules.chop_debt_count],
        DEBT_CARDS[rules.chop_debt_cards],
        _("The receiver returns the same number of cards, of their choice."),
    )
