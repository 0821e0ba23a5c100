"""The organiser's side of a night: swaps, clock, calls, disputes, chairs, paper, the wall."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from league.models import Dispute, Event, Round
from league.nights.acts import clock, disputes
from tests import factories
from tests.browser.conftest import check_page, seen, shot, sign_in
from tests.factories import (
    make_club,
    make_night,
    make_round,
    make_season,
    make_table,
    owner_of,
    path_of,
    play,
    table_link,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_clock_in_the_bar_turns_gold_in_its_last_minute_and_red_after_it(page: Page):
    """The minutes of a table's game count on beside it."""
    event = make_night(4, games_per_round=2)
    clock.start(round_=make_round(event), minutes=40, by=owner_of(event))
    event.rounds.update(clock_started_at=timezone.now() - timedelta(minutes=38))
    page.clock.install()
    page.goto(night(event))
    chip = page.locator(".clock-mark [data-clock]")
    told = page.locator(".table-tile [data-since]")
    for seconds, mark, minutes in ((1, "", 38), (70, "clock-soon", 39), (60, "clock-over", 40)):
        page.clock.run_for(1000 * seconds)
        expect(chip).to_have_class(mark)
        expect(told).to_have_text(f"· {minutes} min")


HEARD = """
    const { decodeAudioData } = AudioContext.prototype;
    AudioContext.prototype.decodeAudioData = async function (...file) {
      const sounds = await decodeAudioData.apply(this, file);
      document.documentElement.dataset.heard = "";
      return sounds;
    };
    AudioBufferSourceNode.prototype.start = (when, from) => {
      document.documentElement.dataset.heard += `${from};`;
    };
"""
CALL = "1.6;"
"""Where the sound of a call begins in the file of sounds."""


def night(event: Event, *more: object) -> str:
    return path_of(event, "event") + "".join(map(str, more))


def open_whole_menu(page: Page) -> None:
    page.locator("#night-menu > summary").click()
    page.locator("#night-menu details > summary").click()


def test_a_draft_is_swapped_by_hand_and_explained(page: Page):
    event = make_night(8)
    make_round(event)
    sign_in(page, owner_of(event))
    page.goto(night(event))
    open_whole_menu(page)
    page.get_by_role("button", name="Draw round 2").click()
    seen(page, "desk-draw-early")
    page.get_by_role("button", name="Draw anyway").click()
    page.get_by_role("link", name="Swap two players").click()
    expect(page.locator("#a")).to_be_visible()
    people = page.locator("#a option").all_inner_texts()
    page.get_by_label("with this one").select_option(people[-1])
    page.get_by_role("button", name="Check the effect").click()
    expect(page.get_by_role("button", name="Swap them")).to_be_visible()
    seen(page, "desk-swap")
    page.get_by_role("button", name="Swap them").click()
    expect(page.get_by_text("Swapped: ")).to_contain_text(people[-1].partition(" · ")[0])
    page.locator("#round-menu summary").first.click()
    page.get_by_role("link", name="How it was drawn").click()
    expect(page.get_by_text("An organiser then swapped two players by hand.")).to_be_visible()
    seen(page, "desk-explain")


def test_a_sheet_marks_the_likely_value_that_counts(page: Page):
    event = make_night(rules="mien-nam", stake=5_000, round_minutes=25)
    sign_in(page, owner_of(event))
    page.goto(path_of(event, "event_settings"))
    marked = page.locator("[data-fill][aria-pressed=true]").filter(visible=True)
    page.locator(".say summary", has_text="5,000").click()
    expect(marked).to_have_text("5,000 kẹo")
    page.keyboard.press("Escape")
    page.locator(".say summary", has_text="25 minutes").click()
    expect(marked).to_have_text("25 minutes")
    page.get_by_role("button", name="30 minutes").click()
    expect(marked).to_have_text("30 minutes")
    page.get_by_label("Another number").filter(visible=True).fill("27")
    expect(marked).to_have_count(0)


