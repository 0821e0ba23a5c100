"""Tallies, the stages of a cup and the proof read the same games, each in its own way."""

import pytest

from league.clubs.acts import merges, players
from league.models import Event, Sitting
from league.nights.facts import stages
from league.proof.facts.rebuilt_standings import Rebuilt
from league.seasons.facts import standings
from tests.factories import make_adjustment, make_season, owner_of
from tests.league.nights.test_stages import groups_night, play_all
from tests.league.nights.waitlist_helpers import open_floor

pytestmark = pytest.mark.django_db


def test_standings_the_cup_and_the_proof_count_the_same_games():
    event = groups_night(8, season=make_season(rules="killa"), stake=5)
    season, owner = event.season, owner_of(event)
    play_all(open_floor(event))
    punished = event.entrants.first().player
    make_adjustment(season, punished.name, "-2", event=event, stage="group")
    play_all(open_floor(event))
    other = players.add_player(club=season.club, name="Another name", by=owner)
    alias = event.entrants.exclude(player=punished).last().player
    merges.merge(alias=alias, into=other, by=owner)
    event = Event.objects.get(pk=event.pk)
    shown = {one.player.pk: one.row for one in standings.event_standings(event)}
    played = stages.Played(event)
    sittings = Sitting.objects.filter(round__event=event).values_list("pk", flat=True)
    people = {played.person(entrant) for entrant in played.entrants}
    cup = {played.player(row): row for row in played.rows(sittings, people, stage="group")}
    assert shown.keys() == cup.keys() >= {other.pk}
    assert alias.pk not in cup
    for key, row in shown.items():
        same = ("points", "games", "counts", "lasts", "average_place", "beaten", "money", "rank")
        assert {name: getattr(row, name) for name in same} == {
            name: getattr(cup[key], name) for name in same
        }
    assert Rebuilt(season).night(event) == {
        key: (row.points, row.nights) for key, row in shown.items()
    }
