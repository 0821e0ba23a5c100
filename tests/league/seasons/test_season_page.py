"""A season's page: who stands where in a sentence, one plot at a time, and a menu for the rest."""

import re
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Strength
from league.nights.acts import closing
from league.seasons.acts import season_cache, seasons
from league.seasons.pages.bump import DATE, LEFT, WIDTH, bump_of
from league.seasons.pages.race import race_sums
from league.seasons.pages.season_pages import headline, strongest
from tests.factories import (
    browser_of,
    make_adjustment,
    make_member,
    make_night,
    make_round,
    make_season,
    make_table,
    names_at,
    owner_of,
    path_of,
    play,
)
from tests.league.clubs.test_people import rows_of

pytestmark = pytest.mark.django_db

RARE = (
    "events/new/",
    "recap/",
    "?full=1",
    "teams/",
    "adjustments/",
    "settings/",
    "schedules/",
    "import/",
)


def played(count=4, nights=1):
    """A season in which the same people come in the same order each night."""
    season = make_season()
    for _ in range(nights):
        event = make_night(count, season=season)
        for sitting in make_round(event).sittings.order_by("table_no"):
            play(sitting, sorted(names_at(sitting)))
        closing.close_event(event=event, by=owner_of(season), despite_unfinished=True)
    return season


def page_of(season, by=None, **asked):
    client = browser_of(by) if by else Client()
    return " ".join(client.get(path_of(season, "season"), asked).content.decode().split())


def menu_of(page):
    return page.split('class="menu-sheet"')[1].split("</details>")[0]


def test_a_night_called_off_is_marked_among_the_nights():
    season = played()
    assert "called off" not in page_of(season)
    night = make_night(0, season=season)
    closing.call_off(event=night, by=owner_of(season))
    row = page_of(season).split('id="events"')[1].split("</li>")[0]
    assert night.name in row
    assert "called off" in row


def test_a_member_reads_how_far_the_leader_is(client):
    rows = rows_of(played())
    first, second = rows[0], rows[1]
    gap = first.row.points - second.row.points
    assert gap == 1
    said = f"You're in place 2, 1 point behind {first.player.name}."
    assert headline(rows, [second.player.pk]) == said
    assert headline(rows, [first.player.pk]) == f"You lead, 1 point ahead of {second.player.name}."
    said = f"{first.player.name} leads, 1 point ahead of {second.player.name}."
    assert headline(rows, []) == said


def test_people_of_one_rank_are_said_to_be_level():
    season = make_season()
    sitting = make_table(make_night(4, season=season))
    names = sorted(names_at(sitting))
    play(sitting, names)
    play(sitting, names[1:2] + names[:1] + names[2:], game_no=2)
    rows = rows_of(season)
    one, two = rows[0], rows[1]
    assert headline(rows, []) == f"{one.player.name} and {two.player.name} lead, level."
    assert headline(rows, [two.player.pk]).endswith(f", level with {one.player.name}.")


def test_a_leader_with_fewer_points_is_not_said_to_be_ahead_by_them():
    season = make_season()
    sitting = make_table(make_night(4, season=season))
    first, second, *_others = names = sorted(names_at(sitting))
    play(sitting, names)
    make_adjustment(season, second, "5")
    season.tie_breaks = ["firsts", "points"]
    season.save()
    rows = rows_of(season)
    assert [one.player.name for one in rows[:2]] == [first, second]
    assert {headline(rows, own) for own in ([], [rows[0].player.pk], [rows[1].player.pk])} == {""}


def test_a_player_with_too_few_games_for_a_rank_is_not_who_the_leader_is_ahead_of():
    rows = rows_of(played())
    one, two = rows[0], rows[1]
    early = replace(two, row=replace(two.row, rank=None, points=one.row.points + 30))
    told = SimpleNamespace(first_who_played=lambda _most: [one, early], of=lambda _key: None)
    assert headline(told, []) == ""


def test_nothing_is_said_before_the_first_game():
    assert headline(rows_of(make_season()), []) == ""


def test_the_chart_draws_the_leader_and_the_neighbours_of_a_visitor():
    season = played(12, nights=3)
    rows = rows_of(season)
    order = [one.player.pk for one in rows]

    def drawn(*own):
        return {line.player.pk for line in bump_of(season, rows, own).lines}

    assert drawn() == set(order[:5])
    assert drawn(order[7]) == {order[0], *order[5:10]}