def test_clock_calls_and_disputes_reach_the_organiser(page: Page):
    sitting = make_table(make_night(confirmed_by="player", counting="average", round_minutes=40))
    event = sitting.round.event
    play(sitting, device="a phone")
    page.goto(table_link(sitting))
    seen(page, "desk-link")
    page.get_by_text("Call the organiser").click()
    page.get_by_label("What is it about?").fill("A card is missing")
    page.get_by_role("button", name="Call", exact=True).click()
    expect(page.get_by_text("The organiser has been called.")).to_be_visible()
    page.get_by_role("link", name="Edit game 1").click()
    page.get_by_text("Correct this game").click()  # It is open for who came by that link.
    page.get_by_text("Report a mistake").click()
    page.get_by_label("What is right?").fill("An was second")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Something else").click()
    expect(page.get_by_text("The organisers have your report.")).to_be_visible()
    assert Dispute.objects.get().kind == "other", "Enter names no reason"
    seen(page, "desk-called")
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text("Game 1 confirmed.")).to_be_visible()

    sign_in(page, owner_of(event))
    page.goto(night(event))
    expect(page.get_by_text("A card is missing")).to_be_visible()
    clock = page.locator(".clock-mark summary")
    clock.click()
    page.get_by_role("button", name="Start the clock").click()
    expect(page.get_by_role("timer")).to_contain_text("39:5")
    seen(page, "desk-night")
    clock.click()
    page.get_by_role("button", name="Call the last game").click()
    expect(page.get_by_text("Last game: finish this one")).to_be_visible()
    page.get_by_role("link", name="Table 1, game 1").click()
    page.locator(".decide > details > summary", has_text="Let it stand").click()
    page.get_by_label("Say why it stands").fill("The sheet says so")
    seen(page, "desk-dispute")
    page.locator(".decide form").get_by_role("button", name="Let it stand").click()
    page.get_by_text("More about this table").click()
    page.get_by_text("Extra time").click()
    page.get_by_label("Extra minutes for this table").fill("5")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("timer")).to_contain_text("5 extra minutes")
    page.get_by_role("button", name="Done").click()
    assert Dispute.objects.get().outcome == "dismissed"

    page.add_init_script(HEARD)
    page.clock.install()
    for at in (night(event, "rounds/1/"), night(event), night(event, "check-in/")):
        page.goto(at)
        if "check-in" in at:  # Muted there, and heard again.
            page.locator("#night-menu > summary").click()
            ring = page.get_by_role("button", name="Ring when a table calls")
            for heard in ("false", "true"):
                ring.click()
                page.reload()
                page.locator("#night-menu > summary").click()
                expect(ring).to_have_attribute("aria-pressed", heard)
        page.keyboard.press("Escape")
        page.locator("h1").click()
        expect(page.locator("html")).to_have_attribute("data-heard", "")
        disputes.open_dispute(sitting_id=sitting.pk, game_no=1, by=None, note="An was second")
        page.clock.run_for(13_000)
        expect(page.locator("html")).to_have_attribute("data-heard", CALL)
        disputes.dismiss(sitting_id=sitting.pk, game_no=1, by=owner_of(event), reason="No")


def test_paper_has_a_list_cards_with_codes_and_sheets(page: Page):
    event = make_night(7)
    make_round(event)
    sign_in(page, owner_of(event))
    page.goto(night(event, "rounds/1/print/"))
    expect(page.locator(".table-card .qr")).to_have_count(2)
    seen(page, "desk-print")
    page.get_by_text("Score sheets", exact=True).click()
    expect(page.locator(".paper-sheets")).to_be_hidden()


