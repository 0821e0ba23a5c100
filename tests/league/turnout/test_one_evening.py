"""One evening on several phones: the sign-up, check-in and table links lead on to each other."""

from __future__ import annotations

import datetime
import html

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.base.acts import links
from league.clubs.acts import clubs, players
from league.models import Claim, Club, Event, Link, SignUpAnswer
from league.nights.acts import attendance, bins, claims, closing, events
from league.nights.domain.night_plans import NightPlan
from league.turnout.acts import sign_ups
from tables.refusals import Refusal
from tests.factories import (
    browser_of,
    make_club,
    make_member,
    make_round,
    make_season,
    names_at,
    owner_of,
    play,
    secret_of,
)
from tests.races import race
from tests.worlds import made_once

pytestmark = pytest.mark.django_db

PEOPLE = ["An", "Bình", "Chi", "Dũng", "Em"]


class Evening:
    """A night of a private club with its three links."""

    def __init__(self, club: Club | None = None) -> None:
        cache.clear()
        self.club = club or make_club(is_public=False)
        self.by = owner_of(self.club)
        if club is None:
            players.add_players(club=self.club, text="\n".join(PEOPLE), by=self.by)
        self.event = events.create_event(
            season=make_season(self.club),
            by=self.by,
            name="Tối thứ Sáu",
            date=timezone.localdate(),
            plan=NightPlan(stake=10),
        )
        sign_ups.open_list(event=self.event, by=self.by)
        self.sign_up = self._path("sign_up", sign_ups.link_of(self.event))
        self.door = self._path("check_in", links.renew_for_check_in(event=self.event, by=self.by))
        self.my_night = reverse("league:my_night", args=[self.event.pk])

    def _path(self, name: str, link: Link | None) -> str:
        assert link is not None
        return reverse(f"league:link_{name}", args=[link.secret])

    def key(self, name: str) -> int:
        return self.club.players.get(name=name).pk

    def say(self, phone: Client, name: str, reply: str = "yes"):
        return phone.post(self.sign_up, {"player": self.key(name), "reply": reply}, follow=True)

    def whose(self) -> dict[str, str]:
        """The phones of the night by name."""
        held = Claim.objects.filter(event=self.event, ended_at=None)
        return dict(held.values_list("player__name", "phone_hash"))

    def present(self) -> set[str]:
        here = self.event.entrants.filter(presence="here")
        return set(here.values_list("player__name", flat=True))

    def seat(self, *names: str):
        """Seats those people, and returns the table and its link."""
        keys = [self.key(name) for name in names]
        attendance.set_presence(event=self.event, player_ids=keys, presence="here", by=self.by)
        self.event.refresh_from_db()
        sitting = make_round(self.event).sittings.get()
        self.table = reverse("league:link_table", args=[secret_of(sitting)])
        return sitting

    def close(self) -> None:
        closing.close_event(event=self.event, by=self.by, despite_unfinished=True)

    def all_links(self) -> list[str]:
        return [self.sign_up, self.door, self.table]


@made_once
def evening() -> Evening:
    return Evening()


def page(phone: Client, path: str, status: int = 200) -> str:
    answer = phone.get(path, follow=True)
    assert answer.status_code == status
    return html.unescape(answer.content.decode())


def test_one_phone_says_once_who_it_is_and_is_led_from_the_answer_to_the_debts(evening):
    phone = Client()
    evening.say(phone, "An")
    assert list(evening.whose()) == ["An"]
    door = page(phone, evening.door)
    assert "An: I'm here" in door
    assert "That's me" not in door
    phone.post(evening.my_night, {"presence": "here"})
    assert evening.present() == {"An"}
    sitting = evening.seat(*PEOPLE[:4])
    for path in (evening.sign_up, evening.door):
        shown = page(phone, path)
        assert "An: table 1" in shown
        assert evening.my_night in shown
    shown = page(phone, evening.table)
    assert "Which one are you?" not in shown
    assert evening.my_night in shown
    play(sitting, ["Bình", "Chi", "Dũng", "An"])
    evening.close()
    for path in evening.all_links():
        shown = page(phone, path)
        assert "An: my night" in shown
        assert "You pay Bình" in shown
        assert "has expired" not in shown
    assert Claim.objects.count() == 1


def test_a_phone_that_answers_for_a_friend_stays_its_owners(evening):
    phone = Client()
    evening.say(phone, "An")
    evening.say(phone, "Bình")
    assert list(evening.whose()) == ["An"]
    # Last week's phone of An that answers for a friend first is not the friend's either.
    later = Evening(evening.club)
    later.say(phone, "Bình")
    assert later.whose() == {}
    later.say(phone, "An")
    assert list(later.whose()) == ["An"]


