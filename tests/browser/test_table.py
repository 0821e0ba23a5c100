"""People play at one table, each in a browser of his own, through the live stream."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from engine.rules import ruleset
from tables.chairs.acts import arrangements, seats
from tables.models import Seat, Table
from tables.play.acts import absence, games
from tests.browser.conftest import PHONE, check_page, comes_to, seen, shot
from tests.browser.people import (
    LAPTOP,
    LOOK,
    PASS,
    PLAY,
    at,
    open_panel,
    open_settings,
    secret,
    take_turn,
)
from tests.tables import live
from tests.tables.live import HANDS

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


CLOCK = """() => {
  const now = performance.now.bind(performance);
  window.later = 0;
  performance.now = () => now() + window.later;
}"""
"""A page's clock that a test can put on, by milliseconds."""
SECONDS = """() => [...document.querySelectorAll("[data-clock-seconds], [data-time]")]
  .map((one) => parseInt(one.textContent)).find((seconds) => seconds)"""


def choose(page: Page, cards: str) -> None:
    for card in cards.split():
        page.locator(f"#own label:has([value='{card}'])").click()


@pytest.mark.always
def test_three_people_and_a_bot_play_a_whole_game_with_a_reconnect_and_a_time_out(people):
    table = live.open_table("penguin", people=3, cards_each={"4": 4})
    live.set_hands(table, [" ".join(hand.split()[:4]) for hand in HANDS])
    sizes = [LAPTOP, PHONE, PHONE]
    pages = [people.page(table, no, size) for no, size in enumerate(sizes)]
    watcher = people.page(table)
    take_turn(pages[0])
    for page in (*pages, watcher):
        expect(page.locator("[data-news]")).to_contain_text("Guest 0: 3 of spades")
    for page in pages:
        check_page(page)
    shot(pages[1], "table-turn-360")
    shot(pages[0], "table-1440")
    pages[1].context.set_offline(True)
    live.hurry(table)
    pages[1].context.set_offline(False)
    expect(pages[2].locator("[data-news]")).to_contain_text("Guest 1 passes")
    expect(pages[1].locator("#own")).to_contain_text("the autopilot is playing for you")
    pages[1].get_by_role("button", name="I'm back").click()
    expect(pages[1].locator("#own")).not_to_contain_text("the autopilot is playing for you")
    for _ in range(200):
        if pages[0].locator("#board-public").get_attribute("data-status") != "playing":
            break
        moved = [take_turn(page) for page in pages]
        if not any(moved):
            pages[0].wait_for_timeout(LOOK)
    for page in (*pages, watcher):
        expect(page.locator(".result-winner")).to_be_visible()
    expect(watcher.locator("#own [name=cards]")).to_have_count(0)
    for page in pages:
        check_page(page)
    shot(pages[1], "table-over-360")
    game = live.current(table)
    assert game.outcome["finished"]
    assert game.actions.filter(made_by="autopilot").count() >= 1


def test_a_move_that_cannot_be_saved_now_is_sent_again_with_its_key(people):
    """A proxy says 502, 503 and 504 for the server: the cards stay where they are."""
    table = live.dealt("penguin", people=4, hands=HANDS)
    page = people.page(table, 0)
    keys = []

    def away(route):
        keys.append(re.search(r'name="client_id"\s+(\w{32})', route.request.post_data)[1])
        if len(keys) == 5:
            route.fetch()  # It is saved, and the answer says otherwise.
        if len(keys) <= 5:
            status = 502 + len(keys) % 3
            route.fulfill(status=status, content_type="text/html", body="<h1>Not now</h1>")
        else:
            route.continue_()

    page.route("**/act/", away)
    page.locator("#own [data-hint]").click()
    page.locator(PLAY).click()
    expect(page.locator("#own [data-say]")).to_contain_text("as soon as the server answers")
    expect(page.locator("[data-news]")).to_contain_text("Guest 0: 3 of spades")
    expect(page.locator("#own")).not_to_have_attribute("aria-busy", "true")
    assert (page.url.endswith(at(table)), len(keys), len(set(keys))) == (True, 6, 1)
    assert live.current(table).actions.count() == 1
    people.problems[:] = [text for text in people.problems if "a status of 50" not in text]


