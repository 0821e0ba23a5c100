"""Letters typed while answers are on their way stay, on every page that asks while one types."""

import datetime
import re

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from engine.rules.ruleset import preset
from league.models import Event, Player
from tables.people.acts import sprints
from tests.browser.conftest import sign_in
from tests.browser.people import open_panel
from tests.factories import make_club, make_night, make_round, make_user, owner_of
from tests.shares import share
from tests.tables import live

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NETWORKS = [50, 200, 400, 700, 1000]
"""Milliseconds that an answer takes at least."""
ENDS = [NETWORKS[0], NETWORKS[-1]]
KEYS = 100
"""Milliseconds between two keys."""


def slow(page: Page, latency: int) -> None:
    cdp = page.context.new_cdp_session(page)
    cdp.send("Network.enable")
    speed = {"downloadThroughput": -1, "uploadThroughput": -1}
    cdp.send("Network.emulateNetworkConditions", {"offline": False, "latency": latency, **speed})


def type_on(field: Locator, text: str) -> None:
    """Types as a person does: where the focus is by now."""
    field.click()
    field.page.keyboard.type(text, delay=KEYS)


@pytest.mark.parametrize("latency", share(NETWORKS, of=2))
def test_names_of_a_first_night_are_read_whole(page: Page, latency: int):
    page.goto("/clubs/~tonight/")
    slow(page, latency)
    type_on(page.locator("#new-name"), "An, Binh, Chi, Dung, Em, Giang")
    expect(page.locator(".names-box li")).to_have_count(5)
    expect(page.locator("#new-name")).to_have_value(" Giang")
    page.keyboard.press("Enter")
    names = page.locator(".names-box [name=edit]")
    expect(names).to_have_count(6)
    assert [name.get_attribute("value") for name in names.all()] == [
        "An",
        "Binh",
        "Chi",
        "Dung",
        "Em",
        "Giang",
    ]


def test_a_name_taken_back_while_names_are_read_is_not_there_twice(page: Page):
    page.goto("/clubs/~tonight/")
    field, names = page.locator("#new-name"), page.locator(".names-box [name=edit]")
    field.fill("An, Binh, Chi,")
    expect(names).to_have_count(3)
    slow(page, NETWORKS[-1])
    field.fill("Dung,")
    names.first.click()
    expect(page.locator(".names-box li", has_text="Dung")).to_be_visible()
    expect(field).to_have_value("An")
    expect(names).to_have_count(3)


@pytest.mark.parametrize("latency", share(NETWORKS, of=2))
def test_a_stake_is_typed_while_the_names_are_read(page: Page, latency: int):
    page.goto("/clubs/~tonight/")
    slow(page, latency)
    page.locator("#new-name").fill("An, Binh, Chi, Dung,")
    page.locator(".recipe summary").click()
    stake = page.locator("#id_stake")
    stake.fill("")
    type_on(stake, "25000")
    expect(stake).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator(".recipe summary")).to_contain_text("25")
    expect(stake).to_have_value("25,000")


@pytest.mark.parametrize("latency", share(NETWORKS, of=2))
def test_a_guests_name_is_typed_while_taps_are_saved(page: Page, latency: int):
    event = make_night(4)
    event.entrants.update(presence="expected")
    sign_in(page, owner_of(event.season.club))
    page.goto(f"/clubs/{event.season.club.slug}/events/{event.pk}/check-in/")
    slow(page, latency)
    # Not by a pointer, whose tap means nothing on a list that has just moved.
    page.evaluate("""() => [...document.querySelectorAll(".chips .btn")].slice(0, 3)
        .forEach((button) => button.click())""")
    type_on(page.locator("#id_name"), "Quynh Huong Giang")
    expect(page.locator(".btn-here")).to_have_count(3)
    expect(page.locator("#id_name")).to_have_value("Quynh Huong Giang")
    page.locator(".chips .btn:not(.btn-here)").evaluate("(button) => button.click()")
    expect(page.locator(".btn-here")).to_have_count(4)
    expect(page.locator("#id_name")).to_have_value("Quynh Huong Giang")
    page.locator("#guest .btn").click()
    expect(page.locator(".chips", has_text="Quynh Huong Giang")).to_be_visible()
    assert Player.objects.filter(name="Quynh Huong Giang").count() == 1


