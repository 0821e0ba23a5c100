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

    def __init__(self, **params: object) -> None:
        self.params = params
        super().__init__(self.reason())

    def reason(self) -> str:
        """Return the reason in English, without the seat and the action."""
        raise NotImplementedError

    def cards(self, name: str) -> str:
        value = self.params[name]
        assert isinstance(value, tuple)
        return format_cards(value)


class GameOver(IllegalAction):
    code = "game_over"

    def reason(self) -> str:
        return "the game is over"


class NotYourTurn(IllegalAction):
    """Another seat (`turn`) is to act."""

    code = "not_your_turn"

    def reason(self) -> str:
        return f"it is seat {self.params['turn']}'s turn"


class LockedOut(IllegalAction):
    """The seat has passed in this trick; `turn` is to act."""

    code = "locked_out"

    def reason(self) -> str:
        return "the seat has passed and is out until the next trick"


class LockedOutChop(IllegalAction):
    """The seat has passed; only the chops of the locked-out option may be played."""

    code = "locked_out_chop"

    def reason(self) -> str:
        top = self.cards("top")
        return f"the seat has passed and may only chop {top} as the rules for passed players allow"


class HasFinished(IllegalAction):
    code = "has_finished"

    def reason(self) -> str:
        return "the seat is already out of the game"


class NoSuchSeat(IllegalAction):
    code = "no_such_seat"

    def reason(self) -> str:
        return f"there are only seats 0 to {self.params['last']}"


class WrongPhase(IllegalAction):
    """The action belongs to another phase; `expected` names the action that is due, in words."""

    code = "wrong_phase"

    def reason(self) -> str:
        return f"it is asked to {self.params['expected']}"


class NotInHand(IllegalAction):
    """`missing` are the cards that the seat (or `holder`) does not hold."""

    code = "not_in_hand"

    def reason(self) -> str:
        holder = self.params.get("holder")
        whose = "its hand" if holder is None else f"the hand of seat {holder}"
        return f"{self.cards('missing')} is not in {whose}"


class NoCombination(IllegalAction):
    code = "no_combination"

    def reason(self) -> str:
        return "these cards are not a combination in this ruleset"


class DoesNotBeat(IllegalAction):
    code = "does_not_beat"

    def reason(self) -> str:
        return f"it does not beat {self.cards('top')}"


class TrickIsLocked(IllegalAction):
    code = "trick_is_locked"

    def reason(self) -> str:
        return f"the trick is locked by {self.cards('top')}: only a straight flush may follow"


class CannotLock(IllegalAction):
    code = "cannot_lock"

    def reason(self) -> str:
        return "only a straight flush can lock, where the ruleset lets the player choose"


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

    def reason(self) -> str:
        return f"the first play of the game must be {self.params['allowed']}"


class BombLead(IllegalAction):
    code = "bomb_lead"

    def reason(self) -> str:
        return "a bomb may not be led"


class LastPlay(IllegalAction):
    """The play contains a 2 and would be its player's last."""

    code = "last_play"

    def reason(self) -> str:
        return "nobody may go out with a 2"


class MustOpen(IllegalAction):
    code = "must_open"

    def reason(self) -> str:
        return "it is asked whether it opens with three consecutive pairs: play them or pass"


class MustLead(IllegalAction):
    code = "must_lead"

    def reason(self) -> str:
        return "the seat leads and must play"


class WrongCount(IllegalAction):
    """The exchange takes `count` cards."""

    code = "wrong_count"

    def reason(self) -> str:
        count = self.params["count"]
        return f"exactly {count} card{'' if count == 1 else 's'} must change hands"


class OnlyTwos(IllegalAction):
    code = "only_twos"

    def reason(self) -> str:
        return "the debt is paid in 2s"


class AlreadyRefused(IllegalAction):
    code = "already_refused"

    def reason(self) -> str:
        return "this rank was already refused in this request"


class NoTrade(IllegalAction):
    """A trade that breaks the ruleset; `why` is the reason."""

    code = "no_trade"

    def reason(self) -> str:
        return str(self.params["why"])
