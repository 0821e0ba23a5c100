"""Bots never count among people, unless a season is one of bots."""

import importlib
import re

import pytest
from django.apps import apps
from django.urls import reverse

from engine.bots import LADDER
from engine.rules import ruleset
from league.clubs.acts import players
from league.models import Audit, RatingState, Season, SeasonTable
from league.nights.facts.final_places import event_places, podium
from league.online.acts import results_in
from league.proof.facts import verify
from league.seasons.acts import bot_ratings, season_cache, seasons
from league.seasons.domain.standings.tie_breaks import DEFAULT
from league.seasons.facts import ratings
from league.seasons.pages.past_seasons import past_seasons
from league.seasons.pages.player_page import WAYS
from league.seasons.pages.race import season_pictures
from tables.base.faces import faces
from tests.factories import (
    make_night,
    make_round,
    make_season,
    make_tournament,
    names_at,
    owner_of,
    path_of,
    play,
    play_tournament,
)
from tests.worlds import lived_from, made_once

pytestmark = pytest.mark.django_db

lived = lived_from("2026-11-20 12:00Z")


@made_once
def season():
    return make_season(rules="thirteen")


BOTS = ("greedy", "lowest", "random", "random")


def tournament(season, *, deals=10):
    """A bot tournament, played and closed: forty games, far more than people play."""
    event = make_tournament(season, *BOTS, deals=deals, ruleset=ruleset.preset("thirteen"))
    play_tournament(event)
    return event


def played_night(season, *, bot=False):
    """A night with one game of three people and, where asked for, a bot; the bot comes first."""
    night = make_night(3 if bot else 4, season=season, games_per_round=1)
    if bot:
        results_in.add_bot(event=night, bot="greedy", by=owner_of(season))
    sitting = make_round(night).sittings.get()
    order = sorted(names_at(sitting), key=lambda name: (not name.endswith("(bot)"), name))
    keys = dict(night.entrants.values_list("player__name", "pk"))
    play(sitting, [], groups=[[keys[name]] for name in order])
    return night, order


def ranks(season):
    rows = season_cache.standings_of(season=season).rows
    return [(s.player.name, s.row.rank) for s in rows]


def test_a_bot_tournament_leaves_the_season_of_people_as_it_was(season, client):
    _night, order = played_night(season)
    before = ranks(season)
    assert before == [(name, rank) for rank, name in enumerate(order, start=1)]
    tournament(season)
    assert ranks(season) == before
    pictures = season_pictures(season, season_cache.standings_of(season=season).rows)
    assert [s.player.name for s in pictures.podium] == order[:3]
    assert [s.player.name for s in pictures.names] == order
    csv = client.get(path_of(season, "season_csv", "standings"))
    assert [line.split(",")[1] for line in csv.content.decode().splitlines()[1:]] == order
    rows = client.get(path_of(season, "api:season_standings")).json()["results"]
    assert [row["name"] for row in rows] == order
    page = client.get(path_of(season, "season")).content.decode()
    assert "New bot tournament" not in page
    seasons.set_status(season=season, status="open", by=owner_of(season))
    assert past_seasons([season])[0].nights == 1
    assert list(verify.everything()) == []


def test_a_bot_that_was_drawn_stands_apart_and_people_keep_their_places(season):
    night, (bot, *people) = played_night(season, bot=True)
    assert bot == "greedy (bot)"
    assert ranks(season) == [*((name, no) for no, name in enumerate(people, 1)), (bot, None)]
    shown = event_places(night)
    assert [(one.player.name, one.row.rank) for one in shown] == ranks(season)
    assert [one.row.points for one in shown] == [2, 1, 0, 3]
    assert [one.player.name for one in podium(shown)] == people
    assert list(verify.everything()) == []


def test_a_season_of_bots_ranks_them_and_counts_their_tournaments(season):
    tournament(season)
    assert ranks(season) == []
    seasons.change_scoring(
        season=season, scoring=season.scoring, tie_breaks=DEFAULT, ranks_bots=True,
        by=owner_of(season),
    )  # fmt: skip
    season.refresh_from_db()
    assert [rank for _name, rank in ranks(season)] == [1, 2, 3, 4]
    assert Audit.objects.filter(action="season.bots_ranked").count() == 1
    assert list(verify.everything()) == []


def test_every_house_bot_says_how_it_plays():
    assert list(WAYS) == list(LADDER)


