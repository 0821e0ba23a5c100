"""A player's page; two names merged and separated; accounts; names taken away."""

import re

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from league.base.pages import charts
from league.clubs.acts import members, merges, players
from league.clubs.facts import attendance as last_nights
from league.models import Event, Player, Result, RoleOffer, Strength
from league.money.facts import money
from league.nights.acts import attendance
from league.seasons.acts import season_cache
from league.seasons.domain.scoring import Scoring
from league.seasons.domain.standings.rows import make_row
from league.seasons.domain.streaks import StreakGame
from league.seasons.facts import honours, player_rows, standings
from league.seasons.pages import player_charts, player_page, race
from league.tasks import sweep_ratings
from tests.factories import (
    correct,
    make_adjustment,
    make_club,
    make_member,
    make_night,
    make_player,
    make_round,
    make_season,
    make_table,
    make_user,
    names_at,
    owner_of,
    path_of,
    play,
)
from tests.league.nights.waitlist_helpers import around, open_floor
from tests.refusals import refuses
from tests.shares import share
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


def find(club, name):
    return players.named(club=club, name=name)


def merge(alias, into):
    return merges.merge(alias=alias, into=into, by=owner_of(into))


def played(season=None, games=1, **details):
    """A table with that many games played in the same order, and the order."""
    sitting = make_table(make_night(season=season or make_season(), **details))
    order = names_at(sitting)
    for _ in range(games):
        play(sitting, order)
    return sitting, order


@made_once
def once():
    return played()


def rows(season):
    return {s.player.name: s.row for s in standings.season_standings(season)}


@pytest.mark.parametrize(
    "scoring",
    [
        {},
        {"counting": "average"},
        {"counting": "table_ranking"},
        {"head_count_bonus": "1/3", "participation_bonus": 2, "weight": 3},
        {"best_of": 1, "drop_worst": 1},
    ],
)
def test_the_row_of_one_person_equals_that_of_the_whole_table(scoring):
    season = make_season(rules="killa", **scoring)
    counting = scoring.get("counting", "fixed")
    for _ in range(2):
        sitting, order = played(season, players_here=8, counting=counting, stake=3, games=2)
    make_adjustment(season, order[0], "-1.5", event=sitting.round.event)
    merge(find(season.club, order[1]), make_player(season.club, "Cô Ba"))
    by_event = {event.pk: event for event in season.events.all()}
    for standing in standings.season_standings(season):
        own = player_rows.row_of(standing.player, season, events=by_event)
        for field in ("points", "explain", "adjustments", "games", "counts", "lasts", "money"):
            assert getattr(own, field) == getattr(standing.row, field), field


def test_opponents_are_counted_from_both_sides():
    sitting, order = played(make_season(rules="killa"), games=3, stake=5)
    season, club = sitting.round.event.season, sitting.round.event.season.club
    winner, last = find(club, order[0]), find(club, order[3])
    [one] = [o for o in player_page.opponents([winner.pk], season) if o.key == last.pk]
    [other] = [o for o in player_page.opponents([last.pk], season) if o.key == winner.pk]
    assert (one.games, one.ahead, one.behind, one.money, one.share) == (3, 3, 0, 15, 100)
    assert (other.games, other.ahead, other.behind, other.money, other.share) == (3, 0, 3, -15, 0)


def test_chops_between_two_are_bars_as_long_as_there_are_chops():
    season = make_season(rules="mien-nam")
    sitting, order = played(season, games=2, games_per_round=2)
    winner, last = find(season.club, order[0]), find(season.club, order[3])
    by, of = winner.entries.get().pk, last.entries.get().pk
    chop = {"kind": "chop", "by": by, "of": of, "what": "red_two"}
    for result, chops in zip(sitting.results.order_by("pk"), ([chop, chop], [chop]), strict=True):
        Result.objects.filter(pk=result.pk).update(specials=chops)
    bars = [
        (bar.opponent.name, bar.opponent.chops, bar.opponent.chopped, bar.won > 0, bar.lost > 0)
        for player in (winner, last)
        for bar in player_page.person_page(player, [player.pk], season, rows_of(season)).chops
    ]
    assert bars == [(order[3], 3, 0, True, False), (order[0], 0, 3, False, True)]


