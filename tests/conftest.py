"""What all tests share."""

import gc
import re
import string
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache as remembered
from importlib import import_module
from typing import Any

import pytest
from _pytest.runner import CallInfo
from django.conf import settings
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.core.cache import cache
from django.db import connection, transaction
from django.middleware import csrf
from django.test import TransactionTestCase
from django.test.client import ClientHandler, RequestFactory
from django.urls import reverse
from django.utils import translation
from pytest_django import DjangoDbBlocker

from engine.bots.master import MasterBot
from tables.base.fifo_cache import FifoCache
from tests.plugins.chance import chance_of
from tests.plugins.emptying import empty
from tests.searches import HOW_LONG, fewer
from tests.worlds import made_once


def pytest_collection_finish() -> None:
    """Spare what no test asks about: a fixture for it would cost each of them some time.

    Garbage is collected rarely, and never what was imported: it took a tenth of the time.
    """
    for shorten in (
        _brief_master, _emptied_quickly, _asked_in_english, _replayed_once, _planned_once,
        _seated_soon, _one_chain, _named_once, _nobody_in_tokens, _deep_enough,
    ):  # fmt: skip
        shorten()
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


def _brief_master() -> None:
    """Without the compiled core its hundreds of imagined games take a third of a second a move."""
    belief = MasterBot.style.belief._replace(first=12, between=2)
    brief = MasterBot.style._replace(rounds=((6, 1), (3, 2)), far=1, belief=belief)
    MasterBot.style = brief


def _emptied_quickly() -> None:
    """What a test with real transactions leaves behind."""
    TransactionTestCase._fixture_teardown = lambda _self: empty()


def _asked_in_english() -> None:
    """Browsers name a language; those of tests that name none get the club's, as crawlers do."""
    defaults_of = RequestFactory.__init__

    def begin(self: RequestFactory, **options: Any) -> None:
        defaults_of(self, **{"HTTP_ACCEPT_LANGUAGE": "en"} | options)

    RequestFactory.__init__ = begin  # type: ignore[assignment]


def _replayed_once() -> None:
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
        later = game.actions.filter(seq__gt=replayed.seq).order_by("seq")
        known.put(key, replayed.follow(later.values_list("body", flat=True)).twin())
        return replayed

    positions.replay_of = from_the_last


def _planned_once() -> None:
    """The plan of an evening follows from its people and its seed: tests share their seeds."""
    module = import_module("league.seating.next_round")
    module._whole_plan = remembered(module._whole_plan.__wrapped__)  # type: ignore[attr-defined]


def _seated_soon() -> None:
    """How well a night is seated, tests/league/seating asks, with all exchanges."""
    for searches, name in HOW_LONG:
        vars(searches)[name] = fewer(vars(searches)[name])


def _one_chain() -> None:
    """Each client would make its middleware anew: those with the same settings share theirs."""
    usual, first, load = settings._wrapped, ClientHandler(), ClientHandler.load_middleware

    def once(handler: ClientHandler, is_async: bool = False) -> None:
        if settings._wrapped is not usual:
            return load(handler, is_async)
        if first._middleware_chain is None:
            load(first)
        vars(handler).update(vars(first) | vars(handler))

    ClientHandler.load_middleware = once


def _named_once() -> None:
    """A page names two dozen static files, whose addresses were joined anew for each."""
    StaticFilesStorage.url = remembered(StaticFilesStorage.url)


def _nobody_in_tokens() -> None:
    """An, Em or Hoa stood by chance in a page's token, where a test asks who stands in the page."""
    csrf.CSRF_ALLOWED_CHARS = string.ascii_lowercase + string.digits
    csrf.invalid_token_chars_re = re.compile("[^a-z0-9]")


def _deep_enough() -> None:
    """A call across the edge of a piece of Python's stack maps and frees one (cpython#142183).

    Python 3.11 and 3.12 do so at each such call, and a template's loops call there for ever. A
    frame that asks for much gets one piece with room for all calls of a test.
    """
    call = CallInfo.from_call.__func__  # type: ignore[attr-defined]
    call.__code__ = call.__code__.replace(co_stacksize=66_000)


@pytest.fixture
def empty_cache() -> Iterator[None]:
    """No limit is used up by tests before, nor for tests after: all come from one address."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def with_mail(settings: Any) -> None:
    reverse("home")  # Which pages there are is read once, without mail.
    settings.HAS_MAIL = True


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
