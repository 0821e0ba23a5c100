"""Sending of news and account emails; the error says whether a retry may help."""

import smtplib
from email.utils import formataddr
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import Q
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.smtp import PerhapsSent

PRODUCT = "Tiến Lên League"
REFUSED, PERHAPS, SENT = "refused", "perhaps sent", "sent"
"""The address does not exist, by its mail server; the server has the mail and said nothing."""
REASONS: dict[str, Promise] = {
    REFUSED: _("The mail server refuses this address."),
    PERHAPS: _("Perhaps sent: the mail server took it without an answer. It is not repeated."),
    "unreachable": _("The mail server can't be reached."),
    "not taken": _("The mail server did not take it."),
    "odd address": _("This is not an email address."),
    SENT: _("The mail server took it."),
}


UNKNOWN = {550, 551, 553}
"""Codes for an address that does not exist; others are of a mailbox, of the sender or of rules."""
_POLICY = b"5.7."
"""The enhanced code of rules (RFC 3463): who writes is not welcome, whoever reads."""


class NotSent(Exception):
    """A failed email; `for_good`: a retry cannot help, `server`: other emails would fail too.

    Its text is a key of `REASONS`.
    """

    def __init__(self, reason: str, *, for_good: bool = False, server: bool = True) -> None:
        super().__init__(reason)
        self.for_good, self.server = for_good, server

    @property
    def answer(self) -> str:
        """The mail server's words, or what stood in for them."""
        said: tuple[Any, Any] = (type(self.__cause__).__name__, self.__cause__)
        if isinstance(self.__cause__, smtplib.SMTPRecipientsRefused):
            said = next(iter(self.__cause__.recipients.values()), said)
        elif isinstance(self.__cause__, smtplib.SMTPResponseException):
            said = self.__cause__.smtp_code, self.__cause__.smtp_error
        words = said[1].decode(errors="replace") if isinstance(said[1], bytes) else said[1]
        return " ".join(f"{said[0]} {words}".replace("\0", "").split())[:200]


def send(
    to: str,
    ref: str,
    subject: str,
    lines: list[str],
    *,
    of: str = "",
    part: str = "accounts",
    headers: dict[str, str] | None = None,
) -> None:
    """Send one email at most once; raises NotSent. `ref` is its own among all servers' messages.

    It ends with the club `of` which it is, if any, and the site; `part` names both for programs
    that sort mail. An account whose address is refused is told so on its own pages.
    """
    site = host()
    sender = " · ".join(filter(None, (of, f"{PRODUCT} ({site})")))
    listed = formataddr((of or PRODUCT, f"{part}.{site}")).replace("\n", " ")
    mail = EmailMessage(
        subject=" ".join(subject.split()),
        body="\n".join([*lines, "", "-- ", sender]),
        to=[to],
        headers={
            "Message-ID": f"<{ref}@{site}>",
            "Auto-Submitted": "auto-generated",
            "List-Id": listed,
        }
        | (headers or {}),
    )
    try:
        mail.send()
    except smtplib.SMTPRecipientsRefused as error:
        code, words = next(iter(error.recipients.values()), (0, b""))
        if code not in UNKNOWN or words.startswith(_POLICY):
            raise NotSent("not taken", for_good=code >= 500, server=False) from error
        _holders(to).update(mail_refused_at=timezone.now(), mail_refused=to)
        raise NotSent(REFUSED, for_good=True, server=False) from error
    except smtplib.SMTPDataError as error:
        for_good = not 400 <= error.smtp_code < 500
        raise NotSent("not taken", for_good=for_good, server=False) from error
    except PerhapsSent as error:
        raise NotSent(PERHAPS, for_good=True, server=False) from error
    except (OSError, smtplib.SMTPException) as error:
        reason = "not taken" if isinstance(error, smtplib.SMTPResponseException) else "unreachable"
        raise NotSent(reason) from error
    except ValueError as error:
        raise NotSent("odd address", for_good=True, server=False) from error
    told = _holders(to).filter(Q(mail_refused=to) | Q(mail_refused="", email=to))
    told.exclude(mail_refused_at=None).update(mail_refused_at=None, mail_refused="")


def at(path: str) -> str:
    """Return the full address of a page, for an email."""
    return settings.SITE_ADDRESS.rstrip("/") + path


def host() -> str:
    """Return the site's name for readers of emails, which has no port."""
    return urlsplit(settings.SITE_ADDRESS).hostname or "localhost"


def _holders(address: str) -> Any:
    return User.objects.filter(Q(email=address) | Q(emailaddress__email=address))
