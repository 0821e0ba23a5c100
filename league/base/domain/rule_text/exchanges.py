"""Exchanges of cards before play, in words."""

from collections.abc import Callable, Iterator

from engine.rules.ruleset import Ruleset
from engine.rules.texts import mark as _
from league.base.domain.rule_text.words import Words, words

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


def sentences(rules: Ruleset) -> Iterator[Words]:
    """Yield the sentences on the ruleset's exchanges in the order in which they happen."""
    if not rules.exchange:
        yield words(_("No cards change hands."))
    for key in rules.exchange:
        yield from _OF[key](rules)


def _go_fish(_rules: Ruleset) -> Iterator[Words]:
    yield words(_("Go Fish: a player who chopped 2s in the last game asks the victim for a rank."))
    yield words(
        _(
            "The victim gives their highest card of that rank; if they have none, the "
            "asker asks again."
        )
    )
    yield words(_("The asker returns any card."))
    yield words(_("A counter-chop earns one card more than the chop it beat."))


def _winner_takes(_rules: Ruleset) -> Iterator[Words]:
    yield words(
        _("The last player gives the first their two highest cards and gets any two cards back.")
    )
    yield words(
        _(
            "With four or more players, the last but one gives the second their highest "
            "card and gets any one card back."
        )
    )


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
    yield words(OWED_BY[rules.chop_debt_owed_by])
    yield words(DEBT_COUNTS[rules.chop_debt_count])
    yield words(DEBT_CARDS[rules.chop_debt_cards])
    yield words(_("The receiver returns the same number of cards, of their choice."))


def _twos_left(_rules: Ruleset) -> Iterator[Words]:
    yield words(_("For each 2 left in hand, the loser gives the winner a 2 in the next game."))
    yield words(_("The winner returns the same number of cards, of their choice."))


_OF: dict[str, Callable[[Ruleset], Iterator[Words]]] = {
    "go_fish": _go_fish,
    "winner_takes": _winner_takes,
    "negotiated": _negotiated,
    "chop_debt": _chop_debt,
    "twos_left": _twos_left,
}
