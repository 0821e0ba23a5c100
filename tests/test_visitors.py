"""Who reads what: each visitor asks every address once, and each question looks at all answers."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import islice
from pprint import pformat
from typing import Any

import pytest
from django.core.cache import caches
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from league.clubs.acts import club_rules, players
from league.models import Club, MoneyTally, Player, Transfer
from league.models.secret import secret_of as secret_of_nonce
from league.nights.acts import closing, disputes, draws
from league.online.acts import stake_tables as stake_services
from tables.base.faces import ANIMALS, Face
from tables.base.fifo_cache import forget_all
from tables.chairs.acts import arrangements
from tables.models import Seat
from tests.factories import (
    browser_of,
    make_member,
    make_night,
    make_payment,
    make_user,
    names_at,
    owner_of,
    play,
)
from tests.league.nights.test_my_night import found as phone_of_player
from tests.league.online import helpers as online
from tests.league.online import stake_tables
from tests.tables import live as tables
from tests.test_rights import VISITORS, address, make_world, outcome, parameters, rows
from tests.worlds import made_once

pytestmark = pytest.mark.django_db

MEMBERS = VISITORS[1:-1]
EMAIL = re.compile(r"[\w.+-]+(?:@|%40)club\.example")
FAMILY, GIVEN = "Qzhonguyen", "Qztenlan"
"""Long: four letters stand by chance in one page's tokens of a few thousand."""
DRAWN = re.compile(r'<span class="ava t(\d)[^"]*"><svg[^>]*><use href="[^"#]*#(?:a-)?(\w+)"')
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


def make_money_world() -> dict[str, Any]:
    """A public club that plays for money, at tables in a room and online.

    A member without a player left a dispute, a game, a draw and rules put away.
    """
    world = make_world(rules="mien-nam", stake=STAKE)
    event, season, club = world["event"], world["season"], world["club"]
    world["sitting"] = sitting = event.rounds.get(number=1).sittings.get()
    people, by = names_at(sitting), make_member(club, "organiser")
    play(sitting, people)
    disputes.open_dispute(sitting_id=sitting.pk, game_no=1, by=by, note="sai")
    play(sitting, people, by=by)
    draws.draw_round(event=make_night(season=season), by=by)
    club_rules.set_archived(ruleset=world["rules"], archived=True, by=by)
    one, other = (players.named(club=club, name=name) for name in people[:2])
    world["player"], world["other"] = one, other
    world["personal"] = secret_of_nonce("league.links.personal", f"{world['night']}:{one.pk}")
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
    season, people = world["season"], world["club"].players.people()[:4]
    for player in people:
        if player.user is None:
            players.take_player(player=player, user=make_user())
    people = list(Player.objects.filter(pk__in=[player.pk for player in people]))
    opened = stake_tables.open_table(people, season=season, stake=STAKE)
    stake_tables.play_game(opened)
    stake_services.take_games(table_id=opened.table_id)
    world["club_table"] = opened.table


def name_people(world: dict[str, Any]) -> None:
    """Each has a family name, a given name with a number, and a face that they chose."""
    people = Player.objects.people().filter(club=world["club"]).order_by("pk")
    for number, player in enumerate(people):
        old, new = player.name, f"{FAMILY}{player.pk} {GIVEN}{player.pk}"
        players.rename_player(player=player, name=new, by=world["visitors"]["owner"])
        of_club = {"table__live_sitting__sitting__round__event__season__club": player.club}
        Seat.objects.filter(**of_club, name=old).update(name=new)
        player.animal, player.ground = ANIMALS[-1 - number % 12], 8 - number % 8
        player.save(update_fields=["animal", "ground"])


@made_once
def world() -> dict[str, Any]:
    """A public club that played for money in a room and online, with all that a page may tell."""
    forget_all()
    world = make_money_world()
    make_stakes_table(world)
    world["all"] = addresses(world)
    name_people(world)
    return world


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
        if row["method"] == "GET":
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


def asked(client: Client, paths: dict[str, str]) -> Iterator[tuple[str, HttpResponse, str]]:
    """Ask each of these; what one leaves in the browser, as a link's chair, no other one gets."""
    for name, path in paths.items():
        cookies = client.cookies.copy()
        answer = client.get(path)
        client.cookies = cookies
        yield name, answer, "" if answer.streaming else answer.content.decode(errors="ignore")


