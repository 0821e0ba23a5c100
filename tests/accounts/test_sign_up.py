"""Who may make an account, and with which passwords."""

import re

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from accounts import security_mail
from accounts.known_devices import COOKIE
from accounts.models import User
from accounts.passwords import KnownPasswordValidator
from league.clubs.acts import invitations
from tests.factories import make_club, make_user, owner_of

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
@pytest.mark.parametrize("name", ["account_signup", "account_login", "account_reset_password"])
def test_a_page_says_its_title_and_what_a_field_is_for_once(name):
    page = Client().get(reverse(name)).content.decode()
    assert (page.count("<h1"), page.count("placeholder=")) == (1, 0)
    length = "Your password must contain at least 10 characters."
    assert (length in page, "commonly" in page) == (name == "account_signup", False)


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


@pytest.mark.django_db
def test_where_mail_works_sign_up_says_the_same_of_known_and_unknown_emails(settings, empty_cache):
    """Also to who then tries to sign in; the mail says which it was."""
    settings.HAS_MAIL = True
    make_user("anh@club.example")
    answers, mails = [], []
    for email in ("anh@club.example", "mai@club.example"):
        cache.clear()
        client = Client()
        page = client.post(reverse("account_signup"), FORM | {"email": email}, follow=True)
        text = page.content.decode().replace(email, "EMAIL")
        answers.append((page.redirect_chain, re.sub(r'"\w{64}"', "", text)))
        signed_in = client.post(
            reverse("account_login"), {"login": email, "password": FORM["password1"]}
        )
        assert "_auth_user_id" not in client.session, signed_in
        security_mail.send_due()
        mails.append(mail.outbox[0].body)
        mail.outbox.clear()
    assert answers[0] == answers[1]
    assert [reverse("account_reset_password") in text for text in mails] == [True, False]


@pytest.mark.django_db
def test_a_new_email_is_confirmed_before_the_first_sign_in(settings, empty_cache):
    settings.HAS_MAIL = True
    client = Client()
    client.post(reverse("account_signup"), FORM)
    security_mail.send_due()
    (link,) = re.findall(r"https?://[^/]+(/accounts/confirm-email/\S+)", mail.outbox[0].body)
    client.post(link)
    client.post(reverse("account_login"), {"login": FORM["email"], "password": FORM["password1"]})
    assert "_auth_user_id" in client.session


@pytest.mark.django_db
def test_strangers_wrong_passwords_close_no_known_browser_out(empty_cache):
    """Neither from elsewhere nor from the same address; the browser's own are counted."""
    user = make_user("anh@club.example")
    right = {"login": user.email, "password": "s3cret-word"}
    wrong = right | {"password": "khong-phai-the"}
    known, stranger = Client(), Client()

    def signs_in(client, form=right):
        client.post(reverse("account_login"), form)
        inside = "_auth_user_id" in client.session
        client.post(reverse("account_logout"))
        return inside

    assert signs_in(known)
    assert known.cookies[COOKIE]["httponly"]
    for _try in range(12):
        assert not signs_in(stranger, wrong)
    assert not signs_in(stranger)
    assert signs_in(known)
    stranger.cookies[COOKIE] = known.cookies[COOKIE].value + "x"
    assert not signs_in(stranger)
    for _try in range(5):
        assert not signs_in(known, wrong)
    assert not signs_in(known)
    cache.clear()
    other = {"login": make_user("binh@club.example").email, "password": "s3cret-word"}
    for _try in range(12):  # It is known for its own people's accounts alone.
        assert not signs_in(known, other | {"password": "khong-phai-the"})
    assert not signs_in(Client(), other)
