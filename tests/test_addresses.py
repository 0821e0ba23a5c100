"""Every page of 574bd93 is found again: on which page, and in how many taps from a door.

`script/test --fast tests/test_addresses.py -s` prints the table.
"""

from __future__ import annotations

import re
from collections import Counter, deque

import pytest
from django.test import Client
from django.urls import Resolver404, resolve

from league.base.pages.doors import doors_of
from tests.factories import owner_of
from tests.test_rights import make_world

pytestmark = pytest.mark.django_db

EACH = 2
"""So many pages of one address are read: the tenth player leads to nothing new."""
MOST_TAPS = 5

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


def links_of(html: str) -> list[str]:
    return [link.partition("#")[0] for link in re.findall(r'<a\b[^>]*\bhref="(/[^"]*)"', html)]


def found_from_the_doors(client: Client) -> dict[str, tuple[int, str]]:
    """Return for each address the fewest taps from a door, and the page that has its link."""
    waiting = deque((door.address, 0, "a door") for door in doors_of("/"))
    done, read = {address for address, _taps, _on in waiting}, Counter[str]()
    found: dict[str, tuple[int, str]] = {}
    while waiting:
        path, taps, on = waiting.popleft()
        try:
            name = resolve(path.partition("?")[0]).view_name
        except Resolver404:
            continue
        found.setdefault(name, (taps, on))
        if read[name] == EACH or taps > MOST_TAPS:
            continue
        read[name] += 1
        answer = client.get(path)
        while answer.status_code == 302:
            answer = client.get(answer["Location"])
        if not answer.get("Content-Type", "").startswith("text/html"):
            continue
        here = f"{name} ({taps})"
        for link in links_of(answer.content.decode()):
            if link not in done:
                done.add(link)
                waiting.append((link, taps + 1, here))
    return found


def test_every_page_of_before_is_found_in_a_few_taps():
    owner = owner_of(make_world()["club"])
    owner.is_superuser = True
    owner.save()
    client = Client()
    client.force_login(owner)
    found = found_from_the_doors(client)
    for name in PAGES.split():
        taps, on = found.get(name, (0, "nowhere"))
        print(f"{name:32} {taps}  {on}")
    assert {name for name in PAGES.split() if name not in found} == set()
    assert {name for name in PAGES.split() if found[name][0] > MOST_TAPS} == set()
