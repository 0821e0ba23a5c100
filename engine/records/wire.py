"""Messages of a game to an external bot: JSON values, as docs/bots.md describes them."""

from collections.abc import Sequence
from typing import Any

from ..rules.actions import SeatAction, action_text, action_to_json
from ..rules.cards import format_card, format_cards
from ..rules.observation import Observation
from ..rules.outcome import Outcome, chop_to_json
from ..rules.ruleset import to_json
from ..rules.state import LogEntry

PROTOCOL = 1


def hello() -> dict[str, Any]:
    return {"type": "hello", "protocol": PROTOCOL}


def game_begins(observation: Observation, seed: int) -> dict[str, Any]:
    """Return the message that starts a game; `seed` is for the bot's own random numbers."""
    return {
        "type": "game",
        "ruleset": to_json(observation.ruleset),
        "players": observation.players,
        "seat": observation.seat,
        "stake": observation.stake,
        "seed": seed,
    }


def turn(observation: Observation, legal: Sequence[SeatAction]) -> dict[str, Any]:
    """Return the request for an action: the observation and the legal actions as texts."""
    must = observation.must_include
    lowest = observation.lowest_cards
    return {
        "type": "turn",
        "phase": observation.phase,
        "hand": format_cards(observation.hand),
        "counts": list(observation.counts),
        "to_beat": format_cards(observation.to_beat),
        "to_beat_by": observation.to_beat_by,
        "forward": observation.forward,
        "trick_locked": observation.trick_locked,
        "locked_out": list(observation.locked_out),
        "placings": [list(group) for group in observation.placings],
        "must_include": None if must is None else format_card(must),
        "opening": observation.opening,
        "lowest_cards": None if lowest is None else format_cards(lowest),
        "chops": [chop_to_json(chop) for chop in observation.chops],
        "payments": [
            {"from": p.sender, "to": p.receiver, "amount": p.amount, "reason": p.reason}
            for p in observation.payments
        ],
        "history": [_event(event) for event in observation.history],
        "legal": [action_text(action) for action in legal],
    }


def game_ends(result: Outcome) -> dict[str, Any]:
    return {
        "type": "end",
        "placings": [list(group) for group in result.placings],
        "net": list(result.net),
    }


def _event(event: LogEntry) -> dict[str, Any]:
    body = action_to_json(event.action)
    if event.given:
        body["given"] = format_cards(event.given)
    if event.refused:
        body["refused"] = True
    return body
