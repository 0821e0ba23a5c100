"""The API: services and rights as on the pages, tokens, pages of lists, limits, its schema."""

import datetime
import uuid

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator
from rest_framework.throttling import AnonRateThrottle

from league.base.acts import tokens
from league.clubs.acts import players
from league.models import ApiToken, Event, Result
from league.nights.acts import attendance, closing, draws
from league.seasons.acts import seasons
from league.tasks import sweep_ratings, sweep_standings
from tests.factories import (
    make_adjustment,
    make_club,
    make_member,
    make_night,
    make_round,
    make_table,
    make_user,
    names_at,
    owner_of,
    path_of,
    play,
    put_to_yesterday,
    sign_in,
    stored,
)
from tests.shares import share
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


@made_once
def sitting():
    return make_table(make_night(rules="killa", stake=5))


def event_of(sitting):
    return sitting.round.event


def bearer(user):
    _token, secret = tokens.create_token(user=user, name="test")
    return {"Authorization": f"Bearer {secret}"}


def address(name, club, *keys):
    return path_of(club, f"api:{name}", *keys)


def game(sitting, **changed):
    keys = [place.entrant_id for place in sitting.places.order_by("seat")]
    values = {
        "round": 1,
        "table": sitting.table_no,
        "game": 1,
        "groups": [[key] for key in keys],
        "client_id": str(uuid.uuid4()),
    }
    return values | changed


def post(client, path, data, headers=None):
    return client.post(path, data, content_type="application/json", headers=headers or {})


def fields(refused):
    """What a request was refused for: each field by its name."""
    assert refused.status_code == 400
    return [error["pointer"].removeprefix("#/") for error in refused.json()["errors"]]


def patch(client, path, data, headers):
    return client.patch(path, data, content_type="application/json", headers=headers)


# --- Reading ----------------------------------------------------------------------------------


def test_everybody_reads_a_public_club(client, sitting):
    order = names_at(sitting)
    play(sitting, order)
    event = event_of(sitting)
    club = event.season.club
    rows = client.get(address("season_standings", club, event.season_id)).json()["results"]
    assert [(r["rank"], r["name"], r["points"], r["money"]) for r in rows] == [
        (1, order[0], "3", None), (2, order[1], "2", None), (3, order[2], "1", None),
        (4, order[3], "0", None),
    ]  # fmt: skip
    assert client.get(address("season_transfers", club, event.season_id)).status_code == 404
    [result] = client.get(address("results", club, event.pk)).json()["results"]
    assert [p["name"] for p in result["placings"]] == order
    [round_] = client.get(address("rounds", club, event.pk)).json()["results"]
    assert sorted(p["name"] for p in round_["tables"][0]["places"]) == sorted(order)


def test_members_read_its_money_too(client, sitting):
    play(sitting)
    event, headers = event_of(sitting), bearer(make_member(event_of(sitting).season.club, "player"))
    club = event.season.club
    rows = get(client, "season_standings", club, event.season_id, headers=headers)
    assert [row["money"] for row in rows] == [5, 0, 0, -5]
    found = get(client, "season_transfers", club, event.season_id, headers=headers)
    assert [(t["amount"], t["words"]) for t in found] == [(5, "last place")]


def test_a_club_that_is_not_public_does_not_exist_for_strangers(client):
    club = make_club(is_public=False)
    assert client.get(address("club", club)).status_code == 404
    shown = client.get(reverse("api:clubs")).json()["results"]
    assert club.slug not in [c["slug"] for c in shown]
    mine = client.get(reverse("api:clubs"), headers=bearer(owner_of(club))).json()["results"]
    assert club.slug in [c["slug"] for c in mine]


def test_lists_come_in_pages_and_are_filtered(client):
    club = make_club()
    text = "\n".join(f"Khách {number:02}" for number in range(60))
    players.add_players(club=club, text=text, by=owner_of(club))
    first = client.get(address("players", club)).json()
    assert (first["count"], len(first["results"]), first["previous"]) == (60, 50, None)
    assert len(client.get(first["next"]).json()["results"]) == 10
    assert len(client.get(address("players", club), {"page_size": 1000}).json()["results"]) == 60
    found = client.get(address("players", club), {"q": "khách 07"}).json()
    assert [p["name"] for p in found["results"]] == ["Khách 07"]


