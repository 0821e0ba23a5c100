"""The table as it is drawn, from two people to eight, and what comes at once under the finger."""

import re

import pytest
from django.conf import settings
from playwright.sync_api import expect

from launcher import release
from tests.browser.conftest import PHONE, check_page, shot
from tests.browser.people import PASS, open_panel
from tests.browser.test_table import choose
from tests.tables import live
from tests.tables.live import HANDS

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PLAIN = [
    "3S 3D 4S 4D 5S 6D 7S 9S 9D TD JS KS AD",
    "3C 4C 5C 5D 7C 7D 8D 9C JC JD QD KC KD",
    "6S 6C 8S 8C TS TC QS AS 2S 3H 5H 7H 9H",
    "4H 6H 8H TH JH QC QH KH AC AH 2C 2D 2H",
]
"""Nothing that wins at once."""

SIZES = [(360, 740), (360, 620), (740, 360), (1024, 768), (1440, 900)]
PROBLEMS = """() => {
    const found = [];
    const box = (element) => element.getBoundingClientRect();
    const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const go = box(document.querySelector("#own [value=play]"));
    if (go.bottom > innerHeight) found.push(`play ends at ${go.bottom}`);
    for (const one of document.querySelectorAll("#the-table :is(.topl a, .acts .act)")) {
        const { width, height } = box(one);
        const small = width && (width < 44 || height < 44);
        if (small) found.push(`${one.textContent.trim()} ${width}x${height}`);
    }
    const felt = box(document.querySelector(".feltarea"));
    for (const card of document.querySelectorAll("#own .hand-pick .card")) {
        const { left, right } = box(card);
        if (left < 0 || right > felt.right) found.push(`card from ${left} to ${right}`);
    }
    const parts = [...document.querySelectorAll(".seat:not(.p0)")]
        .flatMap((seat) => [...seat.querySelectorAll(".at, .nm, .cnt")]);
    for (const part of parts) {
        const { left, right, top, bottom } = box(part);
        const inside = left >= 0 && right <= felt.right && top >= felt.top - 1;
        if (!inside || bottom > felt.bottom) found.push(`outside: ${part.className}`);
        const cut = part.matches(".nm") && part.scrollWidth > part.clientWidth + 1;
        if (cut) found.push(`cut: ${part.textContent}`);
    }
    const hand = document.querySelector(".pile-play:last-child .hand");
    while (hand.children.length < 8) {
        hand.append(hand.firstElementChild.cloneNode(true));
        const now = box(hand);
        const cards = hand.children.length;
        const covered = parts.filter((part) => over(box(part), now));
        found.push(...covered.map((part) => `${cards} over ${part.className}`));
        const stays = now.bottom <= felt.bottom + 1 && now.left >= 0 && now.right <= felt.right;
        if (!stays) found.push(`${cards} leave the felt`);
    }
    while (hand.children.length > 1) hand.lastElementChild.remove();
    return found;
}"""


CUT = """() => [...document.querySelectorAll(".acts .act, .say, .why")].filter((one) =>
    one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)
    .map((one) => one.textContent.trim())"""
COVERED = """() => [...document.querySelectorAll(".seat:not(.p0)")].filter((seat) => {
    const name = seat.querySelector(".nm").getBoundingClientRect();
    const count = seat.querySelector(".cnt").getBoundingClientRect();
    return Math.min(name.right, count.right) - Math.max(name.left, count.left) > 1
        && Math.min(name.bottom, count.bottom) - Math.max(name.top, count.top) > 1;
}).map((seat) => seat.textContent.trim())"""
STANDS = """() => document.scrollingElement.scrollHeight <= innerHeight
    && document.scrollingElement.scrollWidth <= innerWidth"""


def test_people_sit_around_the_felt_and_nothing_is_below_the_fold(people):
    """Two to eight of them, at four sizes, with a play of one card."""
    for players in range(2, 9):
        table = live.open_table("thirteen", players, people=players)
        game = live.deal(table)
        turn = live.positions.replay_of(game).state.turn
        live.act(table, turn, "play", game.dealt[turn].split()[0])
        page = people.page(table, (turn + 1) % players, PHONE)
        expect(page.locator(".pile-play")).to_have_count(1)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_function(STANDS)
            assert (players, width, page.evaluate(PROBLEMS)) == (players, width, [])
            shot(page, f"table-drawn-{players}-{width}x{height}")
        page.close()


def test_a_bot_and_a_pass_are_told_on_every_screen(people):
    table = live.dealt("thirteen", people=3, hands=PLAIN)
    page = people.page(table, 0, PHONE)
    live.act(table, 0, "play", "3S")
    live.act(table, 1, "pass")
    passed, bot = page.locator(".seat .pill", has_text="passed"), page.locator(".seat .tag.bot")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        expect(bot).to_be_visible()
        expect(passed).to_be_visible()
        assert passed.evaluate("pill => pill.scrollWidth <= pill.clientWidth"), (width, height)
    page.set_viewport_size(PHONE)
    right = """pill => {
        pill.textContent = "máy đánh thay";
        return pill.getBoundingClientRect().right;
    }"""
    assert page.locator(".seat .pill").evaluate(right) <= PHONE["width"]


