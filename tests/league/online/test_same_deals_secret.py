"""What one table does with a deal changes nothing that others can read before all have played it.

The evening is lived twice: at the quick table the game goes otherwise the second time. Every page,
export, picture, stream and answer of the API is then the same for all who were not at that table.
"""

import datetime
import random
import re
from functools import partial

import pytest
import time_machine
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import NoReverseMatch, reverse

from league.clubs.acts import players
from league.models import NewsItem
from league.online.acts import results_in
from tables.base.fifo_cache import forget_all
from tables.chat.acts import chat
from tables.live import feed_stream
from tables.models import Table
from tables.play.acts import games
from tables.play.facts import positions, watched
from tables.web import old_pages
from tests.factories import make_member, owner_of
from tests.league.online.helpers import release
from tests.league.online.test_same_deals import everyone_gives, same_night, tables_of
from tests.scripts import FETCH
from tests.shares import share
from tests.tables import live
from tests.test_rights import address, make_world, own_addresses
from tests.worlds import made_once

pytestmark = pytest.mark.django_db

CHANCES = (
    rb"csrfmiddlewaretoken\W+value=\W+\w+", rb'"X-CSRFToken": "\w+"', rb"ticket=[\w:.-]+",
    rb'token(=|": ")[\w:.%-]+', rb'data-(ticket|token|left|due)="[^"]*"', rb"'nonce-[^']+'",
    rb"\w{8}(-\w{4}){3}-\w{12}", rb"\d{4}-\d\d-\d\dT[\d:.]+(Z|\+[\d:]+)?", rb"\d\d:\d\d:\d\d",
    rb'"num">\d\d:\d\d<',
    rb'"(milliseconds|rate|seconds_left|left)": ?[\d.]+', rb"\d+ (s|ms|minutes left)\b",
)  # fmt: skip
"""What differs each time a page is asked for."""
EVERYWHERE = ("home", "me", "tables:lobby", "league:tonight", "api:tables", "tables:puzzle_today")
"""The pages of everybody's own tables and evenings."""
BY_THE_CLOCK = ("stream", "work", ":run")
"""Streams do not end, and the bots' run says how long it waits."""
NOT_TO_BE_READ = 405
READERS = {
    ("nothing", True): ("organiser", "at the slow table", "phone at the slow table", "stranger"),
    ("nothing", False): ("organiser", "at the slow table"),
    ("ended", True): ("stranger", "phone at the slow table"),
    ("ended", False): ("stranger", "at the slow table"),
}
"""Who reads the pages of the night, and those of its tables: with a phone's chair or without."""


@made_once
def evening():
    """Two tables with the same deal in hand, in a club with everything else."""
    world = make_world(stake=1000)
    club = world["club"]
    event = same_night(8, season=world["season"], stake=1000)
    release(event)
    everyone_gives(event)
    quick, slow = tables_of(event)
    people = {}
    for name, table in (("at the quick table", quick), ("at the slow table", slow)):
        member = make_member(club, "scorer")
        entrant = table.sitting.places.first().entrant
        players.take_player(player=entrant.player, user=member)
        people[name] = member
    games.deal_next(table_id=quick.table_id)
    games.deal_next(table_id=slow.table_id)
    return (
        world
        | {"event": event, "player": entrant.player, "quick": quick, "slow": slow}
        | {"people": people}
    )


def cautious(table):
    live.play_quickly(table)


def by_chance(table, seed):
    live.wander(table, random.Random(seed), moves=2000)


def nothing(_evening):
    """The quick table goes on to its second deal."""
    games.deal_next(table_id=_evening["quick"].table_id)


def ended(evening):
    sitting = evening["quick"].sitting_id
    results_in.end_table(sitting_id=sitting, by=owner_of(evening["club"]), now=True)


