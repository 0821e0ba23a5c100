"""Between a phone and the server: who else answers, and what a waiting game makes of it."""

import json
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from league.models import Result
from tests.browser.conftest import EXPECTED, check_page, open_page, shot
from tests.browser.proxy import Foreign, Road, road_to
from tests.factories import make_night, make_season, make_table, names_at, play, secret_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PORTAL = b"<!doctype html><title>Cafe</title><form><input name=room><button>Go on</button></form>"
AWAY = "No connection. Keep entering games; they will be sent later."


@pytest.fixture
def sitting():
    return make_table(make_night(season=make_season(rules="mien-nam"), counting="average"))


@pytest.fixture
def road(live_server) -> Iterator[Road]:
    with road_to(live_server.url) as road:
        yield road


@pytest.fixture
def phone(browser: Browser, road: Road, sitting, monkeypatch) -> Iterator[Page]:
    """A phone at the table's link behind the road; its clock runs on when it is told to."""
    cut = ("a status of 5", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE", "ERR_CONTENT_LENGTH",
           "ERR_CONNECTION_REFUSED")  # fmt: skip
    monkeypatch.setattr("tests.browser.conftest.EXPECTED", (*EXPECTED, *cut))
    with open_page(browser, road.address) as page:
        page.goto(reverse("league:link_table", args=[secret_of(sitting)]))
        yield page


def enter(page: Page, sitting, first: int = 0) -> None:
    names = names_at(sitting)
    for name in (names[first:] + names[:first])[:3]:
        page.locator("[data-tap]").filter(has_text=name).click()
    page.get_by_role("button", name="Save the game").click()


def waits(page: Page, sentence: str, number: int = 1) -> None:
    expect(page.locator(".queue li")).to_have_count(number)
    expect(page.locator(".queue li").first).to_contain_text(sentence)


def is_stored_once(page: Page) -> None:
    """The queue tries again every few seconds; this test does not wait for it."""
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("[data-played] tbody tr")).to_have_count(1)
    expect(page.locator("[data-queue]")).to_be_hidden()
    assert list(Result.objects.values_list("game_no", "version")) == [(1, 1)]


NOT_OURS = {
    "200 html": Foreign(body=PORTAL),
    "200 empty": Foreign(),
    "200 text": Foreign(body=b"success", kind="text/plain"),
    "200 json": Foreign(body=b"{}", kind="application/json"),
    "200 json null": Foreign(body=b"null", kind="application/json"),
    "200 of another game": Foreign(body=b'{"client_id": "x"}', kind="application/json"),
    "204": Foreign(204),
    "302": Foreign(302, location="http://portal.example/"),
    "307": Foreign(307, location="http://portal.example/"),
    "401": Foreign(401, PORTAL),
    "403 html": Foreign(403, PORTAL),
    "403 json": Foreign(403, b'{"code": "DENIED", "message": "WAF"}', "application/json"),
    "404 html": Foreign(404, PORTAL),
    "404 json": Foreign(404, b'{"code": 404, "message": "no route"}', "application/json"),
    "409 html": Foreign(409, PORTAL),
    "413": Foreign(413, PORTAL),
    "429": Foreign(429, PORTAL),
    "500": Foreign(500, PORTAL),
    "502": Foreign(502, PORTAL),
    "503": Foreign(503, PORTAL),
    "504": Foreign(504, PORTAL),
    "511": Foreign(511, PORTAL),
    "reset": Foreign(reset=True),
    "saved, then reset": Foreign(reset=True, after=True),
    "saved, then half an answer": Foreign(cut=True, after=True),
}


@pytest.mark.parametrize("foreign", NOT_OURS.values(), ids=NOT_OURS)
def test_a_game_stays_until_the_server_itself_has_it(phone: Page, road: Road, sitting, foreign):
    road.posts(foreign)
    phone.evaluate("document.getElementById('live').textContent = ''")
    enter(phone, sitting)
    waits(phone, AWAY)
    assert phone.locator("#live").inner_text() == ""
    expect(phone.locator(".queue").get_by_role("button", name="Discard")).to_be_hidden()
    is_stored_once(phone)


@pytest.mark.parametrize("seconds", [12, pytest.param(90, marks=pytest.mark.long)])
def test_an_answer_that_comes_too_late_saves_the_game_once(phone, road, sitting, seconds):
    road.posts(Foreign(after=True, seconds=seconds))
    enter(phone, sitting)
    waits(phone, AWAY)
    is_stored_once(phone)


def test_behind_a_portal_no_game_of_three_is_lost(phone: Page, road: Road, sitting):
    road.says = lambda _method, _path: Foreign(body=PORTAL)
    for first in range(3):
        enter(phone, sitting, first)
        expect(phone.locator("[data-now] h2")).to_have_text(f"Game {first + 2}")
    waits(phone, AWAY, 3)
    check_page(phone)
    shot(phone, "roads-portal")
    road.all_is_well()
    expect(phone.locator("[data-played] tbody tr")).to_have_count(3)
    assert list(Result.objects.values_list("game_no", flat=True)) == [1, 2, 3]


