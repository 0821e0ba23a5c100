"""Devices where somebody is signed in, and sessions that nobody uses."""

import datetime

import pytest
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.sessions import account_of, end_sessions
from league.tasks import clear_sessions
from tests.accounts.test_second_factor import is_signed_in
from tests.factories import browser_of, make_user, sign_in
from tests.worlds import lived_from

pytestmark = pytest.mark.django_db

lived = lived_from("2026-11-20 12:00Z")
MONTH = datetime.timedelta(days=30)


def test_one_button_signs_out_everywhere_else():
    user, other = make_user(), make_user()
    phone, hall = sign_in(user, user_agent="Phone"), sign_in(user, user_agent="Hall tablet")
    neighbour = sign_in(other, user_agent="Neighbour")
    older = Client()
    older.force_login(user)  # From before there was a list.
    page = phone.get(reverse("accounts:devices")).content.decode()
    assert "Phone" in page
    assert "Hall tablet" in page
    assert "Neighbour" not in page
    assert page.count("badge badge-open") == 1
    phone.post(reverse("accounts:devices"))
    assert [is_signed_in(one) for one in (phone, hall, older, neighbour)] == [
        True,
        False,
        False,
        True,
    ]
    assert "Hall tablet" not in phone.get(reverse("accounts:devices")).content.decode()


def test_a_session_from_before_the_list_is_in_it_once_it_looks():
    client = Client(headers={"User-Agent": "Old browser"})
    client.force_login(make_user())
    assert "Old browser" in client.get(reverse("accounts:devices")).content.decode()


def test_an_idle_session_ends_and_one_in_use_goes_on():
    assert MONTH.total_seconds() == settings.SESSION_COOKIE_AGE
    client = sign_in(make_user(), user_agent="Phone")
    row = Session.objects.get()
    assert abs(row.expire_date - timezone.now() - MONTH).total_seconds() < 60
    session = client.session
    session["seen"] = "2026-01-01"
    session.save()
    Session.objects.update(expire_date=timezone.now() + datetime.timedelta(days=1))
    UserSession.objects.update(last_seen_at=timezone.now() - MONTH)
    assert is_signed_in(client)
    row.refresh_from_db()
    assert abs(row.expire_date - timezone.now() - MONTH).total_seconds() < 60
    assert UserSession.objects.get().last_seen_at.date() == timezone.now().date()
    Session.objects.update(expire_date=timezone.now())
    assert not is_signed_in(client)


def test_a_session_is_written_once_a_day():
    client = browser_of(make_user())
    is_signed_in(client)
    before = Session.objects.get().expire_date
    is_signed_in(client)
    assert Session.objects.get().expire_date == before


def test_an_ended_account_leaves_no_device():
    user = make_user()
    sign_in(user, user_agent="Phone")
    end_sessions(user)
    assert not UserSession.objects.exists()
    assert not Session.objects.exists()


def asking(client: Client) -> HttpRequest:
    """A request of this browser, as the middleware leaves it."""
    request = RequestFactory().get("/")
    request.session = SessionStore(client.cookies["sessionid"].value)
    AuthenticationMiddleware(HttpResponse).process_request(request)
    return request


def test_session_and_account_are_one_question(django_assert_num_queries):
    user = make_user()
    phone, older = sign_in(user, user_agent="Phone"), Client()
    older.force_login(user)  # No list knows of it.
    for client, questions in ((phone, 1), (older, 2)):
        request = asking(client)
        with django_assert_num_queries(questions):
            assert account_of(request) == user
            assert account_of(request) == user
            assert request.session.session_key == client.cookies["sessionid"].value


@pytest.mark.parametrize("ended", ["password", "closed", "signed out", "idle", "somebody else's"])
def test_what_ends_a_session_ends_it_for_the_one_question_too(ended):
    user = make_user()
    client = sign_in(user, user_agent="Phone")
    assert account_of(asking(client)) == user
    if ended == "password":
        user.set_password("another-long-password")
        user.save()
    elif ended == "closed":
        User.objects.update(is_active=False)
    elif ended == "signed out":
        end_sessions(user)
    elif ended == "idle":
        Session.objects.update(expire_date=timezone.now())
    else:
        UserSession.objects.update(user=make_user())
        assert account_of(asking(client)) == user
        return
    assert account_of(asking(client)) is None


def test_network_and_browser_of_a_session_that_is_over_are_forgotten():
    user = make_user()
    over, _on = sign_in(user, user_agent="Old phone"), sign_in(user, user_agent="Phone")
    key = over.cookies[settings.SESSION_COOKIE_NAME].value
    Session.objects.filter(session_key=key).update(expire_date=timezone.now() - MONTH)
    clear_sessions()
    assert [one.user_agent for one in UserSession.objects.filter(user=user)] == ["Phone"]
