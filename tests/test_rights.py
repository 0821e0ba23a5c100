"""Every address as every visitor, against the table of tests/data/rights.md.

What can be read, tests/test_visitors.py asks as each of them; a short run asks members here too,
for what not all of them may read.
"""

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse
from django.utils import timezone

from accounts.models import User
from config import errors
from engine.rules import ruleset
from league.arena.acts import bots
from league.arena.facts.own_bots import pool_of
from league.base.acts import links
from league.clubs.acts import invitations, members, players
from league.models import BotLeague, CalendarFeed, Club, Event, PaymentWay, Season, Webhook
from league.models.secret import secret_of as secret_of_nonce
from league.online.acts import stake_tables
from league.schedules.acts import calendars
from league.seasons.acts import rosters
from league.turnout.acts import sign_ups
from tables.chairs.acts import seats
from tables.models import Puzzle, Table, Tryout, Upload
from tables.people.acts import sprints
from tables.reviews.acts import making
from tables.reviews.facts import puzzles
from tables.runs import runs
from tests.factories import (
    browser_of,
    make_adjustment,
    make_club,
    make_member,
    make_night,
    make_prize,
    make_report,
    make_rules,
    make_schedule,
    make_season,
    make_table,
    make_tournament,
    names_at,
    owner_of,
    secret_of,
)
from tests.tables import live
from tests.tables.reviewed import judged

pytestmark = pytest.mark.django_db

VISITORS = ["stranger", "player", "scorer", "organiser", "owner", "organiser of another club"]


@pytest.fixture(autouse=True)
def _plain_errors(monkeypatch):
    """Here the status of an answer counts: to draw its page would take most of the time."""
    monkeypatch.setattr(
        errors, "render", lambda _request, _name, status: HttpResponse(status=status)
    )


def rows() -> list[dict[str, str]]:
    """Each address by method, with the outcome for each visitor: the table gives them by group."""
    text = (Path(settings.BASE_DIR) / "tests/data/rights.md").read_text(encoding="utf-8")
    table, *groups = text[text.index("| who |") :].split("\n* **")
    heads, _line, *body = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in table.strip().splitlines()
    ]
    outcomes = {who: dict(zip(heads[1:], row, strict=True)) for who, *row in body}
    found = []
    for group in groups:
        parts = re.fullmatch(r"([^*]+)\*\* ([A-Z]+): (.+)", group.strip(), re.DOTALL)
        assert parts, group
        who, method, names = parts.groups()
        found += [
            {"address": name.strip(), "method": method, **outcomes[who]}
            for name in names.split(",")
        ]
    return found


def own_addresses() -> set[str]:
    """The names of all addresses but those of django-allauth."""
    found = set()
    for entry in get_resolver().url_patterns:
        patterns = getattr(entry, "url_patterns", [entry])
        space = getattr(entry, "namespace", None)
        for pattern in patterns:
            if isinstance(pattern, URLPattern) and not str(pattern.name).startswith(
                ("account_", "mfa_")
            ):
                found.add(f"{space}:{pattern.name}" if space else str(pattern.name))
    return found


def test_every_address_has_a_row():
    assert own_addresses() - {row["address"] for row in rows()} == set()