def test_the_chart_of_many_nights_is_as_wide_and_its_dates_stand_apart():
    season = played(4, nights=14)
    bump = bump_of(season, rows_of(season))
    dated = [x for x, _night, is_dated in bump.nights if is_dated]
    assert (len(bump.nights), bump.width) == (14, WIDTH + LEFT)
    assert (dated[0], dated[-1]) == (LEFT, bump.width)
    assert min(right - left for left, right in pairwise(dated)) > DATE


def test_the_charts_end_where_the_table_does_with_penalties_and_bonuses():
    season = played(5, nights=3)
    first, *_others, last = rows_of(season)
    night = season.events.order_by("date", "pk").first()
    make_adjustment(season, first.player.name, points="-20", event=night)
    make_adjustment(season, last.player.name, points="50")
    rows = rows_of(season)
    points = {row.player: row.row.points for row in rows}
    _nights, sums = race_sums(season, rows)
    assert {player: line[-1] for player, line in sums} == points
    assert sums[0][1][0] >= 50, "a bonus of the season lifts nobody during it"
    drawn = {line.player: line.rank for line in bump_of(season, rows).lines}
    assert drawn == {row.player: at for at, row in enumerate(rows, 1)}


def test_who_has_too_few_games_for_a_rank_is_in_no_chart_of_ranks():
    season = played(5, nights=2)
    event = make_night(4, season=season)
    play(sitting := make_round(event).sittings.get(), names_at(sitting))
    rows = rows_of(season)
    least = min(row.row.games for row in rows)  # Whoever the draws let sit out.
    often = {row.player for row in rows if row.row.games > least}
    assert 0 < len(often) < 5
    scoring = season.scoring | {"minimum_games": least + 1}
    seasons.change_scoring(season=season, by=owner_of(season), scoring=scoring)
    season.refresh_from_db()
    rows = rows_of(season)
    _nights, sums = race_sums(season, rows)
    assert {player for player, _line in sums} == often
    assert {line.player for line in bump_of(season, rows).lines} == often


def test_the_plot_of_ratings_has_the_strongest_and_the_visitor():
    season = played(12)
    players = list(season.club.players.order_by("pk"))
    for at, player in enumerate(players):
        Strength.objects.create(
            club=season.club,
            season=season,
            player=player,
            mu=40 - at,
            sigma=2,
            games=10 if at < 11 else 9,
            model=1,
            computed_at=timezone.now(),
        )
    shown = [rating.player for rating, _plot in strongest(season, [players[10].pk])]
    assert shown == [*players[:7], players[10]]
    [*_sure, (last, plot)] = strongest(season, [players[11].pk])
    assert (last.player, plot) == (players[11], None)


def test_the_menu_has_every_rare_act_and_the_page_none():
    season = played()
    page = page_of(season, owner_of(season))
    menu, main = menu_of(page), page.split("<main")[1]
    for address in RARE:
        assert address in menu
        assert address not in main
    assert "New night" not in menu_of(page_of(season, make_member(season.club, "player")))


def test_a_season_is_closed_and_reopened_from_its_menu():
    season = played()
    browser = browser_of(owner_of(season))
    path = path_of(season, "season")
    for status, act in (("closed", "Close the season"), ("open", "Reopen the season")):
        menu = menu_of(" ".join(browser.get(path).content.decode().split()))
        assert act in menu
        form = re.search(r'action="([^"]*status/)".*?name="status" value="(\w+)"', menu)
        browser.post(form[1], {"status": form[2]})
        season.refresh_from_db()
        assert season.status == status


def test_all_nights_are_a_page_of_their_own_on_a_phone():
    season = played()
    assert '?events=1"' in page_of(season)
    assert "on-nights" in page_of(season, events="1")


def test_who_is_found_by_name_is_ahead_of_the_next_place_and_not_of_the_next_found():
    """C has a win, B none: that parts those two, who are level, and says nothing of A."""
    night = make_night(4, games_per_round=2)
    sitting = make_table(night)
    a, b, c, d = names_at(sitting)
    play(sitting, [c, a, b, d])
    play(sitting, [a, b, d, c], game_no=2)
    for old, new in ((a, "Lan Hoa"), (b, "Lan Mai"), (c, "Vinh")):
        night.season.club.players.filter(name=old).update(name=new)
    season_cache.standings_of(season=night.season)
    by = owner_of(night)
    assert " ahead of " not in page_of(night.season, by, q="Lan")
    assert page_of(night.season, by).count("ahead of Lan Mai: first places 1–0") == 1
