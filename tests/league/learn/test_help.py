"""Help: one question on each page, in both languages, found by search and by the "?" of a page."""

from __future__ import annotations

import html
import re
from typing import Any

import polib
import pytest
from django.core.cache import cache
from django.urls import URLPattern, get_resolver
from django.utils import translation

from engine.rules.ruleset import preset
from league.base.domain.help import QUESTIONS, TOPICS, HelpQuestion, asked
from league.base.domain.rule_text import rule_text, say
from league.learn.domain.lessons import KEYS
from league.models import Membership
from tables.base.faces import ANIMALS, GROUNDS
from tests.architecture import ROOT
from tests.factories import make_club, make_member, make_night, make_season, make_user, owner_of

pytestmark = pytest.mark.django_db
EVERY = pytest.mark.parametrize("question", QUESTIONS.values(), ids=list(QUESTIONS))
CATALOGUE = ROOT / "locale/vi/LC_MESSAGES/django.po"
HELP = re.compile(r'href="(/help/[^"]*)">\s*<span class="help-mark"')


@pytest.fixture(autouse=True)
def fresh_limit(settings):
    memory = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    settings.CACHES = {"default": memory, "html": memory}
    cache.clear()


def names_of_pages(resolver: Any, prefix: str = "") -> set[str]:
    found: set[str] = set()
    for one in resolver.url_patterns:
        if isinstance(one, URLPattern):
            found.add(f"{prefix}{one.name}")
        else:
            found |= names_of_pages(one, f"{prefix}{one.namespace}:" if one.namespace else prefix)
    return found


@EVERY
def test_a_question_is_answered_in_both_languages_with_a_picture(client, question: HelpQuestion):
    assert question.topic in TOPICS
    assert question.ground in ("felt", "red", "gold")
    assert question.parts
    assert set(question.wordings) == {"vi", "en"}
    for language, words in question.wordings.items():
        assert 60 <= len(" ".join(words.text).split()) <= 120, language
        assert len(words.labels) == len(question.parts), language
        assert all(text.count("**") % 2 == 0 for text in words.text), language
        page = client.get(f"/help/{question.key}/", headers={"accept-language": language})
        answer = page.content.decode()
        assert page.status_code == 200
        assert f'<div class="pic pic-{question.ground}">' in answer
        assert answer.count("<h1>") == 1


@pytest.mark.parametrize("language", ["vi", "en"])
def test_answers_name_what_a_page_calls_it_and_have_no_marks_of_another_kind(language):
    """In bold stands what a page says, a sign to press or what is typed after an address."""
    said = {
        text.casefold()
        for entry in polib.pofile(str(CATALOGUE))
        for text in ([entry.msgid] if language == "en" else [entry.msgstr])
    }
    answers = {key: " ".join(one.wordings[language].text) for key, one in QUESTIONS.items()}
    unknown = {
        (key, name)
        for key, text in answers.items()
        for name in re.findall(r"\*\*(.+?)\*\*", text)
        if name[0] not in "+?" and name.casefold() not in said
    }
    assert unknown == set()
    assert [key for key, text in answers.items() if re.search(r"`|(?<!\*)\*(?!\*)", text)] == []


@EVERY
def test_a_question_leads_on_to_others_and_to_a_lesson_that_exists(question: HelpQuestion):
    assert question.key not in question.next
    assert set(question.next) <= set(QUESTIONS)
    assert not question.lesson or question.lesson in KEYS
    faces = [face for part in question.parts for face in (part.face, *part.table) if face]
    for animal, _dash, ground in (face.partition("-") for face in faces):
        assert animal in ANIMALS
        assert 1 <= int(ground) <= GROUNDS


def test_the_sentences_of_the_rules_that_a_question_quotes_exist():
    sections = {section.key: section.sentences for section in rule_text(preset("mien-nam"))}
    money = [say(sentence) for sentence in sections["money"]]
    for question in QUESTIONS.values():
        assert set(question.sections) <= set(sections), question.key
        for opening in question.money:
            assert any(one.startswith(opening) for one in money), (question.key, opening)


