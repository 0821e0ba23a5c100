"""Games to put on a sheet: deal the cards that matter, and ask what needs no course of play.

`table("family", "5S 5C", "6S 6C")` deals each seat the cards named and fills the hands from the
rest of the pack, always the same way. `endgame(...)` instead plays the rest away first, so that
exactly the named cards are left and seat 0 leads.
"""

from collections.abc import Iterator
from typing import Any

from engine.records.record import legal, play_through
from engine.rules.actions import SeatAction, action_text, action_to_json
from engine.rules.cards import parse_cards
from engine.rules.errors import RecordError
from engine.rules.game import apply, legal_actions
from engine.rules.ruleset import preset, to_json, with_options
from tests.rules.deal import fill, run_down, sort_cards
from tests.rules.flip import with_flip
from tests.rules.hands import PR3
from tests.rules.sheet import Sheet


def table(
    ruleset: str,
    *named: str,
    players: int = 4,
    each: int = 13,
    decks: int = 1,
    avoid: str = "",
    **record: Any,
) -> Sheet:
    """Return a sheet at the start of a game, in which seat 0 leads unless said otherwise.

    `avoid` are cards that are in nobody's hand. The filling holds no instant win.
    """
    named = (*named, *[""] * (players - len(named)))
    hands = next(fill(named, [each] * players, decks=decks, avoid=avoid))
    return Sheet(_record(ruleset, hands, **record), list(named))


def endgame(ruleset: str, *left: str, avoid: str = "", **record: Any) -> Sheet:
    """Return a sheet in which the named cards are all that is left, and seat 0 leads."""
    for hands in fill(left, [13] * len(left), decks=1, avoid=avoid):
        if (plays := run_down(hands, left)) is not None:
            break
    sheet = Sheet(_record(ruleset, hands, **record), list(left))
    sheet.record["actions"] = list(_played_away(sheet.record, plays))
    return sheet


def _record(ruleset: str, hands: list[str], **fields: Any) -> dict[str, Any]:
    options = with_flip(fields.pop("options", {}))
    base = {"format": "tien-len-record/1", "ruleset": ruleset, "options": options, "hands": hands}
    return base | {"leader": 0, "previous": None, "actions": []} | fields


def _played_away(record: dict[str, Any], plays: list[tuple[int, str]]) -> Iterator[dict]:
    """Yield the actions of a game in which `plays` are made and everybody else passes."""
    state = play_through(record)

    def act(do: str, card: str = "") -> dict[str, Any]:
        action = SeatAction(state.turn, do, parse_cards(card))
        apply(state, action)
        return action_to_json(action)

    for seat, card in plays:
        while state.turn != seat or card not in map(action_text, legal_actions(state)):
            yield act("pass")
        yield act("play", card)
    while "pass" in map(action_text, legal_actions(state)):
        yield act("pass")


# Questions that need no course of play


def beats(ruleset: str, top: str, *, by: str, **record: Any) -> bool:
    """Tell whether seat 1 may play `by` on seat 0's lead `top`; listed and taken must agree."""
    sheet = _without_instant_wins(ruleset, top, by, **record).plays(0, top)
    asked = legal(sheet.record)["seat"]
    return asked == 1 and _allowed(sheet, 1, by)


def leads(ruleset: str, cards: str, **record: Any) -> bool:
    """Tell whether seat 0 may lead `cards` when it is free to lead what it likes."""
    return _allowed(_without_instant_wins(ruleset, cards, **record), 0, cards)


def _without_instant_wins(ruleset: str, *named: str, **record: Any) -> Sheet:
    options = {"instant_wins": [], **record.pop("options", {})}
    return table(ruleset, *named, options=options, **record)


def _allowed(sheet: Sheet, seat: int, cards: str) -> bool:
    listed = sort_cards(cards) in sheet.choices
    taken = not sheet.is_refused({"seat": seat, "do": "play", "cards": cards})
    assert listed == taken, f"{cards}: listed is {listed}, taken is {taken}"
    return listed


def starts(ruleset: str, *, players: int, each: int = 13, decks: int = 1, **record: Any) -> bool:
    """Tell whether a game of so many players with so many cards each can start."""
    hands = next(fill([""] * players, [each] * players, decks=decks, avoid=""))
    return starts_with(ruleset, hands, **record)


def starts_with(ruleset: str, hands: list[str], **record: Any) -> bool:
    """Tell whether a game with these hands, written out whole, can start."""
    rules(ruleset, **record.get("options", {}))
    try:
        legal(_record(ruleset, hands, **record))
    except RecordError:
        return False
    return True


def chop(*, by: int, of: int, on: str = "2S", cards: str = PR3, level: int = 1) -> dict[str, Any]:
    """Return a chop of the previous game as a record holds it."""
    return {"by": by, "of": of, "cards": cards, "on": on, "level": level}


def rules(ruleset: str, **options: Any) -> dict[str, Any]:
    """Return the fields of a ruleset with these options, and the current flip."""
    return to_json(with_options(preset(ruleset), with_flip(options)))
