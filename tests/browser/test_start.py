"""From the first page to the first saved game: no account, counted in taps."""

import time

import pytest
from playwright.sync_api import Locator, expect

from league.models import Club, Result
from tests.browser.conftest import seen

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
MOST_TAPS = 9
SECONDS = 60
CHAT = "Danh sách tối nay:\nCô Ba\nKhánh\nBác Sáu\nThảo"


def test_a_stranger_saves_the_first_game_within_a_minute_and_few_taps(phone):
    taps = 0

    def tap(target: Locator) -> None:
        nonlocal taps
        taps += 1
        target.click()

    phone.goto("/")
    began = time.monotonic()
    tap(phone.get_by_role("link", name="Ghi điểm tối nay"))
    draw = phone.locator("[data-draw]")
    expect(draw).to_be_disabled()
    phone.locator("#new-name").fill(CHAT)  # Pasted from the chat.
    expect(phone.locator(".names-box li")).to_have_count(4)
    expect(phone.get_by_role("checkbox", name="Danh sách tối nay:")).not_to_be_checked()
    seen(phone, "start-names-360-vi")
    tap(draw)
    expect(phone.locator(".oval")).to_have_count(1)
    assert not Club.objects.exists()
    seen(phone, "start-tables-360-vi")
    tap(phone.get_by_role("button", name="Đánh thôi"))
    expect(phone.locator(".code-screen .qr")).to_be_visible()
    seen(phone, "start-qr-360-vi")
    onward = phone.get_by_role("link", name="Vào buổi")
    box = onward.bounding_box()
    assert box["y"] + box["height"] <= phone.viewport_size["height"]
    tap(onward)
    for seat in range(3):
        tap(phone.locator("[data-tap]").nth(seat))
    tap(phone.locator("[data-save]"))
    expect(phone.locator("[data-played] tbody tr")).to_have_count(1)
    assert Result.objects.count() == 1
    assert taps <= MOST_TAPS
    assert time.monotonic() - began < SECONDS


def test_a_line_that_is_ticked_becomes_a_face_and_the_rest_stay_asked_about(phone):
    phone.goto("/clubs/~tonight/")
    phone.locator("#new-name").fill("Hà\nBốn\nLan +1\nMai (trễ 15p)")
    expect(phone.locator("[data-draw]")).to_be_disabled()
    phone.get_by_role("checkbox", name="Lan +1").click()  # It goes as it becomes a face.
    expect(phone.locator(".names-box li")).to_have_count(3)
    expect(phone.locator("[data-draw]")).to_be_enabled()
    expect(phone.get_by_role("checkbox", name="Mai (trễ 15p)")).not_to_be_checked()
