"""How many links for a new password one may have sent to an address."""

import re

import pytest
from allauth.account import views
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import path, reverse
from django.utils import timezone

from accounts import security_mail
from accounts.known_devices import COOKIE
from config import urls
from tests.factories import make_user

pytestmark = pytest.mark.django_db

ENOUGH = "Enough links went to this address."


urlpatterns = [path("accounts/password/reset/", views.password_reset), *urls.urlpatterns]
"""Which pages there are is read once, without mail."""


@pytest.fixture(autouse=True)
def with_mail(settings):
    settings.ROOT_URLCONF = __name__
    settings.HAS_MAIL = True
    cache.clear()
    yield
    cache.clear()


def ask(email: str, client: Client | None = None) -> str:
    page = (client or Client()).post("/accounts/password/reset/", {"email": email}, follow=True)
    assert page.status_code == 200
    security_mail.send_due()
    return str(page.content.decode())


def test_an_address_gets_three_links_an_hour_and_six_a_day(monkeypatch):
    make_user("lan@club.example")
    start = timezone.now().timestamp()
    taken = []
    for hour in range(4):
        monkeypatch.setattr("time.time", lambda hour=hour: start + hour * 3601)
        before = len(mail.outbox)
        said = [ask("lan@club.example"), *(ask("LAN@club.example") for _ in range(3))]
        taken.append(len(mail.outbox) - before)
        assert ENOUGH in said[-1]
    assert taken == [3, 3, 0, 0]
    ask("mai@club.example")
    assert len(mail.outbox) == 7


def test_the_link_of_the_newest_mail_works_when_no_more_are_sent():
    make_user("lan@club.example")
    for _ in range(5):
        page = ask("lan@club.example")
    assert "The newest works once, within 3 days." in page
    path = re.search(r"https?://[^/]+(/\S+)", str(mail.outbox[-1].body)).group(1)
    assert "password1" in Client().get(path, follow=True).content.decode()


def test_a_heckler_in_the_hall_stops_no_known_browser():
    lan = make_user("lan@club.example")
    EmailAddress.objects.create(user=lan, email=lan.email, verified=True, primary=True)
    known, signed_in = Client(), Client()
    form = {"login": lan.email, "password": "s3cret-word"}
    signed_in.post(reverse("account_login"), form)
    known.cookies[COOKIE] = signed_in.cookies[COOKIE].value
    for no in range(21):
        page = ask(f"nobody{no}@club.example")
    assert "Try again in a minute." in page
    sent = len(mail.outbox)
    ask(lan.email)
    assert len(mail.outbox) == sent
    ask(lan.email, known)
    assert [one.to for one in mail.outbox[sent:]] == [[lan.email]]
