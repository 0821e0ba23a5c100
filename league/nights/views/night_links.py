"""What all links of a night share: where they lead, and what is said of a link that has ended."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from league.base.acts import links
from league.base.acts.links import Ended
from league.base.views import guessing
from league.base.views.phones import phone_of
from league.models import Event
from league.nights.facts import claims as phones
from tables.web.scripts import is_script, refusal


def path_of(event: Event) -> str:
    """Return the address of the night's one page."""
    return reverse("league:link_night", args=[links.keep_for_night(event=event).secret])


def to_night(event: Event, *, preserve_request: bool = False) -> HttpResponse:
    """Lead to the night's one page; with `preserve_request` a form is sent on."""
    return redirect(path_of(event), preserve_request=preserve_request)


def wait(request: HttpRequest) -> HttpResponse:
    """Ask who tried many unknown links to wait."""
    said = _(
        "Too many links were tried from here that don't exist. Wait ten minutes, then scan the "
        "card again."
    )
    if is_script(request):
        return refusal("too_often", said, status=429, retry=True)
    return render(request, "league/nights/link_wait.html", {"said": said}, status=429)


def ended(request: HttpRequest, secret: str) -> HttpResponse:
    """Say why a link no longer works and what to do; an unknown link counts as a guess.

    A phone that has a name in the night is led on to its link of now.
    """
    why = links.why_ended(secret)
    if why is Ended.UNKNOWN:
        guessing.note_miss(request)
    if why is Ended.REPLACED and not is_script(request):
        event = links.event_of(secret)
        if event is not None and phones.held(event, phone_of(request)):
            return to_night(event)
    ask = _("Ask the organiser for tonight's link.")
    title, text = {
        Ended.UNKNOWN: (_("There is no such link."), ask),
        Ended.REPLACED: (_("An organiser has replaced this link."), ask),
        Ended.NIGHT_DELETED: (_("An organiser has deleted this night."), ask),
        Ended.CLUB_CLOSED: (_("This club is closed."), _("Its links no longer work.")),
    }[why]
    if is_script(request):
        return refusal("ended", f"{title} {text}", status=404)
    context = {"title": title, "text": text}
    return render(request, "league/nights/link_over.html", context, status=404)


def after(request: HttpRequest, event: Event, here: str) -> HttpResponse:
    """Lead from a table of a closed night to the night's page; tell a script that it is closed."""
    if not is_script(request):
        return to_night(event)
    if request.method == "GET":
        return JsonResponse({"moved": here})
    text = _("%(name)s is closed. Ask an organiser to reopen it, then send the game again.")
    return refusal("closed", text % {"name": event.name}, status=409)
