"""What all tests share."""

import gc
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from importlib import import_module
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import TransactionTestCase
from django.test.client import ClientHandler
from django.utils import translation
from pytest_django import DjangoDbBlocker

from engine.bots.master import MasterBot
from tables.base.fifo_cache import FifoCache
from tests.plugins.chance import chance_of
from tests.plugins.emptying import empty
from tests.worlds import made_once


def pytest_collection_finish() -> None:
    """Collect garbage rarely, and never what was imported: it took a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


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


@pytest.fixture(autouse=True, scope="session")
def _planned_once() -> Iterator[None]:
    """The plan of an evening follows from its people and its seed: tests share their seeds."""
    module = import_module("league.seating.next_round")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_whole_plan", cache(module._whole_plan.__wrapped__))
        yield


@pytest.fixture(autouse=True, scope="session")
def _one_chain() -> Iterator[None]:
    """Each client would make its middleware anew: those with the same settings share theirs."""
    usual, first, load = settings._wrapped, ClientHandler(), ClientHandler.load_middleware

    def once(handler: ClientHandler, is_async: bool = False) -> None:
        if settings._wrapped is not usual:
            return load(handler, is_async)
        if first._middleware_chain is None:
            load(first)
        vars(handler).update(vars(first) | vars(handler))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ClientHandler, "load_middleware", once)
        yield


@pytest.fixture(autouse=True)
def _in_english():
    """A page that a test reads in another language leaves that language on for its thread."""
    with translation.override("en"):
        yield


_kept = ExitStack()


@pytest.fixture(scope="module")
def kept(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """A transaction around a module's tests, for what `tests.worlds.made_once` makes."""
    _kept.enter_context(chance_of(request.node.nodeid))
    _kept.enter_context(django_db_blocker.unblock())
    _kept.enter_context(transaction.atomic())
    _kept.callback(transaction.set_rollback, True)
    yield
    _kept.close()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """End the module's transaction before its tests with real ones, which come last."""
    marker = item.get_closest_marker("django_db")
    if marker is not None and marker.kwargs.get("transaction"):
        _kept.close()


@made_once
def world() -> dict[str, Any]:
    """A club with something at every address of the site (tests/test_rights.py)."""
    from tests.test_rights import make_world

    return make_world()
