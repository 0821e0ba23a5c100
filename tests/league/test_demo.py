"""The demo club: made once, on an empty installation only."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from league import demo
from league.models import Club, Event, Player, Posting, Result, Season
from league.money.facts import open_debts
from league.nights.facts.stages import pools_of
from league.proof.facts import verify
from tables.models import Run
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.mark.always
def test_the_demo_has_a_season_under_way_and_a_bot_tournament(settings, time_machine):
    time_machine.move_to("2026-11-20T23:30Z")  # Half past six of the 21st there.
    out = StringIO()
    call_command("demo", stdout=out)
    call_command("demo", stdout=out)
    assert Club.objects.count() == 1
    assert Player.objects.filter(bot="").count() == 24
    nights = Event.objects.filter(kind="night")
    assert nights.filter(status="closed").count() == 11
    assert nights.filter(status="open").count() == 3
    assert nights.filter(status="open", date=Club.objects.get().today).count() == 1
    assert Result.objects.filter(current=True).exclude(specials=[]).count() > 20, "chops"
    assert Posting.objects.filter(kind="settlement").exists(), "money that was paid"
    cup = nights.get(told_at__isnull=False)
    assert cup.name.startswith("Cúp")
    assert _stages(cup) == ["group", "group", "final"]
    played = nights.get(status="open", format__kind="knockout")
    semi_final = played.rounds.get(number=2).sittings.order_by("table_no")
    assert _stages(played) == ["table", "table"]
    assert [table.results.filter(current=True).count() for table in semi_final] == [2, 1]
    assert Run.objects.get().deals == 100
    assert out.getvalue().count("organiser@demo.example") == 2
    owed = open_debts.of_season(Season.objects.get(ranks_bots=False))
    assert owed, "debts that are open"
    assert list(verify.everything()) == []
    settings.HAS_MAIL = True  # Its accounts can sign in also where mail works.
    for _role, email, password in demo.sign_ins():
        form = {"login": email, "password": password}
        assert Client().post(reverse("account_login"), form).status_code == 302, email


def _stages(event):
    return [pools_of(one)[0]["kind"] for one in event.rounds.order_by("number")]


def test_nothing_is_made_where_somebody_has_an_account():
    make_user()
    assert demo.create_if_empty() is False
    assert demo.sign_ins() == []
