"""The edge: headers of every answer, addresses counted together, and logs without secrets."""

import io
import json
import logging
import socket
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.templatetags.static import static
from django.test import Client
from django.urls import reverse
from rest_framework.exceptions import ParseError

from config.logs import Context
from launcher import programs
from launcher.locations import Locations
from league.base.acts import links, tokens
from league.base.api.parsers import Json
from league.base.domain import csv_text, names
from league.base.domain.names import StackedMarks
from league.clubs.acts import clubs
from tables.models import Table
from tests.factories import (
    browser_of,
    make_club,
    make_member,
    make_night,
    make_season,
    make_table,
    make_user,
    path_of,
    secret_of,
    table_link,
)

pytestmark = pytest.mark.django_db

TRICK = "Ho\u0323\u0302i \u202eB\u200ba\u0323n"


def told(client: Client, path: str) -> str:
    return client.get(path).headers.get("Cache-Control", "")


@pytest.fixture
def held() -> dict[str, Any]:
    sitting = make_table(make_night())
    event = sitting.round.event
    club = event.season.club
    user = make_member(club, "organiser")
    client = browser_of(user)
    return {"club": club, "event": event, "sitting": sitting, "user": user, "client": client}


def test_nobody_keeps_a_page_that_is_not_public(held):
    club = held["club"]
    for name in ("members", "audit", "players", "club"):
        assert told(held["client"], path_of(club, name)) == ("private, no-store")
    _token, secret = tokens.create_token(user=held["user"], name="x")
    program = Client(headers={"Authorization": f"Bearer {secret}"})
    assert told(program, path_of(club, "api:players")) == "private, no-store"
    table = table_link(held["sitting"])
    check_in = links.renew_for_night(event=held["event"], by=held["user"]).secret
    for path in (table, reverse("league:link_night", args=[check_in])):
        assert told(Client(), path) == "private, no-store"


def test_what_is_public_and_what_says_otherwise_stays_as_it_was(held):
    assert told(Client(), path_of(held["club"], "club")) == ""
    assert told(held["client"], reverse("manifest")) == "max-age=3600"


def test_every_answer_says_what_a_page_may_use_and_who_may_embed_it(held):
    for path in ("/", "/api/v1/clubs/", "/nothing/here/"):
        headers = held["client"].get(path).headers
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert "camera=()" in headers["Permissions-Policy"]


def test_a_file_that_is_never_a_page_carries_what_it_has_use_for():
    for name in ("css/night.css", "js/app.js", "vendor/be-vietnam-pro/be-vietnam-pro-400.woff2"):
        headers = Client().get(static(name)).headers
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin", name
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert not {"Permissions-Policy", "Cross-Origin-Opener-Policy"} & headers.keys()
    assert "Permissions-Policy" in Client().get(static("icons.svg")).headers


def test_a_secret_link_is_in_no_log_however_it_was_mistyped(held):
    secret = secret_of(held["sitting"])
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.addFilter(Context())
    logging.getLogger("django").addHandler(handler)
    try:
        for wrong in ("…/", "%E2%80%A6", "%0a/", "\\/", "/x/y/", "%2f"):
            Client().get(f"/clubs/~table/{secret}{wrong}")
            Client().post(f"/clubs/~table/{secret}{wrong}?q={secret}")
    finally:
        logging.getLogger("django").removeHandler(handler)
    assert "Not Found" in written.getvalue()
    assert secret not in written.getvalue()


@pytest.mark.parametrize(
    ("first", "second"), [("192.0.2.1", "192.0.2.99"), ("2001:db8::1", "2001:db8::9:9")]
)
def test_neighbours_share_a_limit(first, second, monkeypatch, empty_cache):
    monkeypatch.setitem(settings.TABLES_PER_ADDRESS, "open", (1, 60))
    form = {"rules": "tien-len", "players": 2, "clock": "40", "name": "An", "talk": "all"}
    assert Client(REMOTE_ADDR=first).post(reverse("tables:lobby"), form).status_code == 302
    assert Client(REMOTE_ADDR=second).post(reverse("tables:lobby"), form).status_code == 422
    assert Table.objects.count() == 1


def test_half_a_character_is_refused_by_the_parser():
    _token, secret = tokens.create_token(user=make_user(), name="x")
    client = Client(headers={"Authorization": f"Bearer {secret}"}, raise_request_exception=False)
    for body in (b'{"rules": "\\ud800", "players": 4}', b'{"\\udfff": 1}', b'["\\ud800"]'):
        answer = client.post(reverse("play:tables"), body, content_type="application/json")
        assert answer.status_code == 400
    whole = b'{"rules": "\\ud83c\\udf89", "players": 4}'
    answer = client.post(reverse("play:tables"), whole, content_type="application/json")
    assert answer.status_code in (404, 422)


def test_forwarded_addresses_are_believed_from_named_proxies_alone(tmp_path):
    places = Locations(tmp_path)
    with socket.socket() as line:
        web = programs.web_part(places, line)
    compose = (Path(settings.BASE_DIR) / "docker-compose.yml").read_text(encoding="utf-8")
    assert "--no-proxy-headers" in web.command
    assert "- --no-proxy-headers\n" in compose


def test_names_of_clubs_seasons_and_nights_are_cleaned():
    club = make_club(name=TRICK)
    assert club.name == "Hội Bạn"
    with pytest.raises(ValidationError, match="accents"):
        clubs.create_club(
            name="e" + "\u0301" * 9, by=make_user(), time_zone="Asia/Ho_Chi_Minh", unit="xu"
        )
    season = make_season(club)
    event = make_night(season=season)
    client = browser_of(club.memberships.get().user)
    path = path_of(club, "api:event", event.pk)
    answer = client.patch(path, {"name": TRICK}, content_type="application/json")
    event.refresh_from_db()
    assert (answer.status_code, event.name) == (200, "Hội Bạn")


HEAP = "a" + "\u0323\u0301" * 200


@pytest.mark.parametrize("heap", [HEAP, "a" + "\u0f73" * 200, "a" + "\uff9e" * 200])
def test_a_heap_of_accents_is_refused_before_anything_puts_it_in_order(
    client: Client, heap: str
) -> None:
    """In order of all accents: 57 s for a file of 800 kB, and one password may have more."""
    form = {"email": "an@club.example", "name": "An", "password1": heap}
    assert client.post(reverse("account_signup"), form).status_code == 400
    assert client.get(reverse("home"), {"q": heap}).status_code == 400
    with pytest.raises(ParseError):
        Json().parse(io.BytesIO(json.dumps({"name": heap}).encode()))
    with pytest.raises(StackedMarks):
        names.clean_name(heap)
    with pytest.raises(ValueError, match="Too many accents"):
        csv_text.read_text(f"name\n{heap}\n".encode())


def test_accents_that_stand_apart_from_their_letters_are_no_heap() -> None:
    text = unicodedata.normalize("NFD", "Nguyễn Thị Ngọc Diệu\n" * 100)
    assert csv_text.read_text(text.encode()) == unicodedata.normalize("NFC", text)
