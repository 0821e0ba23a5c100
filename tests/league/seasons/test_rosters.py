"""Teams and categories: their own standings from the same games, over a night and a season."""

import html
import re

import pytest
from django.db import IntegrityError, transaction

from league.clubs.acts import merges, players
from league.exchange.acts import archives
from league.models import Player, RosterMember
from league.nights.acts import closing
from league.proof.facts import verify
from league.seasons.acts import rosters, season_cache
from league.seasons.facts import rosters as tables
from tables.refusals import Refusal
from tests.factories import NAMES, make_night, make_round, owner_of, path_of, play
from tests.league.nights.waitlist_helpers import come
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def save(season, kind, name, *names, **more):
    club = season.club
    members = [players.named(club=club, name=each) for each in names]
    return rosters.save_roster(
        season=season, kind=kind, name=name, members=members, by=owner_of(club), **more
    )


def play_in_order(event):
    """One game at each table, in the order of the club's names: 3, 2, 1 and 0 points."""
    drawn = make_round(event)
    for sitting in drawn.sittings.all():
        names = sorted(
            (p.entrant.player for p in sitting.places.all()), key=lambda player: player.sort_key
        )
        play(sitting, [player.name for player in names])
    closing.close_event(event=event, by=owner_of(event))


def test_pages_the_api_and_csv_show_teams_and_categories(season, client):
    event = make_night(4, season=season, games_per_round=1, rounds_planned=1)
    play_in_order(event)
    save(season, "team", "Bắc", "An", "Dũng")
    client.force_login(owner_of(season.club))
    at = path_of(season, "rosters")
    sent = {"kind": "category", "name": "Trẻ", "members": "Bình\nDũng\n"}
    shown = client.post(at, sent, follow=True).context
    [juniors] = shown["categories"]
    assert [(s.row.rank, s.player.name) for s in juniors.rows] == [(1, "Bình"), (2, "Dũng")]
    assert [team.points for team in shown["teams"]] == [3]
    assert client.get(f"{at}?event={event.pk}").context["teams"][0].points == 3
    refused = client.post(at, {**sent, "members": "Không ai"})
    assert "members" in refused.context["form"].errors
    answer = client.get(path_of(season, "api:season_rosters")).json()
    assert [(one["kind"], one["name"]) for one in answer["results"]] == [
        ("team", "Bắc"), ("category", "Trẻ")
    ]  # fmt: skip
    csv = client.get(path_of(season, "season_csv", "teams"))
    assert "Bắc" in b"".join(csv).decode()
    [team] = season.rosters.filter(kind="team")
    client.post(path_of(season, "roster_remove", team.pk))
    assert not season.rosters.filter(kind="team").exists()


def test_the_file_of_teams_has_the_latest_game_though_nobody_looked_at_the_season(season, client):
    night = make_night(4, season=season, games_per_round=1, rounds_planned=1)
    save(season, "team", "Bắc", "An", "Dũng")
    play_in_order(night)
    csv = path_of(season, "season_csv", "teams")
    [_head, line] = client.get(csv, {"as": "plain"}).content.decode().splitlines()
    assert line.rpartition(",")[2] == "3"


def test_programs_read_and_set_the_categories_of_one_night(season, client):
    night = make_night(4, season=season, games_per_round=1, rounds_planned=1)
    play_in_order(night)  # An 3, Bình 2, Chi 1, Dũng 0
    later = make_night(0, season=season)
    save(season, "team", "Bắc", "An", "Dũng")
    key = {player.name: player.pk for player in season.club.players.all()}
    client.force_login(owner_of(season))

    def at(event):
        return path_of(season.club, "api:event_rosters", event.pk)

    young = {"kind": "category", "name": "Trẻ", "players": [key["Bình"], key["Dũng"]]}
    saved = client.post(at(night), young, content_type="application/json")
    assert saved.status_code == 201
    assert saved.json() == client.get(at(night)).json()
    team, category = saved.json()["results"]
    assert (team["rank"], team["points"]) == (1, "3")
    assert [(row["rank"], row["name"], row["points"]) for row in category["rows"]] == [
        (1, "Bình", "2"), (2, "Dũng", "0")
    ]  # fmt: skip
    assert [one["rows"] for one in client.get(at(later)).json()["results"]] == [[], []]
    two_teams = {"kind": "team", "name": "Nam", "players": [key["Dũng"], key["Chi"]]}
    refused = client.post(at(night), two_teams, content_type="application/json")
    assert "already plays for Bắc" in refused.content.decode()
    assert season.rosters.count() == 2


