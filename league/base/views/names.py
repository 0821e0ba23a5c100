"""Names of people as the reader of a page may see them, for one request."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from league.models import shown_names


def of_reader(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Return middleware after which names are written as they are again."""

    def handle(request: HttpRequest) -> HttpResponse:
        try:
            return get_response(request)
        finally:
            shown_names.read_as(None)

    return handle
