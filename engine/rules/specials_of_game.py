"""Specials of a finished game, as a table with real cards enters them."""

from __future__ import annotations

from . import betting
from .cards import TWO
from .cardset import CARD, pack, size, unpack
from .shapes import PAIR_RUN, QUAD, QUAD_RUN, cards_of, is_bomb, is_twos, shape_of
from .southern_money import bombs_left
from .specials import FINISHES, Special, offered
from .state import OVER, Chop, State


def specials_of(state: State) -> list[Special]:
    """Return the specials of a finished game that its ruleset pays for.

    Quad runs have no name in this vocabulary and are left out.
    """
    assert state.phase == OVER
    offer = offered(state.ruleset)
    if state.instant_winners and betting.ends_on_instant_win(state):
        (winner, *others) = state.placings[0]
        alone = not others and len(state.placings) == 2 and offer.instant_win
        return [Special("instant_win", by=winner)] if alone else []
    found = _chops(state, offer.chops)
    if (end := _special_end(state)) and end.what in (*offer.finish, *offer.left):
        return [*found, end]
    if offer.cong:
        cong = [seat for seat in range(state.players) if state.cong >> seat & 1]
        found += [Special("cong", of=seat) for seat in cong]
        last = state.placings[-1] if len(state.placings) > 1 else ()
        for seat in dict.fromkeys((*cong, *last)):
            found += [
                Special("left", of=seat, what=what)
                for what in _held(state, seat)
                if what in offer.left
            ]
        for seat in last if offer.cards else ():
            if seat not in cong:
                found.append(Special("cards", of=seat, what=str(size(state.hands[seat]))))
        found += _finish(state, offer.finish)
    return found


def _special_end(state: State) -> Special | None:
    """Return the special that says that 3♠ or 2s as the last cards ended the game."""
    winner = state.placings[0][0]
    if betting.by_three_spades(state):
        holder = state.hands.index(CARD[0])
        if holder == winner:
            return Special("finish", by=winner, what="3S")
        return Special("left", of=holder, what="3S")
    if state.ruleset.last_play == "twos_lose" and is_twos(state.top) and not is_bomb(state.top):
        loser = state.placings[-1][0]
        if not state.hands[loser]:
            return Special("finish", by=loser, what="2" * shape_of(state.top))
    return None


def _finish(state: State, offered_finishes: tuple[str, ...]) -> list[Special]:
    """Return the winner's last play as a special if it doubles the payments."""
    winner = state.placings[0][0]
    plays = [
        event.action.cards
        for event in state.log
        if event.action.seat == winner and event.action.do in ("play", "lock")
    ]
    name = betting.finish_of(state.table.classify(pack(plays[-1]))) if plays else None
    found = [what for what in offered_finishes if name and FINISHES.get(what) == name]
    return [Special("finish", by=winner, what=what) for what in found]


def _chops(state: State, offered_on: tuple[str, ...]) -> list[Special]:
    by_colour = state.ruleset.betting == "mien_nam"
    found: list[Special] = []
    for chop in state.chops:
        what = _what(chop, by_colour=by_colour)
        if what not in offered_on or chop.by == chop.of:
            continue
        before = found[-1] if found else None
        chained = chop.level > 1 and before is not None and before.by == chop.of
        found.append(Special("chop", chop.by, chop.of, what, chained and is_bomb(chop.on)))
    return found


def _what(chop: Chop, *, by_colour: bool) -> str:
    """Return the name of the chopped play in `engine.rules.specials`, or "" if it has none."""
    shape = shape_of(chop.on)
    if is_twos(chop.on) and not is_bomb(chop.on):
        return _twos(cards_of(chop.on)) if by_colour else "2" * len(cards_of(chop.on))
    if not by_colour:
        return "bomb"
    if shape == QUAD:
        return "Q"
    if PAIR_RUN < shape < QUAD_RUN:
        return "PR3" if shape == PAIR_RUN + 3 else "PR4"
    return ""


def _twos(cards: tuple[int, ...]) -> str:
    """Return 2s by colour, black before red: `BR`."""
    return "".join(sorted("B" if card & 3 < 2 else "R" for card in cards))


def _held(state: State, seat: int) -> list[str]:
    """Return the single 2s and the bombs that a seat pays for.

    A cóng player pays for all cards held when the first player went out.
    """
    hand = state.hands[seat]
    if state.cong >> seat & 1:
        own = (event.action for event in state.log if event.action.seat == seat)
        hand += sum(pack(action.cards) for action in own if action.do in ("play", "lock"))
    twos = tuple(card for card in unpack(hand) if card >> 2 == TWO)
    return [*_twos(twos), *bombs_left(state.ruleset, hand)]