def test_games_stand_in_the_order_in_which_they_were_played():
    sitting, order = played(games=2)
    play(sitting, order[::-1])
    season = sitting.round.event.season
    games = player_page.games_of([find(season.club, order[0]).pk], season)
    assert [game.rank for game in games] == [1, 1, 4]


def test_games_stand_in_that_order_where_people_change_tables():
    night = make_night(9, format={"kind": "loser_leaves", "tables": 2})
    there, here = open_floor(night).sittings.all()
    lan = around(here)[0]
    for _ in range(2):
        play(here, sorted(around(here), key=lambda name: name != lan))
    play(here, sorted(around(here), key=lambda name: name == lan))
    play(there)
    play(there, sorted(around(there), key=lambda name: name != lan))
    games = player_page.games_of([find(night.season.club, lan).pk], night.season)
    assert [game.rank for game in games] == [1, 1, 4, 1]


def test_a_title_goes_to_who_leads_and_is_shared_by_who_is_level():
    rows_ = [
        honours.Specials(1, "An", chops=3, chopped=0, left=1, cong=0, instant_wins=0),
        honours.Specials(2, "Bình", chops=3, chopped=2, left=0, cong=0, instant_wins=0),
    ]
    people = [
        standings.Standing(Player(pk=key), make_row(key, [], [], Scoring(), 0)) for key in (1, 2)
    ]
    held = {(h.title, h.name, h.count) for h in honours.season_honours(rows_, people)}
    assert held == {
        ("King of chops", "An", 3),
        ("King of chops", "Bình", 3),
        ("Chopped pig", "Bình", 2),
        ("King of thối", "An", 1),
    }


def test_who_was_never_caught_holds_a_title_where_others_were():
    season = make_season(rules="mien-nam")
    sitting, order = played(season, games=12, games_per_round=12)
    assert "never_cong" not in {h.key for h in kept(season)}
    last = find(season.club, order[3])
    entrant = last.entries.get().pk
    result = sitting.results.order_by("pk")[0]
    result.specials = [{"kind": "cong", "of": entrant}]
    result.save()
    season_cache.forget(club=season.club)
    held = {(h.title, h.name, h.count) for h in kept(season)}
    assert held == {("King of cóng", order[3], 1), ("King of firsts", order[0], 12)} | {
        ("Never cóng", name, 12) for name in order[:3]
    }
    page = player_page.person_page(last, [last.pk], season, rows_of(season))
    assert ([h.title for h in page.honours], page.specials.cong, page.rank) == (
        ["King of cóng"],
        1,
        4,
    )


def rows_of(season):
    return season_cache.standings_of(season=season).rows


def kept(season):
    return rows_of(season).honours()


def test_the_page_shows_the_rating_after_every_night(season, client):
    for _ in range(2):
        _sitting, order = played(season)
    sweep_ratings()
    winner = find(season.club, order[0])
    response = client.get(path_of(winner, "player"), {"full": "1"})
    nights = response.context["person"].nights
    assert [night.rating.games for night in nights] == [1, 2]
    assert nights[1].rating.mu == Strength.objects.get(season=season, player=winner).mu
    shown = f"{nights[1].rating.mu:.1f}"
    assert shown not in response.content.decode(), "too few games"
    season.strength_points.update(games=10)
    assert shown in client.get(path_of(winner, "player"), {"full": "1"}).content.decode()


def test_a_chance_is_told_of_those_who_met_often_and_played_enough(season, client):
    _sitting, order = played(season, games=5, games_per_round=5)
    sweep_ratings()
    path, wanted = path_of(find(season.club, order[0]), "player"), {"full": "1"}

    def chances():
        return {
            one.name: one.chance for one in client.get(path, wanted).context["person"].opponents
        }

    assert set(chances().values()) == {None}, "too few games"
    season.strengths.update(games=10)
    told = chances()
    assert 50 < told[order[1]] < told[order[3]] < 100
    assert f"{told[order[1]]}%" in client.get(path, wanted).content.decode()


