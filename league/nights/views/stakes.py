"""Another stake at one table, from its next game on."""

from django.http import Http404, HttpResponse
from django.shortcuts import redirect

from league.base.forms import MoneyField
from league.base.views.base import ClubRequest, incomplete_form, page, telling
from league.nights.acts import stakes
from league.nights.domain.night_plans import MOST_STAKE
from league.nights.facts import sittings
from league.nights.pages import stake_offer
from league.nights.pages.desk import Desk
from tables.numbers import whole_number


def stake(request: ClubRequest, desk: Desk) -> HttpResponse:
    """Show what another stake pays, propose one, or answer the proposal."""
    number = sittings.next_number(desk.sitting)
    places = sittings.places_at(desk.sitting, number)
    own = stake_offer.own_entrant(places, desk.viewer.own)
    if not desk.sees_money or not desk.event.stake or not (desk.may_enter or own):
        raise Http404
    if request.method == "POST":
        with telling(request):
            _act(request, desk, own)
        return redirect(desk.here)
    chosen = 0
    if typed := request.GET.get("stake", ""):
        with telling(request):
            chosen = _field(desk).clean(typed)
    found = stake_offer.stake_page(desk, places, number, chosen)
    return page(request, "league/nights/stake.html", {"event": desk.event, "page": found})


def _field(desk: Desk) -> MoneyField:
    field = MoneyField(min_value=1, max_value=MOST_STAKE)
    field.widget.unit = desk.event.season.unit
    return field


def _act(request: ClubRequest, desk: Desk, own: int | None) -> None:
    if (key := whole_number(request.POST.get("offer"), 18)) is not None:
        agrees = request.POST.get("do") == "agree"
        if own is None and (agrees or not desk.may_enter):
            raise incomplete_form()
        stakes.answer(
            sitting_id=desk.sitting.pk,
            offer_id=key,
            agrees=agrees,
            by=desk.viewer.by,
            entrant_id=own,
        )
        return
    if not desk.may_enter or not (amount := whole_number(request.POST.get("stake"))):
        raise incomplete_form()
    stakes.offer(sitting_id=desk.sitting.pk, stake=amount, by=desk.viewer.by, entrant_id=own)
