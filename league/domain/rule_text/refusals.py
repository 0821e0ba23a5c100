"""Why the engine refuses an action, in words that can be translated."""

from __future__ import annotations

from engine.actions import Action
from engine.cards import RANKS, format_card, format_cards
from engine.errors import IllegalAction
from engine.texts import mark as _
from league.domain.rule_text.words import Value, Words, words

REASONS = {
    "game_over": _("the game is over"),
    "not_your_turn": _("it is the turn of seat %(turn)s"),
    "locked_out": _("it has passed and is locked out until the next trick"),
    "locked_out_chop": _("it has passed and may only chop %(top)s as the locked-out rule says"),
    "has_finished": _("it is already out of the game"),
    "no_such_seat": _("there are only seats 0 to %(last)s"),
    "wrong_phase": _("something else is asked of it now"),
    "not_in_hand": _("%(missing)s is not in the hand"),
    "no_combination": _("these cards are no combination of this ruleset"),
    "does_not_beat": _("it does not beat %(top)s"),
    "trick_is_locked": _("the trick is locked by %(top)s: only a straight in one suit may follow"),
    "cannot_lock": _("only a straight in one suit can lock, where the rules leave the choice"),
    "must_include": _("the first play must include %(card)s"),
    "first_play": _("the rules ask for another first play"),
    "must_open": _("it is asked to open with three consecutive pairs, or to pass"),
    "must_lead": _("it leads and must play"),
    "wrong_count": _("so many cards must change hands: %(count)s"),
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


def refusal(number: int, action: Action, error: IllegalAction) -> Words:
    """What is wrong with the action of that number (from 1): its seat and the reason."""
    return words(
        _("action %(number)s: seat %(seat)s cannot %(action)s: %(reason)s"),
        number=number,
        seat=action.seat,
        action=_said(action),
        reason=reason(error),
    )


def reason(error: IllegalAction) -> Words:
    """The reason alone, without the seat and the action."""
    params = {name: _param(name, value) for name, value in error.params.items()}
    return Words(REASONS[error.code], params)


def _said(action: Action) -> Words:
    return words(
        ACTIONS[action.do],
        cards=format_cards(action.cards) or "–",
        taken=format_cards(action.take) or "–",
        rank="" if action.rank is None else RANKS[action.rank],
    )


def _param(name: str, value: object) -> Value:
    """Cards as text; numbers and words as they are."""
    if name == "card" and isinstance(value, int):
        return format_card(value)
    if isinstance(value, tuple):
        return format_cards(value)
    return value if isinstance(value, int) else str(value)
