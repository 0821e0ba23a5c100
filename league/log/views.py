"""The view of a club's log."""

from urllib.parse import urlencode

from django.http import HttpResponse

from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view, page
from league.log.pages import entries as log
from tables.numbers import whole_number


@club_view(Right.ORGANISE)
def audit(request: ClubRequest) -> HttpResponse:
    wanted = {name: request.GET.get(name, "") for name in ("event", "by", "kind", "mark")}
    texts = [wanted[name][:80] for name in ("by", "kind", "mark")]
    asked = log.Asked(whole_number(wanted["event"]), *texts)
    found = log.log_page(request.club, asked, request.GET.get("page"))
    query = urlencode({name: value for name, value in wanted.items() if value})
    context = {"page": found, "page_obj": found.page_obj, "query": query}
    return page(request, "league/clubs/audit.html", context)
