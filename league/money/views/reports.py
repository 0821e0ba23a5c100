"""What a payer says was paid, and the answer of the payee or an organiser."""

from collections.abc import Sequence

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.sessions import account_of
from league.base.lookup import find_event, find_person, find_season, first_or_404
from league.base.rights import Right
from league.base.views.base import (
    ClubRequest,
    club_view,
    must_see_money,
    own_players,
    telling,
)
from league.models import Event, Player, ReportedPayment, Season
from league.money.acts import reports
from league.money.facts import open_debts
from league.money.views.money import back_to, form_key
from tables.numbers import whole_number


@require_POST
@club_view(Right.SEE, of=find_season)
def report(request: ClubRequest, season: Season) -> HttpResponse:
    """Note what the visitor says was paid, or answer what another says."""
    event_key = whole_number(request.POST.get("event"))
    event = find_event(request.club, event_key) if event_key else None
    if event is not None and event.season_id != season.pk:
        raise Http404
    must_see_money(request, event)
    may_answer = request.right >= Right.ORGANISE
    with telling(request):
        take(request, season, event, own_players(request, event), may_answer=may_answer)
    return back_to(request, season, event)


def take(
    request: HttpRequest,
    season: Season,
    event: Event | None,
    own: Sequence[int],
    *,
    may_answer: bool = False,
) -> None:
    """Do what the form says for the visitor's players `own`.

    `may_answer` lets the visitor answer what others should have received.
    """
    by = account_of(request)
    if "payee" in request.POST:
        payee = find_person(season.club, whole_number(request.POST["payee"]) or 0)
        reports.report(
            season=season,
            event=event,
            payer=first_or_404(_payers(season, event, own, payee)),
            payee=payee,
            amount=whole_number(request.POST.get("amount")) or 0,
            by=by,
            client_id=form_key(request),
        )
        messages.success(request, _("%(name)s is asked whether it arrived.") % {"name": payee})
        return
    found = season.reported.filter(pk=whole_number(request.POST.get("report")) or 0)
    row = first_or_404(found.select_related("payer__merged_into", "payee__merged_into"))
    does, may_answer = request.POST.get("do"), may_answer or _is_of(row.payee, own)
    if does == "yes" and may_answer:
        reports.confirm(report=row, by=by)
        messages.success(request, _("Posted."))
    elif does == "no" and may_answer:
        reports.end(report=row, outcome=ReportedPayment.Outcome.REFUSED, by=by)
        messages.success(request, _("%(name)s is told.") % {"name": row.payer})
    elif does == "withdraw" and _is_of(row.payer, own):
        reports.end(report=row, outcome=ReportedPayment.Outcome.WITHDRAWN, by=by)
        messages.success(request, _("Withdrawn."))
    else:
        raise Http404


def _payers(
    season: Season, event: Event | None, own: Sequence[int], payee: Player
) -> QuerySet[Player]:
    """Return the visitor's players, the one that owes the payee first."""
    debt = open_debts.owed_by(own, payee.pk, season, event)
    found = season.club.players.filter(pk__in=own)
    return found.filter(pk=debt.payer.player_id or 0) if debt else found


def _is_of(player: Player, own: Sequence[int]) -> bool:
    return (player.merged_into_id or player.pk) in own
