"""Instant wins in words."""

from __future__ import annotations

from collections.abc import Iterator

from engine.ruleset import Ruleset
from engine.texts import mark as _
from league.domain.rule_text.terms import INSTANT_WINS
from league.domain.rule_text.words import Words, row_of, words

DECLARED = {
    "choice": _("Whoever holds one may declare it or play on."),
    "automatic": _("Whoever holds one shows it: it always counts."),
}
THEN = {
    "play_on": _("It takes first place at once; the others play on for the rest."),
    "end": _("It ends the game; all others share the places behind."),
    "end_without_betting": _(
        "It ends the game, all others sharing the places behind; with payments at stake the others "
        "play on."
    ),
}
ORDER = {
    "listed": _("Of several, the one named first here is best; equal ones go by turn."),
    "previous_placings": _("Of several, whoever placed better in the last game comes first."),
    "top_pair": _("Of several only one wins: four 2s, else the highest pair."),
}
LEAD = {
    "usual": _("If the one to lead is out by it, the next one leads."),
    "lowest": _("Then whoever holds the lowest card left leads with it."),
}


def sentences(rules: Ruleset) -> Iterator[Words]:
    """Which dealt hands win, and what happens then."""
    if not rules.plays_instant_wins():
        yield words(
            _("None, because cards are traded.")
            if rules.instant_wins
            else _("No hand wins as dealt.")
        )
        return
    hands = row_of([words(INSTANT_WINS[name]) for name in rules.instant_wins])
    yield words(_("A hand of 13 cards wins as dealt with: %(hands)s."), hands=hands)
    yield words(DECLARED[rules.instant_wins_declared])
    yield words(THEN[rules.instant_win_then])
    yield words(ORDER[rules.instant_win_order])
    if rules.instant_win_then != "end":
        yield words(LEAD[rules.instant_win_lead])
    if rules.exchange:
        yield from _after_exchanges(rules)


def _after_exchanges(rules: Ruleset) -> Iterator[Words]:
    if {"go_fish", "negotiated"} & set(rules.exchange):
        yield words(
            _("Who gave or took a card may declare only the ultimate dragon (3♠ to A♥).")
            if rules.ultimate_dragon_by_trade
            else _("Who gave or took a card may not declare any.")
        )
    if {"chop_debt", "twos_left"} & set(rules.exchange):
        yield words(_("Who owes cards may not claim four 2s."))
