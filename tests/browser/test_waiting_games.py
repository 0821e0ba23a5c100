"""What ends while a game waits in a phone: the table's link, the night, the page, the tab."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from league.base.acts import links
from league.models import Club, Membership, Result, Round
from league.nights.acts import bins, closing, draws
from tests.browser.conftest import EXPECTED, open_page, says_who, seen, sign_in
from tests.browser.entering import enter, link_of, played, saves, waits
from tests.browser.proxy import Foreign, Road
from tests.factories import (
    make_member,
    make_night,
    make_table,
    names_at,
    owner_of,
    path_of,
    play,
    secret_of,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def sitting():
    return make_table(make_night(rules="mien-nam", counting="average"))


@pytest.fixture
def phone(browser: Browser, road: Road, sitting, monkeypatch) -> Iterator[Page]:
    cut = ("a status of 5", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE")
    monkeypatch.setattr("tests.browser.conftest.EXPECTED", (*EXPECTED, *cut))
    with open_page(browser, road.address) as page:
        yield page


def night_of(sitting) -> str:
    secret = links.keep_for_night(event=sitting.round.event).secret
    return reverse("league:link_night", args=[secret])


def two_wait(phone: Page, road: Road, sitting) -> None:
    road.says = lambda _method, path: Foreign(503) if "~table" in path else None
    enter(phone, sitting)
    enter(phone, sitting, 1)
    waits(phone, "No connection", 2)


def replace_link(sitting) -> str:
    links.renew_for_table(sitting=sitting, by=owner_of(sitting))
    return link_of(sitting)


def try_again(phone: Page) -> None:
    phone.evaluate("dispatchEvent(new Event('online'))")


def stored() -> list[int]:
    return sorted(Result.objects.values_list("game_no", flat=True))


def test_games_of_a_phone_that_sits_there_are_sent_by_the_table_s_new_link(phone, road, sitting):
    phone.goto(night_of(sitting))
    name = names_at(sitting)[0]
    says_who(phone, name)
    expect(phone.get_by_role("heading", name=f"{name}'s night")).to_be_visible()
    phone.goto(link_of(sitting))
    two_wait(phone, road, sitting)
    new = replace_link(sitting)
    road.all_is_well()
    try_again(phone)
    expect(phone.locator("[data-queue]")).to_be_hidden()
    phone.wait_for_url(f"**{new}**")
    played(phone, 2)
    enter(phone, sitting, 2)
    played(phone, 3)
    assert stored() == [1, 2, 3]


@pytest.mark.parametrize("answered", [2, 1])
def test_games_of_a_replaced_link_are_sent_by_the_card_that_is_scanned_next(
    phone, road, sitting, answered
):
    """Whether the old link has answered for both of them by then, or for one."""
    phone.goto(link_of(sitting))
    two_wait(phone, road, sitting)
    new = replace_link(sitting)
    road.posts(*[None] * answered, *[Foreign(503)] * 99)
    try_again(phone)
    replaced = phone.locator(".queue li", has_text="An organiser has replaced this link.")
    expect(replaced).to_have_count(answered)
    assert stored() == []
    phone.goto(new)
    expect(phone.locator(".queue li", has_text="No connection")).to_have_count(answered)
    road.all_is_well()
    try_again(phone)
    played(phone, 2)
    expect(phone.locator("[data-queue]")).to_be_hidden()
    assert stored() == [1, 2]


def test_a_game_is_stored_for_the_account_that_entered_it_alone(phone, road, sitting):
    event = sitting.round.event
    scorer, owner = make_member(event.season.club, "scorer"), owner_of(event)
    sign_in(phone, scorer)
    phone.goto(path_of(event, "table", 1, 1))
    road.posts(*[Foreign(503)] * 9)
    enter(phone, sitting)
    waits(phone, "No connection")
    sign_in(phone, owner)
    road.all_is_well()
    try_again(phone)
    waits(phone, "Another account entered this game on this phone.")
    queue = phone.locator(".queue")
    expect(queue.get_by_role("button", name="Edit")).to_be_visible()
    expect(queue.get_by_role("button", name="Send as")).to_be_hidden()
    seen(phone, "waits-another-account")
    phone.reload()
    waits(phone, "Another account entered this game on this phone.")
    assert stored() == []
    sign_in(phone, scorer)
    phone.reload()
    played(phone, 1)
    assert [result.by for result in Result.objects.all()] == [scorer]


def test_a_closed_night_shows_the_games_that_wait_and_sends_them_once_reopened(
    phone, road, sitting
):
    event, by = sitting.round.event, owner_of(sitting)
    phone.goto(link_of(sitting))
    two_wait(phone, road, sitting)
    closing.close_event(event=event, by=by, despite_unfinished=True)
    road.all_is_well()
    phone.goto(link_of(sitting))
    line = phone.locator("[data-line=unsaved]")
    expect(line.locator("li")).to_have_count(2)
    expect(line).to_contain_text("is sent once it is open again")
    expect(line.get_by_role("link")).to_be_hidden()
    seen(phone, "waits-closed-night")
    closing.reopen_event(event=event, by=by)
    try_again(phone)
    expect(line).to_have_count(0)
    assert stored() == [1, 2]


def test_a_games_own_page_shows_the_games_that_wait(phone, road, sitting):
    phone.goto(link_of(sitting))
    two_wait(phone, road, sitting)
    play(sitting)
    road.says = lambda method, _path: Foreign(503) if method == "POST" else None
    phone.goto(reverse("league:link_game", args=[secret_of(sitting), sitting.round.number, 1]))
    expect(phone.locator("[data-line=unsaved] li")).to_have_count(2)
    phone.reload()
    expect(phone.locator("[data-line=unsaved] li")).to_have_count(2)


@pytest.fixture
def scorer(phone, road, sitting) -> Page:
    """The phone of an account's scorer, on which a game waits."""
    event = sitting.round.event
    sign_in(phone, make_member(event.season.club, "scorer"))
    phone.goto(path_of(event, "table", 1, 1))
    road.says = lambda _method, path: Foreign(503) if "/tables/" in path else None
    enter(phone, sitting)
    waits(phone, "No connection")
    return phone


