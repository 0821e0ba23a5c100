"""Who sees money: members and the phones of the night, whether the club is public or not."""

import re
from collections import Counter
from typing import Any

import pytest
from django.test import Client

from league.clubs.acts import players
from league.models import MoneyTally, Transfer
from league.nights.acts import closing
from league.online.acts import stake_tables as stake_services
from tables.base.fifo_cache import forget_all
from tests.factories import browser_of, make_payment, make_user, names_at, owner_of, play
from tests.league.nights.test_my_night import found as phone_of_player
from tests.league.online import helpers as online
from tests.league.online import stake_tables
from tests.tables import live as tables
from tests.test_rights import address, make_world, parameters, rows
from tests.worlds import made_once

pytestmark = pytest.mark.django_db

STAKE = 1_000_003
"""A prime above all keys and what tokens hold: no other number of a page is an amount by chance."""
CSV = {
    "league:season_csv": ["standings", "money", "transfers", "payments", "proof", "race",
                          "crosstable", "specials", "penalties", "teams", "ratings", "bots"],
    "league:event_csv": ["standings", "places", "money", "transfers", "results"],
    "league:player_csv": ["opponents", "nights"],
    "league:club_csv": ["players", "ratings", "bots", "past-seasons"],
}  # fmt: skip
DEBTS = ("Who pays whom", "Ai trả ai", "money still open", "tiền còn lại")


def make_money_world(**scoring: Any) -> dict[str, Any]:
    """A public club that plays for money, at tables in a room and online."""
    world = make_world(rules="mien-nam", stake=STAKE, **scoring)
    event, season, club = world["event"], world["season"], world["club"]
    world["sitting"] = sitting = event.rounds.get(number=1).sittings.get()
    people = names_at(sitting)
    play(sitting, people)
    one, other = (players.named(club=club, name=name) for name in people[:2])
    world["player"], world["other"] = one, other
    make_payment(season, other, one, 2 * STAKE + 1, event=event)
    night = online.make_online_night(season=season, stake=STAKE)
    online.release(night)
    live = online.online(night)
    game = online.deal(live)
    if not game.over_at:  # A hand may have won it as dealt.
        tables.play_quickly(live.table)
    world["night_table"] = live.table
    return world


def make_stakes_table(world: dict[str, Any]) -> None:
    """A table of the club's players with a game in its ledger; it takes the world's place."""
    people = list(world["club"].players.people()[:4])
    for player in people:
        if player.user is None:
            user = make_user()
            players.take_player(player=player, user=user)
    opened = stake_tables.open_table(
        list(world["club"].players.filter(pk__in=[p.pk for p in people])),
        season=world["season"],
        stake=STAKE,
    )
    stake_tables.play_game(opened)
    stake_services.take_games(table_id=opened.table_id)
    world["club_table"] = opened.table


def amounts() -> set[int]:
    """Everything that anyone won, lost, owes or paid, and the stake."""
    balances: Counter[int] = Counter()
    found = {STAKE}
    for tally in MoneyTally.objects.all():
        found |= {tally.games, tally.other, tally.games + tally.other}
        balances[tally.account_id] += tally.games + tally.other
    found |= set(Transfer.objects.values_list("amount", flat=True)) | set(balances.values())
    return {abs(amount) for amount in found if abs(amount) >= STAKE}


def told(text: str, known: set[int] | None = None) -> set[str]:
    """Return the amounts that an answer tells, as either language prints them, and its debts."""
    plain = re.sub(r"(?<=\d)(?:[.,\u00a0\u202f ]|&nbsp;)(?=\d{3}(?!\d))", "", text)
    numbers = {int(number) for number in re.findall(r"\d+", plain) if len(number) < 12}
    return {str(number) for number in numbers & (known or amounts())} | {
        d for d in DEBTS if d in text
    }


def addresses(world: dict[str, Any]) -> dict[str, str]:
    """Return every address that can be read, by name; those of files with each of their tables."""
    found = {}
    for row in rows():
        name = row["address"]
        if row["method"] == "GET" and not name.startswith("accounts:"):
            path = found[name] = address(name, world)
            for what in CSV.get(name, ()):
                found[f"{name} {what}"] = re.sub(r"[\w-]+\.csv$", f"{what}.csv", path)
            if name.startswith("tables:") and "key" in parameters(name):
                for kind in ("night_table", "club_table"):
                    other = world | {"table": world[kind]}
                    found[f"{name} of {kind}"] = address(name, other)
    found["league:wall screens"] = address("league:wall", world) + "?screen=1"
    found["league:event_money each"] = address("league:event_money", world) + "?way=each"
    return found


