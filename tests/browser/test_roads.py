"""Between a phone and the server: who else answers, and what a waiting game makes of it."""

import datetime
import json
import re
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from engine.rules import ruleset
from launcher.away import REFUSAL
from league.arena.pages import door
from league.base.acts import links
from league.models import Result
from league.nights.acts import closing
from league.nights.pages.night_page import STANDINGS
from league.seasons.acts import season_cache
from tables.people.acts import sprints
from tables.reviews.acts import making
from tests.browser.conftest import EXPECTED, check_page, comes_to, open_page, shot, sign_in
from tests.browser.entering import enter, link_of, played, waits
from tests.browser.proxy import HEARD, MOODS, PORTAL, Foreign, Road
from tests.factories import make_night, make_table, names_at, owner_of, play
from tests.scripts import SCRIPT
from tests.tables import live
from tests.tables.reviewed import HANDS, judged

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
AWAY = "No connection. Keep entering games; they will be sent later."


@pytest.fixture
def sitting():
    return make_table(make_night(rules="mien-nam", counting="average"))


@pytest.fixture
def phone(browser: Browser, road: Road, sitting, monkeypatch) -> Iterator[Page]:
    """A phone at the table's link behind the road; its clock runs on when it is told to."""
    cut = ("a status of 5", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE", "ERR_CONTENT_LENGTH",
           "ERR_CONNECTION_REFUSED")  # fmt: skip
    monkeypatch.setattr("tests.browser.conftest.EXPECTED", (*EXPECTED, *cut))
    with open_page(browser, road.address) as page:
        page.goto(link_of(sitting))
        yield page


def is_stored_once(page: Page) -> None:
    """The queue tries again every few seconds; this test does not wait for it."""
    page.evaluate("dispatchEvent(new Event('online'))")
    played(page, 1)
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
    "503 json": Foreign(503, REFUSAL, "application/json"),
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
    assert phone.locator("#live").inner_text().endswith("Everyone has a place."), "not saved"
    expect(phone.locator(".queue").get_by_role("button", name="Discard")).to_be_hidden()
    is_stored_once(phone)


@pytest.mark.parametrize("seconds", [12, pytest.param(90, marks=pytest.mark.long)])
def test_an_answer_that_comes_too_late_saves_the_game_once(phone, road, sitting, seconds):
    road.posts(Foreign(after=True, seconds=seconds))
    enter(phone, sitting)
    waits(phone, AWAY)
    is_stored_once(phone)


def test_behind_a_portal_no_game_of_three_is_lost(phone: Page, road: Road, sitting):
    road.answers(Foreign(body=PORTAL))
    for first in range(3):
        enter(phone, sitting, first)
        expect(phone.locator("[data-now] h2")).to_have_text(f"Game {first + 2}")
    waits(phone, AWAY, 3)
    check_page(phone)
    shot(phone, "roads-portal")
    road.all_is_well()
    played(phone, 3)
    assert list(Result.objects.values_list("game_no", flat=True)) == [1, 2, 3]


def test_an_old_answer_of_a_proxy_changes_nothing(phone: Page, road: Road, sitting):
    """It replays the table's state of before a game, with our header, for some seconds."""
    enter(phone, sitting)
    is_stored_once(phone)
    old = phone.request.get(f"{phone.url}1/", headers=SCRIPT)
    enter(phone, sitting, 1)
    played(phone, 2)
    replayed = Foreign(body=old.body(), kind="application/json")
    road.says = lambda method, path: replayed if method == "GET" and "version" in path else None
    phone.wait_for_timeout(7000)
    enter(phone, sitting, 2)
    played(phone, 3)
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
        played(phone, 1)
    expect(phone.locator(".queue [data-order]")).to_have_text(shown)
    expect(phone.locator(".queue li").first).to_contain_text(
        "A game kept on this phone is unreadable here"
    )
    check_page(phone)
    shot(phone, "roads-strange")
    enter(phone, sitting, 1)
    played(phone, number)
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


QUEUES = Path(settings.BASE_DIR, "tests", "data", "queues")
"""The queue's script of earlier releases, as their open pages go on running it."""
KEPT = "JSON.parse(localStorage.getItem('games-to-send')).map((game) => game.problem?.code)"


def keeps(page: Page, *problems: str) -> None:
    """The queue's script has come to this: what each game that is still in it suffers from."""
    comes_to(page, lambda: page.evaluate(KEPT), [*problems])


