"""A bot league: its divisions and their standings, one matchday at a time."""

from django.http import Http404, HttpResponse

from league.arena.facts import leagues as selector
from league.base.lookup import first_or_404
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view, page
from tables.numbers import whole_number


@club_view(Right.SEE)
def league(request: ClubRequest, pk: int) -> HttpResponse:
    """Show the divisions of the matchday that `day` numbers, by default the last."""
    found = first_or_404(selector.leagues_of(request.club).filter(pk=pk))
    divisions = selector.league_page(found, whole_number(request.GET.get("day")))
    if divisions is None:
        raise Http404
    schedule = found.schedule if request.right >= Right.ORGANISE else None
    context = {"page": divisions, "schedule_to_change": schedule}
    return page(request, "league/arena/league.html", context)
