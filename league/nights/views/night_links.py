"""What all links of a night share: where they lead, and what is said of a link that has ended."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from league.base.acts import links
from league.base.acts.links import Ended
from league.base.facts import links as working
from league.base.views import guessing
from league.base.views.phones import phone_of
from league.models import Event, Place
from league.nights.facts import claims as phones
from league.nights.facts import last_changes
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


def ended(request: HttpRequest, secret: str, number: int | None = None) -> HttpResponse:
    """Say why a link no longer works and what to do; an unknown link counts as a guess.

    A phone that has a name in the night is led on to its link of now; its script, where that name
    sat at the table in the round of that `number`. Other scripts hear which table it was.
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
    if is_script(request) and why is Ended.NIGHT_DELETED:
        if request.method == "GET":
            return JsonResponse({"stopped": title})
        kept = _("Your game is sent if it is restored.")
        return refusal("closed", f"{title} {kept}", status=409, retry=True)
    if is_script(request):
        old = links.find_replaced(secret) if why is Ended.REPLACED else None
        there = _table_now(request, old, number) if old and number else ""
        said = {"code": "moved" if there else "ended", "message": f"{title} {text}"}
        more = {"retry": False, "moved": there, "table": old.of if old else ""}
        is_news = there and request.method == "GET"
        return JsonResponse(said | more, status=200 if is_news else 409 if there else 404)
    context = {"title": title, "text": text}
    return render(request, "league/nights/link_over.html", context, status=404)


def after(request: HttpRequest, event: Event, here: str) -> HttpResponse:
    """Lead from a table of a closed night to the night's page; tell a script that it is closed."""
    if not is_script(request):
        return to_night(event)
    if request.method == "GET":
        return JsonResponse({"moved": here, "stopped": last_changes.say_stopped(event, 0)})
    return stopped(request, event, 0) or refusal("closed", "", status=409, retry=True)


def stopped(request: HttpRequest, event: Event, round_no: int) -> HttpResponse | None:
    """Tell a script who stopped the games that it enters, and why; None if nobody has.

    It goes on asking: the night may be reopened, the round released again.
    """
    said = last_changes.say_stopped(event, round_no)
    if not said:
        return None
    if request.method == "GET":
        return JsonResponse({"stopped": said})
    text = _("%(change)s Your game is sent once it is open again.") % {"change": said}
    return refusal("closed", text, status=409, retry=True)


def _table_now(request: HttpRequest, old: links.Replaced, number: int) -> str:
    """Return the table's address of now, for a phone whose name sat there in that round."""
    claim = phones.held(old.event, phone_of(request))
    sat = claim and Place.objects.filter(
        sitting__round__event=old.event,
        sitting__round__number=number,
        sitting__table_no=old.table_no,
        entrant__player=claim.player_id,
    )
    link = working.of_tables(old.event).get(old.table_no) if sat and sat.exists() else None
    return reverse("league:link_table", args=[link.secret, number]) if link else ""
