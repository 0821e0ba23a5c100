"""The lessons as pages: by form and by htmx, in any order, with anything sent."""

import pytest

from engine.rules.ruleset import digest, preset, preset_keys, with_options
from league.learn.domain.lessons import KEYS, course
from tables.base import rulesets
from tests.league.nights.test_event_page import in_one_line
from tests.shares import share

pytestmark = pytest.mark.django_db
PAIR = "/learn/tien-len/groups/"
END = "/learn/tien-len/end/"


def test_the_course_lists_ten_lessons_and_asks_the_database_nothing(
    client, django_assert_num_queries
):
    with django_assert_num_queries(0):
        page = in_one_line(client.get("/learn/"))
    assert all(f'href="/learn/mien-nam/{key}/"' in page for key in KEYS)


TAUGHT = [key for key in preset_keys() if not key.startswith("mien-bac")]


def test_where_suits_must_match_the_lessons_give_way_to_the_card(client):
    for address in ("/learn/?rules=mien-bac", "/learn/mien-bac/groups/"):
        assert client.get(address)["Location"] == "/rules/mien-bac/"
    page = in_one_line(client.get("/rules/mien-bac/"))
    assert "A straight is of one suit." in page
    assert "Learn with these rules" not in page
    assert "Learn with these rules" in in_one_line(client.get("/rules/mien-nam/"))


@pytest.mark.parametrize(
    ("language", "rules"), share([(lang, key) for lang in ("en", "vi") for key in TAUGHT], of=4)
)
def test_every_step_of_every_lesson_is_a_page(client, rules, language):
    for lesson in course(preset(rules)):
        for step in range(1, len(lesson.steps) + 1):
            answer = client.get(
                f"/learn/{rules}/{lesson.key}/?step={step}", headers={"accept-language": language}
            )
            assert answer.status_code == 200


def test_the_right_cards_are_praised_and_lead_on(client):
    page = in_one_line(client.post(PAIR, {"step": "1", "cards": ["7C", "7H"], "play": "1"}))
    assert "A pair. To beat it, a player needs a higher pair." in page
    assert 'href="/learn/tien-len/groups/?step=2"' in page
    assert 'name="cards"' not in page


def test_what_is_allowed_but_not_asked_stays_picked(client):
    page = in_one_line(client.post(PAIR, {"step": "1", "cards": ["JD"], "play": "1"}))
    assert "That play is legal." in page
    assert 'value="JD" checked' in page


def test_what_the_rules_refuse_is_said_in_the_readers_language(client):
    sent = {"step": "1", "cards": ["7C", "JD"], "play": "1"}
    assert "Two cards must be a pair." in in_one_line(client.post(PAIR, sent))
    vietnamese = client.post(PAIR, sent, headers={"accept-language": "vi"})
    assert "Hai lá phải là một đôi." in in_one_line(vietnamese)


def test_playing_nothing_asks_for_cards(client):
    assert "Choose cards first." in in_one_line(client.post(PAIR, {"step": "1", "play": "1"}))


def test_htmx_gets_the_exercise_alone_and_a_sentence_for_the_screen_reader(client):
    sent = {"step": "1", "cards": ["7C", "7H"], "play": "1"}
    page = in_one_line(client.post(PAIR, sent, headers={"HX-Request": "true"}))
    assert page.startswith('<section id="exercise"')
    assert 'hx-swap-oob="innerHTML:#live"> A pair.' in " ".join(page.split())


def test_a_game_goes_on_move_by_move_with_its_moves_in_the_form(client):
    page = in_one_line(client.post(END, {"step": "1", "moves": "", "cards": ["2H"], "play": "1"}))
    assert 'name="moves" value="2H"' in page
    assert "Pass to lead a new trick, or go on alone." in page
    page = in_one_line(client.post(END, {"step": "1", "moves": "2H,pass,9C,pass", "cards": ["5D"]}))
    assert "you are nhất" in page
    assert 'class="medal medal-1">1</span> You' in page


def test_hands_are_chosen_by_the_rules(client):
    url = "/learn/tien-len/instant/"
    assert "You win the game." in in_one_line(client.post(url, {"step": "1", "given": "1"}))
    assert "look again" in in_one_line(client.post(url, {"step": "1", "given": "neither"}))
    assert "these rules have no" in in_one_line(
        client.post("/learn/penguin/instant/", {"step": "1", "given": "neither"})
    )


@pytest.mark.parametrize(
    "sent",
    [
        {"moves": "3X", "cards": "2H"},
        {"moves": "pass," * 80, "cards": "2H"},
        {"moves": "9C,9C,9C", "cards": "2H"},
        {"cards": "<b>"},
    ],
)
def test_a_form_that_no_page_sent_begins_again(client, sent):
    answer = client.post(END, {"step": "1"} | sent)
    assert (answer.status_code, answer["Location"]) == (302, f"{END}?step=1")


@pytest.mark.parametrize(
    "path",
    [
        "/learn/?rules=none",
        "/learn/none/cards/",
        "/learn/tien-len/none/",
        f"/learn/{'0' * 64}/cards/",
        "/learn/tien-len/cards/?step=0",
        "/learn/tien-len/cards/?step=9",
        "/learn/tien-len/cards/?step=x",
        "/rules/none/",
        f"/rules/{'-' * 64}/",
    ],
)
def test_what_is_not_there_is_not_found(client, path):
    assert client.get(path).status_code == 404


def test_a_clubs_own_rules_are_taught_by_their_digest(client):
    own = with_options(preset("mien-nam"), {"name": "Luật nhà Lan", "chops": {"one_two": ["Q"]}})
    key = rulesets.freeze(own).digest
    assert key == digest(own)
    assert "Luật nhà Lan" in in_one_line(client.get(f"/rules/{key}/"))
    page = in_one_line(
        client.post(f"/learn/{key}/chopping/", {"step": "1", "cards": "9S 9C 9D 9H"})
    )
    assert "Chopped!" in page


@pytest.mark.parametrize("key", preset_keys())
def test_every_preset_has_its_card(client, key):
    assert preset(key).name in in_one_line(client.get(f"/rules/{key}/"))