def test_an_invitation_and_the_same_night_next_week(page: Page):
    club = make_club()
    event = make_night(season=make_season(club))
    sign_in(page, owner_of(club))
    page.goto(path_of(club, "members"))
    page.get_by_role("link", name="Invite by link").click()
    page.get_by_label("Role").select_option("scorer")
    page.get_by_role("button", name="Create link").click()
    page.get_by_text("QR code").click()
    seen(page, "desk-invitations")
    invitation = club.links.get(purpose="invitation").secret
    page.goto(reverse("league:link_join", args=[invitation]))
    seen(page, "desk-join")
    page.goto(night(event, "settings/"))
    row = page.locator(".plan-row > summary", has_text="Who confirms games")
    phone = page.viewport_size
    page.set_viewport_size({"width": 1440, "height": 900})
    page.reload()
    expect(row).to_be_in_viewport()
    page.set_viewport_size(phone)
    page.reload()
    expect(row).to_be_hidden()
    page.locator(".plan-more > summary").click()
    row.click()
    page.get_by_label("Who confirms games").select_option("organiser")
    page.locator(".plan-row[open]").get_by_role("button", name="Done").click()
    seen(page, "desk-settings")
    asked = []
    page.once("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.locator(".frame-where .frame-icon").first.click()
    expect(page.get_by_role("heading", name="Not saved")).to_be_visible()
    assert asked == ["beforeunload"], "who leaves it unsaved is asked"
    page.get_by_role("button", name="Save").click()
    open_whole_menu(page)
    page.get_by_role("button", name="Repeat next week").click()
    expect(page.get_by_text("is planned.")).to_be_visible()
    assert list(Event.objects.values_list("confirmed_by", flat=True)) == ["organiser", "organiser"]


def test_a_format_that_was_chosen_is_said_before_the_night_is_created(page: Page):
    club = make_club()
    sign_in(page, owner_of(club))
    page.goto(path_of(club, "night_create"))
    page.locator(".plan-more > summary").click()
    row = page.locator(".plan-row", has=page.locator(".format"))
    row.locator("summary").click()
    page.locator(".format-choice", has_text="Groups and final").click()
    row.get_by_role("button", name="Done").click()
    expect(row.locator("summary .muted")).to_have_text("Groups and final")
    assert not Event.objects.exists()


FILLED = """() => {
    const area = of => of.width * of.height;
    const box = one => one.getBoundingClientRect();
    const tables = document.querySelector(".wall-tables");
    return [...tables.children].reduce((sum, one) => sum + area(box(one)), 0) / area(box(tables));
}"""
OUTSIDE = """() => [...document.querySelectorAll(
    ".wall-table :is(.ava, h2, span, b, p), .wall-side :is(.ava, span, b), .wall-foot :is(span, b)"
)].filter(one => {
    const panel = one.closest(".wall-table, .wall-side, .wall-foot").getBoundingClientRect();
    const own = one.getBoundingClientRect();
    return one.checkVisibility() && !one.closest(".visually-hidden") && (
        own.left < panel.left || own.right > panel.right
        || own.top < panel.top || own.bottom > panel.bottom
    );
}).map(one => one.textContent.trim())"""
FITS = """([width, height]) => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return scrollWidth === width && scrollHeight === height;
}"""
SHORT, LONG = "Chị Hoa", "Nguyễn Thị Hồng Hạnh"


@pytest.mark.parametrize(
    ("name", "tables"),
    [(LONG, tables) for tables in (1, 2, 3, 5, 8, 10, 12)]
    + [(SHORT, tables) for tables in (1, 12)]
    + [pytest.param(SHORT, tables, marks=pytest.mark.long) for tables in (2, 3, 5, 8, 10)],
)
def test_the_wall_fits_its_screen(page: Page, monkeypatch, pytestconfig, tables, name):
    """One view, as full as it gets: games, money and a chop; its tables fill their part.

    The largest screen, the first one twice as large, is dear to draw: few and many tables have it.
    """
    sizes = [(1920, 1080), (1440, 900), (1280, 720)]
    if tables in (1, 12) or pytestconfig.getoption("--long"):
        sizes.insert(0, (3840, 2160))
    people = tables * 4
    monkeypatch.setattr(factories, "NAMES", [f"{name} {n:02}" for n in range(people)])
    event = make_night(people, stake=10000)
    round_ = make_round(event)
    for sitting in round_.sittings.all()[: tables - tables // 3]:
        play(sitting)
    host = owner_of(event)
    clock.start(round_=round_, minutes=40, by=host)
    sign_in(page, host)
    page.goto(night(event, "wall/"))
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(FITS, arg=[width, height])
        shot(page, f"desk-wall-{tables}-{len(name)}-{width}")
        assert page.evaluate(FILLED) >= 0.9
        assert page.evaluate(OUTSIDE) == []
        shown = page.locator(".wall-side li")
        assert shown.count() >= min(8, people)
        expect(page.locator(".wall-head .clock")).to_be_visible()
    check_page(page)


def test_somebody_changes_tables_and_the_log_tells_it(page: Page):
    event = make_night(8)
    make_round(event)
    sign_in(page, owner_of(event))
    page.goto(night(event, "rounds/1/tables/1/"))
    page.get_by_text("More about this table").click()
    page.get_by_text("Players leave or join").click()
    page.get_by_role("link", name="Move a player to another table").click()
    seen(page, "desk-move")
    page.get_by_role("group", name="Who leaves table 1").locator("label").first.click()
    chair = page.get_by_role("group", name="Table 2").locator("label").first
    other = chair.inner_text().strip()
    chair.click()
    page.get_by_role("button", name="Move a player").click()
    expect(page.get_by_role("heading", name="Table 2")).to_be_visible()
    page.goto(night(event))
    open_whole_menu(page)
    page.get_by_role("link", name="Log who changed what").click()
    expect(page.locator(".log li").first).to_contain_text(f"with {other} at table 2")
    seen(page, "desk-log")
    page.get_by_label("Type").select_option("presence")
    expect(page.locator(".log li")).to_have_count(1)


def test_a_night_is_made_to_repeat_by_itself(page: Page):
    event = make_night(4)
    sign_in(page, owner_of(event))
    page.goto(night(event))
    open_whole_menu(page)
    page.get_by_role("link", name="Repeat automatically").click()
    seen(page, "desk-repeat")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Recipes")).to_be_visible()
    seen(page, "desk-repeats")


def test_the_first_tap_on_a_page_with_a_warning_of_another_night_counts(page: Page):
    event = make_night(4)
    other = make_night(4, season=event.season)
    clock.call_director(sitting=make_table(other), by=None)
    sign_in(page, owner_of(event))
    page.clock.set_fixed_time("2015-11-25T20:00:00Z")  # No time passes before the tap.
    page.goto(path_of(event, "check_in"))
    expect(page.locator("#needs")).to_contain_text("Table 1 needs an organiser.")
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.locator(".btn-here").first.click()
    page.goto("about:blank")  # Nothing asks any more when the test's rows go.


def test_a_laptop_shows_at_once_what_a_phone_folds(page: Page):
    event = make_night(8, games_per_round=2, stake=10000)
    round_ = make_round(event)
    play(round_.sittings.all()[0])
    Round.objects.filter(pk=round_.pk).update(released_at=timezone.now() - timedelta(minutes=20))
    sign_in(page, owner_of(event))
    for path, shown in (("", ".pace"), ("money/", ".flow"), ("rounds/1/", ".round-names li")):
        page.goto(night(event, path))
        for width, number in ((1440, 8 if "li" in shown else 1), (360, 0)):
            page.set_viewport_size({"width": width, "height": 740})
            expect(page.locator(shown).locator("visible=true")).to_have_count(number)
