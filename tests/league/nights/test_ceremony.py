"""What a night keeps back until its ceremony: nobody but organisers can find it anywhere."""

import re
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from league.clubs.acts import players
from league.exchange.acts import archives
from league.models import Event, Result
from league.nights.acts import ceremony, closing, draws, night_settings
from league.nights.domain.night_formats import NightFormat
from league.nights.facts import ceremony as shown
from league.nights.facts.final_places import event_places
from league.proof.facts import verify
from league.seasons.acts import ratings, season_cache
from tables.refusals import Refusal
from tests.factories import (
    browser_of,
    correct,
    keys_at,
    make_member,
    make_night,
    make_season,
    night_secret,
    owner_of,
    path_of,
    play,
    secret_of,
    table_link,
)
from tests.test_rights import address, rows

pytestmark = pytest.mark.django_db

UP = ["An", "Bình", "Chi", "Dũng", "Em", "Phúc", "Giang", "Hà"]
PLAIN = {"rounds_planned": 2, "games_per_round": 1, "format": {"ceremony": 2}}
CUP = {
    "rounds_planned": 2,
    "games_per_round": 1,
    "format": {"kind": "groups", "groups": 2, "group_rounds": 1, "final": 4, "ceremony": 2},
}


def play_round(event, order):
    """Draw a round; at each table one game ends in this order of names."""
    by = owner_of(event)
    drawn = draws.draw_round(event=event, by=by, seed=1)
    draws.release_round(round_=drawn, by=by)
    return [enter(sitting, order, by) for sitting in drawn.sittings.order_by("table_no")]


def groups_in(sitting, order):
    seated = keys_at(sitting)
    return [[seated[name]] for name in order if name in seated]


def enter(sitting, order, by):
    return play(sitting, [], game_no=1, groups=groups_in(sitting, order), by=by)


def turn_round(event, order):
    """Correct every game of the last round so that it ended in this order of names."""
    for sitting in event.rounds.latest("number").sittings.order_by("table_no"):
        correct(sitting.results.latest("version"), groups=groups_in(sitting, order))


CHANGING = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"  # A new form's own id.
    r"|csrfmiddlewaretoken[^>]*|X-CSRFToken[^>]*|csrf-token[^>]*"
    r"|version=\"?\d+|\"version\": ?\d+|\d{4}-\d\d-\d\dT[\d:.+Z]+|\d\d:\d\d(:\d\d)?|\d{8}T\w+"
)
FILES = ["standings", "results", "places", "race", "crosstable", "ratings", "opponents"]
NOT_OF_A_NIGHT = ("league:pay", "league:tried", "league:deal", "league:check_hand",
                  "league:run", "league:replay", "league:lesson", "league:record", "league:rules",
                  "api:run", "api:bot")  # fmt: skip


class World(dict):
    """What addresses name; of what this night has not, something that is nowhere found."""

    def __missing__(self, name):
        return SimpleNamespace(pk=0, key="none", name="none", secret="none", run_id=0, step=0)


def everything(world, client):
    """Return what every address of the night, its season and its people answers."""
    ratings.rate_behind()
    season_cache.prepare(season=world["season"])
    found = {}
    for name in sorted({row["address"] for row in rows() if row["method"] == "GET"}):
        if not name.startswith(("league:", "api:")) or name.startswith(NOT_OF_A_NIGHT):
            continue
        path = address(name, world)
        for each in {path} | {path.replace("/standings.csv", f"/{what}.csv") for what in FILES}:
            answer = client.get(each)
            body = b"".join(answer) if answer.streaming else answer.content
            found[each] = (answer.status_code, CHANGING.sub("…", body.decode("utf-8", "replace")))
    return found


def test_a_guess_at_a_game_that_is_kept_back_is_refused_right_or_wrong():
    event = make_night(4, **PLAIN)
    names = [entrant.player.name for entrant in event.entrants.select_related("player")]
    play_round(event, names)
    (held,) = play_round(event, names)
    for guess in (names, names[::-1]):
        with pytest.raises(Refusal, match="has just saved game 1") as refused:
            enter(held.sitting, guess, owner_of(event))
        assert refused.value.code == "stale"


def test_nobody_but_organisers_can_tell_how_games_ended_that_are_kept_back():
    """Two nights that differ in nothing but these games look alike to who enters all results."""
    season = make_season()
    make_member(season.club, "player")
    client = browser_of(scorer := make_member(season.club, "scorer"))
    event = make_night(8, season=season, **CUP)
    play_round(event, UP)
    known = [(s.player.name, s.row.points) for s in event_places(event)]
    assert all(game.held and not game.current for game in play_round(event, UP))
    assert [(s.player.name, s.row.points) for s in event_places(event)] == known

    table = event.rounds.latest("number").sittings.first()
    own = table.places.first().entrant.player
    players.take_player(player=own, user=scorer)
    world = World(
        club=season.club,
        season=season,
        event=event,
        number=2,
        player=own,
        secret=secret_of(table),
        night=night_secret(event),
    )
    before = everything(world, client)
    turn_round(event, UP[::-1])
    after = everything(world, client)
    assert [each for each in before if before[each] != after[each]] == []
    assert before[address("league:link_night", world)][0] == 200
    assert sum(status == 200 for status, _text in before.values()) > 50

    ceremony.reveal_all(event=event, by=owner_of(season))
    for name in ("event", "wall", "recap", "event_share", "season"):
        path = address(f"league:{name}", world)
        assert CHANGING.sub("…", client.get(path).content.decode()) != after[path][1], name
    assert [p.player.name for p in event_places(event)] == [
        p.player.name for p in shown.all_places(event)
    ]