@pytest.mark.parametrize(
    ("query", "count"),
    [({}, 1), ({"status": "closed"}, 0), ({"season": "99999999"}, 0)],
)
def test_events_are_filtered(client, sitting, query, count):
    club = event_of(sitting).season.club
    assert client.get(address("events", club), query).json()["count"] == count


@pytest.mark.parametrize("games", share([1, 3], 1, of=2))
def test_results_take_seven_queries(client, sitting, games, django_assert_num_queries):
    for _ in range(games):
        play(sitting)
    event = event_of(sitting)
    with django_assert_num_queries(7):
        client.get(address("results", event.season.club, event.pk))


# --- Writing ----------------------------------------------------------------------------------


def test_a_token_saves_a_result_once_and_corrects_it(client, sitting):
    event = event_of(sitting)
    club = event.season.club
    headers, path = bearer(make_member(club, "scorer")), address("results", club, event.pk)
    body = game(sitting)
    for _ in range(2):
        assert post(client, path, body, headers).status_code == 201
    assert Result.objects.count() == 1
    turned = game(sitting, version=1, groups=body["groups"][::-1], reason="tapped wrongly")
    assert post(client, path, turned, headers).json()["version"] == 2
    stale = game(sitting, version=1)
    assert post(client, path, stale, headers).status_code == 409


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"groups": [[10**9 + at] for at in range(4)]}, 400),
        ({"groups": "x"}, 400),
        ({"groups": [[]]}, 400),
        ({"client_id": "x"}, 400),
        ({"game": 5}, 409),
        ({"table": 9}, 404),
        ({"game": -1}, 400),
    ],
)
def test_a_wrong_result_is_refused_with_a_reason(client, sitting, changed, status):
    event = event_of(sitting)
    headers = bearer(make_member(event.season.club, "scorer"))
    path = address("results", event.season.club, event.pk)
    response = post(client, path, game(sitting, **changed), headers)
    assert (response.status_code, bool(response.json())) == (status, True)
    assert Result.objects.count() == 0


def test_organisers_add_players_open_nights_check_in_and_penalise(season, client):
    club = season.club
    headers = bearer(make_member(club, "organiser"))
    lan = post(client, address("players", club), {"name": " Lan "}, headers).json()
    assert lan["name"] == "Lan"
    again = post(client, address("players", club), {"name": "LAN"}, headers)
    assert fields(again) == ["name"]
    body = {"season": season.pk, "name": "Đêm", "date": "2015-02-01"}
    night = post(client, address("events", club), body, headers).json()
    body = {"players": [lan["id"]], "presence": "here"}
    here = post(client, address("entrants", club, night["id"]), body, headers).json()
    assert [(e["name"], e["presence"]) for e in here["results"]] == [("Lan", "here")]
    body = {"player": lan["id"], "points": "-1.5", "reason": "late"}
    made = post(client, address("adjustments", club, season.pk), body, headers)
    assert (made.status_code, made.json()["points"]) == (201, "-1.5")


