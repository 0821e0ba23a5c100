"""Handicap: who is rated below the strongest starts with points, and the sum says so."""

import pytest
from django.utils import timezone, translation

from league.models import Strength
from league.nights.acts import attendance, draws
from league.seasons.facts.standings import event_standings
from tests.factories import browser_of, make_night, make_round, owner_of, path_of, play

pytestmark = pytest.mark.django_db


def rate(event, **ratings):
    club = event.season.club
    for name, mu in ratings.items():
        player = club.players.get(name=name)
        Strength.objects.create(club=club, season=None, player=player, mu=mu, sigma=1, games=50,
                                model=1, computed_at=timezone.now())  # fmt: skip


def started(event):
    found = event.adjustment_set.in_force().filter(cause="handicap")
    return {a.player.name: float(a.points) for a in found.select_related("player")}


def test_points_to_start_with_by_rating_are_in_the_standings_once():
    event = make_night(4, games_per_round=1, format={"handicap": 4})
    rate(event, An=31, Chi=28.5)
    drawn = make_round(event)
    assert started(event) == {"Bình": 2.5, "Chi": 1.0, "Dũng": 2.5}  # newcomers count as 25
    draws.discard_round(round_=drawn, by=owner_of(event), reason="wrong")
    assert started(event) == {}  # Who never sits down has none.
    [table] = make_round(event).sittings.all()
    assert len(started(event)) == 3
    play(table, ["An", "Bình", "Chi", "Dũng"])
    rows = {s.player.name: s.row.points for s in event_standings(event)}
    assert rows == {"An": 3, "Bình": 4.5, "Chi": 2, "Dũng": 2.5}


def test_who_comes_later_starts_by_the_same_measure_and_nobody_without_a_handicap():
    event = make_night(4, format={"handicap": 4})
    rate(event, An=30)
    make_round(event)
    by = owner_of(event)
    guest = attendance.add_guest(event=event, name="Hạnh", by=by)
    an = event.season.club.players.get(name="An")
    attendance.set_presence(event=event, player_ids=[an.pk], presence="left", by=by)
    make_round(event)
    assert started(event)[guest.player.name] == 2.0
    plain = make_night(4)
    rate(plain, An=30)
    make_round(plain)
    assert started(plain) == {}


def test_the_reason_of_a_rule_is_said_in_the_readers_language():
    event = make_night(4, format={"handicap": 4})
    rate(event, An=30)
    with translation.override("vi"):
        make_round(event)
    club, by = event.season.club, owner_of(event)
    reader = browser_of(by)
    given = event.adjustment_set.first()
    for path in (
        path_of(event.season, "adjustments"),
        path_of(event, "explain", given.player_id),
        path_of(club, "audit"),
    ):
        for language, word in (("en", "handicap"), ("vi", "chấp điểm")):
            page = reader.get(path, headers={"Accept-Language": language}).content.decode()
            assert word in page, (path, language)