def test_a_band_reaches_from_the_lowest_to_the_highest():
    band = charts.band([(10, 5), (10, 1)])
    assert band == ("0.0,30.0 240.0,30.0", "0.0,0.0 240.0,24.0 240.0,36.0 0.0,60.0", 5, 15)
    assert charts.band([(10, 5)]).points == "0.0,30.0 240.0,30.0"


def test_specials_of_current_games_are_counted_for_both_sides(once):
    sitting, order = once
    result = Result.objects.get()
    by_name = {p.entrant.player.name: p.entrant_id for p in result.placings.all()}
    chop = {"kind": "chop", "by": by_name[order[0]], "of": by_name[order[1]], "what": "R"}
    Result.objects.update(specials=[chop, {"kind": "cong", "of": by_name[order[3]]}])
    told = {s.name: s[2:] for s in honours.season_specials(sitting.round.event.season)}
    assert told == {
        order[0]: (1, 0, 0, 0, 0),
        order[1]: (0, 1, 0, 0, 0),
        order[3]: (0, 0, 0, 1, 0),
    }


def test_a_line_over_nights_keeps_zero_in_the_picture_and_names_round_values():
    nights = [Event(name="1"), Event(name="2")]
    trend = player_charts.trend(nights, [4, 8])
    assert [value for _y, value in trend.levels] == [0, 2, 4, 6, 8]
    assert trend.levels[0][0] == 144  # Zero is at the bottom, where the area ends.
    assert trend.area == f"62.0,144.0 {trend.line} 304.0,144.0"
    assert [night.name for _x, night in trend.nights] == ["1", "2"]
    assert player_charts.trend(nights[:1], [4]) is None


def test_the_last_places_stand_by_rank_and_the_last_is_marked():
    games = [StreakGame(1, 4, 1), StreakGame(3, 3, 1), StreakGame(4, 5, 1)]
    assert [dot.place for dot in player_charts.form(games).dots] == ["1", "last", "other"]


def test_whom_one_beats_stands_on_the_right_and_no_face_covers_another():
    faces = player_charts.meetings([("Lan", 40, 90), ("Mai", 4, 50), ("Tý", 4, 50)])
    assert [face.opponent for face in faces] == ["Mai", "Tý", "Lan"]
    assert faces[0].x == faces[1].x < faces[2].x
    assert faces[0].y != faces[1].y
    assert faces[0].radius < faces[2].radius


def test_two_nights_say_only_what_two_nights_can_say(season, client):
    for _ in range(2):
        _sitting, order = played(season)
    winner = find(season.club, order[0])
    early = client.get(path_of(winner, "player")).content.decode()
    assert "A chart appears after the third night." in early
    assert 'id="meetings"' not in early
    played(season)
    full = client.get(path_of(winner, "player")).content.decode()
    assert "A chart appears" not in full
    assert 'id="meetings"' in full


# --- The page ---------------------------------------------------------------------------------


def test_a_newcomer_has_a_page_that_says_so(client):
    lan = make_player(make_club(), "Lan")
    assert "No games yet" in client.get(path_of(lan, "player")).content.decode()


def test_the_page_shows_the_chosen_season(club, client):
    _sitting, order = played(make_season(club))
    older = club.seasons.get()
    played(make_season(club))
    page = client.get(path_of(find(club, order[0]), "player"), {"season": older.pk})
    assert page.context["person"].season == older


@pytest.mark.parametrize("wrong", ["x", "99999999999999999999", "-1"])
def test_a_season_that_is_not_there_shows_the_latest(once, client, wrong):
    sitting, order = once
    club = sitting.round.event.season.club
    assert client.get(path_of(find(club, order[0]), "player"), {"season": wrong}).status_code == 200


@pytest.mark.parametrize("nights", share([1, 3], 1, of=2))
def test_a_page_takes_twenty_two_queries(season, client, nights, django_assert_num_queries):
    for _ in range(nights):
        _sitting, order = played(season)
    season_cache.standings_of(season=season)
    with django_assert_num_queries(22):
        client.get(path_of(find(season.club, order[0]), "player"))


# --- Merging ----------------------------------------------------------------------------------