def test_a_tap_on_the_next_turn_waits_for_the_answer_to_the_last_move(people):
    """The answer is slower than the table: one's turn is back before it."""
    table = live.dealt("penguin", players=2, people=2, hands=HANDS[:2])
    other, page = people.page(table, 0), people.page(table, 1)
    choose(other, "3S")
    other.locator(PLAY).click()
    held = []

    def slow(route):
        if held:
            return route.continue_()
        held.append((route, route.fetch()))

    page.route("**/act/", slow)
    page.locator(PASS).dblclick()
    expect(other.locator(PLAY)).to_be_visible()
    take_turn(other)
    expect(page.locator("#board-public")).to_have_attribute("data-turn", "1")
    page.locator("#own [data-pass]").dblclick()
    held[0][0].fulfill(response=held[0][1])
    expect(other.locator("#board-public")).to_have_attribute("data-turn", "0")
    assert live.current(table).actions.count() == 4


def test_a_move_made_in_a_tunnel_arrives_once_at_its_end(people):
    table = live.dealt("penguin", people=4, hands=HANDS)
    page = people.page(table, 0)
    choose(page, "3S")
    page.context.set_offline(True)
    expect(page.locator("[data-connection]")).to_be_visible()
    page.locator(PLAY).click()
    expect(page.locator("#own [data-say]")).to_contain_text("Kept: it is sent as soon as")
    expect(page.locator("#own")).to_have_attribute("aria-busy", "true")
    page.context.set_offline(False)
    expect(page.locator("[data-news]")).to_contain_text("Guest 0: 3 of spades")
    expect(page.locator("[data-connection]")).to_be_hidden()
    assert live.current(table).actions.count() == 1


REFUSED = {"old token": "Reload this page.", "too large": "This is too large for the server."}


@pytest.mark.parametrize("why", REFUSED)
@pytest.mark.parametrize("look", ["felt", "plain"])
def test_our_own_refusal_stays_at_the_table_and_is_said(people, monkeypatch, look, why):
    """An address that only takes moves is a page for nobody: a reload there is refused."""
    table = live.dealt("penguin", people=4, hands=HANDS)
    page = people.page(table, 0)
    page.goto(f"{at(table)}?look={look}")
    address, said = page.url, page.locator("#own [data-say]" if look == "felt" else "#live")

    def move() -> None:
        if look == "felt":
            page.locator(PLAY).click()
        else:
            page.locator("#typed-words").fill("3 bich")
            page.keyboard.press("Enter")

    def talk() -> None:
        page.locator("#talk-text").fill("Hello")
        page.locator("#talk-text").press("Enter")

    if look == "felt":
        choose(page, "3S")
    with monkeypatch.context() as refusing:
        if why == "old token":
            page.context.clear_cookies(name="csrftoken")
        else:
            refusing.setattr("config.bounds.MOST_BYTES", 10)
        move()
        expect(said).to_contain_text(REFUSED[why])
        if look == "felt":
            open_panel(page)
        talk()
        expect(page.locator("[data-talk-reason]")).to_contain_text(REFUSED[why])
        expect(page.locator("#talk-text")).to_have_value("Hello")
        assert (page.url.partition("#")[0], live.current(table).actions.count()) == (address, 0)
    page.goto(address if why == "old token" else f"{address}#the-table")  # The hand is remembered.
    move()
    expect(page.locator("main")).to_contain_text(re.compile("(Guest 0|You): 3 of spades"))
    assert live.current(table).actions.count() == 1


def test_a_page_of_an_older_release_is_opened_anew_by_its_poll(people):
    """What the script of 1.1 does with the answer to it: it draws the board, whatever that is."""
    table = live.open_table("penguin", people=4)
    page = people.page(table, 0)
    page.evaluate("document.title = 'Of 1.1'")
    heard = """async () => {
        const headers = { "X-Requested-With": "fetch" };
        const answer = await fetch("view/", { headers });
        if (answer.status === 204) return false;
        const board = document.createElement("template");
        board.innerHTML = (await answer.json()).board;
        document.getElementById("board-public").replaceWith(board.content.firstElementChild);
        return true;
    }"""
    assert any(page.evaluate(heard) for _ in range(200)), "one in three"
    expect(page).not_to_have_title("Of 1.1")
    expect(page.locator("#board-public .seat")).to_have_count(4)


