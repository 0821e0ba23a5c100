"""The log of what happened to an account's security: written, read, never changed, forgotten."""

from smtplib import SMTPRecipientsRefused
from unittest.mock import Mock

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import security_log, security_mail, smtp
from accounts.models import SecurityEvent, SecurityMail, User
from league.me.acts import retention
from tests.factories import browser_of, make_club, make_member, make_user, owner_of, sign_in
from tests.league.news.mailbox import mailbox

pytestmark = pytest.mark.django_db


def kinds(user: User) -> list[str]:
    return list(user.security_events.order_by("pk").values_list("kind", flat=True))


def test_signing_in_and_failing_to_is_written_down_with_the_network():
    user = make_user()
    form = {"login": user.email.upper(), "password": "wrong-word"}
    Client(REMOTE_ADDR="192.0.2.7").post(reverse("account_login"), form)
    client = sign_in(user)
    client.post(reverse("account_login"), form | {"login": "nobody@club.example"})
    assert kinds(user) == ["failed", "signed_in"]
    assert SecurityEvent.objects.earliest("pk").address == "192.0.2.0/24"
    page = client.get(reverse("accounts:security")).content.decode()
    assert "failed to sign in" in page
    assert "192.0.2.0/24" in page
    assert "192.0.2.7" not in page


def test_passwords_tokens_and_roles_are_written_down():
    club, user = make_club(), make_user()
    client = sign_in(user)
    client.post(reverse("api:tokens"), {"name": "x", "scopes": ["read"], "days": "30"})
    client.post(reverse("api:token_revoke", args=[user.api_tokens.get().pk]))
    by = sign_in(owner_of(club))
    members = reverse("league:members", args=[club.slug])
    by.post(members, {"email": user.email, "role": "scorer"})
    client.post(reverse("offer_answer", args=[club.role_offers.get().pk]), {"act": "accept"})
    member = club.memberships.get(user=user)
    by.post(reverse("league:member_remove", args=[club.slug, member.pk]))
    form = {"oldpassword": "s3cret-word"} | dict.fromkeys(
        ("password1", "password2"), "mot-hai-ba-b"
    )
    client.post(reverse("account_change_password"), form)
    assert kinds(user) == [
        "signed_in", "token_made", "token_revoked", "role_taken", "role_ended", "password",
    ]  # fmt: skip
    assert user.security_events.get(kind="role_ended").by == owner_of(club)


def test_what_the_owner_of_the_installation_does_asks_for_the_password_and_is_told():
    person = make_user()
    owner = User.objects.create_superuser("owner@club.example", "s3cret-word")
    stale = browser_of(owner)
    before = kinds(person)
    paths = [
        reverse(name, args=[person.pk])
        for name in ("accounts:second_factor", "accounts:password_link", "erase_person")
    ]
    for path in paths:
        answer = stale.post(path, {"email": person.email})
        assert answer["Location"].startswith(reverse("account_reauthenticate"))
    assert kinds(person) == before
    client = sign_in(owner)
    for path in paths:
        client.post(path, {"email": person.email})
    assert kinds(person)[len(before) :] == ["factor_removed", "password_link", "erased"]
    assert {event.by for event in person.security_events.all()} == {owner}


def test_the_log_only_grows_until_it_is_90_days_old():
    user = make_user()
    security_log.note(security_log.Kind.PASSWORD, user)
    for change in (
        lambda: SecurityEvent.objects.update(kind="failed"),
        lambda: SecurityEvent.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError, match="only grows"), transaction.atomic():
            change()
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO accounts_securityevent (user_id, kind, address, at)"
            " VALUES (%s, 'failed', '', now() - interval '91 days')",
            [user.pk],
        )
    assert retention.forget(timezone.now())["accounts.SecurityEvent"] == 1
    assert kinds(user) == ["password"]


def test_nobody_reads_the_log_of_another():
    club = make_club()
    user, other = make_member(club, "player"), make_user()
    security_log.note(security_log.Kind.PASSWORD, other)
    page = sign_in(user).get(reverse("accounts:security")).content.decode()
    assert "new password" not in page