def test_the_page_of_a_bot_stands_with_the_bots_and_says_its_rating_and_tournaments(season, client):
    event = tournament(season)
    Season.objects.filter(pk=season.pk).update(ranks_bots=True)
    bot_ratings.rate_behind()
    season.refresh_from_db()
    (bot,) = season.club.players.filter(bot="greedy")
    page = client.get(path_of(season.club, "player", bot.pk)).content.decode()
    door = client.get(path_of(season.club, "arena")).content.decode()
    words = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    shown = re.search(r"([\d,]+) ±(\d+) rank (\d) of 3 Plays its lowest cards first", words)
    assert shown
    assert f"{shown[1]} <small>±{shown[2]}<" in door
    ranking = client.get(path_of(season.club, "arena")).context["page"].ranking
    assert [bot.place for bot in ranking.bots if bot.name == "greedy"] == [int(shown[3])]
    assert "Places 40 games" in words
    shares = re.search(r"(\d+)% first (\d+)% second (\d+)% third (\d+)% last", words)
    assert shares
    assert 98 <= sum(map(int, shares.groups())) <= 102
    assert f'href="{reverse("league:event", args=[season.club.slug, event.pk])}"' in page
    assert "third night" not in page
    assert re.search(r'href="/bots/" aria-current="page"', page)
    assert bot.face == faces(["greedy"])[0]


def test_a_bot_entered_twice_is_rated_as_one_and_each_entry_has_its_face_everywhere(season, client):
    event = make_tournament(
        season, "greedy", "greedy", "lowest", "random", ruleset=ruleset.preset("thirteen")
    )
    play_tournament(event)
    Season.objects.filter(pk=season.pk).update(ranks_bots=True)
    bot_ratings.rate_behind()
    one, other = season.club.players.filter(bot="greedy").order_by("name")
    pages = [
        client.get(path_of(season.club, "player", bot.pk)).content.decode() for bot in (one, other)
    ]
    assert ["rated as greedy" in page for page in pages] == [False, True]
    assert all("of 3" in page for page in pages)
    door = client.get(path_of(season.club, "arena")).context["page"]
    assert sorted(bot.name for bot in door.ranking.bots) == ["greedy", "lowest", "random"]
    replay = client.get(path_of(season.club, "replay", event.pk, 1, 1))
    shown = {seat.name: seat.face for seat in replay.context["seats"]}
    assert shown == {name: faces([name])[0] for name in ("greedy", "greedy 2", "lowest", "random")}
    assert other.face == shown["greedy 2"]


def test_the_ranking_and_a_bots_page_show_its_newest_version(season, client):
    greedy = players.of_bots(season.club, ["greedy"], owner_of(season))[0]
    pool = [
        {"name": name, "version": version, "rating": rating, "low": 0.0, "high": 9.0, "games": 8}
        for name, version, rating in (("greedy", 1, 90.0), ("greedy", 2, 10.0), ("lowest", 1, 0.0))
    ]
    RatingState.objects.create(club=season.club, bots=[pool])
    ranking = client.get(path_of(season.club, "arena")).context["page"].ranking
    assert [(bot.name, bot.rating) for bot in ranking.bots] == [("greedy", 1010), ("lowest", 1000)]
    assert ratings.rating_of_bot(greedy) == (1010, 4.5, 1, 2)


def test_the_upgrade_puts_existing_seasons_right_and_says_so():
    people, machines = make_season(rules="thirteen"), make_season(rules="thirteen")
    played_night(people)
    tournament(people, deals=1)
    tournament(machines, deals=1)
    untouched = make_season()
    made = [people.pk, machines.pk, untouched.pk]
    played_night(untouched)
    season_cache.prepare(season=people)
    # As the release before stamped its rows.
    SeasonTable.objects.filter(season=people).update(stamp="abc:1|0:0|2:9")
    importlib.import_module("league.migrations.0002_squashed_0360_log_outlasts_nights").put_apart(
        apps, None
    )
    assert list(Season.objects.filter(pk__in=made, ranks_bots=True)) == [machines]
    told = Audit.objects.filter(action="season.bots_apart")
    assert [(line.club_id, line.data) for line in told] == [(people.club_id, {"season": people.pk})]
    assert len(ranks(people)) == 4


def test_the_arena_shows_tournaments_and_standings_to_all_and_the_button_to_organisers(
    season, client
):
    event = tournament(season)
    address = path_of(season.club, "arena")
    page = client.get(address)
    assert [shown.pk for shown in page.context["page_obj"]] == [event.pk]
    assert [bot.name for bot in page.context["page"].ranking.bots] == []
    assert "0 / 40" not in page.content.decode()
    assert "New bot tournament" not in page.content.decode()
    client.force_login(owner_of(season))
    assert "New bot tournament" in client.get(address).content.decode()
    machines = make_season(season.club, rules="thirteen")
    Season.objects.filter(pk=machines.pk).update(ranks_bots=True)
    make_season(season.club, rules="thirteen")
    offered = path_of(season.club, "bots_create", machines.pk)
    assert f'href="{offered}"' in client.get(address).content.decode()