def make_world(*, rules: str = "penguin", stake: int = 0, **scoring: Any) -> dict[str, Any]:
    """A public club with a game played, a draft drawn and a bot tournament done."""
    club = make_club()
    season = make_season(club, rules=rules, **scoring)
    sitting = make_table(make_night(season=season, stake=stake), games=1)
    event = sitting.round.event
    tournament = make_tournament(season)
    runs.play_next(tournament.run_id)
    bots.record_run(run=tournament.run)
    visitors = {role: make_member(club, role) for role in ("player", "scorer", "organiser")}
    visitors["owner"] = owner_of(club)
    visitors["organiser of another club"] = make_member(make_club(), "organiser")
    sign_ups.open_list(event=event, by=owner_of(club))
    check_in = links.renew_for_night(event=event, by=owner_of(club))
    player = event.entrants.first().player
    table = make_live_table(visitors["player"])
    return {
        "club": club,
        "season": season,
        "event": event,
        "tournament": tournament,
        "player": player,
        "rules": make_rules(club),
        "adjustment": make_adjustment(season, names_at(sitting)[0]),
        "secret": secret_of(sitting),
        "invitation": invitations.invite(club=club, role="scorer", by=owner_of(club)),
        "posting": make_prize(season, names_at(sitting)[0]),
        "report": make_report(season, names_at(sitting)),
        "roster": rosters.save_roster(
            season=season,
            kind="category",
            name="Juniors",
            members=[event.entrants.first().player],
            by=owner_of(club),
        ),
        "schedule": make_schedule(season),
        "table": table,
        "puzzle": make_puzzle(table),
        "sprint": sprints.open_sprint(
            starts_at=timezone.now(), ruleset=ruleset.preset("thirteen")
        ).key,
        "club_table": make_club_table(season, visitors["player"]),
        "offer": members.offer_role(
            club=club, email="new@club.example", role="owner", by=owner_of(club)
        ),
        "night": check_in.secret,
        "personal": secret_of_nonce("league.links.personal", f"{check_in.secret}:{player.pk}"),
        "feed": make_feed(club, visitors["player"]),
        "upload": make_upload(club, visitors["player"]),
        "bot_league": BotLeague.objects.create(season=season, name="Bots", size=4, moves=1),
        "tryout": Tryout.objects.create(code="class A: pass").pk,
        "hook": Webhook.objects.create(club=club, address="https://club.example/").pk,
        "visitors": visitors,
    }


def make_upload(club: Club, user: User) -> Upload:
    """A bot that the user brought."""
    return Upload.objects.create(
        pool=pool_of(club), author=user, base="mine", number=1, name="mine-1",
        language="python", body=b"", digest="d",
    )  # fmt: skip


def make_feed(club: Club, user: User) -> str:
    """The secret of the account's calendar of the club."""
    calendars.make_feed(user=user, club=club)
    return CalendarFeed.objects.get(user=user).secret


def make_live_table(user: User) -> Table:
    """A live table of the user and a bot: the first game is over, the second one dealt."""
    table = seats.open_table(ruleset=ruleset.preset("thirteen"), players=2)
    seats.sit(table_id=table.pk, no=0, name="An", user=user)
    seats.fill_with_bots(table_id=table.pk)
    live.play_game(table)
    live.deal(table)
    return table


def make_puzzle(table: Table) -> Puzzle:
    """A decision of the user in the game that is over, in its review and as the day's puzzle."""
    game = table.games.get(no=1)
    body = judged(game)
    making.keep(game=game, body=body)
    own = next(one for one in body["decisions"] if one["seat"] == 0)
    [today, *_ahead] = puzzles.days_begun(timezone.now())
    return Puzzle.objects.create(
        game=game, step=own["step"], decision=own, state="ready", day=today
    )


def make_club_table(season: Season, user: User) -> Table:
    """A table that the user opened for a stake, as a player of the club, and that was ended."""
    by = owner_of(season)
    player = players.add_player(club=season.club, name="Zung", by=by)
    players.take_player(player=player, user=user)
    PaymentWay.objects.create(user=user, words="IBAN")
    opened = stake_tables.open_table(
        season=season, by=user, ruleset=ruleset.preset("mien-nam"), players=4, stake=1,
        move_seconds=40,
    )  # fmt: skip
    stake_tables.end_table(live=opened, by=by)
    return opened.table


