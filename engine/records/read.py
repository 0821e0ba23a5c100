"""Reading a record: from JSON values to a started game and its actions."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard

from ..rules.actions import ActionError, SeatAction, action_from_json
from ..rules.cards import TWO, CardError, parse_cards
from ..rules.errors import RecordError, StartError
from ..rules.game import State, start
from ..rules.inherited import PastChop, Previous
from ..rules.outcome import past_chop
from ..rules.ruleset import Ruleset, RulesetError, from_json, preset, with_options
from ..rules.texts import mark as _

FORMAT = "tien-len-record/1"
MOST_ACTIONS = 5_000
MOST_CHOPS = 60
_LONGEST_HAND = 400


def ruleset_of(record: Mapping[str, Any]) -> Ruleset:
    """Return the ruleset of a record with its options applied."""
    given = record.get("ruleset")
    try:
        ruleset = preset(given) if isinstance(given, str) else from_json(given)
        options = record.get("options")
        return ruleset if options is None else with_options(ruleset, options)
    except RulesetError as error:
        raise RecordError.of(error, "" if error.at == "ruleset" else "ruleset") from None


def start_of(record: object) -> State:
    """Return the game of a record before its first action; raises RecordError."""
    if not isinstance(record, Mapping):
        raise RecordError(_("a game record is a JSON object"))
    if record.get("format") != FORMAT:
        raise RecordError(_('write "%(format)s"'), at="format", format=FORMAT)
    ruleset = ruleset_of(record)
    hands = _hands(record.get("hands"), "hands")
    try:
        return start(
            ruleset,
            hands,
            previous=previous_of(record.get("previous"), len(hands)),
            leader=_leader(record.get("leader")),
            stake=_stake(record.get("stake", 1)),
        )
    except StartError as error:
        raise RecordError.of(error) from None


def actions_of(record: Mapping[str, Any]) -> list[SeatAction]:
    """Return the actions of a record; raises RecordError with the number of the wrong one."""
    return list(each_action(record))


def each_action(record: Mapping[str, Any]) -> Iterator[SeatAction]:
    """Yield the actions of a record; raises RecordError at the first wrong one."""
    given = record.get("actions")
    if not isinstance(given, list):
        raise RecordError(_("write a list"), at="actions")
    if len(given) > MOST_ACTIONS:
        raise RecordError(_("at most %(most)s are allowed"), at="actions", most=MOST_ACTIONS)
    for number, obj in enumerate(given, start=1):
        try:
            yield action_from_json(obj)
        except ActionError as error:
            raise RecordError.of(error, f"action {number}") from None


def _hands(given: object, name: str) -> list[tuple[int, ...]]:
    if not isinstance(given, list) or not 2 <= len(given) <= 8:
        raise RecordError(_("must be a list of hands, one for each of 2 to 8 seats"), at=name)
    hands = []
    for seat, text in enumerate(given):
        if not isinstance(text, str) or len(text) > _LONGEST_HAND:
            raise RecordError(
                _('must be cards as text, such as "3S 3C"'), at=f"{name}: seat {seat}"
            )
        try:
            hands.append(parse_cards(text))
        except CardError as error:
            raise RecordError.of(error, f"{name}: seat {seat}") from None
    return hands


def _whole(value: object, least: int, most: int) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _leader(given: object) -> int | None:
    if given is None or _whole(given, 0, 7):
        return given
    raise RecordError(_("must be null or a seat number"), at="leader")


def _stake(given: object) -> int:
    if not _whole(given, 1, 10**12):
        raise RecordError(_("must be a whole number, 1 or more"), at="stake")
    return given


def _seats(given: object, name: str) -> tuple[int, ...]:
    if not isinstance(given, list) or not all(_whole(seat, 0, 7) for seat in given):
        raise RecordError(_("must be lists of seats"), at=f"previous: {name}")
    return tuple(given)


def previous_of(given: object, players: int) -> Previous | None:
    """Return the previous game from its JSON form; `outcome.previous_to_json` writes that form."""
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise RecordError(_('must be null or an object with "placings" and "chops"'), at="previous")
    placings = given.get("placings")
    if not isinstance(placings, list) or not 1 <= len(placings) <= 8:
        raise RecordError(_("must be a list of groups of seats"), at="previous: placings")
    return Previous(
        placings=tuple(_seats(group, "placings") for group in placings),
        chops=_past_chops(given.get("chops")),
        twos_left=_twos_left(given.get("hands"), players),
        gone=frozenset(_seats(given.get("gone") or [], "gone")),
    )


def _past_chops(given: object) -> tuple[PastChop, ...]:
    if given is None:
        return ()
    if not isinstance(given, list) or len(given) > MOST_CHOPS:
        raise RecordError(
            _("must be a list of at most %(most)s chops"), at="previous: chops", most=MOST_CHOPS
        )
    chops: list[PastChop] = []
    for number, obj in enumerate(given, start=1):
        chop = _past_chop(obj, f"previous: chop {number}")
        if chop.level > 1 and (not chops or chop.level <= chops[-1].level):
            raise RecordError(
                _("level %(level)s must come after a chop of a lower level"),
                at=f"previous: chop {number}",
                level=chop.level,
            )
        chops.append(chop)
    return tuple(chops)


def _past_chop(obj: object, name: str) -> PastChop:
    if not isinstance(obj, Mapping):
        raise RecordError(_("must be an object with by, of, cards, on and level"), at=name)
    by, of, level, on = obj.get("by"), obj.get("of"), obj.get("level"), obj.get("on")
    if not _whole(by, 0, 7) or not _whole(of, 0, 7):
        raise RecordError(_('"by" and "of" must be seat numbers'), at=name)
    if not _whole(level, 1, MOST_CHOPS):
        raise RecordError(_("must be a whole number, 1 or more"), at=f"{name}: level")
    if not isinstance(on, str) or len(on) > _LONGEST_HAND or not on.strip():
        raise RecordError(_('must be cards as text, such as "2S"'), at=f"{name}: on")
    try:
        cards = parse_cards(on)
    except CardError as error:
        raise RecordError.of(error, f"{name}: on") from None
    return past_chop(by, of, level, cards)


def _twos_left(given: object, players: int) -> tuple[int, ...]:
    if given is None:
        return ()
    hands = _hands(given, "previous: hands")
    if len(hands) != players:
        raise RecordError(
            _("must be %(count)s texts, one for each seat"), at="previous: hands", count=players
        )
    return tuple(sum(card >> 2 == TWO for card in hand) for hand in hands)