def test_organisers_say_how_a_night_is_run_and_change_it_until_a_round_is_drawn(season, client):
    club = season.club
    headers = bearer(make_member(club, "organiser"))
    body = {"season": season.pk, "name": "Đêm", "date": "2015-02-01", "counting": "average",
            "format": {"kind": "loser_leaves", "tables": 2, "cap": 3}}  # fmt: skip
    night = post(client, address("events", club), body, headers).json()
    whole = {"kind": "loser_leaves", "tables": 2, "cap": 3, "look": 1, "groups": 2,
             "group_rounds": 3, "final": 4, "others_play": True, "fill_up": False,
             "bot": "", "one_table": None, "table_size": 4, "handicap": 0,
             "plus_minus": False, "ceremony": 0, "same_deals": False}  # fmt: skip
    assert night["format"] == whole
    path = address("event", club, night["id"])
    changed = patch(client, path, {"format": {"kind": "open", "tables": 5}}, headers).json()
    assert (changed["format"]["kind"], changed["format"]["tables"]) == ("open", 5)
    renamed = patch(client, path, {"name": "Tối"}, headers).json()
    assert (renamed["name"], renamed["date"]) == ("Tối", "2015-02-01")
    assert renamed["format"] == changed["format"]
    by = club.memberships.get(role="organiser").user
    event = Event.objects.get(pk=night["id"])
    for name in ("Lan", "Minh", "Nga", "Oanh"):
        attendance.add_guest(event=event, name=name, by=by)
    draws.draw_round(event=event, by=by)
    refused = patch(client, path, {"format": {"kind": "groups"}}, headers)
    assert fields(refused) == ["format"]
    more = patch(client, path, {"format": {"kind": "open", "tables": 7}}, headers)
    assert (more.status_code, more.json()["format"]["tables"]) == (200, 7)


@pytest.mark.parametrize(
    ("format", "field"),
    [
        ({"kind": "swiss"}, "format"),
        ("loser_leaves", "format"),
        (None, "format"),
        ({"kind": "open", "tables": 0}, "tables"),
        ({"kind": "groups", "final": 1}, "final"),
        ({"bot": "nobody"}, "bot"),
        ({"shape": "round"}, "shape"),
    ],
)
def test_a_format_that_cannot_be_is_refused_by_its_field(season, client, format, field):
    headers = bearer(make_member(season.club, "organiser"))
    body = {"season": season.pk, "name": "Đêm", "date": "2015-02-01", "format": format}
    refused = post(client, address("events", season.club), body, headers)
    assert fields(refused) == [field]
    assert not season.events.exists()


def test_a_broken_body_is_told(client):
    club = make_club()
    headers = bearer(owner_of(club))
    path = address("players", club)
    for body in (b"{", b"[1]", b"null", b'{"name": {}}'):
        response = client.post(path, body, content_type="application/json", headers=headers)
        assert response.status_code == 400


# --- Seasons, money and draws -----------------------------------------------------------------


def get(client, name, club, *keys, headers=None, **query):
    return client.get(address(name, club, *keys), query, headers=headers or {}).json()["results"]


def test_the_sum_behind_a_row_ratings_honours_and_opponents_are_read(client, sitting):
    order = names_at(sitting)
    play(sitting, order)
    season = event_of(sitting).season
    club = season.club
    sweep_ratings()
    first = players.named(club=club, name=order[0])
    [line] = get(client, "season_row", club, season.pk, first.pk)
    assert (line["what"], line["count"], line["each"], line["total"]) == ("placing", "1", "3", "3")
    for name, keys in (("season_ratings", [season.pk]), ("club_ratings", [])):
        assert [r["name"] for r in get(client, name, club, *keys)] == order
    [honour] = get(client, "season_honours", club, season.pk)
    assert (honour["title"], honour["player"], honour["count"]) == ("King of firsts", first.pk, 1)
    headers = bearer(make_member(club, "player"))
    met = get(client, "opponents", club, first.pk, season.pk, headers=headers)
    assert sorted((o["name"], o["ahead"], o["money"]) for o in met) == sorted(
        (name, 1, 5 if name == order[3] else 0) for name in order[1:]
    )
    [night] = get(client, "player_nights", club, first.pk, season.pk)
    assert (night["points"], night["total"], night["counted"]) == ("3", "3", True)
    assert night["rating"] > 25 > night["rating"] - night["margin"]


def test_seasons_are_closed_and_stand_in_the_archive(client, sitting):
    play(sitting)
    event = event_of(sitting)
    club, headers = event.season.club, bearer(owner_of(event))
    close = {"status": "closed"}
    path = address("event_status", club, event.pk)
    assert post(client, path, close, headers).status_code == 409
    closed = post(client, path, close | {"despite_unfinished": True}, headers)
    assert closed.json()["status"] == "closed"
    status = address("season_status", club, event.season_id)
    assert post(client, status, close, headers).json()["status"] == "closed"
    assert post(client, path, {"status": "open"}, headers).status_code == 400
    sweep_standings()
    [past] = get(client, "past_seasons", club)
    assert [(p["rank"], p["points"]) for p in past["podium"]] == [(1, "3"), (2, "2"), (3, "1")]
    assert post(client, status, {"status": "x"}, headers).status_code == 400


