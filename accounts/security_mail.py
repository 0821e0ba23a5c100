"""Emails telling people what was done to their account's security: rows first, then a worker."""

from __future__ import annotations

import datetime
import logging
import smtplib
import time

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

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
    """
    sent, until = 0, time.monotonic() + WORKS
    while time.monotonic() < until and (mail := _claimed()):
        try:
            _message(mail).send()
        except (OSError, smtplib.SMTPException) as error:
            log.warning("An email about an account was not sent: %s.", type(error).__name__)
            if timezone.now() - mail.event.at < PATIENCE:
                continue
        except ValueError:
            log.warning("An email about an account has an odd address.")
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


def _message(mail: SecurityMail) -> EmailMessage:
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
            lines += ["", settings.SITE_ADDRESS.rstrip("/") + reverse("accounts:security")]
        subject = _("Your account: %(what)s") % {"what": what}
    return EmailMessage(
        subject=subject,
        body="\n".join(lines),
        to=[mail.to],
        headers={
            "Message-ID": f"<security-{event.pk}@tien-len>",
            "Auto-Submitted": "auto-generated",
        },
    )
