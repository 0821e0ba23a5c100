"""A player's page: a sentence, three figures and one plot; all else is on its full page."""

import pytest

from league.seasons.acts import season_cache
from league.seasons.facts import player_rows, standings
from league.seasons.pages import player_page
from tests.factories import (
    browser_of,
    make_night,
    make_season,
    make_table,
    names_at,
    owner_of,
    path_of,
    play,
    put_to_yesterday,
)

pytestmark = pytest.mark.django_db


def played(nights, games=1):
    season = make_season(rules="killa")
    for _ in range(nights):
        sitting = make_table(make_night(4, season=season, stake=5))
        for game in range(1, games + 1):
            play(sitting, sorted(names_at(sitting)), game_no=game)
    return season, season.club.players.order_by("name")[0]


def page_of(player, **asked):
    browser = browser_of(owner_of(player))
    return " ".join(browser.get(path_of(player, "player"), asked).content.decode().split())


def body_of(page):
    return page.split("<main")[1].split("</main>")[0]


def headline(season, player):
    rows = season_cache.standings_of(season=season).rows
    return player_page.person_page(player, [player.pk], season, rows).headline


def test_a_running_streak_is_said_first():
    season, best = played(3, games=2)
    assert headline(season, best) == "6 games won in a row, and counting."
    second = season.club.players.order_by("name")[1]
    assert headline(season, second) == "6 games in 3 nights, 0 won."


def test_a_night_of_house_bots_alone_is_no_night_of_which_the_worst_is_dropped():
    season = make_season(rules="killa", drop_worst=1)
    for _ in range(3):
        sitting = make_table(make_night(4, season=season))
        play(sitting, sorted(names_at(sitting)))
    sitting.round.event.entrants.update(counts=False)
    [first, *_others] = standings.season_standings(season)
    assert first.row.points == 3
    assert player_rows.row_of(first.player, season).points == first.row.points


def test_many_games_without_a_last_place_are_said_next():
    season, _best = played(5, games=2)
    second = season.club.players.order_by("name")[1]
    assert headline(season, second) == "10 games without a last place."


def test_the_page_shows_one_plot_and_its_menu_the_rest():
    season, best = played(3)
    put_to_yesterday(season)
    page = page_of(best)
    explained = path_of(best.club, "season_explain", season.pk, best.pk)
    menu, main = page.split('class="menu-sheet"')[1].split("</details>")[0], body_of(page)
    assert main.count('type="radio" name="plot"') >= 2
    assert main.count("<dt>") == 3
    for address in ("full=1", explained, "edit/", "money/?q="):
        assert address in menu
    assert "/edit/" not in main


def test_a_newcomer_has_figures_and_the_promise_of_a_chart():
    _season, best = played(2)
    page = page_of(best)
    assert "A chart appears after the third night." in page
    assert "plots" not in body_of(page)


def test_the_full_page_has_nights_opponents_and_files():
    _season, best = played(3)
    full = body_of(page_of(best, full="1"))
    for part in ('id="nights"', 'id="opponents"', "Excel", "most wins in a row"):
        assert part in full
