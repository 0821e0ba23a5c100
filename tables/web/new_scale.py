"""The news that ratings have another scale since 1.2, told once to who had one before."""

from collections.abc import Callable

from django.http import HttpRequest

SEEN = "new_scale"


def is_news(request: HttpRequest, had_one: Callable[[], bool]) -> bool:
    """Return whether the reader is told now; never again in this session.

    `had_one` is asked until then: does a list of before hold a rating of theirs, or one they see?
    """
    if not request.user.is_authenticated or SEEN in request.session:
        return False
    if is_told := had_one():
        request.session[SEEN] = True
    return is_told