def test_a_scorer_cannot_correct_what_is_closed(client, sitting):
    play(sitting)
    event = event_of(sitting)
    club, by = event.season.club, owner_of(event)
    closing.close_event(event=event, by=by, despite_unfinished=True)
    seasons.set_status(season=event.season, status="closed", by=by)
    headers = bearer(make_member(club, "scorer"))
    turned = game(sitting, version=1, groups=game(sitting)["groups"][::-1])
    refused = post(client, address("results", club, event.pk), turned, headers)
    assert (refused.status_code, Result.objects.count()) == (409, 1)


def test_specials_are_saved_paid_and_read(client):
    sitting = make_table(make_night(rules="mien-nam", stake=1))
    event = event_of(sitting)
    club, headers = event.season.club, bearer(owner_of(event))
    keys = [place.entrant_id for place in sitting.places.order_by("seat")]
    chop = {"kind": "chop", "by": keys[0], "of": keys[1], "what": "R"}
    cong = {"kind": "cong", "of": keys[3]}
    path = address("results", club, event.pk)
    made = post(client, path, game(sitting, specials=[chop, cong]), headers)
    assert (made.status_code, made.json()["specials"]) == (201, [chop, cong])
    [read] = get(client, "results", club, event.pk)
    assert (read["specials"], read["source"]) == ([chop, cong], "entered")
    moved = get(client, "season_transfers", club, event.season_id, headers=headers)
    words = {t["words"] for t in moved}
    assert {"chopped with a red 2 on the table", "cóng"} <= words
    told = {s["name"]: s for s in get(client, "season_specials", club, event.season_id)}
    assert sorted((s["chops"], s["chopped"], s["cong"]) for s in told.values()) == [
        (0, 0, 1), (0, 1, 0), (1, 0, 0),
    ]  # fmt: skip
    for wrong in ([{"kind": "x"}], [{"kind": "cong"}], [{"kind": "chop", "by": 1, "of": 2}], "x"):
        refused = post(client, path, game(sitting, game=2, specials=wrong), headers)
        assert (refused.status_code, bool(refused.json())) == (400, True)


def test_penalties_are_revoked_once(client, sitting):
    season = event_of(sitting).season
    made = make_adjustment(season, names_at(sitting)[0])
    headers = bearer(make_member(season.club, "organiser"))
    path = address("adjustment_revoke", season.club, season.pk, made.pk)
    assert post(client, path, {}, headers).json()["revoked_at"] is not None
    assert post(client, path, {}, headers).status_code == 409
    missing = address("adjustment_revoke", season.club, season.pk, 99_999_999)
    assert post(client, missing, {}, headers).status_code == 404