def test_three_taps_lead_from_the_home_page_to_ones_cards(people):
    page = people.page()
    page.goto("/tables/")
    check_page(page)
    page.locator("summary").get_by_text("Open a table").click()
    page.locator("#open [name=bots]").select_option("greedy")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator("#own .card")).to_have_count(13)
    expect(page.locator("#own [name=cards]")).to_have_count(13)
    check_page(page)
    box = page.locator("#own [value=play]").bounding_box()
    assert box["y"] + box["height"] <= PHONE["height"]
    shot(page, "table-bots-360")


def test_the_choice_and_the_order_of_the_hand_stay_while_others_move(people):
    table = live.dealt("penguin", people=4, hands=HANDS)
    page = people.page(table, 3)
    page.locator("[data-sort]").click()
    page.locator("#own label:has([value='9H'])").click()
    page.locator("#own [value='9H']").focus()
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.evaluate("window.marked = document.querySelector('#own [name=cards]')")
    live.act(table, 0, "play", "3S")
    live.act(table, 1, "play", "3C")
    expect(page.locator("[data-news]")).to_contain_text("Guest 1: 3 of clubs")
    assert page.evaluate("window.marked.isConnected")
    assert page.locator("#own input:checked").get_attribute("value") == "9H"
    own_order = ["3H", "4H", "5H", "6H", "7H", "8H", "TH", "JH", "9H", "QH", "KH", "AH", "2H"]
    assert hand_of(page) == own_order
    page.reload()
    assert hand_of(page) == own_order
    carry(page, "2H", "3H")
    assert hand_of(page) == ["2H", *own_order[:-1]]
    assert page.locator("#own input:checked").get_attribute("value") == "9H"


def hand_of(page: Page) -> list[str]:
    return [field.get_attribute("value") for field in page.locator("#own [name=cards]").all()]


def carry(page: Page, card: str, to: str) -> None:
    """Holds a card until it is lifted, and lets it go over another one."""
    lift(page, card)
    lay(page, to)


def lift(page: Page, card: str) -> None:
    at_card(page, card)
    page.mouse.down()
    page.locator("#own .lifted").wait_for()


def lay(page: Page, to: str) -> None:
    at_card(page, to)
    page.mouse.up()


def at_card(page: Page, name: str) -> None:
    box = page.locator(f"#own label:has([value='{name}'])").bounding_box()
    page.mouse.move(box["x"] + 8, box["y"] + 20, steps=6)


def test_a_card_in_the_air_stays_one_card_when_the_hand_comes_anew(people):
    table = live.dealt("penguin", people=4, hands=HANDS)
    page = people.page(table, 3)
    hand = hand_of(page)
    lift(page, "9H")
    page.evaluate("window.marked = document.querySelector('#own [name=cards]')")
    absence.note(seat_id=live.chair(table, 2).pk, here=False)
    comes_to(page, lambda: page.evaluate("window.marked.isConnected"), False)
    lay(page, "3H")
    assert hand_of(page) == hand


def test_a_hand_is_played_by_keys_alone(people):
    table = live.dealt("penguin", people=4, hands=HANDS)
    page = people.page(table, 0, LAPTOP)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.locator("[data-news]")).to_contain_text("Guest 0: 3 of spades")
    expect(page.locator("#own [value='4S']")).to_be_focused()


def test_who_listens_hears_what_to_beat_and_how_it_ended(people):
    table = live.open_table("penguin", people=4, cards_each={"4": 3})
    live.set_hands(table, [" ".join(hand.split()[:3]) for hand in HANDS])
    page = people.page(table, 0, LAPTOP)
    said = page.locator("#live")
    urgent = page.locator("body > .visually-hidden[aria-live=assertive]")
    expect(urgent).to_contain_text("Your turn")  # What comes with it is said in one sentence.
    page.keyboard.press("1")
    expect(said).to_have_text("Selected: 3 of spades")
    page.keyboard.press("Enter")
    expect(said).to_have_text("You: 3 of spades.")
    page.locator("#more-fair summary").focus()
    live.act(table, 1, "play", "3C")
    live.act(table, 2, "pass")
    live.act(table, 3, "pass")
    expect(urgent).to_have_text("Your turn. Guest 1: 3 of clubs.")
    expect(page.locator("#more-fair summary")).to_be_focused()
    page.locator("#own [value='4S']").focus()
    page.keyboard.press("h")
    expect(said).to_have_text("Selected: 4 of spades")
    page.keyboard.press("Enter")
    expect(said).to_have_text("You: 4 of spades.")
    live.play_quickly(table)
    expect(urgent).to_have_text(re.compile(r"Game 1 is over\. .*You: \w+, (plus|minus) \d"))
    expect(page.locator(".result-winner h2")).to_be_focused()


