"""Bot rankings: who meets next and how often, tests of versions, one fit with its zero."""

import datetime

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.db.models import F
from django.test import Client, override_settings
from django.utils import timezone

from engine import bots as engine_bots
from engine.rules import ruleset
from engine.statistics import rate
from engine.statistics.pairing import Known, table_of_most_gain
from league.arena.facts.own_bots import pool_of
from league.arena.pages import standing_ladder
from league.base.rights import Right
from league.clubs.acts import bins, clubs, ending
from league.models import Club
from league.models.binned import KEPT_IN_BIN
from tables.bots.acts import uploads
from tables.bots.facts import member_bots
from tables.models import Ladder, Meeting, Run, Unit, Upload
from tables.runs import ladders, runs, trials
from tests.factories import make_season, make_user, owner_of, path_of
from tests.tables.runs.test_run_verdicts import Odd

pytestmark = pytest.mark.django_db


class First:
    """Plays as greedy; so does its second version."""

    version = 1

    def __init__(self, seed):
        self.inner = engine_bots.make("greedy", seed)

    def choose(self, observation, legal):
        return self.inner.choose(observation, legal)


class Second(First):
    version = 2


@pytest.fixture
def club(monkeypatch, settings):
    settings.BOT_UPLOADS = True
    monkeypatch.setattr(ladders, "DEALS", 3)
    monkeypatch.setattr(ladders, "SAMPLES", 20)
    monkeypatch.setattr(ladders, "TEST_DEALS", 2)
    monkeypatch.setattr(ladders, "MOST_TEST_DEALS", 4)
    return make_season().club


@pytest.fixture
def ladder(club) -> Ladder:
    return ladders.set_ladder(pool=pool_of(club), ruleset=ruleset.preset("tien-len"), is_on=True)


def bring(club, monkeypatch, number: int, made: type) -> None:
    """Bring a version of a member's bot that plays without a jail."""
    monkeypatch.setitem(engine_bots.BOTS, f"mine-{number}", made)
    Upload.objects.create(
        pool=pool_of(club), author=owner_of(club), base="mine", number=number,
        name=f"mine-{number}", language="python", body=b"", digest=str(number), state="sound",
    )  # fmt: skip


def step(ladder: Ladder) -> Meeting:
    """Let the ladder rest no more, open its next meeting, and play it."""
    hour = datetime.timedelta(hours=1)
    Run.objects.update(finished_at=F("finished_at") - hour)
    Meeting.objects.update(opened_at=F("opened_at") - hour)
    ladders.tick()
    meeting = ladder.meetings.get(is_open=True)
    while runs.play_next(meeting.run_id):
        runs.finish_if_done(run_id=meeting.run_id)
    with override_settings(TABLES_LADDER_SHARE=0):  # On a slow machine the rest is over by now.
        ladders.tick()
    return meeting


def names(meeting: Meeting) -> list[str]:
    return [bot["name"] for bot in meeting.run.bots]


