"""What is kept about people: each row has a line, and what is old goes by night."""

import datetime

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from engine import bots as engine_bots
from engine.rules.ruleset import preset
from league import tasks
from league.me.acts import retention
from league.models import Channel, Claim, Entrant, FormerName, OldRows, Player, Result, RoleOffer
from tables.base import tokens
from tables.models import Seat, SprintEntry, Table, Upload
from tables.people.acts import sprints
from tables.people.acts.sprints import SprintPlayer
from tables.runs import runs
from tests.factories import make_club, make_night, make_season, make_table, make_user, owner_of
from tests.tables import live

pytestmark = pytest.mark.django_db

PEOPLE = (User, Player, Seat, Entrant)
TOLD = {"email", "ip", "user_agent", "device", "phone", "phone_hash", "holder", "network"}


def personal() -> set[str]:
    """The models of which each row is of a person, or has what may tell of one."""
    found = set()
    for model in apps.get_models():
        fields = model._meta.concrete_fields
        if any(f.related_model in PEOPLE for f in fields) or TOLD & {f.name for f in fields}:
            found.add(model._meta.label)
    return found


def test_no_row_of_a_person_is_without_a_line():
    lines = [name for line in retention.LINES for name in line.models]
    assert personal() - set(lines) == set()
    assert len(lines) == len(set(lines))
    assert {name for name in lines if not apps.get_model(name)} == set()


def test_the_page_tells_everyone_in_both_languages():
    for language, words in (("en", "As long as the club"), ("vi", "Còn hội là còn")):
        page = Client(headers={"accept-language": language}).get(reverse("privacy"))
        assert words in page.content.decode()
        assert [group.title for group in page.context["groups"]][-1] == words
    shown = [line for group in page.context["groups"] for line in group.lines]
    assert len(shown) == len(retention.LINES)


def test_what_is_old_goes_by_night_and_is_counted():
    club = make_club()
    by = owner_of(club)
    sitting = make_table(make_night(season=make_season(club)), games=1)
    player = club.players.first()
    RoleOffer.objects.create(club=club, email="a@b.example", role="player", by=by)
    FormerName.objects.create(player=player, name="x", until=timezone.now())
    Result.objects.update(device="phone")
    Claim.objects.create(
        event=sitting.round.event, player=player, phone_hash="x", ended_at=timezone.now()
    )
    Channel.objects.create(phone="x", kind="push", address="https://p.example", lane="p")
    now = timezone.now()
    assert sum(retention.forget(now).values()) == 1  # The former name's week is over.
    later = now + datetime.timedelta(days=91)
    counts = retention.forget(later)
    assert [counts[f"league.{name}"] for name in ("RoleOffer", "Claim", "Channel")] == [1, 2, 1]
    assert retention.last_count() == sum(counts.values())
    assert not RoleOffer.objects.exists()
    assert not Claim.objects.exists()
    assert Result.objects.get().device == ""
    page = Client(headers={"accept-language": "en"}).get(reverse("privacy")).content.decode()
    assert f"Last night {sum(counts.values())} old rows were deleted." in page


def test_guests_of_tables_that_ended_long_ago_lose_their_names():
    """Who sits at a table that goes on, or has an account, keeps the name."""
    kept, ended = live.open_table(people=2), live.open_table(people=2)
    Table.objects.filter(pk=ended.pk).update(status="closed", closed_at=timezone.now(), due_at=None)
    Seat.objects.filter(bot="").update(network="192.0.2.0/24", device="x")
    retention.forget(timezone.now() + datetime.timedelta(days=91))
    gone = set(ended.seats.filter(bot="").values_list("name", "network", "device"))
    assert gone == {("—", "", "")}
    assert not kept.seats.filter(name="—").exists()


def test_guests_of_half_hours_long_ago_lose_their_names_and_keep_their_points():
    account = make_user()
    sprint = sprints.open_sprint(starts_at=timezone.now(), ruleset=preset("mien-nam"))
    for who, name in (({"device": "a"}, "Hoa"), ({"device": "b"}, "Tư"), ({"user": account}, "An")):
        sprints.enter(sprint_id=sprint.pk, who=SprintPlayer(**who), name=name)
    SprintEntry.objects.update(points=3)
    retention.forget(sprint.ends_at + datetime.timedelta(days=89))
    assert not SprintEntry.objects.filter(name="—").exists()
    retention.forget(sprint.ends_at + datetime.timedelta(days=91))
    assert sorted(SprintEntry.objects.values_list("name", "points")) == [
        ("An", 3), ("—", 3), ("—", 3),
    ]  # fmt: skip
    devices = SprintEntry.objects.values_list("device", flat=True)
    assert not {*devices} & {tokens.hash_of("a"), tokens.hash_of("b")}


def test_a_run_that_rests_keeps_the_code_of_its_bots(monkeypatch):
    monkeypatch.setitem(engine_bots.BOTS, "mine-1", engine_bots.BOTS["lowest"])
    Upload.objects.create(
        pool="here", base="mine", number=1, name="mine-1", language="python", body=b"code",
        digest="x", state="withdrawn",
    )  # fmt: skip
    run = runs.start_run(
        ruleset=preset("tien-len"), bots=["mine-1", "lowest"], deals=1, design="versus"
    )
    runs.pause_run(run_id=run.pk)
    retention.forget(timezone.now())
    assert Upload.objects.get().body == b"code"
    runs.cancel_run(run_id=run.pk)
    retention.forget(timezone.now())
    assert Upload.objects.get().body == b""


def test_it_runs_once_a_night_and_by_day_only_if_the_server_was_off(time_machine):
    time_machine.move_to("2026-11-20 20:00:00+00:00", tick=False)  # Night in Vietnam.
    assert retention.forget_tonight(timezone.now()) is not None
    assert retention.forget_tonight(timezone.now()) is None
    time_machine.move_to("2026-11-21 10:00:00+00:00", tick=False)
    assert retention.forget_tonight(timezone.now()) is None
    time_machine.move_to("2026-11-23 10:00:00+00:00", tick=False)
    tasks.forget_old()
    assert OldRows.objects.count() == 2
