"""The organisers' page of the ceremony, where taps reveal the places."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from league.base.lookup import find_event
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view, incomplete_form, page, telling
from league.models import Event
from league.nights.acts import ceremony as service
from league.nights.facts import ceremony as selector
from league.nights.pages.night_page import ceremony_notice
from tables.numbers import whole_number


@club_view(Right.ORGANISE, of=find_event)
def ceremony(request: ClubRequest, event: Event) -> HttpResponse:
    """Show the places with held results; a POST reveals the next one, or all."""
    if request.method == "POST":
        with telling(request):
            seen = whole_number(request.POST.get("told"))
            if "all" in request.POST:
                event = service.reveal_all(event=event, by=request.user, revealed=seen or 0)
            elif seen is not None:
                event = service.reveal_next(event=event, revealed=seen, by=request.user)
            else:
                raise incomplete_form()
        if event.told_at:
            messages.success(request, _("Everything is revealed."))
            return redirect("league:event", request.club.slug, event.pk)
        return redirect("league:ceremony", request.club.slug, event.pk)
    steps = selector.steps(event)
    context = {
        "event": event,
        "notice": ceremony_notice(event),
        "steps": steps[::-1],
        "podium": [one for step in steps[:-4:-1] for one in step.people],
        "next": next((step for step in steps if not step.is_revealed), None),
    }
    return page(request, "league/nights/ceremony.html", context)
