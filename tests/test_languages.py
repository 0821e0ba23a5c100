"""Vietnamese: every message is translated, and no page has an English sentence left."""

import os
import re
import runpy
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import django
import polib
import pytest
from allauth import __file__ as allauth_init
from django.conf import settings
from django.forms import DateField
from django.test import Client
from django.urls import Resolver404, resolve
from django.utils import translation
from django.utils.formats import date_format, number_format
from django.utils.timesince import timeuntil

from league.arena.acts import bots
from league.models import Club
from tables.runs import runs
from tests.factories import (
    make_adjustment,
    make_club,
    make_night,
    make_rules,
    make_season,
    make_table,
    make_tournament,
    make_user,
    names_at,
    owner_of,
    path_of,
    secret_of,
)

ROOT = Path(settings.BASE_DIR)
CATALOGUE = ROOT / "locale" / "vi" / "LC_MESSAGES" / "django.po"
FOR_LIBRARIES = ROOT / "locale" / "libraries" / "vi" / "LC_MESSAGES" / "django.po"
ENGLISH = ROOT / "locale" / "en" / "LC_MESSAGES" / "django.po"
LIBRARIES = (
    Path(django.__file__).parent / "conf",
    Path(django.__file__).parent / "contrib" / "auth",
    Path(allauth_init).parent,
)
PLACEHOLDER = re.compile(r"%%|%\(\w+\)[sd]|%[sd]|\{\w*\}")
UNMARKED = re.compile(
    r"\b(?:the|and|of|with|is|are|was|this|your|for|not|who|what|from|only|must|cannot)\b",
    re.IGNORECASE,
)


@cache
def catalogue() -> list[polib.POEntry]:
    """The Vietnamese of all messages, ours and the libraries'."""
    return [*polib.pofile(str(CATALOGUE)), *polib.pofile(str(FOR_LIBRARIES))]


def key(entry: polib.POEntry) -> tuple[str | None, str]:
    return entry.msgctxt, entry.msgid


def translations(entry: polib.POEntry) -> list[str]:
    return [entry.msgstr, *entry.msgstr_plural.values()]


def test_every_message_is_translated_and_none_by_a_guess():
    assert [entry.msgid for entry in catalogue() if not entry.translated()] == []


def test_a_translation_has_the_placeholders_of_its_message():
    """Of two English forms the plural counts: Vietnamese has one form, which names the number."""
    wrong = []
    for entry in catalogue():
        wanted = Counter(PLACEHOLDER.findall(entry.msgid_plural or entry.msgid))
        text = entry.msgstr_plural.get(0, "") if entry.msgid_plural else entry.msgstr
        on_a_page = any(place.endswith((".html", ".txt")) for place, _ in entry.occurrences)
        # A page with a lone % in its translation says the English sentence.
        lone = on_a_page and "%" in PLACEHOLDER.sub("", text)
        if Counter(PLACEHOLDER.findall(text)) != wanted or lone:
            wrong.append(entry.msgid)
    assert wrong == []


def test_a_translation_begins_and_ends_like_its_message():
    """A sentence stays one, with its full stop; what leads on to something leads on."""
    ends = {
        entry.msgid: (text[-1:], entry.msgid[-1:])
        for entry in catalogue()
        for text in translations(entry)
        if text and (entry.msgid[-1] in ".?!:…\n " or text[-1] in ".:\n ")
    }
    assert {msgid: end for msgid, end in ends.items() if end[0] != end[1]} == {}


@pytest.mark.parametrize("path", [CATALOGUE, FOR_LIBRARIES, ENGLISH], ids=["ours", "vi", "en"])
def test_the_compiled_catalogue_is_the_catalogue(path):
    compiled = polib.mofile(str(path.with_suffix(".mo")))
    kept = {key(e): translations(e) for e in polib.pofile(str(path)).translated_entries()}
    assert {key(e): translations(e) for e in compiled} == kept


