"""A cup's gold is the final's for every reader; points of all games bear no medals."""

import re
from collections import Counter

import pytest
from django.urls import reverse

from league.exchange.pages import csv_tables
from league.nights.acts import closing
from league.nights.facts.final_places import event_places, podium
from league.nights.pages.wall import screen_of
from league.recap.pages.recap import recap_page
from league.recap.pages.tonight import club_home
from league.seasons.pages.last_places import last_places
from tests.factories import browser_of, names_at, owner_of, path_of, play
from tests.league.nights.test_stages import groups_night, play_all
from tests.league.nights.waitlist_helpers import open_floor
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


def before_the_final():
    """A cup whose third of group 1 has most points by all games: ten, all but one beside the final.

    Returns it with its final's table, the players of the final from first to last, and that third.
    """
    event = groups_night(8, games_per_round=3)
    (a, b, third, d), (e, f, g, h) = play_all(open_floor(event)).values()
    final, beside = open_floor(event).sittings.all()
    for _game in range(3):
        play(beside, [third, d, g, h])
    return event, final, [f, b, a, e], third


@made_once
def cup():
    event, final, order, third = before_the_final()
    play(final, order)
    return event, order, third


def by_name(event):
    return {entrant.player.name: entrant.player for entrant in event.entrants.all()}


def shown(event):
    """The night's page without its tables, and its standings."""
    text = browser_of(owner_of(event)).get(path_of(event, "event")).content.decode()
    return text, text.split('class="standings"')[1].split("</table>")[0]


def test_whoever_was_eliminated_has_no_gold_on_any_page(cup):
    event, order, third = cup
    people, club = by_name(event), event.season.club
    assert [one.player.name for one in event_places(event)[:4]] == order
    # The first rows of everyone else who tells the night's places.
    [night] = club_home(event.season.club, None, may_organise=False).running
    assert [one.player.name for one in night.leaders.rows] == order[:3]
    assert [one.player.name for one in screen_of(event, 0).round.standings[:4]] == order
    text, standings = shown(event)
    assert "Points from all games" in text
    assert 'class="medal' not in standings
    assert standings.index(f"> {third}<") < standings.index(f"> {order[0]}<")
    closing.close_event(event=event, by=owner_of(club), despite_unfinished=True)
    event.refresh_from_db()
    places = last_places(event.season)
    assert [places[people[name].pk] for name in order] == [[1], [2], [3], [4]]
    assert places[people[third].pk] == [5]
    _text, standings = shown(event)
    assert 'class="medal' not in standings


def test_points_of_all_games_have_no_rank_where_a_final_gives_the_places(cup):
    event, _order, third = cup
    at = [event.season.club.slug, event.pk]
    rows = browser_of(owner_of(event)).get(reverse("api:event_standings", args=at))
    first = rows.json()["results"][0]
    assert (first["name"], first["points"], first["rank"]) == (third, "10", None)
    table = csv_tables.of_event(event, "standings")
    assert table is not None
    assert list(next(iter(table.rows))[:3]) == [None, third, 10]


def test_the_recap_draws_the_points_in_the_order_of_the_places(cup):
    event, order, third = cup
    story = recap_page(event, with_money=False).story
    drawn = {line.player.name: line.kind for line in story.plot.lines}
    assert [drawn[name] for name in order[:3]] == ["first", "second", "third"]
    assert drawn[third] != "first"
    at = path_of(event, "recap")
    text = re.sub(r"\s+", " ", browser_of(owner_of(event)).get(at).content.decode())
    assert "points from all games; faint lines: everyone else" in text


def test_before_a_game_of_the_final_nobody_has_a_medal():
    event, _final, _order, third = before_the_final()
    assert event_places(event)[0].player.name == third  # By points, until the final decides.
    assert podium(event_places(event)) == []
    text = browser_of(owner_of(event)).get(path_of(event, "wall")).content.decode()
    assert third in text
    assert "medal" not in text


def test_a_cup_of_thirteen_with_three_rounds_of_final_has_one_winner_everywhere():
    event = groups_night(
        13, groups=3, group_rounds=2, final=4, rounds_planned=5, games_per_round=1, others_play=True
    )
    for _number in range(2):
        play_all(open_floor(event))
    finalists: list[str] = []
    winners = Counter()
    for _number in range(3):
        final, *beside = open_floor(event).sittings.order_by("table_no")
        finalists = finalists or names_at(final)
        assert set(names_at(final)) == set(finalists)
        play(final, finalists)
        for table in beside:
            names = sorted(names_at(table), key=lambda name: (-winners[name], name))
            winners[names[0]] += 1
            play(table, names)
    assert [one.player.name for one in event_places(event)[:4]] == finalists
    assert [one.player.name for one in screen_of(event, 0).round.standings[:4]] == finalists
    by = owner_of(event)
    closing.close_event(event=event, by=by)
    event.refresh_from_db()
    people, places = by_name(event), last_places(event.season)
    assert [places[people[name].pk] for name in finalists] == [[1], [2], [3], [4]]
    assert not any(places[people[name].pk] in ([1], [2], [3]) for name in winners)
    at = [event.season.club.slug, event.pk]
    rows = browser_of(by).get(reverse("api:event_places", args=at)).json()["results"]
    assert [row["name"] for row in rows if row["place"] == 1] == [finalists[0]]
    page, _standings = shown(event)
    assert finalists[0] in page.split('class="podium"')[1].split("medal-1")[0].rsplit("<li>", 1)[1]
