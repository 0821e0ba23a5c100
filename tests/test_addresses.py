"""What is true of every page: found as in 574bd93, few fields, faces, no English left.

`script/test --fast tests/test_addresses.py -s` prints on which page each has its link, and how many
taps from a door.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.test import Client
from django.urls import Resolver404, URLResolver, get_resolver, resolve

from league.base.pages.doors import doors_of
from league.tasks import sweep_ratings
from tests.factories import browser_of, owner_of
from tests.test_languages import Page as Words
from tests.test_languages import left_in_english
from tests.test_rights import make_world

pytestmark = [pytest.mark.django_db, pytest.mark.always]  # They share one walk.

EACH = 2
"""So many pages of one address are read: the tenth player leads to nothing new."""
MOST_TAPS = 5
IN_VIETNAMESE = {"accept-language": "vi"}

PAGES = """
account_change_password account_email accounts:devices accounts:people accounts:person
accounts:security api:tokens home league:adjustments league:arena league:audit league:badges
league:bin league:bots_create league:calendar league:check_in league:close league:club
league:club_create league:club_import league:club_list league:club_settings
league:club_tables league:event league:event_create league:event_settings
league:event_share league:explain league:game league:import_players league:import_results
league:invitations league:league_create league:members 
league:online league:past_seasons league:player
league:player_edit league:players league:posting_create league:print league:rosters
league:round league:round_explain league:rules league:rules_create league:rules_edit
league:rules_list league:schedule_create league:schedules league:season league:season_create
league:season_explain league:season_money league:season_pictures league:season_ratings
league:season_recap league:season_settings league:sign_up league:stakes league:table
league:tonight league:wall league:webhooks learn lesson me mfa_index my_bank my_news offers records
rules_card search server server_licences tables:lobby tables:ratings verification
"""
"""The pages of 574bd93 that a person opens; their addresses are still the same.

Five more need a stake or a closed night, which this club lacks.
"""


SIX = 6
"""So many fields at most are seen at first; others are folded away."""


@dataclass(frozen=True)
class Page:
    """A page of the product: the fewest taps from a door, the page with its link, what was read."""

    taps: int
    on: str
    read: list[Reading]


class Reading(HTMLParser):
    """Links, fields in main that are not folded away, and names of players without a face."""

    ROWS = ("li", "tr", "p", "dd", "dt", "h1", "h2", "h3", "figure", "td", "section")

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.links: list[str] = []
        self.fields: set[str] = set()
        self.faceless: list[str] = []
        self._folded: list[bool] = []
        self._rows: list[tuple[str, list[str], list[bool]]] = []
        self._main = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._main = self._main or tag == "main"
        if tag == "details":
            self._folded.append("open" not in given)
        if tag == "a" and (there := given.get("href") or "").startswith("/"):
            self.links.append(there.partition("#")[0])
        if not self._main:
            return
        seen = tag in ("input", "select", "textarea") and given.get("type") not in UNSEEN
        if seen and not any(self._folded):
            self.fields.add(given.get("name") or "")
        if tag in self.ROWS:
            self._rows.append((tag, [], []))
        if tag == "a" and re.fullmatch(
            r"/clubs/[^/]+/players/\d+/(\?.*)?", given.get("href") or ""
        ):
            for _tag, people, _faces in self._rows[-1:]:
                people.append(given["href"] or "")
        if "ava" in (given.get("class") or "").split():
            for _tag, _people, faces in self._rows:
                faces.append(True)

    def handle_endtag(self, tag: str) -> None:
        if tag == "details" and self._folded:
            self._folded.pop()
        if tag == "main":
            self._main = False
        while tag in self.ROWS and self._rows:
            closed, people, faces = self._rows.pop()
            if people and not faces:
                if self._rows and closed not in ("li", "tr", "section"):
                    self._rows[-1][1].extend(people)
                else:
                    self.faceless.extend(people)
            if closed == tag:
                return


UNSEEN = ("hidden", "submit")


def found_from_the_doors(client: Client) -> dict[str, Page]:
    """Return each address as it is found, with the fewest taps first."""
    waiting = deque((door.address, 0, "a door") for door in doors_of("/"))
    done = {address for address, _taps, _on in waiting}
    found: dict[str, Page] = {}
    while waiting:
        path, taps, on = waiting.popleft()
        try:
            name = resolve(path.partition("?")[0]).view_name
        except Resolver404:
            continue
        page = found.setdefault(name, Page(taps, on, []))
        if len(page.read) == EACH or taps > MOST_TAPS:
            continue
        answer = client.get(path, headers=IN_VIETNAMESE)
        while answer.status_code == 302:
            answer = client.get(answer["Location"], headers=IN_VIETNAMESE)
        is_page = answer.get("Content-Type", "").startswith("text/html")
        page.read.append(Reading(answer.content.decode() if is_page else ""))
        for link in page.read[-1].links:
            if link not in done:
                done.add(link)
                waiting.append((link, taps + 1, f"{name} ({taps})"))
    return found


@cache
def walked() -> dict[str, Page]:
    owner = owner_of(make_world(rules="mien-nam", stake=5)["club"])
    owner.is_superuser = True
    owner.save()
    sweep_ratings()
    return found_from_the_doors(browser_of(owner))


def test_every_page_of_before_is_found_in_a_few_taps():
    found = walked()
    for name in PAGES.split():
        taps, on = (found[name].taps, found[name].on) if name in found else (0, "nowhere")
        print(f"{name:32} {taps}  {on}")
    assert {name for name in PAGES.split() if name not in found} == set()
    assert {name for name in PAGES.split() if found[name].taps > MOST_TAPS} == set()


def test_at_most_six_fields_are_seen_at_first_on_any_page():
    seen = {
        name: max((read.fields for read in page.read), key=len, default=set())
        for name, page in walked().items()
    }
    for name, fields in sorted(seen.items(), key=lambda one: -len(one[1]))[:15]:
        print(f"{name:32} {len(fields)}  {' '.join(sorted(fields))}")
    assert {name for name, fields in seen.items() if len(fields) > SIX} == set()


def test_a_person_is_named_with_a_face_on_every_page():
    without = {
        name: found
        for name, page in walked().items()
        if (found := [one for read in page.read for one in read.faceless])
    }
    for name, people in without.items():
        print(f"{name:32} {len(people)}")
    assert {*without} == set()


def test_no_page_has_an_english_sentence_in_vietnamese():
    left = {
        name: found
        for name, page in walked().items()
        if (found := [one for read in page.read for one in left_in_english(Words(read.html).text)])
    }
    assert left == {}


def paths_of(resolver: URLResolver, before: str = "") -> Iterator[str]:
    """Each pattern below, with its parameters' kinds in place of their names."""
    for one in resolver.url_patterns:
        path = before + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from paths_of(one, path)
        else:
            yield re.sub(r"<(?:(\w+):)?\w+>", lambda found: f"<{found[1] or 'str'}>", path)


def test_every_address_of_before_still_leads_somewhere():
    """The button that opened a list's own link is the one for the night's link now."""
    before = set((Path(__file__).parent / "data/addresses.txt").read_text().split())
    gone = before - {*paths_of(get_resolver())}
    assert gone == {"clubs/<slug>/events/<int>/sign-up/link/"}
