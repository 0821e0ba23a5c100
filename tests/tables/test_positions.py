"""What a process keeps of a table: it saves questions, and is never older than the table's row."""

import random
from dataclasses import replace
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from engine.rules.actions import SeatAction
from engine.rules.cards import parse_cards
from engine.rules.errors import IllegalAction
from tables.base import fifo_cache
from tables.base.fifo_cache import FifoCache, TextCache, drawn_once, forget_all
from tables.models import Action, Seat, Table
from tables.people.acts import forgetting
from tables.play.facts import positions
from tables.play.facts.positions import Position
from tests.factories import make_user, sign_in
from tests.scripts import MARK
from tests.tables import live
from tests.tables.live import browser_of, post
from tests.tables.test_live_leaks import CASES, said

pytestmark = pytest.mark.django_db(transaction=True)


def row(table: Table) -> Table:
    return positions.rows().get(pk=table.pk)


def fields(seat: Seat) -> dict[str, Any]:
    return {field.attname: getattr(seat, field.attname) for field in Seat._meta.fields}


def told(position: Position) -> dict[str, Any]:
    """Everything that a position says."""
    game, replayed = position.on()
    return {
        "stamp": position.stamp,
        "seats": {no: fields(seat) for no, seat in position.seats.items()},
        "game": {name: vars(game)[name] for name in ("id", "dealt", "trades", "answers")},
        "last": position.last,
        "standings": position.standings,
        "names": position.names,
        "commitment": position.commitment,
        "log": replayed.state.log,
        "hands": replayed.state.hands,
        "tricks": replayed.tricks,
        "seq": replayed.seq,
    }


def test_what_is_kept_needs_no_question(table, django_assert_num_queries):
    read = positions.of(row(table))
    again = row(table)
    with django_assert_num_queries(0):
        assert told(positions.of(again)) == told(read)


def test_a_move_keeps_what_it_made(table, django_assert_num_queries):
    live.act(table, 0, "play", "3S")
    after = row(table)
    with django_assert_num_queries(0):
        kept = told(positions.of(after))
    forget_all()
    assert kept == told(positions.of(after))


def test_a_move_over_the_page_takes_one_statement(table, django_assert_num_queries):
    clients = [browser_of(table, no) for no in (0, 1)]
    post(clients[0], table, "act", do="play", cards="3S")
    table.refresh_from_db()
    data = {"do": "play", "cards": "3C", "version": table.version}
    address = reverse("tables:act", args=[table.key])
    with django_assert_num_queries(1):
        answer = clients[1].post(address, data, headers=live.FETCH)
    assert answer.json()["version"] == table.version + 1
    member = make_user()
    Seat.objects.filter(table=table, no=2).update(user=member, token_hash="")
    forget_all()
    clients[0] = sign_in(member, user_agent="Phone")
    clients[0].get(reverse("tables:table", args=[table.key]))
    with django_assert_num_queries(2):  # Who it is, and the move.
        answer = clients[0].post(
            address,
            {"do": "play", "cards": "3D", "version": table.version + 1},
            headers=live.FETCH,
        )
    assert answer.json()["version"] == table.version + 2


def test_a_refused_move_changes_nothing_of_what_is_kept(table):
    before = told(positions.of(row(table)))
    with pytest.raises(IllegalAction):
        live.act(table, 0, "play", "4S")
    assert told(positions.of(row(table))) == before


def test_a_move_that_is_taken_back_is_not_kept(table):
    before = told(positions.of(row(table)))
    with transaction.atomic():
        live.act(table, 0, "play", "3S")
        assert positions.of(row(table)).on()[1].seq == 1
        transaction.set_rollback(True)
    assert told(positions.of(row(table))) == before
    live.act(table, 0, "play", "3S", client_id="again")
    assert Action.objects.count() == 1


def test_nobody_plays_on_from_an_older_position(table):
    """Another process has moved since this one looked."""
    old = positions.of(row(table))
    live.act(table, 0, "play", "3S")
    live.act(table, 1, "play", "3C")
    positions.store(old)
    live.act(table, 2, "play", "3D")
    assert list(Action.objects.order_by("seq").values_list("seq", "seat")) == [
        (1, 0),
        (2, 1),
        (3, 2),
    ]