def test_a_ladder_goes_on_by_itself_and_rates_every_version(ladder, club, monkeypatch):
    bring(club, monkeypatch, 1, First)
    assert sorted(names(step(ladder))) == sorted(ladders.HOUSE), "the zero first"
    assert "mine-1" in names(step(ladder))
    bring(club, monkeypatch, 2, Second)
    newest = step(ladder)
    assert ("mine-2" in names(newest), newest.test, newest.run.priority) == (True, False, 0)
    test = step(ladder)
    assert (test.test, names(test), test.run.design) == (True, ["mine-2", "mine-1"], "versus")
    assert step(ladder).test is False, "tables and tests take turns"
    assert step(ladder).pk == test.pk
    test.run.refresh_from_db()
    assert (test.run.deals, test.run.units.filter(state="done").count()) == (4, 2)
    assert {step(ladder).test for _ in range(2)} == {False}, "its test is over"

    assert (ladders.rate_behind(), ladders.rate_behind()) == (1, 0)
    ladder.refresh_from_db()
    rows = {row["name"]: row for row in ladder.rows}
    assert set(rows) == {*ladders.HOUSE, "mine-1", "mine-2"}
    assert abs(sum(rows[name]["rating"] for name in ladders.HOUSE)) < 0.2
    played = Unit.objects.filter(state="done", run__meeting__test=False)
    assert ladder.rated_games == sum(played.values_list("games", flat=True))

    owner, stranger = Client(), Client()
    owner.force_login(owner_of(club))
    address, settings = (path_of(club, name) for name in ("arena", "ladder"))
    shown = stranger.get(address).content.decode()
    assert shown.count('class="spark"') == 1
    assert "no difference in 8 games" in shown
    api = stranger.get(path_of(club, "api:ladder")).json()
    assert [row["bot"] for row in api["rows"]] == [row["name"] for row in ladder.rows]
    assert (api["is_on"], api["tests"][0]["verdict"]) == (True, "even")
    uploads.show_to(upload=Upload.objects.get(number=1), seen_by="club")
    assert member_bots.newest(ladder.pool) == ["mine-2"]
    for told in (address, path_of(club, "api:ladder")):
        assert "mine-" not in stranger.get(told).content.decode()
        assert "mine-2" in owner.get(told).content.decode()
    uploads.show_to(upload=Upload.objects.get(number=1), seen_by="author")
    assert member_bots.newest(ladder.pool) == []

    assert owner.post(settings, {"ruleset": "thirteen", "is_on": "on"}).status_code == 302
    on = Ladder.objects.get(is_on=True)
    assert (on.ruleset.key, on.rows, Ladder.objects.count()) == ("thirteen", [], 2)
    assert owner.post(settings, {"ruleset": "no such"}).status_code == 422
    assert owner.post(settings, {"ruleset": "thirteen"}).status_code == 302
    assert "Stopped." in stranger.get(address).content.decode()


def test_house_bots_meet_first_at_tables_of_every_size(ladder, club, monkeypatch):
    bring(club, monkeypatch, 1, First)
    family = ladders.set_ladder(pool=ladder.pool, ruleset=ruleset.preset("family"), is_on=True)
    assert sorted(names(step(family))) == sorted([*ladders.HOUSE, "mine-1"])
    two = ruleset.with_options(ruleset.preset("tien-len"), {"max_players": 2})
    duels = ladders.set_ladder(pool=ladder.pool, ruleset=two, is_on=True)
    assert {*names(step(duels)), *names(step(duels))} == set(ladders.HOUSE)
    assert "mine-1" in names(step(duels))


def test_versions_are_tested_where_two_against_two_can_sit_down(ladder, club, monkeypatch):
    bring(club, monkeypatch, 1, First)
    bring(club, monkeypatch, 2, Second)
    two = ruleset.with_options(ruleset.preset("tien-len"), {"max_players": 2})
    duels = ladders.set_ladder(pool=ladder.pool, ruleset=two, is_on=True)
    assert [step(duels).test for _meeting in range(6)] == [False] * 6
    family = ladders.set_ladder(pool=ladder.pool, ruleset=ruleset.preset("family"), is_on=True)
    assert [step(family).test for _meeting in range(3)] == [False, False, True]
    said = []
    for status in ("running", "cancelled"):
        Run.objects.filter(meeting__test=True).update(status=status, verdict=None)
        page = standing_ladder.ladder_page(club, family, AnonymousUser(), Right.SEE)
        said += [test.says.split(",")[0].split(" after")[0] for test in page.tests]
    assert said == ["open", "stopped"]


