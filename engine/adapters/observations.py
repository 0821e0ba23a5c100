"""Encoding of observations as lists of small integers, of the same length for all rulesets.

Seats are relative: 0 is the observer's own seat, 1 the next in turn. `FIELDS` has the slice of each
field:

* `hand`, `top`: copies of each of the 52 cards in the hand, and in the play to beat
* `played`: copies of each card played by each of 8 seats
* `left`: each seat's number of cards, -1 if the ruleset hides it
* `place`: 1 for the first seat that went out; 0 for a seat in play and for an absent one
* `at_table`, `locked`, `top_by`, `to_act`: 1 for the seats at the table, those that have passed in
  this trick, the owner of the play to beat and the seat to act
* `must`: 1 for the card that the first play must contain
* `phase`: 1 for exchange, instant wins, play, over
* `flags`: all other seats are locked out (forward); the trick is locked; asked to open the game
"""

from itertools import accumulate

from ..rules.observation import Observation
from ..rules.state import EXCHANGE, INSTANT_WIN, OVER, PLAY

SEATS = 8
_SIZES = {
    "hand": 52, "top": 52, "played": 52 * SEATS, "left": SEATS, "place": SEATS,
    "at_table": SEATS, "locked": SEATS, "top_by": SEATS, "to_act": SEATS, "must": 52,
    "phase": 4, "flags": 3,
}  # fmt: skip
_ENDS = dict(zip(_SIZES, accumulate(_SIZES.values()), strict=True))
FIELDS = {name: slice(_ENDS[name] - size, _ENDS[name]) for name, size in _SIZES.items()}
SIZE = sum(_SIZES.values())
LEAST, MOST = -1, 52
"""The lowest and highest numbers in an observation."""
_PHASES = (EXCHANGE, INSTANT_WIN, PLAY, OVER)


def encode(observation: Observation) -> list[int]:
    """Return an observation as numbers; a spectator is encoded as seat 0 without a hand."""
    own = observation.seat or 0
    players = observation.players
    numbers = [0] * SIZE

    def at(field: str, place: int) -> int:
        return FIELDS[field].start + place

    def seat(absolute: int) -> int:
        return (absolute - own) % players

    for field, cards in (("hand", observation.hand), ("top", observation.to_beat)):
        for card in cards:
            numbers[at(field, card)] += 1
    for event in observation.history:
        if event.action.do in ("play", "lock"):
            for card in event.action.cards:
                numbers[at("played", 52 * seat(event.action.seat) + card)] += 1
    for other, count in enumerate(observation.counts):
        numbers[at("left", seat(other))] = -1 if count is None else count
        numbers[at("at_table", seat(other))] = 1
    place = 1
    for group in observation.placings:
        for other in group:
            numbers[at("place", seat(other))] = place
        place += len(group)
    for other in observation.locked_out:
        numbers[at("locked", seat(other))] = 1
    for field, whose in (("top_by", observation.to_beat_by), ("to_act", observation.turn)):
        if whose is not None:
            numbers[at(field, seat(whose))] = 1
    if observation.must_include is not None:
        numbers[at("must", observation.must_include)] = 1
    numbers[at("phase", _PHASES.index(observation.phase))] = 1
    flags = (observation.forward, observation.trick_locked, observation.opening)
    numbers[FIELDS["flags"]] = map(int, flags)
    return numbers
