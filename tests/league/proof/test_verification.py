"""The nightly proof finds what was changed behind everybody's back, and says so."""

import datetime
import json
import logging
from collections import Counter
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from league import tasks
from league.arena.acts import bots
from league.base.acts import audit
from league.base.facts import log_marks
from league.clubs.acts import forgetting
from league.exchange.acts import archives
from league.models import Audit, AuditMark, Club, Entrant, Player, Season, Tally, Verification
from league.nights.acts import closing
from league.proof.acts import verification
from league.proof.facts import verify
from tables.models import Game, Unit
from tables.runs import runs
from tests.factories import make_night, make_season, make_table, make_tournament, owner_of
from tests.tables import live
from tests.worlds import made_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("played")]

NIGHT = datetime.datetime(2021, 1, 5, 20, 0, tzinfo=datetime.UTC)


@made_once
def played() -> Game:
    """A night with a game, a live table with a game, and a run of bots."""
    season = make_season()
    make_table(make_night(season=season), games=1)
    event = make_tournament(season)
    runs.play_next(event.run_id)
    runs.finish_if_done(run_id=event.run_id)
    event.run.refresh_from_db()
    bots.close_finished(run=event.run)
    game = live.play_quickly(live.dealt(people=1))
    connection.check_constraints()
    return game


def test_a_seat_that_counts_for_nobody_is_no_difference():
    event = make_night(stake=5)
    make_table(event, games=1)
    event.entrants.filter(pk=event.entrants.first().pk).update(counts=False)
    assert list(verification.everything(Counter())) == []


def test_places_that_an_older_release_withheld_are_given_before_the_check(monkeypatch):
    season = make_season(minimum_games=10)
    sitting = make_table(make_night(season=season, gives="places"), games=1)
    night = closing.close_event(
        event=sitting.round.event, by=owner_of(season), despite_unfinished=True
    )
    given = night.entrants.order_by("pk").values_list("place", flat=True)
    before = list(given)
    assert sorted(before) == [1, 2, 3, 4]
    night.entrants.update(place=None, place_tied=None)
    archive = archives.write_archive(club=season.club, by=owner_of(season))
    assert len(list(verify.everything(season.club))) == 1, "the rows shown differ from a rebuild"
    monkeypatch.setattr(verification, "is_due", lambda now: True)
    tasks.verify()
    assert list(given) == before
    assert Verification.objects.get().differences == []
    moved = archives.read_archive(data=archive, by=owner_of(season))
    assert sorted(Entrant.objects.filter(player__club=moved).values_list("place", flat=True)) == [
        1, 2, 3, 4,
    ]  # fmt: skip


@pytest.mark.parametrize("bot", ["", "greedy"])
def test_a_seat_that_gets_no_place_waits_for_none(monkeypatch, bot):
    season = make_season(minimum_games=1)
    event = make_table(make_night(season=season, gives="places"), games=1).round.event
    guest = event.entrants.order_by("pk")[0]
    event.entrants.filter(pk=guest.pk).update(counts=bool(bot))
    Player.objects.filter(pk=guest.player_id).update(bot=bot)
    closing.close_event(event=event, by=owner_of(season), despite_unfinished=True)
    assert event.entrants.get(place=None) == guest
    event.refresh_from_db()
    monkeypatch.setattr(verification, "is_due", lambda now: True)
    tasks.verify()
    assert type(event).objects.get(pk=event.pk).version == event.version


def differences(now: datetime.datetime = NIGHT) -> list[str]:
    night = verification.verify_tonight(now=now)
    assert night is not None
    return list(night.differences)


def change(statement: str, *values: Any) -> None:
    """Writes to a table past its triggers, as a fault of the disk or a stranger would."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = 'replica'")
        cursor.execute(statement, values)
        cursor.execute("SET LOCAL session_replication_role = 'origin'")


def log_of_three(club: Club) -> list[int]:
    """Three more entries of the club's log, each with its mark."""
    for number in range(3):
        audit.log("club.settings", club=club, by=None, name=f"Hội {number}")
    connection.check_constraints()
    return list(club.audit.order_by("pk").values_list("pk", flat=True))[-3:]


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE league_audit SET data = '{}' WHERE id = %s", "is not as it was written"),
        ("UPDATE league_audit SET at = at - interval '1 day' WHERE id = %s", "is not as it was"),
        ("UPDATE league_audit SET by_id = 1 WHERE id = %s", "is not as it was written"),
        ("DELETE FROM league_audit WHERE id = %s", "is not as it was written"),
        ("DELETE FROM league_auditmark WHERE entry_id = %s", "has no mark"),
        ("UPDATE league_auditmark SET salt = NULL WHERE entry_id = %s", "has no mark"),
    ],
)
def test_a_rewritten_entry_of_the_log_is_found_and_named(statement, says):
    club = Season.objects.first().club
    _first, second, _third = log_of_three(club)
    assert differences() == []
    change(statement, second)
    found = list(log_marks.broken(club))
    assert [one for one in found if f"entry {second} of its log {says}" in one] != []