@pytest.mark.always
def test_the_catalogue_has_the_messages_of_the_sources_and_no_other(monkeypatch):
    if shutil.which("xgettext") is None:
        reason = "GNU gettext is needed to collect messages: apt install gettext"
        pytest.fail(reason) if os.environ.get("CI") == "true" else pytest.skip(reason)
    monkeypatch.setattr(sys, "path", [str(ROOT / "script"), *sys.path])
    collected = runpy.run_path(str(ROOT / "script" / "messages"))["collected"]()
    assert {key(e) for e in polib.pofile(str(CATALOGUE))} == {key(e) for e in collected}


@pytest.mark.parametrize("path", [FOR_LIBRARIES, ENGLISH], ids=["vi", "en"])
def test_messages_for_the_libraries_are_theirs_to_the_letter(path):
    """A message that a new version words otherwise is found here."""
    theirs = {
        entry.msgid
        for package in LIBRARIES
        for entry in polib.pofile(str(package / "locale/en/LC_MESSAGES/django.po"))
    }
    assert {entry.msgid for entry in polib.pofile(str(path))} - theirs == set()


def test_our_english_says_the_libraries_messages_otherwise():
    english = polib.pofile(str(ENGLISH))
    assert [e.msgid for e in english if not e.translated() or e.msgstr == e.msgid] == []
    for entry in english:
        found = [Counter(PLACEHOLDER.findall(text)) for text in (entry.msgid, entry.msgstr)]
        assert found[0] == found[1], entry.msgid


@pytest.mark.django_db
def test_an_english_page_has_our_english(client):
    page = client.get("/accounts/password/reset/key/1-bad/").content.decode()
    assert "This reset link no longer works" in page
    assert "Bad Token" not in page


def test_a_date_and_a_sum_are_written_as_vietnamese_do():
    day = date(2015, 11, 5)
    with translation.override("vi"):
        assert date_format(day, "SHORT_DATE_FORMAT") == "05/11/2015"
        assert date_format(day) == "5 tháng 11, 2015"
        assert number_format(50000, force_grouping=True) == "50.000"
        assert number_format(1.5) == "1,5"
        assert DateField().clean("5/11/2015") == day


@pytest.mark.parametrize(
    ("minutes", "said"), [(1, "1 phút"), (56, "56 phút"), (120, "2 giờ"), (14400, "1 tuần, 3 ngày")]
)
def test_a_duration_is_said_in_vietnamese(minutes, said):
    now = datetime(2015, 11, 22, 12, 0)
    with translation.override("vi"):
        assert timeuntil(now + timedelta(minutes=minutes), now).replace("\xa0", " ") == said


# --- A walk over the pages ------------------------------------------------------------------


class Page(HTMLParser):
    """The words of a page, also those for screen readers, and the addresses it links to."""

    silent = {"script", "style", "code"}
    void = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "wbr"}
    spoken = ("aria-label", "title", "placeholder", "alt", "data-label", "data-remove")

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.links: list[str] = []
        self._open: list[bool] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.words += [str(found[name]) for name in self.spoken if name in found]
        if tag == "a" and (found.get("href") or "").startswith("/"):
            self.links.append(str(found["href"]).partition("#")[0])
        if tag not in self.void:
            self._open.append(tag in self.silent or (tag != "html" and found.get("lang") == "en"))

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.void and self._open:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if not any(self._open):
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def walk(client: Client, *starts: str, each: int = 3) -> Iterator[tuple[str, str, str]]:
    """(address's name, path, text) of the pages that links lead to, some of each address."""
    waiting, done, visits = list(starts), set(starts), Counter[str]()
    while waiting:
        path = waiting.pop(0)
        try:
            name = resolve(path.partition("?")[0]).view_name
        except Resolver404:
            continue
        visits[name] += 1
        if visits[name] > each:
            continue
        answer = client.get(path, headers={"accept-language": "vi"})
        if not answer.get("Content-Type", "").startswith("text/html"):
            continue
        page = Page(answer.content.decode())
        yield name, path, page.text
        waiting += [link for link in page.links if link not in done]
        done.update(page.links)