def test_the_ceremony_tells_place_by_place_and_then_everything_counts():
    """Four people, one table, two rounds of a game: An wins both, Dũng comes last twice."""
    event = make_night(4, **PLAIN)
    host = browser_of(owner_of(event))
    play_round(event, UP)
    play_round(event, UP)
    wall = path_of(event, "wall")
    page = path_of(event, "ceremony")
    api = path_of(event, "api:event_ceremony")

    assert page in host.get(path_of(event, "event")).content.decode()
    assert Client().get(api).status_code == 401
    placed = host.get(api).json()["results"]
    assert [(one["name"], one["games"]) for one in placed] == [(name, 2) for name in UP[:4]]
    assert {one["held"] for one in host.get(api.replace("ceremony", "results")).json()["results"]} \
        == {True, False}  # fmt: skip
    with pytest.raises(ValidationError, match="Hold the ceremony first"):
        closing.close_event(event=event, by=owner_of(event), despite_unfinished=True)

    def on_the_wall():
        body = re.sub(r"\s", "", Client().get(wall).content.decode())
        return "wall-told" in body, [name for name in UP if f">{name}<" in body]

    for told, names in enumerate([["Dũng"], ["Chi", "Dũng"], ["Bình", "Chi", "Dũng"]]):
        for _tap in range(2):  # The second tap of an impatient hand tells nothing more.
            host.post(page, {"told": told})
        body = host.get(page).content.decode()
        assert (body.count(">revealed<"), "podium" in body) == (len(names), False)
        assert on_the_wall() == (True, names)
    assert Result.objects.filter(held=True).count() == 1
    host.post(page, {"told": 3})
    assert on_the_wall() == (False, UP[:3])
    event = Event.objects.get(pk=event.pk)
    assert (event.told_at is not None, event.keeps_back) == (True, 0)
    podium = re.search(r'class="podium".*?</ol>', host.get(page).content.decode(), re.S)[0]
    assert [name for name in UP if name in podium] == UP[:3]
    assert [(p.player.name, p.row.games) for p in event_places(event)] == [
        (name, 2) for name in UP[:4]
    ]
    with pytest.raises(ValidationError, match="No results are kept back"):
        ceremony.reveal_all(event=event, by=owner_of(event))
    assert list(verify.everything(event.season.club)) == []


def test_a_program_that_asks_for_news_gets_what_the_ceremony_told():
    event = make_night(4, **PLAIN)
    play_round(event, UP)
    play_round(event, UP)
    since = Result.objects.latest("at").at + timedelta(microseconds=1)
    asked = {"updated_since": since.isoformat().replace("+00:00", "Z")}
    api = path_of(event, "api:results")
    assert Client().get(api, asked).json()["results"] == []
    ceremony.reveal_all(event=event, by=owner_of(event))
    assert 2 in {one["round"] for one in Client().get(api, asked).json()["results"]}


def test_an_onlooker_is_not_told_who_leads_and_the_table_is():
    event = make_night(4, rounds_planned=1, games_per_round=2, format={"ceremony": 1})
    play_round(event, UP)
    sitting = event.rounds.get().sittings.get()
    at = [event.season.club.slug, event.pk, 1, 1]
    onlooker = Client().get(reverse("league:table", args=at)).content.decode()
    assert "kept back" in onlooker
    assert "<b>An</b> leads" not in onlooker
    seen = Client().get(table_link(sitting), follow=True)
    assert "<b>An</b> leads" in seen.content.decode()
    assert [row.finish for row in seen.context["table"].played.rows] == [[]]
    assert Client().get(reverse("league:game", args=[*at, 1])).status_code == 302
    told = browser_of(owner_of(event)).get(reverse("league:game", args=[*at, 1]))
    assert told.status_code == 200


def test_what_is_kept_back_moves_in_an_archive_and_costs_no_money():
    event = make_night(4, rounds_planned=1, games_per_round=1, format={"ceremony": 1})
    by = owner_of(event)
    play_round(event, UP)
    club = archives.read_archive(data=archives.write_archive(club=event.season.club, by=by), by=by)
    copy = Event.objects.get(season__club=club)
    assert [p.row.games for p in event_places(copy)] == [0, 0, 0, 0]
    assert [p.player.name for p in shown.all_places(copy)] == UP[:4]
    with pytest.raises(ValidationError, match="keep results back"):
        make_night(4, rules="mien-nam", stake=5, **PLAIN)
    with pytest.raises(ValidationError, match="organisers confirm"):
        make_night(4, confirmed_by="player", **PLAIN)
    plan = replace(event.plan, format=NightFormat())
    with pytest.raises(ValidationError, match="already entered"):
        night_settings.change_settings(event=event, by=by, name="Cúp", date=event.date, plan=plan)
    with pytest.raises(IntegrityError), transaction.atomic():
        Event.objects.filter(pk=event.pk).update(stake=5)
