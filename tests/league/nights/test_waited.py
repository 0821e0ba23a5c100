"""Games that waited on a phone: when they were tapped, by whom, and what tells of it."""

import datetime
import re
import uuid
import zoneinfo

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.log.pages import entries as log
from league.models import Place, Result, Round
from league.nights.acts import attendance, seat_changes
from league.nights.pages.wall import screen_of
from league.proof.facts import verify
from tests.factories import (
    game_form,
    make_member,
    make_night,
    make_table,
    owner_of,
    play,
    secret_of,
    table_link,
)
from tests.scripts import SCRIPT

pytestmark = pytest.mark.django_db
HOUR = 3600
ORIGIN = datetime.timedelta(hours=2)


@pytest.fixture
def sitting():
    sitting = make_table(make_night(8))
    began = timezone.now() - ORIGIN
    Round.objects.filter(pk=sitting.round_id).update(released_at=began)
    sitting.round.refresh_from_db()
    return sitting


def sends(client: Client, sitting, number: int = 1, **more: object) -> Result:
    game = game_form(sitting, game_no=number)
    answer = client.post(table_link(sitting, 1), game | more, headers=SCRIPT)
    assert answer.status_code == 200, answer.content
    return Result.objects.get(client_id=game["client_id"])


def last(sitting) -> str:
    return log.log_page(sitting.round.event.season.club, log.Asked(), None).lines[0].sentence


@pytest.mark.parametrize(
    ("ago", "waited"),
    [("0", None), ("59", None), (str(HOUR), HOUR), ("99999999", 2 * HOUR)]
    + [(strange, None) for strange in ("", "-5", "1e9", "9" * 20, "ten")],
)
def test_a_game_keeps_how_long_ago_it_was_tapped_in_its_round(client, sitting, ago, waited):
    result = sends(client, sitting, ago=ago)
    if waited is None:
        assert result.tapped_at is None
    else:
        assert (result.at - result.tapped_at).total_seconds() == pytest.approx(waited, abs=30)
        assert result.tapped_at >= sitting.round.released_at


def test_the_pace_and_the_wall_tell_when_games_were_tapped(client, sitting):
    event, tapped_at = sitting.round.event, sends(client, sitting, ago=HOUR).tapped_at
    began = sitting.round.released_at
    assert [table.since for table in screen_of(event, 0).items] == [tapped_at, began]


def test_the_log_tells_both_times_in_the_order_of_arrival(client, sitting):
    tapped_at = sends(client, sitting, ago=HOUR).tapped_at
    assert f"{timezone.localtime(tapped_at):%H:%M}" in last(sitting)
    assert "Tapped at" in last(sitting)
    sends(client, sitting, 2)
    assert "entered game 2" in last(sitting)
    assert "Tapped" not in last(sitting)
    club = sitting.round.event.season.club
    at = timezone.localtime(tapped_at, zoneinfo.ZoneInfo(club.time_zone))
    there = reverse("league:link_game", args=[secret_of(sitting), 1, 1])
    assert re.search(rf"tapped [^<]*{at:%H:%M}", client.get(there).text)


def test_a_game_by_a_table_s_link_is_sent_by_whoever_has_it_and_the_log_names_both(sitting):
    scorer, owner = (browser_of(sitting, role) for role in ("scorer", "owner"))
    mark = re.search(r'data-by="(.*?)"', scorer.get(table_link(sitting, 1)).text)[1]
    assert sends(owner, sitting, by=mark).by == owner.user
    said = last(sitting)
    assert said.startswith(f"{owner.user} entered game 1")
    assert said.endswith(f"Tapped by {scorer.user} on that phone.")
    assert sends(Client(), sitting, 2, by=mark).by is None
    assert last(sitting).endswith(f"Tapped by {scorer.user} on that phone.")
    sends(scorer, sitting, 3, by=mark)
    assert "Tapped" not in last(sitting)


def test_no_phone_names_an_account_that_did_not_enter_there(sitting):
    owner = owner_of(sitting)
    for number, made_up in enumerate((owner.pk, f"{owner.pk}:x", ":", "x" * 900), 1):
        sends(Client(), sitting, number, by=made_up)
        assert "Tapped" not in last(sitting)