def test_a_phone_of_who_runs_the_night_is_nobodys(evening):
    scorer = browser_of(make_member(evening.club, "scorer"))
    evening.say(scorer, "An")
    assert evening.whose() == {}


def test_a_fresh_phone_says_by_the_sign_up_link_who_it_is_and_that_it_is_here(evening):
    phone = Client()
    assert "Already here?" not in page(phone, evening.sign_up)
    evening.seat(*PEOPLE[1:5])
    assert "Already here? Tap your name" in page(phone, evening.sign_up)
    answer = phone.post(evening.sign_up, {"here": evening.key("An")})
    assert answer["Location"] == evening.my_night
    assert "An" in evening.present()
    assert list(evening.whose()) == ["An"]
    # The name has a phone now: neither offered nor given to a second one.
    second = Client()
    assert f'name="here" value="{evening.key("An")}"' not in page(second, evening.sign_up)
    told = second.post(evening.sign_up, {"here": evening.key("An")}, follow=True)
    assert "Another phone has the name An" in told.content.decode()
    assert second.get(evening.my_night).status_code == 404


def test_a_phone_at_another_table_is_led_to_its_own(evening):
    players.add_players(club=evening.club, text="Giang\nHà\nKhoa", by=evening.by)
    keys = [player.pk for player in evening.club.players.all()]
    attendance.set_presence(event=evening.event, player_ids=keys, presence="here", by=evening.by)
    first, second = make_round(evening.event).sittings.order_by("table_no")
    name = names_at(first)[0]
    phone = Client()
    phone.post(evening.door, {"player": evening.key(name), "me": 1})
    other = page(phone, reverse("league:link_table", args=[secret_of(second)]))
    assert f"{name}: table {first.table_no}" in other
    own = page(phone, reverse("league:link_table", args=[secret_of(first)]))
    assert f"{name}: table" not in own
    assert "Which one are you?" not in other + own


def test_a_name_answered_or_claimed_elsewhere_is_told_of(evening):
    mine, other = Client(), Client()
    evening.say(mine, "An")
    assert "answered from another phone" in evening.say(other, "An", "no").content.decode()
    mine.post(evening.door, {"player": evening.key("Bình"), "me": 1})
    claims.claim(event=evening.event, player_id=evening.key("Chi"), phone="c" * 64)
    assert "Another phone has the name Chi" in evening.say(other, "Chi", "no").content.decode()
    assert not SignUpAnswer.objects.filter(player__name="Chi").exists()


def test_giving_a_name_back_gives_it_back_on_every_link(evening):
    first, second = Client(), Client()
    evening.say(first, "An")
    first.post(evening.my_night, {"free": 1})
    assert evening.whose() == {}
    evening.say(second, "An", "no")
    assert SignUpAnswer.objects.get().reply == "no"
    assert list(evening.whose()) == ["An"]
    host = browser_of(evening.by)
    answers = reverse("league:sign_up_answer", args=[evening.club.slug, evening.event.pk])
    host.post(answers, {"free": evening.key("An")})
    assert evening.whose() == {}


@pytest.mark.django_db(transaction=True)
def test_of_two_phones_that_answer_for_one_name_at_once_one_has_it():
    evening = Evening()

    def by_answer():
        return evening.say(Client(), "An").status_code

    def by_door():
        return Client().post(evening.door, {"player": evening.key("An"), "me": 1}).status_code

    race(by_answer, by_answer, by_door, by_door, refused=(Refusal,))
    assert list(evening.whose()) == ["An"]
    assert Claim.objects.count() == 1


def test_after_closing_a_fresh_phone_reads_the_result_and_finds_its_debts(evening):
    sitting = evening.seat(*PEOPLE[:4])
    play(sitting, ["Bình", "Chi", "Dũng", "An"])
    evening.close()
    for path, name in zip(evening.all_links(), ["An", "Bình", "Chi"], strict=True):
        phone = Client()
        shown = page(phone, path)
        assert "Bình" in shown
        assert "You pay" not in shown
        assert f"/clubs/{evening.club.slug}/" not in shown
        answer = phone.post(path, {"me": evening.key(name)})
        assert answer["Location"] == evening.my_night
        assert name in page(phone, evening.my_night)
    assert set(evening.whose()) == {"An", "Bình", "Chi"}
    # A name that has a phone is not offered again, and nothing else is taken any more.
    late = Client()
    assert f'value="{evening.key("An")}"' not in page(late, evening.sign_up)
    taken = late.post(evening.sign_up, {"me": evening.key("An")}, follow=True)
    assert "Another phone has the name An" in taken.content.decode()
    assert late.post(evening.door, {"player": evening.key("Em")}).status_code == 302
    assert "Em" not in evening.present()