def test_text_twice_as_large_covers_and_cuts_nothing(people, chromium):
    """At the end no line of the result lies over the next; the hand and its buttons are whole."""
    table = live.dealt("mien-nam", people=4, instant_wins=[], hands=PLAIN)
    large = ["--blink-settings=defaultFontSize=32"]
    with people.browser.browser_type.launch(executable_path=chromium, args=large) as browser:
        people.browser, usual = browser, people.browser
        page = people.page(table, 0, PHONE)
        people.browser = usual
        expect(page.locator("#plain")).to_be_visible()  # So it opens; the felt is asked for.
        page.goto(f"/tables/{table.key}/?look=felt")
        page.wait_for_function(STANDS)
        box = page.locator("#own [value=play]").bounding_box()
        assert box["x"] + box["width"] <= PHONE["width"]
        assert box["y"] + box["height"] <= PHONE["height"]
        for width, height in ((740, 360), (360, 740)):
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_function(STANDS)
            assert (width, page.evaluate(COVERED)) == (width, [])
        live.play_quickly(table)
        lines = page.locator(".result-places > li")
        expect(lines).to_have_count(4)
        assert lines.evaluate_all("all => all.every((one) => one.scrollHeight <= one.clientHeight)")
        page.wait_for_function(STANDS)
        page.context.close()


def test_all_cards_that_are_left_are_seen_at_the_end(people):
    table = live.dealt("mien-nam", people=4, instant_wins=[], hands=PLAIN)
    page = people.page(table, 0, PHONE)
    live.play_quickly(table)
    expect(page.locator(".why .hand").first).to_be_visible()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert (width, page.evaluate(CUT)) == (width, [])


def test_lit_is_legal_and_play_names_what_it_plays(people):
    table = live.dealt("thirteen", people=4, hands=PLAIN)
    page = people.page(table, 1)
    live.act(table, 0, "play", "3S 4S 5S")
    what, grey = page.locator("#own [data-what]"), page.locator("#own .hand-pick .no")
    expect(page.locator("#own [data-say]")).to_contain_text("Lit cards can be played.")
    expect(grey).to_have_count(0)  # Each of these is in a higher straight of three.
    choose(page, "3C 5C")
    expect(what).to_have_text("doesn't beat it")
    choose(page, "5C")
    choose(page, "4C 5C")
    expect(what).to_have_text("3 4 5")
    expect(page.locator("#own [value=play]")).to_have_class(re.compile(r"\blit\b"))


def test_cards_of_no_legal_play_go_grey(people):
    table = live.dealt("penguin", people=4, hands=HANDS)
    page = people.page(table, 0)
    grey = page.locator("#own .hand-pick .no")
    expect(grey).to_have_count(12)  # The first play is the 3 of spades alone.
    assert page.locator("#own .hand-pick li:not(.no) input").get_attribute("value") == "3S"


def test_who_is_out_of_cards_is_not_told_to_choose_ahead(people):
    table = live.open_table("mien-nam", people=4, instant_wins=[])
    game = live.set_hands(table, PLAIN)
    while not (out := live.positions.replay_of(game).state.out):
        live.step(table, game)
        game = live.current(table)
    page = people.page(table, out.bit_length() - 1)
    expect(page.locator("#own .under")).to_contain_text("You are out of cards")
    expect(page.locator("#own [data-say]")).to_have_text(re.compile(r"Guest \d is thinking"))
    expect(page.locator("#own [data-say]")).not_to_contain_text("Choose ahead")


def test_a_legal_play_lies_on_the_felt_before_the_server_answers(people):
    """The network is slow: the card is away from the hand at once, and comes back when refused."""
    table = live.dealt("penguin", people=4, hands=HANDS)
    page = people.page(table, 0)
    held = []
    page.route("**/act/", lambda route: held.append(route))
    choose(page, "3S")
    expect(page.locator("#own [value=play].lit")).to_be_visible()
    page.locator("#own [value=play]").click()
    expect(page.locator(".middle .pile-play")).to_have_count(1)
    expect(page.locator("#own .gone [value='3S']")).to_have_count(1)
    assert live.current(table).actions.count() == 0
    for sent in range(3):
        for _wait in range(300):
            if len(held) > sent:
                break
            page.wait_for_timeout(100)
        held[sent].fulfill(status=500, body="no", headers={release.HEADER: settings.RELEASE})
    expect(page.locator("#own [data-say]")).to_contain_text("Your move was not sent.")
    expect(page.locator("#own .gone")).to_have_count(0)
    expect(page.locator(".middle .pile-play")).to_have_count(0)
    people.problems[:] = [text for text in people.problems if "a status of 500" not in text]


