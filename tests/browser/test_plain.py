"""The plain table, lived by the accessibility tree and keys alone."""

import re

import pytest
from playwright.sync_api import Page, expect

from engine.rules import ruleset
from tables.chairs.acts import seats
from tables.chat.acts import chat
from tests.browser.conftest import PHONE, check_page, shot
from tests.browser.people import at
from tests.factories import make_night, make_round, names_at, play
from tests.tables import live
from tests.tables.test_plain import HANDS

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
KEEP = """() => {
    window.said = [];
    const hear = (changes) => {
        for (const { target } of changes) {
            const region = (target.closest ? target : target.parentElement).closest("[aria-live]");
            if (region?.matches(".visually-hidden") && region.textContent) {
                window.said.push([Date.now(), region.textContent.trim()]);
            }
        }
    };
    new MutationObserver(hear).observe(
        document.body, { childList: true, characterData: true, subtree: true });
}"""
WORDS = {
    "en": {"plain": "Plain table, in words", "field": "What do you play?", "over": "is over",
           "example": r"Type for example: (.*?),", "pass": "pass", "you": "You: "},
    "vi": {"plain": "Bàn chữ", "field": "Bạn đánh gì?", "over": "Xong ván",
           "example": r"Gõ chẳng hạn: (.*?),", "pass": "bỏ", "you": "Bạn: "},
}  # fmt: skip


def heard(page: Page) -> list[str]:
    return [text for _at, text in page.evaluate("window.said")]


def wait_for(page: Page, words: str) -> None:
    for _ in range(60):
        if any(words in text for text in heard(page)):
            return
        page.wait_for_timeout(250)
    raise AssertionError(heard(page))


@pytest.mark.parametrize("language", ["en", "vi"])
def test_a_whole_game_is_played_by_keys_and_what_is_said(people, language):
    words = WORDS[language]
    table = live.open_table("thirteen", people=1, cards_each={"4": 5}, instant_wins=[])
    live.set_hands(table, [" ".join(hand.split()[:5]) for hand in HANDS])
    page = people.page(table, 0, PHONE, language=language)
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name=words["plain"])).to_be_focused()
    page.keyboard.press("Enter")
    field = page.get_by_role("textbox", name=words["field"])
    expect(field).to_be_visible()
    check_page(page)
    shot(page, f"plain-{language}-360")
    page.evaluate(KEEP)
    field.focus()
    for _ in range(200):
        headline = page.get_by_role("heading", level=2).first.inner_text()
        if words["over"] in headline:
            break
        if page.locator("#now[data-mine='1']").count():
            tree = page.locator("#typed").aria_snapshot()
            example = re.search(words["example"], tree)
            page.keyboard.type(example[1] if example else words["pass"])
            page.keyboard.press("Enter")
        page.wait_for_timeout(200)
        if page.locator(".plain-choices").count():
            page.keyboard.type("1")
            page.keyboard.press("Enter")
        if not live.current(table).over_at:
            expect(
                page.locator("#typed-words, #headline").and_(page.locator(":focus"))
            ).to_have_count(1)
    expect(page.get_by_role("heading", level=2).first).to_contain_text(words["over"])
    check_page(page)
    shot(page, f"plain-over-{language}-360")
    page.wait_for_timeout(3000)
    told = heard(page)
    assert any(words["over"] in text for text in told)
    assert any(words["you"] in text for text in told)
    assert not re.search("[♠♣♦♥]|Guest 0", " ".join(told))
    times = [at for at, _text in page.evaluate("window.said")]
    assert max(sum(0 <= other - at < 60_000 for other in times) for at in times) <= 40


def test_last_card_chat_and_autopilot_are_said_on_the_felt_even_under_a_dialog(people):
    table = live.open_table("thirteen", people=4, cards_each={"4": 3}, instant_wins=[])
    live.set_hands(table, ["3S 4S 9S", "3C 5C 8C", "3D 6D 7D", "4H 8H 9H"])
    page = people.page(table, 1, PHONE)
    page.evaluate(KEEP)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    live.act(table, 0, "play", "3S")
    wait_for(page, "Your turn. Guest 0")
    assert page.evaluate("document.querySelector('dialog[open] [aria-live=assertive]') !== null")
    page.keyboard.press("Escape")
    live.hurry(table)
    wait_for(page, "You ran out of time, so the autopilot is playing for you.")
    page.get_by_role("button", name="I'm back").click()
    wait_for(page, "You play again.")
    for no, do, cards in ((2, "play", "6D"), (3, "play", "8H"), (0, "play", "9S")):
        live.act(table, no, do, cards)
    wait_for(page, "Guest 0 has 1 card left.")
    chat.say(seat_id=live.chair(table, 3).pk, text="Well done")
    wait_for(page, "Guest 3 says: Well done")
    for no, do, cards in ((2, "pass", ""), (3, "play", "9H"), (0, "pass", "")):
        live.act(table, no, do, *cards.split())
    live.act(table, 3, "play", "4H")
    wait_for(page, "Guest 3 is out of cards: first.")
    assert len(heard(page)) == len(set(heard(page)))


LARGE = "document.documentElement.style.fontSize = '200%'; dispatchEvent(new Event('resize'))"


