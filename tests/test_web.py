"""What every answer carries, and addresses that do not exist."""

import gzip
import io
import logging
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.db import IntegrityError, InterfaceError, OperationalError
from django.urls import reverse

from config import logs
from tests.factories import make_night, owner_of, path_of

pytestmark = pytest.mark.django_db


def test_pages_allow_only_what_comes_from_here(client):
    answer = client.get("/")
    policy = answer["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Referrer-Policy"] == "same-origin"


def test_no_template_has_a_style_or_a_script_of_its_own():
    inline = re.compile(r"<[^{]*\s(?:style|on[a-z]+)=|<script(?![^>]*\ssrc=)|<style")
    found = [
        (path.name, match)
        for path in Path(settings.BASE_DIR, "templates").rglob("*.html")
        for match in inline.findall(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_htmx_comes_with_the_pages_that_use_it_and_with_no_other():
    root = Path(settings.BASE_DIR, "templates")
    texts = {str(path.relative_to(root)): path.read_text() for path in root.rglob("*.html")}

    def uses(name: str) -> bool:
        included = re.findall(r'{% include "([^"]+\.html)"', texts[name])
        return "hx-get" in texts[name] or "hx-post" in texts[name] or any(map(uses, included))

    pages = {name for name, text in texts.items() if text.startswith("{% extends")}
    assert {name for name in pages if uses(name)} == {
        name for name in pages if "components/htmx.html" in texts[name]
    }


def test_pages_are_compressed_and_other_answers_are_not(client):
    reads = {"Accept-Encoding": "gzip"}
    page, plain = client.get("/tables/", headers=reads), client.get("/tables/")
    assert (page["Content-Encoding"], "Content-Encoding" in plain) == ("gzip", False)
    assert len(page.content) < len(plain.content) / 2
    assert b"</h1>" in gzip.decompress(page.content)
    assert "Content-Encoding" not in client.get("/manifest.webmanifest", headers=reads)


def test_health_answers_while_database_and_broker_do(client):
    assert client.get("/health/").content == b"alive\n"
    assert client.get("/health/ready/").content == b"ready\n"
    for path in ("/health/", "/health/ready/", "/health/verify/", "/robots.txt"):
        assert client.get(path)["Content-Type"] == "text/plain; charset=utf-8"


def test_health_names_what_is_away(client, settings):
    settings.REDIS_URL = "unix:///nowhere.sock"
    answer = client.get("/health/ready/")
    assert (answer.status_code, answer.content) == (503, b"away: broker\n")


def test_an_unknown_address_says_what_to_do(client):
    answer = client.get("/clubs/no-such-club/")
    assert answer.status_code == 404
    assert "If it belongs to your club, sign in" in answer.content.decode()


@pytest.mark.parametrize("failure", [OperationalError, InterfaceError])
def test_a_database_that_cannot_save_is_told_in_a_sentence(client, monkeypatch, failure):
    def fail(*args: object, **more: object) -> None:
        raise failure("could not extend file: No space left on device")

    client.raise_request_exception = False
    monkeypatch.setattr("django.db.models.query.QuerySet._fetch_all", fail)
    (console,) = (
        each for each in logging.getLogger().handlers if type(each.formatter) is logs.TextLines
    )
    monkeypatch.setattr(console, "stream", written := io.StringIO())
    page = client.get("/clubs/")
    assert (page.status_code, page["Retry-After"]) == (503, "10")
    assert "answer right now. Try again in a minute." in page.content.decode()
    assert "was not saved" not in page.content.decode(), "who only looks has sent nothing"
    assert "extend file" not in page.content.decode()
    (line,) = written.getvalue().splitlines()
    assert line.endswith("/clubs/: could not extend file: No space left on device"), "no stack"
    said = client.get("/api/v1/clubs/")
    assert said.status_code == 503
    assert said.json()["detail"].startswith("The database can't answer right now.")
    form = client.post(reverse("account_login"), {"login": "an@club.example", "password": "x"})
    assert (form.status_code, "was not saved" in form.content.decode()) == (503, True)


def test_a_fault_of_the_program_is_no_fault_of_the_database(client, monkeypatch):
    def fail(*args: object, **more: object) -> None:
        raise IntegrityError("a constraint")

    client.raise_request_exception = False
    monkeypatch.setattr("django.db.models.query.QuerySet._fetch_all", fail)
    assert client.get("/clubs/").status_code == 500


def test_pages_speak_the_browsers_language(client):
    assert '<html lang="vi"' in client.get("/", headers={"accept-language": "vi"}).content.decode()
    assert '<html lang="en"' in client.get("/", headers={"accept-language": "de"}).content.decode()


@pytest.mark.django_db
def test_signing_in_at_a_page_that_hides_leads_back_to_it(client):
    found = client.get("/clubs/nobody/events/1/money/")
    assert found.status_code == 404
    assert "/accounts/login/?next=/clubs/nobody/events/1/money/" in found.content.decode()


def test_a_form_that_needed_a_sign_in_leads_to_its_page(client):
    event = make_night()
    page = path_of(event, "event")
    form = f"{page}draw/"
    asked = client.post(form)
    entered = {"login": owner_of(event.season.club).email, "password": "s3cret-word"}
    assert client.post(asked["Location"], entered)["Location"] == form
    answer = client.get(form, headers={"accept": "text/html,*/*"}, follow=True)
    assert answer.redirect_chain == [(page, 302)]
    assert "Nothing was saved. Do it once more on this page." in answer.content.decode()
    assert client.get(form).status_code == 405, "a program is told the method"


@pytest.mark.parametrize("path", ["/clubs/x/events/99999999999999999999/", "/clubs/%00/", "/%ff"])
def test_odd_addresses_are_not_found(client, path):
    assert client.get(path).status_code == 404


def test_what_no_database_keeps_is_refused_wherever_it_is_sent(client):
    assert client.get("/search/", {"q": "a\0b"}).status_code == 400
    assert client.post("/accounts/login/", {"login": "a\0b", "password": "x"}).status_code == 400