def test_sound_is_muted_by_a_button_that_remembers(people):
    table = live.dealt("penguin", people=4, hands=HANDS)
    page = people.page(table, 3)
    open_settings(page)
    sound = page.get_by_role("button", name="Sound")
    expect(sound).to_have_attribute("aria-pressed", "true")
    live.act(table, 0, "play", "3S")
    sound.click()
    page.reload()
    page.locator(".table-settings summary").click()
    expect(sound).to_have_attribute("aria-pressed", "false")
    full = page.get_by_role("button", name="Full screen")
    for pressed in ("true", "false"):
        full.click()
        expect(full).to_have_attribute("aria-pressed", pressed)


def test_an_illegal_choice_is_explained_and_kept(people):
    table = live.dealt("penguin", people=4, hands=HANDS)
    page = people.page(table, 0)
    for card in ("3S", "4S"):
        page.locator(f"#own label:has([value='{card}'])").click()
    page.locator(PLAY).click()
    expect(page.locator("#own [data-say]")).to_have_text("Two cards must be a pair.")
    assert page.locator("#own input:checked").count() == 2


MOTION = """() => {
    [window.moving, window.boards] = [[], []];
    const replace = Element.prototype.replaceWith;
    Element.prototype.replaceWith = function (...given) {
        if (this.id === "board-public") window.boards.push(given[0].outerHTML);
        return replace.apply(this, given);
    };
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...given) {
        window.moving.push(this.classList[0]);
        return animate.apply(this, given);
    };
}"""


# What the word of a chop covers of its cards, and what is paler for it, once the word has grown.
CHEER = """() => {
    document.getElementById("the-table").classList.add("cheering");
    const moving = document.getAnimations();
    moving.filter((one) => /shout|laid/.test(one.animationName)).forEach((one) => one.finish());
    const box = (part) => document.querySelector(part).getBoundingClientRect();
    const chop = document.querySelector(".middle .pile-play:last-child .hand");
    const dim = document.getAnimations().filter((one) => one.animationName === "dim");
    return [
        box(".cheer b").bottom <= chop.getBoundingClientRect().top,
        dim.length > 0 && !dim.some((one) => one.effect.target.contains(chop)),
        chop.lastElementChild.getBoundingClientRect().right <= box(".middle").right,
    ];
}"""


def test_a_chop_on_a_chop_makes_the_table_cheer(people):
    """In killa three pairs chop a 2, and four pairs chop them."""
    hands = [
        "2S 3C 4S 5S 6D 7S 8C TS JS JD KS QC AC",
        "3S 4C 4D 5C 5D 6S 6C 8S QS KC AS 2C 9S",
        "7C 7D 8D 8H 9C 9D TC TD JC KD AD 2D 3D",
        "3H 4H 5H 7H 9H TH JH QH KH AH QD 2H 6H",
    ]
    table = live.dealt("killa", people=4, hands=hands)
    live.hurry(table)
    for no, card in ((1, "3S"), (2, "JC"), (3, "QH"), (0, "2S")):
        live.act(table, no, "play", card)
    chopper, second = people.page(table, 1), people.page(table, 2, LAPTOP)
    second.emulate_media(reduced_motion="no-preference")
    for page in (chopper, second):
        page.evaluate(MOTION)
    choose(chopper, "4C 4D 5C 5D")
    chopper.locator(PLAY).click()
    expect(chopper.locator("#own [data-say]")).to_have_text(
        "Consecutive pairs need three pairs or more."
    )
    choose(chopper, "6S 6C")
    chopper.locator(PLAY).click()
    expect(second.locator(".shout")).to_have_count(1)
    choose(second, "7C 7D 8D 8H 9C 9D TC TD")
    second.locator(PLAY).click()
    expect(chopper.locator(".shout")).to_have_count(2)
    second.wait_for_function("moving.includes('seat')")  # Who was beaten is shaken.
    assert chopper.evaluate("moving") == []
    shot(second, "table-chop-1440")
    for width, height in ((360, 640), (740, 360), (1024, 700), (1440, 900)):
        second.set_viewport_size({"width": width, "height": height})
        assert second.evaluate(CHEER) == [True] * 3, (width, height)
        shot(second, f"table-cheer-{width}", whole=False)
    shot(chopper, "table-chop-360")
    live.act(table, 3, "pass")  # What comes after it is not dimmed for it.
    expect(second.locator("[data-news]")).to_contain_text("Guest 3 passes")
    dimmed = "document.getAnimations().filter((one) => one.animationName === 'dim').length"
    second.evaluate("document.getElementById('the-table').classList.add('cheering')")
    assert second.evaluate(dimmed) == 0
    # An answer and the stream bring the same board: laid twice, it would end what moves on it.
    assert second.evaluate("new Set(boards).size === boards.length && boards.length > 2")