class Floor:
    """The first table of a round that began long ago, one beside it, and a guest."""

    def __init__(self, players: int = 8, **details: object) -> None:
        event = make_night(players, rules="thirteen", **details)
        self.first = make_table(event)
        self.second = self.first.round.sittings.last()
        self.event, self.by = event, owner_of(event)
        long_ago = timezone.now() - ORIGIN
        Round.objects.filter(event=event).update(released_at=long_ago)
        self.then = [place.entrant_id for place in self.first.places.order_by("seat")]
        self.guest = attendance.add_guest(event=event, name="Zoe", by=self.by).pk

    def changes(self, how: str, who: int = 0, guest: int | None = None) -> None:
        at_first = {"sitting_id": self.first.pk, "by": self.by}
        other = self.second.places.first().entrant_id
        leaver = {"entrant_id": self.then[who], **at_first}
        if how == "replaced":
            seat_changes.leave(**leaver, substitute_id=guest or self.guest)
        if how == "left":
            seat_changes.leave(**leaver)
        if how == "joined":
            seat_changes.join(entrant_id=self.guest, **at_first)
        if how == "swapped":
            seat_changes.move(**leaver, to_id=self.second.pk, with_id=other)
        if how == "moved":
            seat_changes.move(**leaver, to_id=self.second.pk)
        if how == "came":
            self.changes("left", 3)
            at_second = {"sitting_id": self.second.pk, "by": self.by}
            seat_changes.move(**at_second, entrant_id=other, to_id=self.first.pk)

    def sends(self, number: int, entrants: list[int], **more: object):
        order = ",".join(map(str, entrants))
        game = {"game_no": number, "order": order, "specials": "", "client_id": uuid.uuid4()}
        there = table_link(self.first, 1)
        return Client().post(there, game | {"ago": HOUR} | more, headers=SCRIPT)

    def players_of(self, number: int) -> list[int]:
        result = Result.objects.get(sitting=self.first, game_no=number, current=True)
        return list(result.placings.order_by("rank").values_list("entrant_id", flat=True))

    def sit(self, number: int) -> set[int]:
        places = Place.objects.filter(sitting=self.first)
        return {place.entrant_id for place in places if place.holds_in(number)}


@pytest.mark.parametrize("played", [0, 1])
@pytest.mark.parametrize("how", ["replaced", "left", "joined", "swapped", "moved", "came"])
def test_games_that_waited_are_of_those_who_sat_there_when_they_were_entered(how, played):
    floor = Floor()
    for _number in range(played):
        play(floor.first)
    if how == "joined":  # A fourth seat is free for the guest.
        floor.changes("left", 3)
        floor.then.pop()
    floor.changes(how)
    now = floor.sit(played + 1)
    assert now != set(floor.then)
    for number in (played + 1, played + 2):
        answer = floor.sends(number, floor.then[::-1])
        assert answer.status_code == 200, answer.json()["message"]
        assert floor.players_of(number) == floor.then[::-1]
        assert floor.sit(number + 1) == now
    assert floor.sends(played + 3, sorted(now), ago=0).status_code == 200
    assert list(verify.everything(floor.event.season.club)) == []


@pytest.mark.parametrize("ago", [59, 20 * 60])
def test_a_game_between_two_changes_is_of_those_between_them(ago):
    floor = Floor()
    with time_machine.travel(timezone.now() - ORIGIN / 4):
        floor.changes("replaced")
    before, between = floor.then, [floor.guest, *floor.then[1:]]
    another = attendance.add_guest(event=floor.event, name="Yen", by=floor.by).pk
    floor.then = between
    floor.changes("replaced", guest=another)
    assert floor.sends(1, before, ago=ago).status_code == 409
    answer = floor.sends(1, between, ago=ago)
    assert (answer.status_code, floor.sit(2)) == (200, {another, *before[1:]})


@pytest.mark.parametrize(
    ("names", "ago", "code"),
    [
        (lambda floor: floor.then, 30, "other_seats"),
        (lambda floor: floor.then, 0, "players"),
        (lambda floor: floor.then[:3], HOUR, "other_seats"),
        (lambda floor: [floor.guest, *floor.then], HOUR, "other_seats"),
        (lambda floor: [*floor.then, floor.then[0]], HOUR, "twice"),
        (lambda floor: [*floor.then[:3], 0], HOUR, "other_seats"),
        (lambda floor: [*floor.then[:3], 9**15], HOUR, "other_seats"),
    ],
)
def test_a_game_of_others_than_sat_there_then_says_what_to_do(names, ago, code):
    floor = Floor()
    with time_machine.travel(timezone.now() - datetime.timedelta(minutes=1)):
        floor.changes("replaced")
    before = floor.sit(1)
    answer = floor.sends(1, names(floor), ago=ago)
    assert (answer.status_code, answer.json()["code"]) == (409, code)
    assert floor.sit(1) == before
    assert ("Players leave or join" in answer.json()["message"]) == (code == "other_seats")


@pytest.mark.parametrize("kind", ["loser_leaves", "open"])
def test_a_loser_who_has_gone_leaves_the_queue_as_it_is(kind):
    floor = Floor(9, format={"kind": kind})
    floor.changes("replaced")
    now, loser = floor.sit(1), floor.then[0]
    answer = floor.sends(1, [*floor.then[1:], loser])
    assert answer.status_code == 200, answer.json()["message"]
    assert (floor.sit(1), floor.sit(2)) == (set(floor.then), now)


def test_nobody_counts_at_two_tables_by_a_game_that_waited():
    floor = Floor(counting="average")
    floor.changes("swapped")
    assert floor.sends(1, floor.then).json()["code"] == "other_seats"


def browser_of(sitting, role: str) -> Client:
    club = sitting.round.event.season.club
    browser = Client()
    browser.user = owner_of(club) if role == "owner" else make_member(club, role)
    browser.user.name = role.title()
    browser.user.save()
    browser.force_login(browser.user)
    return browser
