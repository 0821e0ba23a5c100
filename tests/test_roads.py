"""Every answer carries the release's mark, and every refusal that a script meets has our code."""

import asyncio
import json
import shutil
import socket
import threading
import urllib.error
import urllib.request
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import caches
from django.db import OperationalError
from django.test import Client
from django.urls import reverse

from config import bounds, connections
from config.asgi import application
from config.handler import Handler
from config.held import Budget
from launcher import release
from launcher.away import PAGE, AwayPage
from league.base.acts import links
from league.nights.acts import closing
from league.nights.views import cached
from tables.base.row_locks import Busy
from tables.live import tokens
from tests.factories import make_member, make_table, owner_of, path_of, table_link
from tests.loops import run
from tests.scripts import FETCH, SCRIPT
from tests.tables import live
from tests.tables.streams import Stream

pytestmark = pytest.mark.django_db(transaction=True)
MARK = release.mark()
OF_1_1 = {"X-Requested-With": "fetch"}
"""Of a live table of a release without a mark."""


@pytest.fixture
def sitting():
    return make_table()


def at(sitting) -> str:
    return table_link(sitting, 1)


def marked(headers: Any) -> bool:
    found: bool = headers[release.HEADER] == MARK
    return found


async def asked(
    path: str, *headers: tuple[bytes, bytes], app: Any = application, body: bytes = b""
):
    """The first message and the body that the application sends."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": "POST" if body else "GET", "path": path, "query_string": b"",
        "headers": [(b"host", b"testserver"), *headers], "client": ("192.0.2.1", 1),
    }  # fmt: skip
    await asyncio.wait_for(app(scope, receive, send), 60)
    heads = {name.decode().title(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], heads, sent[1]["body"]


def test_whatever_the_server_answers_says_which_release_it_is(client, sitting):
    night = reverse(
        "league:link_night", args=[links.keep_for_night(event=sitting.round.event).secret]
    )
    there = at(sitting)
    got = {path: client.get(path) for path in ("/", "/robots.txt", "/sw.js", "/none/", "/health/")}
    got |= {path: client.get(path, headers=SCRIPT) for path in (there, "/api/v1/clubs/")}
    got |= {"file": client.get("/static/js/ask.js"), "no file": client.get("/static/none.js")}
    got |= {"fragment": client.get(night, headers={"HX-Request": "true"})}
    got |= {"bad host": client.get("/", HTTP_HOST="evil.example")}
    got |= {"csrf": Client(enforce_csrf_checks=True).post(there, {})}
    assert [path for path, answer in got.items() if not marked(answer)] == []
    assert {answer.status_code for answer in got.values()} == {200, 400, 403, 404}
    body = f"&quot;{release.HEADER}&quot;: &quot;{MARK}&quot;".replace("&quot;", '"')
    assert [path for path in ("/", "csrf", "/none/") if body not in got[path].text] == []


def test_what_passes_no_middleware_carries_the_mark_too(monkeypatch):
    table = live.open_table("penguin", people=4)

    async def stream() -> tuple[Any, str]:
        async with Stream(table, tokens.make(table)) as page:
            pass
        page = Stream(table, tokens.make(table))
        start, first = await page.start(), (await page.start())["body"].decode()
        await page.close()
        return {name.decode().title(): value.decode() for name, value in start["headers"]}, first

    headers, first = run(stream())
    assert marked(headers)
    assert f"event: release\ndata: {MARK}\n\n" in first
    status, headers, _body = run(asked("/live/tables/none/"))
    assert (status, marked(headers)) == (204, True)
    monkeypatch.setattr("config.handler.PATIENCE", 0)
    handler = Handler()
    let_go = threading.Event()
    for _ in range(8):  # No thread is free.
        handler._threads.submit(let_go.wait)
    status, headers, _body = run(asked("/", app=handler))
    let_go.set()
    assert (status, marked(headers)) == (503, True)
    assert f"{release.HEADER}: {MARK}\r\n".encode() in connections._BUSY


def test_the_page_that_stands_in_for_the_server_carries_the_mark():
    def answer(**headers: str) -> tuple[Any, bytes]:
        there = f"http://127.0.0.1:{line.getsockname()[1]}/"
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(urllib.request.Request(there, headers=headers), timeout=30)
        assert (refused.value.code, marked(refused.value.headers)) == (503, True)
        return refused.value.headers.get_content_type(), refused.value.read()

    with socket.create_server(("127.0.0.1", 0)) as line:
        away = AwayPage(line)
        away.begin()
        page, script = answer(), answer(Accept="application/json")
        live_table, of_1_1 = answer(**FETCH), answer(**OF_1_1)
        away.end()
    assert page == of_1_1 == ("text/html", PAGE.read_bytes())
    assert script == live_table
    assert script[0] == "application/json"
    assert json.loads(script[1]).items() >= {"code": "try_later", "retry": True}.items()


def test_the_mark_follows_from_the_files_alone(tmp_path, monkeypatch):
    def mark() -> str:
        release.mark.cache_clear()
        return release.mark()

    for folder in release.FOLDERS:
        (tmp_path / folder / "__pycache__").mkdir(parents=True)
        (tmp_path / folder / "one").write_text(folder)
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements" / "runtime.txt").write_text("django")
    with monkeypatch.context() as patched:
        patched.setattr(release, "ROOT", tmp_path)
        first = mark()
        for made in ("__pycache__/one.pyc", "build/one.c", "one.egg-info/one", ".one.swp", "one~",
                     "one.mo"):  # fmt: skip
            (tmp_path / "static" / made).parent.mkdir(exist_ok=True)
            (tmp_path / "static" / made).write_text("made")
        shutil.copystat(settings.BASE_DIR, tmp_path / "static" / "one")
        (tmp_path / "requirements" / "dev.txt").write_text("not of the product")
        assert mark() == first
        seen = {first}
        for changed in ("templates/one", "locale/new", "requirements/runtime.txt"):
            (tmp_path / changed).write_text("another")
            seen.add(mark())
        (tmp_path / "league" / "one").unlink()
        seen.add(mark())
    assert (len(seen), mark()) == (5, MARK)


def scripts(client: Client, path: str, data: dict[str, object] | None = None) -> Any:
    return (
        client.post(path, data, headers=SCRIPT)
        if data is not None
        else client.get(path, headers=SCRIPT)
    )


def told(answer: Any) -> tuple[int, str, bool]:
    said = answer.json()
    assert set(said) >= {"code", "message", "retry"}
    return answer.status_code, said["code"], said["retry"]


def test_a_game_that_is_saved_is_named(client, sitting):
    order = ",".join(str(place.entrant_id) for place in sitting.places.all())
    game = {"game_no": 1, "order": order, "specials": ""}
    game["client_id"] = "11111111-1111-4111-8111-111111111111"
    for _again in range(2):
        assert scripts(client, at(sitting), game).json()["client_id"] == game["client_id"]
    refused = scripts(client, at(sitting), game | {"client_id": "x"})
    assert (told(refused), "client_id" in refused.json()) == ((409, "form", False), False)


def test_a_script_is_refused_in_json_by_all_that_may_refuse_it(client, sitting, monkeypatch):
    there, event = at(sitting), sitting.round.event
    club, by = event.season.club, owner_of(event)
    unknown = reverse("league:link_table", args=["unknown"])
    inside = path_of(event, "table", 1, 1)
    strict = Client(enforce_csrf_checks=True)
    refused = strict.post(there, {}, headers=SCRIPT)
    assert told(refused) == (403, "old-page", True)
    assert refused.cookies["csrftoken"].value
    assert told(scripts(client, unknown, {})) == (404, "ended", False)
    assert told(scripts(client, f"{there}nothing/", {})) == (404, "not_found", False)
    assert told(scripts(client, table_link(sitting, 7), {})) == (404, "not_found", False)
    assert told(scripts(client, f"{there}?x=%00", {})) == (400, "invalid", False)
    type(club).objects.update(is_public=False)
    assert told(scripts(client, inside, {})) == (401, "signed_out", True)
    client.force_login(make_member(club, "player"))
    assert told(scripts(client, inside, {})) == (403, "not_allowed", True)
    closing.close_event(event=event, by=by, despite_unfinished=True)
    assert told(scripts(client, there, {})) == (409, "closed", True)
    monkeypatch.setattr("league.base.views.guessing.MISSES", 0)
    assert told(scripts(client, there, {})) == (429, "too_often", True)


def test_a_live_table_is_refused_in_json_too(client, sitting, monkeypatch):
    """Its script moves its page to what is none; that of 1.1, without the mark, counts on it."""
    table = live.open_table("penguin", people=4)
    there, club = reverse("tables:act", args=[table.key]), sitting.round.event.season.club
    inside = path_of(club, "table", sitting.round.event_id, 1, 1)

    def both(path: str, browser: Client = client) -> tuple[int, str, bool]:
        assert browser.post(path, headers=OF_1_1)["Content-Type"].startswith("text/html")
        return told(browser.post(path, headers=FETCH))

    assert both(there, Client(enforce_csrf_checks=True)) == (403, "old-page", True)
    assert both(f"{there}?x=%00") == (400, "invalid", False)
    assert both(reverse("tables:act", args=["none"])) == (404, "not_found", False)
    assert client.post(inside, headers=FETCH).status_code == 401
    client.force_login(make_member(club, "player"))
    assert both(inside) == (403, "not_allowed", True)
    monkeypatch.setattr("tables.views.moves.place_of", lambda *_given: 1 / 0)
    client.raise_request_exception = False
    assert both(there) == (500, "broken", True)


@pytest.mark.parametrize(
    ("error", "refusal"),
    [
        (OperationalError("away"), (503, "try_later", True)),
        (Busy("row"), (503, "try_later", True)),
        (ZeroDivisionError(), (500, "broken", True)),
    ],
)
def test_a_script_is_told_of_a_server_in_trouble_in_json(
    client, sitting, monkeypatch, error, refusal
):
    def fail(**_given: object) -> None:
        raise error

    monkeypatch.setattr("league.nights.acts.results.record", fail)
    client.raise_request_exception = False
    game = {"game_no": 1, "order": "", "client_id": "11111111-1111-4111-8111-111111111111"}
    assert told(scripts(client, at(sitting), game)) == refusal


@pytest.mark.parametrize("sent", [SCRIPT, FETCH])
def test_a_script_s_body_is_refused_in_json(monkeypatch, sent):
    monkeypatch.setattr(bounds, "MOST_BYTES", 10)
    heads = [(name.lower().encode(), value.encode()) for name, value in sent.items()]
    status, headers, body = run(asked("/", *heads, body=b"x" * 11))
    assert (status, headers["Content-Type"], marked(headers)) == (413, "application/json", True)
    assert b'"code": "too_large"' in body
    assert b'"retry": false' in body
    monkeypatch.setattr(bounds, "MOST_BYTES", 10_000)
    monkeypatch.setattr(bounds, "BODIES", Budget(1))
    monkeypatch.setattr("config.held.SPARED", 0)
    status, headers, body = run(asked("/", *heads, body=b"x" * 11))
    assert (status, headers["Retry-After"], b'"retry": true' in body) == (503, "30", True)


def test_no_html_that_another_release_drew_is_shown(client, sitting, monkeypatch):
    night = path_of(sitting.round.event, "event")
    ours = client.get(night).text
    with monkeypatch.context() as other:
        other.setattr(caches["html"], "key_prefix", "another-release")
        other.setattr(cached, "render_to_string", lambda *_given: "<p>Drawn otherwise</p>")
        assert "Drawn otherwise" in client.get(night).text
    again = client.get(night).text
    assert ("Drawn otherwise" in ours, "Drawn otherwise" in again) == (False, False)
