"""Views of a club's members and role offers."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.signed_in import SignedInRequest
from league.base.rights import Right, of_role
from league.base.views.base import (
    ClubRequest,
    club_view,
    form_status,
    page,
    telling,
)
from league.clubs.acts import members as service
from league.clubs.facts import people
from league.clubs.forms.clubs import MemberForm
from league.clubs.pages.offers import offers_to
from league.models import Membership, RoleOffer
from tables.numbers import whole_number


@club_view(Right.OWN, keep_first=True)
def members(request: ClubRequest) -> HttpResponse:
    """List the members with their roles, and offer someone a role."""
    found = request.club.memberships.select_related("user").order_by("user__email")
    pk = whole_number(request.GET.get("member"))
    chosen = found.filter(pk=pk).first() if pk else None
    initial = {"email": chosen.user.email, "role": chosen.role} if chosen else None
    form = MemberForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        with telling(request, form=form):
            offer = service.offer_role(club=request.club, by=request.user, **form.cleaned_data)
            told = _("Role offered. It applies once it is accepted.")
            if offer is None:
                told = _("Role lowered.")
            elif isinstance(offer, Membership):
                told = _ends_in_a_week() if offer.ends_at else _("Saved.")
            messages.success(request, told)
            return redirect("league:members", slug=request.club.slug)
    listed = sorted(found, key=lambda member: -of_role(member.role))
    names = people.names_of((request.club.pk, member.user) for member in listed)
    owners = [member for member in listed if member.role == Membership.Role.OWNER]
    context = {
        "form": form,
        "chosen": chosen,
        "only_owner": owners[0] if len(owners) == 1 else None,
        "members": [(member, names[request.club.pk, member.user_id]) for member in listed],
        "offers": request.club.role_offers.waiting(),
    }
    return page(request, "league/clubs/members.html", context, form_status(form))


@require_POST
@club_view(Right.OWN, keep_first=True)
def remove(request: ClubRequest, member: int) -> HttpResponse:
    found = get_object_or_404(request.club.memberships.select_related("user", "club"), pk=member)
    if "stop" in request.POST and found.user_id == request.user.pk:
        service.stop_ending(member=found)
        messages.success(
            request, _("Stopped. Only the administrator of the server can end it now.")
        )
        return redirect("league:members", slug=request.club.slug)
    with telling(request):
        is_gone = service.remove_member(member=found, by=request.user)
        text = _("Role removed. Their invitation links for several people have ended too.")
        messages.success(request, text if is_gone else _ends_in_a_week())
    if found.user_id == request.user.pk:
        return redirect("league:club_list")
    return redirect("league:members", slug=request.club.slug)


def _ends_in_a_week() -> str:
    return _("They are told. Their role ends in a week, unless they stop it.")


@require_POST
@club_view(Right.OWN, keep_first=True)
def withdraw(request: ClubRequest, offer: int) -> HttpResponse:
    service.withdraw_offer(club=request.club, offer_id=offer, by=request.user)
    messages.success(request, _("Offer withdrawn."))
    return redirect("league:members", slug=request.club.slug)


@club_view(Right.BELONG, keep_first=True)
def leave(request: ClubRequest) -> HttpResponse:
    """Explain what leaving means, and leave the club."""
    own = get_object_or_404(
        request.club.memberships.select_related("user", "club"), user=request.user
    )
    if request.method != "POST":
        return page(request, "league/clubs/leave.html", {})
    with telling(request, _("You left %(club)s.") % {"club": request.club.name}):
        service.leave_club(member=own)
        return redirect("league:club_list")
    return redirect("league:leave", slug=request.club.slug)


@login_required
def offers(request: SignedInRequest) -> HttpResponse:
    """List the roles that clubs offer the user, and decline them all."""
    if request.method == "POST":
        service.decline_offers(user=request.user)
        messages.success(request, _("All offers declined."))
        return redirect("offers")
    return render(request, "accounts/offers.html", {"offers": offers_to(request.user)})


@require_POST
@login_required
def answer(request: SignedInRequest, offer: int) -> HttpResponse:
    """Accept or decline a role offer; a second tap is told that it was answered."""
    found = RoleOffer.objects.to(request.user).filter(pk=offer).first()
    if found is None:
        messages.error(request, _("This offer was answered or withdrawn."))
        return redirect("offers")
    if request.POST.get("act") != "accept":
        service.decline_offer(offer=found, user=request.user)
        messages.success(request, _("Offer declined."))
        return redirect("offers")
    shows_ways = "shows_ways" in request.POST
    with telling(request, _("Welcome to %(club)s.") % {"club": found.club.name}):
        service.accept_offer(offer=found, user=request.user, shows_ways=shows_ways)
        return redirect("league:club", slug=found.club.slug)
    return redirect("offers")
