"""Accounts without a mail server: links that set a password, once."""

import re
from io import StringIO

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection
from django.urls import reverse

from accounts import security_mail, services
from accounts.models import SecurityMail, User
from launcher import upgrade
from launcher.locations import Locations, locations
from league.models import Channel
from tests.factories import make_user, sign_in

pytestmark = pytest.mark.django_db


def open_link(client, path):
    """The page to which a link leads, after it has put its token into the session."""
    return client.get(path, follow=True)


def test_an_email_belongs_to_one_account_in_any_case_of_letters():
    User.objects.create_user("lan@club.example", "x")
    with pytest.raises(IntegrityError):
        User.objects.create(email="LAN@club.example")


def test_a_password_link_works_once(client):
    user = User.objects.create_user("lan@club.example", "forgotten-word")
    path = services.password_link(user=user)
    page = open_link(client, path)
    form = {"password1": "mot-hai-ba-bon", "password2": "mot-hai-ba-bon"}
    assert client.post(page.request["PATH_INFO"], form).status_code == 302
    user.refresh_from_db()
    assert user.check_password("mot-hai-ba-bon")
    client.logout()
    again = open_link(client, path)
    assert "This reset link no longer works" in again.content.decode()


def test_the_owner_of_the_installation_makes_links_for_others():
    User.objects.create_user("lan@club.example", "x")
    client = sign_in(User.objects.create_superuser("owner@club.example", "x"), "x")
    person = User.objects.get(email="lan@club.example")
    page = client.post(reverse("accounts:password_link", args=[person.pk]))
    assert "/accounts/password/reset/key/" in page.content.decode()


def test_an_owner_who_has_nothing_but_the_printed_lines_is_signed_in_and_comes_back(client):
    out = StringIO()
    call_command("owner_link", "--address", "http://testserver/", stdout=out)
    link, told = out.getvalue().splitlines()
    page = open_link(client, link.removeprefix("http://testserver"))
    email = page.context["form"]["email"].value()
    assert (told, email in page.content.decode()) == (f"The owner signs in as {email}.", True)
    form = {"password1": "mot-hai-ba-bon", "password2": "mot-hai-ba-bon", "email": "x@y.example"}
    first = client.post(page.request["PATH_INFO"], form, follow=True)
    assert (first.context["user"].email, first.context["user"].is_superuser) == (email, True)
    assert [str(told) for told in first.context["messages"]] == [
        "Password changed.", f"Signed in as {email}.",
    ]  # fmt: skip
    client.logout()
    again = client.post("/accounts/login/", {"login": email, "password": "mot-hai-ba-bon"})
    assert (again.status_code, again["Location"]) == (302, "/")
    call_command("owner_link", stdout=StringIO())
    assert User.objects.filter(is_superuser=True).count() == 1


def test_where_mail_works_the_owner_s_link_asks_for_an_address(client, settings):
    """An owner without a mailbox heard no alarm."""
    settings.HAS_MAIL, settings.SITE_ADDRESS = True, "http://testserver"
    make_user("lan@club.example")
    out, unheard = StringIO(), StringIO()
    call_command("owner_link", stdout=out)
    link, told = out.getvalue().splitlines()
    assert told == "It asks for the owner's email: alarms of this server go there."
    page = open_link(client, link.removeprefix("http://testserver"))
    form = {"password1": "mot-hai-ba-bon", "password2": "mot-hai-ba-bon"}
    for email, says in (("", "required"), ("Lan@club.example", "already registered")):
        wrong = client.post(page.request["PATH_INFO"], form | {"email": email})
        assert says in wrong.content.decode()
    client.post(page.request["PATH_INFO"], form | {"email": "Chu@club.example"})
    owner = User.objects.get(is_superuser=True)
    assert (owner.email, owner.check_password("mot-hai-ba-bon")) == ("chu@club.example", True)
    call_command("warn_unheard", stdout=unheard)
    assert "Alarms of this server reach nobody" in unheard.getvalue()
    security_mail.send_due()
    (sent,) = mail.outbox
    assert sent.to == ["chu@club.example"]
    (confirm,) = re.findall(r"http://testserver(/accounts/confirm-email/\S+)", sent.body)
    client.post(confirm)
    heard = StringIO()
    call_command("warn_unheard", stdout=heard)
    assert heard.getvalue() == ""


