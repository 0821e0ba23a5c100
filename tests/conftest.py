"""What all tests share."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import TransactionTestCase
from django.utils import translation
from pytest_django import DjangoDbBlocker

from engine.bots.master import MasterBot
from tables.base.fifo_cache import FifoCache, forget_all
from tests.plugins.chance import chance_of
from tests.plugins.emptying import empty


def pytest_collection_finish() -> None:
    """Collect garbage rarely, and never what was imported: it took a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.fixture(autouse=True)
def _room_for_many(settings):
    """All tests come from one address: the limits of addresses are tested by those who set them."""
    settings.TABLES_PER_ADDRESS = dict.fromkeys(settings.TABLES_PER_ADDRESS, (10**6, 60))


@pytest.fixture(autouse=True, scope="session")
def _brief_master() -> Iterator[None]:
    """Without the compiled core its hundreds of imagined games take a third of a second a move."""
    with pytest.MonkeyPatch.context() as patch:
        belief = MasterBot.style.belief._replace(first=12, between=2)
        brief = MasterBot.style._replace(rounds=((6, 1), (3, 2)), far=1, belief=belief)
        patch.setattr(MasterBot, "style", brief)
        yield


@pytest.fixture(autouse=True, scope="session")
def _emptied_quickly() -> Iterator[None]:
    """What a test with real transactions leaves behind."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda _self: empty())
        yield


@pytest.fixture(autouse=True, scope="session")
def _replayed_once() -> Iterator[None]:
    """Tests that never commit cache no position: each look would replay the whole game again."""
    from tables.play.facts import positions
    from tables.play.facts.replayed import as_dealt

    known: FifoCache[tuple[int, str], Any] = FifoCache(100)
    replay_of = positions.replay_of

    def from_the_last(game: Any) -> Any:
        if not any(block._from_testcase for block in connection.atomic_blocks):
            return replay_of(game)
        key = game.pk, str(game.dealt)
        last = known.get(key)
        replayed = last.twin() if last else as_dealt(game)
        known.put(key, replayed.follow(game.actions.filter(seq__gt=replayed.seq)).twin())
        return replayed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(positions, "replay_of", from_the_last)
        yield


@pytest.fixture(autouse=True)
def _in_english():
    """A page that a test reads in another language leaves that language on for its thread."""
    with translation.override("en"):
        yield


@pytest.fixture(scope="module")
def kept(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """A transaction around a module's tests, for what is made once and read by all of them.

    Each test has its own transaction inside, and finds the rows as they were made. It takes a deep
    copy of the objects, and calls `forget_all`: versions repeat.
    """
    with chance_of(request.node.nodeid), django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def _made_world(kept: None) -> dict[str, Any]:
    from tests.test_rights import make_world

    made = make_world()
    connection.check_constraints()  # What waits for the end of a transaction, once for all tests.
    return made


@pytest.fixture
def world(_made_world: dict[str, Any], db: None) -> dict[str, Any]:
    """A club with something at every address of the site (tests/test_rights.py)."""
    forget_all()
    return deepcopy(_made_world)
