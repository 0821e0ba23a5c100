"""Addresses counted by network, and sign-ups that race."""

import pytest
from allauth.account.adapter import DefaultAccountAdapter
from django.test import Client
from django.urls import reverse

from accounts.addresses import network_of
from accounts.models import User
from tests.factories import sign_in


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.77", "192.0.2.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("::ffff:192.0.2.77", "192.0.2.0/24"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unknown", "unknown"),
    ],
)
def test_a_limit_counts_the_network_of_an_address(address, network):
    assert network_of(address) == network


@pytest.mark.django_db
def test_a_sign_up_that_comes_second_is_told_so(monkeypatch):
    def meanwhile(self, request, user):
        User.objects.create_user("mai@club.example", "x")

    monkeypatch.setattr(DefaultAccountAdapter, "populate_username", meanwhile)
    form = {"email": "mai@club.example", "password1": "mot-hai-ba-bon"}
    page = Client().post(reverse("account_signup"), form, follow=True)
    assert page.redirect_chain == [(reverse("account_signup"), 302)]
    assert "already registered" in page.content.decode()
    assert not User.objects.filter(email="mai@club.example").exists()


@pytest.mark.django_db
def test_without_a_mail_server_no_page_of_emails_speaks_of_messages(settings):
    client = sign_in(User.objects.create_user("lan@club.example", "giấy-kéo"), "giấy-kéo")
    page = reverse("account_email")
    for has_mail in (True, False):
        settings.HAS_MAIL = has_mail
        answer = client.post(
            page, {"action_add": "", "email": f"x{has_mail}@y.example"}, follow=True
        )
        text = answer.content.decode()
        assert ("is on its way to xtrue" in text.lower()) is has_mail
        assert ('name="action_send"' in text, "Unverified" in text) == (has_mail, has_mail)
    client.post(page, {"action_primary": "", "email": "xFalse@y.example"})
    assert User.objects.get().email == "xfalse@y.example"
    for one in User.objects.create_user("Owner@club.example", "x"), User.objects.first():
        client.force_login(one)
        assert client.get(page).content.decode().count(">Primary<") == 1