def test_the_owner_s_link_confirms_an_address_that_was_given(client, settings):
    """It confirmed nothing: alarms reached nobody, whatever address stood there."""
    settings.HAS_MAIL, settings.SITE_ADDRESS = True, "http://testserver"
    out, heard = StringIO(), StringIO()
    call_command("owner_link", "--email", "Chu@club.example", stdout=out)
    page = open_link(client, out.getvalue().split()[0].removeprefix("http://testserver"))
    form = {"password1": "mot-hai-ba-bon", "password2": "mot-hai-ba-bon"}
    client.post(page.request["PATH_INFO"], form)
    security_mail.send_due()
    (sent,) = mail.outbox
    (confirm,) = re.findall(r"http://testserver(/accounts/confirm-email/\S+)", sent.body)
    client.post(confirm)
    call_command("warn_unheard", stdout=heard)
    assert heard.getvalue() == ""
    call_command("owner_link", "--email", "Chu@club.example", stdout=out)
    page = open_link(client, out.getvalue().split()[-7].removeprefix("http://testserver"))
    assert client.post(page.request["PATH_INFO"], form).status_code == 302
    assert not SecurityMail.objects.filter(kind="confirm").exists(), "it is confirmed"


@pytest.mark.django_db(transaction=True)
def test_each_start_of_the_containers_says_that_alarms_reach_nobody(settings, monkeypatch, capfd):
    """`script/server` alone said so: Docker Compose starts by `upgrade`."""
    monkeypatch.setattr(upgrade, "_is_up_to_date", lambda places: True)
    manage, ran = upgrade._manage, []

    def warn(places: Locations, *command: str) -> None:
        ran.append(command)
        if command == ("warn_unheard",):
            manage(places, *command)

    monkeypatch.setattr(upgrade, "_manage", warn)
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "tests.settings")
    monkeypatch.setenv("TEST_DATABASE", str(connection.settings_dict["NAME"]))
    monkeypatch.setenv("EMAIL_URL", "smtp://127.0.0.1:1")
    owner = make_user("chu@club.example", is_superuser=True)
    upgrade.upgrade(locations(settings.DATA_DIR), {})
    assert "Alarms of this server reach nobody" in capfd.readouterr().out
    assert ran == [("forget_again",), ("warn_unheard",)]
    Channel.objects.create(user=owner, kind=Channel.Kind.TELEGRAM, address="1", lane="telegram")
    upgrade.upgrade(locations(settings.DATA_DIR), {})
    assert capfd.readouterr().out == ""


def test_owner_link_does_not_give_somebody_else_s_account_for_the_owner_s():
    User.objects.create_user("Lan@club.example", "giấy-bút-mực-kéo")
    with pytest.raises(CommandError, match="somebody else's"):
        call_command("owner_link", "--email", "LAN@club.example")
    assert not User.objects.filter(is_superuser=True).exists()


def test_password_link_for_nobody_says_so():
    with pytest.raises(CommandError, match="No account has the email nobody@"):
        call_command("password_link", "nobody@club.example")


def test_sign_up_and_sign_in_by_email(client):
    form = {"email": "mai@club.example", "password1": "mot-hai-ba-bon"}
    assert client.post("/accounts/signup/", form)["Location"] == "/"
    client.logout()
    form = {"login": "MAI@club.example", "password": "mot-hai-ba-bon"}
    assert client.post("/accounts/login/", form)["Location"] == "/"


def test_pages_of_allauth_wear_the_house(client):
    client.force_login(User.objects.create_user("mai@club.example", "x"))
    for name in ("account_email", "account_change_password", "account_logout"):
        assert 'class="frame"' in client.get(reverse(name)).content.decode()


def test_without_a_mail_server_the_reset_page_says_who_helps(client):
    page = client.get(reverse("account_reset_password")).content.decode()
    assert "This server can't send email." in page
