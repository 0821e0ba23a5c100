"""The manners of the whole API: keys, versions, filters, unknown names, errors, limits."""

import datetime
from pathlib import Path

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator
from rest_framework.throttling import AnonRateThrottle

from league.models import Event, Player
from tables.api import sent_requests
from tables.models import SentRequest
from tests.factories import make_member, make_season, play
from tests.league.base.test_api import address, bearer, event_of, game, patch, post, sitting
from tests.races import race

pytestmark = pytest.mark.django_db
__all__ = ["sitting"]
NAMES = Path(__file__).parent / "operation_ids.txt"


@pytest.fixture
def season():
    return make_season()


@pytest.fixture
def headers(season):
    return bearer(make_member(season.club, "organiser"))


def problem(response, status, name):
    assert (response.status_code, response["Content-Type"]) == (status, "application/problem+json")
    body = response.json()
    assert body["type"] == f"urn:tienlen:problem:{name}"
    return body


def test_a_request_with_a_key_is_done_once_for_a_day(client, season, headers):
    path = address("players", season.club)
    keyed = headers | {"Idempotency-Key": '"add-lan"'}
    first, again = (post(client, path, {"name": "Nguyễn Lan"}, keyed) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert ("Idempotency-Replayed" in first, again["Idempotency-Replayed"]) == (False, "true")
    assert Player.objects.filter(name="Nguyễn Lan").count() == 1
    other = post(client, path, {"name": "Trần An"}, keyed)
    assert problem(other, 409, "key_reused")["detail"]
    elsewhere = post(client, address("events", season.club), {"name": "Nguyễn Lan"}, keyed)
    problem(elsewhere, 409, "key_reused")
    assert sent_requests.sweep(timezone.now()) == 0
    SentRequest.objects.update(at=timezone.now() - datetime.timedelta(hours=25))
    assert sent_requests.sweep(timezone.now()) == 1


def test_what_was_refused_leaves_its_key_free(client, season, headers):
    path, keyed = address("players", season.club), headers | {"Idempotency-Key": "k1"}
    assert post(client, path, {"name": ""}, keyed).status_code == 400
    assert post(client, path, {"name": "An"}, keyed).status_code == 201
    for wrong in ("", "a b", "x" * 201):
        assert "Idempotency-Key" in problem(
            post(client, path, {"name": "B"}, headers | {"Idempotency-Key": wrong}), 400, "invalid"
        )


def test_a_penalty_and_a_night_sent_twice_stand_once(client, season, headers):
    who = Player.objects.create(club=season.club, name="An")
    penalty = {"player": who.pk, "points": "-2", "reason": "late"}
    night = {"season": season.pk, "name": "Friday", "date": "2015-11-27"}
    for name, keys, body in (("adjustments", [season.pk], penalty), ("events", [], night)):
        for _ in range(2):
            made = post(
                client, address(name, season.club, *keys), body, headers | {"Idempotency-Key": name}
            )
            assert made.status_code == 201, made.json()
    kept = season.adjustments.count(), Event.objects.filter(season__club=season.club).count()
    assert kept == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_two_at_the_same_time_do_one_thing(season, headers):
    path, keyed = address("players", season.club), headers | {"Idempotency-Key": "k"}
    add = [lambda: post(Client(), path, {"name": "An"}, keyed).json()["id"]] * 4
    assert len(set(race(*add, refused=()))) == 1


def test_a_client_id_with_other_content_is_refused(client, sitting):
    event = event_of(sitting)
    club = event.season.club
    headers = bearer(make_member(club, "scorer"))
    path, body = address("results", club, event.pk), game(sitting)
    first, again = (post(client, path, body, headers) for _ in range(2))
    assert (first.status_code, again.status_code, first.json()) == (201, 201, again.json())
    problem(post(client, path, body | {"groups": body["groups"][::-1]}, headers), 409, "key_reused")
    for nonsense in ("\0", "x" * 41, ""):
        answer = post(client, path, body | {"client_id": nonsense}, headers)
        assert (answer.status_code, "client_id" in str(answer.json())) == (400, True)


def test_a_change_of_what_has_changed_is_refused(client, season, headers):
    night = {"season": season.pk, "name": "Friday", "date": "2015-11-27", "counting": "average",
             "format": {"kind": "loser_leaves"}}  # fmt: skip
    made = post(client, address("events", season.club), night, headers).json()
    assert (made["counting"], made["games_per_round"]) == ("average", 4)
    path = address("event", season.club, made["id"])
    seen = client.get(path, headers=headers)
    same = client.get(path, headers=headers | {"If-None-Match": seen["ETag"]})
    assert same.status_code == 304
    match = headers | {"If-Match": seen["ETag"]}
    assert patch(client, path, {"name": "Saturday"}, match).status_code == 200
    problem(patch(client, path, {"name": "Sunday"}, match), 412, "precondition")
    stale = patch(client, path, {"name": "Sunday", "version": made["version"]}, headers)
    problem(stale, 409, "stale")
    fresh = client.get(path, headers=headers).json()
    assert fresh["name"] == "Saturday"
    version = {"name": "Sunday", "version": fresh["version"]}
    assert patch(client, path, version, headers).status_code == 200
    status = address("event_status", season.club, made["id"])
    problem(post(client, status, {"status": "closed"}, match), 412, "precondition")
    problem(post(client, status, {"status": "closed", "version": 1}, headers), 400, "invalid")


def test_a_change_of_what_is_not_there_is_no_fault_of_the_server(client, season, headers):
    club, match = season.club, headers | {"If-Match": '"x"'}
    for name in ("event", "event_team", "results", "rounds", "entrants", "event_ceremony",
                 "event_call"):  # fmt: skip
        send = patch if name == "event" else post
        problem(send(client, address(name, club, 999_999), {}, match), 404, "not_found")
    problem(post(client, address("postings", club, 999_999), {}, match), 404, "not_found")
    status = address("event_status", club, 999_999)
    problem(post(client, status, {"status": "closed"}, match), 412, "precondition")


def test_the_members_of_a_problem_are_the_standards_own(client, season, headers):
    """RFC 9457: `status` is a number; a field of that name has its messages among `errors`."""
    path = address("season_status", season.club, season.pk)
    wrong = problem(post(client, path, {"status": "bogus"}, headers), 400, "invalid")
    assert (wrong["status"], wrong["title"], wrong["instance"]) == (400, "Bad Request", path)
    [error] = wrong["errors"]
    assert (error["pointer"], "bogus" in error["detail"]) == ("#/status", True)


def test_what_is_unknown_is_refused_by_its_name(client, sitting):
    event = event_of(sitting)
    club = event.season.club
    headers = bearer(make_member(club, "organiser"))
    for query, name in (
        ("status=bogus", "status"), ("season=abc", "season"), ("colour=red", "colour"),
        ("updated_since=soon", "updated_since"),
    ):  # fmt: skip
        wrong = problem(client.get(f"{address('events', club)}?{query}"), 400, "invalid")
        assert [one["pointer"] for one in wrong["errors"]] == [f"#/{name}"]
    assert client.get(f"{address('events', club)}?status=&page_size=5").status_code == 200
    wrong = post(client, address("players", club), {"name": "x", "colour": 1}, headers)
    assert problem(wrong, 400, "invalid")["colour"] == ["There is no such field here."]
    special = [{"kind": "cong", "of": 1, "hue": 2}]
    wrong = post(
        client, address("results", club, event.pk), game(sitting, specials=special), headers
    )
    [error] = problem(wrong, 400, "invalid")["errors"]
    assert error["pointer"] == "#/specials/0/hue"


def test_lists_tell_what_is_new_since(client, sitting):
    play(sitting)
    event = event_of(sitting)
    season, club = event.season, event.season.club
    reader = bearer(make_member(club, "player"))
    before, after = (
        (timezone.now() + datetime.timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")
        for minutes in (-5, 5)
    )
    for name, keys in (
        ("events", []), ("results", [event.pk]), ("season_transfers", [season.pk]),
        ("postings", [season.pk]), ("adjustments", [season.pk]),
    ):  # fmt: skip
        path = address(name, club, *keys)
        full = client.get(path, headers=reader).json()["count"]
        new = client.get(f"{path}?updated_since={before}", headers=reader).json()["count"]
        assert (new, name) == (full, name)
        late = client.get(f"{path}?updated_since={after}", headers=reader)
        assert late.json()["count"] == 0


def test_every_answer_says_how_much_may_still_be_asked(client, season, monkeypatch):
    cache.clear()
    monkeypatch.setattr(AnonRateThrottle, "THROTTLE_RATES", {"anon": "120/min"})
    path = address("events", season.club)
    first, second = (client.get(path) for _ in range(2))
    assert first["RateLimit-Policy"].startswith('"anon";q=120;w=60')
    assert [each["RateLimit"].split(";")[1] for each in (first, second)] == ["r=119", "r=118"]


def test_errors_say_what_they_are_and_what_they_always_said(client, season, headers):
    missing = problem(client.get(address("event", season.club, 99_999_999)), 404, "not_found")
    assert (missing["status"], missing["title"], bool(missing["detail"])) == (
        404,
        "Not Found",
        True,
    )
    refused = post(client, address("events", season.club), {}, headers)
    body = problem(refused, 400, "invalid")
    assert body["name"] == ["This field is required."]
    assert {"pointer": "#/name", "detail": "This field is required."} in body["errors"]
    problem(client.get("/api/v1/tables/at/nothing/", headers=headers), 404, "not_found")
    problem(client.get("/api/v1/tables/"), 401, "unauthenticated")
    html = client.get(address("event", season.club, 99_999_999), headers={"Accept": "text/html"})
    assert html["Content-Type"].startswith("text/html")


def test_names_of_operations_never_change():
    """Clients that were generated call operations by these: only add some."""
    schema = SchemaGenerator().get_schema(request=None, public=True)
    names = sorted(
        operation["operationId"]
        for methods in schema["paths"].values()
        for operation in methods.values()
    )
    assert len(names) == len(set(names))
    assert names == NAMES.read_text().split()
    assert schema["info"]["title"].isascii()


@pytest.mark.parametrize("body", ["[" * 100_000, '{"name": "\\ud800"}', "9" * 5_000])
def test_json_that_nobody_can_read_or_keep_is_refused(client, season, headers, body):
    answer = post(client, address("players", season.club), body, headers)
    assert answer.status_code == 400
    assert Player.objects.filter(club=season.club, bot="").count() == 0


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/api/v1/tables/challenges/1/", "unauthenticated"),
        ("/api/v1/nowhere/", "not_found"),
    ],
)
def test_an_error_in_a_sentence_has_a_code(client, path, code):
    answer = client.post(path, {"accept": True}, content_type="application/json")
    assert answer.json()["code"] == code
