"""An SMTP backend that tells a mail that was not taken from one that perhaps was."""

import smtplib
from typing import Any

from django.core.mail.backends.smtp import EmailBackend

PATIENCE = 45
"""Seconds for the answer to a whole mail: who looks for viruses says yes late, but delivers.

With a run of `sending.send_lane` before it below the time limit of a task.
"""


class PerhapsSent(smtplib.SMTPException):
    """The server was given the whole mail and did not say whether it took it."""


class _Asking(smtplib.SMTP):
    _is_given = False

    def data(self, msg: Any) -> tuple[int, bytes]:
        self._is_given = False
        try:
            return super().data(msg)
        except (OSError, smtplib.SMTPServerDisconnected) as error:
            if self._is_given:
                raise PerhapsSent(str(error)) from error
            raise

    def send(self, s: Any) -> None:
        super().send(s)
        if isinstance(s, bytes) and self.sock is not None:  # Commands are text, a mail is bytes.
            self._is_given = True
            self.sock.settimeout(PATIENCE)


class _AskingSafely(_Asking, smtplib.SMTP_SSL):
    pass


class Backend(EmailBackend):
    """Django's, with patience after the final dot."""

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        return _AskingSafely if self.use_ssl else _Asking
