"""The shape of all middleware of ours: one function of a request and of how it is answered."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

GetResponse = Callable[[HttpRequest], HttpResponse]


def middleware(
    handle: Callable[[HttpRequest, GetResponse], HttpResponse],
) -> Callable[[GetResponse], GetResponse]:
    """Return the function as Django wants middleware: made once, around the next one."""

    def around(get_response: GetResponse) -> GetResponse:
        return lambda request: handle(request, get_response)

    return around