def test_the_person_gets_an_email_about_it_once_and_until_it_is_sent(settings, monkeypatch):
    settings.HAS_MAIL, settings.SITE_ADDRESS = True, "https://club.example"
    person, unconfirmed = make_user(), make_user()
    EmailAddress.objects.create(user=person, email=person.email, primary=True, verified=True)
    EmailAddress.objects.create(user=unconfirmed, email=unconfirmed.email, primary=True)
    owner = User.objects.create_superuser("owner@club.example", "s3cret-word")
    client = sign_in(owner)
    for name in ("accounts:second_factor", "accounts:password_link", "erase_person"):
        for who in (person, unconfirmed):
            path = reverse(name, args=[who.pk])
            client.post(path, {"email": who.email}, headers={"accept-language": "vi"})
    broken = "django.core.mail.message.EmailMessage.send"
    with monkeypatch.context() as down:
        refused = Mock(side_effect=ConnectionRefusedError)
        down.setattr(broken, refused)
        assert (security_mail.send_due(), refused.call_count) == (0, 1)  # The others wait.
    assert SecurityMail.objects.filter(due_at__gt=timezone.now()).count() == 1
    assert security_mail.send_due() == 2
    SecurityMail.objects.update(due_at=timezone.now())
    assert security_mail.send_due() == 1
    assert security_mail.send_due() == 0
    assert not SecurityMail.objects.exists()
    link, erased, first = mail.outbox  # What failed has waited and comes last.
    assert {address for one in mail.outbox for address in one.to} == {person.email}
    assert "owner@club.example" in first.body
    assert link.subject == "Tài khoản của bạn: tạo liên kết đặt mật khẩu"
    assert "https://club.example/people/me/security/" in link.body
    assert "/people/me/" not in erased.body
    assert "token=" not in link.body
    client.post(reverse("accounts:password_link", args=[unconfirmed.pk]))
    security_mail.queue(SecurityEvent.objects.latest("pk"), "gone@club.example")
    nobody = SMTPRecipientsRefused({"gone@club.example": (550, b"no such mailbox")})
    monkeypatch.setattr(broken, Mock(side_effect=nobody))
    assert security_mail.send_due() == 0
    assert SecurityMail.objects.get().outcome == "refused"  # It would be refused all day.


@pytest.mark.parametrize(
    ("after_data", "seconds", "arrives", "waits"),
    [
        ("250 taken", 0.6, 1, 0),  # Longer than any other answer may take.
        ("", 0, 1, 0),
        ("250 taken", 3, 1, 0),
        ("451 greylisted", 0, 1, 1),
        ("550 no", 0, 1, 0),
    ],
)
def test_a_mail_that_was_perhaps_taken_is_not_sent_again(
    settings, monkeypatch, caplog, after_data, seconds, arrives, waits
):
    """A server that said yes after 12 s got up to 288 copies."""
    settings.HAS_MAIL, settings.SITE_ADDRESS = True, "https://club.example"
    settings.EMAIL_BACKEND, settings.EMAIL_TIMEOUT = "accounts.smtp.Backend", 0.4
    settings.EMAIL_HOST, settings.EMAIL_USE_TLS, settings.EMAIL_USE_SSL = "127.0.0.1", False, False
    monkeypatch.setattr(smtp, "PATIENCE", 1.5)
    person = make_user()
    with mailbox() as server:
        settings.EMAIL_PORT = server.port
        server.after_data, server.seconds = after_data, seconds
        security_log.note(security_log.Kind.PASSWORD, person, to=person.email)
        is_told = security_mail.send_due()
        assert is_told == (after_data == "250 taken" and seconds < 1.5)
        SecurityMail.objects.update(due_at=timezone.now())
        assert SecurityMail.objects.filter(outcome="").count() == waits
        if not waits:
            security_mail.send_due()
        assert len(server.got) == arrives
        ((_to, got),) = server.got
    assert got["Message-ID"].endswith("@club.example>")
    perhaps = "An email about an account was not sent: perhaps sent"
    assert (perhaps in caplog.text) == (after_data == "" or seconds > 1.5)


def test_message_ids_are_the_servers_own(settings):
    """Two servers both sent `<security-1@tien-len>`, and one of the mails was never shown."""
    settings.HAS_MAIL = True
    person = make_user()
    for _time in range(2):
        security_log.note(security_log.Kind.PASSWORD, person, to=person.email)
    security_mail.send_due()
    assert len({one.extra_headers["Message-ID"] for one in mail.outbox}) == 2
