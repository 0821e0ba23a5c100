"""What everybody's page tells of a game's turns, and what it keeps to the one who asked."""

import json
from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from django.utils.html import escape

from tables.base.fifo_cache import forget_all
from tables.live import stream
from tables.models import Action, Table
from tables.play.acts import games
from tables.play.facts import positions
from tests.tables import live
from tests.tables.live import FOUR_TWOS, browser_of, hand_shown, post
from tests.tables.test_live_leaks import clean

pytestmark = pytest.mark.django_db

EVERYBODY = (0, 1, 2, 3, None)
"""Four seats, and a spectator."""


def viewer(table: Table, no: int | None) -> Client:
    return Client() if no is None else browser_of(table, no)


def streamed(table: Table, language: str = "en") -> str:
    """The public board as every open page gets it without asking."""
    with translation.override(language):
        event = stream.board_event(positions.of(positions.rows().get(pk=table.pk))).now()
    return json.loads(event.decode().split("data: ")[-1])["board"]


def test_an_instant_win_that_ends_a_game_is_on_everybodys_page_with_its_hand():
    table = live.dealt("mien-nam", people=4, hands=FOUR_TWOS)
    boards = [live.view_of(viewer(table, no), table)["board"] for no in EVERYBODY]
    for board in [*boards, streamed(table)]:
        assert 'data-cheer="instant"' in board
        assert "Guest 0 comes first!" in board
        assert "Instant win!" in board
        lines = board.split('class="result-places"')[1].split("data-seat=")[1:]
        assert [line.count('class="card ') for line in lines] == [13] * 4
    assert "Tới trắng!" in streamed(table, "vi")


def test_an_instant_win_of_a_game_that_goes_on_is_on_everybodys_page():
    table = live.dealt("tien-len", people=4, hands=FOUR_TWOS)
    before = [live.view_of(viewer(table, no), table)["board"] for no in EVERYBODY]
    assert not any("Instant win" in board for board in before)
    games.answer(table_id=table.pk, seat_id=live.chair(table, 0).pk, declare=True)
    live.hurry(table)
    forget_all()
    boards = [live.view_of(viewer(table, no), table)["board"] for no in EVERYBODY]
    for board in [*boards, streamed(table)]:
        assert 'data-cheer="instant"' in board
        assert "Guest 0: Instant win!" in board


REFUSED = {
    "not_his_turn": (1, {"do": "play", "cards": ["3C"]}),
    "passes_where_he_leads": (0, {"do": "pass"}),
    "no_combination": (0, {"do": "play", "cards": ["3S", "5S"]}),
    "not_in_his_hand": (0, {"do": "play", "cards": ["3C"]}),
    "no_cards": (0, {"do": "play"}),
    "no_such_act": (0, {"do": "win"}),
}


@pytest.mark.parametrize("what", REFUSED)
@pytest.mark.parametrize("language", ["en", "vi"])
def test_only_the_sender_of_a_refused_move_learns_of_it_and_keeps_his_hand(table, what, language):
    no, move = REFUSED[what]
    browsers = {seat: viewer(table, seat) for seat in EVERYBODY}
    for browser in browsers.values():
        browser.cookies["django_language"] = language
    before = {seat: everything(browser, table) for seat, browser in browsers.items()}
    answer = post(browsers[no], table, "act", **move)
    found = answer.json()
    assert (answer.status_code, bool(found["reason"])) == (422, True)
    assert len(hand_shown(found["own"])) == 13
    assert not Action.objects.exists()
    forget_all()
    after = {seat: everything(browser, table) for seat, browser in browsers.items()}
    assert after == before
    assert not any(
        found["reason"] in json.dumps(page, ensure_ascii=False) for page in after.values()
    )


def everything(browser: Client, table: Table) -> tuple[dict[str, Any], str, str]:
    """A viewer's page, its parts and its talk, without what differs in every answer."""
    found = live.view_of(browser, table)
    del found["left"], found["token"]
    page = live.page_of(browser, table)
    return {**found, "own": clean(found["own"])}, clean(page), streamed(table)


def test_a_page_without_scripts_tells_the_sender_once_and_nobody_else(table):
    sender, other = browser_of(table, 0), browser_of(table, 1)
    move = {"do": "play", "cards": ["3S", "5S"]}
    reason = post(sender, table, "act", **move).json()["reason"]
    post(sender, table, "act", script=False, **move)
    pages = [everything(browser, table)[1] for browser in (other, sender, sender)]
    assert [escape(reason) in page for page in pages] == [False, True, False]
