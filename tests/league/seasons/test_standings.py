"""What pages show equals a rebuild from results alone, whatever happened."""

from dataclasses import fields, replace
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from league.clubs.acts import players
from league.models import MoneyTally, Placing, Player, SeasonRow, Strength, StrengthPoint, Tally
from league.nights.acts import closing
from league.proof.facts import verify
from league.seasons.acts import season_cache, seasons
from league.seasons.domain.standings import StandingsRow
from league.seasons.facts import standings
from league.seasons.facts.standings import Standing
from league.seasons.pages.standings_columns import COLUMNS
from league.tasks import sweep_ratings, sweep_standings
from tests.factories import (
    make_adjustment,
    make_night,
    make_season,
    make_table,
    names_at,
    owner_of,
    path_of,
    play,
)
from tests.league.chaos import Chaos
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


@pytest.fixture
def always_on(monkeypatch):
    """Rows go on from those before, however many changed: none are counted anew."""
    monkeypatch.setattr(season_cache, "MOST_TOUCHED", 0)


def test_rows_equal_a_rebuild_after_fifty_random_changes(always_on):
    chaos = Chaos(seed=1).with_all_formats()
    for _ in range(50):
        chaos.act()
        season_cache.standings_of(season=chaos.season)
    chaos.check()


def test_a_row_follows_its_night_though_its_player_was_not_there(always_on):
    """Who missed a night has points of it, and is not on its list."""
    season = make_season()
    night = make_night(season=season)
    sitting = make_table(night, games=1)
    players.add_player(club=season.club, name="Zed", by=owner_of(season))
    make_adjustment(season, "Zed", "-5", event=night)
    season_cache.standings_of(season=season)
    seasons.set_worth(event=night, by=owner_of(season), gives="places")
    cached = season_cache.standings_of(season=season).rows
    assert {row.player.name for row in cached} == set(names_at(sitting))


@pytest.mark.long
@pytest.mark.parametrize("seed", [2, 3, 4, 5])
def test_rows_equal_a_rebuild_after_hundreds_of_random_changes(seed, always_on):
    """Each counts all rows, of which there are more with every night."""
    chaos = Chaos(seed).with_all_formats()
    for number in range(250):
        chaos.act()
        season_cache.standings_of(season=chaos.season)
        if number % 50 == 49:
            chaos.check()


# --- The season cache -------------------------------------------------------------------------


def played_night():
    """A night of four for a stake, with one game played."""
    return make_table(make_night(rules="killa", stake=2), games=1).round.event


@made_once
def night():
    return played_night()


@pytest.fixture
def season(night):
    return night.season


def table_of(season):
    return {s.player.name: s.row.points for s in season_cache.standings_of(season=season).rows}


def test_cached_rows_are_those_of_the_season_and_computed_once(season, django_assert_num_queries):
    full = [
        (s.player, replace(s.row, nights=()), len(s.row.nights))
        for s in standings.season_standings(season)
    ]
    cached = season_cache.standings_of(season=season).rows
    assert [(s.player, s.row, s.nights) for s in cached] == full
    with django_assert_num_queries(3):
        rows = season_cache.standings_of(season=season).rows
        assert (len(rows), rows[1:3]) == (4, [Standing(*row) for row in full[1:3]])


def test_a_large_table_waits_for_the_sweep_and_says_so(season, monkeypatch, client):
    monkeypatch.setattr(season_cache, "SMALL", 0)
    path = path_of(season, "season")
    assert "being calculated for the first time" in client.get(path).content.decode()
    sweep_standings()
    before = table_of(season)
    assert len(before) == 4
    make_adjustment(season, "An", "-5")
    assert (table_of(season), season_cache.standings_of(season=season).waiting) == (before, True)
    waiting = client.get(path).content.decode()
    assert "New results are being counted" in waiting
    polls = f'hx-select="#rows" hx-get="{path}" hx-trigger="every 5s"'
    assert polls in " ".join(waiting.split())
    sweep_standings()
    assert "every 5s" not in client.get(path).content.decode()
    assert table_of(season)["An"] == before["An"] - 5
    assert season_cache.standings_of(season=season).waiting is False


def test_the_page_tells_how_far_a_long_computing_is(season, monkeypatch, client):
    monkeypatch.setattr(season_cache, "SMALL", 0)
    path = path_of(season, "season")
    seen = []
    count = standings.season_standings

    def watched(of, tell):
        tell(1, 4)
        seen.append(client.get(path).context["table"].percent)
        return count(of, tell)

    monkeypatch.setattr(standings, "season_standings", watched)
    sweep_standings()
    assert seen == [25]


def test_two_sweeps_at_once_compute_a_table_once(season, monkeypatch):
    monkeypatch.setattr(season_cache, "SMALL", 0)
    again = []
    monkeypatch.setattr(
        standings,
        "season_standings",
        lambda of, tell: again.append(season_cache.prepare_behind()) or [],
    )
    assert (season_cache.prepare_behind(), again) == (1, [0])


@pytest.mark.parametrize("others", [0, 5])
def test_the_sweep_asks_once_for_all_small_seasons_that_nobody_opened(
    season, others, django_assert_num_queries
):
    for _ in range(others):
        make_night(2)
    with django_assert_num_queries(3):
        assert season_cache.prepare_behind() == 0