WATCH_FELT = """() => addEventListener("click", ({ target, timeStamp }) => {
    if (!target.closest("#own [value=play]")) return;
    let frames = 0;
    const look = () => {
        frames += 1;
        if (!document.querySelector(".middle .pile-play")) return requestAnimationFrame(look);
        setTimeout(() => { window.felt = [frames, Math.round(performance.now() - timeStamp)]; });
    };
    requestAnimationFrame(look);
}, true)"""


@pytest.mark.parametrize("slower", [pytest.param(4, marks=pytest.mark.long), 6])
def test_from_tap_to_felt_is_one_frame_on_a_slow_phone_far_away(people, slower):
    """The network takes 400 ms each way, the phone's processor is throttled."""
    table = live.dealt("penguin", people=4, hands=HANDS)
    page = people.page(table, 0, PHONE)
    page.emulate_media(reduced_motion="no-preference")
    protocol = page.context.new_cdp_session(page)
    far = {"offline": False, "latency": 400, "downloadThroughput": 5e4, "uploadThroughput": 5e4}
    protocol.send("Network.emulateNetworkConditions", far)
    protocol.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.evaluate(WATCH_FELT)
    choose(page, "3S")
    expect(page.locator("#own [value=play].lit")).to_be_visible()
    page.locator("#own [value=play]").click()
    page.wait_for_function("window.felt")
    frames, milliseconds = page.evaluate("felt")
    print(f"{slower} times slower: {frames} frame, {milliseconds} ms from tap to felt")
    assert frames == 1
    expect(page.locator("#own .gone")).to_have_count(0)
    assert live.current(table).actions.count() == 1


@pytest.mark.parametrize(
    ("chosen", "played"), [("3C", "Guest 1: 3 of clubs"), ("", "Guest 1 passes")]
)
def test_a_play_or_a_pass_chosen_ahead_goes_by_itself_on_ones_turn(people, chosen, played):
    table = live.dealt("penguin", people=4, hands=HANDS)
    page = people.page(table, 1)
    choose(page, chosen)
    page.locator("#own [value=play]" if chosen else "#own [data-pass]").click()
    expect(page.locator("#own [data-say]")).to_contain_text("Chosen ahead")
    live.act(table, 0, "play", "3S")
    expect(page.locator("[data-news]")).to_contain_text(played)


def test_what_was_chosen_ahead_stays_in_the_hand_where_it_does_not_beat(people):
    table = live.dealt("thirteen", people=4, hands=PLAIN)
    page = people.page(table, 1)
    choose(page, "4C")
    page.locator("#own [value=play]").click()
    live.act(table, 0, "play", "3S 4S 5S")
    expect(page.locator("#own [data-say]")).to_contain_text("can no longer be played")
    expect(page.locator(PASS)).to_be_enabled()
    assert live.current(table).actions.count() == 1


def test_one_tap_shows_score_talk_and_switches_and_the_left_hand_is_kept(people):
    table = live.dealt("penguin", people=4, hands=HANDS)
    page = people.page(table, 0)
    expect(page.locator("#side")).to_be_hidden()
    open_panel(page)
    check_page(page)
    expect(page.get_by_role("button", name="Sit out")).to_be_visible()
    page.get_by_text("Settings", exact=True).click()
    page.get_by_role("button", name="Left-handed").click()
    page.keyboard.press("Escape")
    expect(page.locator("#side")).to_be_hidden()
    page.reload()
    play, away = (
        page.locator(f"#own {part}").bounding_box() for part in ("[value=play]", "[data-pass]")
    )
    assert play["x"] < away["x"]


def test_the_server_away_is_not_called_a_lost_network(people):
    table = live.dealt("penguin", people=4, hands=HANDS)
    page = people.page(table, 0)
    page.route("**/act/", lambda route: route.abort())
    choose(page, "3S")
    page.locator("#own [value=play]").click()
    expect(page.locator("#own [data-say]")).to_contain_text("as soon as the server answers")
    assert page.evaluate(CUT) == []
    page.unroute("**/act/")
    expect(page.locator("[data-news]")).to_contain_text("Guest 0: 3 of spades")
    assert live.current(table).actions.count() == 1


def test_the_door_play_begins_with_one_gold_button(people):
    page = people.page(size={"width": 360, "height": 740})
    page.goto("/tables/")
    box = page.get_by_role("button", name="Play now").bounding_box()
    assert box["y"] + box["height"] <= 260
    assert page.locator("main .btn-gold").count() == 1
    page.get_by_role("button", name="With friends").click()
    page.get_by_label("Your name at the table").fill("Lan")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator("#own .qr")).to_be_visible()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert (width, page.evaluate(CUT)) == (width, [])
    page.goto("/tables/")
    page.get_by_role("link", name="Back to your game").click()
    expect(page.locator("#own .qr")).to_be_visible()