def test_a_paper_code_opens_the_debts_after_closing_too(evening):
    evening.seat(*PEOPLE[:4])
    link = Link.objects.get(purpose="check_in")
    code = links.personal_code(link, evening.key("An"))
    path = reverse("league:link_personal", args=[evening.event.pk, evening.key("An"), code])
    evening.close()
    phone = Client()
    assert "I'm An" in page(phone, path)
    assert phone.post(path)["Location"] == evening.my_night
    assert phone.get(evening.my_night).status_code == 200


def test_links_from_before_work_after_closing_too(evening):
    sitting = evening.seat(*PEOPLE[:4])
    Link.objects.filter(purpose="table").update(event=None, table_no=None, sitting=sitting)
    evening.close()
    assert "Which one are you?" in page(Client(), evening.table)


def test_a_night_called_off_says_so(evening):
    evening.seat(*PEOPLE[:4])
    now = timezone.now()
    Event.objects.update(status="closed", closed_at=now, called_off_at=now)
    for path in evening.all_links():
        assert "was called off" in page(Client(), path)


def test_a_link_that_was_ended_on_purpose_says_why(evening):
    sitting = evening.seat(*PEOPLE[:4])
    links.renew_for_check_in(event=evening.event, by=evening.by)
    links.renew_for_sign_up(event=evening.event, by=evening.by)
    links.renew_for_table(sitting=sitting, by=evening.by)
    for path in evening.all_links():
        assert "An organiser has replaced this link." in page(Client(), path, 404)
    evening.close()
    for path in evening.all_links():
        assert "An organiser has replaced this link." in page(Client(), path, 404)


def test_a_link_of_a_closed_club_or_of_a_night_in_the_bin_says_so(evening):
    evening.close()
    bins.bin_event(event=evening.event, by=evening.by)
    assert "An organiser has deleted this night." in page(Client(), evening.sign_up, 404)
    clubs.close_club(club=evening.club, by=evening.by)
    assert "This club is closed." in page(Client(), evening.sign_up, 404)


def test_an_unknown_link_does_not_claim_to_have_existed():
    cache.clear()
    for name in ("sign_up", "check_in", "table"):
        shown = page(Client(), reverse(f"league:link_{name}", args=["a" * 26]), 404)
        assert "There is no such link." in shown


def test_a_script_hears_that_the_night_is_closed(evening):
    evening.seat(*PEOPLE[:4])
    evening.close()
    script = Client(headers={"Accept": "application/json"})
    here = f"{evening.table}rounds/1/"
    assert script.get(here).json() == {"moved": evening.table}
    refused = script.post(here, {"game_no": 1})
    assert (refused.status_code, refused.json()["code"]) == (409, "closed")
    assert "is closed" in refused.json()["message"]


def test_who_said_no_and_came_anyway_is_counted_while_present(evening):
    for name, reply in (("An", "yes"), ("Bình", "yes"), ("Chi", "no"), ("Dũng", "maybe")):
        evening.say(Client(), name, reply)
    phone = Client()
    assert "2 people are coming." in page(phone, evening.sign_up)
    attendance.set_presence(
        event=evening.event,
        player_ids=[evening.key(name) for name in ("An", "Chi", "Em")],
        presence="here",
        by=evening.by,
    )
    shown = page(phone, evening.sign_up)
    assert "4 people are coming." in shown
    assert "Not coming (" not in shown
    attendance.set_presence(
        event=evening.event, player_ids=[evening.key("Chi")], presence="expected", by=evening.by
    )
    shown = page(phone, evening.sign_up)
    assert "3 people are coming." in shown
    assert "Not coming (1)" in shown


def test_after_the_first_draw_nothing_is_answered(evening):
    phone = Client()
    evening.say(phone, "An")
    evening.seat("Bình", "Chi", "Dũng", "Em")
    for shown in (page(phone, evening.sign_up), page(Client(), evening.sign_up)):
        assert 'name="reply"' not in shown


def test_after_the_deadline_only_cancelling_and_fewer_guests_are_offered(evening):
    phone, fresh = Client(), Client()
    evening.say(phone, "An")
    late = timezone.now() - datetime.timedelta(minutes=1)
    sign_ups.open_list(event=evening.event, by=evening.by, closes_at=late)
    shown = page(phone, evening.sign_up)
    assert "I can't come" in shown
    assert "I'm coming" not in shown
    assert "Save guests" not in shown
    assert 'name="reply"' not in page(fresh, evening.sign_up)
    SignUpAnswer.objects.update(guests=2)
    shown = page(phone, evening.sign_up)
    assert "Save guests" in shown
    assert '<option value="2" selected>' in shown
    assert '<option value="3"' not in shown
