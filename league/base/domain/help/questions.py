"""The questions of `questions.toml`, by their key, by an address and by words."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from league.base.domain.names import fold

TOPICS = ("tonight", "club", "money", "play", "bots")


@dataclass(frozen=True)
class PicturePart:
    """A part of a picture: a face, a medal, cards, an icon, an arrow, a button, seats, a code."""

    face: str = ""
    medal: str = ""
    cards: str = ""
    back: int = 0
    icon: str = ""
    arrow: str = ""
    button: str = ""
    qr: bool = False
    table: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """The place on the medal; the last of four is the fourth."""
        return "4" if self.medal == "last" else self.medal

    @property
    def hand(self) -> list[str]:
        """The cards as texts of two letters."""
        return self.cards.split()


@dataclass(frozen=True)
class Wording:
    """A question in one language; words between two stars are bold."""

    ask: str
    brief: str
    labels: tuple[str, ...]
    text: tuple[str, ...]


@dataclass(frozen=True)
class HelpQuestion:
    """A question, the addresses where it arises, and what leads on from it."""

    key: str
    topic: str
    often: bool
    pages: tuple[str, ...]
    next: tuple[str, ...]
    lesson: str
    sections: tuple[str, ...]
    money: tuple[str, ...]
    prices: bool
    ground: str
    parts: tuple[PicturePart, ...]
    wordings: dict[str, Wording]
    folded: str

    def wording(self, language: str) -> Wording:
        """Return the question in this language, else in English."""
        return self.wordings.get(language, self.wordings["en"])


def _question(row: dict[str, Any]) -> HelpQuestion:
    wordings = {
        language: Wording(
            ask=row[language]["ask"],
            brief=row[language]["brief"],
            labels=tuple(row[language]["labels"]),
            text=tuple(row[language]["text"]),
        )
        for language in ("vi", "en")
    }
    searched = [row.get("words", "")]
    searched += [f"{wording.ask} {wording.brief}" for wording in wordings.values()]
    parts = [PicturePart(**part | {"table": tuple(part.get("table", ()))}) for part in row["parts"]]
    many = {name: tuple(row.get(name, ())) for name in ("pages", "next", "sections", "money")}
    return HelpQuestion(
        key=row["key"],
        topic=row["topic"],
        often=row.get("often", False),
        lesson=row.get("lesson", ""),
        prices=row.get("prices", False),
        ground=row["ground"],
        parts=tuple(parts),
        wordings=wordings,
        folded=f" {fold(' '.join(searched))} ",
        **many,
    )


_DATA = Path(__file__).with_name("questions.toml").read_text(encoding="utf-8")
QUESTIONS = {row["key"]: _question(row) for row in tomllib.loads(_DATA)["question"]}
_OF_PAGE = {page: question for question in QUESTIONS.values() for page in question.pages}


def question_of(page: str) -> HelpQuestion | None:
    """Return the question that arises on the page of this name, or None."""
    return _OF_PAGE.get(page)


def asked(text: str) -> list[HelpQuestion]:
    """Return the questions in which every word of the text begins a word."""
    words = fold(text).split()
    found = QUESTIONS.values() if words else ()
    return [one for one in found if all(f" {word}" in one.folded for word in words)]
