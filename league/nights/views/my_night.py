"""A player's own night on a phone that claimed the name once, without an account."""

from functools import partial

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST

from accounts.models import User
from league.base.acts import links
from league.base.lookup import find_event, first_or_404
from league.base.rights import Right
from league.base.views import guessing
from league.base.views.base import ClubRequest, club_view, incomplete_form, telling
from league.base.views.phones import COOKIE, phone_of
from league.models import Entrant, Event, Result
from league.money.acts import payment_ways
from league.money.facts import payment_ways as payment_ways_of
from league.money.views.bank import edit as edit_bank
from league.money.views.reports import take
from league.nights.acts import attendance, claims, disputes
from league.nights.facts.viewer import Viewer
from league.nights.pages import my_night as pages
from league.nights.pages.desk import Desk
from league.nights.views import check_in, night_links
from league.nights.views.disputes import told
from league.nights.views.viewers import viewer_by_link
from tables.base.lookup import or_raise
from tables.numbers import whole_number
from tables.refusals import Refusal

RECALLS = {"claimed": True, "recorded": False, "": None}


@cache_control(private=True, no_store=True)
def my_night(request: HttpRequest, pk: int) -> HttpResponse:
    """Lead the player who holds this phone or account to the night's one page."""
    events = Event.objects.filter(pk=pk, kind=Event.Kind.NIGHT)
    event = first_or_404(events.select_related("season__club", "ruleset"))
    if viewer_by_link(request, event).player is None:
        raise Http404
    return night_links.to_night(event, preserve_request=True)


@cache_control(private=True, no_store=True)
def by_code(request: HttpRequest, pk: int, player: int, personal: str) -> HttpResponse:
    """Lead from a player's code on paper, as nights once had, to the night's one page."""
    if guessing.too_many(request):
        return night_links.wait(request)
    link = links.find_personal(pk, player, personal)
    if link is None or link.event is None:
        return night_links.ended(request, personal)
    return night_links.to_night(link.event)


@require_POST
def find_me(request: ClubRequest, desk: Desk) -> HttpResponse:
    """Claim this phone for a player at the table who tapped their name."""
    player = whole_number(request.POST.get("player"))
    with telling(request):
        return check_in.claim(request, desk.event, or_raise(player, incomplete_form()))
    return redirect(desk.here)


@cache_control(private=True, no_store=True)
def bank(request: HttpRequest, pk: int) -> HttpResponse:
    """Show and change, on the phone that has a player's name, how the player is paid."""
    events = Event.objects.filter(pk=pk, kind=Event.Kind.NIGHT)
    viewer = viewer_by_link(request, first_or_404(events.select_related("season__club")))
    if viewer.claim is None or viewer.me.user_id:
        raise Http404
    player, phone = viewer.me, viewer.claim.phone_hash
    way = payment_ways_of.of_phone(player, phone)
    save = partial(payment_ways.leave_on_phone, claim=viewer.claim)
    former = payment_ways_of.former(None, phone, player__in=player.names)
    back = reverse("league:my_night", args=[pk])
    return edit_bank(request, way, save, back, player=player, former=former)


@require_POST
def forget(request: HttpRequest) -> HttpResponse:
    """Forget the visitor's phone in all clubs, and its cookie, so that it is a new one."""
    answer = redirect("home")
    with telling(request, _("This phone is forgotten in all clubs.")):
        claims.forget_everywhere(phone=phone_of(request))
        answer.delete_cookie(COOKIE)
    return answer


@require_POST
@club_view(Right.ORGANISE, of=find_event)
def free_phone(request: ClubRequest, event: Event) -> HttpResponse:
    """End a player's claim as an organiser, or decide which of two phones has the name."""
    player = whole_number(request.POST.get("player"))
    if "asking" in request.POST:
        with telling(request, _("Saved.")):
            decide(request, event, player, by=request.user)
    elif player is not None and claims.forget(event=event, player_id=player, by=request.user):
        messages.success(request, _("The name is free. The right person can tap it now."))
    return redirect("league:check_in", slug=request.club.slug, pk=event.pk)


def decide(request: HttpRequest, event: Event, player: int | None, by: User | None = None) -> None:
    """Give a name to the phone that asked for it, or refuse it, as the form says."""
    claims.decide(
        event=event,
        player_id=player or 0,
        asking=request.POST["asking"],
        is_own=request.POST.get("own") == "1",
        by=by,
    )


def change(request: HttpRequest, viewer: Viewer) -> None:
    """Apply a tap: check in or out, something about a game, or what becomes of the claim.

    A captain also sets which team-mates sit in or out.
    """
    event, player = viewer.event, viewer.me
    presence = request.POST.get("presence", "")
    if "asking" in request.POST and viewer.claim:
        decide(request, event, viewer.claim.player_id)
    elif "mate" in request.POST:
        attendance.set_presence(
            event=event,
            player_ids=[whole_number(request.POST["mate"]) or 0],
            presence=presence,
            by=viewer.by,
            captain=player,
        )
    elif presence == Entrant.Presence.HERE:
        check_in.set_here(request, event, player.pk)
    elif presence in Entrant.Presence.values:
        attendance.set_presence(event=event, player_ids=[player.pk], presence=presence, by=None)
    elif {"payee", "report"} & request.POST.keys():
        if (money := pages.own_money(event, player)) is None:
            said = _("This was already answered. Reload the page.")
            raise Refusal(said, code="stale", status=409)
        take(request, event.season, money.event, [player.pk])
    elif "free" in request.POST and viewer.claim:
        claims.end(event=event, player_id=viewer.claim.player_id, by=None)
        messages.success(request, _("This phone no longer has a name."))
    else:
        key = whole_number(request.POST.get("game"))
        _speak(request, viewer, or_raise(pages.my_game(event, player, key), incomplete_form()))


def _speak(request: HttpRequest, viewer: Viewer, result: Result) -> None:
    by, device = viewer.by, viewer.device
    if "confirm" in request.POST:
        disputes.confirm(
            sitting_id=result.sitting_id,
            game_no=result.game_no,
            version=result.version,
            by=by,
            device=device,
        )
        messages.success(request, _("Game %(game)s confirmed.") % {"game": result.game_no})
    elif request.POST.get("recalls") in RECALLS:
        disputes.recall(
            sitting_id=result.sitting_id,
            game_no=result.game_no,
            by=by,
            player=viewer.me,
            agrees=RECALLS[request.POST["recalls"]],
        )
    elif {"dispute", "place"} & request.POST.keys():
        disputes.open_dispute(
            sitting_id=result.sitting_id,
            game_no=result.game_no,
            by=by,
            device=device,
            player=viewer.me,
            **told(request),
        )
        messages.success(
            request, _("The organisers have your report. Their answer will appear here.")
        )
    else:
        raise incomplete_form()