def test_merged_names_count_together_and_separate_without_loss():
    season = make_season(rules="killa")
    club = season.club
    played(season, stake=4)
    before = {name: (row.points, row.games, row.money) for name, row in rows(season).items()}
    guest = make_player(club, "Anh Tư")
    event = make_night(0, season=season, stake=4)
    people_here = [guest, *(find(club, name) for name in ("Bình", "Chi", "Dũng"))]
    attendance.set_presence(
        event=event, player_ids=[p.pk for p in people_here], presence="here", by=owner_of(club)
    )
    sitting = make_table(event)
    play(sitting, ["Anh Tư", *[n for n in names_at(sitting) if n != "Anh Tư"]])
    apart = rows(season)
    merge(guest, find(club, "An"))
    together = rows(season)
    assert "Anh Tư" not in together
    assert together["An"].points == apart["An"].points + apart["Anh Tư"].points
    assert together["An"].money == apart["An"].money + apart["Anh Tư"].money
    assert together["An"].games == before["An"][1] + 1
    assert {s.player.name for s in standings.event_standings(event)} >= {"An"}
    guest.refresh_from_db()
    merges.unmerge(alias=guest, by=owner_of(club))
    assert rows(season) == apart


def test_who_sat_in_the_same_round_cannot_be_one_person(once):
    sitting, order = once
    club = sitting.round.event.season.club
    with pytest.raises(ValidationError) as refused:
        merge(find(club, order[0]), find(club, order[1]))
    assert refused.value.error_dict["player"][0].code == "met"


def test_aliases_of_an_alias_come_along_and_separate_one_by_one(club):
    one, two, three = (make_player(club, name) for name in ("Tư", "Anh Tư", "Tư Béo"))
    merge(one, two)
    merge(two, three)
    assert set(three.aliases.all()) == {one, two}
    merges.unmerge(alias=one, by=owner_of(club))
    assert set(three.aliases.all()) == {two}


def test_a_name_taken_meanwhile_has_to_change_before_separating(club):
    alias = make_player(club, "Tư")
    merge(alias, make_player(club, "Năm"))
    make_player(club, "tư")
    with refuses("taken"):
        merges.unmerge(alias=alias, by=owner_of(club))


def test_a_merged_name_is_understood_where_a_name_is_typed(club):
    lan, alias = make_player(club, "Lan"), make_player(club, "Lan B")
    merge(alias, lan)
    assert players.named(club=club, name="lan b") == lan
    with pytest.raises(ValidationError):
        players.named(club=club, name="Lan C")


def test_bots_aliases_and_strangers_are_not_merged(club):
    lan, alias = make_player(club, "Lan"), make_player(club, "Lan B")
    bot = players.add_player(club=club, name="greedy", by=None, bot="greedy")
    merge(alias, lan)
    for one in (bot, alias, lan, make_player(make_club(), "Lan")):
        with pytest.raises(ValidationError):
            merge(one, lan)


def test_in_an_open_night_the_merged_player_is_here_once():
    event = make_night(4)
    club = event.season.club
    alias = find(club, "An")
    merge(alias, make_player(club, "Cô Ba"))
    here = event.entrants.filter(presence="here").values_list("player__name", flat=True)
    assert sorted(here) == ["Bình", "Chi", "Cô Ba", "Dũng"]
    assert "Cô Ba" in names_at(make_table(event))


def test_what_is_rare_is_folded_until_it_has_something_to_say(client, club):
    lan = make_player(club, "Lan")
    client.force_login(owner_of(club))
    address = path_of(lan, "player_edit")

    def opened(answer):
        found = re.findall(r'<details(.*?)>\s*<summary>\s*<h2 id="(\w+)"', answer.content.decode())
        return {name for attributes, name in found if "open" in attributes}

    assert opened(client.get(address)) == set()
    refused = client.post(address, {"act": "merge", "player": "Nobody"})
    assert (refused.status_code, opened(refused)) == (422, {"merge"})
    client.post(address, {"act": "invite"})
    assert opened(client.get(address)) == {"account"}


def test_the_database_refuses_a_player_merged_into_itself():
    player = make_player(make_club(), "Lan")
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.update(merged_into=player.pk)


# --- Accounts and names -----------------------------------------------------------------------