def test_a_debt_of_go_fish_is_clicked_through(people):
    table = live.open_table("family", people=4)
    live.set_hands(table, HANDS, previous=live.DEBT)
    page, debtor = people.page(table, 0), people.page(table, 3)
    expect(debtor.locator(".call")).to_contain_text("Guest 0 asks Guest 3 for a rank.")
    expect(page.locator(".ranks")).to_contain_text("Ask Guest 3 for a rank…")
    expect(page.locator("#own [data-say]")).to_contain_text("Your chop: ask for 1 card")
    expect(page.locator(".seat.s3 .pill")).to_have_text("owes 1 card")
    for rank, button in (("K", "Ask for K"), ("A", "Ask for A")):  # A choice binds nobody.
        page.locator(f"#own label:has([name=rank][value={rank}])").click()
        expect(page.locator("#own .go.lit")).to_have_text(button)
    check_page(page)
    page.get_by_role("button", name="Ask for A").click()
    expect(page.locator("#own")).to_contain_text("You got A♥ from Guest 3.")
    shot(page, "table-go-fish-360")
    news = page.locator("[data-news]").bounding_box()
    assert news is not None
    assert news["width"] == 1  # One's own note lies where the news is read otherwise.
    page.locator("#own label:has([value='3S'])").click()
    page.get_by_role("button", name="Return").click()
    expect(debtor.locator("#own")).to_contain_text("You got 3♠ from Guest 0.")
    expect(debtor.locator("#own .card")).to_have_count(13)


def test_an_instant_win_is_declared_in_private(people):
    table = live.dealt("tien-len", people=4, hands=live.FOUR_TWOS)
    Table.objects.filter(pk=table.pk).update(due_at=live.timezone.now() + games.PAUSE)
    page, other = people.page(table, 0), people.page(table, 1)
    sorts = [one.locator("#own [data-sort]") for one in (page, other)]
    assert sorts[0].bounding_box() == sorts[1].bounding_box()
    for one, name in ((page, "winner"), (other, "other")):
        shot(one, f"table-window-{name}-360")
        one.set_viewport_size({"width": 740, "height": 360})
        shot(one, f"table-window-{name}-740")
        one.set_viewport_size({"width": 360, "height": 740})
    page.get_by_role("button", name="Instant win!").click()
    expect(page.locator("#own")).to_contain_text("You declared it.")
    expect(other.locator("#own")).to_contain_text("You don't have an instant win.")
    live.hurry(table)
    expect(other.locator("[data-news]")).to_contain_text("Guest 0 has an instant win")
    expect(other.locator(".middle .shout")).to_have_text("Guest 0: Instant win!")
    shot(other, "table-instant-360")


def test_a_trade_is_offered_answered_and_agreed_to(people):
    table = live.dealt("tien-len", people=4, exchange=["negotiated"], hands=HANDS)
    page, other, third = (people.page(table, no) for no in (0, 2, 1))
    choose(page, "3S 4S")
    page.get_by_label("to").select_option(label="Guest 2")
    page.get_by_role("button", name="Offer", exact=True).click()
    expect(other.locator(".offer")).to_contain_text("Guest 0 offers you")
    expect(third.locator(".offers")).to_contain_text("2 ⇄ 1")
    expect(third.locator(".offer")).to_have_count(0)
    choose(other, "2D")
    seen(other, "table-trade-360")
    other.get_by_role("button", name="Offer these cards").click()
    expect(page.locator(".offer")).to_contain_text("Guest 2 would give you")
    shot(page, "table-trade-answered-360")
    page.get_by_role("button", name="Swap").click()
    traded = "Guest 0 trades 3 of spades, 4 of spades to Guest 2 for 2 of diamonds"
    expect(third.locator("[data-news]")).to_have_text(traded)
    expect(page.locator("#own [value='2D']")).to_have_count(1)
    expect(other.locator("#own [name=cards]")).to_have_count(14)


