"""The engine's refusals as exception types; callers translate their texts."""

from typing import ClassVar

from .cards import format_card, format_cards
from .texts import InputError


class EngineError(Exception):
    """Base class of all refusals of this package."""


class RulesetError(InputError, EngineError):
    """An unusable ruleset; `field` names the wrong field."""

    @property
    def field(self) -> str:
        return self.at.partition(":")[0]


class StartError(InputError, EngineError):
    """Hands, a leader or a previous game with which no game can start."""


class RecordError(InputError, EngineError):
    """A wrong record; `str()` is the one line that the command line prints."""


class IllegalAction(EngineError):
    """An action that the seat may not take now; `code` is stable, `params` serve translations."""

    code: ClassVar[str] = "illegal"
    text: ClassVar[str]

    def __init__(self, **params: object) -> None:
        self.params = params
        super().__init__(self.reason())

    def reason(self) -> str:
        """Return the reason in English, without the seat and the action."""
        return self.text.format(**self.words)

    @property
    def words(self) -> dict[str, object]:
        """The params, cards as text."""
        return {
            name: format_cards(value) if isinstance(value, tuple) else value
            for name, value in self.params.items()
        }


class GameOver(IllegalAction):
    code = "game_over"
    text = "the game is over"


class NotYourTurn(IllegalAction):
    """Another seat (`turn`) is to act."""

    code = "not_your_turn"
    text = "it is seat {turn}'s turn"


class LockedOut(IllegalAction):
    """The seat has passed in this trick; `turn` is to act."""

    code = "locked_out"
    text = "the seat has passed and is out until the next trick"


class LockedOutChop(IllegalAction):
    """The seat has passed; only the chops of the locked-out option may be played."""

    code = "locked_out_chop"
    text = "the seat has passed and may only chop {top} as the rules for passed players allow"


class HasFinished(IllegalAction):
    code = "has_finished"
    text = "the seat is already out of the game"


class NoSuchSeat(IllegalAction):
    code = "no_such_seat"
    text = "there are only seats 0 to {last}"


class WrongPhase(IllegalAction):
    """The action belongs to another phase; `expected` names the action that is due, in words."""

    code = "wrong_phase"
    text = "it is asked to {expected}"


class NotInHand(IllegalAction):
    """`missing` are the cards that the seat (or `holder`) does not hold."""

    code = "not_in_hand"

    def reason(self) -> str:
        holder = self.params.get("holder")
        whose = "its hand" if holder is None else f"the hand of seat {holder}"
        return f"{self.words['missing']} is not in {whose}"


class NoCombination(IllegalAction):
    code = "no_combination"
    text = "these cards are not a combination in this ruleset"


class DoesNotBeat(IllegalAction):
    code = "does_not_beat"
    text = "it does not beat {top}"


class TrickIsLocked(IllegalAction):
    code = "trick_is_locked"
    text = "the trick is locked by {top}: only a straight flush may follow"


class CannotLock(IllegalAction):
    code = "cannot_lock"
    text = "only a straight flush can lock, where the ruleset lets the player choose"


class MustInclude(IllegalAction):
    """The first play must contain the lowest card."""

    code = "must_include"

    def reason(self) -> str:
        card = self.params["card"]
        assert isinstance(card, int)
        return f"the first play must include {format_card(card)}"


class FirstPlay(IllegalAction):
    """The first play of the game must be of another kind; `allowed` describes it in words."""

    code = "first_play"
    text = "the first play of the game must be {allowed}"


class BombLead(IllegalAction):
    code = "bomb_lead"
    text = "a bomb may not be led"


class LastPlay(IllegalAction):
    """The play contains a 2 and would be its player's last."""

    code = "last_play"
    text = "nobody may go out with a 2"


class MustOpen(IllegalAction):
    code = "must_open"
    text = "it is asked whether it opens with three consecutive pairs: play them or pass"


class MustLead(IllegalAction):
    code = "must_lead"
    text = "the seat leads and must play"


class WrongCount(IllegalAction):
    """The exchange takes `count` cards."""

    code = "wrong_count"

    def reason(self) -> str:
        count = self.params["count"]
        return f"exactly {count} card{'' if count == 1 else 's'} must change hands"


class OnlyTwos(IllegalAction):
    code = "only_twos"
    text = "the debt is paid in 2s"


class AlreadyRefused(IllegalAction):
    code = "already_refused"
    text = "this rank was already refused in this request"


class NoTrade(IllegalAction):
    """A trade that breaks the ruleset; `why` is the reason."""

    code = "no_trade"
    text = "{why}"