def test_an_entry_taken_away_with_its_mark_is_found_at_the_next():
    club = Season.objects.first().club
    _first, second, third = log_of_three(club)
    change("DELETE FROM league_auditmark WHERE entry_id = %s", second)
    change("DELETE FROM league_audit WHERE id = %s", second)
    assert list(log_marks.broken()) == [
        f"club {club.pk}: entry {third} of its log is not as it was written"
    ]


def test_a_log_rewritten_with_all_its_marks_is_found_by_the_mark_of_a_backup(tmp_path, settings):
    settings.BACKUPS = tmp_path
    club = Season.objects.first().club
    kept = log_of_three(club)
    told = AuditMark.objects.filter(club_id=club.pk).latest("pk").digest
    (tmp_path / "nightly-20210105-180000.marks").write_text(json.dumps({club.pk: told}))
    assert list(verification.everything(Counter())) == []
    change("DELETE FROM league_auditmark WHERE entry_id = ANY(%s)", kept)
    change("UPDATE league_audit SET data = '{}' WHERE id = ANY(%s)", kept)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL league.forgetting = 'on'")
    Audit.objects.filter(pk__in=kept).update(data={"name": "Hội khác"})
    assert list(log_marks.broken()) == []
    assert list(verification.everything(Counter())) == [
        f"club {club.pk}: its log has no more the mark that nightly-20210105-180000 was saved with"
    ]


def test_marks_that_cannot_be_read_stop_no_check(tmp_path):
    """A kill while they were written, a share that went away: no check ended for ninety days."""
    club = Season.objects.first().club
    (tmp_path / "nightly-20210105-180000.marks").write_text("")
    (tmp_path / "nightly-20210106-180000.marks").symlink_to("nightly-20210106-180000.marks")
    (tmp_path / "nightly-20210107-180000.marks").write_text(json.dumps({club.pk: "gone"}))
    assert list(log_marks.missing(tmp_path)) == [
        f"club {club.pk}: its log has no more the mark that nightly-20210107-180000 was saved with"
    ]


def test_a_name_that_is_removed_breaks_no_chain_and_cannot_be_guessed_from_it():
    club = Season.objects.first().club
    _first, second, _third = log_of_three(club)
    forgetting.forget_names(clubs=[club], known=["Hội 1"])
    waiting = list(club.mentions.filter(key=second))
    forgetting.decide(mentions=waiting, erased=[one.pk for one in waiting], by=None)
    assert list(log_marks.broken()) == []
    assert Audit.objects.get(pk=second).data == {"name": "—"}
    assert [mark.salt is None for mark in AuditMark.objects.filter(entry=second)] == [True, False]


def test_all_is_well_and_counted(played):
    night = verification.verify_tonight()
    assert night is not None
    assert (night.count, night.differences) == (0, [])
    # Whether the run's one unit has its turn tonight depends on its key.
    night.checked.pop("units", None)
    assert night.checked == {"seasons": 1, "results": 1, "live games": 1}


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE tables_game SET outcome = '{}' WHERE id = %s", "the log ends with"),
        ("UPDATE tables_game SET commitment = 'x' WHERE id = %s", "not the one that was promised"),
        ("UPDATE tables_game SET dealt_first = dealt_first + 1 WHERE id = %s", "the hands are not"),
        ("DELETE FROM tables_action WHERE game_id = %s AND seq = 2", "an action is missing"),
        (
            "UPDATE tables_action SET seat = 0, body = jsonb_set(body, '{seat}', '9')"
            " WHERE game_id = %s AND seq = 3",
            "the log does not replay",
        ),
    ],
)
def test_a_changed_live_game_is_found(played, statement, says):
    change(statement, played.pk)
    found = differences(timezone.now())
    assert [played.table.key in one and says in one for one in found] == [True]