def test_people_talk_and_mute_each_other(people):
    table = live.dealt("penguin", people=4, hands=HANDS)
    page, other = people.page(table, 0), people.page(table, 1, LAPTOP)
    open_panel(page)
    page.get_by_label("Say something").fill("Chào <b>cả bàn</b>")
    page.keyboard.press("Enter")
    expect(other.locator("#talk-list")).to_contain_text("Guest 0 Chào <b>cả bàn</b>")
    expect(other.locator(".bubble")).to_have_text("Chào <b>cả bàn</b>")
    shot(other, "table-talk-1440")
    shot(page, "table-talk-360")
    check_page(page)
    other.get_by_role("button", name="Mute: Guest 0").click()
    page.get_by_role("button", name="Nice!").click()
    expect(other.locator("#talk-list .said-muted")).to_have_count(2)
    expect(other.locator("#talk-list").get_by_text("Nice!")).to_be_hidden()
    page.get_by_role("button", name="Remove: Guest 0").first.click()
    expect(other.locator("[data-said]")).to_have_count(1)


def test_a_long_talk_draws_each_bubble_a_few_times_only(people):
    """Bubbles of two seats overlap all evening: what one's end draws again must not add up."""
    table = live.dealt("penguin", people=4)
    page = people.page(table, 1, LAPTOP)
    page.clock.install()
    page.reload()
    page.evaluate("""() => {
        window.drawn = 0;
        const count = (news) => { drawn += news.flatMap((one) => [...one.addedNodes])
            .filter((node) => node.className === "bubble").length; };
        new MutationObserver(count).observe(document.body, { childList: true, subtree: true });
    }""")
    for number in range(1, 9):
        page.evaluate(
            """(number) => tableTalk.show(`<ol id="talk-list"><li data-said="${number}"
                data-seat="${number % 2 * 2}" data-holder="x"><b>A</b><span data-text>Hay</span>
                </li></ol>`)""",
            number,
        )
        page.clock.run_for(2400)
    page.clock.run_for(6000)
    expect(page.locator(".bubble")).to_have_count(0)
    assert page.evaluate("drawn") < 40


@pytest.mark.parametrize("look", ["", "?look=plain"])
def test_cards_whose_question_failed_are_asked_for_again(people, look):
    """The stream goes on, and one's own part is asked for beside it."""
    table = seats.open_table(ruleset=ruleset.preset("penguin"), players=4)
    seats.sit(table_id=table.pk, no=0, name="Lan")
    page = people.page(table, 0)
    asked, failed = [], []
    page.on("request", lambda request: asked.append(request.url) if "/view/" in request.url else 0)
    page.on("requestfailed", lambda request: failed.append(request.url))
    with page.expect_request("**/live/tables/**"):
        page.goto(f"{at(table)}{look}")
    page.route("**/view/**", lambda route: route.abort())
    for no in (1, 2, 3):
        seats.sit(table_id=table.pk, no=no, name=f"Guest {no}")
    live.set_hands(table, HANDS)
    comes_to(page, lambda: len(failed) >= 4, True)
    page.unroute("**/view/**")
    cards = page.locator("#own [name=cards], #cards li")
    expect(cards.first).to_be_visible()


@pytest.mark.parametrize("look", ["", "?look=plain"])
def test_an_answer_that_was_long_on_its_way_does_not_restart_the_clock(people, look):
    table = live.open_table("penguin", players=2, people=2)
    Seat.objects.update(bank_ms=0)
    live.set_hands(table, HANDS[:2])
    page = people.page(table, 1)
    asked = []

    def slow(route):
        asked.append(route)
        if len(asked) > 1:
            return route.abort()
        answer = route.fetch()
        page.evaluate("window.later += 9000")
        route.fulfill(response=answer)

    page.route("**/view/**", slow)
    page.route("**/live/tables/**", lambda route: route.abort())
    page.add_init_script(f"({CLOCK})()")
    before = timezone.now()
    page.goto(f"{at(table)}{look}")
    comes_to(page, lambda: len(asked) > 1, True)
    left = Table.objects.get(pk=table.pk).due_at - before
    assert page.evaluate(SECONDS) <= left.total_seconds() - 8
    people.problems[:] = [text for text in people.problems if "ERR_FAILED" not in text]