def test_the_same_version_at_another_time_is_another_position(table):
    """A database that lost its newest moves counts the same versions again."""
    positions.of(row(table))
    Seat.objects.filter(table=table, no=0).update(name="Somebody else")
    Table.objects.update(due_at=live.timezone.now())
    assert positions.of(row(table)).seats[0].name == "Somebody else"


def test_a_game_is_not_replayed_from_a_move_that_the_database_lost(table):
    lost = positions.of(row(table)).twin()
    lost.on()[1].apply(SeatAction(0, "play", parse_cards("3S")))
    newer = row(table)
    newer.version += 1
    positions.store(replace(lost, table=newer))
    assert positions.of(row(table)).on()[1].seq == 0


def test_a_name_that_was_taken_away_is_kept_nowhere(table):
    browser = Client()
    address = reverse("tables:view", args=[table.key])
    assert "Guest 2" in browser.get(address, headers=live.FETCH).json()["board"]
    forgetting.forget_seats(found=Seat.objects.filter(name="Guest 2"))
    assert "Guest 2" not in browser.get(address, headers=live.FETCH).json()["board"]


def test_an_answer_in_the_window_is_read_anew_though_the_version_stays():
    table = live.dealt("tien-len", 4, people=4, hands=live.FOUR_TWOS)
    client = browser_of(table, 0)
    before = live.view_of(client, table)
    after = post(client, table, "answer", declare="yes").json()
    assert (after["version"], after["board"]) == (before["version"], before["board"])
    assert after["own"] != before["own"]


@pytest.mark.parametrize(("rules", "players", "options"), CASES[1:2] + CASES[3:4] + CASES[9:10])
def test_what_is_kept_changes_no_byte_of_what_anybody_gets(rules, players, options):
    """Each viewer looks at a table that nobody has looked at, and again after all others have."""
    forget_all()
    rng = random.Random(f"kept {rules} {players}")
    table = live.open_table(rules, players, people=players, **options)
    browsers = [Client(), *(browser_of(table, seat) for seat in range(players))]
    live.deal(table)

    def look(browser: Client) -> list[Any]:
        names = ("view", "table", "hints")
        paths = [reverse(f"tables:{name}", args=[table.key]) for name in names]
        return [said(browser.get(path, headers=MARK)) for path in paths]

    for _ in range(2):
        kept = [look(browser) for browser in browsers]
        assert [look(browser) for browser in reversed(browsers)] == kept[::-1]
        for browser, before in zip(browsers, kept, strict=True):
            forget_all()
            assert look(browser) == before
        if live.wander(table, rng, moves=rng.randrange(1, 6)).over_at:
            break


def test_the_oldest_are_forgotten_first():
    kept: FifoCache[int, str] = FifoCache(2)
    for number in (1, 2, 1, 3):
        kept.put(number, f"number {number}")
    assert [kept.get(number) for number in (1, 2, 3)] == ["number 1", None, "number 3"]


def test_all_drawn_texts_of_a_process_share_one_lid(monkeypatch):
    """Three caches kept up to 20,000 pieces each, of any length: over 100 MB a process."""
    monkeypatch.setattr(fifo_cache, "MOST_TEXT", 100_000)
    monkeypatch.setattr(TextCache, "_every", [])
    one, other = TextCache(), TextCache()
    other.put("kept", "x" * 1000)
    for number in range(1000):
        one.put(number, f"{number} " + "đ" * 2000)
    assert one.taken + other.taken <= 100_000
    assert one.get(999), "the newest stays"
    assert one.get(0) is None, "the oldest of the largest goes"
    assert other.get("kept"), "a small one loses nothing to a large one"
    for number in range(1000):
        one.forget(number)
    assert one.taken == 0


def test_a_text_that_gave_way_is_drawn_again():
    drawn = []
    draw = drawn_once(lambda *key: drawn.append(key) or f"drawn {key}")
    assert draw(1, "a") == draw(1, "a")
    assert drawn == [(1, "a")]
    forget_all()
    assert draw(1, "a")
    assert len(drawn) == 2
