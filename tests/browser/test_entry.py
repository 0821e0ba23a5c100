"""Entering games at a table with nothing but the card's link: taps, specials, a lost connection."""

import statistics
import time

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, expect

from league.models import Result, Transfer
from league.nights.acts import attendance, closing, disputes, seat_changes
from tests.browser.conftest import check_page, open_page, seen, shot, sign_in, tile
from tests.browser.entering import enter, link_of, played, save, saves, tap
from tests.factories import (
    make_member,
    make_night,
    make_table,
    names_at,
    owner_of,
    path_of,
    play,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def sitting():
    """A table of the Southern money game that plays as many games as time allows."""
    return make_table(make_night(rules="mien-nam", stake=1, counting="average"))


@pytest.fixture
def last_game():
    """A table whose round is one game."""
    return make_table(make_night(games_per_round=1))


THOI = "Caught (thối)"


def special(page: Page, kind: str, *people: str, **choices: str) -> None:
    """Choose a kind, whom it is about by their faces, and the rest by chips."""
    page.locator("label.chip").get_by_text(kind, exact=True).click()
    tap(page, *people)
    for name, text in choices.items():
        page.locator(f".special-{name} label.chip", has_text=text).first.click()


def test_a_new_user_enters_games_with_at_most_four_taps_each(page: Page, sitting, capsys):
    page.goto(link_of(sitting))
    check_page(page)
    page.evaluate("""() => {
        window.taps = 0;
        addEventListener("click", (e) => { if (e.isTrusted) window.taps += 1; }, true);
    }""")
    names, taps, seconds = names_at(sitting), [], []
    for number in range(1, 6):
        started, before = time.perf_counter(), page.evaluate("window.taps")
        first = number % 4
        tap(page, *(names[first:] + names[:first])[:3])
        save(page)
        expect(page.locator("[data-now] h2")).to_contain_text(f"Game {number + 1}")
        seconds.append(time.perf_counter() - started)
        taps.append(page.evaluate("window.taps") - before)
    played(page, 5)
    seen(page, "entry-games")
    with capsys.disabled():
        print(
            f"\nfive games at 360 pixels: {statistics.median(taps):.0f} taps and"
            f" {statistics.median(seconds):.2f} s each in the median, by a script's hand"
        )
    assert statistics.median(taps) <= 4
    assert list(Result.objects.values_list("game_no", flat=True)) == [1, 2, 3, 4, 5]


def test_a_whole_entry_stands_on_the_smallest_phone(browser: Browser, live_server, sitting):
    """Tiles as people sit, what each would get, the specials and saving: nothing is scrolled."""
    with open_page(browser, live_server.url, language="vi-VN") as page:
        page.set_viewport_size({"width": 360, "height": 620})
        event = sitting.round.event
        sign_in(page, owner_of(event.season.club))
        page.goto(path_of(event, "table", 1, 1))
        low, right, top, left = names_at(sitting)
        chips = page.locator(".special-kind .chip").first
        stood = chips.bounding_box()
        tap(page, right, low, left)
        assert chips.bounding_box() == stood, "a tap moves no button from under the next"
        expect(page.locator(".preview-sum")).to_contain_text("Tổng 0")
        expect(page.locator(".tap-last [data-name]")).to_have_text(top)
        sums = page.locator(".tap-sum").all_inner_texts()
        assert [text[:2] for text in sums] == ["+1", "+2", "−2", "−1"]
        ends = "e => e.getBoundingClientRect().bottom"
        for part in (".tap", ".special-kind .chip", ".preview summary", "[data-save]"):
            assert page.locator(part).filter(visible=True).last.evaluate(ends) <= 620
        middle = {
            name: tile(page, name).evaluate(
                "e => (({x, y, width, height}) => [x + width / 2, y + height / 2])"
                "(e.getBoundingClientRect())"
            )
            for name in (low, right, top, left)
        }
        assert middle[top][1] < middle[left][1] == middle[right][1] < middle[low][1]
        assert middle[left][0] < middle[top][0] == middle[low][0] < middle[right][0]
        seen(page, "entry-360x620")
        page.locator(".preview summary").click()
        for row, name in zip(
            page.locator(".preview tbody tr").all(), (right, low, left, top), strict=True
        ):
            expect(row).to_be_visible()
            expect(row).to_contain_text(name)


def test_the_sums_unfold_above_the_bar_that_saves(page: Page, sitting):
    page.set_viewport_size({"width": 360, "height": 620})
    page.goto(link_of(sitting))
    tap(page, *names_at(sitting)[:3])
    page.locator(".preview summary").evaluate("fold => fold.click()")
    expect(page.locator(".preview tbody tr").last).to_be_visible()
    page.wait_for_function(
        """() => document.querySelector('.preview').getBoundingClientRect().bottom
            <= document.querySelector('.save-dock').getBoundingClientRect().top"""
    )


def test_games_entered_without_a_connection_are_sent_once_when_it_is_back(page: Page, sitting):
    page.goto(link_of(sitting))
    names = names_at(sitting)
    page.context.set_offline(True)
    for first in (0, 1):
        tap(page, *(names[first:] + names[:first])[:3])
        expect(page.get_by_text("Points and money appear once")).to_be_visible()
        save(page)
    expect(page.locator(".queue li")).to_have_count(2)
    expect(page.locator(".queue").get_by_text("waiting to send")).to_have_count(2)
    expect(page.locator("[data-now] h2")).to_have_text("Game 3")
    seen(page, "entry-offline")
    assert Result.objects.count() == 0
    page.context.set_offline(False)
    played(page, 2)
    expect(page.locator("[data-queue]")).to_be_hidden()
    assert list(Result.objects.values_list("game_no", flat=True)) == [1, 2]


def test_an_answer_that_got_lost_saves_the_game_once(page: Page, sitting):
    """The server saved, the phone never heard of it, and sends the same game again."""
    lost = []

    def lose_the_first_answer(route):
        if route.request.method == "POST" and not lost:
            route.fetch()
            lost.append(route.request.post_data)
            route.abort()
        else:
            route.continue_()

    page.route("**/~table/**", lose_the_first_answer)
    page.goto(link_of(sitting))
    tap(page, *names_at(sitting)[:3])
    saves(page, 1)
    expect(page.locator("[data-queue]")).to_be_hidden()
    assert (len(lost), Result.objects.count()) == (1, 1)


def test_a_queue_outlives_a_reload(page: Page, sitting):
    page.goto(link_of(sitting))
    page.route("**/~table/**", lambda r: r.abort() if r.request.method == "POST" else r.continue_())
    tap(page, *names_at(sitting)[:3])
    save(page)
    expect(page.locator(".queue li")).to_have_count(1)
    page.reload()
    expect(page.locator(".queue li")).to_have_count(1)
    page.unroute("**/~table/**")
    played(page, 1)
    assert Result.objects.count() == 1


def send_a_game_that_another_phone_saved(page: Page, sitting):
    page.goto(link_of(sitting))
    names = names_at(sitting)
    page.context.set_offline(True)
    tap(page, *names[:3])
    save(page)
    play(sitting, names[::-1])
    page.context.set_offline(False)
    expect(page.get_by_text("Someone else has just saved game 1.")).to_be_visible()


def test_a_game_that_another_phone_saved_meanwhile_waits_for_a_decision(page: Page, sitting):
    send_a_game_that_another_phone_saved(page, sitting)
    shot(page, "entry-conflict")
    check_page(page)
    page.get_by_role("button", name="Send as game 2").click()
    played(page, 2)
    assert Result.objects.count() == 2


def test_a_game_that_another_phone_saved_as_the_last_is_sent_as_no_other(page: Page, last_game):
    send_a_game_that_another_phone_saved(page, last_game)
    expect(page.get_by_role("button", name="Discard")).to_be_visible()
    expect(page.get_by_role("button", name="Send as game 2")).to_be_hidden()
    expect(page.get_by_role("button", name="Edit")).to_be_hidden()


def test_a_game_of_others_than_sit_here_is_sent_again_once_they_do(page: Page, sitting):
    """The substitute has played, and the organiser tells the server only then."""
    event, by = sitting.round.event, owner_of(sitting)
    page.goto(link_of(sitting))
    names = names_at(sitting)
    gone = sitting.places.get(seat=0).entrant_id
    guest = attendance.add_guest(event=event, name="Zoe", by=by).pk
    page.context.set_offline(True)
    tap(page, *names[:3])
    save(page)
    page.evaluate(
        """([gone, guest]) => {
            const [game] = JSON.parse(localStorage.getItem("games-to-send"));
            game.order = game.order.replace(gone, guest);
            game.tapped -= 60_000;
            localStorage.setItem("games-to-send", JSON.stringify([game]));
        }""",
        [str(gone), str(guest)],
    )
    page.context.set_offline(False)
    row = page.locator(".queue li")
    expect(row).to_contain_text("This game names others than sit at this table")
    expect(row.get_by_role("button", name="Edit")).to_be_hidden()
    seat_changes.leave(sitting_id=sitting.pk, entrant_id=gone, substitute_id=guest, by=by)
    row.get_by_role("button", name="Send as game 1").click()
    played(page, 1)
    expect(page.locator("[data-queue]")).to_be_hidden()
    names[0] = "Zoe"
    assert [p.entrant.player.name for p in Result.objects.get().placings.order_by("rank")] == names


def test_a_chop_on_a_chop_and_a_two_left_are_entered_by_faces_and_chips(page: Page, sitting):
    page.goto(link_of(sitting))
    a, b, c, d = names_at(sitting)
    tap(page, c, a, d)
    special(page, "Chop", b, a, what="red 2")
    special(page, "Counter-chop", c, what="three consecutive pairs")
    special(page, THOI, what="black 2")
    seen(page, "entry-specials")
    expect(page.locator(".preview tr", has_text=c)).to_contain_text("+7")
    expect(page.locator(".preview tr", has_text=b)).to_contain_text("−7")
    saves(page, 1)
    expect(page.locator("[data-played]")).to_contain_text(f"{b} chops {a}: red 2")
    assert sorted(Transfer.objects.values_list("amount", "reason")) == [
        (1, "third"), (1, "twos_left"), (2, "loser"), (4, "chop"),
    ]  # fmt: skip


def test_a_counter_chop_says_no_price_where_a_chain_has_one_sum(page: Page):
    sitting = make_table(make_night(rules="killa", stake=5))
    page.goto(link_of(sitting))
    a, b, c, _d = names_at(sitting)
    special(page, "Chop", b, a, what="a single 2")
    special(page, "Counter-chop", c, what="a bomb")
    chop, counter = f"Chop: {b} → {a}: a single 2 +5 kẹo", f"Counter-chop: {c} → {b}: a bomb"
    expect(page.locator("[data-told] li")).to_have_text([chop, counter])


def test_nobody_can_be_chosen_to_chop_their_own_cards(page: Page, sitting):
    page.goto(link_of(sitting))
    a, b, c, _d = names_at(sitting)
    question, meant = page.locator("[data-asks]"), page.locator(".tap-meant [data-name]")
    special(page, "Chop", a, a)  # Once more: not this player.
    expect(meant).to_have_count(0)
    tap(page, b)
    expect(question).to_have_text("Who was chopped?")
    special(page, "Chop")  # Once more: it is put away.
    expect(question).to_be_hidden()
    special(page, "Chop", a, b, what="red 2")
    expect(page.locator("[data-told] li")).to_have_text([f"Chop: {a} → {b}: red 2 +2 kẹo"])
    special(page, "Counter-chop")
    expect(question).to_have_text("Who chopped?")
    expect(tile(page, a)).to_be_disabled()
    tap(page, c)
    expect(meant).to_have_text([c])
    expect(page.locator("[data-tap][aria-pressed=true]")).to_have_count(0)


def test_the_felt_asks_about_a_chop_with_the_money_in_sight_and_the_usual_cards_first(
    page: Page, sitting
):
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(link_of(sitting))
    a, b, c, d = names_at(sitting)
    tap(page, a, b, c)
    sums = ["+2 kẹo", "+1 kẹo", "−1 kẹo", "−2 kẹo"]
    question = page.locator("[data-asks]")
    special(page, "Chop")
    for name, asked in ((b, "Who chopped?"), (d, "Who was chopped?")):
        expect(question).to_have_text(asked)
        expect(page.locator(".tap-sum")).to_have_text(sums)
        for each in page.locator("[data-tap]").all():
            expect(each).to_be_in_viewport(ratio=1)
        tap(page, name)
    expect(question).to_have_text("Which cards?")
    expect(page.locator(".tap-sum")).to_have_text(sums)
    whats = page.locator(".special-what label.chip").filter(visible=True)
    usual = ["black 2 +1 kẹo", "red 2 +2 kẹo", "three consecutive pairs +2 kẹo"]
    bombs = ["four of a kind +2 kẹo", "four consecutive pairs +2 kẹo"]
    expect(whats).to_have_text([*usual, *bombs, "Other cards"])
    bottom = whats.last.evaluate("e => e.getBoundingClientRect().bottom")
    assert bottom <= page.locator(".save-dock").bounding_box()["y"]
    page.get_by_text("Other cards").click()
    expect(whats).to_have_count(10)
    whats.filter(has_text="two red 2s").last.click()
    expect(page.locator("[data-told] li")).to_have_text([f"Chop: {b} → {d}: two red 2s +4 kẹo"])
    expect(question).to_be_hidden()
    expect(page.locator(".tap-meant")).to_have_count(0)


def test_no_kind_of_special_jumps_when_a_chop_can_be_countered(
    browser: Browser, live_server, sitting
):
    with open_page(browser, live_server.url, language="vi-VN") as page:
        page.set_viewport_size({"width": 360, "height": 740})
        page.goto(link_of(sitting))
        kinds = page.locator(".special-kind .chip").filter(visible=True)

        def places() -> dict[str, tuple[float, float, float]]:
            boxes = {each.inner_text(): each.bounding_box() for each in kinds.all()}
            top = boxes["Chặt"]["y"]
            return {kind: (at["x"], at["y"] - top, at["width"]) for kind, at in boxes.items()}

        before, (a, b, *_others) = places(), names_at(sitting)
        special(page, "Chặt", a, b, what="heo đỏ")
        expect(page.locator("[data-told] li")).to_have_count(1)
        after = places()
        assert after.pop("Chặt chồng")
        assert after == before


def test_the_felt_asks_for_the_place_that_comes_next(page: Page, sitting):
    page.goto(link_of(sitting))
    hint = page.locator("[data-hint]").filter(visible=True)
    a, b, c, d = names_at(sitting)
    asked = ["Tap first, second, third.", "Who is second?", "Who is third?"]
    for name, question in zip((a, b, c), asked, strict=True):
        expect(hint).to_contain_text(question)
        tap(page, name)
    expect(hint).to_have_count(0)
    tap(page, b)
    expect(hint).to_have_text("Who is second?")
    assert page.locator("[data-tap][aria-pressed=true] [data-name]").all_inner_texts() == [a, c]
    page.reload()
    expect(hint).to_have_text("Who is second?")
    expect(tile(page, c).locator("[data-rank]")).to_have_text("3")
    tap(page, d)
    played_as = {
        name: tile(page, name).locator("[data-rank]").inner_text() for name in (a, b, c, d)
    }
    assert played_as == {a: "1", d: "2", c: "3", b: "4"}


def test_a_question_about_people_stands_on_the_felt_alone(page: Page, sitting):
    """While it asks who, places are small and no sum is seen; then nobody else stands out."""
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(link_of(sitting))
    a, b, c, d = names_at(sitting)
    tap(page, a, b, c)
    sums, ranks = page.locator(".tap-sum"), page.locator("[data-rank]")
    expect(sums.first).to_be_visible()
    page.locator("label.chip").get_by_text("Chop", exact=True).click()
    expect(page.locator("[data-asks]")).to_have_text("Who chopped?")
    expect(sums.filter(visible=True)).to_have_count(0)
    expect(ranks).to_have_text(["1", "2", "3", "4"])
    expect(page.locator(".tap-1, .tap-last")).to_have_count(0)
    tap(page, a, b)
    expect(page.locator("[data-asks]")).to_have_text("Which cards?")
    assert {*page.locator(".tap-meant [data-name]").all_inner_texts()} == {a, b}
    assert {*page.locator(".tap-idle [data-name]").all_inner_texts()} == {c, d}
    chips = page.locator(".special-what .chip").filter(visible=True)
    bottom, dock = "e => e.getBoundingClientRect().bottom", page.locator(".save-dock")
    assert chips.last.evaluate(bottom) < dock.bounding_box()["y"]
    assert page.evaluate("scrollY") == 0, "the game's number stays in sight"
    chips.first.click()
    expect(ranks).to_have_text(["1", "2", "3", "4"])
    expect(sums.filter(visible=True)).to_have_count(4)


def test_the_felt_tells_what_was_saved_until_the_next_tap(page: Page, sitting):
    page.goto(link_of(sitting))
    names, hint = names_at(sitting), page.locator(".hint-open")
    enter(page, sitting, first=2)
    expect(hint).to_contain_text(f"Game 1 saved: {names[2]} first.")
    seen(page, "entry-saved")
    check_page(page)
    tap(page, names[1], names[1])
    expect(hint).to_contain_text("Tap first, second, third.")
    enter(page, sitting)
    hint.get_by_role("link", name="Edit game 2").click()
    expect(page.get_by_role("button", name="Save correction")).to_be_visible()


def test_cards_left_in_hand_are_of_the_last_player_without_a_tap(page: Page, sitting):
    page.goto(link_of(sitting))
    a, b, c, d = names_at(sitting)
    special(page, THOI, what="red 2")
    expect(page.locator("[data-told] li")).to_have_count(0)  # Anybody may still be last.
    page.locator("label.chip", has_text=THOI).click()
    tap(page, a, b, c)
    special(page, THOI, what="black 2")
    expect(page.locator("[data-told] li")).to_have_text([f"{THOI}: {d}: black 2"])
    saves(page, 1)
    assert Transfer.objects.filter(reason="twos_left").count() == 1


def test_the_save_button_covers_nothing_that_has_the_focus(page: Page, sitting):
    page.goto(link_of(sitting))
    tap(page, *names_at(sitting)[:3])
    page.locator("label.chip", has_text=THOI).click()
    page.get_by_role("button", name="Save the game").click(force=True)
    expect(page.locator("[data-problem]")).to_be_visible()
    page.locator("[data-tap]").first.focus()
    under_focus = []
    while (focus := page.evaluate(FOCUS))["isInForm"]:
        under_focus.append((focus["text"], focus["bottom"] <= focus["dock"]))
        page.keyboard.press("Tab")
    assert [text for text, is_clear in under_focus if not is_clear] == []
    assert len(under_focus) >= 6


FOCUS = """() => {
    const label = document.activeElement.closest("label") || document.activeElement;
    return {
        text: label.textContent.trim(),
        isInForm: Boolean(label.closest("form:has(.dock)")) && !label.closest(".dock"),
        bottom: label.getBoundingClientRect().bottom,
        dock: document.querySelector(".dock").getBoundingClientRect().top,
    };
}"""


def test_what_cannot_be_is_said_before_saving(page: Page, sitting):
    page.goto(link_of(sitting))
    a, b, c, d = names_at(sitting)
    tap(page, a, b, c)
    page.locator("label.chip", has_text=THOI).click()
    expect(page.locator(".tap-meant [data-name]")).to_have_text([d])
    page.locator(".special-what label.chip", has_text="red 2").first.click()
    tap(page, c, d)
    problem = "Only the player in last place"
    expect(page.locator("[data-problem]")).to_contain_text(problem)
    expect(page.locator("#live")).to_contain_text(problem)
    expect(page.get_by_role("button", name="Save the game")).to_be_disabled()
    save_waits(page)
    page.get_by_role("button", name="Remove").click()
    saves(page, 1)


def save_waits(page: Page):
    """Why nothing can be saved stands above the button in the bar."""
    button = page.get_by_role("button", name="Save the game")
    expect(page.locator(".save-dock [data-problem]")).to_be_in_viewport(ratio=1)
    expect(page.locator("[data-problem]")).to_have_count(1)
    assert page.locator("[data-problem]").bounding_box()["y"] < button.bounding_box()["y"]


def test_a_special_that_lacks_a_choice_is_finished_or_dropped_before_saving(page: Page, sitting):
    """The felt asks, and no fault is found before the game is saved."""
    page.goto(link_of(sitting))
    names = names_at(sitting)
    tap(page, *names[:3])
    special(page, "Chop", names[0])
    unfinished = page.locator("[data-problem]")
    expect(page.locator("[data-asks]")).to_have_text("Who was chopped?")
    expect(unfinished).to_have_count(0)
    saving = page.get_by_role("button", name="Save the game")
    leaving = page.get_by_role("button", name="Leave out: chop")
    expect(saving).to_have_attribute("aria-disabled", "true")
    left, right = leaving.bounding_box(), saving.bounding_box()
    assert left["width"] == pytest.approx(right["width"], abs=1)
    dock = page.locator(".save-dock").bounding_box()
    assert left["width"] + right["width"] > 0.85 * dock["width"]
    saving.click(force=True)  # Pressed all the same, it says what is missing.
    save_waits(page)
    expect(unfinished).to_have_text("Who was chopped? Finish “Chop”, or leave it out.")
    leaving.click()
    expect(page.locator("[data-asks]")).to_be_hidden()
    expect(saving).to_have_attribute("aria-disabled", "false")
    expect(unfinished).to_have_count(0)
    expect(page.locator("[data-leave]")).to_be_hidden()
    special(page, "Chop")
    page.locator("label.chip").get_by_text("Chop", exact=True).click()
    expect(page.locator("[data-asks]")).to_be_hidden()
    special(page, "Instant win")
    saving.click(force=True)
    save_waits(page)
    tap(page, names[1])
    saves(page, 1)
    expect(page.locator("[data-played]")).to_contain_text(f"{names[1]} has an instant win")
    expect(page.locator("[data-asks]")).to_be_hidden()


@pytest.mark.parametrize("is_disputed", [False, True])
def test_a_correction_is_saved_from_a_bar_like_a_new_game(page: Page, sitting, is_disputed: bool):
    page.set_viewport_size({"width": 360, "height": 740})
    play(sitting, names_at(sitting))
    sign_in(page, owner_of(sitting))
    if is_disputed:
        disputes.open_dispute(
            sitting_id=sitting.pk, game_no=1, by=None, device="", kind="order", note="", player=None
        )
    page.goto(path_of(sitting.round.event, "game", 1, 1, 1))
    page.locator("summary", has_text="Correct this game").click()
    expect(page.get_by_role("button", name="Save correction")).to_be_in_viewport(ratio=1)
    expect(page.locator(".doors")).to_be_hidden()
    check_page(page)


def test_a_correction_is_confirmed_below_the_bar(page: Page, sitting):
    page.goto(link_of(sitting))
    enter(page, sitting)
    played(page, 1)
    page.locator("[data-played] a", has_text="Edit").click()
    saving = page.get_by_role("button", name="Save correction")
    expect(saving).to_be_disabled()
    page.get_by_label("Reason").fill("Asked everyone")
    saving.click()
    said = page.locator("#messages .message", has_text="Game 1 corrected.")
    expect(said).to_be_visible()
    assert page.locator(".frame").bounding_box()["height"] <= said.bounding_box()["y"]


def test_both_orders_stay_in_sight_while_a_disputed_game_is_corrected_by_hand(page: Page, sitting):
    """The correction can be saved once it differs from the game that is recorded."""
    page.set_viewport_size({"width": 360, "height": 740})
    a, b, c, d = names_at(sitting)
    play(sitting, [a, b, c, d])
    player = sitting.places.get(entrant__player__name=c).entrant.player
    disputes.open_dispute(sitting_id=sitting.pk, game_no=1, by=None, player=player, place=2)
    sign_in(page, owner_of(sitting))
    page.goto(path_of(sitting.round.event, "game", 1, 1, 1))
    expect(page.locator("h1")).to_have_text("Table 1 · Game 1 · disputed")
    page.locator(".by-hand > summary").click()
    expect(page.locator(".by-hand .felt-round")).to_be_in_viewport(ratio=1)
    felt, dock = (page.locator(part).bounding_box() for part in (".felt-round", ".save-dock"))
    assert felt["y"] + felt["height"] <= dock["y"]
    reason = page.get_by_label("Reason").bounding_box()
    assert reason["y"] + reason["height"] <= dock["y"]
    saving, orders = page.get_by_role("button", name="Save correction"), page.locator(".two-orders")
    expect(saving).to_be_disabled()
    tap(page, b, c, b)
    page.locator(".special-kind").scroll_into_view_if_needed()
    for one in page.locator(".two-orders li").all():
        expect(one).to_be_in_viewport(ratio=1)
    assert orders.bounding_box()["height"] < 150
    seen(page, "dispute-by-hand")
    expect(saving).to_be_enabled()
    tap(page, c, b, c)
    expect(saving).to_be_disabled()
    tap(page, b, c, b)
    saving.click()
    expect(page.locator("#messages")).to_contain_text("Game 1 corrected.")


def test_a_laptop_tells_who_saved_a_disputed_game_in_one_line(page: Page, sitting):
    page.set_viewport_size({"width": 1440, "height": 900})
    play(sitting, names_at(sitting))
    disputes.open_dispute(sitting_id=sitting.pk, game_no=1, by=None, note="An was second")
    sign_in(page, owner_of(sitting))
    page.goto(path_of(sitting.round.event, "game", 1, 1, 1))
    versions = page.locator(".claim-aside [aria-labelledby=history] :is(li, tbody > tr)")
    expect(versions).to_have_count(1)
    assert versions.bounding_box()["height"] < 70
    seen(page, "dispute-laptop")


def test_an_instant_win_places_everybody(page: Page, sitting):
    page.goto(link_of(sitting))
    winner = names_at(sitting)[2]
    special(page, "Instant win", winner)
    expect(page.locator(".preview tr", has_text=winner)).to_contain_text("+12")
    saves(page, 1)
    expect(page.locator("[data-played]")).to_contain_text(f"{winner} has an instant win")


def test_who_only_reads_sees_new_games_by_itself(page: Page, sitting):
    page.clock.install()
    page.goto(path_of(sitting.round.event, "table", 1, 1))
    check_page(page)
    play(sitting)
    page.clock.run_for(7000)
    played(page, 1)
    expect(page.locator("[data-now] h2")).to_contain_text("Game 2")


def test_the_cards_of_each_loser_are_counted_with_two_taps(page: Page):
    """Đếm lá: the winner, then how many cards the others have left; money before saving."""
    sitting = make_table(make_night(3, rules="dem-la", stake=1))
    page.goto(link_of(sitting))
    check_page(page)
    first, second, third = names_at(sitting)
    tap(page, second, first)
    special(page, "Number of cards left", second, count="4")
    special(page, THOI, second, what="red 2")
    special(page, "Number of cards left", third, count="11")
    expect(page.locator(".preview")).to_contain_text("+17")
    saves(page, 1)
    assert Transfer.objects.filter(reason="cards_left").count() == 2
    assert {"kind": "cards", "what": "11"}.items() <= Result.objects.get().specials[2].items()


@pytest.mark.parametrize(
    "cookies", [{"name": settings.SESSION_COOKIE_NAME}, {}], ids=["session", "all"]
)
def test_a_game_entered_when_signed_out_waits_for_signing_in_again(page: Page, sitting, cookies):
    event = sitting.round.event
    club = event.season.club
    type(club).objects.update(is_public=False)
    scorer = make_member(club, "scorer")
    sign_in(page, scorer)
    page.goto(path_of(event, "table", 1, 1))
    tap(page, *names_at(sitting)[:3])
    page.context.clear_cookies(**cookies)
    save(page)
    queue = page.locator("[data-queue]")
    expect(queue.get_by_text("You are signed out.")).to_be_visible()
    expect(queue.get_by_role("button", name="Discard")).to_be_hidden()
    shot(page, "entry-signed-out")
    queue.get_by_role("link", name="Sign in again").click()
    page.get_by_label("Email").fill(scorer.email)
    page.get_by_label("Password").fill("s3cret-word")
    page.get_by_role("button", name="Sign in", exact=True).click()
    played(page, 1)
    assert Result.objects.get().by == scorer


def test_a_phone_that_lost_its_cookies_sends_by_the_card_all_the_same(page: Page, sitting):
    page.goto(link_of(sitting))
    tap(page, *names_at(sitting)[:3])
    page.context.clear_cookies()
    saves(page, 1)
    assert Result.objects.count() == 1


def test_a_table_that_is_open_when_the_night_closes_leads_on_to_the_result(page: Page, sitting):
    play(sitting)
    page.goto(link_of(sitting))
    event = sitting.round.event
    closing.close_event(event=event, by=owner_of(event), despite_unfinished=True)
    expect(page.get_by_role("heading", name="Which one are you?")).to_be_visible()
    seen(page, "link-after-the-night")


def test_a_game_sent_after_the_night_closed_waits_for_the_organiser(page: Page, sitting):
    page.goto(link_of(sitting))
    tap(page, *names_at(sitting)[:3])
    event = sitting.round.event
    by = owner_of(event)
    closing.close_event(event=event, by=by, despite_unfinished=True)
    save(page)
    expect(page.get_by_text("closed the night at").first).to_be_visible()
    closing.reopen_event(event=event, by=by)
    if page.locator(".queue li").count() == 0:
        save(page)
    played(page, 1)


def test_a_game_is_entered_without_script(browser: Browser, live_server):
    """Every tap is then a page of its own, and the last place still fills itself in."""
    sitting = make_table()
    event = sitting.round.event
    scorer = make_member(event.season.club, "scorer")
    context = browser.new_context(java_script_enabled=False, locale="en", base_url=live_server.url)
    page = context.new_page()
    page.goto("/accounts/login/")
    page.fill("#id_login", scorer.email)
    page.fill("#id_password", "s3cret-word")
    page.locator("main form button").first.click()
    page.goto(f"/clubs/{event.season.club.slug}/events/{event.pk}/rounds/1/tables/1/")
    for index in range(3):
        page.locator("[data-tap]").nth(index).click()
    save(page)
    expect(page.locator(".finish li")).to_have_count(4)
    context.close()
    assert Result.objects.count() == 1