@pytest.mark.parametrize("release", ["574bd93", "1.1"])
def test_what_a_page_of_an_earlier_release_kept_is_taken_once(phone, sitting, release):
    """Its address, its fields and its answers are a contract."""
    order = ",".join(str(place.entrant_id) for place in sitting.places.order_by("seat"))
    here = phone.evaluate("document.querySelector('[data-table]').dataset.here")
    other = reverse("league:link_table", args=["x" * 26, 1])
    kept = [
        GAME | {"url": here, "order": order, "specials": ""},
        GAME | {"id": GAME["id"][:-1] + "2", "url": here, "order": order, "game": 5},
        GAME | {"id": GAME["id"][:-1] + "3", "url": other, "order": order},
    ]
    phone.goto("/robots.txt")  # No script of today's.
    phone.evaluate("games => localStorage.setItem('games-to-send', games)", json.dumps(kept))
    phone.evaluate((QUEUES / f"{release}.js").read_text())
    keeps(phone, "gap", "gone")
    assert Result.objects.get().client_id == uuid.UUID(GAME["id"])
    phone.evaluate("id => window.gameQueue.again(id, 2)", kept[1]["id"])
    keeps(phone, "gone")
    assert Result.objects.count() == 2
    club = sitting.round.event.season.club
    closing.close_event(event=sitting.round.event, by=owner_of(club), despite_unfinished=True)
    phone.evaluate("game => window.gameQueue.add(game)", kept[0] | {"game": 3, "id": "4" * 36})
    keeps(phone, "gone", "closed")
    said = phone.evaluate("window.gameQueue.all()[1].problem.message")
    assert "is sent once it is open again" in said


def test_two_orders_of_one_game_are_still_compared(phone: Page, sitting):
    phone.context.set_offline(True)
    enter(phone, sitting)
    play(sitting, names_at(sitting)[::-1])
    phone.context.set_offline(False)
    waits(phone, "Someone else has just saved game 1.")


@pytest.fixture
def night(sitting):
    return sitting.round.event


@pytest.fixture
def host(phone: Page, road: Road, night) -> Page:
    """The phone of an organiser, behind the same road."""
    sign_in(phone, owner_of(night.season.club))
    return phone


def at(name: str, night) -> str:
    return reverse(f"league:{name}", args=[night.season.club.slug, night.pk])


def test_what_a_portal_answers_is_drawn_into_no_page_and_stops_none(
    host: Page, road: Road, night, monkeypatch
):
    monkeypatch.setattr("tests.browser.conftest.EXPECTED", (*EXPECTED, *HEARD))
    monkeypatch.setattr(season_cache, "SMALL", 0)  # Its page asks while its standings are counted.
    link = reverse("league:link_night", args=[links.keep_for_night(event=night).secret])
    slug = night.season.club.slug
    season = reverse("league:season", args=[slug, night.season_id])
    asks = {
        at("event", night): "live/?",
        f"{at('event', night)}?{STANDINGS}": "live/?",
        at("wall", night): "wall/?",
        link: "~night/",
        at("check_in", night): "check-in/?",
        reverse("league:round", args=[slug, night.pk, 1]): "needs/?",
        reverse("league:table", args=[slug, night.pk, 1, 1]): "tables/1/?version=",
        season: season,
    }
    pages = {}
    for path in asks:
        page = pages[path] = host.context.new_page()
        page.clock.install()
        page.goto(path)

    def told(page: Page) -> str:
        """What the page says, but for the minutes that a table's game lasts: they go on alone."""
        return re.sub(r"since \d\d:\d\d|· \d+ min", "", page.locator("main").inner_text())

    before = {path: told(page) for path, page in pages.items()}

    def all_ask_twice() -> None:
        for path, page in [*pages.items()] * 2:
            with page.expect_request(lambda one, path=path: asks[path] in one.url):
                page.clock.fast_forward(7000)
                page.clock.run_for(6000)  # Less than any question waits for its answer.

    for mood in MOODS.values():
        for page in pages.values():
            page.evaluate("ask.unline('in-between')")
        road.answers(mood)
        all_ask_twice()
        for path, page in pages.items():
            assert told(page) == before[path], path
            if path != at("wall", night):
                expect(page.locator("[data-line=in-between]")).to_contain_text(
                    "perhaps this Wi-Fi's sign-in page"
                )
    for path, page in pages.items():
        if path != at("wall", night):
            check_page(page)
    shot(pages[link], "roads-in-between")
    road.all_is_well()
    all_ask_twice()
    for page in pages.values():
        expect(page.locator("[data-line]")).to_have_count(0)
        page.close()


def test_a_tap_that_a_portal_answers_takes_nothing_from_the_page(host: Page, road: Road, night):
    """Check-in and its badge, the round, the entry's preview, the names of *Score tonight*."""
    start = host.context.new_page()
    start.goto(reverse("league:tonight"))
    names = [f"Guest {number}" for number in range(1, 7)]
    start.locator("#new-name").fill("\n".join(names))
    expect(start.locator(".names-box li")).to_have_count(6)
    host.goto(at("check_in", night))
    listed, badge = host.locator("#people .chips button"), host.locator("#needs")
    before = listed.count(), badge.count()
    round_page = host.context.new_page()
    round_page.goto(reverse("league:round", args=[night.season.club.slug, night.pk, 1]))
    shown = round_page.locator("main").inner_text()
    table = host.context.new_page()
    table.goto(link_of(night.rounds.get().sittings.get()))

    road.answers(Foreign(body=PORTAL))
    start.locator("#new-name").fill("Guest 7")
    start.locator("#new-name").press("Enter")
    listed.first.click()
    for place in range(3):
        table.locator("[data-tap]").nth(place).click()
    host.wait_for_timeout(9_000)
    assert (listed.count(), badge.count()) == before
    assert round_page.locator("main").inner_text() == shown
    sent = start.locator("#start").evaluate("form => new FormData(form).getAll('text')")
    assert [name for name in sent if name] == [*names, "Guest 7"]
    expect(table.locator("[data-preview]")).not_to_contain_text("Go on")
    expect(table.locator("[data-preview] form")).to_have_count(0)
    expect(host.locator("[data-line=in-between]")).to_be_visible()

    road.all_is_well()
    start.locator("#new-name").press("Enter")
    expect(start.locator(".names-box li")).to_have_count(7)
    listed.first.click()
    expect(host.locator("[data-line]")).to_have_count(0)
    for page in (start, round_page, table):
        page.close()