def test_a_categorys_second_place_gets_a_prize_through_the_ledger(season, client):
    event = make_night(4, season=season, games_per_round=1, rounds_planned=1)
    play_in_order(event)  # An 3, Bình 2, Chi 1, Dũng 0
    save(season, "category", "Trẻ & khỏe", "Bình", "Dũng")
    client.force_login(owner_of(season))
    at = path_of(season, "rosters")
    page = client.get(f"{at}?event={event.pk}").content.decode()
    offered = [html.unescape(part) for part in re.findall(r'href="([^"]*/prize/[^"]*)"', page)]
    assert len(offered) == 2
    form = client.get(offered[1]).context["form"]
    assert (form["player"].value(), form["note"].value()) == ("Dũng", "Trẻ & khỏe, place 2")
    assert form["event"].value() == str(event.pk)
    sent = {name: form[name].value() for name in ("client_id", "player", "event", "note")}
    for _twice in range(2):
        client.post(offered[1], {**sent, "amount": 30})
    [prize] = season.postings.all()
    assert (prize.kind, prize.event, prize.note) == ("prize", event, "Trẻ & khỏe, place 2")
    [moved] = prize.transfers.all()
    assert (moved.payer.club, moved.payee.player.name, moved.amount) == (season.club, "Dũng", 30)
    assert "/prize/" not in client.__class__().get(at).content.decode()


def test_a_player_is_in_one_team_of_two_to_six(season):
    make_night(8, season=season)
    save(season, "team", "Bắc", "An", "Bình")
    with pytest.raises(Refusal, match="already plays for Bắc"):
        save(season, "team", "Nam", "Bình", "Chi")
    with pytest.raises(Refusal):
        save(season, "team", "Một", "Dũng")
    member = RosterMember.objects.first()
    other = save(season, "category", "Trẻ", "An")
    with pytest.raises(IntegrityError), transaction.atomic():
        RosterMember.objects.create(roster=other, season=season, player=member.player, is_team=True)
    assert save(season, "team", "Bắc", "An", "Chi", replaces=True).members.count() == 2


@pytest.mark.parametrize("kind", ["rounds", "groups"])
def test_the_draw_keeps_team_mates_apart(season, kind):
    event = make_night(8, season=season, format={"kind": kind})
    for name, *members in [("A", "An", "Bình"), ("B", "Chi", "Dũng"), ("C", "Em", "Phúc")]:
        save(season, "team", name, *members)
    for sitting in make_round(event).sittings.all():
        seated = {p.entrant.player.name for p in sitting.places.all()}
        assert all(len(seated & pair) < 2 for pair in (
            {"An", "Bình"}, {"Chi", "Dũng"}, {"Em", "Phúc"}))  # fmt: skip


# --- Two names of one person ------------------------------------------------------------------


def merge(season, alias, into, **chosen):
    club = season.club
    return merges.merge(
        alias=players.named(club=club, name=alias),
        into=players.named(club=club, name=into),
        by=owner_of(club),
        **chosen,
    )


def points_of(season):
    """The points of the teams by name; the proof has no doubt of them."""
    season_cache.standings_of(season=season)
    assert list(verify.everything(season.club)) == []
    return {row.roster.name: (row.points, row.names) for row in tables.tables_of(season).teams}


@pytest.fixture
def two_nights(season):
    """An wins the first night before Bình, Chi and Dũng, Em the second before Giang, Hà, Phúc."""
    for names in (NAMES[:4], NAMES[4:8]):
        event = make_night(0, season=season, games_per_round=1, rounds_planned=1)
        come(event, *names)
        play_in_order(event)
    return season


def test_a_team_counts_a_person_once(two_nights):
    save(two_nights, "team", "Rồng", "Em", "An", "Phúc")
    assert points_of(two_nights)["Rồng"] == (6, "Em, An, Phúc")
    merge(two_nights, "Em", "An")
    assert points_of(two_nights)["Rồng"] == (6, "An, Phúc")
    rosters.set_team_rule(season=two_nights, best=1, average=False, by=owner_of(two_nights))
    two_nights.refresh_from_db()
    assert points_of(two_nights)["Rồng"][0] == 6
    an = players.named(club=two_nights.club, name="An")
    crew = tables.crew_of(two_nights.pk, an)
    assert [mate.name for mate in crew.mates] == ["Phúc"]
    merges.unmerge(alias=Player.objects.get(name="Em"), by=owner_of(two_nights))
    assert points_of(two_nights)["Rồng"] == (3, "Em, An, Phúc")


def test_a_category_names_a_person_once(two_nights):
    save(two_nights, "category", "Trẻ", "An", "Em")
    merge(two_nights, "Em", "An")
    season_cache.standings_of(season=two_nights)
    [category] = tables.tables_of(two_nights).categories
    assert (category.players, len(category.rows)) == (["An"], 1)


