"""Names of people as the reader of a page may see them, for one request."""

from django.http import HttpRequest, HttpResponse

from accounts.middleware import GetResponse, middleware
from league.models import shown_names


@middleware
def of_reader(request: HttpRequest, get_response: GetResponse) -> HttpResponse:
    """Write names as they are again after each request."""
    try:
        return get_response(request)
    finally:
        shown_names.read_as(None)
