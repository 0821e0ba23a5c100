"""Emails about security events of accounts, stored as rows and sent by a worker."""

import datetime
import logging
import time
import uuid

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.mail import NotSent, at, send
from accounts.models import SecurityEvent, SecurityMail, User

log = logging.getLogger(__name__)

Kind = SecurityEvent.Kind
OF_CLUBS = {
    Kind.ROLE_TAKEN,
    Kind.ROLE_LOWERED,
    Kind.ROLE_ENDED,
    Kind.LINKED,
    Kind.UNLINKED,
    Kind.ASKED,
}
TOLD = OF_CLUBS | {
    Kind.PASSWORD,
    Kind.PASSWORD_LINK,
    Kind.FACTOR_ADDED,
    Kind.FACTOR_REMOVED,
    Kind.TOKEN_MADE,
    Kind.PAID_TO,
    Kind.ERASED,
}
AGAIN = datetime.timedelta(minutes=5)
"""Delay before the next attempt, also after a worker was killed."""
PATIENCE = datetime.timedelta(days=1)
WORKS = 20.0
"""Most seconds of one run, plus the last message's own time limit."""


def address_of(user: User) -> str:
    """Return the account's confirmed primary email; "" without one or a mail server."""
    if not settings.HAS_MAIL:
        return ""
    found = EmailAddress.objects.filter(user=user, verified=True, primary=True)
    return found.values_list("email", flat=True).first() or ""


def queue(event: SecurityEvent, to: str) -> None:
    """Store an email about the event to that address, in the current language."""
    if to:
        language = translation.get_language() or settings.LANGUAGE_CODE
        SecurityMail.objects.create(event=event, to=to, language=language)


def send_due() -> int:
    """Send the due messages and return their number.

    A failed message is retried every five minutes for a day; the account's log has its event. An
    unreachable mail server ends the run: the other messages would wait as long.
    """
    sent, until = 0, time.monotonic() + WORKS
    while time.monotonic() < until and (mail := _claimed()):
        try:
            _send(mail)
        except NotSent as error:
            log.warning("An email about an account was not sent: %s.", error)
            if error.for_good or timezone.now() - mail.event.at >= PATIENCE:
                mail.delete()
            if error.server:
                break
        else:
            sent += 1
            mail.delete()
    return sent


@transaction.atomic
def _claimed() -> SecurityMail | None:
    """Return a due message, leased from other workers for `AGAIN`, or None."""
    due = SecurityMail.objects.filter(due_at__lte=timezone.now())
    mail = due.select_for_update(skip_locked=True, of=["self"]).select_related("event__by").first()
    if mail is not None:
        mail.due_at = timezone.now() + AGAIN
        mail.save(update_fields=["due_at"])
    return mail


def _send(mail: SecurityMail) -> None:
    event = mail.event
    with translation.override(mail.language):
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
        subject = _("Your account: %(what)s") % {"what": what}
    send(mail.to, str(uuid.uuid4()), subject, lines)


def _of_club(event: SecurityEvent) -> list[str]:
    """Return the lines about a club; one that the account never joined is not named by email."""
    known = event.club if event.kind != Kind.ASKED else ""
    by = _("By %(name)s.") % {"name": event.by} if event.by is not None and known else ""
    told = _("Your clubs, their offers, and how to leave one:")
    return [*filter(None, (known, by)), told, "", at(reverse("account"))]
