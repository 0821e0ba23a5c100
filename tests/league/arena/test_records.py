"""Records out of the web app and into it again."""

import json
import random

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from engine import records
from engine.rules.ruleset import preset
from league.arena.views.records import MOST_BYTES
from tables.runs import runs
from tests.factories import make_season, make_tournament, path_of

GAME = {
    "format": "tien-len-record/1",
    "ruleset": "killa",
    "options": {"cards_each": {"2": 5}},
    "hands": ["3S 4S 5S 6S 2H", "5C 6C 7C TC JC"],
    "leader": None,
    "previous": None,
    "stake": 1,
    "players": ["An", "Bình <b>"],
    "actions": [
        {"seat": 0, "do": "play", "cards": "3S"},
        {"seat": 1, "do": "play", "cards": "5C"},
        {"seat": 0, "do": "play", "cards": "2H"},
        {"seat": 1, "do": "pass"},
        {"seat": 0, "do": "pass"},
        {"seat": 0, "do": "play", "cards": "4S 5S 6S"},
    ],
}


def paste(text, **data):
    if not isinstance(text, str):
        text = json.dumps(text)
    headers = data.pop("headers", None)
    return Client().post("/records/", {"text": text, **data}, headers=headers)


def upload(content, name="game.json"):
    return Client().post("/records/", {"file": SimpleUploadedFile(name, content), "text": ""})


def problem(response):
    """The one message of a page that refuses a record."""
    text = response.content.decode()
    return text.split('<p class="record-problem">')[1].split("</p>")[0]


def test_a_record_opens_at_its_start_with_its_rules_and_names():
    text = paste(GAME).content.decode()
    assert "Record valid: 6 moves checked against these rules." in text
    assert ("<h1>\nKilla</h1>" in text, "0 / 6" in text, "Bình &lt;b&gt;" in text) == (
        True,
        True,
        True,
    )


def test_a_file_is_as_good_as_pasted_text():
    content = b"\xef\xbb\xbf" + json.dumps(GAME, indent=2).encode()
    assert upload(content).context["last"] == 6


@pytest.mark.parametrize(("step", "at"), [("3", 3), ("6", 6), ("99", 6), ("-1", 0), ("x", 0)])
def test_a_step_shows_the_game_after_so_many_actions(step, at):
    assert paste(GAME, step=step).context["step"] == at


def test_the_text_that_travels_along_opens_the_same_game():
    first = paste(json.dumps(GAME, indent=1).replace("\n", "\r\n"))
    again = paste(first.context["text"], step="4")
    assert again.context["current"].do == "pass"
    assert paste(again.context["text"]).context["text"] == first.context["text"]


def test_the_last_step_says_how_the_game_ended():
    shown = paste(GAME, step="6").context
    assert (shown["places"], shown["payments"]) == (
        [["An"], ["Bình <b>"]],
        [{"from": "Bình <b>", "to": "An", "amount": 1, "reason": "last place"}],
    )


def test_a_game_that_was_not_finished_says_so():
    text = paste(GAME | {"actions": GAME["actions"][:2]}, step="2").content.decode()
    assert "the game was not finished" in text


def test_with_script_only_the_board_is_sent():
    text = paste(GAME, step="1", headers={"HX-Request": "true"}).content.decode()
    assert text.strip().startswith('<div id="board"')


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        (
            {"actions": [*GAME["actions"][:2], {"seat": 0, "do": "play", "cards": "4S"}]},
            "action 3: seat 0 cannot play 4S: it does not beat 5C",
        ),
        (
            {"actions": [{"seat": 1, "do": "play", "cards": "5C"}]},
            "action 1: seat 1 cannot play 5C: it is seat 0&#x27;s turn",
        ),
        (
            {"actions": [{"seat": 0, "do": "play", "cards": "4S"}]},
            "action 1: seat 0 cannot play 4S: the first play must include 3S",
        ),
        (
            {"actions": [{"seat": 0, "do": "play", "cards": "4S"}, {"seat": 0, "do": "sing"}]},
            "action 1: seat 0 cannot play 4S: the first play must include 3S",
        ),
        ({"actions": [{"seat": 0, "do": "sing"}]}, None),
        ({"hands": ["3S"]}, None),
        ({"hands": None}, None),
        ({"actions": None}, "actions: write a list"),
        ({"ruleset": {"key": "x"}}, "ruleset: name: this field is missing"),
        ({"format": "pgn"}, "format: write &quot;tien-len-record/1&quot;"),
    ],
)
def test_a_wrong_record_is_refused_with_the_action_the_seat_and_the_reason(changes, reason):
    response = paste(GAME | changes)
    assert response.status_code == 422
    assert reason is None or problem(response) == reason


