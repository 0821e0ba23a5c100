"""What can be done on a night stays to be found: who runs it, a player's phone, a stranger.

`tests/data/acts.txt` has a row for each: the moment, who, the taps to it from the night's first
page, and the act as its view with its button. A row may come nearer; who takes one away says so
there.
"""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from html.parser import HTMLParser
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import Resolver404, resolve

from league.models import Event
from league.nights.acts import closing, disputes, draws
from league.turnout.acts import sign_ups
from tests.factories import (
    browser_of,
    make_night,
    make_paid_night,
    make_round,
    night_link,
    owner_of,
    path_of,
    play,
)
from tests.league.nights.test_stages import groups_night
from tests.league.nights.waitlist_helpers import open_floor
from tests.plugins.place import ROOT

pytestmark = pytest.mark.django_db

ACTS = ROOT / "tests/data/acts.txt"
MOST_TAPS = 3
"""The night's first page is one tap from its own acts, two pages further are three."""
EACH = 2
"""Of pages that are alike, tables for example, so many are looked at."""
FAR = 2
"""So many taps further than it was an act may be."""


def before() -> Event:
    event = make_night(0)
    event.date = event.season.club.today + timedelta(days=7)
    event.save()
    sign_ups.open_list(event=event, by=owner_of(event))
    return event


def gathering() -> Event:
    return make_night(9, stake=10_000)


def draft() -> Event:
    event = make_night(9)
    draws.draw_round(event=event, by=owner_of(event), seed=1)
    return event


def playing() -> Event:
    """One of two tables has a game, which a player disputes."""
    event = make_night(8, rules="killa", stake=10_000, rounds_planned=2)
    sitting = make_round(event).sittings.all()[0]
    play(sitting)
    told = {"sitting_id": sitting.pk, "game_no": 1, "by": None, "note": "I was second"}
    disputes.open_dispute(**told)
    return event


def over() -> Event:
    event = make_paid_night(10_000)
    closing.close_event(event=event, by=owner_of(event), despite_unfinished=True)
    return event


def one_table() -> Event:
    event = make_night(4, format={"kind": "loser_leaves"})
    play(open_floor(event).sittings.get())
    return event


def queue() -> Event:
    event = make_night(6, format={"kind": "loser_leaves"})
    open_floor(event)
    return event


def same_cards() -> Event:
    return make_night(8, format={"same_deals": True}, rounds_planned=2, games_per_round=4)


def cup() -> Event:
    """Both groups are played, the final is to be drawn."""
    event = groups_night(8)
    for sitting in make_round(event).sittings.all():
        play(sitting)
    return event


MOMENTS = (before, gathering, draft, playing, over, one_table, queue, same_cards, cup)


class Act(NamedTuple):
    moment: str
    who: str
    name: str


class Found(HTMLParser):
    """The links of a page, and what its buttons send: the view, the button, the fields' names."""

    def __init__(self, here: str, html: str) -> None:
        super().__init__()
        self.here, self.links, self.acts = here, list[str](), list[str]()
        self._action = self._hidden = ""
        self._outside: list[dict[str, str | None]] = []
        self._forms: dict[str, str] = {}
        self.feed(html)
        for button in self._outside:
            self._send(self._forms.get(button.get("form") or "", ""), button)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "a":
            self.links.append((given.get("href") or "").partition("#")[0])
        elif tag == "form" and (given.get("method") or "").lower() == "post":
            self._action = urlsplit(given.get("action") or self.here).path
            self._forms[given.get("id") or ""] = self._action
        elif tag == "button" and {"disabled", "hidden"} <= given.keys():
            return  # It keeps Enter from sending the next one.
        elif tag == "button" and given.get("type") in (None, "submit"):
            if given.get("form"):
                self._outside.append(given)
            else:
                self._send(self._action, given)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._action = ""

    def _send(self, action: str, button: dict[str, str | None]) -> None:
        """Keep the act of a button; keys of rows and secrets are all the same."""
        action = button.get("formaction") or action
        if not action:
            return
        name, value = button.get("name"), button.get("value") or ""
        said = value if re.fullmatch(r"[a-z_]{1,20}", value) else "N" if value else ""
        self.acts.append(f"{resolve(action).view_name}{f' {name}={said}' if name else ''}")


def visitors(event: Event) -> Iterator[tuple[str, Client, str]]:
    """Who comes, with a browser and the page that is first for them."""
    first = path_of(event, "event")
    yield "host", browser_of(owner_of(event)), first
    yield "stranger", Client(), first
    phone, link = Client(), night_link(event)
    if entrant := event.entrants.first():
        phone.post(link, {"me": entrant.player_id})
    yield "phone", phone, link


def acts_of(client: Client, first: str, own: str) -> dict[str, int]:
    """Return the acts that are found from this page on the night's own pages, with the taps."""
    found: dict[str, int] = {}
    looked: dict[str, int] = {}
    known, pages = {first}, [first]
    for taps in range(1, MOST_TAPS + 1):
        further = []
        for path in pages:
            answer = client.get(path, follow=True)
            if not answer.get("Content-Type", "").startswith("text/html"):
                continue
            page = Found(answer.request["PATH_INFO"], answer.content.decode())
            for act in page.acts:
                found.setdefault(act, taps)
            for link in page.links:
                kind = kind_of(link, own)
                if kind and link not in known and looked.get(kind, 0) < EACH:
                    known.add(link)
                    looked[kind] = looked.get(kind, 0) + 1
                    further.append(link)
        pages = further
    return found


def kind_of(link: str, own: str) -> str:
    """Return which of the night's pages this is, "" if it is none."""
    path, _, query = link.partition("?")
    if not path.startswith((own, "/clubs/~")):
        return ""
    try:
        return f"{resolve(path).view_name} {re.sub(r'[0-9]+', 'N', query)}"
    except Resolver404:
        return ""


def acts_now(moment: Callable[[], Event]) -> dict[Act, int]:
    event = moment()
    own = path_of(event, "event")
    return {
        Act(moment.__name__, who, act): taps
        for who, client, first in visitors(event)
        for act, taps in acts_of(client, first, own).items()
    }


def acts_kept() -> dict[Act, int]:
    rows = (row.split("\t") for row in ACTS.read_text(encoding="utf-8").splitlines())
    return {Act(moment, who, act): int(taps) for moment, who, taps, act in rows}


@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: moment.__name__)
def test_what_can_be_done_on_a_night_is_found_where_it_was(moment):
    now = acts_now(moment)
    kept = {act: taps for act, taps in acts_kept().items() if act.moment == moment.__name__}
    rows = [f"{act.moment}\t{act.who}\t{taps}\t{act.name}" for act, taps in sorted(now.items())]
    print(*rows, sep="\n")
    assert kept.keys() - now.keys() == set(), "gone, or further away than three taps"
    assert {act: (taps, now[act]) for act, taps in kept.items() if now[act] > taps + FAR} == {}
    assert now.keys() - kept.keys() == set(), "new: its row above belongs into acts.txt"
