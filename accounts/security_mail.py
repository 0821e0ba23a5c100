"""Emails telling people what was done to their account's security: rows first, then a worker."""

from __future__ import annotations

import datetime
import logging
import time

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
TOLD = {
    Kind.PASSWORD,
    Kind.PASSWORD_LINK,
    Kind.FACTOR_ADDED,
    Kind.FACTOR_REMOVED,
    Kind.TOKEN_MADE,
    Kind.PAID_TO,
    Kind.ERASED,
}
AGAIN = datetime.timedelta(minutes=5)
"""Until a worker tries once more, also where the one before was killed."""
PATIENCE = datetime.timedelta(days=1)
WORKS = 20.0
"""Seconds that one turn takes at most, and the last message's own limit."""


def address_of(user: User) -> str:
    """Return where the person is told: the confirmed address, where mail works; else nothing."""
    if not settings.HAS_MAIL:
        return ""
    found = EmailAddress.objects.filter(user=user, verified=True, primary=True)
    return found.values_list("email", flat=True).first() or ""


def queue(event: SecurityEvent, to: str) -> None:
    """Let the event be told to that address, in the language of the page on which it happened."""
    if to:
        language = translation.get_language() or settings.LANGUAGE_CODE
        SecurityMail.objects.create(event=event, to=to, language=language)


def send_due() -> int:
    """Send what is due and return how many messages went.

    One that cannot be sent is tried every five minutes for a day; the log of the account has it.
    A mail server that is away ends the turn: the other messages would wait for it as long.
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
    """Return a message that is due, which nobody else takes for some minutes."""
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
        if event.by is not None:
            by = _("By the administrator of this server: %(name)s.") % {"name": event.by}
            lines += [by, _("If you did not ask for this, contact them.")]
        else:
            lines += [_("If this was not you, change your password and sign out everywhere:")]
        if event.kind != Kind.ERASED:
            lines += ["", at(reverse("accounts:security"))]
        subject = _("Your account: %(what)s") % {"what": what}
    send(mail.to, f"security-{event.pk}", subject, lines)
