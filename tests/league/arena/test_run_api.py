"""A bot author's evening over the API alone: estimate, begin, watch, change, read every game."""

import io
import json
from contextvars import copy_context
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from engine import bots
from engine.sim import verify
from league.arena.api import run_stream
from league.base.acts import tokens
from league.models import ApiToken, Club, Event
from tables.models import Run
from tests.factories import browser_of, make_member, make_season, make_tournament, owner_of, path_of
from tests.league.arena.test_run_pages import work
from tests.league.base.test_api import address, post
from tests.loops import run
from tests.tables.runs.test_run_verdicts import Odd

pytestmark = pytest.mark.django_db
PLAN = {"ruleset": "tien-len", "bots": ["odd", "greedy", "lowest", "random"], "deals": 4}


@pytest.fixture
def season(monkeypatch):
    monkeypatch.setitem(bots.BOTS, "odd", Odd)
    return make_season()


def program(season, role="organiser", scopes=("read", "arena")) -> Client:
    user = make_member(season.club, role)
    _token, secret = tokens.create_token(user=user, name="x", scopes=scopes)
    return Client(headers={"Authorization": f"Bearer {secret}"})


def lines(answer) -> list[dict]:
    return [json.loads(line) for line in answer.getvalue().decode().splitlines()]


def test_administrators_alone_read_on_which_machines_a_tournament_was_played(season):
    event = make_tournament(season)
    work(event)
    event.run.units.update(machine="desk-of-an", conflict_machine="vps-17", conflict_digest="ab")
    path = address("run_units", season.club, event.pk)
    administrator = make_member(season.club, "player")
    User.objects.filter(pk=administrator.pk).update(is_superuser=True)
    for client in (Client(), program(season), browser_of(administrator)):
        (unit, *_more) = client.get(path).json()["results"]
        told = client.session.get("_auth_user_id") == str(administrator.pk)
        assert (unit["machine"], unit["conflict_machine"]) == (
            ("desk-of-an", "vps-17") if told else ("", "")
        )
    page = browser_of(owner_of(event)).get(path_of(season.club, "event", event.pk))
    assert "when it was replayed" in page.content.decode()
    assert "vps-17" not in page.content.decode()


def test_an_author_begins_watches_changes_and_reads_a_tournament(season, monkeypatch, capsys):
    client, club = program(season), season.club
    body = PLAN | {"season": season.pk, "name": "Nightly", "start": False}
    for plan in (PLAN, body):
        told = post(client, address("run_estimate", club), plan).json()
        assert told == {"games": 16, "units": 1, "seconds": None}
    keyed = {"Idempotency-Key": "nightly-1"}
    made, again = (post(client, address("runs", club), body, keyed) for _ in range(2))
    assert (made.status_code, again.json()["id"]) == (201, made.json()["id"])
    run = made.json()
    assert (run["status"], run["seed"], len(run["commitment"])) == ("paused", None, 64)
    assert run["bots"][0] == {"name": "odd", "version": 3}

    at = lambda name: address(name, club, run["id"])  # noqa: E731
    change = lambda **what: post(client, at("run_change"), what)  # noqa: E731
    since = timezone.now().isoformat().replace("+00:00", "Z")
    changed = lambda: client.get(f"{address('runs', club)}?updated_since={since}").json()["count"]  # noqa: E731
    assert changed() == 0
    assert change(change="resume").json()["status"] == "running"
    assert changed() == 1
    assert client.get(at("run_tables")).json()["progress"]["waiting"]["place"] == 1
    [line] = lines(client.get(at("run_stream")))
    assert (line["status"], line["games"], line["games_asked"]) == ("running", 0, 16)
    assert change(change="extend").status_code == 400
    assert change(change="extend", deals=2).json()["deals"] == 6
    event = Event.objects.get(pk=run["id"])
    assert Run.objects.get().seed not in client.get(at("run")).content.decode()
    work(event)

    ended = client.get(at("run")).json()
    assert (ended["status"], ended["commitment"]) == ("done", run["commitment"])
    tables = client.get(at("run_tables")).json()
    assert (tables["progress"]["games"], tables["deals"]) == (24, 6)
    assert len(tables["strengths"]) == 4
    assert len(tables["pairs"]) == 6
    [odd] = [one for one in tables["faults"] if one["bot"] == "odd"]
    assert odd["illegal"] > 12  # Some games are over before its third turn.
    assert odd["unrated"]
    assert "odd" not in [one["bot"] for one in tables["ratings"]]
    units = client.get(f"{at('run_units')}?state=done").json()["results"]
    assert [unit["deals"] for unit in units] == [4, 2]
    [first, *_rest] = client.get(at("run_verdicts")).json()["results"]
    assert (first["bot"], first["kind"], first["deal"]) == ("odd", "illegal", 1)
    assert "which is not among what it may do" in first["text"]
    page = f"/clubs/{club.slug}/events/{event.pk}/games/1/{first['game']}/"
    assert first["replay"] == f"{page}?step={first['move']}"
    record = client.get(first["record"]).json()
    assert record["actions"][first["move"]]["seat"] == record["players"].index("odd")
    assert post(client, address("run_estimate", club), PLAN).json()["seconds"] > 0

    records = lines(client.get(at("run_records")))
    assert records[-1] == {"next_deal": None}
    assert len(records) == 25
    assert lines(client.get(f"{at('run_records')}?deal=6"))[0]["event"]["deal"] == 6
    check(monkeypatch, records, ended["seed"], ended["commitment"], status=0)
    assert "24 of 24 games were dealt by this seed." in capsys.readouterr().out
    records[3]["hands"] = records[3]["hands"][::-1]
    check(monkeypatch, records, ended["seed"], ended["commitment"], status=1)
    assert "deal 1: the seed deals" in capsys.readouterr().out
    check(monkeypatch, records, "another", ended["commitment"], status=1)


