"""An SMTP backend that tells a mail that was not taken from one that perhaps was."""

import smtplib
from typing import Any

from django.core.mail.backends.smtp import EmailBackend

PATIENCE = 60
"""Seconds for the answer to a whole mail: who looks for viruses is late.

RFC 5321 (4.5.3.2.6) grants ten minutes. They would buy a word alone: no answer means no repetition.
"""


class PerhapsSent(smtplib.SMTPException):
    """The server was given the whole mail and did not say whether it took it."""


class _Asking(smtplib.SMTP):
    _is_given = False
    patience: float = PATIENCE

    def data(self, msg: Any) -> tuple[int, bytes]:
        self._is_given = False
        try:
            return super().data(msg)
        except (OSError, smtplib.SMTPServerDisconnected) as error:
            if self._is_given:
                raise PerhapsSent(str(error)) from error
            raise
        finally:
            if self.sock is not None:
                self.sock.settimeout(self.timeout)

    def send(self, s: Any) -> None:
        super().send(s)
        if isinstance(s, bytes) and self.sock is not None:  # Commands are text, a mail is bytes.
            self._is_given = True
            self.sock.settimeout(self.patience)


class _AskingSafely(_Asking, smtplib.SMTP_SSL):
    pass


class Backend(EmailBackend):
    """Django's, with `patience` in seconds after the final dot."""

    def __init__(self, *args: Any, patience: float | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.patience = PATIENCE if patience is None else patience

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        return _AskingSafely if self.use_ssl else _Asking

    def open(self) -> Any:
        is_new = super().open()
        if is_new and isinstance(self.connection, _Asking):
            self.connection.patience = self.patience
        return is_new
