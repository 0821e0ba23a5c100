"""Bank details: the form for one's own, and the page that shows a member how to pay."""

from collections.abc import Callable
from functools import partial

from allauth.account.decorators import reauthentication_required
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.models import User
from accounts.security_log import Kind, note
from league.base.lookup import find_event, find_person
from league.base.rights import Right
from league.base.views.base import (
    ClubRequest,
    club_view,
    form_status,
    must_see_money,
    page,
    perform,
)
from league.models import BankDetails, Player
from league.money.acts import bank_details
from league.money.forms import BankDetailsForm
from league.money.pages.pay import how_to_pay
from tables.numbers import whole_number


@never_cache
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
def my_bank(request: HttpRequest) -> HttpResponse:
    """Show and change the account's own bank details."""
    assert isinstance(request.user, User)
    details = BankDetails.objects.filter(user=request.user).first()
    save = partial(bank_details.leave, user=request.user)
    answer = edit(request, details, save, reverse("me"))
    if answer.status_code == 302:
        note(Kind.PAID_TO, request.user, request=request)
    return answer


@never_cache
@club_view(Right.ORGANISE)
def player_bank(request: ClubRequest, pk: int) -> HttpResponse:
    """Show and change how a player without an account is paid."""
    player = find_person(request.club, pk)
    details = BankDetails.objects.filter(player=player).first()
    save = partial(bank_details.leave_for, player=player, by=request.user)
    back = reverse("league:player", args=[request.club.slug, pk])
    return edit(request, details, save, back, player=player)


def edit(
    request: HttpRequest,
    details: BankDetails | None,
    save: Callable[..., object],
    back: str,
    player: Player | None = None,
) -> HttpResponse:
    """Show the form of bank details, and save it; `player` has no account of their own."""
    names = ("bank", "number", "holder", "words")
    initial = {name: getattr(details, name) for name in names} if details else {}
    form = BankDetailsForm(request.POST or None, initial=initial)
    if form.is_valid() and perform(request, partial(save, **form.cleaned_data), _("Saved."), form):
        return redirect(back)
    context = {"form": form, "back": back, "player": player}
    return render(request, "league/money/my_bank.html", context, status=form_status(form))


@never_cache
@club_view(Right.SEE)
def pay(request: ClubRequest, pk: int) -> HttpResponse:
    """Show how to pay another player of the club, to those who may see its money."""
    must_see_money(request)
    keys = {name: whole_number(request.GET.get(name)) for name in ("amount", "payer", "event")}
    event = find_event(request.club, keys["event"]) if keys["event"] else None
    payer = find_person(request.club, keys["payer"]).name if keys["payer"] else ""
    amount = min(keys["amount"] or 0, 10**12)
    how = how_to_pay(find_person(request.club, pk), amount=amount, payer=payer, event=event)
    if how is None:
        raise Http404
    return page(request, "league/money/pay.html", {"how": how, "event": event})
