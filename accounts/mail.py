"""Sending of news and security emails; the error says whether a retry may help."""

import smtplib
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage

from accounts.smtp import PerhapsSent


class NotSent(Exception):
    """A failed email; `for_good`: a retry cannot help, `server`: other emails would fail too."""

    def __init__(self, reason: str, *, for_good: bool = False, server: bool = True) -> None:
        super().__init__(reason)
        self.for_good, self.server = for_good, server


def send(
    to: str, ref: str, subject: str, lines: list[str], headers: dict[str, str] | None = None
) -> None:
    """Send one email at most once; raises NotSent. `ref` is its own among all servers' messages."""
    host = urlsplit(settings.SITE_ADDRESS).hostname or "localhost"
    mail = EmailMessage(
        subject=" ".join(subject.split()),
        body="\n".join(lines),
        to=[to],
        headers={"Message-ID": f"<{ref}@{host}>", "Auto-Submitted": "auto-generated"}
        | (headers or {}),
    )
    try:
        mail.send()
    except (smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError) as error:
        for_good = not _is_for_now(error)
        raise NotSent(type(error).__name__, for_good=for_good, server=False) from error
    except PerhapsSent as error:
        raise NotSent("perhaps sent: no answer to the whole mail", for_good=True) from error
    except (OSError, smtplib.SMTPException) as error:
        raise NotSent(type(error).__name__) from error
    except ValueError as error:
        raise NotSent("an odd address", for_good=True, server=False) from error


def at(path: str) -> str:
    """Return the full address of a page, for an email."""
    return settings.SITE_ADDRESS.rstrip("/") + path


def _is_for_now(error: smtplib.SMTPRecipientsRefused | smtplib.SMTPDataError) -> bool:
    """Return whether the refusal is temporary, such as greylisting or a full mailbox."""
    if isinstance(error, smtplib.SMTPDataError):
        return 400 <= error.smtp_code < 500
    codes = [code for code, _text in error.recipients.values()]
    return bool(codes) and all(400 <= code < 500 for code in codes)