@pytest.mark.parametrize(
    ("body", "moves"),
    [
        ({"kind": "settlement", "payer": 3, "payee": 0, "amount": 5}, [(0, 3, 5)]),
        ({"kind": "cost", "bearers": [0, 1], "amount": 5}, [(0, None, 3), (1, None, 2)]),
        ({"kind": "cost", "bearers": [0, 1], "paid_by": 2, "amount": 4}, [(0, 2, 2), (1, 2, 2)]),
        ({"kind": "fee", "bearers": [0, 1], "amount": 2}, [(0, None, 2), (1, None, 2)]),
        ({"kind": "prize", "player": 2, "amount": 9}, [(None, 2, 9)]),
    ],
)
def test_postings_are_made_once_and_taken_back_once(client, sitting, body, moves):
    season = event_of(sitting).season
    club, headers = season.club, bearer(make_member(season.club, "organiser"))
    keys = [players.named(club=club, name=name).pk for name in names_at(sitting)]
    people = {"payer", "payee", "player", "paid_by"}
    body = {
        name: [keys[n] for n in value] if name == "bearers"
        else keys[value] if name in people else value
        for name, value in body.items()
    } | {"client_id": str(uuid.uuid4()), "note": "x"}  # fmt: skip
    path = address("postings", club, season.pk)
    made = [post(client, path, body, headers).json() for _ in range(2)]
    assert made[0] == made[1]
    key = {number: keys[number] if number is not None else None for number in (0, 1, 2, 3, None)}
    assert [(t["payer"], t["payee"], t["amount"]) for t in made[0]["transfers"]] == [
        (key[payer], key[payee], amount) for payer, payee, amount in moves
    ]
    back = address("posting_reverse", club, season.pk, made[0]["id"])
    undo = {"client_id": str(uuid.uuid4())}
    for _ in range(2):
        assert post(client, back, undo, headers).json()["taken_back_at"] is not None
    assert post(client, back, {"client_id": str(uuid.uuid4())}, headers).status_code == 409
    [listed] = get(client, "postings", club, season.pk, headers=headers)
    assert listed["taken_back_at"] is not None
    balances = get(client, "season_balances", club, season.pk, headers=headers)
    assert {b["amount"] for b in balances} == {0}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"kind": "prize"}, 400),
        ({"kind": "fee", "bearers": []}, 400),
        ({"kind": "prize", "player": 99_999_999}, 404),
        ({"kind": "x", "player": 1}, 400),
        ({"kind": "prize", "player": 1, "amount": 0}, 400),
        ({"kind": "prize", "player": 1, "event": 99_999_999}, 404),
    ],
)
def test_a_wrong_posting_is_refused_with_a_reason(client, sitting, body, status):
    season = event_of(sitting).season
    values = {"amount": 5, "client_id": str(uuid.uuid4())}
    path = address("postings", season.club, season.pk)
    refused = post(client, path, values | body, bearer(owner_of(season)))
    assert (refused.status_code, bool(refused.json())) == (status, True)


def test_who_pays_whom(client, sitting):
    order = names_at(sitting)
    play(sitting, order)
    season = event_of(sitting).season
    headers = bearer(make_member(season.club, "player"))
    tonight = get(client, "season_payments", season.club, season.pk, headers=headers)
    assert tonight == [], "what a night moves that is played is not yet to settle"
    put_to_yesterday(season)
    [payment] = get(client, "season_payments", season.club, season.pk, headers=headers)
    assert (payment["payer_name"], payment["payee_name"], payment["amount"]) == (
        order[3], order[0], 5,
    )  # fmt: skip


def test_organisers_draw_release_and_take_back(client):
    event = make_night(5)
    club, headers = event.season.club, bearer(make_member(event.season.club, "organiser"))
    path = address("rounds", club, event.pk)
    draft = post(client, path, {"seed": 7}, headers)
    assert (draft.status_code, draft.json()["status"], draft.json()["seed"]) == (201, "draft", 7)
    assert get(client, "rounds", club, event.pk) == []
    [listed] = get(client, "rounds", club, event.pk, headers=headers)
    assert listed["status"] == "draft"
    scorer = bearer(make_member(club, "scorer"))
    assert get(client, "rounds", club, event.pk, headers=scorer) == []
    release, discard = (
        address(f"round_{act}", club, event.pk, 1) for act in ("release", "discard")
    )
    assert post(client, release, {}, headers).json()["released_at"] is not None
    assert post(client, release, {}, headers).status_code == 409
    assert post(client, discard, {}, headers).json()["reason"] == ["Say why you withdraw the draw."]
    assert post(client, discard, {"reason": "two came"}, headers).status_code == 204
    assert get(client, "rounds", club, event.pk, headers=headers) == []
    assert post(client, release, {}, headers).status_code == 404
    assert post(client, path, {"method": "x"}, headers).status_code == 400


