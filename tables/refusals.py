"""Why a table says no, to the player himself and in words that can be translated."""

from __future__ import annotations

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.errors import IllegalAction
from tables.card_text import spoken
from tables.services.errors import Refused

REASONS = {
    "stale": _("The table has moved on. Look again and choose anew."),
    "players": _("These rules are not for so many players."),
    "too_many_tables": _("So many tables are open that there is no room. Try again later."),
    "too_often": _("That was very often from your address. Wait a few minutes."),
    "no_such_chair": _("There is no such chair."),
    "chair_taken": _("Somebody sits there already. Choose another chair."),
    "bot_name": _("A bot's name has 3 to 30 small letters, digits and hyphens."),
    "bot_name_taken": _("Another bot has this name. Choose another one."),
    "bot_sits_already": _("This bot sits at the table already."),
    "bot_is_busy": _("This bot has many challenges waiting. Try again later."),
    "no_free_chair": _("People have all chairs. Somebody has to get up first."),
    "no_such_challenge": _("There is no such challenge."),
    "challenge_answered": _("This challenge was answered already."),
    "reserved": _("The chairs of this table are given away: only who was drawn sits here."),
    "held": _("Wait a moment: who sits down for the next game is just being settled."),
    "sign_in": _("Who plays here stands in the club's ledger: sign in to sit down."),
    "members_only": _("Only players of the club sit here: ask an organiser to link your account."),
    "no_bots": _("People play for the club's ledger here: no bot sits down."),
    "sits_already": _("You sit at this table already."),
    "no_such_rules": _("There are no such rules."),
    "no_such_bot": _("There is no such bot."),
    "closed": _("This table is closed. Open a new one."),
    "not_again": _("This table cannot be opened again."),
    "game_is_on": _("A game is on. You can sit down when it is over."),
    "empty_chairs": _("Every chair must be taken before cards are dealt. Fill them with bots?"),
    "not_seated": _("You do not sit at this table."),
    "window": _("Play begins when everybody has had the time to declare an instant win."),
    "no_partner": _("Choose with whom you want to trade."),
    "nobody_trades": _("Nobody plays there who could trade: choose somebody else."),
    "too_many_offers": _("You have made enough offers for this game."),
    "trade_count": _("Choose exactly as many cards as were asked for."),
    "nothing_said": _("Write something first."),
    "too_long": _("That is too long: 160 letters at most."),
    "no_talk": _("That cannot be said at this table."),
    "players_talk": _("Only who plays speaks at this table."),
    "too_fast": _("Slowly: wait a moment before you say more."),
    "not_yours": _("Only the host, or who wrote it, can do that."),
    "trade": _("Play begins when the time for trades is over."),
    "no_instant_win": _("Your hand does not win at once."),
    "no_cards": _("Choose cards first."),
    "no_action": _("This is nothing that can be done at a table."),
    "game_over": _("The game is over."),
    "not_your_turn": _("It is not your turn."),
    "locked_out": _("You have passed and are out until the next trick."),
    "locked_out_chop": _("You have passed: only a chop of the rules may be played now."),
    "has_finished": _("You have no cards left."),
    "no_such_seat": _("There is no such chair."),
    "wrong_phase": _("Something else is asked of you now."),
    "not_in_hand": _("You do not hold these cards."),
    "no_combination": _("These cards are no combination of these rules."),
    "does_not_beat": _("This does not beat %(top)s."),
    "trick_is_locked": _("The trick is locked: only a higher straight in one suit may follow."),
    "cannot_lock": _("Only a straight in one suit can lock."),
    "must_include": _("Your first play must include %(card)s."),
    "first_play": _("The rules ask for another first play."),
    "must_open": _("Open with three consecutive pairs, or pass."),
    "must_lead": _("You lead: play something."),
    "wrong_count": _("Choose exactly so many cards: %(count)s."),
    "only_twos": _("The debt is paid in 2s."),
    "already_refused": _("You have asked for this rank already."),
    "no_trade": _("The rules do not allow this trade."),
}
PAYMENTS = {
    "loser": _("last place"),
    "third": _("third place"),
    "chop": _("chop"),
    "twos_left": _("2s left in hand"),
    "bombs_left": _("bombs left in hand"),
    "cong": _("cóng"),
    "instant_win": _("instant win"),
}


def text_of(error: Refused | IllegalAction) -> str:
    """The reason in the reader's language."""
    if isinstance(error, Refused):
        return str(REASONS[error.code])
    if error.code == "no_combination":
        return no_combination(error.params["cards"])  # type: ignore[arg-type]
    card = error.params.get("card")
    params = error.params | ({"card": (card,)} if isinstance(card, int) else {})
    return str(REASONS[error.code]) % {name: _shown(value) for name, value in params.items()}


def no_combination(cards: tuple[int, ...]) -> str:
    """What is missing to a combination, as far as the cards say."""
    ranks = sorted({card >> 2 for card in cards})
    if len(cards) == 2:
        return gettext("Two cards go together only as a pair.")
    if len(ranks) == len(cards) and ranks[-1] - ranks[0] == len(ranks) - 1:
        return gettext("This would be a straight, but these rules keep 2s out of it.")
    if len(ranks) == len(cards):
        return gettext("A straight needs ranks in a row, without a gap.")
    if len(cards) == 2 * len(ranks) and len(ranks) < 3:
        return gettext("Consecutive pairs need three pairs or more.")
    return str(REASONS["no_combination"])


def _shown(value: object) -> str:
    return spoken(value) if isinstance(value, tuple) else str(value)
