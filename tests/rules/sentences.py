"""The catalogue: what each sentence of the documents says, in our own words.

`catalogue/*.toml` holds one document each, cut into sections and sentences. A sentence states a
rule and then has tests, or repeats another one, or states no rule for one of the `NO_RULE` reasons.
Sentences carry their number of words, so that the document in hand can be laid beside them.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

CATALOGUE = Path(__file__).parent / "catalogue"
ORDER = ("tien-len", "thirteen", "penguin", "family", "killa", "readings", "options", "mien-nam",
         "money-games", "mien-bac")  # fmt: skip

NO_RULE = {
    "example": "sets a scene; nothing follows from it",
    "event": "about the next seating: a format of events",
    "frame": "titles, contents, captions, file data, other books",
    "handling": "how people handle cards; a record begins with the hands as dealt",
    "history": "the origin of the game, a rule or a name, and opinions",
    "intro": "announces the sentences after it",
    "names": "gives a name or explains a word",
    "odds": "says how rare, strong or safe something is",
    "open": "leaves the choice to the players",
    "organiser": "a person's penalty for cheating; the engine refuses the act",
    "other": "about another game",
    "social": "how a group agrees on rules, or what it does for fun",
    "strategy": "advice on playing well",
}

FIXED = {
    "beats": "higher of the same kind and length beats",
    "conflict": "two fields that exclude each other are refused",
    "dealt": "instant wins need thirteen cards as dealt, and all holders are asked",
    "debts": "how a debt is counted",
    "first": "the lead of a first game, or without a winner",
    "free": "nobody has to trade",
    "kinds": "the ordinary combinations",
    "order": "ranks, suits and the pack",
    "told": "what each seat is told",
    "trade": "the limits of trades are for games of thirteen cards",
    "turns": "turns, passes and the places",
}


@dataclass(frozen=True)
class Sentence:
    """One sentence: its id (`document/section/ordinal`) and what the catalogue knows of it."""

    id: str
    says: str
    concerns: str
    words: int = 0
    none: str | None = None
    repeats: str | None = None
    fixed: str | None = None

    @property
    def states_a_rule(self) -> bool:
        return self.none is None and self.repeats is None


@dataclass(frozen=True)
class Section:
    key: str
    title: str
    heading: int
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True)
class Document:
    """A document, or one of our own pages, which has no `file` and counts no words."""

    key: str
    title: str
    concerns: str
    file: str | None
    sections: tuple[Section, ...]
    intro: str = ""

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        return tuple(sentence for section in self.sections for sentence in section.sentences)

    @property
    def words(self) -> int:
        headings = sum(section.heading for section in self.sections)
        return headings + sum(sentence.words for sentence in self.sentences)


def load(key: str) -> Document:
    """Return the catalogue of one document."""
    raw = tomllib.loads((CATALOGUE / f"{key}.toml").read_text(encoding="utf-8"))
    sections = tuple(_section(key, raw["concerns"], section) for section in raw["sections"])
    return Document(
        key, raw["title"], raw["concerns"], raw.get("file"), sections, raw.get("intro", "").strip()
    )


def _section(document: str, concerns: str, raw: dict) -> Section:
    prefix = f"{document}/{raw['key']}"
    concerns = raw.get("concerns", concerns)
    sentences = tuple(
        _sentence(document, f"{prefix}/{ordinal}", concerns, sentence)
        for ordinal, sentence in enumerate(raw.get("sentences", ()), start=1)
    )
    return Section(raw["key"], raw["title"], raw.get("heading", 0), sentences)


def _sentence(document: str, id_: str, concerns: str, raw: dict) -> Sentence:
    fields = {"concerns": concerns, **raw}
    if "repeats" in raw:
        fields["repeats"] = f"{document}/{raw['repeats']}"
    return Sentence(id=id_, **fields)


@cache
def documents() -> tuple[Document, ...]:
    """Return all documents, the five first."""
    return tuple(load(key) for key in ORDER if (CATALOGUE / f"{key}.toml").exists())


@cache
def by_id() -> dict[str, Sentence]:
    """Return every sentence of the catalogue by its id."""
    return {sentence.id: sentence for doc in documents() for sentence in doc.sentences}
