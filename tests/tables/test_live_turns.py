"""Time that was spent belongs to the turn: nothing that anybody clicks gives it back."""

import datetime
import random
import time
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from league.base.acts import tokens
from tables.base.fifo_cache import forget_all
from tables.chairs.acts import seats
from tables.models import Seat, Table
from tests.factories import make_user
from tests.tables import live
from tests.tables.live import HANDS, browser_of, post
from tests.tables.test_live_clocks import let_pass, seconds_left

pytestmark = pytest.mark.django_db
CLICKS = 25


def guests_clicks(table: Table) -> list[Callable[[], object]]:
    """What a guest in chair 0 can click on his page."""
    browser = browser_of(table, 0)
    own_link = reverse("tables:claim", args=[table.key, f"secret-{table.key}-0"])
    return [
        *(lambda what=what: post(browser, table, what) for what in ("stay", "leave", "away")),
        *(lambda what=what: post(browser, table, what) for what in ("sit", "deal", "bots")),
        lambda: Client().get(own_link),
    ]


def accounts_clicks(table: Table) -> list[Callable[[], object]]:
    """What an account in chair 0 can click on its page, and ask over the API."""
    user = make_user()
    Seat.objects.filter(table=table, no=0).update(user=user, token_hash="")
    forget_all()
    browser, program = Client(), Client()
    browser.force_login(user)
    _token, secret = tokens.create_token(user=user, name="test")
    headers = {"Authorization": f"Bearer {secret}"}
    names = ("stay", "leave", "deal")
    addresses = [reverse(f"play:{name}", args=[table.key]) for name in names]
    return [
        *(lambda what=what: post(browser, table, what) for what in ("stay", "leave", "away")),
        *(
            lambda to=to: program.post(
                to, {"version": 1}, content_type="application/json", headers=headers
            )
            for to in addresses
        ),
    ]


@pytest.mark.parametrize("people", [1, 4])
@pytest.mark.parametrize("clicks_of", [guests_clicks, accounts_clicks])
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
def test_the_end_of_a_turn_only_ever_comes_nearer(people, clicks_of, seed):
    table = live.dealt(people=people, hands=HANDS)
    clicks, rng = clicks_of(table), random.Random(seed)
    table.refresh_from_db()
    begun, longest = table.turn_at, table.due_at - table.turn_at
    for _ in range(CLICKS):
        seconds = rng.choice((0, 0, 1, 4))
        let_pass(table, seconds)
        begun -= datetime.timedelta(seconds=seconds)
        rng.choice(clicks)()
        table.refresh_from_db()
        seat = live.chair(table, 0)
        assert table.turn_at == begun
        assert table.due_at - begun <= longest
        if not seat.autopilot:
            longest = table.due_at - begun
    assert not table.games.filter(actions__isnull=False).exists()


def test_who_sits_out_and_comes_back_has_what_is_left_of_the_turn():
    began = time.monotonic()
    table = live.dealt(people=4, hands=HANDS)
    let_pass(table, 70)
    browser = browser_of(table, 0)
    post(browser, table, "away")
    assert seconds_left(table) < 5
    post(browser, table, "stay")
    left = seconds_left(table)
    assert 30 - (time.monotonic() - began) <= left <= 30
    live.act(table, 0, "play", "3S")
    took = time.monotonic() - began
    assert 30_000 - took * 1000 <= live.chair(table, 0).bank_ms <= 30_000


def test_a_click_that_changes_nothing_makes_no_version():
    table = live.dealt(people=4, hands=HANDS)
    browser = browser_of(table, 0)
    table.refresh_from_db()
    before = table.version
    post(browser, table, "stay")
    table.refresh_from_db()
    assert (table.version, seconds_left(table) > 99) == (before, True)
    seats.leave(seat_id=live.chair(table, 0).pk)
    post(browser, table, "stay")
    assert not live.chair(table, 0).leaving
