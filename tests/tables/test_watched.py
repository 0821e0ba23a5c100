"""Who only watches sees the past, as far as the table's people want: on no way more."""

import datetime
import re
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine.rules import ruleset
from tables.base.fifo_cache import forget_all
from tables.chairs.acts import seats
from tables.chat.acts import chat
from tables.live import feed_stream, tokens
from tables.models import Table
from tables.play.acts import games
from tables.play.facts import positions, watched
from tables.play.pages import feeds
from tests.factories import make_user
from tests.tables import live
from tests.tables.live import browser_of, open_form

pytestmark = pytest.mark.django_db
Delay = Table.WatchDelay
PRESENT = re.compile(
    r'\bdata-(version|marks)="[^"]*"|<p class="countdown.*?</p>'
    r'|<span class="ring".*?data-clock-bank hidden>.*?</span>\s*</span>'
    r'|<details class="table-more" id="more-fair".*?</details>',
    re.DOTALL,
)
"""What a board says of the hour, and the fingerprint of the next deal, which all may know."""

OTHERS = [
    pytest.param(key, marks=pytest.mark.long) for key in ruleset.preset_keys() if key != "family"
]


def seen(table: Table, viewer: Client) -> str:
    return re.sub(r"\s+", " ", PRESENT.sub("", live.view_of(viewer, table)["board"]))


def archived(table: Table, viewer: Client, number: int) -> list[int]:
    ways = ("replay", "record", "fair")
    addresses = (reverse(f"tables:{way}", args=[table.key, number]) for way in ways)
    return [viewer.get(address).status_code for address in addresses]


def tick(table: Table, moments: list[tuple[datetime.datetime, str]], viewer: Client) -> None:
    moments.append((timezone.now(), seen(table, viewer)))


def delay(table: Table, seconds: int) -> None:
    Table.objects.filter(pk=table.pk).update(watch_delay=seconds)
    forget_all()


@pytest.fixture
def at(monkeypatch) -> Any:
    """Shows the past as it is shown at a moment."""

    def go(moment: datetime.datetime) -> None:
        forget_all()
        monkeypatch.setattr(watched, "timezone", SimpleNamespace(now=lambda: moment))

    return go


@pytest.mark.parametrize("rules", ["family", *OTHERS])
def test_who_watches_sees_the_table_as_it_was(rules, at):
    """At every moment of a game, with what its predecessor brings."""
    table, stranger = live.open_table(rules, people=4), Client()
    moments: list[tuple[datetime.datetime, str]] = []
    live.deal(table)
    live.play_on(table, moves=13)
    tick(table, moments, stranger)
    live.play_quickly(table)
    tick(table, moments, stranger)
    live.deal(table)
    while not live.current(table).over_at:
        tick(table, moments, stranger)
        live.play_on(table, moves=13)
    tick(table, moments, stranger)
    assert len({board for _moment, board in moments}) > 6
    delay(table, Delay.MINUTE)
    for moment, board in moments:
        at(moment + datetime.timedelta(seconds=60))
        assert seen(table, stranger) == board
    at(moments[-2][0] + datetime.timedelta(seconds=60))
    assert archived(table, stranger, 1) == [200] * 3
    assert archived(table, stranger, 2) == [404] * 3
    assert archived(table, browser_of(table, 0), 2) == [200] * 3


def test_until_the_end_of_a_game_who_watches_sees_nothing_of_it(at):
    table, stranger = live.open_table("penguin", people=4), Client()
    live.play_game(table)
    before = seen(table, stranger)
    delay(table, Delay.GAME)
    live.deal(table)
    for _ in range(3):
        live.play_on(table, moves=9)
        at(timezone.now())
        assert seen(table, stranger) == before
    live.play_quickly(table)
    at(timezone.now())
    assert seen(table, stranger) != before
    assert archived(table, stranger, 2) == [200] * 3


def test_no_stream_and_no_program_tells_more(at):
    """Also not who just got up: the page that listened for the player listens no more."""
    table, stranger = live.open_table("penguin", people=4), Client()
    before = positions.of(positions.rows().get(pk=table.pk))
    live.deal(table)
    delay(table, Delay.MINUTE)
    fresh = positions.rows().get(pk=table.pk)
    answer = live.view_of(stranger, table)
    assert answer["token"] == ""
    assert 'data-mark="0"' in answer["own"], "The number of a game: who watches would keep a form"
    now = positions.of(fresh)
    assert feeds.feed(watched.as_seen(fresh, None), None)["game"] is before.game
    assert feed_stream.lines(now, frozenset([None])) == {}
    assert feeds.feed(now, live.chair(table, 0))["game"] == 1
    live.play_quickly(table)
    listens = tokens.read(tokens.make(fresh))
    seats.leave(seat_id=live.chair(table, 0).pk)
    assert listens.access < Table.objects.get(pk=table.pk).access_version
    live.deal(table)
    games.leave(table=Table.objects.get(pk=table.pk), seat_id=live.chair(table, 1).pk)
    listens = tokens.read(tokens.make(Table.objects.get(pk=table.pk)))
    live.play_quickly(table)
    assert listens.access < Table.objects.get(pk=table.pk).access_version


def test_whoever_opens_a_table_says_how_late_it_is_seen():
    page = Client().post(reverse("tables:lobby"), open_form(delay="60"), follow=True)
    table = Table.objects.get()
    assert table.watch_delay == Delay.MINUTE
    assert "One minute later" not in page.content.decode()
    watching = live.page_of(Client(), table)
    assert "One minute later" in watching
    assert 'data-token=""' in watching


def test_who_watches_a_late_table_hears_late_what_is_said_there(at):
    """Words tell of cards, too; what one said oneself is there at once."""
    table, stranger, member = live.open_table("penguin", people=4), Client(), make_user()
    watcher = Client()
    watcher.force_login(member)
    live.deal(table)
    delay(table, Delay.MINUTE)
    page = reverse("tables:table", args=[table.key])
    view = reverse("tables:view", args=[table.key])
    chat.allow_watchers(table_id=table.pk, talk=True)
    chat.say(seat_id=live.chair(table, 0).pk, text="I have the bomb")
    said = watcher.post(
        reverse("tables:talk", args=[table.key]),
        {"text": "Who wins?"},
        headers=live.FETCH,
    )
    own = browser_of(table, 1)
    for part, seat, others in (
        ("I have the bomb", True, False),
        ("Who wins?", True, True),
    ):
        assert (part in own.get(page).content.decode()) is seat
        assert (part in watcher.get(page).content.decode()) is others
        assert (part in watcher.get(view, headers=live.FETCH).json()["talk"]) is others
        assert (part in said.json()["talk"]) is others
        assert part not in stranger.get(page).content.decode()
    at(timezone.now() + datetime.timedelta(seconds=60))
    assert "I have the bomb" in stranger.get(page).content.decode()
    assert "I have the bomb" in stranger.get(view, headers=live.FETCH).json()["talk"]
    assert "talk" not in own.get(view, headers=live.FETCH).json()
