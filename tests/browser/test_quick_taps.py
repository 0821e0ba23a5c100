"""Names at the door, tapped faster than answers come: each counts, unless it has just moved."""

import pytest
from playwright.sync_api import Locator, Page, expect

from league.models import Entrant, Event
from league.nights.acts import attendance, claims
from tests.browser.conftest import check_page, sign_in
from tests.factories import make_night, owner_of, path_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TAP = 44
"""Pixels of the smallest button."""


@pytest.fixture
def event() -> Event:
    event = make_night(8)
    event.entrants.update(presence="expected")
    return event


@pytest.fixture
def at_the_door(page: Page, event) -> Page:
    sign_in(page, owner_of(event))
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(path_of(event, "check_in"))
    return page


def middle(name: Locator) -> tuple[float, float]:
    name.scroll_into_view_if_needed()
    box = name.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def here(event: Event) -> set[str]:
    found = event.entrants.filter(presence=Entrant.Presence.HERE)
    return {*found.values_list("player__name", flat=True)}


def stop_the_clock(page: Page) -> None:
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))


def test_two_names_tapped_one_after_the_other_before_an_answer_are_both_here(
    at_the_door: Page, event
):
    page = at_the_door
    chips = page.locator(".chips .btn")
    names = chips.all_inner_texts()
    first, second = (middle(chips.nth(no)) for no in range(2))
    page.mouse.click(*first)
    page.mouse.click(*second)
    expect(page.locator(".btn-here")).to_have_text(names[:2])
    assert here(event) == {*names[:2]}
    assert chips.all_inner_texts() == names


def test_a_tap_is_answered_at_once_and_the_next_one_on_the_new_page_counts(
    at_the_door: Page, event
):
    """In no time at all: what stands above the names changes, and they stay under the finger."""
    page = at_the_door
    chips = page.locator(".chips .btn")
    names, taps = chips.all_inner_texts(), [middle(chips.nth(no)) for no in range(3)]
    stop_the_clock(page)
    for count, at in enumerate(taps, 1):
        page.mouse.click(*at)
        expect(page.locator(".btn-here")).to_have_text(names[:count])
        expect(page.locator(".undo-line")).to_contain_text(names[count - 1])
    assert here(event) == {*names[:3]}


def test_a_tap_on_a_name_that_has_just_moved_means_nothing(at_the_door: Page, event):
    page = at_the_door
    names = page.locator(".chips .btn").all_inner_texts()
    others = event.entrants.filter(player__name__in=names[5:]).values_list("player", flat=True)
    attendance.set_presence(event=event, player_ids=[*others], presence="here", by=owner_of(event))
    sent: list[str] = []
    page.on("request", lambda request: request.method == "POST" and sent.append(request.url))
    stop_the_clock(page)
    with page.expect_response("**/check-in/?version=*"):
        page.clock.run_for(9000)
    expect(page.locator(".btn-here")).to_have_count(3)
    moved = middle(page.get_by_role("button", name=names[0], exact=True))
    page.mouse.click(*moved)
    page.evaluate("fetch('/health/')")
    assert (sent, here(event)) == ([], {*names[5:]})
    page.clock.run_for(400)
    page.mouse.click(*moved)
    expect(page.locator(".btn-here")).to_have_count(4)
    assert here(event) == {names[0], *names[5:]}


def test_names_that_two_phones_want_take_a_row_each_and_leave_the_people_in_sight(
    at_the_door: Page, event
):
    for entrant in (asked := event.entrants.order_by("pk")[:2]):
        for phone in "ab":
            key = f"{phone}{entrant.pk:07}" * 8
            claims.claim(event=event, player_id=entrant.player_id, phone=key, asks=True)
    page = at_the_door
    page.reload()
    rows = page.locator("#people .rows > li")
    expect(rows).to_have_count(len(asked))
    for part in (rows, rows.locator("button")):
        boxes = [one.bounding_box() for one in part.all()]
        assert all(box and TAP <= box["height"] < 2 * TAP for box in boxes)
    expect(page.locator(".chips .btn").first).to_be_in_viewport()
    check_page(page)
