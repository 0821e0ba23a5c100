"""Errors of the API: their own members, extended by problem details (RFC 9457)."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import APIException
from rest_framework.response import Response
from rest_framework.views import exception_handler

from tables.refusals import Refusal

MEDIA_TYPE = "application/problem+json"
_TYPE = "urn:tienlen:problem:"
NAMES = {
    400: "invalid",
    401: "unauthenticated",
    403: "forbidden",
    404: "not_found",
    405: "method",
    406: "not_acceptable",
    409: "conflict",
    410: "gone",
    412: "precondition",
    413: "too_large",
    415: "media_type",
    422: "refused",
    429: "too_often",
    500: "broken",
    503: "try_later",
}
"""The names of errors without a `code` of their own, by status; they never change."""


class PreconditionFailed(APIException):
    """The resource changed since the caller read it (412)."""

    status_code = 412
    default_detail = _("This has changed since you opened it. Reload it and try again.")
    default_code = "precondition"


def on_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the response for an error; a refusal becomes JSON."""
    if not isinstance(error, ValidationError):
        return exception_handler(error, context)
    status = error.status if isinstance(error, Refusal) else 400
    if hasattr(error, "error_dict"):
        return Response(error.message_dict, status=status)
    body: dict[str, Any] = {"detail": error.messages}
    if isinstance(error, Refusal) and error.code:
        body["code"] = error.code
    return Response(body, status=status)


def described(body: Any, status: int, address: str) -> dict[str, Any]:
    """Return an error's body with the members of problem details.

    The body keeps its messages: by field, or as `detail` with a `code`. A field with the name of a
    member has them in `errors` alone, which has the messages of all fields.
    """
    said = body if isinstance(body, dict) else {"detail": body}
    code = said.get("code")
    name = code if isinstance(code, str) else NAMES.get(status, "error")
    fields = said if "detail" not in said else {}
    known = {
        "type": _TYPE + name,
        "title": HTTPStatus(status).phrase,
        "status": status,
        "instance": address,
    }
    errors = [
        {"pointer": pointer, "detail": text}
        for field, value in fields.items()
        for pointer, text in _texts(f"#/{field}", value)
    ]
    coded = {"code": name} if "detail" in said else {}
    return coded | said | known | ({"errors": errors} if errors else {})


def _texts(pointer: str, value: Any) -> Iterator[tuple[str, str]]:
    """Yield each message with the pointer to its field; `__all__` points to the whole body."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _texts(f"{pointer}/{name}", inner)
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            if isinstance(inner, dict | list):
                yield from _texts(f"{pointer}/{at}", inner)
            else:
                yield from _texts(pointer, inner)
    else:
        yield pointer.replace("#/__all__", "#").replace("/non_field_errors", ""), str(value)