SETTINGS = "/people/me/?settings=1"


def sign_out(phone: Page, answer: str, road: Road | None = None) -> None:
    """Signs out with an answer to the question; the `road` is good from then on."""
    phone.goto(SETTINGS)
    expect(phone.locator("[data-line=unsaved] li")).to_have_count(1)
    phone.get_by_role("button", name="Sign out", exact=True).click()
    question = phone.get_by_role("dialog")
    expect(question).to_contain_text("Game 1")
    seen(phone, "waits-leaving", whole=False)
    if road:
        road.all_is_well()
    question.get_by_role("button", name=answer).click()


def is_signed_out(phone: Page) -> None:
    phone.wait_for_url(f"**{reverse('home')}")
    expect(phone.get_by_role("link", name="Sign in").first).to_be_attached()


def test_who_signs_out_sends_what_waits_first(scorer, road):
    sign_out(scorer, "Send them now")
    expect(scorer.locator("[data-line=unsaved] li")).to_have_count(1)
    scorer.wait_for_timeout(1000)
    assert scorer.url.endswith(SETTINGS), "still signed in: it could not be sent"
    sign_out(scorer, "Send them now", road)
    is_signed_out(scorer)
    assert stored() == [1]
    expect(scorer.locator("[data-line=unsaved]")).to_have_count(0)


def test_who_signs_out_keeps_a_game_that_nobody_else_sends(scorer, road, sitting):
    by = Membership.objects.get(role="scorer").user
    sign_out(scorer, "Keep for me and sign out")
    is_signed_out(scorer)
    road.all_is_well()
    try_again(scorer)
    expect(scorer.locator("[data-line=unsaved]")).to_contain_text("Sign in")
    sign_in(scorer, owner_of(sitting))
    scorer.reload()
    expect(scorer.locator("[data-line=unsaved]")).to_contain_text("Another account entered this")
    assert stored() == []
    road.says = lambda method, path: Foreign(503) if "/tables/" in path else None
    scorer.goto(SETTINGS)
    expect(scorer.locator("[data-line=unsaved] li")).to_have_count(1)
    scorer.get_by_role("button", name="Sign out", exact=True).click()
    is_signed_out(scorer)  # No question: the game is nothing of this account's.
    road.all_is_well()
    sign_in(scorer, by)
    scorer.reload()
    expect(scorer.locator("[data-line=unsaved]")).to_have_count(0)
    assert [result.by for result in Result.objects.all()] == [by]


def test_who_signs_out_discards_what_waits(scorer, road):
    sign_out(scorer, "Discard them")
    is_signed_out(scorer)
    road.all_is_well()
    scorer.wait_for_timeout(1000)
    expect(scorer.locator("[data-line=unsaved]")).to_have_count(0)
    assert stored() == []


def test_a_game_of_an_hour_ago_keeps_its_time_whatever_the_phone_s_clock(phone, road, sitting):
    began = timezone.now() - timedelta(hours=3)
    Round.objects.filter(pk=sitting.round_id).update(released_at=began)
    phone.clock.install(time=timezone.now() + timedelta(days=1500))  # Years ahead of the server.
    phone.goto(link_of(sitting))
    two_wait(phone, road, sitting)
    phone.clock.fast_forward(3_600_000)
    phone.wait_for_function("!gameQueue.sending()")  # A try of before says when it was sent.
    road.all_is_well()
    try_again(phone)
    phone.clock.run_for(5_000)
    expect(phone.locator("[data-queue]")).to_be_hidden()
    for result in Result.objects.all():
        assert (result.at - result.tapped_at).total_seconds() == pytest.approx(3600, abs=60)


