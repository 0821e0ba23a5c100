"""Leagues of bots: from the schedule to who goes up and down, computed by hand."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from engine import bots as engine_bots
from engine.rules import ruleset
from league.arena.acts import bots
from league.arena.domain.divisions import Finished, division_sizes, moved
from league.arena.facts import leagues as selector
from league.arena.facts.own_bots import pool_of
from league.models import BotLeague, Event, LeagueSeat, Tally
from league.schedules.acts import leagues, schedules
from league.schedules.domain.recurrence import Recurrence
from league.schedules.domain.repeated import TournamentPlan, Tournaments
from tables.base import rulesets
from tables.bots.acts import uploads
from tables.models import Ladder, Upload
from tables.runs import runs
from tests.factories import make_season, make_user, owner_of, path_of
from tests.worlds import lived_from

pytestmark = pytest.mark.django_db

lived = lived_from("2026-12-26 07:00+07:00")
FIRST = datetime(2027, 1, 1, 13, tzinfo=UTC)
WEEK = timedelta(weeks=1)


@pytest.mark.parametrize(
    ("told", "sizes"),
    [
        ((9, 4, 2, 4), [3, 3, 3]),
        ((5, 4, 2, 4), [3, 2]),
        ((7, 4, 4, 4), [7]),
        ((9, 4, 4, 4), [5, 4]),
        ((17, 8, 2, 4), [6, 6, 5]),
        ((5, 3, 2, 2), [2, 2, 1]),
        ((1, 4, 2, 4), [1]),
        ((0, 4, 2, 4), []),
    ],
)
def test_divisions_are_as_even_as_can_be_played(told, sizes):
    assert division_sizes(*told) == sizes


def test_the_last_go_down_and_the_first_go_up():
    four, three, two = Finished("abcd"), Finished("efg"), Finished("hi")
    assert moved([four, three, two], 1) == [list("abce"), list("dfh"), list("gi")]
    assert moved([four, three], 2) == [list("abce"), list("dfg")], "half of three is one"
    assert moved([four, Finished("efg", played=False)], 1) == [list("abcd"), list("efg")]
    assert moved([Finished("a")], 1) == [["a"]]


@pytest.fixture
def league(monkeypatch) -> BotLeague:
    """Six bots in two divisions: the house's, one of the server's, two over the network."""
    season = make_season()
    monkeypatch.setitem(engine_bots.BOTS, "plug", engine_bots.BOTS["greedy"])
    owner = owner_of(season)
    for base, number, author in (("far", 1, owner), ("far", 2, owner), ("off", 2, make_user())):
        Upload.objects.create(
            pool=pool_of(season.club), author=author, base=base, number=number,
            name=f"{base}-{number}", language=Upload.REMOTE, body=b"", digest=f"{base}{number}",
            state="sound", seen_at=timezone.now() if author == owner else None,
        )  # fmt: skip
    rules = ruleset.preset("tien-len")
    Ladder.objects.create(
        pool=pool_of(season.club), ruleset=rulesets.freeze(rules), zero=[], is_on=False,
        rows=[
            {"name": name, "version": version, "games": 400, "rating": rating,
             "low": rating - 20, "high": rating + 20}
            for name, version, rating in (
                ("planner", 1, 90.0), ("far-1", 1, 60.0), ("plug", 1, 50.0), ("greedy", 1, 10.0),
                ("lowest", 1, -80.0),
            )
        ],
    )  # fmt: skip
    rule = Recurrence(date(2027, 1, 1), time(20), season.club.time_zone)
    repeated = Tournaments("Cúp", TournamentPlan(deals=2), rule, rules)
    return leagues.create_league(
        season=season, by=owner_of(season), repeated=repeated, size=3, moves=1
    )


def seats(league: BotLeague) -> list[list[str]]:
    last = league.matchdays.last()
    levels = sorted(set(last.seats.values_list("division", flat=True)))
    return [list(last.seats.filter(division=n).values_list("bot", flat=True)) for n in levels]


def end(event: Event, places: dict[str, list[int]]) -> None:
    """End a tournament with these numbers of firsts, seconds, thirds of each bot."""
    runs.cancel_run(run_id=event.run_id)
    bots.sweep()
    Tally.objects.bulk_create(
        Tally(event=event, entrant=entrant, size=3, rank=rank, tied=1, games=games)
        for entrant in event.entrants.select_related("player")
        for rank, games in enumerate(places[entrant.player.bot], start=1)
        if games
    )


def test_a_league_goes_from_its_schedule_to_who_goes_up_and_down(league, monkeypatch):
    assert schedules.tick(FIRST - timedelta(seconds=1)) == 0
    assert (schedules.tick(FIRST), schedules.tick(FIRST)) == (1, 0)
    assert seats(league) == [["planner", "far", "plug"], ["greedy", "lowest", "off"]]
    high, low = Event.objects.order_by("pk")
    assert (high.name, low.name) == ("Cúp 1 · 1/1/2027", "Cúp 2 · 1/1/2027")
    assert [bot["name"] for bot in high.run.bots] == ["planner", "far-2", "plug"]
    assert [bot["name"] for bot in low.run.bots] == ["greedy", "lowest"], "one is away"
    assert (high.run.design, high.run.deals, low.run.deals) == ("single", 6, 2)

    schedules.tick(FIRST + WEEK)
    occurrence = league.schedule.occurrences.get(day=date(2027, 1, 8))
    assert occurrence.problem == "The league's last matchday is still being played."
    # Of 8 opponents: planner beats 2·2 + 1, far 1·2 + 1, plug 1·2 + 2. greedy 1 of 4, lowest 3.
    end(high, {"planner": [2, 1, 1], "far-2": [1, 1, 2], "plug": [1, 2, 1]})
    runs.cancel_run(run_id=low.run_id)
    bots.sweep()
    for name, rank, games in (
        ("greedy", 1, 1),
        ("greedy", 2, 3),
        ("lowest", 1, 3),
        ("lowest", 2, 1),
    ):
        Tally.objects.create(
            event=low, entrant=low.entrants.get(player__bot=name), size=2, rank=rank, tied=1,
            games=games,
        )  # fmt: skip
    shown = selector.league_page(league)
    assert [
        [(row.place, row.seat.entry, row.percent, row.change) for row in division.rows]
        for division in shown.divisions
    ] == [
        [(1, "planner", 62.5, ""), (2, "plug", 50.0, ""), (3, "far-2", 37.5, "down")],
        [(1, "lowest", 75.0, "up"), (2, "greedy", 25.0, ""), (3, "off-2", None, "")],
    ]

    Upload.objects.filter(base="off").update(seen_at=timezone.now())
    monkeypatch.setitem(engine_bots.BOTS, "newcomer", engine_bots.BOTS["greedy"])
    monkeypatch.delitem(engine_bots.BOTS, "plug")
    schedules.tick(FIRST + 2 * WEEK)
    assert seats(league) == [["planner", "lowest", "far"], ["greedy", "off", "newcomer"]]
    assert [division.event is None for division in selector.league_page(league).divisions] == [
        False, False,
    ]  # fmt: skip
    first = selector.league_page(league, 1)
    changes = {row.seat.bot: row.change for one in first.divisions for row in one.rows}
    assert changes == dict.fromkeys(changes, "") | {"lowest": "up"}, "far stayed: plug has gone"
    look(league)


def look(league: BotLeague) -> None:
    """The page, the form and the API show and take it."""
    club = league.season.club
    stranger, owner = Client(), Client()
    owner.force_login(owner_of(club))
    address = path_of(league, "bot_league")
    assert "Cúp" in stranger.get(path_of(club, "arena")).content.decode()
    assert "far-2" in stranger.get(address, {"day": 1}).content.decode()
    assert stranger.get(address, {"day": 3}).status_code == 404
    [listed] = stranger.get(path_of(club, "api:bot_leagues")).json()["results"]
    assert (listed["id"], listed["size"], listed["moves"]) == (league.pk, 3, 1)
    told = path_of(league, "api:bot_league")
    found = stranger.get(told, {"matchday": 1}).json()
    assert (found["matchdays"], found["is_final"]) == (2, True)
    row = found["divisions"][0]["rows"][0]
    assert row == {
        "place": 1, "bot": "planner", "beaten": 0.625, "games": 4, "change": "", "away": False,
    }  # fmt: skip
    assert stranger.get(told).json()["is_final"] is False

    schedule = path_of(league.season, "schedule_edit", league.schedule_id)
    new = path_of(league.season, "league_create")
    day = club.today + timedelta(days=2)
    sent = {"name": "Cúp II", "ruleset": "thirteen", "size": 8, "moves": 2, "deals": 5,
            "every": "week", "day": day.isoformat(), "at": "19:00"}  # fmt: skip
    assert owner.get(schedule).status_code == 200
    assert b'href="/bots/" aria-current="page"' in owner.get(new).content
    for wrong in ({"size": 9}, {"day": ""}, {"at": ""}):
        assert owner.post(new, sent | wrong).status_code == 422
    assert owner.post(new, sent).status_code == 302
    assert owner.post(schedule, sent).status_code == 302
    one, other = BotLeague.objects.all()
    assert (one.size, other.size, other.name) == (8, 8, "Cúp II")
    schedules.delete_schedule(schedule=other.schedule, by=owner_of(club))
    assert "lowest" in stranger.get(address).content.decode(), "what was played stays"


def test_the_database_itself_refuses_what_no_league_is(league):
    schedules.tick(FIRST)
    matchday = league.matchdays.get()
    seat = {"entry": "x", "bot": "x", "number": 9, "division": 1}
    for wrong in ({"bot": "planner"}, {"number": 1}, {"division": 0}, {"division": 10}):
        with pytest.raises(IntegrityError), transaction.atomic():
            LeagueSeat.objects.create(matchday=matchday, **seat | wrong)
    for number, day in ((1, date(2028, 1, 1)), (2, matchday.day), (0, date(2028, 1, 1))):
        with pytest.raises(IntegrityError), transaction.atomic():
            league.matchdays.create(number=number, day=day)
    for change in ({"size": 9}, {"moves": 0}):
        with pytest.raises(IntegrityError), transaction.atomic():
            BotLeague.objects.update(**change)


def test_nobody_sees_two_hands_and_no_deal_twice(league):
    """Of an author's bots over the network one has a place, and none where deals come twice."""
    Upload.objects.filter(base="off").update(author=owner_of(league), seen_at=timezone.now())
    schedules.tick(FIRST)
    assert seats(league) == [["planner", "far", "plug"], ["greedy", "lowest"]]
    for event in Event.objects.all():
        end(event, {bot["name"]: [1, 0, 0] for bot in event.run.bots})
    BotLeague.objects.update(size=6)
    schedules.tick(FIRST + WEEK)
    assert seats(league) == [["planner", "greedy", "plug", "lowest"]]
    assert Event.objects.latest("pk").run.design == "rotations"


def test_a_better_version_keeps_the_place_of_its_authors_bot(league):
    owner = owner_of(league)
    Upload.objects.filter(base="off").update(author=owner, seen_at=timezone.now())
    schedules.tick(FIRST)
    before = seats(league)
    assert before[0] == ["planner", "far", "plug"]
    for event in Event.objects.all():
        end(event, {bot["name"]: [1, 0, 0] for bot in event.run.bots})
    newest = uploads.add_remote(pool=pool_of(league.season.club), author=owner, base="far")
    Upload.objects.filter(pk=newest.pk).update(seen_at=timezone.now())
    schedules.tick(FIRST + WEEK)
    entries = league.matchdays.last().seats.values_list("bot", "entry")
    assert (newest.name, dict(entries)["far"]) == ("far-3", "far-3")
