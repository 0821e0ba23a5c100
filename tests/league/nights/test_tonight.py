"""A night from nothing but names."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.base.forms import mark_of
from league.models import Club, Event, Round
from tests.factories import browser_of, make_user
from tests.league.nights.test_final_places import step_of

pytestmark = pytest.mark.django_db
PAGE = "/clubs/~tonight/"


@pytest.fixture
def family():
    return browser_of(make_user("me@club.example"))


def asked(text, **more):
    return {"text": text, "ruleset": "mien-nam", "stake": "2.000", "name": "Nhà mình"} | more


def test_four_names_lead_to_their_table(family):
    answer = family.post(PAGE, asked("Ba, Mẹ, Hùng, Lan"))
    round_ = Round.objects.get()
    event = round_.event
    club = Club.objects.get()
    assert answer["Location"] == reverse("league:table", args=[club.slug, event.pk, 1, 1])
    assert (club.name, club.is_public, event.stake) == ("Nhà mình", False, 2_000)
    assert sorted(p.entrant.player.name for p in round_.sittings.get().seated) == [
        "Ba", "Hùng", "Lan", "Mẹ",
    ]  # fmt: skip
    page = family.get(answer["Location"]).content.decode()
    assert page.count("data-tap") >= 4


def test_six_names_play_at_one_table_with_a_queue(family):
    family.post(PAGE, asked("1. An\n2. Bình\n3. Chi\n4. Dũng\n5. Hà\n6. Lan"))
    event = Event.objects.get()
    assert event.format["kind"] == "loser_leaves"
    assert len(Round.objects.get().sittings.get().seated) == 4
    assert event.entrants.filter(ticket__isnull=False).count() == 2


def test_nine_names_play_rounds_and_are_shown_the_code_for_the_phones(family):
    answer = family.post(PAGE, asked("\n".join(f"Người {letter}" for letter in "ABCDEFGHI")))
    event = Event.objects.get()
    assert event.format["kind"] == "rounds"
    assert answer["Location"] == reverse("league:event", args=[Club.objects.get().slug, event.pk])
    assert Round.objects.get().status == "released"
    night = family.get(answer["Location"])
    assert step_of(night).actions[0].text == "Show the players' QR code"
    assert "Round 1 is being played: 0 of " in night.content.decode()


def test_after_midnight_the_night_has_the_day_of_the_people_at_the_table(monkeypatch, request):
    late = datetime(2026, 12, 31, 17, 30, tzinfo=UTC)  # Half past midnight in Vietnam.
    monkeypatch.setattr(timezone, "now", lambda: late)
    family = request.getfixturevalue("family")  # Signed in by that clock.
    family.post(PAGE, asked("Ba, Mẹ, Hùng, Lan"))
    event = Event.objects.get()
    new_year = date(2027, 1, 1)
    assert (event.date, event.season.starts_on) == (new_year, new_year)
    assert event.season.name == "Season 2027"


def test_rules_without_payments_have_no_stake(family):
    family.post(PAGE, asked("An, Bình, Chi, Dũng", ruleset="tien-len"))
    assert Event.objects.get().stake == 0


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "This field is required."),
        ("1.\n2.", "at least 2 players"),
        ("An, Bình, An, Chi", "“An” is in the list twice. Delete one"),
        ("An", "at least 2 players"),
        ("An, " + "x" * 300, "Line 1"),
    ],
)
def test_a_list_that_cannot_be_taken_makes_nothing(family, text, problem):
    answer = family.post(PAGE, asked(text))
    assert answer.status_code == 422
    assert problem in answer.content.decode()
    assert not Club.objects.exists()


def test_a_stranger_comes_back_here_after_signing_up():
    assert Client().get(PAGE)["Location"] == f"/accounts/login/?next={PAGE}"
    assert f"/accounts/signup/?next={PAGE}" in Client().get("/").content.decode()


def test_the_first_page_leads_back_to_ones_open_nights(family):
    family.post(PAGE, asked("An, Bình, Chi, Dũng"))
    event = Event.objects.get()
    page = reverse("league:event", args=[event.season.club.slug, event.pk])
    assert page in family.get("/").content.decode()
    assert page not in Client().get("/").content.decode()
    Event.objects.update(status="closed", closed_at=event.season.club.created_at)
    assert page not in family.get("/").content.decode()


@pytest.mark.parametrize("typed", ["10.000", "10,000", "10 000", "10k", "10 nghìn", "10.000 đ"])
def test_the_stake_is_read_as_people_write_it(family, typed):
    family.post(PAGE, asked("An, Bình, Chi, Dũng", stake=typed))
    assert Event.objects.get().stake == 10_000


@pytest.mark.parametrize(("typed", "usual"), [("10", "10 đ is very little"), ("10tr", "is a lot")])
def test_a_stake_out_of_scale_is_asked_about_and_taken_once_it_is_confirmed(family, typed, usual):
    answer = family.post(PAGE, asked("An, Bình, Chi, Dũng", stake=typed))
    page = answer.content.decode()
    assert (answer.status_code, Club.objects.exists()) == (422, False)
    assert usual in page
    sure = answer.context["form"].fields["stake"].widget.question
    other = asked("An, Bình, Chi, Dũng", stake="12", **{"stake-sure": mark_of(sure)})
    assert family.post(PAGE, other).status_code == 422  # It was another amount that was confirmed.
    family.post(PAGE, asked("An, Bình, Chi, Dũng", stake=typed, **{"stake-sure": mark_of(sure)}))
    assert Event.objects.get().stake in (10, 10_000_000)


def test_a_stake_with_two_readings_is_refused_with_both(family):
    page = family.post(PAGE, asked("An, Bình, Chi, Dũng", stake="1.500k")).content.decode()
    assert "1,500 or 1,500,000" in page
    assert 'value="1.500k"' in page
    assert not Club.objects.exists()