@pytest.mark.parametrize("way", ["root", "zoom"])
@pytest.mark.parametrize("width", [360, 720])
def test_at_200_percent_the_table_is_a_list_and_nothing_is_cut(people, way, width):
    table = live.open_table("thirteen", people=4, instant_wins=[])
    live.set_hands(table, HANDS)
    size = {"width": width // 2 if way == "zoom" else width, "height": 740}
    page = people.page(table, 0, size)
    if way == "root":
        page.add_init_script(f"document.addEventListener('readystatechange', () => {{ {LARGE} }})")
        page.reload()
    if (way, width) == ("zoom", 720):
        expect(page.locator("#the-table")).to_be_visible()
        return
    expect(page.locator("#plain")).to_be_visible()
    over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert over <= 0
    assert page.locator(".frame").evaluate("(one) => getComputedStyle(one).position") == "static"
    shot(page, f"plain-large-{way}-{width}")
    page.get_by_role("button", name="Felt table").click()
    expect(page.locator("#the-table")).to_be_visible()
    page.goto(f"/tables/{table.key}/")
    expect(page.locator("#plain")).to_be_visible()


def test_standings_stack_at_200_percent(page: Page):
    event = make_night(8, games_per_round=1)
    for sitting in make_round(event).sittings.all():
        play(sitting, names_at(sitting))
    page.goto(f"/clubs/{event.season.club.slug}/events/{event.pk}/?show=standings")
    expect(page.locator(".standings").first).to_be_visible()
    page.evaluate(LARGE)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    for box in page.locator(".standings").all():
        assert box.evaluate("(one) => one.scrollWidth - one.parentElement.clientWidth") <= 0
    shot(page, "standings-large-360")


def test_the_field_keeps_words_and_focus_on_a_slow_network(people):
    table = live.open_table("thirteen", people=4, instant_wins=[])
    live.set_hands(table, HANDS)
    for no, do, cards in ((0, "play", "3S"), (1, "pass", ""), (2, "pass", ""), (3, "pass", "")):
        live.act(table, no, do, cards)
    page = people.page(table, 0, PHONE)
    page.goto(f"/tables/{table.key}/?look=plain")
    page.evaluate(KEEP)
    slow = {"offline": False, "latency": 300, "downloadThroughput": -1, "uploadThroughput": -1}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)
    field = page.locator("#typed-words")
    field.focus()
    for _again in range(2):
        page.keyboard.type("doi 10", delay=100)
        page.keyboard.press("Enter")
        expect(page.locator(".plain-choices .btn")).to_have_count(3)
        expect(field).to_have_attribute("aria-invalid", "true")
        page.keyboard.press("Escape")
        expect(field).to_have_value("doi 10")
        field.fill("")
    page.wait_for_timeout(3500)
    refusals = [text for text in heard(page) if text.startswith("Not played: “doi 10”")]
    assert len(refusals) == 2
    page.keyboard.press("ArrowUp")
    expect(field).to_have_value("doi 10")
    field.fill("")
    page.keyboard.press("Alt+Shift+Digit3")
    wait_for(page, "Guest 1 13 cards, Guest 2 13 cards")
    page.keyboard.type("3", delay=100)
    page.keyboard.type(" bich 6")
    live.hurry(table)  # The autopilot plays meanwhile.
    wait_for(page, "the autopilot is playing for you")
    expect(field).to_have_value("3 bich 6")
    expect(field).to_be_focused()
    check_page(page)


def test_a_name_is_typed_while_somebody_else_sits_down(people):
    table = seats.open_table(ruleset=ruleset.preset("penguin"), players=4)
    seats.sit(table_id=table.pk, no=0, name="Lan")
    page = people.page(table)
    page.goto(f"{at(table)}?look=plain")
    name = page.get_by_label("Your name")
    name.press_sequentially("Thảo ")
    seats.sit(table_id=table.pk, no=1, name="Minh")
    expect(page.locator("#who")).to_contain_text("Minh")
    page.keyboard.type("Lê")
    expect(name).to_have_value("Thảo Lê")


def test_a_network_that_goes_is_said_and_shown_until_it_is_back(people):
    table = live.open_table("thirteen", people=4, instant_wins=[])
    live.set_hands(table, HANDS)
    page = people.page(table, 0)
    page.goto(f"{at(table)}?look=plain")
    page.evaluate(KEEP)
    page.context.set_offline(True)
    wait_for(page, "No network, retrying…")
    shown = page.locator("#plain").get_by_text("No network, retrying…")
    expect(shown).to_be_visible()
    live.act(table, 0, "play", "3S")
    page.context.set_offline(False)
    expect(shown).to_be_hidden()
    expect(page.locator("#others")).to_be_empty()
    expect(page.locator("#plain")).to_contain_text("12 cards")


def test_the_hand_is_there_as_soon_as_the_cards_are_dealt(people):
    table = seats.open_table(ruleset=ruleset.preset("penguin"), players=4)
    seats.sit(table_id=table.pk, no=0, name="Lan")
    page = people.page(table, 0)
    page.goto(f"{at(table)}?look=plain")
    expect(page.locator("#others")).not_to_be_empty()
    parts = "[...document.querySelector('[data-parts]').children].map(({ id }) => id)"
    for no in (1, 2, 3):
        seats.sit(table_id=table.pk, no=no, name=f"Guest {no}")
    live.set_hands(table, HANDS)
    expect(page.locator("#others")).to_be_empty()
    shown = page.evaluate(parts)
    page.reload()
    assert shown == page.evaluate(parts)