def naming(client: Client, paths: dict[str, str], word: str) -> dict[str, str]:
    """Return those of these addresses whose answers have the word, in any case of letters."""
    asks = asked(client, paths)
    return {name: paths[name] for name, _answer, text in asks if word.casefold() in text.casefold()}


def leaks(client: Client, world: dict[str, Any], *names: str) -> dict[str, set[str]]:
    """Return which of these addresses (or of all) tell this visitor of money, with what."""
    known, paths = amounts(), world.get("all") or addresses(world)
    asks = asked(client, {name: paths[name] for name in names or paths})
    return {name: money for name, _answer, text in asks if (money := told(text, known))}


def wrong_faces(page: str, people: dict[str, Face]) -> list[tuple[str, Face, Face]]:
    """Return each name that stands behind a face which is not its own."""
    found = []
    page = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    end = 0
    for match in DRAWN.finditer(page):
        between, end = page[end : match.start()], match.end()
        if not re.sub(r"<[^>]*>|\s|/>", "", between):
            continue  # Of faces side by side the names follow together.
        behind = re.sub(r"<[^>]*>", " ", page[match.end() + 1 : match.end() + 600]).split()
        words = " ".join(behind).lstrip("/> ")
        name = next((one for one in people if re.match(rf"{re.escape(one)}\b", words)), None)
        face = Face(match[2], int(match[1]))
        if name and face != people[name]:
            found.append((name, people[name], face))
    return found


def faces(world: dict[str, Any]) -> dict[str, Face]:
    """Return the face of each player by the names that visitors read."""
    found = {}
    for one in Player.objects.filter(club=world["club"]):
        found |= {one.name: one.face, one.name.partition(" ")[2]: one.face}
    return found


