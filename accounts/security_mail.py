"""The outbox of account emails: links that confirm or reset, and what happened to an account.

A row is stored with its cause and sent by a worker, so that no page waits for a mail server. It
holds no link: links are made when the email is sent, and last three days from then.
"""

import datetime
import logging
import time
import uuid
from collections.abc import Callable

from allauth.account.internal.userkit import filter_users_by_email
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts import services
from accounts.mail import PERHAPS, SENT, NotSent, at, host, send
from accounts.models import SecurityEvent, SecurityMail, User

log = logging.getLogger(__name__)

Kind = SecurityEvent.Kind
About = SecurityMail.Kind
OF_CLUBS = {
    Kind.ROLE_TAKEN,
    Kind.ROLE_LOWERED,
    Kind.ROLE_ENDED,
    Kind.OWNER_ENDING,
    Kind.LINKED,
    Kind.UNLINKED,
    Kind.ASKED,
    Kind.CLUB_STOPPED,
    Kind.CLUB_ENDING,
}
TOLD = OF_CLUBS | {
    Kind.PASSWORD,
    Kind.PASSWORD_LINK,
    Kind.FACTOR_ADDED,
    Kind.FACTOR_REMOVED,
    Kind.TOKEN_MADE,
    Kind.PAID_TO,
    Kind.LOCKED,
    Kind.UNLOCKED,
    Kind.ERASED,
}
SOONEST, LATEST = datetime.timedelta(minutes=1), datetime.timedelta(minutes=15)
"""Delays before the next attempt: as long as the email has waited, within these."""
LEASE = datetime.timedelta(minutes=15)
"""Longer than an email may take (`smtp.PATIENCE`), its commands included."""
PATIENCE = datetime.timedelta(days=3)
KEPT = datetime.timedelta(days=30)
WORKS = 20.0
"""Most seconds of one run, plus the last message's own time limit."""

Text = tuple[str, list[str]]


def address_of(user: User) -> str:
    """Return the account's confirmed primary email; "" without one or a mail server."""
    if not settings.HAS_MAIL:
        return ""
    found = EmailAddress.objects.filter(user=user, verified=True, primary=True)
    return found.values_list("email", flat=True).first() or ""


def queue(event: SecurityEvent, to: str) -> None:
    """Store an email about the event to that address, in the current language."""
    if to:
        SecurityMail.objects.create(event=event, to=to, language=_language())


def ask(
    kind: str, to: str, user: User | None = None, *, may: Callable[[], object] = lambda: True
) -> None:
    """Store an email with a link if mail works and it `may` be; one that waits is due now instead.

    Without a user it is for an address that has no account, or must not show that it has one.
    """
    if settings.HAS_MAIL:
        same = Q(kind=kind, user=user)
        if kind == About.KNOWN:  # Of one who waits for their confirmation.
            same |= Q(kind=About.CONFIRM, user__isnull=False)
        waiting = SecurityMail.objects.filter(same, to=to, lease_until=None, outcome="")
        if not waiting.update(due_at=timezone.now()) and may():
            SecurityMail.objects.create(kind=kind, to=to, user=user, language=_language())


def _language() -> str:
    return translation.get_language() or settings.LANGUAGE_CODE


def send_due() -> int:
    """Send the due messages and return their number.

    A failed message is tried again for three days; then, or where a retry cannot help, the row says
    so and forgets the address. An unreachable mail server ends the run: the others would wait as
    long.
    """
    _settle_left()
    sent, until = 0, time.monotonic() + WORKS
    while time.monotonic() < until and (mail := _claimed()):
        try:
            is_sent = _send(mail)
        except NotSent as error:
            log.warning("An email about an account was not sent: %s.", error)
            if error.for_good or timezone.now() - mail.created_at >= PATIENCE:
                _settle(mail, str(error), error.answer)
            else:
                _wait(mail, error.answer)
            if error.server:
                break
        else:
            sent += is_sent
            if mail.kind == About.TEST:
                _settle(mail, SENT)
            else:
                mail.delete()
    return sent


def _settle_left() -> None:
    """Settle the messages of workers that ended while sending, and forget old outcomes."""
    now = timezone.now()
    for mail in SecurityMail.objects.filter(outcome="", lease_until__lte=now):
        _settle(mail, PERHAPS)
    SecurityMail.objects.exclude(outcome="").filter(created_at__lt=now - KEPT).delete()


def _settle(mail: SecurityMail, outcome: str, answer: str = "") -> None:
    if mail.event_id is None and mail.user_id is None:
        mail.delete()  # Nobody has this account.
        return
    own = SecurityMail.objects.filter(pk=mail.pk)
    own.update(outcome=outcome, answer=answer, to="", lease_until=None)