def test_a_ladder_takes_its_share_and_nothing_of_others(ladder, club, settings):
    first = step(ladder)
    with pytest.raises(IntegrityError), transaction.atomic():
        Ladder.objects.create(pool=ladder.pool, ruleset=ladder.ruleset, zero=[])
    now = timezone.now()
    Run.objects.update(finished_at=now, spent=30_000)
    Meeting.objects.update(opened_at=now - datetime.timedelta(seconds=30))
    ladders.tick()
    assert ladder.meetings.count() == 1, "it rests"
    first = ladder.meetings.get()
    rest = ladders.rested_at(first, settings.TABLES_LADDER_SHARE / 100) - now
    assert rest == datetime.timedelta(seconds=120), "30 s of a processor are a fifth of 150 s"
    waiting = runs.start_run(ruleset=ruleset.preset("tien-len"), bots=["greedy", "lowest"], deals=2)
    Meeting.objects.update(opened_at=now - datetime.timedelta(hours=1))
    ladders.tick()
    second = ladder.meetings.get(is_open=True)
    with pytest.raises(IntegrityError), transaction.atomic():
        Meeting.objects.create(ladder=ladder, run=waiting)
    second.run.units.update(attempts=1)
    Meeting.objects.update(opened_at=timezone.now() - ladders.MOST_TIME * 2)
    ladders.tick()
    second.run.refresh_from_db()
    assert second.run.status == "cancelled", "no meeting stays for ever"
    settings.TABLES_LADDER_SHARE = 0
    ladders.tick()
    assert not ladder.meetings.filter(is_open=True).exists()


def delete_club(club, by) -> None:
    ending.begin(club=club, by=by)
    Club.objects.update(ends_at=timezone.now())
    ending.delete(club.pk, timezone.now())


def bin_for_ever(club, by) -> None:
    bins.bin_club(club=club, by=by)
    Club.everything.filter(pk=club.pk).update(binned_at=timezone.now() - 2 * KEPT_IN_BIN)
    assert bins.delete_clubs(timezone.now()) == 1


@pytest.mark.parametrize("delete", [delete_club, bin_for_ever])
def test_a_club_that_is_deleted_leaves_no_bots(ladder, club, delete):
    other, author = make_season().club, make_user()
    for pool, base in ((pool_of(club), "mine"), (pool_of(other), "theirs")):
        uploads.add_remote(pool=pool, author=author, base=base)
    ladders.set_ladder(pool=pool_of(other), ruleset=ruleset.preset("tien-len"), is_on=True)
    ladders.tick()
    trial = trials.start_trial(upload=Upload.objects.get(base="mine"))
    going = [ladder.meetings.get().run, trial.run]
    delete(club, owner_of(club))
    assert Upload.objects.get().base == "theirs"
    assert Ladder.objects.get().meetings.get().run.status == "running"
    assert {Run.objects.get(pk=run.pk).status for run in going} == {"cancelled"}
    uploads.add_remote(pool=pool_of(other), author=author, base="mine")


@pytest.mark.parametrize("close", [clubs.close_club, bins.bin_club])
def test_a_club_that_closes_stops_its_ladder(ladder, club, close):
    close(club=club, by=owner_of(club))
    ladders.tick()
    ladder.refresh_from_db()
    assert (ladder.is_on, ladder.meetings.count()) == (False, 0)


def test_the_ladder_goes_on_beside_a_slow_meeting(ladder, club, monkeypatch):
    bring(club, monkeypatch, 1, First)
    step(ladder)
    Meeting.objects.update(opened_at=timezone.now() - datetime.timedelta(hours=1))
    ladders.tick()
    slow = ladder.meetings.get(is_open=True)
    assert "mine-1" in names(slow)
    Run.objects.filter(pk=slow.run_id).update(is_slow=True)
    with override_settings(TABLES_LADDER_SHARE=100):
        ladders.tick()
    assert ladder.meetings.filter(is_open=True).exclude(pk=slow.pk).exists()
    assert "mine-1" not in ladders.entries_of(ladder), "it may be the slow one"
    while runs.play_next(slow.run_id):
        runs.finish_if_done(run_id=slow.run_id)
    assert "mine-1" in ladders.entries_of(ladder)
    Run.objects.filter(pk=slow.run_id).update(status="running", finished_at=None)
    Meeting.objects.filter(pk=slow.pk).update(opened_at=timezone.now() - 2 * ladders.MOST_TIME)
    Unit.objects.filter(run=slow.run_id, index=0).update(done_at=None, attempts=1)
    ladders.tick()
    slow.run.refresh_from_db()
    assert slow.run.status == "cancelled", "a slow one has no more time"