def test_an_old_answer_of_a_proxy_changes_nothing(phone: Page, road: Road, sitting):
    """It replays the table's state of before a game, with our header, for some seconds."""
    enter(phone, sitting)
    is_stored_once(phone)
    old = phone.request.get(f"{phone.url}1/", headers={"Accept": "application/json"})
    enter(phone, sitting, 1)
    expect(phone.locator("[data-played] tbody tr")).to_have_count(2)
    replayed = Foreign(body=old.body(), kind="application/json")
    road.says = lambda method, path: replayed if method == "GET" and "version" in path else None
    phone.wait_for_timeout(7000)
    enter(phone, sitting, 2)
    expect(phone.locator("[data-played] tbody tr")).to_have_count(3)
    assert Result.objects.count() == 3


def test_a_lost_token_is_renewed_with_the_refusal(phone: Page, road: Road, sitting):
    phone.context.clear_cookies(name="csrftoken")
    enter(phone, sitting)
    is_stored_once(phone)
    assert sum(asked.startswith("POST") for asked in road.asked) == 2


def test_a_network_that_tried_many_links_is_told_to_wait(phone: Page, sitting, monkeypatch):
    monkeypatch.setattr("league.base.views.guessing.MISSES", 0)
    enter(phone, sitting)
    waits(phone, "Wait ten minutes, then scan the card again. This game is saved on this phone")
    monkeypatch.undo()
    cache.clear()
    is_stored_once(phone)


def test_a_server_of_1_1_is_believed_as_before(phone: Page, road: Road, sitting):
    """The way back: it sends no mark, and its state names no game."""
    state = {"version": 7, "next": 2, "over": False, "players": [], "now": "", "turn": "",
             "played": ""}  # fmt: skip
    road.posts(Foreign(body=json.dumps(state).encode(), kind="application/json"))
    enter(phone, sitting)
    expect(phone.locator("[data-queue]")).to_be_hidden()
    refused = state | {"code": "stale", "message": "Someone else has just saved game 1."}
    road.posts(Foreign(409, json.dumps(refused).encode(), "application/json"))
    enter(phone, sitting)
    waits(phone, "Someone else has just saved game 1.")


GAME = {
    "id": "11111111-1111-4111-8111-111111111111", "game": 1, "specials": "", "title": "",
    "names": "", "lines": [],
}  # fmt: skip
STRANGE = [
    ('{"a": 1}', ['{"a": 1}']),
    ("[null, GAME, 7]", ["null", "7"]),
    ('[{"id": "x", "url": 3}, GAME]', ['{"id":"x","url":3}']),
    ("x" * 300, ["x" * 300]),
    ('"games"', ['"games"']),
]


@pytest.mark.parametrize(("stored", "shown"), STRANGE, ids=[row[0][:40] for row in STRANGE])
def test_what_a_phone_kept_and_nobody_can_read_stops_no_game(phone, sitting, stored, shown):
    order = ",".join(str(place.entrant_id) for place in sitting.places.order_by("seat"))
    here = phone.evaluate("document.querySelector('[data-table]').dataset.here")
    game = GAME | {"url": here, "order": order}
    stored = stored.replace("GAME", json.dumps(game))
    phone.evaluate("text => localStorage.setItem('games-to-send', text)", stored)
    phone.reload()
    number = 1 + (GAME["id"] in stored)
    if number > 1:
        expect(phone.locator("[data-played] tbody tr")).to_have_count(1)
    expect(phone.locator(".queue [data-order]")).to_have_text(shown)
    expect(phone.locator(".queue li").first).to_contain_text(
        "A game kept on this phone is unreadable here"
    )
    check_page(phone)
    shot(phone, "roads-strange")
    enter(phone, sitting, 1)
    expect(phone.locator("[data-played] tbody tr")).to_have_count(number)
    phone.reload()
    expect(phone.locator(".queue [data-order]")).to_have_text(shown)
    for _row in shown:
        phone.get_by_role("button", name="Discard").first.click()
    expect(phone.locator("[data-queue]")).to_be_hidden()


def test_a_game_that_a_foreign_404_stopped_before_the_upgrade_is_tried_again(phone, sitting):
    order = ",".join(str(place.entrant_id) for place in sitting.places.order_by("seat"))
    here = phone.evaluate("document.querySelector('[data-table]').dataset.here")
    game = GAME | {"url": here, "order": order, "problem": {"code": "gone"}}
    phone.evaluate("games => localStorage.setItem('games-to-send', games)", json.dumps([game]))
    phone.reload()
    is_stored_once(phone)


def test_two_orders_of_one_game_are_still_compared(phone: Page, sitting):
    phone.context.set_offline(True)
    enter(phone, sitting)
    play(sitting, names_at(sitting)[::-1])
    phone.context.set_offline(False)
    waits(phone, "Someone else has just saved game 1.")
