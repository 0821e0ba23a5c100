"""A passkey in a real browser with a made-up finger: added, used to sign in, taken away."""

import re

import pytest
from allauth.mfa.models import Authenticator
from django.urls import reverse
from playwright.sync_api import Page, expect

from accounts.models import User
from tests.browser.conftest import check_page, seen, shot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

EMAIL, PASSWORD = "lan@club.example", "mot-hai-ba-bon"


def give_finger(page: Page) -> None:
    """A device that knows passkeys and always recognises its owner."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "internal",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
                "automaticPresenceSimulation": True,
            }
        },
    )


def sign_in(page: Page) -> None:
    page.goto(reverse("account_login"))
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def sign_out(page: Page) -> None:
    page.context.clear_cookies()


def test_a_passkey_is_added_used_and_taken_away(page):
    user = User.objects.create_user(EMAIL, PASSWORD)
    give_finger(page)
    sign_in(page)
    page.goto(reverse("me"))
    seen(page, "me")
    page.goto(reverse("account"))
    check_page(page)
    page.get_by_role("link", name="Two-factor authentication").click()
    seen(page, "second-factor")

    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_label("Password").fill(PASSWORD)
    shot(page, "confirm-access")
    page.get_by_role("button", name="Confirm").click()
    seen(page, "add-passkey")
    page.get_by_label("Name (optional)").fill("my phone")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    seen(page, "recovery-codes")
    page.goto(reverse("mfa_list_webauthn"))
    check_page(page)
    expect(page.get_by_text("without the password")).to_be_visible()
    shot(page, "passkeys")

    sign_out(page)
    page.goto(reverse("account_login"))
    seen(page, "login")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page).to_have_url(re.compile(r"\d/$"))

    sign_out(page)
    sign_in(page)
    expect(page.get_by_role("heading", name="Two-factor authentication")).to_be_visible()
    seen(page, "authenticate")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page).to_have_url(re.compile(r"\d/$"))

    page.goto(reverse("mfa_list_webauthn"))
    page.get_by_role("link", name="Remove my phone").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.get_by_text("You have no passkey.")).to_be_visible()
    assert not Authenticator.objects.filter(user=user).exists()


def test_the_app_is_set_up_with_its_picture(page):
    User.objects.create_user(EMAIL, PASSWORD)
    sign_in(page)
    page.goto(reverse("mfa_activate_totp"))
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    picture = page.get_by_alt_text("QR code for your authenticator app")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.naturalWidth") > 0
    seen(page, "totp")


def test_who_refuses_the_browsers_question_is_told_what_to_do(page):
    User.objects.create_user(EMAIL, PASSWORD)
    page.add_init_script(
        "navigator.credentials.get ="
        " () => Promise.reject(new DOMException('no', 'NotAllowedError'))"
    )
    page.goto(reverse("account_login"))
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert")).to_have_text(
        "That did not work. Try again, or choose another way."
    )
    check_page(page)
