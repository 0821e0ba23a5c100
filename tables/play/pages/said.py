"""What one visitor is told at a table: the only maker of these sentences.

They come from the public board and the visitor's own part, never from the position, so they say
nothing that the visitor may not see. `me` is the visitor's seat number, `WATCHER` a spectator's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.utils.html import strip_tags
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from engine.rules.cards import RANKS
from tables.base import card_text, currencies
from tables.base.placings import place_name
from tables.play.pages.boards import Board
from tables.play.pages.chairs import OwnPart
from tables.play.pages.moves import Move

WATCHER = -1
NOW, NEXT, LAST = "now", "next", "last"
"""Orders of a sentence: overtakes others, in turn, or after all others and merged with them."""
FEW, SOME, MANY = 1, 2, 3
"""Levels of talk: a sentence is said on its level and on those above."""
EXAMPLES = 6


class TableSentence(NamedTuple):
    """A sentence that holds now; it is said when its key is new, `over` when its key is gone."""

    key: str
    text: str
    order: str = NEXT
    level: int = FEW
    over: str = ""


class HandGroup(NamedTuple):
    """Cards of a hand that belong together, as words, and whether they may be played now."""

    name: str
    cards: tuple[str, ...]
    suits: str
    may: str = ""


def public(found: Board, me: int = WATCHER) -> list[TableSentence]:
    """Return what holds at the table for everyone, as the player of seat `me` is told it."""
    if found.result:
        return [TableSentence(f"result{found.result.no}", result(found, me), NOW)]
    said = _events(found, me)
    for plate in found.plates:
        key = f"{found.game_no}-{plate.no}"
        if plate.place:
            said.append(TableSentence(f"out{key}", _out(found, plate.no, plate.place, me)))
        elif plate.cards == 1 and plate.no != me:
            said.append(TableSentence(f"last{key}", last_card(plate.name), NOW))
        if plate.autopilot and plate.no != me and found.phase:
            words = _("The autopilot plays for %(name)s.")
            said.append(TableSentence(f"absent{key}", words % {"name": plate.name}))
    if found.turn is not None and found.turn == me and found.phase == "play":
        key = f"turn{found.game_no}-{sum(map(len, found.tricks))}"
        said.append(TableSentence(key, _("Your turn.") + " " + to_beat(found, me), NOW))
    elif found.forward:
        words = _("Everyone else has passed: %(name)s may keep playing alone.")
        key = f"forward{found.game_no}-{sum(map(len, found.tricks))}"
        said.append(TableSentence(key, words % {"name": found.turn_name}, level=SOME))
    elif found.notice and found.phase != "play":
        text = strip_tags(found.notice.html)
        said.append(TableSentence(f"notice{found.game_no}-{text}", text))
    if found.phase == "exchange" and found.news:
        said.append(TableSentence(f"news{found.table.version}", found.news))
    return said


def own(part: OwnPart, found: Board) -> list[TableSentence]:
    """Return what only the player of this seat is told."""
    said = []
    if part.options.replaced:
        text = strip_tags(part.options.replaced.html)
        said.append(TableSentence("autopilot", text, NOW, over=_("You play again.")))
    if part.hand and found.phase:
        said.append(TableSentence(f"hand{found.game_no}", hand(part.hand), level=SOME))
    if part.first_with and part.acts:
        said.append(TableSentence(f"must{found.game_no}", must_include(part.first_with), NOW))
    return said + [TableSentence(f"note{note}", card_text.in_words(note)) for note in part.notes]


def headline(found: Board, part: OwnPart) -> str:
    """Return the news of the table in a few words."""
    last = [plate.name for plate in found.plates if plate.cards == 1 and plate.no != part.no]
    if found.result:
        return result(found, part.no)
    if part.options.replaced and found.phase:
        return _("The autopilot is playing for you")
    if last and found.phase == "play":
        return last_card(last[0]).rstrip(".")
    if part.acts:
        return _("Your turn")
    if found.turn is not None:
        return _("Waiting for %(name)s") % {"name": found.turn_name}
    notice = part.options.notice or found.notice
    return strip_tags(notice.html) if notice else _("The table waits")


def to_beat(found: Board, me: int) -> str:
    """Return the play that lies on top, or who leads."""
    if found.trick:
        top = next(move for move in reversed(found.trick) if not move.passed)
        return f"{_play(top, me)}."
    if found.turn is None or found.phase != "play":
        return ""
    leads = _("%(name)s leads.") % {"name": found.turn_name}
    return _("You lead.") if found.turn == me else leads


def must_include(card: str) -> str:
    return _("Your first play must include the %(card)s.") % {"card": card_text.named(card)}


def last_card(name: str) -> str:
    return _("%(name)s has 1 card left.") % {"name": name}


def log(found: Board, me: int) -> list[str]:
    """Return the moves of this trick and of the one before, newest first."""
    recent = [move for trick in found.tricks[-2:] for move in trick]
    return [_move(move, me) for move in reversed(recent)]


def counts(found: Board, me: int) -> list[tuple[str, str, str]]:
    """Return name, number of cards and state of the others, in the order of their turns."""
    after = [*found.plates[me + 1 :], *found.plates[: max(me, 0)]]
    rows = []
    for plate in after:
        state = ""
        if plate.passed:
            state = pgettext("seat", "passed")
        elif found.trick and plate.no == _top_seat(found):
            state = _("on top")
        elif plate.acts:
            state = _("to play")
        number = "" if plate.cards is None else cards(plate.cards)
        if plate.place:
            number, state = _("out of cards"), place_name(plate.place, len(found.plates))
        rows.append((plate.called, number, ", ".join(filter(None, [state, *plate.notes]))))
    return rows


def cards(number: int) -> str:
    return ngettext("%(n)s card", "%(n)s cards", number) % {"n": number}


def hand(codes: Sequence[str]) -> str:
    """Return a hand in words, by groups."""
    found = "; ".join(
        f"{group.name}, {group.suits}" if group.suits else group.name for group in groups(codes, ())
    )
    return _("Your hand, %(cards)s: %(groups)s.") % {"cards": cards(len(codes)), "groups": found}


def groups(codes: Sequence[str], plays: Iterable[Sequence[str]]) -> list[HandGroup]:
    """Return a hand by straights, pairs, threes, fours and single cards, each low to high.

    `plays` are what may be played now. A single card that may be played has a group of its own.
    """
    legal = {tuple(sorted(play)) for play in plays}  # Of two decks a card may be there twice.
    by_rank = [tuple(code for code in codes if code[0] == letter) for letter in RANKS]
    lone = [found[0] if len(found) == 1 else "" for found in by_rank[:-1]]
    runs: list[list[str]] = [[]]
    for code in lone:
        if code:
            runs[-1].append(code)
        elif runs[-1]:
            runs.append([])
    straights = [tuple(run) for run in runs if len(run) > 2]
    sets = [found for size in (2, 3, 4) for found in by_rank if len(found) == size]
    taken = {code for group in (*straights, *sets) for code in group}
    single = [code for code in codes if code not in taken]
    made = [_group(group, legal) for group in (*straights, *sets)]
    rest = tuple(code for code in single if (code,) not in legal)
    if rest:
        names = ", ".join(map(card_text.named, rest))
        made.append(HandGroup(_("single: %(cards)s") % {"cards": names}, rest, ""))
    yes = _("can be played")
    return made + [
        HandGroup(card_text.named(code), (code,), "", yes) for code in single if code not in rest
    ]


def result(found: Board, me: int) -> str:
    """Return how the last game ended, for the player of seat `me` first."""
    assert found.result is not None
    said = [_("Game %(no)s is over.") % {"no": found.result.no}]
    if found.is_uncounted:
        said.append(_("This game does not count."))
    for line in found.result.places:
        mine = me != WATCHER and found.plates[me].holder == line.holder
        if not (mine or line.rank == 1):
            continue
        values = {"name": line.name, "place": place_name(line.rank, len(found.result.places))}
        text = (_("You: %(place)s") if mine else _("%(name)s: %(place)s")) % values
        said.append(text + (f", {sum_of(line.net, found.unit)}." if found.result.pays else "."))
    return " ".join(said)


def sum_of(net: int, unit: str) -> str:
    """Return a sum won or lost, in words instead of a sign."""
    words = _("minus %(sum)s") if net < 0 else _("plus %(sum)s")
    return words % {"sum": currencies.amount(abs(net), unit)}


def answers(found: Board, part: OwnPart, plays: Sequence[Sequence[str]]) -> dict[str, str]:
    """Return the full answer to each question that a player may ask, but for the time."""
    me = part.no
    numbers = [f"{name} {number}" for name, number, _state in counts(found, me) if number]
    if me != WATCHER and part.hand:
        numbers.append(_("you %(cards)s") % {"cards": cards(len(part.hand))})
    may = "; ".join(card_text.kind(play, highest=True) for play in plays[:EXAMPLES])
    words = _("You can play: %(plays)s.") % {"plays": may} if may else _("Nothing to play now.")
    turn = _("Your turn.") if part.acts else f"{headline(found, part)}."
    order = ", ".join(name for name, _number, _state in counts(found, me))
    return {
        "trick": _told(found.trick, me) or to_beat(found, me) or _("No trick lies on the table."),
        "turn": f"{turn} " + _("After you: %(names)s.") % {"names": order},
        "counts": ", ".join(numbers) + "." if numbers else _("The numbers are hidden."),
        "hand": hand(part.hand) if part.hand else _("You have no cards."),
        "before": _told(found.last_trick, me) or _("No trick before this one."),
        "help": words,
    }


def time_left(found: Board, part: OwnPart) -> str:
    """Return the time until something happens, and one's own time bank."""
    if found.milliseconds is None:
        return _("No clock is running.")
    said = _("Seconds left: %(n)s.") % {"n": -(-found.milliseconds // 1000)}
    bank = found.plates[part.no].bank if part.seat else 0
    more = _("Seconds of them in your time bank: %(n)s.") % {"n": bank // 1000}
    return f"{said} {more}" if part.acts and bank else said


def places(found: Board, me: int) -> list[tuple[str, str]]:
    """Return each player's place and sum of the last game, in words."""
    rows: list[tuple[str, str]] = []
    if found.result is None:
        return rows
    for line in found.result.places:
        mine = me != WATCHER and found.plates[me].holder == line.holder
        name = _("you") if mine else line.name
        left = ", ".join(map(card_text.named, line.left))
        more = [sum_of(line.net, found.unit)] if found.result.pays else []
        more += [_("cards left: %(cards)s") % {"cards": left}] if left else []
        more += [_("autopilot")] if line.holder in found.absent else []
        word = place_name(line.rank, len(found.result.places))
        rows.append((capfirst(f"{word}: {name}"), "; ".join(more)))
    return rows


def _told(trick: Iterable[Move], me: int) -> str:
    return " ".join(f"{_move(move, me, every=True)}." for move in trick)


def _events(found: Board, me: int) -> list[TableSentence]:
    """Return the moves of this trick and of the one before."""
    number = sum(len(trick) for trick in found.tricks[:-2])
    said = []
    for trick in found.tricks[-2:]:
        top: Move | None = None
        for move in trick:
            key, number = f"move{found.game_no}-{number}", number + 1
            if move.chop and top:
                newest = found.chop_pays if trick is found.trick and move is trick[-1] else 0
                said.append(TableSentence(key, _chop(move, top, me, newest, found.unit)))
            else:
                mine, level = move.seat == me, MANY if move.passed else SOME
                order, level = (NEXT, FEW) if mine else (LAST, level)
                said.append(TableSentence(key, f"{_move(move, me)}.", order, level))
            top = top if move.passed else move
    return said


def _chop(move: Move, top: Move, me: int, pays: int, unit: str) -> str:
    words = _("%(name)s chops %(other)s: %(play)s")
    if me == move.seat:
        words = _("You chop %(other)s: %(play)s")
    elif me == top.seat:
        words = _("%(name)s chops you: %(play)s")
    play = card_text.kind(move.cards, highest=True)
    said = words % {"name": move.name, "other": top.name, "play": play}
    return said + (f", {currencies.amount(pays, unit)}." if pays else ".")


def _out(found: Board, seat: int, rank: int, me: int) -> str:
    values = {"name": found.plates[seat].name, "place": place_name(rank, len(found.plates))}
    words = _("You are out of cards: %(place)s.")
    return (words if seat == me else _("%(name)s is out of cards: %(place)s.")) % values


def _move(move: Move, me: int, *, every: bool = False) -> str:
    if not move.passed:
        return _play(move, me, every=every)
    return _("You pass") if move.seat == me else _("%(name)s passes") % {"name": move.name}


def _play(move: Move, me: int, *, every: bool = False) -> str:
    play = card_text.full(move.cards) if every else card_text.kind(move.cards, highest=True)
    said = {"name": move.name, "play": play}
    words = _("You: %(play)s") if move.seat == me else _("%(name)s: %(play)s")
    locked = _("the trick is locked")
    return words % said + (f", {locked}" if move.locks else "")


def _top_seat(found: Board) -> int:
    return next(move.seat for move in reversed(found.trick) if not move.passed)


def _group(group: tuple[str, ...], legal: set[tuple[str, ...]]) -> HandGroup:
    suits = ", ".join(str(card_text.SUIT_NAMES[code[1]]) for code in group)
    may = _("can be played") if tuple(sorted(group)) in legal else ""
    of_rank = len({code[0] for code in group}) == 1
    if not may and of_rank and any(set(play) <= set(group) for play in legal):
        may = _("some can be played")
    return HandGroup(card_text.kind(group), group, suits, may)