@pytest.mark.parametrize("chosen", ["Rồng", "Heo"])
def test_a_merge_across_two_teams_asks_which_and_can_be_undone(two_nights, chosen):
    save(two_nights, "team", "Rồng", "An", "Bình")
    save(two_nights, "team", "Heo", "Em", "Phúc")
    before = points_of(two_nights)
    with refuses("teams"):
        merge(two_nights, "Em", "An")
    merge(two_nights, "Em", "An", teams=[two_nights.rosters.get(name=chosen).pk])
    for name, own in {"Rồng": 2, "Heo": 0}.items():
        expected = own + (6 if name == chosen else 0)
        assert points_of(two_nights)[name][0] == expected
        assert ("An" in points_of(two_nights)[name][1]) is (name == chosen)
    merges.unmerge(alias=Player.objects.get(name="Em"), by=owner_of(two_nights))
    assert points_of(two_nights) == before


def test_who_was_merged_before_counts_where_the_remaining_name_is_and_the_page_says_so(
    two_nights, client
):
    save(two_nights, "team", "Heo", "Em", "Phúc")
    save(two_nights, "team", "Rồng", "An", "Bình")
    an = players.named(club=two_nights.club, name="An")
    Player.objects.filter(name="Em").update(merged_into=an)
    season_cache.forget(club=two_nights.club)
    assert {name: row[0] for name, row in points_of(two_nights).items()} == {"Rồng": 8, "Heo": 0}
    at = path_of(two_nights, "rosters")
    assert "An has names in two teams and counts for Rồng." in client.get(at).content.decode()
    by = owner_of(two_nights)
    data = archives.write_archive(club=two_nights.club, by=by)
    copy = archives.read_archive(data=data, by=by).seasons.get()
    assert {name: row[0] for name, row in points_of(copy).items()} == {"Rồng": 8, "Heo": 0}


def test_a_merged_name_in_a_team_keeps_its_person_out_of_another(two_nights):
    save(two_nights, "team", "Heo", "Em", "Phúc")
    merge(two_nights, "Em", "An")
    with pytest.raises(Refusal, match="An already plays for Heo"):
        save(two_nights, "team", "Rồng", "An", "Bình")
    saved = save(two_nights, "team", "Heo", "An", "Phúc", replaces=True)
    assert saved.members.count() == 2


def test_the_draw_keeps_mates_apart_under_another_name(season):
    event = make_night(8, season=season)
    save(season, "team", "Rồng", "An", "Bình")
    players.add_player(club=season.club, name="Zoe", by=owner_of(season))
    merge(season, "An", "Zoe")
    teams = tables.teams_of(season.pk)
    assert {Player.objects.get(pk=key).name for key in teams} == {"Bình", "Zoe"}
    for sitting in make_round(event).sittings.all():
        seated = {p.entrant.player.name for p in sitting.places.all()}
        assert len(seated & {"Zoe", "Bình"}) < 2


def test_the_page_asks_for_the_team_that_counts(two_nights, client):
    save(two_nights, "team", "Rồng", "An", "Bình")
    save(two_nights, "team", "Heo", "Em", "Phúc")
    an = players.named(club=two_nights.club, name="An")
    client.force_login(owner_of(two_nights))
    at = path_of(two_nights.club, "player_edit", an.pk)
    asked = client.post(at, {"act": "merge", "player": "em"})
    said = html.unescape(asked.content.decode())
    assert "The two names are in two teams. Choose the one that counts." in said
    team = f"team_{two_nights.pk}"
    assert f'name="{team}"' in said
    heo = two_nights.rosters.get(name="Heo")
    client.post(at, {"act": "merge", "player": "em", team: heo.pk})
    assert "An" in points_of(two_nights)["Heo"][1]


@pytest.mark.parametrize("name", ["Rồng", "rồng", " RỒNG "])
def test_a_team_of_that_name_is_replaced_when_that_is_said(season, client, name):
    make_night(4, season=season)
    save(season, "team", "Rồng", "An", "Bình")
    at = path_of(season, "rosters")
    client.force_login(owner_of(season))
    sent = {"kind": "team", "name": name, "members": "Chi\nDũng"}
    told = client.post(at, sent).context["form"].errors["replaces"]
    assert told == ["“Rồng” is there already, with An, Bình. Tick to replace them."]
    assert client.post(at, {**sent, "replaces": "on"}).status_code == 302
    [team] = season.rosters.all()
    members = team.members.values_list("player__name", flat=True)
    assert (team.name, list(members)) == ("Rồng", ["Chi", "Dũng"])