def test_the_home_page_tells_of_what_waits_and_sends_it(phone, road, sitting):
    phone.goto(link_of(sitting))
    two_wait(phone, road, sitting)
    phone.goto("/")
    line = phone.locator("[data-line=unsaved]")
    expect(line.locator("li")).to_have_count(2)
    expect(line.get_by_role("link", name="Go to the table")).to_be_visible()
    seen(phone, "waits-home")
    road.all_is_well()
    try_again(phone)
    expect(line).to_have_count(0)
    assert stored() == [1, 2]


def test_a_night_in_the_bin_tells_of_what_waits(phone, road, sitting):
    event, by = sitting.round.event, owner_of(sitting)
    link = link_of(sitting)
    phone.goto(link)
    two_wait(phone, road, sitting)
    draws.discard_round(round_=sitting.round, by=by, reason="Rain")
    bins.bin_event(event=event, by=by)
    road.all_is_well()
    phone.goto(link)
    line = phone.locator("[data-line=unsaved]")
    expect(line.locator("li")).to_have_count(2)
    expect(line).to_contain_text("An organiser has deleted this night.")
    expect(line).to_contain_text("Your game is sent if it is restored.")
    expect(line.get_by_role("link")).to_be_hidden()
    seen(phone, "waits-bin")


def test_a_browser_that_blocks_cookies_is_told_what_helps(phone, road, sitting):
    phone.add_init_script(
        "Object.defineProperty(document, 'cookie', { get: () => '', set: () => {} })"
    )
    phone.goto(link_of(sitting))
    enter(phone, sitting)
    waits(phone, "This browser blocks cookies")
    expect(phone.locator(".queue").get_by_role("button", name="Copy link")).to_be_visible()
    seen(phone, "waits-cookies")


def test_a_browser_that_stores_nothing_keeps_the_page_open(phone, road, sitting):
    phone.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); }")
    phone.goto(link_of(sitting))
    road.says = lambda _method, path: Foreign(503) if "~table" in path else None
    enter(phone, sitting)
    waits(phone, "Keep this page open until the game is sent.")
    asked = []
    phone.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    phone.goto("/")
    assert asked == ["beforeunload"]


def test_half_tapped_places_outlive_a_reload_and_the_way_back(phone, sitting):
    phone.goto(link_of(sitting))
    tap, place = phone.locator("[data-tap]"), phone.locator("[data-tap].tap-1")
    tap.nth(2).click()
    first = tap.nth(2).inner_text()
    draft = phone.locator("[data-draft]")
    expect(draft).to_be_hidden()
    for go in (phone.reload, lambda: phone.goto("/") and phone.goto(link_of(sitting))):
        go()
        expect(place).to_have_count(1)
        assert place.inner_text() == first
        expect(draft).to_be_visible()
    stood = tap.nth(1).bounding_box()
    tap.nth(0).click()
    assert tap.nth(1).bounding_box() == stood
    tap.nth(1).click()
    saves(phone, 1)
    expect(draft).to_be_hidden()
    phone.reload()
    expect(place).to_have_count(0)


def test_a_draft_tells_its_hour_and_is_discarded(phone, sitting):
    """The hour is that of its first tap by the club's clock, however often the page is loaded."""
    zone = "Pacific/Auckland"
    Club.objects.update(time_zone=zone)
    phone.clock.install()
    phone.goto(link_of(sitting))
    tap, draft = phone.locator("[data-tap]"), phone.locator("[data-draft]")
    tap.nth(2).click()
    begun = phone.evaluate(
        """timeZone => new Date().toLocaleTimeString(document.documentElement.lang,
            { timeZone, hour: "2-digit", minute: "2-digit" })""",
        zone,
    )
    for _ in range(2):
        phone.clock.run_for(25 * 60_000)
        phone.reload()
        expect(draft).to_contain_text(f"Draft from {begun}")
    draft.get_by_role("button", name="Discard").click()
    expect(draft).to_be_hidden()
    expect(phone.locator(".tap-1")).to_have_count(0)
    phone.reload()
    expect(tap.first).to_be_visible()
    expect(draft).to_be_hidden()


def test_names_of_tonight_outlive_a_reload(phone):
    phone.goto(reverse("league:tonight"))
    phone.locator("#new-name").fill("An\nBình\nChi")
    expect(phone.locator(".names-box li")).to_have_count(3)
    phone.locator("#new-name").fill("Dũng")
    phone.reload()
    expect(phone.locator(".names-box li")).to_have_count(4)
    phone.goto("/")
    phone.goto(reverse("league:tonight"))
    expect(phone.locator(".names-box li")).to_have_count(0)


def test_a_page_that_hears_nothing_says_how_old_it_is(phone, road, sitting):
    phone.clock.install()
    phone.goto(night_of(sitting))
    road.says = lambda _method, _path: Foreign(503)
    phone.clock.run_for(50_000)
    line = phone.locator("[data-line=old-news]")
    expect(line).to_have_count(0)
    phone.clock.run_for(150_000)
    expect(line).to_contain_text("No news for 3 min.")
    seen(phone, "old-news")
    road.all_is_well()
    phone.clock.run_for(20_000)
    expect(line).to_have_count(0)
