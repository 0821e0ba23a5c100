"""The door by which news and security mails leave: who wrote one learns if a retry may help."""

from __future__ import annotations

import smtplib

from django.conf import settings
from django.core.mail import EmailMessage


class NotSent(Exception):
    """The email did not leave; `for_good` if it never will, `server` if no other would either."""

    def __init__(self, reason: str, *, for_good: bool = False, server: bool = True) -> None:
        super().__init__(reason)
        self.for_good, self.server = for_good, server


def send(
    to: str, ref: str, subject: str, lines: list[str], headers: dict[str, str] | None = None
) -> None:
    """Send one email; raises NotSent. By its `ref` a second copy is known as the first."""
    mail = EmailMessage(
        subject=" ".join(subject.split()),
        body="\n".join(lines),
        to=[to],
        headers={"Message-ID": f"<{ref}@tien-len>", "Auto-Submitted": "auto-generated"}
        | (headers or {}),
    )
    try:
        mail.send()
    except (smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError) as error:
        for_good = not _is_for_now(error)
        raise NotSent(type(error).__name__, for_good=for_good, server=False) from error
    except (OSError, smtplib.SMTPException) as error:
        raise NotSent(type(error).__name__) from error
    except ValueError as error:
        raise NotSent("an odd address", for_good=True, server=False) from error


def at(path: str) -> str:
    """Return the address of a page, as an email names it."""
    return settings.SITE_ADDRESS.rstrip("/") + path


def _is_for_now(error: smtplib.SMTPRecipientsRefused | smtplib.SMTPDataError) -> bool:
    """Tell whether the server would take the message later: greylisting, a full mailbox."""
    if isinstance(error, smtplib.SMTPDataError):
        return 400 <= error.smtp_code < 500
    codes = [code for code, _text in error.recipients.values()]
    return bool(codes) and all(400 <= code < 500 for code in codes)