@pytest.mark.parametrize("text", ["[]", "5", "null", '"x"', "{}", "nonsense", "[" * 5000, "\x00"])
def test_what_is_no_record_is_refused_in_one_line(text):
    response = paste(text)
    assert (response.status_code, "\n" in problem(response)) == (422, False)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("{", "đây không phải JSON đúng: xem dòng 1, cột 2"),
        ("[]", "biên bản phải là một đối tượng JSON"),
        ("{}", "format: hãy viết &quot;tien-len-record/1&quot;"),
        (
            '{"format": "tien-len-record/1", "ruleset": "killa", "hands": ["3X", ""]}',
            "hands: seat 0: &#x27;3X&#x27; không phải lá bài",
        ),
        (
            '{"format": "tien-len-record/1", "ruleset": "killa", "hands": ["3S", "3C"]}',
            "hands: ghế 0 có 1 lá, nhưng killa chia mỗi người 13 lá khi có 2 người",
        ),
        (
            '{"format": "tien-len-record/1", "ruleset": {"key": 3}}',
            "ruleset: key: phải là một chuỗi từ 1 đến 40 ký tự, không phải 3",
        ),
    ],
)
def test_what_is_wrong_in_a_record_is_said_in_the_readers_language(text, line):
    client = Client(headers={"Accept-Language": "vi"})
    response = client.post(reverse("records"), {"text": text})
    assert response.status_code == 422
    assert line in response.content.decode()


def test_a_refused_record_comes_back_to_be_corrected():
    text = json.dumps(GAME | {"stake": 0})
    assert paste(text).context["text"] == text


def test_nothing_sent_asks_for_a_record():
    assert problem(Client().post("/records/", {})) == "Choose a file or paste a game record."


@pytest.mark.parametrize("content", [b"\xff\xfe{}", b"\x89PNG\r\n\x1a\n", bytes(range(256))])
def test_a_file_that_is_no_text_is_refused(content):
    assert problem(upload(content)) == (
        "This is not a UTF-8 text file. Choose a game record in JSON."
    )


@pytest.mark.parametrize(
    "send",
    [
        lambda: paste(" " * (MOST_BYTES + 1)),
        lambda: paste("é" * (MOST_BYTES // 2 + 1)),
        lambda: upload(b" " * (MOST_BYTES + 1)),
        lambda: Client().post(
            "/records/", "text=" + "x" * 3_000_000, content_type="application/x-www-form-urlencoded"
        ),
    ],
)
def test_what_is_too_large_is_refused_with_the_bound(send):
    response = send()
    assert response.status_code == 413
    assert problem(response) == "This file is too large for one game: at most 256 kB."


def test_a_broken_upload_is_refused():
    response = Client().post("/records/", b"--x", content_type="multipart/form-data; boundary=é")
    assert response.status_code == 400


def test_half_characters_in_names_are_replaced():
    text = json.dumps(GAME).replace('"An"', '"\\ud800"')
    assert paste(text, step="6").context["places"] == [["?"], ["Bình <b>"]]


def test_names_that_are_no_text_are_replaced():
    assert paste(GAME | {"players": [["x"], 7]}, step="6").context["places"] == [["?"], ["?"]]


def test_any_change_of_a_byte_is_answered_with_a_page():
    rng = random.Random(7)
    text = json.dumps(GAME).encode()
    for _ in range(150):
        at = rng.randrange(len(text))
        changed = text[:at] + bytes([rng.randrange(256)]) + text[at + rng.randrange(3) :]
        assert upload(changed).status_code in (200, 422)


@pytest.mark.django_db
def test_a_downloaded_record_replays_to_the_same_result():
    season = make_season()
    four = ("greedy", "random", "greedy", "random")
    event = make_tournament(season, *four, deals=2, ruleset=preset("mien-nam"))
    while runs.play_next(event.run_id):
        pass
    for deal in (1, 2):
        for rotation in (1, 2, 3, 4):
            path = path_of(season.club, "record", event.pk, deal, rotation)
            content = Client().get(path).content
            played = runs.game(event.run, deal=deal - 1, rotation=rotation - 1)
            assert records.replay(json.loads(content)) == records.replay(played)
            shown = upload(content).context
            assert (shown["last"], shown["finished"]) == (len(played["actions"]), True)
