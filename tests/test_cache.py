"""The cache that web processes and workers share."""

import pickle
from contextvars import Context

import pytest
import redis
from django.core.cache import cache, caches

pytestmark = pytest.mark.usefixtures("embedded_services")


def test_requests_with_a_context_of_their_own_share_the_connections():
    def seen():
        cache.set("who", "somebody")
        return caches["default"], caches["default"]._cache

    cache.set("who", "nobody")
    one, other = Context().run(seen), Context().run(seen)
    assert one[0] is not other[0]  # Django makes the cache anew for each.
    assert one[1] is other[1]
    assert cache.get("who") == "somebody"


def test_values_are_json_and_a_pickle_runs_nothing():
    cache.set("who", {"somebody": [1, 2.5, None]})
    cache.set("count", 1)
    assert cache.incr("count") == 2
    assert cache.get_many(["who", "count"]) == {"who": {"somebody": [1, 2.5, None]}, "count": 2}
    bare = redis.from_url(caches["default"]._servers[0])
    bare.set(cache.make_key("who"), pickle.dumps({"x": 1}))
    with pytest.raises(UnicodeDecodeError):
        cache.get("who")
    cache.delete("who")


def test_caches_of_two_addresses_are_apart(settings):
    first = caches["default"]
    other = type(first)(first._servers[0] + "&client_name=other", {})
    assert other._cache is not first._cache


def test_every_process_of_the_tests_has_a_cache_of_its_own(settings):
    base = settings.REDIS_URL.partition("?")[0]
    for number in range(1, 16):
        with redis.from_url(f"{base}?db={number}") as own:
            assert own.ping()
