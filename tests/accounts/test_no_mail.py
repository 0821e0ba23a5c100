"""A forgotten password on a server without mail: the page names who can help."""

import pytest
from django.test import RequestFactory

from accounts.views import no_mail
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def read() -> str:
    return no_mail(RequestFactory().get("/")).content.decode()


def test_the_administrators_name_is_said_and_no_address():
    make_user("boss@club.example", is_superuser=True, name="Chị Hoa")
    make_user("other@club.example", is_superuser=True)
    assert "The administrator here: Chị Hoa." in read()
    assert "@club.example" not in read()


def test_without_a_name_the_way_leads_over_an_organiser():
    assert "An organiser of your club knows who runs this server." in read()
