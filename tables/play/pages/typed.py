"""Reading of what a player types at the plain table, in either language, with or without marks.

It reads words alone and knows nothing of the game: what fits is chosen among the plays of a hand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from engine.rules.cards import RANKS, parse_card
from tables.base.words import bare_shape

PASSES = {"bo", "bo luot", "bo qua", "qua", "pass", "p", "i pass"}
QUESTIONS = {
    "trick": ("van", "v", "bai tren ban", "trick", "t", "table"),
    "turn": ("luot", "l", "turn", "order"),
    "counts": ("la", "so la", "counts", "count", "c", "cards"),
    "time": ("gio", "g", "dong ho", "clock", "time"),
    "hand": ("bai", "b", "bai toi", "hand", "h"),
    "before": ("truoc", "vong truoc", "last", "last trick", "before"),
    "help": ("giup", "help", "hint"),
}
_ASKED = {word: question for question, words in QUESTIONS.items() for word in words}
_WORDS = {
    "3": "ba three",
    "4": "bon tu four",
    "5": "nam five",
    "6": "sau six",
    "7": "bay seven",
    "8": "tam eight",
    "9": "chin nine",
    "T": "muoi ten",
    "J": "boi jack",
    "Q": "dam queen",
    "K": "gia king",
    "A": "xi at ach ace",
    "2": "heo hai two deuce",
}
_RANKS = {word: rank for rank, words in _WORDS.items() for word in words.split()}
_MANY = {f"{word}s": rank for word, rank in _RANKS.items()} | {"sixes": "6"}
_SUITS = {
    word: suit
    for suit, words in {
        "S": "bich spade spades ♠",
        "C": "chuon tep club clubs ♣",
        "D": "ro diamond diamonds ♦",
        "H": "co heart hearts ♥",
    }.items()
    for word in words.split()
}
_SIZES = {"doi": 2, "cap": 2, "pair": 2, "pairs": 2, "sam": 3, "triple": 3, "trips": 3, "quads": 4}
_NUMBERS = {"2": 2, "3": 3, "4": 4, "5": 5, "6": 6}
_RANGE, _PAIRS = {"toi", "den", "to", "till"}, {"thong", "consecutive"}
_EMPTY = {"of", "the", "an", "la", "high", "ong"}
_STRAIGHT, _OF_A_KIND = {"sanh", "straight", "run"}, {"con", "quy"}
_CODES = re.compile(r"(10|[2-9tjqka])([scdh♠♣♦♥]?)")


class TypedPlay(NamedTuple):
    """A wish for a play: the ranks of its cards, or only its kind, and suits it must have.

    `kind` is "straight", "pairs", or "set" for cards of one rank; `number` is how many cards of one
    rank, or how many pairs, 0 for any.
    """

    ranks: tuple[str, ...] = ()
    suits: tuple[str, ...] = ()
    kind: str = ""
    number: int = 0

    def fits(self, play: Sequence[str]) -> bool:
        """Return whether a play is one of those that were asked for."""
        ranks = Counter(card[0] for card in play)
        if not set(self.suits) <= set(play):
            return False
        if self.ranks:
            return ranks == Counter(self.ranks)
        each, kinds = set(ranks.values()), len(ranks)
        if self.kind == "set":
            return kinds == 1 and len(play) == self.number
        if self.kind == "pairs":
            return each == {2} and kinds > 1 and self.number in (0, kinds)
        return self.kind == "straight" and each == {1} and kinds > 1

    def of(self, hand: Sequence[str]) -> list[str]:
        """Return the lowest cards of a hand that fit the ranks; empty if it lacks one."""
        if not set(self.suits) <= set(hand):
            return []
        found = list(self.suits)
        wanted = Counter(self.ranks) - Counter(card[0] for card in found)
        for card in sorted(hand, key=parse_card):
            if wanted[card[0]] > 0 and card not in found:
                wanted[card[0]] -= 1
                found.append(card)
        return found if found and not +wanted else []


def question(text: str) -> str:
    """Return the question that was typed, "pass" for a pass, or ""."""
    if text.strip() in ("?", "？"):
        return "help"
    bare = bare_shape(text)
    return "pass" if bare in PASSES else _ASKED.get(bare, "")


def play(text: str) -> TypedPlay | None:
    """Return the play that was typed; None for words that name none.

    >>> play("đôi 9 cơ")
    TypedPlay(ranks=('9', '9'), suits=('9H',), kind='set', number=2)
    >>> play("sảnh sáu tới 8").ranks
    ('6', '7', '8')
    """
    wish = _Reading()
    for word in _words(text):
        if not wish.take(word):
            return None
    return wish.done()


def _words(text: str) -> list[str]:
    spaced = re.sub(r"[-–—]", " to ", re.sub(r"[,;.+/&]", " ", text))
    words = bare_shape(spaced).split()
    return words[1:] if words[:1] == ["a"] and words[1:] and words[1] in _SIZES else words


class _Reading:
    """The words of a play, read one after the other."""

    def __init__(self) -> None:
        self.ranks: list[str] = []
        self.suits: list[str] = []
        self.named: list[bool] = []  # Whether a rank has its suit.
        self.kind, self.number, self.is_range, self.last_code = "", 0, False, ""

    def take(self, word: str) -> bool:
        """Read a word; return False for one that means nothing here."""
        if word in _SUITS:
            self._suit(_SUITS[word])
        elif word in _PAIRS:
            self._pairs()
        elif word in _SIZES:
            if self.kind != "pairs":
                self.kind, self.number = "set", _SIZES[word]
        elif word in _OF_A_KIND:
            self._count()
        elif word in _STRAIGHT:
            self.kind = "straight"
        elif word in _RANGE:
            self.is_range = True
        elif word in _RANKS:
            self._rank(_RANKS[word])
        elif word in _MANY:
            self._count()
            self._rank(_MANY[word])
        elif word not in _EMPTY:
            return self._codes(word)
        return True

    def done(self) -> TypedPlay | None:
        ranks = self.ranks
        if len(ranks) == 2 and self.kind == "" and self.suits == [f"{ranks[1]}S"]:
            self._plural()
            ranks = self.ranks
        places = [RANKS.index(rank) for rank in ranks]
        if self.is_range:
            if len(places) != 2 or places[0] >= places[1]:
                return None
            ranks = list(RANKS[places[0] : places[1] + 1])
        if self.kind == "pairs":
            ranks = [rank for rank in ranks for _ in range(2)] if len(ranks) > 1 else []
        elif self.kind == "set" and len(set(ranks)) == 1:
            ranks = ranks[:1] * self.number
            self._one_suit()
        elif self.kind == "straight" and len(ranks) == 1:
            ranks = []
        if not ranks and not self.kind:
            return None
        return TypedPlay(tuple(ranks), tuple(self.suits), self.kind, self.number)

    def _rank(self, rank: str) -> None:
        self.ranks.append(rank)
        self.named.append(False)

    def _suit(self, suit: str) -> None:
        if self.ranks and not self.named[-1]:
            self.named[-1] = True
            self.suits.append(self.ranks[-1] + suit)

    def _count(self) -> None:
        """Take the number before as how many of one rank: three 9s, tứ quý 9."""
        if len(self.ranks) == 1 and not self.suits and self.ranks[0] in _NUMBERS:
            self.kind, self.number = "set", _NUMBERS[self.ranks.pop()]
            self.named.pop()

    def _pairs(self) -> None:
        """Take the number before as how many pairs; the word before this one was "pairs"."""
        self.number = 0
        self._count()
        self.kind = "pairs"

    def _plural(self) -> None:
        """Read "three 9s" as a number and a rank, where 9s is also the 9 of spades."""
        if self.ranks[0] in _NUMBERS:
            self.kind, self.number = "set", _NUMBERS[self.ranks[0]]
            self.ranks, self.suits = [self.ranks[1]], []

    def _one_suit(self) -> None:
        """Drop the s of "pair of 9s"."""
        if len(self.ranks) == 1 and self.last_code.endswith("s"):
            self.suits = []

    def _codes(self, word: str) -> bool:
        """Read cards as they are written: 9h, 99, 3♠4♠."""
        found = list(_CODES.finditer(word))
        if "".join(one[0] for one in found) != word or not word:
            return False
        self.last_code = word
        for one in found:
            self._rank("T" if one[1] == "10" else one[1].upper())
            if one[2]:
                self._suit(_SUITS.get(one[2], one[2].upper()))
        return True
