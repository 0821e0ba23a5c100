"""Points for final places of nights, from the form to every table that sums them."""

import pytest

from league.clubs.acts import merges, players
from league.nights.acts import attendance, closing
from league.proof.facts import verify
from league.seasons.acts import adjustments, season_cache, seasons
from league.seasons.facts.standings import event_standings, season_standings
from league.seasons.forms.settings import ScoringForm
from tests.factories import make_adjustment, make_season, make_table, owner_of, path_of, play
from tests.league.nights.test_final_places import cup_of_eight
from tests.league.seasons.test_seasons import played_night

pytestmark = pytest.mark.django_db


def points(season):
    """What the season gives everyone who has something; the cache and a rebuild agree with it."""
    found = {s.player.name: s.row.points for s in season_standings(season)}
    cached = season_cache.standings_of(season=season).rows
    assert {s.player.name: s.row.points for s in cached} == found
    assert list(verify.page_rows(season)) == []
    for standing in season_standings(season):
        assert sum(line.total for line in standing.row.explain) == standing.row.points
    return {name: float(value) for name, value in found.items() if value}


def test_a_cup_gives_its_season_points_for_final_places_once_it_is_closed(client):
    season = make_season()
    club, by = season.club, owner_of(season)
    client.force_login(by)
    settings = path_of(season, "season_settings")
    form = ScoringForm.initial_of(seasons.Scoring.from_json(season.scoring), season.tie_breaks)
    form = {name: "" if value is None else value for name, value in form.items()}
    wrong = client.post(settings, form | {"gives": "places", "place_points": "25 18 20"})
    assert wrong.status_code == 422
    assert list(wrong.context["form"].errors) == ["place_points"]
    form |= {"gives": "places", "place_points": "25 18 15 12 10 8 6 4"}
    assert client.post(settings, form).status_code == 302
    season.refresh_from_db()
    event, (a, b, c, d, e, f, g, h) = cup_of_eight(season=season)
    of_games = [(s.player.name, s.row.points) for s in event_standings(event)]
    assert points(season) == {}  # It is not over yet.
    closing.close_event(event=event, by=by)
    # The final ended F B A E. C and G share 5 and 6: (10 + 8) / 2; D and H 7 and 8: (6 + 4) / 2.
    paid = {f: 25, b: 18, a: 15, e: 12, c: 9, g: 9, d: 5, h: 5}
    assert points(season) == paid
    assert [(s.player.name, s.row.points) for s in event_standings(event)] == of_games

    page = client.get(path_of(season, "season")).content.decode()
    ranks = page[page.index("<tbody") :]
    assert ranks.index(f) < ranks.index(b) < ranks.index(a) < ranks.index(e)
    frame = client.get(path_of(club, "event", event.pk)).context["night"].frame
    assert frame.line[-1].text == "Gives the season points for its final places."
    third = club.players.get(name=c)
    explain = path_of(season, "season_explain", third.pk)
    assert "final place 5 shared by 2" in " ".join(client.get(explain).content.decode().split())
    csv = path_of(season, "season_csv", "standings")
    assert f"{f},25" in client.get(csv).content.decode("utf-8-sig")
    api = f"/api/v1/clubs/{club.slug}/events/{event.pk}/"
    assert client.get(api).json()["gives"] == "places"
    half = client.patch(api, {"weight": "1/2"}, content_type="application/json")
    assert half.status_code == 200, half.content
    assert points(season) == {name: value / 2 for name, value in paid.items()}
    nothing = client.post(path_of(club, "event_worth", event.pk),
                          {"gives": "nothing"})  # fmt: skip
    assert nothing.status_code == 302
    assert [s.player.name for s in season_standings(season)] == []
    assert [name for name, _points in of_games] == [s.player.name for s in event_standings(event)]


def test_places_follow_what_changes_after_the_close_and_count_with_the_best_nights():
    season = make_season(gives="places", place_points=["10", "6", "3"], best_of=1)
    event, (a, b, c, _d) = played_night(season=season, games_per_round=1)
    by = owner_of(season)
    closing.close_event(event=event, by=by)
    assert points(season) == {a: 10, b: 6, c: 3}
    people = {entrant.player.name: entrant.player for entrant in event.entrants.all()}
    # Of the game A has 3, B 2, C 1, D 0: with 2.5 less A is third, and the season takes no more.
    penalty = make_adjustment(season, a, "-2.5", event=event)
    assert points(season) == {b: 10, c: 6, a: 3}
    adjustments.revoke(adjustment=penalty, by=by)
    assert points(season) == {a: 10, b: 6, c: 3}
    second, order = played_night(season=season, games_per_round=1)
    closing.close_event(event=second, by=by)
    best = {name: max({a: 10, b: 6, c: 3}.get(name, 0), place)
            for name, place in zip(order, (10, 6, 3, 0), strict=True)}  # fmt: skip
    assert points(season) == {name: value for name, value in best.items() if value}
    closing.reopen_event(event=second, by=by)
    assert points(season) == {a: 10, b: 6, c: 3}
    # Whom a name of the night turns out to be has its place, until they are told apart again.
    real = players.add_player(club=season.club, name="Người thật", by=by)
    merges.merge(alias=people[b], into=real, by=by)
    assert points(season) == {a: 10, real.name: 6, c: 3}
    merges.unmerge(alias=people[b], by=by)
    assert points(season) == {a: 10, b: 6, c: 3}


def test_the_places_of_a_closed_night_follow_when_two_of_its_names_turn_out_to_be_one():
    season = make_season(gives="places", place_points=["10", "6", "4", "2"])
    event, (a, b, c, d) = played_night(season=season, games_per_round=1)
    by = owner_of(season)
    first = event.entrants.get(player__name=d).player
    other = players.add_player(club=season.club, name="Người khác", by=by)
    for player, presence in ((first, "left"), (other, "here")):
        attendance.set_presence(event=event, player_ids=[player.pk], presence=presence, by=by)
    play(make_table(event), [a, b, c, other.name])
    closing.close_event(event=event, by=by)
    assert points(season) == {a: 10, b: 6, c: 4, d: 1, other.name: 1}  # They share 4 and 5.
    merges.merge(alias=other, into=first, by=by)
    assert points(season) == {a: 10, b: 6, c: 4, d: 2}
