"""Who leads, and how a trick goes, in words."""

from __future__ import annotations

from collections.abc import Iterator

from engine.ruleset import Ruleset
from engine.texts import mark as _
from league.domain.rule_text.words import Words, words

FIRST_PLAYS = {
    "any": _("The lowest card must be in that first play, in any combination."),
    "single_pair_straight": _(
        "The lowest card must be in that first play: alone, in a pair or in a straight."
    ),
    "alone": _("The lowest card must be that first play, alone."),
}
FLUSHES = {
    "always": _(
        "A straight in one suit locks the trick: only a higher one of the same length may follow."
    ),
    "choice": _(
        "Who plays a straight in one suit may lock the trick: then only a higher one of the same "
        "length may follow."
    ),
}


def leading(rules: Ruleset) -> Iterator[Words]:
    """Who leads the first trick of a game, and with what."""
    if rules.later_games_led_by == "lowest":
        yield words(_("Whoever holds the lowest card leads, in every game."))
    else:
        yield words(_("In the first game, whoever holds the lowest card leads."))
        yield words(_("After that the winner of the last game leads, with any play."))
        yield words(
            _("When somebody new has sat down, the lowest card leads again.")
            if rules.new_player_resets
            else _("When that winner has left, the lowest card leads again.")
        )
    yield words(FIRST_PLAYS[rules.first_play])
    if rules.first_play_not_pair_run:
        yield words(_("The first play of a game may not be consecutive pairs."))
    if rules.pair_run_opens:
        yield words(
            _(
                "Before the first play everybody is asked in turn, from the leader on: who opens "
                "with three consecutive pairs leads, even without the lowest card. In return three "
                "consecutive pairs never chop a single 2."
            )
        )


def playing(rules: Ruleset) -> Iterator[Words]:
    """Passing, the end of a trick and of the game."""
    yield words(_("In turn, beat what lies on the table or pass. Who leads must play."))
    if rules.pass_locks:
        yield words(_("Who passes is out until the next trick."))
        yield words(
            _(
                "When all others have passed, the last to play may go on beating their own play "
                "(tiến lên) before leading again."
            )
            if rules.forward
            else _("When all others have passed, the last to play leads again.")
        )
    else:
        yield words(_("Who passes may play again when the turn comes back."))
        yield words(_("When all others have passed in a row, the last to play leads again."))
    if rules.straight_flush_locks != "never":
        yield words(FLUSHES[rules.straight_flush_locks])
    yield words(
        _("Who runs out of cards takes the next place; if nobody beats it, the next one leads.")
    )
    if rules.all_lose:
        yield words(
            _("Whoever's last cards stay unbeaten ends the game: all others share the last place.")
        )
    yield words(_("The last one with cards has lost."))