@pytest.mark.parametrize("look", ["", "?look=plain"])
def test_who_gets_up_at_a_table_that_is_seen_late_sees_it_late(people, look):
    """The page of a spectator has an earlier state than that of a player."""
    table = live.open_table("penguin", people=3)
    Table.objects.filter(pk=table.pk).update(watch_delay=Table.WatchDelay.GAME)
    live.play_game(table)
    page = people.page(table, 1)
    with page.expect_request("**/live/tables/**"):
        page.goto(f"{at(table)}{look}")
    arrangements.say_ready(seat_id=live.chair(table, 0).pk)
    version = Table.objects.get(pk=table.pk).version
    shown = page.locator(
        f"#board-public[data-version='{version}'], [name=version][value='{version}']"
    )
    expect(shown.first).to_be_attached()
    page.get_by_role("button", name="Get up").click()
    expect(page.get_by_text("Take a seat.")).to_be_visible()


def test_a_link_copied_by_two_taps_says_so_for_a_moment_only(people):
    page = people.page(live.open_table("penguin", people=4), 0)
    page.clock.install()
    page.reload()
    open_panel(page)
    link = page.locator("[data-copy]").first
    words = link.inner_text()
    link.dblclick()
    expect(link).to_have_text("Copied")
    page.clock.run_for(5000)
    assert link.inner_text() == words


def test_eight_people_sit_around_a_table_of_two_decks(people):
    table = live.dealt("thirteen", 8, people=8)
    page = people.page(table, 5)
    expect(page.locator(".seat")).to_have_count(8)
    expect(page.locator("#own [name=cards]")).to_have_count(13)
    seen(page, "table-eight-360")
    wide = people.page(table, 6, LAPTOP)
    shot(wide, "table-eight-1440")


def test_a_table_is_played_without_javascript(people):
    table = live.dealt("penguin", people=4, hands=HANDS)
    context = people.browser.new_context(
        viewport=PHONE, base_url=people.address, java_script_enabled=False, locale="en-GB"
    )
    people.stack.callback(context.close)
    page = context.new_page()
    page.goto(f"/tables/{table.key}/chair/{secret(table, 0)}/")
    page.locator("#own label:has([value='3S'])").click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("[data-news]")).to_contain_text("Guest 0: 3 of spades")


def test_a_page_that_lost_the_stream_says_so_and_catches_up(people):
    table = live.dealt("penguin", people=4, hands=HANDS)
    page = people.page(table, 1)
    page.wait_for_timeout(300)
    page.context.set_offline(True)
    live.act(table, 0, "play", "3S")
    page.context.set_offline(False)
    expect(page.locator("[data-news]")).to_contain_text("Guest 0: 3 of spades")


def test_the_readers_browser_deals_a_finished_game_again(people):
    table = live.dealt("thirteen", 5, people=5)
    live.play_on(table)
    page = people.page()
    page.goto(f"/tables/{table.key}/games/1/fair/")
    expect(page.locator("[data-verdict]")).to_contain_text("The values deal exactly these cards")
    check_page(page)


@pytest.mark.long
@pytest.mark.parametrize("rules", ruleset.preset_keys())
def test_a_game_by_every_ruleset_is_clicked_through_on_a_phone(people, rules):
    """As many as the rules allow: one person among bots, with whatever the game asks of him."""
    most = ruleset.preset(rules).max_players
    table = live.dealt(rules, most, people=1)
    page = people.page(table, 0)
    for _ in range(900):
        if page.locator("#board-public").get_attribute("data-status") != "playing":
            break
        if not any((pay_debt(page), take_turn(page))):
            page.wait_for_timeout(50)
    expect(page.locator(".result-winner")).to_be_visible(timeout=60_000)
    seen(page, f"table-over-{rules}-360")
    assert live.current(table).outcome["finished"]


def pay_debt(page: Page) -> bool:
    """Gives, returns or asks for what the form wants; False where it wants nothing."""
    form = page.locator("#own form[data-request]:not([data-request=''])")
    if not form.count():
        return False
    version = page.locator("#board-public").get_attribute("data-version")
    if form.get_attribute("data-request") == "ask":
        form.locator(".ranks label").last.click()
    else:
        for number in range(int(form.get_attribute("data-count"))):
            form.locator(".hand-pick label").nth(number).click()
    form.locator(".go").click()
    expect(page.locator("#board-public")).not_to_have_attribute("data-version", version)
    return True