@cache
def english() -> dict[str, str]:
    """The longest fixed part of every message that is not the same in Vietnamese."""
    parts = {
        max(PLACEHOLDER.split(" ".join(e.msgid.split())), key=len).strip(): e.msgid
        for e in catalogue()
        if e.msgid not in translations(e)
    }
    return {part: msgid for part, msgid in parts.items() if len(part) > 12}


def left_in_english(text: str) -> list[str]:
    """Sentences of the catalogue, and the words around an English one that nobody marked."""
    return [msgid for part, msgid in english().items() if part in text] + [
        text[max(0, found.start() - 40) : found.end() + 40] for found in UNMARKED.finditer(text)
    ]


@pytest.fixture
def club() -> Club:
    """A club of which every page has something to show."""
    club = make_club(name="Hội Chủ Nhật")
    make_rules(club, later_games_led_by="winner")
    season = make_season(club, rules="mien-nam")
    night = make_night(6, season=season, stake=5)
    sitting = make_table(night, games=1)
    make_adjustment(season, names_at(sitting)[0], reason="đến muộn")
    tournament = make_tournament(season, name="Máy đấu", date=night.date)
    runs.play_next(tournament.run_id)
    bots.record_run(run=tournament.run)
    return club


ACCOUNT_PAGES = [
    "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/",
    "/accounts/password/reset/done/", "/accounts/password/reset/key/1-bad/",
    "/accounts/password/reset/key/done/", "/accounts/inactive/", "/accounts/confirm-email/",
    "/accounts/confirm-email/bad/",
]  # fmt: skip
WRONG_FORMS: list[tuple[str, dict[str, str]]] = [
    ("/accounts/login/", {}),
    ("/accounts/login/", {"login": "lan@club.example", "password": "wrong-word"}),
    ("/accounts/signup/", {"email": "lan@club.example", "password1": "lan", "password2": "2"}),
    ("/accounts/password/change/", {"oldpassword": "x", "password1": "password", "password2": "z"}),
    ("/accounts/email/", {"action_add": "", "email": "no-mail"}),
    ("/clubs/new/", {"name": "x" * 100, "time_zone": "Mars"}),
    ("/records/", {}),
]


@pytest.mark.django_db
def test_pages_that_no_link_leads_to_have_no_english_sentence(client, club):
    """All others that an owner reads are in tests/test_addresses.py."""
    client.force_login(owner_of(club))
    tournament = club.seasons.get().events.get(kind="bots")
    for path in (
        "/accounts/logout/",
        path_of(club, "replay", tournament.pk, 1, 1),
    ):
        answer = client.get(path, headers={"accept-language": "vi"})
        assert (path, left_in_english(Page(answer.content.decode()).text)) == (path, [])


@pytest.mark.django_db
def test_no_page_of_a_stranger_has_an_english_sentence(client, club):
    sitting = club.seasons.get().events.get(kind="night").rounds.get().sittings.first()
    table = f"/clubs/~table/{secret_of(sitting)}/"
    pages = list(walk(client, "/", table, "/clubs/none/", *ACCOUNT_PAGES))
    assert {"league:link_table", "account_login"} <= {name for name, _path, _text in pages}
    assert {path: left for _name, path, text in pages if (left := left_in_english(text))} == {}


@pytest.mark.django_db
@pytest.mark.parametrize(("path", "values"), WRONG_FORMS)
def test_no_answer_to_a_wrong_form_has_an_english_sentence(client, path, values):
    if not path.endswith(("login/", "signup/")):
        client.force_login(make_user())
    answer = client.post(path, values, headers={"accept-language": "vi"})
    assert left_in_english(Page(answer.content.decode()).text) == []


@pytest.mark.django_db
def test_a_form_without_its_token_is_answered_in_vietnamese():
    client = Client(enforce_csrf_checks=True)
    answer = client.post("/accounts/login/", headers={"accept-language": "vi"})
    assert answer.status_code == 403
    assert "Trang này đã cũ" in answer.content.decode()
