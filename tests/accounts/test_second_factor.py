"""The second factor: an app's codes, recovery codes, and help for who has lost both."""

import json

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from accounts import second_factor, services
from accounts.models import User
from tests.factories import sign_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("empty_cache")]

EMAIL, PASSWORD = "lan@club.example", "mot-hai-ba-bon"
SIGN_IN = {"login": EMAIL, "password": PASSWORD}


@pytest.fixture(autouse=True)
def one_code(time_machine):
    """One code of an app all through a test, which a step of 30 seconds would else end."""
    time_machine.move_to("2026-11-20T13:00:05+00:00", tick=False)


@pytest.fixture
def user() -> User:
    return User.objects.create_user(EMAIL, PASSWORD)


@pytest.fixture
def signed_in(client, user) -> Client:
    """A browser in which the password was typed a moment ago, and once more for what follows."""
    assert client.post("/accounts/login/", SIGN_IN)["Location"] == "/"
    refused = client.get(reverse("mfa_activate_totp"))
    assert refused["Location"].startswith(reverse("account_reauthenticate"))
    client.post(refused["Location"], {"password": PASSWORD})
    return client


def code_of(secret: str) -> str:
    """What an app with this secret shows now."""
    counter = next(totp.yield_hotp_counters_from_time())
    return totp.format_hotp_value(totp.hotp_value(secret, counter))


def switch_on(client: Client) -> str:
    """Sets up an app as the page asks for it; returns the app's secret."""
    page = client.get(reverse("mfa_activate_totp"))
    secret = page.context["form"].secret
    answer = client.post(reverse("mfa_activate_totp"), {"code": code_of(secret)})
    assert answer["Location"] == reverse("mfa_view_recovery_codes")
    cache.clear()  # The code just used may be used once more below, as the next one would be.
    return str(secret)


def is_signed_in(client: Client) -> bool:
    return client.get(reverse("me")).status_code == 200


def test_the_code_of_the_app_is_asked_for_after_the_password(signed_in):
    secret = switch_on(signed_in)
    other = Client()
    assert other.post("/accounts/login/", SIGN_IN)["Location"] == reverse("mfa_authenticate")
    assert not is_signed_in(other)
    assert other.post(reverse("mfa_authenticate"), {"code": "000000"}).status_code == 200
    assert not is_signed_in(other)
    answer = other.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert answer["Location"] == "/"
    assert is_signed_in(other)


def test_a_code_of_the_app_works_once(signed_in):
    secret = switch_on(signed_in)
    code = code_of(secret)
    first, second = Client(), Client()
    for client in (first, second):
        client.post("/accounts/login/", SIGN_IN)
        client.post(reverse("mfa_authenticate"), {"code": code})
    assert (is_signed_in(first), is_signed_in(second)) == (True, False)


def test_a_recovery_code_works_once(signed_in, user):
    switch_on(signed_in)
    codes = signed_in.get(reverse("mfa_view_recovery_codes")).context["unused_codes"]
    assert len(codes) == 10
    found = []
    for _time in range(2):
        client = Client()
        client.post("/accounts/login/", SIGN_IN)
        client.post(reverse("mfa_authenticate"), {"code": codes[0]})
        found.append(is_signed_in(client))
    assert found == [True, False]


def test_the_page_that_asks_who_it_is_says_why(signed_in):
    switch_on(signed_in)
    page = signed_in.get(reverse("account_reauthenticate")).content.decode()
    assert "The next step is yours alone." in page
    assert page.count('type="password"') == 1
    code = reverse("mfa_reauthenticate")
    assert f'href="{code}' in page
    assert "The next step is yours alone." in signed_in.get(code).content.decode()


def test_codes_cannot_be_tried_for_long(signed_in):
    secret = switch_on(signed_in)
    client = Client()
    client.post("/accounts/login/", SIGN_IN)
    for number in range(10):
        client.post(reverse("mfa_authenticate"), {"code": f"{number:06}"})
    page = client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert "Too many failed login attempts" in page.content.decode()
    assert not is_signed_in(client)


