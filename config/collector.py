"""A log handler that sends errors to a collector (OpenTelemetry's OTLP, JSON over http).

It sends the message template without its arguments, the kind of error and its stack frames. Nobody
waits for the collector; errors that it does not accept are lost.
"""

import json
import logging
import os
import platform
import queue
import threading
import time
import traceback
import urllib.request
from contextlib import suppress
from http.client import HTTPException
from typing import Any

MOST_WAITING, MOST_SENT = 200, 50
SECONDS = 5.0
AGAIN = 30.0  # Seconds without a new attempt after a failed one.
_ERROR = 17  # OTLP's severity number.


class Collector(logging.Handler):
    """A handler that queues errors for a sending thread; each process has its own thread."""

    def __init__(self, url: str, headers: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._url = url.rstrip("/") + "/v1/logs"
        pairs = (header.partition("=") for header in headers)
        self._headers = {name.strip(): value.strip() for name, _, value in pairs}
        self._waiting: queue.Queue[dict[str, Any]] = queue.Queue(MOST_WAITING)
        self._process = 0
        self._ended = threading.Event()

    def emit(self, record: logging.LogRecord) -> None:
        """Queue the record, or drop it if the queue is full."""
        if self._process != os.getpid():
            self._process = os.getpid()
            self._waiting = queue.Queue(MOST_WAITING)
            threading.Thread(target=self._send_on, daemon=True).start()
        with suppress(queue.Full):
            self._waiting.put_nowait(record_to_send(record))

    def close(self) -> None:
        """Wait up to two seconds until the queue is sent."""
        if self._process == os.getpid() and not self._waiting.empty():
            self._ended.wait(2)
        super().close()

    def _send_on(self) -> None:
        while True:
            records = [self._waiting.get()]
            while len(records) < MOST_SENT and not self._waiting.empty():
                records.append(self._waiting.get())
            pause = 0.0 if self._send(records) else AGAIN
            if self._waiting.empty():
                self._ended.set()
            time.sleep(pause)

    def _send(self, records: list[dict[str, Any]]) -> bool:
        body = {
            "resourceLogs": [
                {
                    "resource": {"attributes": _attributes(_RESOURCE)},
                    "scopeLogs": [{"scope": {"name": "tienlen"}, "logRecords": records}],
                }
            ]
        }
        headers = {"Content-Type": "application/json"} | self._headers
        request = urllib.request.Request(self._url, json.dumps(body).encode(), headers)
        try:
            with _opener.open(request, timeout=SECONDS):
                return True
        except (OSError, ValueError, HTTPException):
            return False


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)
_RESOURCE = {
    "service.name": "tienlen",
    "process.runtime.name": "python",
    "process.runtime.version": platform.python_version(),
}


def record_to_send(record: logging.LogRecord) -> dict[str, Any]:
    """Return the parts of an error that may leave the server."""
    details = {"logger": record.name, "work": str(getattr(record, "work", "-"))}
    kind, error, stack = record.exc_info or (None, None, None)
    if kind is not None and error is not None:
        frames = traceback.extract_tb(stack)
        details |= {
            "exception.type": f"{kind.__module__}.{kind.__qualname__}",
            "exception.stacktrace": "\n".join(
                f"{_place(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames
            ),
        }
    return {
        "timeUnixNano": str(int(record.created * 1e9)),
        "severityNumber": _ERROR,
        "severityText": record.levelname,
        "body": {"stringValue": str(record.msg)[:500]},
        "attributes": _attributes(details),
    }


def _place(path: str) -> str:
    """Return the last four parts of a file's path: the others may contain a person's name."""
    return "/".join(path.split("/")[-4:])


def _attributes(values: dict[str, str]) -> list[dict[str, Any]]:
    return [{"key": key, "value": {"stringValue": value}} for key, value in values.items()]