def test_a_program_acts_on_the_draft_that_it_saw_or_is_told_who_changed_it(client):
    event = make_night(8)
    club, by = event.season.club, owner_of(event)
    headers = bearer(make_member(club, "organiser"))
    rounds, one = address("rounds", club, event.pk), address("round", club, event.pk, 1)
    release, discard = (
        address(f"round_{act}", club, event.pk, 1) for act in ("release", "discard")
    )
    none = {"number": 1, "version": 0}
    seen = post(client, rounds, none, headers).json()
    tag = client.get(one, headers=headers)["ETag"]
    draws.draw_round(event=event, by=by)
    for path, body in ((rounds, none), (release, {}), (discard, {})):
        refused = post(client, path, {"version": seen["version"]} | body, headers)
        assert (refused.status_code, refused.json()["code"]) == (409, "stale")
        assert refused.json()["detail"][0].startswith("A member drew the tables of round 1 at ")
    for path in (release, discard):
        assert post(client, path, {}, headers | {"If-Match": tag}).status_code == 412
    now = client.get(one, headers=headers)
    assert now.json()["version"] > seen["version"]
    done = post(client, release, {}, headers | {"If-Match": now["ETag"]})
    assert (done.status_code, done.json()["status"]) == (200, "released")
    late = post(client, rounds, none, headers)
    assert (late.status_code, late.json()["code"]) == (409, "stale")
    assert client.get(one).json()["tables"] == done.json()["tables"]


@pytest.mark.parametrize("games", share([1, 3], 1, of=2))
def test_lists_of_a_season_take_a_fixed_number_of_queries(
    client, sitting, games, django_assert_num_queries
):
    for _ in range(games):
        play(sitting)
    season = event_of(sitting).season
    put_to_yesterday(season)
    client.force_login(make_member(season.club, "player"))
    get(client, "season_standings", season.club, season.pk)
    for name, count in {
        "season_standings": 8, "season_balances": 8, "season_payments": 9, "season_transfers": 7,
        "postings": 6,
    }.items():  # fmt: skip
        with django_assert_num_queries(count, info=name):
            client.get(address(name, season.club, season.pk))


# --- Tokens and limits ------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["Bearer", "Bearer wrong", "Bearer a b", "bearer \xff"])
def test_a_wrong_token_is_refused_even_for_reading(client, value):
    response = client.get(reverse("api:clubs"), headers={"Authorization": value})
    assert (response.status_code, response["WWW-Authenticate"]) == (401, "Bearer")


def test_a_revoked_token_and_one_of_a_closed_account_are_refused(client):
    user = make_user()
    headers = bearer(user)
    assert client.get(reverse("api:clubs"), headers=headers).status_code == 200
    assert ApiToken.objects.get().used_at is not None
    user.is_active = False
    user.save()
    assert client.get(reverse("api:clubs"), headers=headers).status_code == 401
    user.is_active = True
    user.save()
    tokens.revoke_token(token=ApiToken.objects.get())
    assert client.get(reverse("api:clubs"), headers=headers).status_code == 401


@pytest.mark.parametrize(("seconds", "queries"), [(30, 1), (90, 2)])
def test_the_use_of_a_token_is_noted_once_a_minute(seconds, queries, django_assert_num_queries):
    token, secret = tokens.create_token(user=make_user(), name="test")
    before = timezone.now() - datetime.timedelta(seconds=seconds)
    ApiToken.objects.update(used_at=before)
    with django_assert_num_queries(queries):
        assert tokens.player_of(secret) == token.user
    assert (stored(token).used_at == before) is (queries == 1)


def test_the_secret_is_shown_once_and_not_kept():
    client = sign_in(make_user())
    form = {"name": "phone", "scopes": ["read"], "days": "30"}
    shown = client.post(reverse("api:tokens"), form).context["secret"]
    headers = {"Authorization": f"Bearer {shown}"}
    assert client.get(reverse("api:clubs"), headers=headers).status_code == 200
    assert shown not in client.get(reverse("api:tokens")).content.decode()
    assert shown not in ApiToken.objects.get().digest


def test_nobody_revokes_the_token_of_another(client):
    token, _secret = tokens.create_token(user=make_user(), name="mine")
    client.force_login(make_user())
    assert client.post(reverse("api:token_revoke", args=[token.pk])).status_code == 404
    client.force_login(token.user)
    client.post(reverse("api:token_revoke", args=[token.pk]))
    assert stored(token).revoked_at is not None