def test_the_app_is_taken_away_again(signed_in, user):
    switch_on(signed_in)
    assert signed_in.get(reverse("mfa_deactivate_totp")).status_code == 200
    signed_in.post(reverse("mfa_deactivate_totp"))
    assert not Authenticator.objects.filter(user=user).exists()
    assert Client().post("/accounts/login/", SIGN_IN)["Location"] == "/"


def test_the_owner_helps_who_lost_phone_and_codes(signed_in, user):
    switch_on(signed_in)
    owner = sign_in(User.objects.create_superuser("owner@club.example", "x"), "x")
    page = owner.get(reverse("accounts:person", args=[user.pk]))
    assert "Turn off two-factor authentication" in page.content.decode()
    off = owner.post(reverse("accounts:second_factor", args=[user.pk]), follow=True)
    assert f"{user.name or user.email} now signs in with the password" in off.content.decode()
    assert Client().post("/accounts/login/", SIGN_IN)["Location"] == "/"


def test_on_the_machine_a_command_does_the_same(signed_in, user, capsys):
    switch_on(signed_in)
    call_command("second_factor_off", EMAIL.upper())
    call_command("second_factor_off", EMAIL)
    assert capsys.readouterr().out == "Two-factor authentication is off.\nIt had none.\n"
    with pytest.raises(CommandError, match="No account has the email"):
        call_command("second_factor_off", "nobody@club.example")


def test_a_password_link_does_not_lead_round_the_second_factor(signed_in, user):
    switch_on(signed_in)
    client = Client()
    user.refresh_from_db()
    page = client.get(services.password_link(user=user), follow=True)
    form = {"password1": "nam-sau-bay-tam", "password2": "nam-sau-bay-tam"}
    assert client.post(page.request["PATH_INFO"], form).status_code == 302
    assert not is_signed_in(client)
    answer = client.post("/accounts/login/", {"login": EMAIL, "password": "nam-sau-bay-tam"})
    assert answer["Location"] == reverse("mfa_authenticate")


def test_the_database_alone_makes_no_codes(signed_in, user, settings):
    secret = switch_on(signed_in)
    kept = Authenticator.objects.get(user=user, type="totp")
    assert secret not in json.dumps(kept.data)
    recovery = Authenticator.objects.get(user=user, type="recovery_codes")
    codes = RecoveryCodes(recovery).generate_codes()
    settings.SECRET_KEY = "another key, as on another machine"
    assert RecoveryCodes(recovery).generate_codes() != codes
    assert not totp.TOTP(kept).validate_code(code_of(secret))
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    assert second_factor.Adapter().decrypt("no token at all") != "no token at all"


@pytest.mark.parametrize(
    ("host", "secure", "offered"),
    [
        ("localhost:8000", False, True),
        ("localhost", True, True),
        ("127.0.0.1:8000", False, False),
        ("testserver", False, False),
        ("testserver", True, True),
    ],
)
def test_a_passkey_is_offered_where_browsers_know_one(client, host, secure, offered):
    page = client.get("/accounts/login/", headers={"host": host}, secure=secure)
    assert ("Sign in with a passkey" in page.content.decode()) is offered


@pytest.mark.parametrize(
    "credential", ["", "x", "{}", "[]", "null", '{"id": 1}', '"\\u0000"', "9" * 5_000, "[" * 9_000]
)
def test_nonsense_is_no_passkey(signed_in, credential):
    sent = {"credential": credential, "name": "x"}
    assert signed_in.post(reverse("mfa_add_webauthn"), sent).status_code == 200
    answer = Client().post(reverse("mfa_login_webauthn"), sent)
    assert answer.status_code == 302
    assert Authenticator.objects.count() == 0


def test_the_pages_speak_vietnamese(signed_in):
    signed_in.cookies["django_language"] = "vi"
    for name in ("mfa_index", "mfa_activate_totp", "me"):
        assert 'lang="vi"' in signed_in.get(reverse(name)).content.decode()
    assert "Xác thực hai lớp" in signed_in.get(reverse("mfa_index")).content.decode()
