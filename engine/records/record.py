"""Game records, the project's portable notation, and the command line's answers about them.

docs/records.md is the contract. A wrong record raises RecordError with one line of text.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from ..rules.actions import SeatAction, action_text, action_to_json
from ..rules.cards import format_cards
from ..rules.cardset import unpack
from ..rules.errors import IllegalAction, RecordError
from ..rules.exchange import TooMany
from ..rules.game import State, apply, legal_actions, outcome
from ..rules.outcome import outcome_to_json
from ..rules.ruleset import Ruleset, preset, preset_keys, to_json
from ..rules.texts import mark as _
from .read import FORMAT, each_action, start_of

__all__ = ["FORMAT", "RecordError", "legal", "load", "parse", "play_through", "replay", "write"]

MOST_BYTES = 1_000_000


def legal(record: object) -> dict[str, Any]:
    """Return the legal actions after the last action of a record.

    The keys are finished, seat, phase and legal; `legal` lists each action once, sorted as
    strings.
    """
    state = play_through(record)
    if state.phase == "over":
        return {"finished": True, "seat": None, "phase": "over", "legal": []}
    try:
        actions = legal_actions(state)
    except TooMany as error:
        raise RecordError("%(reason)s", at=f"seat {state.turn}", reason=error) from None
    texts = sorted([action_text(action) for action in actions])
    return {"finished": False, "seat": state.turn, "phase": state.phase, "legal": texts}


def replay(record: object) -> dict[str, Any]:
    """Return the outcome of a record: finished, placings, net, payments, chops, hands, dealer."""
    return outcome_to_json(outcome(play_through(record)))


def play_through(record: object) -> State:
    """Return the state after the last action of a record; raises RecordError at the first fault."""
    state = start_of(record)
    assert isinstance(record, dict)
    for number, action in enumerate(each_action(record), start=1):
        step(state, action, number)
    return state


def step(state: State, action: SeatAction, number: int) -> None:
    """Apply one action; raises RecordError with its number (from 1), its seat and the reason."""
    try:
        apply(state, action)
    except IllegalAction as error:
        raise RecordError(
            "seat %(seat)s cannot %(action)s: %(reason)s",
            at=f"action {number}",
            seat=action.seat,
            action=action_name(action),
            reason=error.reason(),
        ) from None


def action_name(action: SeatAction) -> str:
    """Return an action in words, as in ``play 5S 5C`` or ``pass``."""
    if action.do == "trade":
        given, taken = format_cards(action.cards), format_cards(action.take)
        return f"trade {given or 'nothing'} for {taken or 'nothing'} with seat {action.other}"
    text = action_text(action)
    return f"play {text}" if action.do == "play" else text


def parse(text: str | bytes) -> Any:
    """Return the JSON value of a record's text; raises RecordError if it is invalid or too long."""
    if len(text) > MOST_BYTES:
        raise RecordError(_("the game record is longer than %(most)s bytes"), most=MOST_BYTES)
    try:
        return json.loads(text)
    except RecursionError:
        raise RecordError(_("this is not a game record: it is nested too deeply")) from None
    except json.JSONDecodeError as error:
        raise RecordError(
            _("this is not valid JSON: see line %(line)s, column %(column)s"),
            line=error.lineno,
            column=error.colno,
        ) from None
    except ValueError:
        raise RecordError(_("this is not JSON in UTF-8")) from None


def load(text: str | bytes) -> tuple[State, Any]:
    """Return the state after a record's last action, and the record itself."""
    record = parse(text)
    return play_through(record), record


def write(
    ruleset: Ruleset,
    hands: Sequence[Iterable[int]],
    actions: Iterable[SeatAction],
    *,
    leader: int | None = None,
    previous: dict[str, Any] | None = None,
    stake: int = 1,
    **carried: Any,
) -> dict[str, Any]:
    """Return a record, with a preset as its key and any other ruleset in full.

    `previous` has the form of docs/records.md; `carried` are optional fields that are kept
    unchanged, such as players and date.
    """
    known = ruleset.key in preset_keys() and preset(ruleset.key) == ruleset
    return {
        "format": FORMAT,
        "ruleset": ruleset.key if known else to_json(ruleset),
        "options": {},
        "hands": [format_cards(hand) for hand in hands],
        "leader": leader,
        "previous": previous,
        "stake": stake,
        "actions": [action_to_json(action) for action in actions],
        **carried,
    }


def record_of(state: State, previous: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the record of a state; playing it through gives the same state."""
    own = [e.action for e in state.log if not e.moved]
    return write(
        state.ruleset,
        [unpack(hand) for hand in state.dealt],
        own,
        leader=state.given_leader,
        previous=previous,
        stake=state.stake,
    )
