"""A club, its season, what repeats in it and its league of bots, over the API alone."""

import datetime
import json
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from league.arena.facts.own_bots import pool_of
from league.base.acts import tokens
from league.models import Audit, Club, Event, NewsItem, Schedule
from league.news.acts import sending, wishes
from league.schedules.acts import schedules
from tables.bots.acts import checks, uploads
from tables.models import Upload
from tests.factories import (
    make_season,
    make_tournament,
    make_user,
    owner_of,
    play_tournament,
)
from tests.league.base.test_api import address, post
from tests.league.news.receiver import receiver
from tests.worlds import lived_at

pytestmark = pytest.mark.django_db

lived = lived_at(12)
PLAN = {"ruleset": "thirteen", "bots": ["lowest", "random"], "deals": 4, "design": "versus"}


def program(user) -> Client:
    _token, secret = tokens.create_token(user=user, name="x")
    return Client(headers={"Authorization": f"Bearer {secret}"})


def change(client: Client, path: str, **body):
    return client.patch(path, body, content_type="application/json")


def in_days(days: int) -> str:
    today = timezone.localdate(timezone=ZoneInfo("Asia/Ho_Chi_Minh"))
    return (today + datetime.timedelta(days=days)).isoformat()


def test_a_program_makes_a_club_with_its_season_its_nights_and_its_bots():
    client = program(make_user())
    assert post(Client(), "/api/v1/clubs/", {"name": "Hội"}).status_code == 401
    made = post(client, "/api/v1/clubs/", {"name": "Hội Bạn Già"}).json()
    assert made == {
        "slug": "hoi-ban-gia", "name": "Hội Bạn Già", "unit": "đ", "currency": "VND", "exponent": 0,
        "time_zone": "Asia/Ho_Chi_Minh", "is_public": False, "shows_names": "",
    }  # fmt: skip
    club = Club.objects.get(slug="hoi-ban-gia")
    shown = change(client, address("club", club), name="Hội Trẻ", is_public=True).json()
    assert (shown["name"], shown["is_public"], shown["slug"]) == ("Hội Trẻ", True, "hoi-ban-gia")

    season = post(client, address("seasons", club), {"name": "Mùa 1", "ranks_bots": True}).json()
    assert (season["starts_on"], season["status"]) == (in_days(0), "open")
    wrong = post(client, address("seasons", club), {"name": "Mùa 2", "scoring": {"best": "all"}})
    assert wrong.status_code == 400
    counted = change(client, address("season", club, season["id"]), scoring={"drop_worst": 1})
    assert counted.json()["scoring"]["drop_worst"] == 1

    rule = {"start": in_days(7), "at": "20:00"}
    night = {"stake": 0, "rounds_planned": 3, "days_ahead": 2, "opens_sign_up": True}
    body = {"season": season["id"], "name": "Đêm 1"}
    at = address("schedules", club)
    made = post(client, at, body | {"rule": rule, "night": night})
    assert (made.status_code, made.json()["kind"]) == (201, "night")
    schedule = Schedule.objects.get()
    assert (schedule.days_ahead, schedule.opens_sign_up) == (2, True)
    schedules.tick(schedule.next_at)
    assert [event.name for event in Event.objects.all()] == ["Đêm 1"]
    assert post(client, at, body | {"name": "Recipe", "night": night}).json()["rule"] is None
    both = post(client, at, body | {"rule": rule, "night": night, "tournament": PLAN})
    assert both.json()["errors"][0]["pointer"] == "#/night"

    weekly = post(client, at, body | {"name": "Bots", "rule": rule, "tournament": PLAN}).json()
    one = address("schedule", club, weekly["id"])
    assert change(client, one, paused=True).json()["next_at"] is None
    assert change(client, one, paused=False).json()["next_at"] == weekly["next_at"]
    schedules.tick(datetime.datetime.fromisoformat(weekly["next_at"]))
    assert Event.objects.get(kind="bots").run.bots[0]["name"] == "lowest"
    assert client.delete(one).status_code == 204
    assert client.get(at).json()["count"] == 2

    league = body | {"name": "Liga", "ruleset": "thirteen", "deals": 1, "size": 3, "rule": rule}
    made = post(client, address("bot_leagues", club), league)
    assert (made.status_code, made.json()["size"]) == (201, 3)
    schedules.tick(datetime.datetime.fromisoformat(made.json()["next_at"]))
    tables = client.get(address("bot_league", club, made.json()["id"])).json()
    assert tables["divisions"][0]["division"] == 1
    assert Audit.objects.filter(action="schedule.created").count() == 4


@pytest.mark.parametrize(
    ("rule", "field"),
    [
        ({"start": "2001-01-01", "at": "20:00", "every": "once"}, "start"),
        ({"start": in_days(7), "at": "20:00", "every": "week", "nth": 2}, "nth"),
        ({"start": in_days(7), "at": "20:00", "until": in_days(1)}, "until"),
    ],
)
def test_a_rhythm_that_cannot_be_is_refused_at_its_field(rule, field):
    season = make_season()
    client = program(owner_of(season))
    body = {"season": season.pk, "name": "Bots", "rule": rule, "tournament": PLAN}
    refused = post(client, address("schedules", season.club), body)
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["pointer"] == f"#/rule/{field}"
    assert not Schedule.objects.exists()


def test_webhooks_tell_of_ended_tournaments_and_of_checked_bots(settings, monkeypatch):
    settings.BOT_UPLOADS = settings.WEBHOOKS_IN_LAN = True
    season = make_season(rules="thirteen")
    club, by = season.club, owner_of(season)
    sound = checks.checking.Report
    monkeypatch.setattr(checks.checking, "at_table", lambda _name, table, _hold: sound(table))
    monkeypatch.setattr("tables.programs.uploaded.inspect", lambda body: ("python", "d"))
    with receiver() as hook:
        wishes.add_webhook(club=club, address=hook.address, by=by)
        event = make_tournament(season, "lowest", "random", deals=2, name="Nightly")
        play_tournament(event)
        for base, seen_by in (("mine", "everyone"), ("secret", "author")):
            uploads.add_upload(pool=pool_of(club), author=by, base=base, body=b"", seen_by=seen_by)
            assert checks.check_next()
            Upload.objects.update(digest="other")
        assert set(NewsItem.objects.values_list("user", "channel")) == {(None, None)}
        sending.send_lane(sending.lane_of(club.webhooks.get().pk))
    bodies = [json.loads(body) for _headers, body in hook.got]
    assert [body["type"] for body in bodies] == ["run.finished", "bot.checked"]
    ended, checked = (body["data"] for body in bodies)
    assert (ended["event"]["name"], ended["status"]) == ("Nightly", "done")
    assert (checked["bot"], checked["state"]) == ("mine-1", "sound")
    assert checked["address"].endswith(f"/arena/bots/{checked['pk']}/")