def check(monkeypatch, records, seed, commitment, *, status):
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(map(json.dumps, records))))
    monkeypatch.setattr("sys.argv", ["verify", "--seed", seed, "--commitment", commitment])
    assert verify.main() == status


def test_a_stream_says_each_change_once_and_ends_with_the_run(monkeypatch):
    def said(looks, first="running") -> list[dict | None]:
        async def collect() -> list[bytes]:
            lines = run_stream.following(None, {"status": first}, lambda: next(looks))
            return [line async for line in lines]

        return [json.loads(line or "null") for line in map(bytes.strip, run(collect()))]

    monkeypatch.setattr(run_stream, "EVERY", 0)
    running, more, done = (
        {"status": "running"},
        {"status": "running", "games": 8},
        {"status": "done"},
    )
    assert said(iter([running, more, more, done])) == [running, more, done]
    assert said(iter([None])) == [running], "who may not read it any more is told nothing more"
    assert said(iter([]), first="done") == [done]
    monkeypatch.setattr(run_stream, "HEARTBEAT", 0)
    assert said(iter([running, done])) == [running, None, done]
    monkeypatch.setattr(run_stream, "LONGEST", 0)
    assert said(iter([])) == [running]
    assert run_stream._open.has_room(None, 1)


def test_a_stream_looks_again_who_reads_it(season):
    client, club = program(season), season.club
    pk = post(client, address("runs", club), PLAN | {"season": season.pk, "name": "N"}).json()["id"]
    token = ApiToken.objects.get()

    def look(account: int | None, key: int | None) -> Any:
        """As in a thread of its own: how names are read then is not for this test's others."""
        return copy_context().run(run_stream.look, account, key, club.slug, pk)

    assert look(token.user_id, token.pk)["games_asked"] == 16
    assert look(None, None)["status"] == "running"
    tokens.revoke_token(token=token)
    assert look(token.user_id, token.pk) is None
    Club.objects.filter(pk=club.pk).update(is_public=False)
    assert look(None, None) is None


def test_a_token_without_the_scope_changes_nothing(season):
    body = PLAN | {"season": season.pk, "name": "Nightly"}
    reads = program(season, scopes=("read", "organise"))
    refused = post(reads, address("runs", season.club), body)
    assert (refused.status_code, refused.json()["code"]) == (403, "scope")
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"bots": ["greedy", "nobody"]}, "#/bots"),
        ({"ruleset": "chess"}, "#/ruleset"),
        ({"design": "tables"}, "#/bots"),
        ({"effect": 0.02}, "#/effect"),
        ({"seed": "mine"}, "#/seed"),
    ],
)
def test_what_cannot_be_played_is_refused_by_its_field(season, wrong, pointer):
    body = PLAN | {"season": season.pk, "name": "Nightly"} | wrong
    refused = post(program(season), address("runs", season.club), body)
    assert refused.status_code == 400, refused.json()
    assert refused.json()["errors"][0]["pointer"] == pointer
