"""A season of every format, as its people live it: each night's podium and the table by hand.

Eight people in four teams of two. A game gives 3, 2, 1 and 0 points. At a table of one member of
each team it is enough to say in which order the teams end, whoever sits there.
"""

from datetime import timedelta

import pytest
from django.test import Client

from league.exchange.acts import archives
from league.models import Event
from league.money.facts import open_debts
from league.nights.pages import wall
from league.proof.facts import verify
from league.seasons.facts.honours import season_honours
from league.seasons.facts.standings import event_standings, season_standings
from tests.factories import browser_of, make_club, make_user, owner_of, path_of
from tests.league.arena.test_people_and_bots import tournament
from tests.league.test_lived_evening import (
    Evening,
    check_in,
    check_places,
    close,
    draw,
    in_one_line,
    play,
    settle,
    sign_up,
    told_debts,
    told_money,
    told_season,
    worth,
)

pytestmark = pytest.mark.django_db

TEAMS = {
    "Bắc": ("An", "Bình"),
    "Nam": ("Chi", "Dũng"),
    "Trung": ("Em", "Phúc"),
    "Tây": ("Giang", "Hà"),
}
PEOPLE = [name for pair in TEAMS.values() for name in pair]
CUP = {"format": "groups", "groups": 2, "group_rounds": 1, "final": 4, "others_play": "on"}
CUT = {"format": "groups", "groups": 1, "group_rounds": 3, "final": 4}
STAKE = 10_000

# Points of each night: the league of teams (two games), the cup, the knock-out, four rounds with
# a cut, and the night with a bot.
POINTS = {
    "An": 6 + 5 + 2 + 0 + 1,
    "Bình": 6 + 3 + 3 + 0 + 0,
    "Chi": 4 + 5 + 0 + 8 + 0,
    "Dũng": 4 + 3 + 0 + 6 + 0,
    "Em": 2 + 3 + 1 + 10 + 2,
    "Phúc": 2 + 1 + 1 + 12 + 0,
    "Giang": 0 + 1 + 6 + 3 + 0,
    "Hà": 0 + 3 + 5 + 3 + 0,
}


def open_season():
    """A club whose organiser opens the season, enters its people and its teams by the forms."""
    club = make_club()
    host = browser_of(owner_of(club))
    host.post(
        path_of(club, "season_create"),
        {"name": "Mùa 1", "ruleset": "killa", "points": "3-2-1-0", "starts_on": "2015-01-01"},
    )
    season = club.seasons.get()
    host.post(path_of(club, "players"), {"text": "\n".join([*PEOPLE, "Zoe"])})
    assert club.players.count() == 9
    teams = path_of(club, "rosters", season.pk)
    for name, pair in TEAMS.items():
        host.post(teams, {"kind": "team", "name": name, "members": "\n".join(pair)})
    assert season.rosters.count() == 4
    return season, host


def night(of, number, *, phones=("An", "Giang"), others=True, **fields):
    """A night planned by its form; these check in on their own phones, the organiser the others."""
    season, host = of
    day = season.starts_on + timedelta(days=number)
    plan = {"rounds_planned": 2, "counting": "fixed", "games_per_round": 1, "format": "rounds"}
    plan |= {"name": f"Đêm {number}", "date": day.isoformat(), "confirmed_by": "none"}
    answer = host.post(path_of(season, "event_create"), plan | fields)
    assert answer.status_code == 302, answer.context["form"].errors
    event = Event.objects.get(name=plan["name"])
    evening = Evening(event, host, {name: Client() for name in phones}, Client())
    if set(phones) == {*PEOPLE}:
        sign_up(evening)
    check_in(evening, PEOPLE if others else phones)
    return evening


def play_teams(evening, *teams):
    """A game at each table of the next round, in which the teams end in this order."""
    for sitting in draw(evening):
        seated = {place.entrant.player.name for place in sitting.places.all()}
        order = [name for team in teams for name in TEAMS[team] if name in seated]
        assert all(len(seated & {*pair}) == 1 for pair in TEAMS.values())
        play(evening, sitting, order)


def play_tables(evening, *orders):
    """A game at each table of the next round, one of which ends in each of these orders."""
    for sitting in draw(evening):
        seated = {place.entrant.player.name for place in sitting.places.all()}
        [order] = [order for order in orders if set(order) == seated]
        play(evening, sitting, order)


def teams_of(evening, **query):
    page = Client().get(evening.of_season("rosters"), query)
    return [(row.rank, row.roster.name, row.points) for row in page.context["teams"]]


def league_of_teams(of):
    evening = night(of, 1)
    play_teams(evening, "Bắc", "Nam", "Trung", "Tây")
    play_teams(evening, "Bắc", "Nam", "Trung", "Tây")
    close(evening)
    ranks = dict.fromkeys(TEAMS["Bắc"], 1) | dict.fromkeys(TEAMS["Nam"], 3)
    ranks |= dict.fromkeys(TEAMS["Trung"], 5) | dict.fromkeys(TEAMS["Tây"], 7)
    check_places(evening, ranks)
    of_night = teams_of(evening, event=evening.event.pk)
    assert of_night == [(1, "Bắc", 12), (2, "Nam", 8), (3, "Trung", 4), (4, "Tây", 0)]


