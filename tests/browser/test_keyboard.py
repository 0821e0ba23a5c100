"""The product without a mouse: the focus stays where it was, and what happens is said."""

import re

import pytest
from playwright.sync_api import Page, expect

from league.models import Result
from tests.browser.conftest import sign_in, tile
from tests.browser.entering import link_of, played, save
from tests.browser.test_plain import KEEP, heard
from tests.factories import (
    make_night,
    make_round,
    make_table,
    names_at,
    owner_of,
    play,
)
from tests.tables import live

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def home_of(event) -> str:
    return f"/clubs/{event.season.club.slug}/events/{event.pk}/"


def said(page: Page):
    return page.locator("#live")


def test_names_are_checked_in_one_after_the_other(page: Page):
    event = make_night(5)
    event.entrants.update(presence="expected")
    sign_in(page, owner_of(event.season.club))
    page.goto(home_of(event) + "check-in/")
    first, second, *_others = page.locator(".chips .btn").all_inner_texts()
    page.get_by_role("button", name=first, exact=True).focus()
    page.keyboard.press("Enter")
    expect(said(page)).to_have_text(f"1 player is here {first} is here.")
    expect(page.get_by_role("button", name=second, exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(said(page)).to_have_text(f"2 players are here {second} is here.")


def test_a_name_that_was_tapped_keeps_the_focus_and_its_place(page: Page):
    """Space or Enter would change another person, and a field would take the letters."""
    event = make_night(5)
    event.entrants.update(presence="expected")
    sign_in(page, owner_of(event.season.club))
    page.goto(home_of(event) + "check-in/")
    last = page.locator(".chips .btn").last.inner_text()
    name = page.get_by_role("button", name=last, exact=True)
    for is_here in (1, 0):
        if is_here:
            page.locator(".chips").get_by_role("button", name=last).click()
        else:  # The second tap takes the first one back.
            name.press("Enter")
        expect(page.locator(".btn-here").filter(has_text=last)).to_have_count(is_here)
        expect(name).to_be_focused()
        assert page.locator(".chips .btn").last.inner_text() == last


def test_one_menu_is_open_at_a_time_and_escape_closes_it(page: Page):
    event = make_night(8)
    make_round(event)
    sign_in(page, owner_of(event.season.club))
    page.goto(home_of(event))
    clock, more = page.locator("#clock-acts"), page.locator("details.menu").last
    clock.locator("summary").press("Enter")
    expect(clock).to_have_attribute("open", "")
    more.locator("> summary").press("Enter")
    expect(clock).not_to_have_attribute("open", "")
    expect(more).to_have_attribute("open", "")
    page.keyboard.press("Escape")
    expect(more).not_to_have_attribute("open", "")
    expect(more.locator("> summary")).to_be_focused()


def test_every_place_of_a_game_is_said_as_it_is_given(page: Page):
    sitting = make_table(make_night(4))
    names = names_at(sitting)
    page.goto(link_of(sitting))
    page.evaluate(KEEP)
    first, second, third, fourth = (tile(page, n) for n in names)
    first.press("Enter")
    left = ", ".join(names[1:])
    expect(said(page)).to_have_text(f"1 {names[0]}. Without a place: {left}. Who is second?")
    first.press("Enter")
    expect(said(page)).to_have_text("No places yet.")
    first.press("Enter")
    second.press("Enter")
    expect(said(page)).to_have_text(
        f"1 {names[0]}, 2 {names[1]}. Without a place: {names[2]}, {names[3]}. Who is third?"
    )
    third.press("Enter")
    every = ", ".join(f"{rank} {name}" for rank, name in enumerate(names, 1))
    expect(said(page)).to_have_text(f"{every}. Everyone has a place.")
    second.press("Enter")
    expect(said(page)).to_have_text(
        f"1 {names[0]}, 3 {names[2]}. Without a place: {names[1]}, {names[3]}. Who is second?"
    )
    fourth.press("Enter")
    every = f"1 {names[0]}, 2 {names[3]}, 3 {names[2]}, 4 {names[1]}"
    expect(said(page)).to_have_text(f"{every}. Everyone has a place.")
    told = [text for text in heard(page) if "place" in text]
    assert len(told) == 7, "each once, and none over another"


def test_a_replay_is_stepped_through_by_one_button(page: Page):
    table = live.open_table("penguin", people=4)
    live.play_game(table)
    page.goto(f"/tables/{table.key}/games/1/")
    on = page.get_by_role("link", name="Step forward")
    on.focus()
    for step in (1, 2, 3):
        page.keyboard.press("Enter")
        expect(page.locator(".record-steps")).to_contain_text(f"{step} /")
        expect(on).to_be_focused()
    expect(said(page)).to_have_text(re.compile(r"Guest \d( passes|: \w+ of \w+)"))


def test_a_night_that_goes_on_leaves_its_reader_where_he_is(page: Page):
    event = make_night(8, games_per_round=2)
    round_ = make_round(event)
    sign_in(page, owner_of(event.season.club))
    page.clock.install()
    page.goto(home_of(event))
    page.locator(".clock-mark summary").click()
    page.get_by_label("Minutes").fill("45")
    page.get_by_role("link", name="Table 2").focus()
    sitting = round_.sittings.get(table_no=1)
    play(sitting, names_at(sitting))
    page.clock.run_for(5000)
    expect(page.get_by_text("1 of 2 games")).to_be_visible()
    expect(page.get_by_role("link", name="Table 2")).to_be_focused()
    expect(page.get_by_label("Minutes")).to_be_visible()
    expect(page.get_by_label("Minutes")).to_have_value("45")


@pytest.fixture
def sitting():
    """A table of the Southern money game."""
    return make_table(make_night(rules="mien-nam", stake=1, games_per_round=2))


def choose(page: Page, name: str, steps: int) -> None:
    """Goes to these choices and down to one of them, as radio buttons are gone through."""
    page.locator(f".special-{name} input").first.focus()
    for _ in range(steps):
        page.keyboard.press("ArrowDown")


def test_a_game_is_entered_and_the_next_one_begins_at_the_names(page: Page, sitting):
    page.goto(link_of(sitting))
    taps = page.locator("[data-tap]")
    taps.first.focus()
    for _ in range(3):
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
    page.get_by_role("button", name="Save the game").focus()
    page.keyboard.press("Enter")
    expect(said(page)).to_contain_text(f"Game 1 saved: {names_at(sitting)[0]} first. Game 2 of 2")
    expect(taps.first).to_be_focused()


def test_choices_are_passed_by_arrow_keys_and_added_by_enter(page: Page, sitting):
    page.goto(link_of(sitting))
    _first, b, _third, d = names_at(sitting)
    kind = page.get_by_role("radio", name="Chop", exact=True)
    kind.focus()
    page.keyboard.press(" ")
    choose(page, "by", 1)
    choose(page, "of", 2)  # Not on themselves: this choice is passed over.
    choose(page, "what", 2)
    expect(page.get_by_role("button", name="Add")).to_be_visible()
    chosen = page.locator(".special-what label:has(:checked)").inner_text()
    page.keyboard.press("Enter")
    expect(page.locator("[data-told] span")).to_have_text(f"Chop: {b} → {d}: {chosen}")
    expect(said(page)).to_have_text(f"Chop: {b} → {d}: {chosen}")
    expect(kind).to_be_focused()
    expect(page.locator("[data-tap][aria-pressed=true]")).to_have_count(0)


def test_enter_in_the_reason_saves_the_correction(page: Page, sitting):
    a, b, c, d = names_at(sitting)
    play(sitting, [a, b, c, d])
    page.goto(link_of(sitting) + "rounds/1/games/1/")
    page.locator("summary", has_text="Correct this game").click()
    page.get_by_label("Reason").fill("The sheet says so")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Game 1 corrected.")).to_be_visible()
    assert Result.objects.get(current=True).reason == "The sheet says so"
    expect(page.locator(".finish li")).to_have_text([f"1 {a}", f"2 {b}", f"3 {c}", f"4 {d}"])


def test_a_button_of_a_waiting_game_stays_while_the_queue_is_tried_again(page: Page, sitting):
    page.goto(link_of(sitting))
    page.clock.install()
    names = names_at(sitting)
    page.context.set_offline(True)
    for name in names[:3]:
        tile(page, name).click()
    save(page)
    play(sitting, names[::-1])
    page.context.set_offline(False)
    page.clock.run_for(5000)
    again = page.get_by_role("button", name="Send as game 2")
    again.focus()
    page.clock.run_for(9000)
    expect(again).to_be_focused()
    page.keyboard.press("Enter")
    played(page, 2)


def test_an_exchange_of_seats_says_who_sits_where_and_keeps_the_focus(page: Page):
    page.goto("/clubs/~tonight/")
    page.locator("#new-name").fill("An, Bình, Chi, Dũng, Em, Giang, Hà, Khoa")
    expect(page.locator(".names-box li")).to_have_count(8)
    page.locator("[data-draw]").click()
    expect(page.locator("[name=pick]")).to_have_count(8)
    first, *_others, last = page.locator("[name=pick]").all()
    names = [seat.locator("span").last.inner_text() for seat in (first, last)]
    expect(first).to_have_attribute("aria-description", "Table 1, seat 1")
    first.press("Enter")
    expect(page.locator("[name=pick][aria-pressed=true]")).to_be_focused()
    other = page.get_by_role("button", name=names[1], exact=True)  # "An" is in "Giang".
    other.press("Enter")
    expect(said(page)).to_have_text(f"{names[1]}: table 1, seat 1. {names[0]}: table 2, seat 4.")
    expect(other).to_be_focused()


def test_a_form_that_comes_back_goes_on_at_its_first_wrong_field(page: Page):
    page.goto("/accounts/signup/")
    page.locator("main input[type=email]").first.fill("an@example.org")
    for field in page.locator("main input[type=password]").all():
        field.fill("1")
    page.locator("main button[type=submit], main .btn-primary").first.press("Enter")
    expect(page.locator("main [aria-invalid=true]").first).to_be_focused()
    expect(page).to_have_title(re.compile("^Not saved: "))


def test_points_so_far_have_their_unit(page: Page, sitting):
    play(sitting, names_at(sitting))
    page.goto(link_of(sitting))
    expect(page.locator(".so-far li").first).to_contain_text("points")
