"""Each format of a night on a phone: `script/gallery` takes pictures for docs/nights.md here."""

import uuid

import pytest
from django.urls import reverse
from playwright.sync_api import Page

from league.clubs.acts import players
from league.models import Event, Place
from league.nights.acts import ceremony, results
from league.online.acts import results_in
from league.seasons.acts import rosters
from tests.browser.conftest import seen, sign_in
from tests.factories import NAMES, make_night, make_round, make_season, owner_of

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.django_db(transaction=True)]

ONE_GAME = {"games_per_round": 1}
GROUPS = {"kind": "groups", "groups": 3, "group_rounds": 1, "final": 4}
QUEUE = {"kind": "loser_leaves", "tables": 2, "cap": 3}


def by_name(place: Place) -> int:
    """In the order of the names, bots last."""
    name = place.entrant.player.name
    return NAMES.index(name) if name in NAMES else len(NAMES)


def enter(event: Event) -> None:
    """Enter a game at each table of the last round, in the order of the list of names."""
    for sitting in event.rounds.latest("number").sittings.order_by("table_no"):
        seated = sorted(sitting.seated, key=by_name)
        results.record(
            sitting_id=sitting.pk,
            game_no=1,
            groups=[[place.entrant_id] for place in seated],
            client_id=uuid.uuid4(),
            by=owner_of(event.season.club),
        )


@pytest.mark.parametrize(
    ("kind", "people", "rounds", "plan", "heading"),
    [
        ("rounds", 12, 1, {**ONE_GAME, "rounds_planned": 3}, "Round 1 is done: all 3 games"),
        ("groups", 12, 2, {**ONE_GAME, "rounds_planned": 2, "format": GROUPS}, "The final"),
        ("knockout", 12, 2, {**ONE_GAME, "format": {"kind": "knockout"}}, "The final"),
        ("queue", 10, 1, {"counting": "average", "format": QUEUE}, "Waiting"),
        ("open", 11, 1, {"games_per_round": 3, "format": {"kind": "open"}}, "Waiting"),
        ("ceremony", 8, 2, {**ONE_GAME, "format": {"ceremony": 2}}, "Ceremony"),
        ("teams", 8, 1, {**ONE_GAME, "rounds_planned": 1}, "Teams"),
        ("bots", 7, 1, {**ONE_GAME, "rounds_planned": 1}, "Standings"),
    ],
)
def test_each_format_fits_a_phone(page: Page, live_server, kind, people, rounds, plan, heading):
    season = make_season()
    sign_in(page, owner_of(season.club))
    event = make_night(people, season=season, **plan)
    if kind == "bots":
        results_in.add_bot(event=event, bot="greedy", by=owner_of(season.club))
    for _round in range(rounds):
        make_round(event)
        enter(event)
    name, key = ("ceremony" if kind == "ceremony" else "event"), event.pk
    if kind == "teams":
        name, key = "rosters", season.pk
        for number, team in enumerate(["Bắc", "Nam", "Trung", "Tây"]):
            members = [players.named(club=season.club, name=one) for one in NAMES[number:8:4]]
            by = owner_of(season.club)
            rosters.save_roster(season=season, kind="team", name=team, members=members, by=by)
    if kind == "ceremony":
        ceremony.reveal_next(event=event, revealed=0, by=owner_of(season.club))
    shows = "?show=standings" if kind in ("groups", "knockout", "bots") else ""
    page.goto(live_server.url + reverse(f"league:{name}", args=[season.club.slug, key]) + shows)
    shown = page.get_by_role("heading", name=heading, exact=True).first
    shown.evaluate("e => { (e.closest('details') ?? {}).open = true; e.scrollIntoView(); }")
    seen(page, f"format-{kind}-360-en", whole=False)