def leaks(
    client: Client, world: dict[str, Any], *names: str, **headers: str
) -> dict[str, set[str]]:
    """Return which of these addresses (or of all) tell this visitor of money, with what."""
    found, known, paths = {}, amounts(), addresses(world)
    for name, path in {name: paths[name] for name in names or paths}.items():
        response = client.get(path, headers=headers)
        text = "" if response.streaming else response.content.decode(errors="ignore")
        if money := told(text, known):
            found[name] = money
    return found


@made_once
def money_world() -> dict[str, Any]:
    forget_all()
    world = make_money_world()
    make_stakes_table(world)
    return world


def close(world: dict[str, Any]) -> None:
    closing.close_event(event=world["event"], by=owner_of(world["club"]), despite_unfinished=True)


@pytest.mark.always
def test_strangers_and_guests_with_an_account_learn_of_no_money_in_a_public_club(money_world):
    stranger, guest = Client(), Client()
    guest.force_login(money_world["visitors"]["organiser of another club"])
    # Secret links are for the phones of the night.
    world = money_world | dict.fromkeys(("secret", "check_in", "sign_up"), "unknown")
    assert leaks(stranger, world) == {}
    close(world)
    assert leaks(guest, world, **{"Accept-Language": "vi"}) == {}


MONEY_PAGES = [
    "league:event_money", "league:season_money", "league:money_between",
    "league:club_table", "api:season_balances", "api:season_payments", "api:season_transfers",
    "api:postings", "league:event_csv money", "league:season_csv transfers",
    "league:player", "league:recap", "league:event_share", "league:table", "league:club_tables",
    "api:event", "api:event_standings", "api:opponents",
]  # fmt: skip


def test_members_see_all_of_it(money_world):
    close(money_world)
    member = browser_of(money_world["visitors"]["player"])
    assert leaks(member, money_world, *MONEY_PAGES).keys() == {*MONEY_PAGES}


def test_an_account_of_one_of_its_players_is_a_member_for_money(money_world):
    member, club = Client(), money_world["club"]
    user = club.players.people().exclude(user=None)[0].user
    member.force_login(user)
    assert member.get(address("league:season_money", money_world)).status_code == 200
    assert told(member.get(address("league:club_tables", money_world)).content.decode())
    club.memberships.get(user=user).delete()  # As links of before 1.2 were, until they are asked.
    assert member.get(address("league:season_money", money_world)).status_code == 404


def test_a_phone_of_the_night_sees_the_money_of_that_night_and_of_nothing_else(money_world):
    phone, world = phone_of_player(money_world["sitting"]), money_world
    close(world)
    for name in ("league:event_money", "league:night_sheet", "league:recap", "league:event_share",
                 "league:link_night"):  # fmt: skip
        assert told(phone.get(address(name, world), follow=True).content.decode()), name
    night = phone.get(address("league:event_money", world)).content.decode()
    for name in ("league:season_money", "league:money_between", "league:club_table"):
        assert phone.get(address(name, world)).status_code == 404
        assert f'href="{address(name, world)}' not in night
    for name in ("league:player", "league:club_tables"):
        assert told(phone.get(address(name, world)).content.decode()) == set(), name


def test_pages_of_money_tell_strangers_to_sign_in(money_world):
    for name in ("league:event_money", "league:night_sheet", "league:season_money",
                 "league:money_between", "league:club_table"):  # fmt: skip
        answer = Client().get(address(name, money_world))
        assert (answer.status_code, "sign in" in answer.content.decode().lower()) == (404, True)
    for name in ("api:season_balances", "api:postings"):
        assert Client().get(address(name, money_world)).status_code == 404


def test_what_one_visitor_was_shown_is_not_kept_for_the_next(money_world):
    """Pages, pictures and answers of the API that are kept are kept for each view of money."""
    close(money_world)
    member, stranger = Client(), Client()
    member.force_login(money_world["visitors"]["owner"])
    world = money_world | dict.fromkeys(("secret", "check_in", "sign_up"), "unknown")
    for name in ("league:event", "league:event_live", "league:recap", "league:season",
                 "league:player", "league:event_share", "api:event_standings", "api:event",
                 "league:wall", "league:table"):  # fmt: skip
        path = address(name, world)
        before = member.get(path)
        after = stranger.get(path, headers={"If-None-Match": before.headers.get("ETag", "")})
        assert told(after.content.decode()) == set(), name
        assert "public" not in before.headers.get("Cache-Control", ""), name