@EVERY
def test_a_question_is_reached_from_the_index_and_from_another(client, question: HelpQuestion):
    index = client.get("/help/", {"topic": question.topic}).content.decode()
    assert f'href="/help/{question.key}/"' in index
    assert any(question.key in other.next for other in QUESTIONS.values())


@pytest.mark.parametrize("language", ["vi", "en"])
def test_the_guide_to_print_has_every_answer_with_its_picture(client, language):
    headers = {"accept-language": language}
    assert 'href="/help/?topic=all"' in client.get("/help/", headers=headers).content.decode()
    guide = client.get("/help/?topic=all", headers=headers).content.decode()
    asked = [html.unescape(one) for one in re.findall(r"<h3>(.+?)</h3>", guide)]
    assert sorted(asked) == sorted(one.wording(language).ask for one in QUESTIONS.values())
    assert guide.count('<div class="pic pic-') == len(QUESTIONS)


def test_each_page_with_a_question_exists_and_has_one():
    pages = [page for question in QUESTIONS.values() for page in question.pages]
    assert len(pages) == len(set(pages))
    assert set(pages) - names_of_pages(get_resolver()) == set()


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("cháy", "cong"),
        ("đền", "left-in-hand"),
        ("thối heo", "left-in-hand"),
        ("thoi heo", "left-in-hand"),
        ("chia tiền", "who-pays"),
        ("ăn heo", "chop-money"),
        ("phạt heo", "chop-money"),
        ("late", "late-comer"),
        ("tới trễ", "late-comer"),
        ("wifi yếu", "no-network"),
        ("forgot password", "sign-in"),
        ("tivi", "big-screen"),
    ],
)
def test_the_search_finds_a_question_by_the_words_that_people_type(client, typed, key):
    page = client.get("/search/", {"q": typed}).content.decode()
    assert f'href="/help/{key}/"' in page


def test_every_word_must_be_in_a_question():
    assert asked("thối xe đạp") == []
    assert asked("") == []


def test_the_mark_of_a_page_leads_to_its_own_question(client):
    club = make_club()
    season = make_season(club)
    night = make_night(season=season)
    client.force_login(owner_of(club))
    for path, key in [
        (f"/clubs/{club.slug}/events/{night.pk}/check-in/", "late-comer"),
        (f"/clubs/{club.slug}/events/{night.pk}/money/", "who-pays"),
        (f"/clubs/{club.slug}/seasons/{season.pk}/", "points"),
        (f"/clubs/{club.slug}/members/", "roles"),
        ("/tables/", "play-online"),
        ("/search/", ""),
    ]:
        found = HELP.search(client.get(path).content.decode())
        own = f"?club={club.slug}" if path.startswith("/clubs/") else ""
        assert found, path
        assert found[1] == (f"/help/{key}/{own}" if key else "/help/")


def test_a_member_reads_what_a_chop_pays_in_the_own_club(client):
    club = make_club(is_public=True)
    make_night(season=make_season(club, rules="mien-nam"), stake=10_000)
    member = make_member(club, Membership.Role.SCORER)
    address = f"/help/chop-money/?club={club.slug}"
    assert "20,000" not in numbers(client.get(address)), "strangers do not learn the stake"
    client.force_login(member)
    assert "20,000" in numbers(client.get(address))
    client.force_login(make_user())
    assert "20,000" not in numbers(client.get(address))


def numbers(page: Any) -> str:
    return page.content.decode().partition('id="numbers"')[2]


def test_an_answer_in_vietnamese_says_what_the_rules_say_in_vietnamese(client):
    with translation.override("vi"):
        page = client.get("/help/cong/", headers={"accept-language": "vi"})
    assert "Cóng (cháy): ai chưa đánh được lá nào" in numbers(page)


def test_an_unknown_question_is_not_found(client):
    assert client.get("/help/nothing/").status_code == 404