@pytest.mark.parametrize("latency", ENDS)
def test_a_name_is_typed_on_a_night_that_changes_meanwhile(page: Page, latency: int):
    event = make_night(4)
    make_round(event)
    sign_in(page, owner_of(event.season.club))
    page.goto(f"/clubs/{event.season.club.slug}/events/{event.pk}/")
    page.clock.install()
    slow(page, latency)
    field = page.get_by_label("Name", exact=True)
    field.click()
    handle = field.element_handle()
    for letter in "Quynh Huong":
        Event.objects.filter(pk=event.pk).update(version=F("version") + 1)
        page.clock.fast_forward(5000)
        page.keyboard.press(letter)
        page.wait_for_timeout(KEYS)
    page.wait_for_timeout(2 * latency)
    expect(field).to_have_value("Quynh Huong")
    assert handle.evaluate("(old) => old === document.activeElement"), "the field was replaced"


@pytest.mark.parametrize("latency", ENDS)
def test_rules_are_named_while_their_sentences_come(page: Page, latency: int):
    club = make_club(owner=(owner := make_user()))
    sign_in(page, owner)
    page.goto(f"/clubs/{club.slug}/rules/new/?from=tien-len")
    slow(page, latency)
    page.locator(".rule-group summary").first.click()
    page.locator(".rule-group [type=checkbox]").first.click()
    type_on(page.get_by_label("Name", exact=True), " cua nha Lan")
    page.wait_for_timeout(2 * latency + 500)
    expect(page.get_by_label("Name", exact=True)).to_have_value(re.compile(" cua nha Lan$"))


@pytest.mark.parametrize("latency", ENDS)
def test_a_stranger_types_a_name_while_the_chairs_fill(people, latency: int):
    table = live.open_table("penguin", 4, people=1)
    page = people.page(table)
    slow(page, latency)
    field = page.locator("#own [name=name]")
    field.fill("")
    type_on(field, "Quynh")
    live.post(Client(), table, "sit", no=1, name="Bác Sáu")
    page.keyboard.type(" Huong", delay=KEYS)
    expect(page.get_by_text("Bác Sáu").first).to_be_visible()
    expect(field).to_have_value("Quynh Huong")
    expect(field).to_be_focused()


@pytest.mark.parametrize("latency", ENDS)
def test_the_next_message_is_typed_while_one_is_on_its_way(people, latency: int):
    table = live.open_table("penguin", 2, people=2)
    page = people.page(table, 0)
    open_panel(page)
    slow(page, latency)
    field = page.locator("#talk-text")
    type_on(field, "Hay")
    page.keyboard.press("Enter")
    page.keyboard.type("lam ban oi", delay=KEYS)
    expect(page.locator("#talk-list [data-text]")).to_have_text(["Hay"])
    expect(field).to_have_value("lam ban oi")
    page.route(lambda address: "talk" in address, lambda route: route.abort())
    page.keyboard.press("Enter")
    page.wait_for_timeout(KEYS)
    expect(field).to_have_value("lam ban oi")  # What could not be sent.


@pytest.mark.parametrize("latency", ENDS)
def test_a_name_for_the_half_hour_is_typed_while_it_changes(people, latency: int):
    began = timezone.now() - datetime.timedelta(minutes=1)
    sprint = sprints.open_sprint(starts_at=began, ruleset=preset("penguin"))
    page = people.page()
    page.goto(f"/tables/sprints/{sprint.key}/")
    slow(page, latency)
    field = page.get_by_label("Your name")
    field.fill("")
    type_on(field, "Nguyen Thi Quynh Huong tu xa den day")
    expect(field).to_have_value("Nguyen Thi Quynh Huong tu xa den day")
    expect(field).to_be_focused()