def test_a_guest_is_claimed_by_an_account_and_given_back(club):
    guest, user, by = make_player(club, "Lan"), make_user("lan@club.example"), owner_of(club)
    members.offer_player(player=guest, email=" LAN@club.example ", by=by)
    members.accept_offer(offer=RoleOffer.objects.to(user).get(), user=user)
    guest.refresh_from_db()
    assert guest.user == user
    assert players.unlink_account(player=guest, by=by).user is None


def test_an_account_plays_under_one_name_and_a_name_has_one_account(club):
    user, other = make_user(), make_user()
    lan, mai = make_player(club, "Lan"), make_player(club, "Mai")
    players.take_player(player=lan, user=user)
    with pytest.raises(ValidationError, match="You already play here as Lan"):
        players.take_player(player=mai, user=user)
    with pytest.raises(ValidationError, match="Lan is linked to another account"):
        players.take_player(player=lan, user=other)


def test_a_removed_name_is_gone_everywhere_and_the_results_stay():
    sitting, order = played(make_season(rules="killa"), stake=5)
    season = sitting.round.event.season
    player = find(season.club, order[0])
    merge(make_player(season.club, "Bí danh"), player)
    players.take_player(player=player, user=make_user())
    points = rows(season)[order[0]].points
    players.anonymise_player(player=player, by=owner_of(season))
    assert rows(season)[f"Player {player.pk}"].points == points
    names = set(season.club.players.values_list("name", flat=True))
    assert names & {order[0], "Bí danh"} == set()
    assert Player.objects.get(pk=player.pk).user is None
    assert money.money_page(money.of_season(season)).total == 0


def test_a_result_can_be_corrected_after_the_name_was_removed(once):
    sitting, order = once
    club = sitting.round.event.season.club
    players.anonymise_player(player=find(club, order[0]), by=owner_of(club))
    assert correct(Result.objects.get()).version == 2


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ({"act": "rename", "name": ""}, "name"),
        ({"act": "merge", "player": "Nobody"}, "player"),
        ({"act": "merge", "player": "{}"}, "player"),
        ({"act": "account", "email": "nobody"}, "email"),
    ],
)
def test_what_is_wrong_stands_beside_its_field(client, form, field):
    player = make_player(make_club(), "Lan")
    client.force_login(make_member(player.club, "organiser"))
    response = client.post(path_of(player, "player_edit"), form)
    assert response.status_code == 422
    assert field in response.context[form["act"]].errors


def test_organisers_choose_a_face_and_the_log_says_so(club, client):
    lan = make_player(club, "Lan")
    chosen = {"act": "face", "animal": "pig"}
    organiser = make_member(club, "organiser")
    client.force_login(organiser)
    assert client.post(path_of(lan, "player_edit"), chosen).status_code == 302
    assert Player.objects.get(pk=lan.pk).face.animal == "pig"
    page = client.get(path_of(lan, "player_edit")).content.decode()
    assert page.count('type="radio" name="animal"') == 13
    unknown = client.post(path_of(lan, "player_edit"), chosen | {"animal": "x"})
    assert unknown.status_code == 422
    [entry] = club.audit.filter(action="player.face")
    assert (entry.by, entry.data["old"], entry.data["animal"]) == (organiser, "", "pig")


def test_a_chosen_face_is_in_the_standings_at_once(once, client):
    sitting, order = once
    season = sitting.round.event.season
    path = path_of(season, "season")
    rows = client.get(path).content.decode().split('class="standings"')[1]
    animal = "pig" if "#pig" not in rows else "dog"
    winner = find(season.club, order[0])
    players.choose_face(player=winner, animal=animal, by=owner_of(season))
    assert f"#{animal}" in client.get(path).content.decode().split('class="standings"')[1]


def test_the_own_row_of_the_standings_stands_out(once, client):
    sitting, order = once
    season = sitting.round.event.season
    path = path_of(season, "season")
    assert ' own">' not in client.get(path).content.decode()
    user = make_member(season.club, "player")
    mine = find(season.club, order[1])
    players.take_player(player=mine, user=user)
    client.force_login(user)
    own = client.get(path).content.decode().split(f'class="of-{mine.pk} own">')[1].split("</tr>")[0]
    assert order[1] in own


