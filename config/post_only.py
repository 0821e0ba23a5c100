"""Middleware for addresses that only take a form: who opens one is led to the page it belongs to.

A sign-in leads back to the address of the form that needed it, and a reload asks for the address of
a form that was refused.
"""

from urllib.parse import urljoin

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import is_valid_path
from django.utils.translation import gettext

from accounts.middleware import GetResponse, middleware


@middleware
def to_page(request: HttpRequest, get_response: GetResponse) -> HttpResponse:
    """Redirect a browser from such an address to the page above it."""
    response = get_response(request)
    opens_page = request.method == "GET" and "text/html" in request.headers.get("Accept", "")
    if opens_page and isinstance(response, HttpResponseNotAllowed):
        messages.warning(request, gettext("Nothing was saved. Do it once more on this page."))
        return redirect(page_above(request.path))
    return response


def page_above(path: str) -> str:
    """Return the nearest address above this one that exists; "/" is above all."""
    above = urljoin(path, ".." if path.endswith("/") else ".")
    return above if is_valid_path(above) else page_above(above)
