"""Who may make an account, and with which passwords."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.passwords import KnownPasswordValidator
from league.clubs.services import invitations
from tests.factories import make_club, owner_of

FORM = {"email": "mai@club.example", "password1": "mot-hai-ba-bon"}


@pytest.mark.parametrize(
    "password",
    ["password1234", "P@ssw0rd2024", "Anh Yêu Em 123", "mật khẩu 2024", "anhyeuem123", "1234567890",
     "aaaaaaaaaaaa", "abcabcabcabc", "qwertyuiop", "iloveyou!!", "tienlen2026"],
)  # fmt: skip
def test_passwords_of_lists_are_refused_in_any_disguise(password):
    with pytest.raises(ValidationError):
        KnownPasswordValidator().validate(password)


@pytest.mark.parametrize(
    "password", ["mot-hai-ba-bon", "chín con gà trống", "moon-1983-07-22", "Xq7!vLm2#k"]
)
def test_other_passwords_are_taken(password):
    KnownPasswordValidator().validate(password)


@pytest.mark.django_db
def test_sign_up_can_be_closed(settings):
    settings.SIGN_UP = "closed"
    page = Client().post(reverse("account_signup"), FORM)
    assert "Not everyone can create" in page.content.decode()
    assert not User.objects.exists()


@pytest.mark.django_db
def test_sign_up_can_be_for_invited_people(settings):
    settings.SIGN_UP = "invitation"
    club = make_club()
    link = invitations.invite(club=club, role="player", by=owner_of(club))
    client = Client()
    client.get(reverse("league:link_join", args=["nobody-knows-this-one"]))
    client.post(reverse("account_signup"), FORM)
    assert not User.objects.filter(email=FORM["email"]).exists()
    client.get(reverse("league:link_join", args=[link.secret]))
    client.post(reverse("account_signup"), FORM)
    assert User.objects.filter(email=FORM["email"]).exists()
