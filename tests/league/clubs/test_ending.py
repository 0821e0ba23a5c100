"""A club is deleted by its owner: its members are told, have a week, and then nothing stays."""

import datetime
import json

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import SecurityEvent, SecurityMail
from engine.rules import ruleset
from launcher import erasures
from league.clubs.acts import ending, holding
from league.models import Audit, Club, Erasure, Event, Player, Posting, Result, Season, Transfer
from tables.models import Run, Seat, Sprint
from tables.people.acts import sprints as acts
from tables.people.pages import sprints
from tables.runs import runs
from tests.factories import (
    browser_of,
    confirmed,
    give_role,
    make_member,
    make_paid_night,
    make_prize,
    make_tournament,
    make_user,
    owner_of,
    path_of,
)
from tests.league.online.helpers import make_online_night, online, release
from tests.league.online.stake_tables import table_of_four

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(settings):
    """A used club with money, of an owner and a member with a confirmed address."""
    settings.HAS_MAIL = True
    event = make_paid_night(stake=5)
    make_prize(event.season, event.order[0])
    club = event.season.club
    club.member = confirmed(make_member(club, "player"))
    return club


def address(club):
    return path_of(club, "club_delete")


def over(club):
    Club.objects.filter(pk=club.pk).update(ends_at=timezone.now())


def test_the_members_are_told_and_have_a_week(club):
    browser = browser_of(owner_of(club))
    page = browser.get(address(club))
    assert page.context["counts"] == [(4, "players"), (1, "night"), (1, "game")]
    browser.post(address(club), {"do": "begin"})
    club.refresh_from_db()
    assert club.ends_at.date() == (timezone.now() + ending.NOTICE).date()
    told = SecurityEvent.objects.get(user=club.member, kind="club_ending")
    assert told.club == club.name
    assert SecurityMail.objects.get(event=told).to == club.member.email
    home = browser_of(club.member).get(path_of(club, "club")).content.decode()
    assert reverse("my_data") in home
    assert "permanently" in home
    assert holding.sweep(timezone.now()) == 0
    assert Audit.objects.filter(club=club).first().action == "club.ending"


def test_any_owner_stops_it(club):
    by, other = owner_of(club), make_user()
    give_role(club, other, "owner")
    ending.begin(club=club, by=by)
    browser_of(other).post(address(club), {"do": "keep"})
    club.refresh_from_db()
    assert club.ends_at is None
    assert holding.sweep(timezone.now() + ending.NOTICE + datetime.timedelta(seconds=1)) == 0


def test_after_the_week_nothing_is_left(club):
    other = make_paid_night(stake=5).season.club
    ending.begin(club=club, by=owner_of(club))
    over(club)
    assert holding.sweep(timezone.now()) == 1
    for model, path in (
        (Event, "season__club"), (Season, "club"), (Player, "club"), (Posting, "season__club"),
        (Transfer, "payer__player__club"), (Audit, "club"),
        (Result, "sitting__round__event__season__club"),
    ):  # fmt: skip
        found = set(model._base_manager.values_list(path, flat=True)) - {None}
        assert found <= {other.pk}, model
    assert set(Club.everything.values_list("pk", flat=True)) == {other.pk}
    assert Transfer.objects.exists()
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM league_auditmark WHERE club_id = %s", [club.pk])
        assert cursor.fetchone() == (0,)


def test_its_bot_tournaments_are_played_no_further(club):
    run = make_tournament(club.seasons.get(), "lowest", "greedy", deals=4).run
    ending.begin(club=club, by=owner_of(club))
    over(club)
    assert holding.sweep(timezone.now()) == 1
    run.refresh_from_db()
    assert (run.status, runs.play_next(run.pk)) == (Run.Status.CANCELLED, False)


def test_the_ledger_lets_nothing_go_before_its_day(club):
    ending.begin(club=club, by=owner_of(club))
    with pytest.raises(IntegrityError), transaction.atomic():
        Transfer.objects.all().delete()


def test_a_restore_deletes_the_club_again(club):
    before = transaction.savepoint()
    ending.begin(club=club, by=owner_of(club))
    over(club)
    holding.sweep(timezone.now())
    line = Erasure.objects.filter(kind="club").values("id", "kind", "key", "made_at", "at").get()
    transaction.savepoint_rollback(before)
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {erasures.WAITING} (line jsonb)")
        cursor.execute(
            f"INSERT INTO {erasures.WAITING} VALUES (%s)", [json.dumps(line, default=str)]
        )
    call_command("forget_again")
    assert not Club.everything.filter(pk=club.pk).exists()


def test_seats_of_its_online_tables_lose_their_names():
    event = make_online_night()
    release(event)
    table, club = online(event).table, event.season.club
    table.seats.filter(no=0).update(name="Vinh")
    assert set(Seat.objects.exclude(name="").values_list("name", flat=True)) - {"—"}
    ending.begin(club=club, by=owner_of(club))
    over(club)
    holding.sweep(timezone.now())
    assert set(Seat.objects.values_list("name", flat=True)) <= {"—", ""}


def test_its_online_tables_end_and_nobody_reads_its_name_there(client):
    event = make_online_night()
    release(event)
    stakes, club = table_of_four()[0], event.season.club
    home = path_of(club, "club_tables")
    opened = [open_at(home) for home in (home, "/elsewhere/")]
    pages = [reverse("tables:sprint", args=[sprint.key]) for sprint in opened]
    tables = [online(event).table, stakes.table, *(one.tables.get().table for one in opened)]
    for ended in (club, stakes.season.club):
        ending.begin(club=ended, by=owner_of(ended))
        over(ended)
    assert holding.sweep(timezone.now()) == 2
    for table in tables:
        table.refresh_from_db()
        table.arrangement.refresh_from_db()
    assert [table.status == "closed" for table in tables] == [True, True, True, False]
    assert {table.arrangement.home_name for table in tables[:3]} == {""}
    assert [client.get(page).status_code for page in pages] == [404, 200]
    assert not sprints.coming(home=home)


def open_at(home: str) -> Sprint:
    """Open a half-hour tournament of that page, with a table that waits for its first deal."""
    starts_at = timezone.now() - datetime.timedelta(minutes=1)
    sprint = acts.open_sprint(
        starts_at=starts_at, ruleset=ruleset.preset("penguin"), home=home, home_name="Hội"
    )
    for _person in range(4):
        acts.enter(sprint_id=sprint.pk, who=acts.SprintPlayer(make_user()), name="Zoe")
    acts.go_on(sprint_id=sprint.pk)
    return sprint
