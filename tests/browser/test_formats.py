"""Formats of a night on a phone: a queue where the loser leaves, groups with a final."""

import pytest
from playwright.sync_api import Page, expect

from league.models import Event
from league.nights.acts import closing, draws
from tests.browser.conftest import PHONE, seen, sign_in
from tests.browser.entering import save
from tests.browser.evenings import close_night, unfold
from tests.browser.test_desk import night
from tests.factories import NAMES, make_club, make_night, make_season, owner_of, path_of, play
from tests.league.nights.waitlist_helpers import around, come, open_floor, waiting

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def new_night(page: Page, people: int, choice: str, **numbers: str) -> Event:
    """A night made in the form and its first people checked in, as an organiser does it."""
    club = make_club()
    season = make_season(club)
    make_night(people, season=season)  # So that the club has so many players.
    sign_in(page, owner_of(club))
    page.goto(path_of(club, "event_create", season.pk))
    format = page.locator(".format-choice", has_text=choice).get_by_role(
        "radio", include_hidden=True
    )
    unfold(format)
    format.check()
    for label, number in numbers.items():
        page.get_by_label(label.replace("_", " ")).fill(number)
    seen(page, f"formats-form-{choice.split()[-1]}")
    page.get_by_role("button", name="Create the night").click()
    page.get_by_role("button", name="Everyone is here").click()
    expect(page.locator("#people #who")).to_contain_text(str(people))
    return Event.objects.latest("pk")


def test_a_phone_shows_all_recipes_whole(page: Page):
    season = make_night(8).season
    sign_in(page, owner_of(season.club))
    page.goto(path_of(season, "event_create"))
    recipes = page.get_by_role("navigation", name="Recipes").get_by_role("link")
    for one in recipes.all():
        expect(one).to_be_in_viewport(ratio=0.99)
        assert one.evaluate("one => one.scrollWidth <= one.clientWidth")
    recipes.last.click()
    expect(recipes.last).to_have_attribute("aria-current", "true")


def test_every_recipe_says_on_a_phone_what_it_is_before_it_is_tapped(page: Page):
    season = make_night(8).season
    sign_in(page, owner_of(season.club))
    page.goto(path_of(season, "event_create"))
    words = page.get_by_role("navigation", name="Recipes").locator("small")
    expect(words.filter(visible=True)).to_have_count(words.count())
    assert len(set(words.all_text_contents())) == words.count() > 4
    create = page.get_by_role("button", name="Create the night")
    expect(create).to_be_in_viewport(ratio=0.99)
    page.set_viewport_size({"width": 1440, "height": 900})
    last = page.locator(".plan-more > summary")
    assert last.bounding_box()["y"] < create.bounding_box()["y"], "the button covers nothing"


def test_seats_of_a_list_are_asked_for_once_there_is_one(page: Page):
    season = make_night(8).season
    sign_in(page, owner_of(season.club))
    page.goto(path_of(season, "event_create"))
    page.locator(".chip:has(#id_opens_sign_up) > summary").click()
    expect(page.locator("#id_sign_up_places")).to_be_hidden()
    page.locator("#id_opens_sign_up").check()
    expect(page.locator("#id_sign_up_places")).to_be_visible()


def save_in_order(page: Page) -> None:
    """Taps all but the last and saves."""
    taps = page.locator("[data-tap]")
    for index in range(taps.count() - 1):
        taps.nth(index).click()
    save(page)


def test_the_loser_leaves_and_the_queue_moves_up(page: Page):
    event = new_night(page, 7, "Last one out", Maximum_games_in_a_row="3")
    page.get_by_role("button", name="Draw the tables").click()
    expect(page.get_by_text("Queue:")).to_be_visible()
    seen(page, "formats-queue-draft")
    page.get_by_role("button", name="Release").click()
    page.goto(night(event))
    seen(page, "formats-queue-night")
    page.get_by_role("link", name="Table 1").click()
    first, second, *_ = waiting(event)
    (table,) = event.rounds.get().sittings.all()
    people = around(table)
    expect(page.get_by_text(f"Last place gives up the seat to {first}.")).to_be_visible()
    seen(page, "formats-queue-table")
    save_in_order(page)
    expect(page.get_by_text(f"{people[3]} gave up the seat.")).to_be_visible()
    expect(page.locator("[data-tap]")).to_have_text([*people[:3], first])
    seen(page, "formats-queue-after-a-game")
    page.context.set_offline(True)
    save_in_order(page)
    expect(page.get_by_text("this page shows who sits down")).to_be_visible()
    expect(
        page.get_by_text("This game is saved on this phone and will be sent later.")
    ).to_be_visible()
    expect(page.locator("[data-tap]").first).to_be_hidden()
    seen(page, "formats-queue-offline")
    page.context.set_offline(False)
    expect(page.locator("[data-tap]")).to_have_text([*people[:3], second])

    page.goto(night(event, "check-in/"))
    page.get_by_role("button", name=f"{people[0]} Table 1").click()
    page.get_by_role("button", name="Mark as left").click()
    expect(page.locator("#people #who")).to_contain_text("6")
    assert people[0] not in around(table)
    assert len(around(table)) == 4
    page.goto(night(event))
    seen(page, "formats-queue-somebody-left")
    close_night(page)
    expect(page.get_by_text("closed", exact=True)).to_be_visible()