def test_a_log_that_ends_early_is_found(played):
    change("DELETE FROM tables_action WHERE id = %s", played.actions.latest("seq").pk)
    assert ["the log ends before" in one for one in differences(timezone.now())] == [True]


def test_a_changed_unit_is_found(played):
    Unit.objects.update(digest="0" * 64)
    found = list(verification.everything(verification.Counter()))
    assert len(found) == 2
    assert "its digest is not that of its units" in found[0]
    assert "played again it ends differently" in found[1]


def test_a_bot_of_another_version_is_no_difference(played):
    unit = Unit.objects.select_related("run").get()
    unit.run.bots[0]["version"] = "0"
    unit.run.save()
    checked = verification.Counter()
    assert list(verification.everything(checked)) == []
    assert checked["units of older bots"] == 1


def test_differences_are_kept_logged_and_shown(played, client, caplog):
    Tally.objects.filter(sitting__isnull=False).update(games=7)
    with caplog.at_level(logging.ERROR):
        found = differences(timezone.now())
    assert found
    assert [record.getMessage() for record in caplog.records] == [f"verify: {one}" for one in found]
    health = client.get(reverse("verified"))
    assert health.status_code == 503
    assert "differences" in health.content.decode()
    client.force_login(User.objects.create_superuser("owner@club.example", "x"))
    assert found[0] in client.get(reverse("verification")).context["nights"][0].differences
    with pytest.raises(CommandError, match="differences"):
        call_command("verify", stdout=StringIO())


def test_monitors_see_a_fresh_proof_and_an_old_one(client):
    path = reverse("verified")
    assert client.get(path).content == b"not yet\n"
    assert differences(timezone.now()) == []
    assert (client.get(path).status_code, b"no differences" in client.get(path).content) == (
        200,
        True,
    )
    Verification.objects.update(started_at=timezone.now() - datetime.timedelta(days=4))
    assert client.get(path).status_code == 503


def test_once_a_night_and_by_day_when_the_server_slept():
    hour = datetime.timedelta(hours=1)
    assert verification.is_due(NIGHT - 8 * hour)  # Never done: do not wait for the night.
    verification.verify_tonight(now=NIGHT)
    assert verification.verify_tonight(now=NIGHT + hour) is None
    times = {hours: verification.is_due(NIGHT + hours * hour) for hours in (1, 12, 24, 25, 40, 45)}
    assert times == {1: False, 12: False, 24: True, 25: True, 40: False, 45: True}


def test_a_check_whose_worker_was_killed_is_repeated_in_the_same_night(monkeypatch):
    hour = datetime.timedelta(hours=1)
    with monkeypatch.context() as killed:
        killed.setattr(verification.verify, "everything", raising(MemoryError))
        with pytest.raises(MemoryError):
            verification.verify_tonight(now=NIGHT)
    assert Verification.objects.get().finished_at is None
    times = {at: verification.is_due(NIGHT + at * hour) for at in (0.9, 1.1, 2.1, 23, 25)}
    assert times == {0.9: False, 1.1: True, 2.1: False, 23: True, 25: True}
    night = verification.verify_tonight(now=NIGHT + 1.1 * hour)
    assert night == Verification.objects.get(started_at=NIGHT + 1.1 * hour)
    assert not verification.is_due(NIGHT + 1.9 * hour)


def raising(error: type[BaseException]) -> Any:
    def fail(**_chosen: Any) -> Any:
        raise error

    return fail


def test_the_task_does_it_and_may_run_twice():
    tasks.verify()
    tasks.verify()
    assert Verification.objects.count() == 1


def test_every_finished_game_has_its_turn_within_thirty_nights(played):
    Game.objects.filter(pk=played.pk).update(over_at=NIGHT - datetime.timedelta(days=400))
    looked = 0
    for day in range(verification.CYCLE):
        night = verification.verify_tonight(now=NIGHT + datetime.timedelta(days=day))
        assert night is not None
        looked += night.checked.get("live games", 0)
    assert looked == 1


def test_every_season_has_its_turn_within_thirty_nights_and_busy_clubs_every_night(
    played, monkeypatch
):
    seasons = Season.objects.count()
    assert seasons
    assert verification.verify_tonight(now=NIGHT).checked["seasons"] == seasons
    monkeypatch.setattr(verification, "LATELY", datetime.timedelta(days=-1))
    turns = [
        verification.verify_tonight(now=NIGHT + datetime.timedelta(days=day)).checked["seasons"]
        for day in range(1, 31)
    ]
    assert sum(turns) == seasons
