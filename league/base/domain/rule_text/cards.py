"""Players, cards and the deal in words."""

from collections.abc import Iterator

from engine.rules.ruleset import Ruleset
from engine.rules.texts import mark as _
from league.base.domain.rule_text.terms import runs, span
from league.base.domain.rule_text.words import Words, each, words

DIRECTIONS = {
    "clockwise": _("Play goes clockwise, to the left."),
    "counter-clockwise": _("Play goes counter-clockwise, to the right."),
}
FIRST_DEALERS = {
    "highest_cut": _("The player who cuts the highest card deals the first game."),
    "random": _("The first dealer is drawn by lot."),
    "agreed": _("The players agree who deals the first game."),
}
CARD_COUNTS = {
    "public": _("When asked, a player must say truthfully how many cards they have left."),
    "hidden": _("Nobody has to say how many cards are left."),
}


def sentences(rules: Ruleset) -> Iterator[Words]:
    """Yield the sentences on players, decks, the deal and open information."""
    counts = list(range(rules.min_players, rules.max_players + 1))
    yield words(_("For %(players)s players."), players=span(counts))
    yield from _decks(rules, counts)
    yield from _deal(rules, counts)
    yield from each(
        DIRECTIONS[rules.direction],
        FIRST_DEALERS[rules.first_dealer],
        _("After that the loser of the last game deals."),
    )
    if rules.first_card_to_winner:
        yield words(_("The first card goes to the winner of the last game."))
    yield words(CARD_COUNTS[rules.card_counts])
    if rules.lowest_cards_revealed:
        yield words(_("If the lowest card leads, all players first show their lowest card."))


def _decks(rules: Ruleset, counts: list[int]) -> Iterator[Words]:
    groups = runs([(count, rules.decks_for(count)) for count in counts])
    if all(decks == 1 for _counts, decks in groups):
        yield words(_("One deck of 52 cards."))
        return
    for players, decks in groups:
        text = (
            _("With %(players)s players, one deck of 52 cards.")
            if decks == 1
            else _("With %(players)s players two decks, shuffled together.")
        )
        yield words(text, players=span(players))
    yield from each(
        _("With two decks, a card does not beat its equal."),
        _("If two players hold the same lowest card, the one in the lower seat leads."),
        _("No combination has more than four cards of one rank."),
    )


def _deal(rules: Ruleset, counts: list[int]) -> Iterator[Words]:
    if rules.deal_all:
        yield words(
            _(
                "All cards are dealt. If they don't divide evenly, the players dealt to "
                "first get one more."
            )
        )
        return
    groups = runs([(count, rules.cards_for(count)) for count in counts])
    if len(groups) == 1:
        yield words(_("Each player gets %(cards)s cards."), cards=groups[0][1])
    for players, cards in groups if len(groups) > 1 else []:
        yield words(
            _("With %(players)s players, each gets %(cards)s cards."),
            players=span(players),
            cards=cards,
        )
    if any(rules.cards_for(count) * count < 52 * rules.decks_for(count) for count in counts):
        yield words(_("Leftover cards are set aside face down."))
