"""What htmx gets: a redirect moves the page, and a page of a release without a mark is renewed."""

from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django_htmx.middleware import HtmxDetails

from accounts.middleware import GetResponse, middleware
from tables.web import old_pages

AT_ONCE = ("screen",)
"""Parts of pages without a reader who could reload them: the big screen."""
NAMES = "people"
"""The list of check-in, beside which a guest's name may be half typed: it is renewed by a tap."""


@middleware
def for_htmx(request: HttpRequest, get_response: GetResponse) -> HttpResponse:
    """Answer htmx with no page of another place or release."""
    htmx: HtmxDetails = request.htmx  # type: ignore[attr-defined]
    is_old = bool(htmx) and old_pages.is_old(request, _page_of(htmx))
    if is_old and _is_poll(request, htmx):
        return _news_of_old_page(request, htmx)
    response = get_response(request)
    if is_old and htmx.target == NAMES and request.method == "POST" and response.status_code == 200:
        return _renew(response, htmx)
    if htmx and _leads_away(response, htmx):
        response["HX-Redirect"] = response["Location"]
        del response["Location"]
        response.status_code = 204
    return response


def _asked_by(htmx: HtmxDetails) -> str:
    """Return the address of the page that asks, empty if what it names can be none."""
    try:
        return htmx.current_url_abs_path or ""
    except ValueError:
        return ""


def _page_of(htmx: HtmxDetails) -> str:
    return urlsplit(_asked_by(htmx)).path


def _is_poll(request: HttpRequest, htmx: HtmxDetails) -> bool:
    """Return whether a part asks for itself; a tap or a search asks for another part."""
    return request.method == "GET" and htmx.target is not None and htmx.trigger == htmx.target


def _news_of_old_page(request: HttpRequest, htmx: HtmxDetails) -> HttpResponse:
    """Renew one old page in `ONE_IN`, and tell the others nothing: ours would be no news there.

    A page whose address is not its part's own may be the answer to a form: it stays.
    """
    answer = HttpResponse(status=204)
    here = _page_of(htmx) or "-"
    if htmx.target == NAMES or not request.path.startswith(here):
        return answer
    is_next = htmx.target in AT_ONCE or old_pages.is_next()
    return _renew(answer, htmx) if is_next else answer


def _renew(response: HttpResponse, htmx: HtmxDetails) -> HttpResponse:
    """Lead the page to its own address: a reload would send a form again."""
    response["HX-Redirect"] = _asked_by(htmx).partition("#")[0]
    old_pages.note_renewed(response, _page_of(htmx))
    return response


def _leads_away(response: HttpResponse, htmx: HtmxDetails) -> bool:
    """Return whether the answer is a redirect to another page; of its own, htmx takes a part."""
    if "Location" not in response or response.status_code // 100 != 3:
        return False
    return urlsplit(response["Location"]).path != _page_of(htmx)