def address(name: str, world: dict[str, Any]) -> str:
    values = {
        "slug": world["club"].slug,
        "number": world.get("number", 1),
        "table_no": 1,
        "game_no": 1,
        "deal_no": 1,
        "deal": 1,
        "rotation": 1,
        "player": world["player"].pk,
        "pk": world["event"].pk,
        "digest": world["season"].ruleset_id,
        "secret": world["secret"],
        "key": world["table"].key,
        "sprint": world["sprint"],
        "step": world["puzzle"].step,
        "token": "unknown",
        "invitation": world["invitation"].secret,
        "link": world["invitation"].pk,
        "member": world["club"].memberships.filter(role="player").earliest("pk").pk,
        "offer": world["offer"].pk,
        "night": world["night"],
        "personal": world["personal"],
        "feed": world["feed"],
        "shape": "wide",
        "do": "skip",
        "form": "atom",
        "section": "clubs",
        "hook": world["hook"],
        "bot": world["upload"].name,
        "adjustment": world["adjustment"].pk,
        "roster": world["roster"].pk,
        "posting": world["posting"].pk,
        "report": world["report"].pk,
        "schedule": world["schedule"].pk,
        "kind": "cost",
        "rules": "tien-len",
        "lesson": "cards",
        "question": "seating",
        "what": "standings",
        "season": world["season"].pk,
        "one": world["player"].pk,
        "other": world.get("other", world["player"]).pk,
    }
    if name in ("league:season", "league:season_money", "league:settle", "league:season_status",
                "league:debt_remind", "league:season_picture", "league:player_picture",
                "league:season_settings", "league:import_results",
                "league:season_pictures", "league:season_ratings", "league:season_certificates",
                "league:season_recap", "league:league_create",
                "league:season_explain", "league:adjustments",
                "league:adjustment_revoke", "league:money_between", "league:posting_create",
                "league:posting_reverse", "league:posting_doubt", "league:payment_report",
                "league:season_csv",
                "api:season_standings",
                "api:season_balances", "api:season_transfers", "api:adjustments",
                "league:event_create", "league:season_calendar",
                "league:bots_create", "league:schedules", "league:schedule_create",
                "league:schedule_edit", "league:schedule_change", "league:season_bin",
                "league:rosters", "league:team_rule", "league:roster_remove",
                "league:season_next"):  # fmt: skip
        values["pk"] = world["season"].pk
    if name in (
        "league:run_live",
        "league:run_change",
        "league:run_records",
        "league:replay_pick",
        "league:replay",
        "league:record",
    ) or name.startswith("api:run"):
        values["pk"] = world["tournament"].pk
    if name in (
        "league:bot",
        "league:bot_test",
        "league:bot_check",
        "league:bot_games",
        "league:bot_withdraw",
    ):
        values["pk"] = world["upload"].pk
    if name in ("tables:puzzle", "puzzle_picture"):
        values["pk"] = world["puzzle"].pk
    if name.startswith("league:deal") or name == "league:check_hand":
        if "same deals" not in world:
            same = make_night(season=world["season"], format={"same_deals": True})
            world["same deals"] = make_table(same).round.event_id
        values["pk"] = world["same deals"]
    if name == "api:schedule":
        values["pk"] = world["schedule"].pk
    if name in ("league:bot_league", "api:bot_league"):
        values["pk"] = world["bot_league"].pk
    if name == "league:tried":
        values["key"] = world["tryout"]
    if name == "league:club_table":
        values["key"] = world["club_table"].key
    if name in ("league:rules_edit", "league:rules_archive"):
        values["pk"] = world["rules"].pk
    if name in ("league:player", "league:player_edit", "league:player_bin",
                "league:player_data", "league:player_csv", "league:player_bank",
                "api:player"):  # fmt: skip
        values["pk"] = world["player"].pk
    if name == "league:pay":
        values["pk"] = world["club"].players.get(name="Zung").pk
    if name.startswith("accounts:") or name in ("erase_person", "lock_person"):
        values["pk"] = owner_of(world["club"]).pk
    if name in ("api:season", "api:season_row", "api:season_ratings", "api:season_specials",
                "api:season_bot_ratings",
                "api:season_honours", "api:season_payments", "api:postings", "api:season_status",
                "api:posting_reverse", "api:reported_payments", "api:report_answer",
                "api:adjustment_revoke", "api:season_rosters"):  # fmt: skip
        values["pk"] = world["season"].pk
    if name in ("api:opponents", "api:player_nights"):
        values["pk"] = world["player"].pk
    if name in ("league:club_csv", "league:player_csv"):
        values["what"] = "players" if name == "league:club_csv" else "nights"
    return reverse(name, kwargs={key: values[key] for key in parameters(name)})