def test_people_stand_with_their_faces_in_the_frame_of_the_club(club, client):
    lan = make_player(club, "Lan")
    page = " ".join(client.get(path_of(club, "players")).content.decode().split())
    assert 'aria-current="page"> People </a>' in page.split('class="segments"')[1]
    assert f"#{lan.face.animal}" in page.split('class="people"')[1]


def test_people_stand_by_how_often_they_came_or_by_name(client):
    season = make_season()
    for people in (4, 8):
        for sitting in make_round(make_night(people, season=season)).sittings.all():
            play(sitting)
    club = season.club
    came = last_nights.of_club(club)
    often = {one.pk for one in club.players.all() if came.times(one.pk) == 2}
    assert (len(came.nights), len(often)) == (2, 4)
    path = path_of(club, "players")
    rows = client.get(path).context["rows"]
    assert {one.pk for one, _ticks, _times in rows[:4]} == often
    assert [times for _one, _ticks, times in rows] == [2] * 4 + [1] * 4
    named = client.get(path, {"by": "name"}).context["rows"]
    keys = [one.sort_key for one, _ticks, _times in named]
    assert keys == sorted(keys)


def test_the_menu_of_people_adds_imports_and_downloads(club, client):
    make_player(club, "Lan")
    path = path_of(club, "players")

    def texts():
        return [row.text for row in client.get(path).context["menu"]]

    rest = ["By attendance", "Excel", "Download CSV"]
    assert texts() == rest
    client.force_login(owner_of(club))
    assert texts() == ["Add players", "Import players (CSV)", *rest]
    make_season(club)
    assert "<textarea" not in client.get(path).content.decode()
    assert "<textarea" in client.get(path, {"add": "1"}).content.decode()


def test_organisers_merge_and_separate_on_the_page(club, client):
    lan, alias = make_player(club, "Lan"), make_player(club, "Lan B")
    client.force_login(make_member(club, "organiser"))
    client.post(path_of(lan, "player_edit"), {"act": "merge", "player": "lan b"})
    assert client.get(path_of(alias, "player")).url == path_of(lan, "player")
    client.post(path_of(lan, "player_edit"), {"act": "unmerge", "alias": alias.pk})
    assert client.get(path_of(alias, "player")).status_code == 200
    for odd in ({"act": "unmerge", "alias": "x"}, {"act": "unmerge"}, {"act": "odd"}, {}):
        assert client.post(path_of(lan, "player_edit"), odd).status_code == 302


# --- The season in pictures -------------------------------------------------------------------


def test_the_race_adds_up_the_nights_that_count(season):
    for _ in range(3):
        played(season)
    pictures = race.season_pictures(season, rows_of(season))
    totals = {runner.player.name: runner.total for runner in pictures.race.runners}
    assert totals == {s.player.name: float(s.row.points) for s in pictures.names}
    assert [len(runner.points.split()) for runner in pictures.race.runners] == [3] * 4
    assert pictures.podium[0].player.name == pictures.race.runners[0].player.name


def test_labels_of_lines_that_end_together_stand_apart():
    heights = race._apart([0, 100, 100, 100, 280, 280])
    assert heights[0] == 0
    assert all(abs(a - b) >= race.APART for a in heights for b in heights if a is not b)
    assert max(heights) <= race.HEIGHT


def test_the_crosstable_has_every_pair_from_both_sides():
    sitting, order = played(games=2)
    season = sitting.round.event.season
    table = race.season_pictures(season, rows_of(season)).crosstable
    assert [s.player.name for s, _cells in table] == order
    assert table[0][1] == [None, *[race.HeadToHead(2, 2, 0)] * 3]
    assert table[3][1] == [*[race.HeadToHead(2, 0, 2)] * 3, None]


@pytest.mark.parametrize("nights", share([1, 3], 1, of=2))
def test_the_pictures_take_fifteen_queries_when_the_table_is_ready(
    season, client, nights, django_assert_num_queries
):
    for _ in range(nights):
        played(season)
    season_cache.standings_of(season=season)
    with django_assert_num_queries(15):
        client.get(path_of(season, "season_pictures"))