def test_an_idle_page_takes_a_newer_release_once_and_then_only_says_so(host: Page, night):
    """An update's two releases answer in turn: nothing reloads to and fro between them."""
    host.add_init_script("Math.random = () => 0")
    opened: list[str] = []
    host.on("request", lambda one: opened.append(one.url) if one.is_navigation_request() else None)
    host.goto(at("event", night))
    marks = iter(["another"] * 3 + ["one-more", "another"] * 20)

    def of_another_release(route) -> None:
        answer = route.fetch()
        mark = {"tien-len-release": next(marks)}
        route.fulfill(response=answer, headers=answer.headers | mark)

    host.route("**/live/?*", of_another_release)
    expect(host.locator("[data-line=newer-version]")).to_be_visible(timeout=30_000)
    host.wait_for_timeout(9_000)
    assert 2 <= len(opened) <= 3, "once for each mark"
    check_page(host)
    expect(host.get_by_role("link", name="Reload")).to_be_visible()


def test_what_is_tapped_is_not_taken_by_a_newer_release(phone: Page, sitting):
    phone.add_init_script("Math.random = () => 0")
    phone.reload()
    phone.locator("[data-tap]").first.click()

    def of_another_release(route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, headers=answer.headers | {"tien-len-release": "another"})

    phone.route("**/*version=*", of_another_release)
    expect(phone.locator("[data-line=newer-version]")).to_be_visible(timeout=30_000)
    phone.wait_for_timeout(5_000)
    expect(phone.locator("[data-tap].tap-1")).to_have_count(1)


WITHOUT = {"nothing": "", "another page": "<main>Another page</main>"}


@pytest.mark.parametrize("body", WITHOUT.values(), ids=WITHOUT)
def test_an_answer_of_ours_without_the_part_takes_no_part_away(host: Page, night, body):
    """What polls is what is replaced: without it nothing would ask again."""
    for path, part, asks in (
        (reverse("tables:lobby"), "#lobby-tables", "**/tables/"),
        (reverse("tables:sprint", args=[a_sprint().key]), "#sprint-now", "**/sprints/*/"),
    ):
        host.goto(path)
        before = host.locator(part).inner_text()

        def other(route) -> None:
            answer = route.fetch()
            route.fulfill(response=answer, body=body)

        host.route(asks, other)
        for _again in range(2):
            with host.expect_response(asks):
                pass
        assert host.locator(part).inner_text() == before
        host.unroute(asks)
        with host.expect_response(asks) as answer:
            answer.value.finished()
        expect(host.locator(part)).to_have_count(1)


def a_sprint():
    began = timezone.now() - datetime.timedelta(minutes=1)
    return sprints.open_sprint(starts_at=began, ruleset=ruleset.preset("penguin"))


def test_parts_that_have_nothing_more_to_show_are_still_taken(host: Page, night, monkeypatch):
    """The bots' runs that have ended; a review that is made while its reader steps through it."""
    going = [door.RunningRun("A test of two bots", "", 40, stops=False, says="4 / 10 games")]
    monkeypatch.setattr(door, "_running", lambda *_given: going)
    host.goto(reverse("league:arena", args=[night.season.club.slug]))
    expect(host.locator("#running")).to_contain_text("A test of two bots")
    going.clear()
    expect(host.locator("#running")).to_be_hidden(timeout=30_000)
    expect(host.locator("#running")).to_have_count(1)

    table = live.open_table("tien-len", people=4)
    live.set_hands(table, HANDS)
    game = live.play_quickly(table)
    address = reverse("tables:replay", args=[table.key, 1])
    host.goto(address)
    first = host.locator("#board").inner_text().splitlines()[0]
    host.locator("#board a[hx-get]").last.click()
    expect(host.locator("#board")).not_to_contain_text(first)
    expect(host.get_by_role("heading", name="Being judged")).to_be_visible()
    at = host.locator("#board").inner_text()
    with host.expect_response(lambda answer: answer.url.endswith(address), timeout=30_000) as none:
        pass
    assert (none.value.status, host.locator("#board").inner_text()) == (204, at)
    making.keep(game=game, body=judged(game))
    expect(host.get_by_role("heading", name="Being judged")).to_be_hidden(timeout=30_000)
    expect(host.locator(".columns-review #board")).to_be_visible()