def test_groups_and_a_final(page: Page):
    plan = {"kind": "groups", "groups": 2, "group_rounds": 1, "final": 4}
    event = make_night(8, format=plan, games_per_round=1, rounds_planned=2)
    by = owner_of(event)
    draft = draws.draw_round(event=event, by=by, seed=1)
    sign_in(page, by)
    page.goto(night(event, "rounds/1/"))
    expect(page.get_by_text("Group 1")).to_be_visible()
    seen(page, "formats-groups-draft")
    page.get_by_role("button", name="Release").click()
    expect(page.get_by_text("Round 1 released.")).to_be_visible()
    for table in draft.sittings.all():
        play(table)
    page.goto(night(event))
    seen(page, "formats-groups-night")
    page.get_by_role("button", name="Draw the final").click()
    expect(page.get_by_role("heading", name="Who advanced")).to_be_visible()
    seen(page, "formats-groups-final-draft")
    page.get_by_role("button", name="Release").click()
    expect(page.get_by_text("Round 2 released.")).to_be_visible()
    group = page.get_by_role("region", name="Group 1")
    page.goto(f"{night(event)}?show=standings")
    expect(group).to_be_hidden()
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(group).to_be_visible()
    page.goto(night(event))
    expect(group).to_be_hidden()
    page.set_viewport_size(PHONE)
    final = event.rounds.get(number=2).sittings.get(table_no=1)
    play(final)

    page.goto(night(event, "rounds/1/tables/1/games/1/"))
    page.locator("summary", has_text="Correct this game").click()
    page.locator(".tap-1").click()
    page.locator("[data-tap]").nth(3).click()
    page.get_by_label("Reason").fill("wrong way round")
    page.get_by_role("button", name="Save correction").click()
    expect(page.get_by_text("they stay, and so do its players").first).to_be_visible()
    page.goto(night(event))
    expect(page.get_by_role("heading", name="The final is over")).to_be_visible()
    told = page.get_by_role("heading", name="The final", exact=True)
    expect(told).to_be_visible()
    seen(page, "formats-groups-end")
    closing.close_event(event=event, by=by, despite_unfinished=True)
    page.goto(night(event))
    expect(page.get_by_role("heading", name="Places")).to_be_visible()
    expect(told).to_be_hidden()
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(told).to_be_visible()


def test_an_open_night_forms_tables_as_people_come(page: Page):
    event = make_night(3, counting="average", format={"kind": "open", "tables": 2})
    (one, _two) = open_floor(event).sittings.all()
    sign_in(page, owner_of(event))
    page.goto(night(event))
    expect(page.get_by_text("These players could form a table:")).to_be_visible()
    seen(page, "formats-open-night")
    page.goto(night(event, "check-in/"))
    page.locator("#guest").scroll_into_view_if_needed()
    page.locator("#id_name").fill("Zoe")
    page.get_by_role("button", name="Add and check in").click()
    expect(page.get_by_text("Zoe is here.")).to_be_visible()
    assert len(around(one)) == 4
    page.goto(night(event, "rounds/1/tables/1/"))
    save_in_order(page)
    expect(page.locator(".finish li")).to_have_count(4)
    seen(page, "formats-open-table")
    page.get_by_role("button", name="This table is done").click()
    expect(page.get_by_text("Nobody is seated here now.")).to_be_visible()
    seen(page, "formats-open-table-done")
    assert set(waiting(event)) == {*NAMES[:3], "Zoe"}


def test_the_wall_shows_who_waits(page: Page):
    event = make_night(9, format={"kind": "loser_leaves", "tables": 2})
    tables = open_floor(event).sittings.all()
    come(event, "Zoe", "Yến")
    play(tables[0], around(tables[0]))
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(night(event, "wall/"))
    expect(page.get_by_text(waiting(event)[0]).first).to_be_visible()
    seen(page, "formats-wall")
    sign_in(page, owner_of(event))
    page.goto(night(event))
    seen(page, "formats-queue-wide")