def _wait(mail: SecurityMail, answer: str) -> None:
    now = timezone.now()
    pause = min(max(now - mail.created_at, SOONEST), LATEST)
    own = SecurityMail.objects.filter(pk=mail.pk)
    own.update(lease_until=None, due_at=now + pause, answer=answer)


@transaction.atomic
def _claimed() -> SecurityMail | None:
    """Return a due message, leased from other workers for `LEASE`, or None."""
    now = timezone.now()
    due = SecurityMail.objects.filter(outcome="", lease_until=None, due_at__lte=now)
    of = due.select_for_update(skip_locked=True, of=["self"])
    mail = of.select_related("event__by", "user").first()
    if mail is not None:
        # Workers of 1.1 know no leases, but what is due.
        mail.due_at = mail.lease_until = now + LEASE
        mail.save(update_fields=["due_at", "lease_until"])
    return mail


def _send(mail: SecurityMail) -> bool:
    """Send the message, unless it has become pointless; return whether it was sent."""
    with translation.override(mail.language):
        text = _of_event(mail.event) if mail.event else _LINKS[mail.kind](mail)
    if text is not None:
        send(mail.to, str(uuid.uuid4()), *text)
    return text is not None


def _of_event(event: SecurityEvent) -> Text:
    what = event.get_kind_display()
    lines = [f"{date_format(event.at, 'SHORT_DATETIME_FORMAT')} UTC: {what}"]
    if event.kind in OF_CLUBS:
        lines += _of_club(event)
    elif event.by is not None:
        by = _("By the administrator of this server: %(name)s.") % {"name": event.by.email}
        lines += [by, _("If you did not ask for this, contact them.")]
    else:
        lines += [_("If this was not you, change your password and sign out everywhere:")]
    if event.kind != Kind.ERASED and event.kind not in OF_CLUBS:
        lines += ["", at(reverse("accounts:security"))]
    return _("Your account: %(what)s") % {"what": what}, lines


def _of_club(event: SecurityEvent) -> list[str]:
    """Return the lines about a club; one that the account never joined is not named by email."""
    known = event.club if event.kind != Kind.ASKED else ""
    by = _("By %(name)s.") % {"name": event.by} if event.by is not None and known else ""
    told = _("Your clubs, their offers, and how to leave one:")
    return [*filter(None, (known, by)), told, "", at(reverse("my_clubs"))]


def _confirm(mail: SecurityMail) -> Text | None:
    address = EmailAddress.objects.filter(user=mail.user, email=mail.to, verified=False).first()
    if address is None or mail.user is None or not mail.user.is_active:
        return None
    lines = [
        _("Open this link to confirm %(email)s. It works for 3 days:") % {"email": mail.to},
        "",
        at(reverse("account_confirm_email", args=[EmailConfirmationHMAC(address).key])),
        "",
        _("If you did not enter this address at %(site)s, do nothing.") % {"site": host()},
    ]
    return _("Confirm your email"), lines


def _reset(mail: SecurityMail) -> Text | None:
    user = mail.user
    if user is None or not user.is_active or user not in filter_users_by_email(mail.to):
        return None
    lines = [
        _("Open this link to choose a new password. It works once, for 3 days:"),
        "",
        at(services.password_link(user=user)),
        "",
        _("If you did not ask for it, do nothing: your password stays."),
    ]
    return _("A new password"), lines


def _known(mail: SecurityMail) -> Text:
    lines = [
        _("You already have an account at %(site)s with this email.") % {"site": host()},
        _("Sign in with your password. If you forgot it, or never confirmed the email:"),
        "",
        at(reverse("account_reset_password")),
        "",
        _("If you did not sign up again, do nothing."),
    ]
    return _("You already have an account"), lines


def _unknown(mail: SecurityMail) -> Text:
    lines = [
        _("Someone asked for a new password at %(site)s with this email.") % {"site": host()},
        _("It has no account there. Sign up, or try another email:"),
        "",
        at(reverse("account_signup")),
        "",
        _("If it was not you, do nothing."),
    ]
    return _("No account has this email"), lines


def _test(mail: SecurityMail) -> Text:
    return _("Test"), [_("This server can send email.")]


_LINKS: dict[str, Callable[[SecurityMail], Text | None]] = {
    About.CONFIRM: _confirm,
    About.RESET: _reset,
    About.KNOWN: _known,
    About.UNKNOWN: _unknown,
    About.TEST: _test,
}