def read(evening, then):
    """What all those away from the quick table can read, by reader and address.

    While the table plays on, the organiser reads every page of the club too.
    """
    forget_all()
    cache.clear()
    slow = Table.objects.get(pk=evening["slow"].table_id)
    readers = {"stranger": Client(), "phone at the slow table": live.browser_of(slow, 1)}
    for who, user in (
        ("organiser", evening["visitors"]["organiser"]),
        ("at the slow table", evening["people"]["at the slow table"]),
    ):
        readers[who] = Client()
        readers[who].force_login(user)
    found = {}
    for name, path in paths(evening):
        of_night = any(part in path for part in evening["parts"]) or name in EVERYWHERE
        of_club = evening["club"].slug in path and then is nothing
        asking = READERS[then.__name__, name.startswith("tables:")] if of_night else ()
        for who in asking or ["organiser"] * of_club:
            found[who, path] = answer(readers[who], path)
            if path.endswith("/view/"):  # Of a page of this release, too: the other is renewed.
                found[who, path, "ours"] = answer(readers[who], path, **FETCH)
            if found[who, path][0] == NOT_TO_BE_READ:
                break
    for watching in (evening["quick"], evening["slow"]):
        row = positions.rows().get(pk=watching.table_id)
        seen = watched.as_seen(row, None)
        found["position", watching.pk] = (seen.game, seen.last, seen.replayed, seen.standings)
        found["stream", watching.pk] = feed_stream.lines(positions.of(row), frozenset([None]))
    news = NewsItem.objects.order_by("kind", "key", "user", "webhook")
    found["news", ""] = list(news.values_list("kind", "user", "webhook", "data", "body"))
    return found


def paths(evening):
    """The names and addresses of everything that answers at once."""
    event = evening["event"]
    quick, slow = evening["quick"].table, evening["slow"].table
    evening["parts"] = (f"/events/{event.pk}/", f"/nights/{event.pk}/", quick.key, slow.key,
                        evening["night"])  # fmt: skip
    found = []
    for table in (quick, slow):
        for name in sorted(own_addresses()):
            path = path_of(name, evening | {"table": table})
            if path and not any(part in name for part in BY_THE_CLOCK):
                found.append((name, path))
    return list(dict.fromkeys(found))


def path_of(name, evening):
    if name.startswith("league:deal") or name == "league:check_hand":
        more = [1, 1] if name == "league:deal" else []
        return reverse(name, args=[evening["club"].slug, evening["event"].pk, *more])
    try:
        return address(name, evening)
    except (NoReverseMatch, KeyError):
        return None


def answer(client, path, **headers):
    with transaction.atomic():
        response = client.get(path, headers=headers)
        transaction.set_rollback(True)
    content = b"" if response.streaming else response.content
    for chance in CHANCES:
        content = re.sub(chance, b"", content)
    return response.status_code, response.headers.get("Location"), content


def lived(evening, play, then, callbacks):
    """What can be read when the quick table has played its game so; then it never happened.

    Both times are the same ten minutes after the release: pages say how long ago it was.
    """
    released = evening["event"].rounds.get().released_at
    at = released + datetime.timedelta(minutes=10)
    with time_machine.travel(at, tick=False), transaction.atomic():
        with callbacks(execute=True):
            play(evening["quick"].table)
            seat = live.chair(evening["quick"].table, 0)
            if then is nothing:
                chat.say(seat_id=seat.pk, text=f"What a hand! {type(play).__name__}")
            results_in.sweep()
            then(evening)
        outcome = evening["quick"].table.games.get(no=1).outcome
        found = read(evening, then)
        transaction.set_rollback(True)
    return outcome, found


def differing(one, other):
    """The first line that is not the same."""
    texts = (str(each).replace("\\n", "\n").splitlines() for each in (one, other))
    lines = zip(*texts, strict=False)
    return next(((a[:200], b[:200]) for a, b in lines if a != b), ())


@pytest.mark.parametrize("then", share([nothing, ended], 1, of=2))
def test_nobody_else_can_tell_how_a_quick_table_played(
    evening, then, monkeypatch, django_capture_on_commit_callbacks
):
    monkeypatch.setattr(old_pages, "is_next", lambda: True)
    one, first = lived(evening, cautious, then, django_capture_on_commit_callbacks)
    for seed in range(5):  # Cards are dealt by chance: one of these games goes otherwise.
        play = partial(by_chance, seed=seed)
        other, second = lived(evening, play, then, django_capture_on_commit_callbacks)
        if one["placings"] != other["placings"]:
            break
    assert one["placings"] != other["placings"]
    assert set(first) ^ set(second) == set()
    told = [
        (*key, *differing(first[key], second[key])) for key in first if first[key] != second[key]
    ]
    assert told == []
    assert sum(answer[0] == 200 for answer in first.values() if isinstance(answer, tuple)) > 60
