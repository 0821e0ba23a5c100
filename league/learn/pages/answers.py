"""The answer to a question, with the rules and the stake of the reader's club."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from engine.rules import ruleset as engine_ruleset
from engine.rules.ruleset import Ruleset
from league.base.domain.help import QUESTIONS, HelpQuestion
from league.base.domain.rule_text import rule_text, say
from league.base.domain.rule_text.labels import MONEY
from league.base.pages.help import AskedQuestion, told
from league.base.texts import amount
from league.models import Club, Event
from tables.base import rulesets

USUAL = "mien-nam"
PRICED = {
    "black_two": "2S",
    "red_two": "2D",
    "pair_run_3": "5S 5D 6C 6H 7S 7C",
    "quad": "JS JC JD JH",
    "pair_run_4": "5S 5D 6C 6H 7S 7C 8D 8H",
}


@dataclass(frozen=True)
class CardPrice:
    """What cards are worth: in stakes, and in money if the club's stake is known."""

    cards: list[str]
    text: str
    stakes: int
    money: str


@dataclass(frozen=True)
class OwnNumbers:
    """What the rules of a club say about a question; `stake` is empty if none is known."""

    rules: Ruleset
    club: Club | None
    stake: str
    prices: list[CardPrice]
    sentences: list[str]


def answer_page(key: str, club: Club | None) -> dict[str, object] | None:
    """Return the question with its numbers and the questions that follow, or None."""
    question = QUESTIONS.get(key)
    if question is None:
        return None
    slug = club.slug if club else ""
    follow: list[AskedQuestion] = told([QUESTIONS[one] for one in question.next], slug)
    return {
        "one": told([question], slug)[0],
        "follow": follow,
        "numbers": _numbers(question, club) if question.money or question.sections else None,
        "lesson_rules": USUAL,
    }


def _numbers(question: HelpQuestion, club: Club | None) -> OwnNumbers:
    night = _last_night(club) if club else None
    rules = rulesets.thaw(night.ruleset) if night else engine_ruleset.preset(USUAL)
    sentences = [
        say(sentence, _)
        for section in rule_text(rules)
        for sentence in section.sentences
        if section.key in question.sections
        or (section.key == "money" and say(sentence).startswith(question.money))
    ]
    stake, unit = (night.stake, night.season.unit) if night else (0, "")
    prices = _prices(rules, stake, unit) if question.prices else []
    known = amount(stake, unit) if stake else ""
    return OwnNumbers(rules, club if night else None, known, prices, sentences)


def _prices(rules: Ruleset, stake: int, unit: str) -> list[CardPrice]:
    """Return what 2s and bombs are worth, of rules that price them."""
    worth = dict(rules.money)
    return [
        CardPrice(
            cards=cards.split(),
            text=_(MONEY[key]),
            stakes=worth[key],
            money=amount(worth[key] * stake, unit) if stake else "",
        )
        for key, cards in PRICED.items()
        if rules.betting == "mien_nam"
    ]


def _last_night(club: Club) -> Event | None:
    nights = Event.objects.filter(season__club=club, kind=Event.Kind.NIGHT, ruleset__isnull=False)
    return nights.select_related("ruleset").order_by("-date", "-pk").first()