def parameters(name: str) -> list[str]:
    """The parameters that the address takes."""
    space, _, own = name.rpartition(":")
    resolver = get_resolver()
    if space:
        _prefix, resolver = resolver.namespace_dict[space]
    possibilities = resolver.reverse_dict.getlist(own)
    return list(possibilities[0][0][0][1]) if possibilities else []


def browsers(world: dict[str, Any]) -> dict[str, Client]:
    """A browser of each visitor: making one costs more than most answers."""
    found = {who: Client() for who in VISITORS}
    for who, person in world["visitors"].items():
        found[who].force_login(person)
    return found


def ask(client: Client, world: dict[str, Any], name: str, method: str) -> str:
    """What the address answers, in the words of the table."""
    cookies = client.cookies.copy()
    paths = world.setdefault("paths", {})
    path = paths[name] = paths.get(name) or address(name, world)
    with transaction.atomic():  # What one visitor changes, the next one shall not see.
        data = {"status": "closed"} if name.endswith("status") else {}
        body = (data, "application/json") if name.startswith(("api:", "play:")) else (data,)
        response = getattr(client, method.lower())(path, *(() if method == "GET" else body))
        transaction.set_rollback(True)
    client.cookies = cookies
    return outcome(response)


def outcome(response: HttpResponse) -> str:
    """Return an answer's status in the words of the table."""
    if response.status_code == 302 and response["Location"].startswith("/accounts/login/"):
        return "sign in"
    if response.status_code == 401:
        return "sign in"
    if response.status_code in (200, 201, 204, 302, 307, 400, 409, 422):
        return "yes"
    return {403: "no", 404: "none"}.get(response.status_code, str(response.status_code))


def told_apart(row: dict[str, str]) -> list[str]:
    """Who must be asked: those between whom the answer changes, for rights only grow.

    An organiser of another club is asked wherever not everybody may.
    """
    if {row[who] for who in VISITORS} == {"yes"}:
        return ["stranger"]
    steps = list(pairwise(VISITORS[:-1]))
    apart = {who for step in steps if row[step[0]] != row[step[1]] for who in step}
    return [who for who in VISITORS if not apart or who in {*apart, VISITORS[-1]}]


@pytest.mark.always
def test_every_address_answers_every_visitor_as_the_table_says(world, pytestconfig):
    visitors = browsers(world)
    whole = pytestconfig.getoption("--long")
    Event.objects.update(stake=1)
    found = []
    for row in rows():
        name, method = row["address"], row["method"]
        asked = VISITORS if whole else told_apart(row)
        if method == "GET":
            asked = [who for who in asked if who in VISITORS[1:-1] and not whole]
        found.append({**row, **{who: ask(visitors[who], world, name, method) for who in asked}})
    assert found == rows()


def test_a_club_that_is_not_public_does_not_exist_for_others(world):
    Club.objects.update(is_public=False)
    visitors = browsers(world)
    of_no_club = ("league:club_list", "league:club_create", "league:tonight", "league:club_import",
                  "league:forget_phone", "league:stakes")  # fmt: skip
    found = {}
    for row in rows():
        name, method = row["address"], row["method"]
        if name.startswith("league:link_") or not name.startswith("league:"):
            continue
        for who in ("stranger", "organiser of another club"):
            found[name, method, who] = ask(visitors[who], world, name, method)
    seen = {name for (name, _method, _who), answer in found.items() if answer != "none"}
    assert seen - {*of_no_club} == set()


def test_a_key_of_another_club_is_not_found_in_ones_own(world):
    stranger = make_member(make_club(), "owner")
    client = browser_of(stranger)
    own = stranger.memberships.get().club
    for name in ("league:event", "league:season"):
        key = world[name.split(":")[1]].pk
        assert client.get(reverse(name, args=[own.slug, key])).status_code == 404
