"""The engine's refusals in words that can be translated."""

from engine.rules.actions import SeatAction
from engine.rules.cards import RANKS, format_card, format_cards
from engine.rules.errors import IllegalAction
from engine.rules.texts import mark as _
from league.base.domain.rule_text.words import Value, Words, words

REASONS = {
    "game_over": _("the game is over"),
    "not_your_turn": _("it is seat %(turn)s's turn"),
    "locked_out": _("the seat has passed and is out until the next trick"),
    "locked_out_chop": _(
        "the seat has passed and may only chop %(top)s as the rules for passed players allow"
    ),
    "has_finished": _("the seat is already out of the game"),
    "no_such_seat": _("there are only seats 0 to %(last)s"),
    "wrong_phase": _("a different action is expected from this seat"),
    "not_in_hand": _("%(missing)s is not in the hand"),
    "no_combination": _("these cards are not a combination in this ruleset"),
    "does_not_beat": _("it does not beat %(top)s"),
    "trick_is_locked": _("the trick is locked by %(top)s: only a straight flush can follow"),
    "cannot_lock": _("only a straight flush can lock, if the rules leave the choice"),
    "must_include": _("the first play must include %(card)s"),
    "first_play": _("the rules require a different first play"),
    "bomb_lead": _("a bomb may not be led"),
    "last_play": _("nobody may go out with a 2"),
    "must_open": _("the seat must open with the agreed combination, or pass"),
    "must_lead": _("the seat leads and must play"),
    "wrong_count": _("exactly %(count)s cards must change hands"),
    "only_twos": _("the debt is paid in 2s"),
    "already_refused": _("this rank was already refused"),
    "no_trade": _("the rules do not allow this trade"),
}
ACTIONS = {
    "play": _("play %(cards)s"),
    "lock": _("lock with %(cards)s"),
    "pass": _("pass"),
    "declare": _("declare an instant win"),
    "decline": _("decline an instant win"),
    "ask": _("ask for %(rank)s"),
    "return": _("return %(cards)s"),
    "give": _("give %(cards)s"),
    "trade": _("trade %(cards)s for %(taken)s"),
}


def refusal(number: int, action: SeatAction, error: IllegalAction) -> Words:
    """Return the words on a refused action, counted from 1: its seat and the reason."""
    return words(
        _("action %(number)s: seat %(seat)s cannot %(action)s: %(reason)s"),
        number=number,
        seat=action.seat,
        action=words(
            ACTIONS[action.do],
            cards=format_cards(action.cards) or "–",
            taken=format_cards(action.take) or "–",
            rank="" if action.rank is None else RANKS[action.rank],
        ),
        reason=reason(error),
    )


def reason(error: IllegalAction) -> Words:
    """Return the reason alone, without the seat and the action."""
    params = {name: _param(name, value) for name, value in error.params.items()}
    return Words(REASONS[error.code], params)


def _param(name: str, value: object) -> Value:
    """Return cards as text, numbers and words unchanged."""
    if name == "card" and isinstance(value, int):
        return format_card(value)
    if isinstance(value, tuple):
        return format_cards(value)
    return value if isinstance(value, int) else str(value)
