"""The demo club: made once, on an empty installation only."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from league import demo
from league.models import Club, Event, Player
from tables.models import Run
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def test_the_demo_has_a_night_half_played_and_a_bot_tournament():
    out = StringIO()
    call_command("demo", stdout=out)
    call_command("demo", stdout=out)
    assert Club.objects.count() == 1
    assert Player.objects.filter(bot="").count() == 13
    assert sorted(Event.objects.values_list("kind", flat=True)) == ["bots", "night"]
    assert Run.objects.get().deals == 100
    assert out.getvalue().count("organiser@demo.example") == 2


def test_its_accounts_can_sign_in_also_where_mail_works(settings):
    settings.HAS_MAIL = True
    call_command("demo", stdout=StringIO())
    for _role, email, password in demo.sign_ins():
        form = {"login": email, "password": password}
        assert Client().post(reverse("account_login"), form).status_code == 302, email


def test_nothing_is_made_where_somebody_has_an_account():
    make_user()
    assert demo.create_if_empty() is False
    assert demo.sign_ins() == []