def told_by_all(client: Client, world: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return for each question which addresses tell this visitor what; all are asked once."""
    known, people = amounts(), faces(world)
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    for name, answer, text in asked(client, world["all"]):
        small = text.casefold()
        for question, what in (
            ("right", outcome(answer)),
            ("emails", {*EMAIL.findall(text)}),
            ("money", told(text, known)),
            ("family", FAMILY.casefold() in small),
            ("given", GIVEN.casefold() in small),
            ("faces", len(DRAWN.findall(text))),
            ("wrong faces", wrong_faces(text, people)),
        ):
            if what:
                found[question][name] = what
    return found


def elsewhere(found: dict[str, Any]) -> dict[str, Any]:
    """Return what is not on pages of secret links, whose phones see names as ever."""
    return {name: what for name, what in found.items() if not name.startswith("league:link_")}


def emails_for(who: str, world: dict[str, Any]) -> dict[str, set[str]]:
    """Return which addresses tell a visitor of which emails but the visitor's own.

    Organisers read the one that a player is linked to, owners those of all members.
    """
    club, player = world["club"], world["player"]
    player.refresh_from_db()
    linked = {"league:player_edit": {player.user.email}}
    others = club.memberships.exclude(user=world["visitors"]["owner"])
    members = {*others.values_list("user__email", flat=True), world["offer"].email}
    return {"organiser": linked, "owner": linked | {"league:members": members}}.get(who, {})


@pytest.mark.parametrize(
    "who",
    [pytest.param(who, marks=[] if who in MEMBERS else [pytest.mark.always]) for who in VISITORS],
)
def test_each_visitor_reads_what_is_for_them(world, who):
    """Organisers of another club ask when the night is over, and in Vietnamese."""
    rights = {row["address"]: row[who] for row in rows() if row["method"] == "GET"}
    client, own = Client(), set()
    if user := world["visitors"].get(who):
        client.force_login(user)
        own = {user.email}
    if who == "organiser of another club":
        close(world)
        client.defaults["HTTP_ACCEPT_LANGUAGE"] = "vi"
        ended = ("league:link_night_calendar", "league:link_sign_up_calendar")
        rights |= dict.fromkeys(ended, "none")
    if who not in MEMBERS:
        some = dict(islice(world["all"].items(), 0, None, 5))
        assert len(naming(client, some, FAMILY)) > 6
    Club.objects.update(shows_names="first")
    found = told_by_all(client, world)
    emails = {name: more for name, those in found["emails"].items() if (more := those - own)}
    wrong = {
        "right": {name: got for name in rights if (got := found["right"][name]) != rights[name]},
        "emails": emails if emails != emails_for(who, world) else {},
        "face": found["wrong faces"],
    }
    if who not in MEMBERS:
        money = found["money"].items()  # Of a table's link, it is for its phones.
        wrong["money"] = {name: what for name, what in money if "secret" not in parameters(name)}
        wrong["family name"] = elsewhere(found["family"])
        Club.objects.update(shows_names="initials")
        named = elsewhere({name: world["all"][name] for name in found["given"]})
        wrong["given name"] = naming(client, named, GIVEN)
    wrong = {question: those for question, those in wrong.items() if those}
    assert wrong == {}, pformat(wrong)
    # Else answers that tell nothing at all would do.
    assert sum(found["faces"].values()) > 100
    assert len(found["given"]) > 40
    if who in MEMBERS:
        assert min(len(found["family"]), len(found["money"])) > 30


def test_a_hidden_player_is_a_number_to_strangers(world):
    Player.objects.update(shown="hidden")
    caches["html"].clear()
    found = told_by_all(Client(), world)
    assert elsewhere(found["family"] | found["given"]) == {}


def test_a_phone_of_the_night_reads_names_on_the_pages_of_the_club(world):
    Club.objects.update(shows_names="initials")
    phone, path = phone_of_player(world["sitting"]), world["all"]["league:event"]
    assert FAMILY in phone.get(path).content.decode()
    assert FAMILY not in Client().get(path).content.decode()


def test_the_front_page_writes_names_as_the_club_chose(world):
    Club.objects.filter(pk=world["club"].pk).update(on_front=True)
    assert FAMILY in Client().get("/").content.decode()
    Club.objects.update(shows_names="initials")
    assert FAMILY not in Client().get("/").content.decode()


def test_the_faces_at_a_games_end_stay_when_its_table_has_closed(world):
    browser = browser_of(world["visitors"]["owner"])
    for table in (world["night_table"], world["club_table"]):
        arrangements.end(table_id=table.pk, now=True)
        forget_all()
        page = browser.get(reverse("tables:table", args=[table.key])).content.decode()
        assert DRAWN.search(page)
        assert wrong_faces(page, faces(world)) == []


def close(world: dict[str, Any]) -> None:
    closing.close_event(event=world["event"], by=owner_of(world["club"]), despite_unfinished=True)


MONEY_PAGES = [
    "league:event_money", "league:season_money", "league:money_between",
    "league:club_table", "api:season_balances", "api:season_payments", "api:season_transfers",
    "api:postings", "league:event_csv money", "league:season_csv transfers",
    "league:player", "league:recap", "league:event_share", "league:table", "league:club_tables",
    "api:event", "api:event_standings", "api:opponents",
]  # fmt: skip


def test_members_see_all_of_it(world):
    close(world)
    member = browser_of(world["visitors"]["player"])
    assert leaks(member, world, *MONEY_PAGES).keys() == {*MONEY_PAGES}


def test_an_account_of_one_of_its_players_is_a_member_for_money(world):
    member, club = Client(), world["club"]
    user = club.players.people().exclude(user=None)[0].user
    member.force_login(user)
    assert member.get(address("league:season_money", world)).status_code == 200
    assert told(member.get(address("league:club_tables", world)).content.decode())
    club.memberships.get(user=user).delete()  # As links of before 1.2 were, until they are asked.
    assert member.get(address("league:season_money", world)).status_code == 404


def test_a_phone_of_the_night_sees_the_money_of_that_night_and_of_nothing_else(world):
    phone = phone_of_player(world["sitting"])
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


def test_pages_of_money_tell_strangers_to_sign_in(world):
    for name in ("league:event_money", "league:night_sheet", "league:season_money",
                 "league:money_between", "league:club_table"):  # fmt: skip
        answer = Client().get(address(name, world))
        assert (answer.status_code, "sign in" in answer.content.decode().lower()) == (404, True)
    for name in ("api:season_balances", "api:postings"):
        assert Client().get(address(name, world)).status_code == 404


def test_what_one_visitor_was_shown_is_not_kept_for_the_next(world):
    """Pages, pictures and answers of the API that are kept are kept for each view of money."""
    close(world)
    member, stranger = Client(), Client()
    member.force_login(world["visitors"]["owner"])
    world["secret"] = "unknown"
    for name in ("league:event", "league:event_live", "league:recap", "league:season",
                 "league:player", "league:event_share", "api:event_standings", "api:event",
                 "league:wall", "league:table"):  # fmt: skip
        path = address(name, world)
        before = member.get(path)
        after = stranger.get(path, headers={"If-None-Match": before.headers.get("ETag", "")})
        assert told(after.content.decode()) == set(), name
        assert "public" not in before.headers.get("Cache-Control", ""), name
