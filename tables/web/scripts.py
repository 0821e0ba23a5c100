"""What the pages' own scripts ask for: JSON, and refusals with a stable code."""

from django.http import HttpRequest, JsonResponse

from tables.web import old_pages


def is_script(request: HttpRequest) -> bool:
    """Return whether one of the pages' own scripts sent the request, which expects JSON."""
    return request.headers.get("Accept") == "application/json"


def wants_json(request: HttpRequest) -> bool:
    """Return whether a script fetched this: it reads JSON where there is some, else a page."""
    return request.headers.get("X-Requested-With") == "fetch"


def expects_refusals(request: HttpRequest) -> bool:
    """Return whether a script reads refusals as JSON, whatever it gets otherwise.

    A live table of 1.1, whose requests have no mark, opens the page of what is no JSON.
    """
    return is_script(request) or (wants_json(request) and old_pages.is_marked(request))


def refusal(code: str, text: str, *, status: int, retry: bool = False) -> JsonResponse:
    """Return a refusal for a script; `retry` says that the same request may succeed later.

    A phone believes only this: a proxy or a Wi-Fi's sign-in page may answer with any status.
    """
    return JsonResponse({"code": code, "message": text, "retry": retry}, status=status)
