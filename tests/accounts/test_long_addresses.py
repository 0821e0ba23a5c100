"""An address that is longer than an account's, at every door where one is typed."""

from io import StringIO

import pytest
from allauth.account import views
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.urls import path, reverse

from accounts.models import SecurityMail
from config import urls
from tests.factories import browser_of, make_club, make_user, owner_of, sign_in

pytestmark = pytest.mark.django_db

LONG = f"{'mai' * 9}@{'.'.join(['club' * 15] * 4)}.example"
"""An address by all rules of its form, which the columns for addresses do not hold."""
PASSWORD = "mot-hai-ba-bon"

urlpatterns = [path("accounts/password/reset/", views.password_reset), *urls.urlpatterns]
"""Which pages there are is read once, without mail."""


@pytest.fixture(autouse=True)
def with_mail(settings):
    settings.ROOT_URLCONF = __name__
    settings.HAS_MAIL, settings.SITE_ADDRESS = True, "http://testserver"
    cache.clear()
    yield
    cache.clear()


def signs_in():
    return Client().post(reverse("account_login"), {"login": LONG, "password": PASSWORD})


def signs_up():
    return Client().post(reverse("account_signup"), {"email": LONG, "password1": PASSWORD})


def asks_for_a_password():
    return Client().post(reverse("account_reset_password"), {"email": LONG})


def adds_one():
    user = make_user("lan@club.example")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return sign_in(user).post(reverse("account_email"), {"email": LONG, "action_add": ""})


def opens_the_owner_s_link():
    out, client = StringIO(), Client()
    call_command("owner_link", stdout=out)
    page = client.get(out.getvalue().split()[0].removeprefix("http://testserver"), follow=True)
    form = {"password1": PASSWORD, "password2": PASSWORD, "email": LONG}
    return client.post(page.request["PATH_INFO"], form)


def offers_a_role():
    club = make_club()
    members = reverse("league:members", args=[club.slug])
    return browser_of(owner_of(club)).post(members, {"email": LONG, "role": "organiser"})


def links_a_player():
    club = make_club()
    player = club.players.create(name="Mai")
    page = reverse("league:player_edit", args=[club.slug, player.pk])
    return browser_of(owner_of(club)).post(page, {"act": "account", "email": LONG})


@pytest.mark.parametrize(
    "door",
    [signs_in, signs_up, asks_for_a_password, adds_one, opens_the_owner_s_link, offers_a_role,
     links_a_player],
)  # fmt: skip
def test_an_address_that_no_account_can_have_is_refused_in_words(door):
    """The database refused it, and the page was "Something broke"."""
    assert 254 < len(LONG) <= 320
    page = door()
    assert page.status_code in (200, 400, 422)
    assert "at most 254 characters (it has" in page.content.decode()
    assert not SecurityMail.objects.exists()