def cup(of):
    evening = night(of, 2, **CUP)
    play_teams(evening, "Bắc", "Nam", "Trung", "Tây")
    play_tables(evening, ["Chi", "An", "Dũng", "Bình"], ["Hà", "Em", "Giang", "Phúc"])
    close(evening)
    ranks = {"Chi": 1, "An": 2, "Dũng": 3, "Bình": 4}
    check_places(evening, ranks | {"Em": 5, "Phúc": 5, "Giang": 7, "Hà": 7})
    # Each of these came first once, also where a place is by the final alone.
    honours = season_honours([], event_standings(evening.event))
    assert {one.name for one in honours if one.key == "firsts"} == {"An", "Bình", "Chi", "Hà"}
    # The recap names no title that so many share.
    assert Client().get(evening.at("recap")).context["honours"] == []
    assert wall.wall_now(evening.event).current is None  # No round beside the podium.
    body = in_one_line(Client().get(evening.at("event")))
    assert '<section aria-labelledby="final" class="wide-only">' in body, "phones read the places"
    assert teams_of(evening, event=evening.event.pk) == [
        (1, "Bắc", 8), (1, "Nam", 8), (3, "Trung", 4), (3, "Tây", 4)
    ]  # fmt: skip


def knock_out(of):
    evening = night(of, 3, phones=PEOPLE, format="knockout", stake=STAKE)
    play_teams(evening, "Tây", "Bắc", "Trung", "Nam")
    play_tables(evening, ["Giang", "Hà", "Bình", "An"])
    close(evening)
    ranks = {"Giang": 1, "Hà": 2, "Bình": 3, "An": 4}
    check_places(evening, ranks | {"Em": 5, "Phúc": 5, "Chi": 7, "Dũng": 7})
    # The last pays the first: one of Nam one of Tây at each table, then An pays Giang.
    won = {"Giang": 2 * STAKE, "Hà": STAKE, "An": -STAKE, "Chi": -STAKE, "Dũng": -STAKE}
    assert told_money(evening) == dict.fromkeys(("my night", "API", "file"), won)
    debts = told_debts(evening)
    assert [debts[where] for where in debts] == [debts["API"]] * 5
    settle(evening)
    assert [payments for payments in told_debts(evening).values() if payments] == []
    # The league after three nights: 12, 8 and 5 for Bắc, 8, 8 and 0 for Nam and so on.
    league = [(1, "Bắc", 25), (2, "Nam", 16), (3, "Tây", 15), (4, "Trung", 10)]
    assert teams_of(evening) == league
    file = [(int(row[2]), row[1], worth(row[4])) for row in evening.table("of_season", "teams")]
    assert file == league
    api = evening.api("season_rosters", evening.event.season_id)
    assert sorted((one["rank"], one["name"], worth(one["points"])) for one in api) == league


def rounds_with_a_cut(of):
    evening = night(of, 4, rounds_planned=4, **CUT)
    for _round in range(3):
        play_teams(evening, "Trung", "Nam", "Tây", "Bắc")
    play_tables(evening, ["Phúc", "Chi", "Em", "Dũng"])
    close(evening)
    ranks = {"Phúc": 1, "Chi": 2, "Em": 3, "Dũng": 4}
    check_places(evening, ranks | {"Giang": 5, "Hà": 5, "An": 7, "Bình": 7})


def people_and_a_bot(of):
    evening = night(of, 5, phones=["An", "Chi", "Em"], others=False, rounds_planned=1)
    evening.host.post(evening.at("online_bot"), {"bot": "greedy"})
    [sitting] = draw(evening)
    bot = evening.event.entrants.get(player__bot="greedy").player.name
    play(evening, sitting, [bot, "Em", "An", "Chi"])
    close(evening)
    check_places(evening, {"Em": 1, "An": 2, "Chi": 3, bot: None})
    return evening, bot


def test_a_season_of_every_format_by_hand():
    of = open_season()
    season, host = of
    league_of_teams(of)
    cup(of)
    knock_out(of)
    rounds_with_a_cut(of)
    evening, bot = people_and_a_bot(of)
    tournament(season, deals=1)

    names = ["Em", "Chi", "Phúc", "An", "Dũng", "Bình", "Hà", "Giang"]
    table = [(rank, name, POINTS[name]) for rank, name in enumerate(names, start=1)]
    assert [points for _rank, _name, points in table] == [18, 17, 16, 14, 13, 12, 11, 10]
    told = told_season(evening)
    assert told.pop("embed") == table  # Of people alone.
    table.append((None, bot, 3))
    assert told == dict.fromkeys(("season", "API", "file"), table)
    assert teams_of(evening) == [(1, "Trung", 34), (2, "Nam", 30), (3, "Bắc", 26), (4, "Tây", 21)]
    rule = path_of(season, "team_rule")
    host.post(rule, {"best": 1})
    assert teams_of(evening) == [(1, "Trung", 18), (2, "Nam", 17), (3, "Bắc", 14), (4, "Tây", 11)]
    host.post(rule, {"average": "1"})
    assert [points for *_team, points in teams_of(evening)] == [17, 15, 13, 10.5]
    assert list(verify.everything(season.club)) == []

    # The archive brings all of it back elsewhere.
    data = host.post(path_of(season.club, "club_archive")).content
    made = archives.read_archive(data=data, by=make_user()).seasons.get()
    rows = season_standings(made)
    assert [(s.row.rank, s.player.name, s.row.points) for s in rows] == table
    assert list(open_debts.of_season(made)) == []
    assert list(verify.everything(made.club)) == []