def test_a_form_of_the_browser_needs_its_csrf_token(sitting):
    club = event_of(sitting).season.club
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner_of(club))
    assert post(client, address("players", club), {"name": "x"}).status_code == 403


def test_strangers_are_slowed_down(client, monkeypatch, empty_cache):
    monkeypatch.setattr(AnonRateThrottle, "THROTTLE_RATES", {"anon": "3/min"})
    statuses = [client.get(reverse("api:clubs")).status_code for _ in range(4)]
    assert statuses == [200, 200, 200, 429]


def test_the_schema_describes_every_address_without_warnings(client, capsys):
    schema = SchemaGenerator().get_schema(request=None, public=True)
    assert "/api/v1/clubs/{slug}/events/{id}/results/" in schema["paths"]
    assert capsys.readouterr().err == ""
    assert client.get(reverse("api:schema")).status_code == 200
    example = schema["paths"]["/api/v1/clubs/{slug}/events/{id}/results/"]["post"]
    assert len(example["requestBody"]["content"]["application/json"]["examples"]) == 3


def test_the_browser_shows_the_api_to_people(client):
    response = client.get(reverse("api:clubs"), headers={"Accept": "text/html"})
    assert response["Content-Type"] == "text/html; charset=utf-8"


def test_a_program_is_told_the_next_step_as_the_organiser_s_page_says_it(client):
    event = make_night(4)
    club, by = event.season.club, owner_of(event)
    now = address("event_now", club, event.pk)

    def step():
        return client.get(now, headers=bearer(by)).json()["step"]

    [first] = step()["actions"]
    rounds = address("rounds", club, event.pk)
    assert (first["text"], first["address"], first["posts"]) == ("Draw round 1", rounds, True)
    assert post(client, first["address"], first["body"], bearer(by)).status_code == 201
    assert step()["sentences"] == ["Round 1 is a draft", "Only organisers can see it."]
    [review] = step()["actions"]
    client.force_login(by)
    page = client.get(path_of(event, "event")).content.decode()
    assert f'href="{review["page"]}"' in page
    assert review["address"] == address("round", club, event.pk, 1)
    assert review["text"] in page
    client.logout()
    assert client.get(now).json()["step"] is None
    told = client.get(now, headers=bearer(by) | {"accept-language": "vi"}).json()["step"]
    assert told["sentences"] == ["Vòng đấu 1 là bản nháp", "Chỉ ban tổ chức thấy."]


def test_a_program_is_told_that_a_round_is_played_and_asked_before_it_draws_the_next(client):
    event = make_night(8, games_per_round=1)
    club, by = event.season.club, owner_of(event)
    first, _second = make_round(event).sittings.all()
    play(first)
    now = client.get(address("event_now", club, event.pk), headers=bearer(by)).json()
    assert now["step"]["sentences"] == [
        "Round 1 is being played: 1 of 2 games", "1 game is missing: table 2 lacks 1",
    ]  # fmt: skip
    # By standings is the menu's while games are missing.
    enter, code, draw = now["step"]["actions"]
    assert (enter["text"], enter["page"]) == (
        "Enter game 1 at table 2",
        path_of(event, "table", 1, 2),
    )
    page = path_of(event, "check_in_link")
    assert (code["address"], code["page"]) == (None, page)
    body = {"method": "few_repeats", "number": 2, "version": 0}
    assert (draw["address"], draw["body"]) == (address("rounds", club, event.pk), body)
    early = post(client, draw["address"], body, bearer(by))
    assert (early.status_code, early.json()["code"]) == (409, "early")
    assert "round 1, table 2" in early.json()["detail"][0]
    results = f"{address('results', club, event.pk)}?round=1"
    page = path_of(event, "table", 1, 2)
    assert [(t["address"], t["page"]) for t in now["lacking"]] == [(results, page)]
    assert post(client, draw["address"], body | {"anyway": True}, bearer(by)).status_code == 201
