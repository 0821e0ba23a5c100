"""Answers to programs that ask again and again: 304 while nothing has changed."""

import hashlib

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import http_date


def answer_if_changed(
    request: HttpRequest, response: HttpResponse, changed_at: int | None
) -> HttpResponse:
    """Return the response with ETag and Last-Modified, or 304 if the program has this version.

    Its content alone decides: names, answers and rights change without any night's date.
    """
    etag = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    response["ETag"] = etag
    if changed_at is not None:
        response["Last-Modified"] = http_date(changed_at)
    found = get_conditional_response(request, etag, None, response)
    assert isinstance(found, HttpResponse)
    return found