def test_closed_seasons_are_computed_before_anybody_asks(season):
    by = owner_of(season)
    for event in season.events.all():
        closing.close_event(event=event, by=by, despite_unfinished=True)
    assert season_cache.prepare_behind() == 0
    seasons.set_status(season=season, status="closed", by=by)
    assert [season_cache.prepare_behind() for _ in range(2)] == [1, 0]
    assert season.rows.count() == 4


# --- What verify finds ------------------------------------------------------------------------


def test_a_sound_club_has_no_differences_and_says_how_much_was_checked(night):
    out = StringIO()
    call_command("verify", night.season.club.slug, stdout=out)
    assert out.getvalue().startswith("No differences: 1 seasons, 1 results, ")


def test_an_unknown_club_is_told_with_those_that_are_known(night):
    with pytest.raises(CommandError) as refused:
        call_command("verify", "nobody")
    assert str(refused.value) == f"There is no club 'nobody'. Known: {night.season.club.slug}."


def test_a_count_that_was_tampered_with_is_found(night):
    Tally.objects.filter(rank=1).update(games=2)
    with pytest.raises(CommandError):
        call_command("verify", stdout=StringIO())
    assert len(list(verify.stored_tallies())) == 2
    assert len(list(verify.page_rows(night.season))) > 0


def test_what_is_wrong_in_one_club_is_none_of_another_s(night):
    other = played_night()
    Tally.objects.filter(event=other).update(games=2)
    Placing.objects.filter(entrant__event=other, rank=2).update(rank=3)
    MoneyTally.objects.filter(event=other).update(games=7)
    somebody = night.season.club.players.first()
    Player.objects.filter(club=other.season.club, name="An").update(merged_into=somebody)
    assert list(verify.everything(night.season.club)) == []
    assert len(list(verify.stored_tallies(other.season.club))) == 8
    for check in (verify.placings, verify.stored_sums, verify.aliases):
        assert list(check(other.season.club)) == list(check()) != []


def test_places_that_are_no_order_are_found(night):
    Placing.objects.filter(rank=2).update(rank=3)
    assert len(list(verify.placings())) > 0


def test_money_that_the_rules_do_not_say_is_found(night):
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # No trigger fires.
        cursor.execute("UPDATE league_transfer SET amount = 99")
        cursor.execute("SET LOCAL session_replication_role = origin")
    [problem] = verify.paid_games(night.season)
    assert "99" in problem


def test_a_live_game_whose_payments_are_gone_is_found(night):
    night.rounds.get().sittings.get().results.update(source="live")
    [problem] = verify.paid_games(night.season)
    assert problem.endswith("what the engine paid in it is missing")


def test_a_name_merged_over_two_steps_is_found(night):
    names = [players.add_player(club=night.season.club, name=n, by=None) for n in ("x", "y", "z")]
    Player.objects.filter(pk=names[0].pk).update(merged_into=names[1])
    Player.objects.filter(pk=names[1].pk).update(merged_into=names[2])
    [problem] = verify.aliases()
    assert problem == f"player {names[0].pk} (x) is merged wrongly"


def test_cached_rows_that_were_tampered_with_are_found_until_they_are_behind(night):
    season_cache.standings_of(season=night.season)
    SeasonRow.objects.filter(position=1).update(points="9")
    [problem] = verify.everything()
    assert problem.endswith("the rows kept differ from a rebuild")
    make_adjustment(night.season, "An", "-5")
    assert list(verify.everything()) == []


@pytest.mark.parametrize("told", ["specials", "honours"])
def test_cached_specials_and_honours_that_were_tampered_with_are_found(night, told):
    season_cache.standings_of(season=night.season)
    row = SeasonRow.objects.get(position=1)
    row.rest[told] = {"specials": [9, 0, 0, 0, 0], "honours": [["firsts", 9]]}[told]
    row.save()
    [problem] = verify.everything()
    assert f"the {told} kept differ" in problem


def test_ratings_that_were_tampered_with_are_found_until_they_are_behind(night):
    sweep_ratings()
    assert list(verify.everything()) == []
    Strength.objects.filter(season=night.season).update(mu=30)
    StrengthPoint.objects.update(sigma=1)
    curves, shown = sorted(verify.everything())
    assert curves.endswith("the rating curves differ from rating all games anew")
    assert shown.endswith(f"({night.season.name}): the ratings differ from rating all games anew")
    play(night.rounds.get().sittings.get())
    assert list(verify.everything()) == []


def test_a_penalty_is_part_of_the_rebuild(night):
    make_adjustment(night.season, "An", "-7", event=night)
    assert list(verify.everything(night.season.club)) == []


OF_NO_COLUMN = {
    "entrant", "shared", "nights", "adjustments", "money", "separated_by", "values",
    "counts", "beaten",
}  # fmt: skip
"""Fields that say whose row it is, of what it consists, or that a file of their own shows."""


def test_each_number_of_a_row_is_a_column_or_left_out_on_purpose():
    shown = {column.source.removeprefix("row.") for column in COLUMNS}
    assert {one.name for one in fields(StandingsRow)} - OF_NO_COLUMN <= shown
