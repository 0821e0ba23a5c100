"""Leads and tricks in words."""

from collections.abc import Iterator
from typing import assert_never

from engine.rules.ruleset import Ruleset
from engine.rules.texts import mark as _
from league.base.domain.rule_text.words import Words, each, words

FIRST_PLAYS = {
    "any": _("The lowest card must be in that first play, in any combination."),
    "single_pair_straight": _(
        "The lowest card must be in that first play: alone, in a pair or in a straight."
    ),
    "alone": _("The lowest card must be that first play, alone."),
}
FLUSHES = {
    "always": _(
        "A straight flush locks the trick: only a higher straight flush of the same "
        "length may follow."
    ),
    "choice": _(
        "The player of a straight flush may lock the trick: then only a higher one of "
        "the same length may follow."
    ),
}


OPENINGS = {
    "three_pairs": _(
        "Before the first play, each player is asked in turn, starting with the leader. A player "
        "who opens with three consecutive pairs leads, even without the lowest card. In return, "
        "three consecutive pairs never chop a single 2."
    ),
    "chops": _(
        "Before the first play, each player is asked in turn, starting with the leader. A player "
        "who opens with a chop leads, even without the lowest card. In return, three consecutive "
        "pairs never chop a single 2."
    ),
}


def leading(rules: Ruleset) -> Iterator[Words]:
    """Yield the sentences on the lead of a game and the first play."""
    match rules.later_games_led_by:
        case "lowest":
            yield words(_("In every game, the player with the lowest card leads."))
        case "winner":
            yield from each(
                _("In the first game, the player with the lowest card leads."),
                _("After that, the winner of the last game leads, with any play."),
            )
            yield words(
                _("When a new player sits down, the lowest card leads again.")
                if rules.new_player_resets
                else _("When that winner has left, the lowest card leads again.")
            )
        case other:
            assert_never(other)
    yield words(FIRST_PLAYS[rules.first_play])
    if rules.first_play_not_pair_run:
        yield words(_("The first play of a game may not be consecutive pairs."))
    if rules.pair_run_opens:
        yield words(OPENINGS[rules.opened_with])


def playing(rules: Ruleset) -> Iterator[Words]:
    """Yield the sentences on passing, the end of a trick and the end of the game."""
    yield words(_("In turn, each player beats the last play or passes. The leader must play."))
    if rules.pass_locks:
        yield words(_("A player who passes is out until the next trick."))
        yield words(
            _(
                "When everyone else has passed, the last player may go on beating "
                "their own play (tiến lên) before leading again."
            )
            if rules.forward
            else _("When everyone else has passed, the last player leads again.")
        )
    else:
        yield from each(
            _("A player who passes may play again when their turn comes round."),
            _("When everyone else has passed in a row, the last player leads again."),
        )
    if rules.straight_flush_locks != "never":
        yield words(FLUSHES[rules.straight_flush_locks])
    if not rules.bombs_lead:
        yield words(_("Four of a kind and consecutive pairs may not be led."))
    if rules.last_play == "no_twos":
        yield words(
            _("Nobody may go out with a 2, unless it is a player's only card and they must lead.")
        )
    if rules.last_play == "twos_lose":
        yield words(
            _(
                "A player who goes out on 2s loses: the game ends, and all others share first "
                "place. Four 2s are an ordinary last play."
            )
        )
    if rules.three_spades_last:
        yield words(
            _(
                "Đút 3 bích: a player who has only 3♠ left wins at once if everyone passes. Who "
                "beats that play catches 3♠ and wins."
            )
        )
    if rules.game_ends == "first_out":
        yield words(
            _(
                "The first player to run out of cards wins and the game ends at once: nobody "
                "may beat that last play. Everyone else shares last place."
            )
        )
        return
    yield words(
        _(
            "A player who runs out of cards takes the next place. If nobody beats that "
            "play, the next player leads."
        )
    )
    if rules.all_lose:
        yield words(
            _(
                "A player whose last cards stay unbeaten ends the game; everyone else "
                "shares last place."
            )
        )
    yield words(_("The last player with cards loses."))
