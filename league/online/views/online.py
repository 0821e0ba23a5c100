"""Views of a night's online play: its settings, and its tables with their progress and seats."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from engine.bots import BOTS, is_outside
from league.base.acts import locks
from league.base.lookup import find_event, find_sitting
from league.base.rights import Right
from league.base.views.base import (
    ClubRequest,
    atomic_post,
    club_view,
    form_status,
    incomplete_form,
    page,
    telling,
)
from league.models import Event, LivePlan
from league.nights.acts import attendance
from league.nights.facts import online_tables, waitlist
from league.nights.views.online_links import seat_link
from league.online.acts import results_in
from league.online.facts import online_rounds as selector
from league.online.forms import OnlineForm
from tables.numbers import whole_number
from tables.web.addresses import Address


@club_view(Right.SEE, to_post=Right.ORGANISE, keep_first=True, of=find_event)
@atomic_post
def online(request: ClubRequest, event: Event) -> HttpResponse:
    """Show the night's online settings and its tables' progress; organisers change settings."""
    if request.method == "POST":
        locks.event(event.pk)
    plan = LivePlan.objects.filter(event=event).first()
    initial = {"played": plan.played, "move_seconds": plan.move_seconds,
               "abandoned": plan.abandoned} if plan else {}  # fmt: skip
    form = OnlineForm(request.POST or None, event=event, initial=initial)
    if request.method == "POST" and form.is_valid():
        with telling(request, _("Saved."), form):
            results_in.set_plan(event=event, by=request.user, **form.cleaned_data)
            return redirect("league:online", request.club.slug, event.pk)
    tables = selector.progress(event)
    stamp = selector.stamp(tables)
    if request.GET.get("seen") == stamp:
        return HttpResponse(status=204)
    context = {
        "event": event,
        "stamp": stamp,
        "news_at": f"{request.path}?seen={stamp}" if event.is_open and plan else "",
        "plan": plan,
        "form": form if event.is_open and request.right >= Right.ORGANISE else None,
        "queue": waitlist.queue(event) if event.has_queue else [],
        "tables": [(each, _chairs(request, each)) for each in tables],
        "mine": online_tables.key_of_user(event, request.user),
        "bots_here": selector.bots_here(event),
        "bots": [name for name in BOTS if not is_outside(name)],
    }
    partial = "#tables" if request.htmx else ""
    return page(request, f"league/online/online.html{partial}", context, form_status(form))


@require_POST
@club_view(Right.ORGANISE, keep_first=True, of=find_event)
def online_bot(request: ClubRequest, event: Event) -> HttpResponse:
    """Add a bot that plays the night like a person, or mark one as having left."""
    leaves = whole_number(request.POST.get("leaves"))
    with telling(request):
        if leaves is not None:
            attendance.set_presence(
                event=event, player_ids=[leaves], presence="left", by=request.user
            )
            return redirect("league:online", request.club.slug, event.pk)
        entrant = results_in.add_bot(event=event, bot=request.POST.get("bot", ""), by=request.user)
        messages.success(request, _("%(name)s is here.") % {"name": entrant.player.name})
    return redirect("league:online", request.club.slug, event.pk)


@require_POST
@club_view(Right.ORGANISE, keep_first=True, of=find_event)
def online_table(request: ClubRequest, event: Event, number: int, table_no: int) -> HttpResponse:
    """Open or end a sitting's online table, show it on the big screen, or replace a seat's link."""
    sitting = find_sitting(event, number, table_no)
    do = request.POST.get("do", "")
    with telling(request):
        if do == "open":
            results_in.open_table(sitting_id=sitting.pk, by=request.user)
        elif do in ("end", "end_now"):
            results_in.end_table(sitting_id=sitting.pk, by=request.user, now=do == "end_now")
        elif do in ("show", "hide"):
            results_in.show_on_wall(sitting_id=sitting.pk, on=do == "show")
        elif do == "renew":
            entrant = whole_number(request.POST.get("entrant")) or 0
            results_in.renew_chair(sitting_id=sitting.pk, entrant_id=entrant, by=request.user)
        else:
            raise incomplete_form()
    return redirect("league:online", request.club.slug, event.pk)


def _chairs(
    request: ClubRequest, progress: selector.TableProgress
) -> list[tuple[selector.OnlinePlayer, Address | None]]:
    """Return a table's seats; organisers also get the personal links to seats that need one."""
    table = progress.live
    sees_links = table is not None and request.right >= Right.ORGANISE
    return [
        (
            chair,
            seat_link(request, table, chair.place.entrant_id)
            if table is not None and sees_links and chair.needs_link
            else None,
        )
        for chair in progress.chairs
    ]
