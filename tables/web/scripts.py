"""What the pages' own scripts ask for: JSON, and refusals with a stable code."""

from django.http import HttpRequest, JsonResponse


def is_script(request: HttpRequest) -> bool:
    """Return whether one of the pages' own scripts sent the request, which expects JSON."""
    return request.headers.get("Accept") == "application/json"


def refusal(code: str, text: str, *, status: int, retry: bool = False) -> JsonResponse:
    """Return a refusal for a script; `retry` says that the same request may succeed later.

    A phone believes only this: a proxy or a Wi-Fi's sign-in page may answer with any status.
    """
    return JsonResponse({"code": code, "message": text, "retry": retry}, status=status)
