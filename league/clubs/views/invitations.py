"""Views to create and revoke invitation links, and to accept one."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.adapter import INVITED
from accounts.models import User
from league.base.acts import links
from league.base.rights import Right
from league.base.views import guessing
from league.base.views.base import ClubRequest, club_view, form_status, page, telling
from league.clubs.acts import invitations as service
from league.clubs.forms.clubs import InvitationForm
from league.models import Link, PaymentWay, Player
from tables.web.addresses import address_of


@club_view(Right.OWN, keep_first=True)
def invitations(request: ClubRequest) -> HttpResponse:
    """List the open invitations with their addresses, and create new ones."""
    form = InvitationForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        club, data = request.club, form.cleaned_data
        text = _("The link is ready. Send it, or let people scan it.")
        with telling(request, text, form):
            service.invite(club=club, by=request.user, **data)
            return redirect("league:invitations", slug=club.slug)
    found = request.club.links.alive().filter(purpose=Link.Purpose.INVITATION)
    listed = [
        (link, address_of(request, reverse("league:link_join", args=[link.secret])))
        for link in found.select_related("player")
    ]
    context = {"form": form, "invitations": listed}
    return page(request, "league/clubs/invitations.html", context, form_status(form))


@require_POST
@club_view(Right.OWN, keep_first=True)
def revoke(request: ClubRequest, link: int) -> HttpResponse:
    service.revoke(club=request.club, link_id=link, by=request.user)
    messages.success(request, _("This invitation is no longer valid."))
    return redirect("league:invitations", slug=request.club.slug)


def join(request: HttpRequest, invitation: str) -> HttpResponse:
    """Show an invitation, and accept it for a signed-in user."""
    if guessing.too_many(request):
        return render(request, "league/nights/link_wait.html", status=429)
    link = service.find(invitation)
    if link is None:
        user = request.user if isinstance(request.user, User) else None
        if user is not None and (joined := service.taken(invitation, user)) is not None:
            return _welcome(request, joined)
        if not links.is_known(invitation):
            guessing.note_miss(request)
        return render(request, "league/clubs/invitation_over.html", status=404)
    if settings.SIGN_UP == "invitation" and not request.user.is_authenticated:
        request.session[INVITED] = True
    if request.method != "POST":
        return render(request, "league/clubs/join.html", _joining(request, link))
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    shows_ways = "shows_ways" in request.POST
    with telling(request):
        service.accept(secret=invitation, user=request.user, shows_ways=shows_ways)
        return _welcome(request, link)
    if service.find(invitation) is None:
        return render(request, "league/clubs/invitation_over.html", status=409)
    return render(request, "league/clubs/join.html", _joining(request, link), status=409)


def _welcome(request: HttpRequest, link: Link) -> HttpResponse:
    if (player := _player_of(link)) is not None:
        text = _("Welcome to %(club)s: you play as %(name)s.")
        messages.success(request, text % {"club": link.club.name, "name": player.name})
        return redirect("league:player", slug=link.club.slug, pk=player.pk)
    messages.success(request, _("Welcome to %(club)s.") % {"club": link.club.name})
    return redirect("league:club", slug=link.club.slug)


def _joining(request: HttpRequest, link: Link) -> dict[str, Any]:
    is_paid = PaymentWay.objects.filter(user=request.user.pk).exists()
    return {"link": link, "club": link.club, "player": _player_of(link), "is_paid": is_paid}


def _player_of(link: Link) -> Player | None:
    return link.player and (link.player.merged_into or link.player)
