"""The plain table: the same live table in words, with one field that takes what people type."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from accounts.models import User
from tables.base.card_text import kind, named
from tables.models import Table
from tables.play.facts import positions
from tables.play.pages import chairs, typed
from tables.web.addresses import qr_of
from tests.scripts import FETCH
from tests.tables import live
from tests.tables.live import browser_of

pytestmark = pytest.mark.django_db
HANDS = [
    "3S 6S 7D 8C 9S 9D TS TC TH QS KD AC 2H",
    "3C 4S 4C 4D 5S 5C 5D 6C 7C 8D 9C TD JC",
    "3D 4H 5H 6D 7S 8S 9H JS JD JH QC KC AS",
    "3H 6H 7H 8H QD QH KS KH AD AH 2S 2C 2D",
]
SUITS = re.compile("[♠♣♦♥]")


def playing(rules: str = "thirteen") -> tuple[Table, Client]:
    """Return a table of four people, and the browser of seat 0, which leads with 3♠."""
    table = live.dealt(rules, people=4, instant_wins=[], hands=HANDS)
    return table, browser_of(table, 0)


def address(table: Table, name: str = "table") -> str:
    return reverse(f"tables:{name}", args=[table.key])


def type_in(client: Client, table: Table, words: str, script: bool = True, **more: Any) -> Any:
    table.refresh_from_db()
    data = {"words": words, "version": table.version} | more
    return client.post(address(table, "typed"), data, headers=FETCH if script else {})


def seq(table: Table) -> int:
    return positions.replay_of(live.current(table)).seq


def words_of(html: str) -> str:
    hidden = re.sub(
        r"<ol hidden.*?</ol>|<script.*?</script>|<style.*?</style>", " ", html, flags=re.S
    )
    return " ".join(re.sub(r"<[^>]+>", " ", hidden).split())


def lead(table: Table) -> None:
    """Seat 0 plays the 3 of spades, all pass, and leads again."""
    live.act(table, 0, "play", "3S")
    for no in (1, 2, 3):
        live.act(table, no, "pass")


def test_the_felt_table_offers_the_plain_one_first_and_the_browser_keeps_it():
    table, client = playing()
    felt = client.get(address(table)).content.decode()
    body = felt[felt.index("<body") :]
    first = re.search(r"<(?:a|button|input(?! type=\"hidden\"))\b[^>]*>[^<]*", body)
    assert first is not None
    assert "Plain table, in words" in first[0]
    client.post(address(table, "look"), {"look": "plain"})
    assert "<h1>" in (plain := client.get(address(table)).content.decode())
    assert 'id="typed-words"' in plain
    client.post(address(table, "look"), {"look": "felt"})
    assert 'id="the-table"' in client.get(address(table)).content.decode()


def test_an_account_keeps_the_plain_table_on_every_device():
    table, client = playing()
    user = User.objects.create_user("an@example.org", "geheim-123")
    client.force_login(user)
    client.post(address(table, "look"), {"look": "plain"})
    other = Client()
    other.force_login(user)
    assert 'id="plain"' in other.get(address(table)).content.decode()
    assert 'id="plain"' not in Client().get(address(table)).content.decode()


@pytest.mark.parametrize("language", ["en", "vi"])
def test_all_is_there_as_words_in_the_order_of_reading(language):
    table, client = playing()
    page = client.get(
        address(table) + "?look=plain", headers={"accept-language": language}
    ).content.decode()
    main = words_of(page[page.index("<main") : page.index("</main>")])
    assert not SUITS.search(main)
    expected = {
        "en": [
            "Your turn", "You lead. Your first play must include the 3 of spades.",
            "Guest 1 13 cards", "Your hand: 13 cards", "straight, 6 to 8 spades, diamonds, clubs",
            "pair of 9s spades, diamonds", "3 of spades can be played", "What do you play?",
        ],
        "vi": [
            "Tới lượt bạn", "Bạn ra bài. Lượt đầu phải có 3 bích.", "Guest 1 13 lá",
            "Bài bạn: 13 lá", "sảnh 6 tới 8 bích, rô, chuồn", "đôi 9 bích, rô", "3 bích được",
            "Bạn đánh gì?",
        ],
    }[language]  # fmt: skip
    places = [main.index(words) for words in expected]
    assert places == sorted(places)


def test_what_is_typed_is_played_without_javascript():
    table, client = playing()
    answer = type_in(client, table, "ba bích", script=False)
    assert answer["Location"] == address(table)
    assert seq(table) == 1


def test_words_that_fit_several_plays_play_none_and_a_number_chooses():
    table, client = playing()
    lead(table)
    before = seq(table)
    answer = type_in(client, table, "đôi 10").json()
    assert (seq(table), answer["played"]) == (before, False)
    said = words_of(answer["plain"])
    assert "Not played: “đôi 10” can be 3 plays. Choose one, or name a suit." in said
    assert "1 10 of spades, 10 of clubs keeps 10 of hearts" in said
    assert 'value="TC TH"' in answer["plain"]
    assert type_in(client, table, "2", before="đôi 10").json()["played"]
    assert seq(table) == before + 1
    assert "10 of hearts" in words_of(client.get(address(table) + "?look=plain").content.decode())


def test_a_choice_is_a_button_too():
    table, client = playing()
    lead(table)
    page = type_in(client, table, "đôi 10", script=False)
    assert page.status_code == 200
    assert 'value="đôi 10"' in page.content.decode()
    assert type_in(client, table, "đôi 10", script=False, cards="TS TH").status_code == 302


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("con gà", "Not played: “con gà” names no cards. Type ? for help."),
        ("4", "Not played: you don't have “4”, or it can't be played now."),
        ("9 bích", "Your first play must include 3 of spades."),
        ("6 7 9", "A straight needs consecutive ranks without a gap."),
    ],
)
def test_a_refusal_says_why_and_the_words_stay(words, reason):
    table, client = playing()
    answer = type_in(client, table, words).json()
    assert reason in words_of(answer["plain"]).replace("&#x27;", "'")
    assert f'value="{words}"' in answer["plain"]
    assert 'aria-invalid="true"' in answer["plain"]
    assert seq(table) == 0


def test_a_pass_is_typed_or_pressed():
    table, _client = playing()
    live.act(table, 0, "play", "3S")
    assert type_in(browser_of(table, 1), table, "bo").json()["played"]
    answer = browser_of(table, 2).post(
        address(table, "typed"), {"ask": "pass", "version": Table.objects.get().version}
    )
    assert answer.status_code == 302
    assert seq(table) == 3


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("hand", "Your hand, 13 cards: straight, 6 to 8, spades, diamonds, clubs; straight, q"),
        ("bài", "Your hand, 13 cards"),
        ("lá", "Guest 1 13 cards, Guest 2 13 cards, Guest 3 13 cards, you 13 cards."),
        ("clock", "Seconds left: "),
        ("turn", "Your turn. After you: Guest 1, Guest 2, Guest 3."),
        ("trick", "You lead."),
        ("?", "You can play: 3 of spades"),
    ],
)
def test_questions_are_answered_and_play_nothing(words, answer):
    table, client = playing()
    assert answer in words_of(type_in(client, table, words).json()["plain"])
    assert seq(table) == 0


def test_the_full_form_is_told_on_asking():
    table, client = playing()
    lead(table)
    live.act(table, 0, "play", "6S 7D 8C")
    said = words_of(type_in(client, table, "trick").json()["plain"])
    assert "You: straight, 6 to 8: 6 of spades, 7 of diamonds, 8 of clubs." in said


def test_only_a_player_of_the_table_types():
    table, _client = playing()
    assert type_in(Client(), table, "3").status_code == 403
    page = Client().get(address(table) + "?look=plain").content.decode()
    assert 'id="typed-words"' not in page
    assert "Your hand" not in page


def test_a_spectator_and_another_player_read_no_hand():
    table, client = playing()
    assert "single: 2 of hearts" in client.get(address(table) + "?look=plain").content.decode()
    for other in (browser_of(table, 1), Client()):
        for name in ("table", "view"):
            page = other.get(address(table, name) + "?look=plain").content.decode()
            assert "2 of hearts" not in page
            assert "3 of spades" not in page


def test_every_play_is_understood_by_the_words_it_has():
    table, _client = playing()
    lead(table)
    position = positions.of(positions.rows().get(pk=table.pk))
    for language in ("en", "vi"):
        with translation.override(language):
            for play in chairs.hints(position, position.seats[0]):
                for words in (kind(play), " ".join(map(named, play))):
                    wish = typed.play(words)
                    assert wish is not None, words
                    assert wish.fits(play), words


@pytest.mark.parametrize("language", ["en", "vi"])
def test_a_whole_game_is_played_by_typing(language):
    table = live.dealt("mien-nam", people=1)
    client = browser_of(table, 0)
    client.cookies["look"] = "plain"
    headers = {"accept-language": language}
    for _ in range(400):
        game = live.current(table)
        if game.over_at:
            break
        position = positions.of(positions.rows().get(pk=table.pk))
        if game.pause or position.on()[1].state.turn != 0:
            live.step(table, game)
            continue
        page = words_of(client.get(address(table), headers=headers).content.decode())
        example = re.search(
            r"(?:Type for example|Gõ chẳng hạn): (.*?)(?:,\s*(?:pass|bỏ lượt))?\s*,\s*\?",
            page,
            re.I,
        )
        words = example[1] if example else "pass"
        before = seq(table)
        table.refresh_from_db()
        data = {"words": words, "version": table.version}
        answer = client.post(address(table, "typed"), data, headers=headers)
        if answer.status_code == 200:
            data |= {"words": "1", "before": words}
            answer = client.post(address(table, "typed"), data, headers=headers)
        assert answer.status_code == 302, words_of(answer.content.decode())
        assert seq(table) != before or live.current(table).over_at
    end = words_of(client.get(address(table), headers=headers).content.decode())
    assert {"en": "Game 1 is over.", "vi": "Xong ván 1."}[language] in end
    assert not SUITS.search(end)


def test_a_code_is_one_picture_with_the_name_of_its_frame():
    assert qr_of("https://example.org").startswith('<svg aria-hidden="true"')


def test_questions_are_limited_as_other_requests_are(settings):
    table, client = playing()
    settings.TABLES_PER_ADDRESS = settings.TABLES_PER_ADDRESS | {"act": (2, 60)}
    for _again in range(2):
        assert type_in(client, table, "hand").status_code == 200
    refused = type_in(client, table, "hand")
    assert "Too many requests" in words_of(refused.json()["plain"])
