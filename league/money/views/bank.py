"""How a person is paid: the form for one's own, and the page that shows it to who owes them."""

from collections.abc import Callable
from functools import partial

from allauth.account.decorators import reauthentication_required
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.security_log import Kind, note
from accounts.signed_in import SignedInRequest
from league.base.lookup import find_event, find_person, find_season, season_of_people
from league.base.rights import Right
from league.base.views.base import (
    ClubRequest,
    club_view,
    form_status,
    must_see_money,
    own_players,
    page,
    telling,
)
from league.models import FormerWay, PaymentWay, Player
from league.money.acts import payment_ways
from league.money.domain.banks import BANKS
from league.money.facts import open_debts, reports
from league.money.facts import payment_ways as facts
from league.money.forms import PaymentWayForm
from league.money.pages.pay import how_to_pay
from tables.base.lookup import or_404
from tables.numbers import whole_number


@never_cache
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
def my_bank(request: SignedInRequest) -> HttpResponse:
    """Show and change how the account is paid, and in which clubs who owes it sees that."""
    user = request.user
    players = Player.objects.filter(user=user, merged_into=None).select_related("club")
    shown = players.filter(pk=whole_number(request.POST.get("player")) or 0).first()
    if shown is not None:
        payment_ways.show(player=shown, shown=request.POST.get("shown") == "1")
        return redirect("my_bank")
    place = whole_number(request.GET.get("place", "")) or 1
    ways = {one.place: one for one in PaymentWay.objects.filter(user=user)}
    save = partial(payment_ways.leave, user=user, place=place)
    answer = edit(
        request,
        ways.get(place),
        save,
        reverse("my_bank" if len(ways) > 1 or place > 1 else "me"),
        former=facts.former(user, user=user),
        players=players,
        others=[(key, facts.called(one)) for key, one in sorted(ways.items()) if key != place],
        free=next(
            (key for key in range(1, payment_ways.MOST + 1) if key not in {*ways, place}), None
        ),
    )
    if answer.status_code == 302:
        note(Kind.PAID_TO, user, request=request)
    return answer


@never_cache
@club_view(Right.ORGANISE)
def player_bank(request: ClubRequest, pk: int) -> HttpResponse:
    """Show and change how a player without an account is paid, or confirm what a phone left."""
    player = find_person(request.club, pk)
    if "confirm" in request.POST:
        way = whole_number(request.POST["confirm"]) or 0
        with telling(request, _("Confirmed.")):
            payment_ways.confirm(player=player, way=way, by=request.user)
        return redirect("league:player_bank", slug=request.club.slug, pk=pk)
    written = PaymentWay.objects.filter(player__in=player.names, by__isnull=False)
    details = written.order_by("place").first()
    save = partial(payment_ways.leave_for, player=player, by=request.user)
    back = reverse("league:player", args=[request.club.slug, pk])
    left = [
        (one, BANKS.get(one.bank, one.bank), facts.said_by(one, request.club.pk))
        for one in facts.unconfirmed(player)
    ]
    return edit(
        request,
        details,
        save,
        back,
        player=player,
        whose=player.name,
        said=facts.said_by(details, request.club.pk) if details else "",
        former=facts.former(request.user, player__in=player.names),
        left=left,
    )


def edit(
    request: HttpRequest,
    way: PaymentWay | None,
    save: Callable[..., object],
    back: str,
    *,
    former: FormerWay | None,
    player: Player | None = None,
    **context: object,
) -> HttpResponse:
    """Show the form of a way to be paid, and save it; `player` has no account of their own.

    `former` is what the writer had before, which fills the form again.
    """
    names = ("bank", "number", "holder", "words")
    filled = former if former is not None and "again" in request.GET else way
    initial = {name: getattr(filled, name) for name in names} if filled else {}
    form = PaymentWayForm(request.POST or None, initial=initial)
    if form.is_valid():
        with telling(request, _("Saved."), form):
            save(**form.cleaned_data)
            return redirect(back)
    context |= {"form": form, "back": back, "player": player, "former": former}
    return render(request, "league/money/my_bank.html", context, status=form_status(form))


@never_cache
@club_view(Right.SEE)
def pay(request: ClubRequest, pk: int) -> HttpResponse:
    """Show how to pay a player, to those who owe them in the night or the season."""
    event_key, season_key = (whole_number(request.GET.get(name)) for name in ("event", "season"))
    event = find_event(request.club, event_key) if event_key else None
    must_see_money(request, event)
    season = find_season(request.club, season_key) if season_key else season_of_people(request.club)
    season = or_404(event.season if event else season)
    payee = find_person(request.club, pk)
    debt = open_debts.owed_by(own_players(request, event), payee.pk, season, event)
    how = report = no = None
    if debt is not None:
        report = reports.between(season, debt.payer.player_id or 0, payee.pk)
        no = reports.refused(season, debt.payer.player).get(payee.pk)
        how = how_to_pay(
            payee, amount=debt.amount, unit=season.unit, payer=str(debt.payer), event=event
        )
    context: dict[str, object] = {"how": how, "event": event, "season": season, "payee": payee}
    context |= {"debt": debt, "report": report, "refused": no}
    return page(request, "league/money/pay.html", context)
