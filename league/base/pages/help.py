"""The questions of help in the reader's language: to list, to find and for a page's "?"."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from league.base.domain import help as questions
from league.base.domain.help import HelpQuestion, PicturePart, Wording
from league.base.page_parts import Tab


@dataclass(frozen=True)
class AskedQuestion:
    """A question with its address, its words and the parts of its picture with their labels."""

    question: HelpQuestion
    address: str
    words: Wording
    parts: list[tuple[PicturePart, str]]

    @property
    def paragraphs(self) -> list[SafeString]:
        """The answer; what stands between two stars is bold."""
        return [
            format_html_join(
                "", "{}", ((format_html("<b>{}</b>", one) if n % 2 else one,) for n, one in pieces)
            )
            for pieces in (enumerate(text.split("**")) for text in self.words.text)
        ]


def told(found: Iterable[HelpQuestion], club: str = "") -> list[AskedQuestion]:
    """Return questions in the reader's language, with the club whose numbers the answers show."""
    language = (get_language() or "en").partition("-")[0]
    words = [(question, question.wording(language)) for question in found]
    return [
        AskedQuestion(
            one, address_of(one, club), said, list(zip(one.parts, said.labels, strict=True))
        )
        for one, said in words
    ]


def find(text: str) -> list[AskedQuestion]:
    """Return the questions that the search shows for this text."""
    return told(questions.asked(text))


def address_of(question: HelpQuestion | None, club: str = "") -> str:
    """Return the address of a question, without one of the index."""
    here = reverse("help_question", args=[question.key]) if question else reverse("help")
    return f"{here}?club={club}" if club else here


def index(topic: str) -> dict[str, object]:
    """Return the questions of a topic, without one those asked most often."""
    here = topic if topic in questions.TOPICS else ""
    found = [
        one for one in questions.QUESTIONS.values() if (one.topic == here if here else one.often)
    ]
    topics = [
        Tab(
            text,
            f"{reverse('help')}?topic={key}" if key else reverse("help"),
            key == here,
            icon=icon,
        )
        for key, (text, icon) in _topics().items()
    ]
    return {"asked": told(found), "topics": topics, "total": len(questions.QUESTIONS)}


def guide() -> dict[str, object]:
    """Return all questions with their answers as chapters of a guide to print."""
    found = list(questions.QUESTIONS.values())
    return {
        "chapters": [
            (text, told(one for one in found if one.topic == key))
            for key, (text, _icon) in _topics().items()
            if key
        ]
    }


def _topics() -> dict[str, tuple[str, str]]:
    """Return the name and icon of each topic; "" is what people ask most often."""
    return {
        "": (_("Often asked"), "info"),
        "tonight": (_("Tonight"), "moon"),
        "club": (_("Club"), "people"),
        "money": (_("Money"), "coin"),
        "play": (_("Play"), "cards"),
        "bots": (_("Bots"), "bot"),
    }