def test_a_bot_over_the_network_that_answers_for_too_long_loses_its_meeting(ladder, club):
    bot = uploads.add_remote(pool=ladder.pool, author=owner_of(club), base="far")
    Upload.objects.filter(pk=bot.pk).update(seen_at=timezone.now())
    step(ladder)
    hour = datetime.timedelta(hours=1)
    Meeting.objects.update(opened_at=F("opened_at") - hour)
    ladders.tick()
    meeting = ladder.meetings.get(is_open=True)
    assert bot.name in names(meeting)
    while runs.play_next(meeting.run_id):
        pass
    assert set(meeting.run.units.values_list("state", flat=True)) == {"asking"}
    Meeting.objects.filter(pk=meeting.pk).update(opened_at=F("opened_at") - hour)
    ladders.tick()
    meeting.run.refresh_from_db()
    assert meeting.run.status == "cancelled"


def test_a_worker_that_is_killed_in_a_meeting_loses_and_doubles_nothing(ladder):
    """The one that was killed had a lease; one that hung hands its result in late."""
    ladders.tick()
    meeting = ladder.meetings.get()
    killed = runs.lease(meeting.run_id)
    assert (killed.state, runs.play_next(meeting.run_id)) == ("leased", False)
    ladders.tick()
    assert ladder.meetings.filter(is_open=True).get() == meeting, "it waits for the lease"
    Unit.objects.filter(pk=killed.pk).update(lease_until=timezone.now() - datetime.timedelta(1))
    assert runs.sweep() is True
    while runs.play_next(meeting.run_id):
        runs.finish_if_done(run_id=meeting.run_id)
    block = runs.play(killed)
    runs.submit(unit_id=killed.pk, tally=block.tally, games=block.games, digest=block.digest)
    ladders.tick()
    meeting.refresh_from_db()
    done = meeting.run.units.get()
    assert (meeting.is_open, meeting.run.status, done.attempts, done.games) == (False, "done", 2, 9)
    assert (done.digest, done.conflict_digest) == (block.digest, "")
    ladders.rate_behind()
    ladder.refresh_from_db()
    assert {row["games"] for row in ladder.rows} == {9} == {ladder.rated_games}


def test_a_bot_at_fault_is_not_rated_and_soon_meets_no_more(ladder, club, monkeypatch):
    monkeypatch.setitem(engine_bots.BOTS, "odd", Odd)
    step(ladder)
    assert "odd" in names(step(ladder))
    monkeypatch.setattr(ladders, "FEW_GAMES", 1)
    ladders.rate_behind()
    ladder.refresh_from_db()
    [odd] = [row for row in ladder.rows if row.get("unrated")]
    assert (odd["name"], odd["faults"]) == ("odd", odd["games"])
    assert "odd" not in names(step(ladder))
    assert len(standing_ladder.ladder_page(club, ladder, AnonymousUser(), Right.SEE).unrated) == 1


def test_the_table_that_tells_most():
    known = [Known(0, 20), Known(300, 20), Known(-300, 20), Known(10, 20), Known(150, 400)]
    assert table_of_most_gain(known, 2, [0, 1, 2])[1] == 4
    assert table_of_most_gain(known[:4], 2, [0, 1, 2]) == [0, 3], "whose result is most open"
    assert len(table_of_most_gain(known, 4, [0])) == 4
    assert 3 not in table_of_most_gain(known, 4, [0], lambda a, b: {a, b} != {0, 3})
    assert table_of_most_gain(known[:1], 4, [0]) == []


def test_a_fixed_zero_moves_all_ratings_and_no_difference():
    deals = [{((0,), (1,), (2,)): 2, ((2,), (0, 1)): 1}, {((1,), (0,), (2,)): 3}] * 3
    free, fixed = rate(deals, 3, "x"), rate(deals, 3, "x", zero=(1, 2))
    assert abs(fixed[1].rating + fixed[2].rating) < 1e-9
    gaps = [a.rating - b.rating for a, b in zip(free, fixed, strict=True)]
    assert max(gaps) - min(gaps) < 1e-9
