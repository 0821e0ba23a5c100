"""Instant wins in words."""

from collections.abc import Iterator

from engine.rules.ruleset import Ruleset
from engine.rules.texts import mark as _
from league.base.domain.rule_text.terms import INSTANT_WINS
from league.base.domain.rule_text.words import Words, row_of, words

DECLARED = {
    "choice": _("A player who has one may declare it or play on."),
    "automatic": _("A player who has one must show it: it always counts."),
}
THEN = {
    "play_on": _("The instant win takes first place; the others play on for the rest."),
    "end": _("The game ends; everyone else shares the places behind."),
    "end_without_betting": _(
        "The game ends and everyone else shares the places behind; if there are "
        "payments, the others play on."
    ),
}
PAIRS = {
    "playable": _("Its pairs and runs of pairs must be playable."),
    "one_colour": _("Its pairs must all be of one colour."),
}
ORDER = {
    "listed": _(
        "If several players have one, the hand listed first here wins; equal hands go by "
        "turn order."
    ),
    "listed-hand": _(
        "If several players have one, the hand listed first here wins; of two equal ones, the one "
        "with the higher cards."
    ),
    "previous_placings": _(
        "If several players have one, the one who placed better in the last game comes first; "
        "in a first game, turn order decides."
    ),
    "top_pair": _(
        "If several players have one, only one wins: four 2s, otherwise the highest pair."
    ),
}
LEAD = {
    "usual": _("If the player due to lead has an instant win, the next player leads."),
    "lowest": _("Then the player with the lowest remaining card leads with it."),
}


def sentences(rules: Ruleset) -> Iterator[Words]:
    """Yield the sentences on instant-win hands and their consequences."""
    if not rules.plays_instant_wins():
        yield words(
            _("None, because cards are traded.") if rules.instant_wins else _("No instant wins.")
        )
        return
    hands = row_of([words(INSTANT_WINS[name]) for name in rules.instant_wins])
    yield words(_("A 13-card hand is an instant win with: %(hands)s."), hands=hands)
    if rules.instant_pairs != "any":
        yield words(PAIRS[rules.instant_pairs])
    yield words(DECLARED[rules.instant_wins_declared])
    then = "end" if rules.game_ends == "first_out" else rules.instant_win_then
    yield words(THEN[then])
    by_hand = rules.instant_win_order == "listed" and rules.instant_win_ties == "hand"
    yield words(ORDER["listed-hand" if by_hand else rules.instant_win_order])
    if then != "end":
        yield words(LEAD[rules.instant_win_lead])
    if rules.exchange:
        yield from _after_exchanges(rules)


def _after_exchanges(rules: Ruleset) -> Iterator[Words]:
    if {"go_fish", "negotiated"} & set(rules.exchange):
        yield words(
            _("A player who gave or took a card may declare only the ultimate dragon (3♠ to A♥).")
            if rules.ultimate_dragon_by_trade
            else _("A player who gave or took a card may not declare an instant win.")
        )
    if {"chop_debt", "twos_left"} & set(rules.exchange):
        yield words(_("A player who owes cards may not claim four 2s."))
