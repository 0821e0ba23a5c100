"""What Python draws of a table: no name becomes markup, whatever happens there."""

import random

import pytest

from engine.rules import ruleset
from tables.base.fifo_cache import forget_all
from tables.live import tokens
from tables.models import Table
from tables.play.facts import positions
from tables.play.pages import boards, chairs
from tables.web import drawn
from tests.tables import live

pytestmark = pytest.mark.django_db

NAME = """<i>"O'Neil" & Sons"""


@pytest.mark.parametrize("rules", ["mien-nam", "hawaii-killer", "killa"])
def test_a_name_is_text_in_every_part_of_a_table(rules, settings):
    settings.TABLES_WINDOW_SECONDS = 0
    players = min(4, ruleset.preset(rules).max_players)
    table = live.open_table(rules, players, people=players)
    table.seats.update(name=NAME)
    forget_all()
    live.deal(table)
    rng = random.Random(36)
    for _ in range(60):
        live.wander(table, rng, moves=1)
        position = positions.of(positions.rows().get(pk=table.pk))
        board = boards.board(position)
        texts = [drawn.board(board)]
        for seat in [None, *position.seats.values()]:
            part = chairs.chair(position, board, seat)
            shown = {"table": position.table, "board": board, "own_name": NAME}
            texts.append(drawn.own(part, '"><i>', shown))
        assert "&lt;i&gt;" in texts[0]
        assert not any("<i>" in text.replace("<i></i>", "") for text in texts)


def test_who_has_nothing_to_press_gets_no_token_against_forgery(client):
    table = live.dealt("mien-nam", 4, people=4)
    answer = client.get(f"/tables/{table.key}/view/", headers=live.FETCH)
    assert "csrfmiddlewaretoken" not in answer.json()["own"]
    assert "csrftoken" not in answer.cookies


def test_a_page_gets_the_same_token_for_a_minute_and_another_when_it_is_revoked():
    table = live.open_table()
    token = tokens.make(table)
    assert tokens.make(table) == token
    assert tokens.make(table, seat=1) != token
    table.access_version += 1
    assert tokens.make(table) not in ("", token)
    assert tokens.read(token).access == Table.objects.get(pk=table.pk).access_version
