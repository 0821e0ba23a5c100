"""The ledger: balances, payments that settle them, transfers and entries."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Q
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league.base.acts import locks
from league.base.api.filters import KEY, SINCE, UPDATED, example
from league.base.api.serializers import ClientIdIn
from league.base.api.views import ClubView
from league.base.lookup import find_event, find_season, first_or_404
from league.models import Player, Posting, ReportedPayment, Season
from league.money.acts import postings
from league.money.acts import reports as acts
from league.money.api import serializers as s
from league.money.facts import money, open_debts, reports
from tables.refusals import Refusal

EVENT = OpenApiParameter("event", int, description="Only what belongs to this event.")
POSTED = "c1f0a1d2-53ad-4d35-8f7e-0d6d1a7f9b10"
NEEDED = {
    "settlement": ["payer", "payee"],
    "cost": ["bearers"],
    "fee": ["bearers"],
    "prize": ["player"],
}


class SeasonBalances(ClubView):
    is_money = True

    @extend_schema(responses=s.BalanceOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return everyone's balance over the season, in the smallest part of its currency."""
        season = find_season(self.club, pk)
        found = money.money_page(money.sums_of_season(season))
        return self.pages(s.BalanceOut, found.balances, unit=season.unit)


class SeasonPayments(ClubView):
    is_money = True

    @extend_schema(responses=s.PaymentOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return the payments that settle the season, the largest first; tonight's once closed."""
        season = find_season(self.club, pk)
        return self.pages(s.PaymentOut, open_debts.of_season(season), unit=season.unit)


class SeasonTransfers(ClubView):
    is_money = True
    filters = {"event": KEY, "updated_since": SINCE}

    @extend_schema(responses=s.TransferOut(many=True), parameters=[EVENT, UPDATED])
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return every transfer of the season with its reason, the latest first."""
        season = find_season(self.club, pk)
        found = money.of_season(season)
        if "event" in self.asked:
            found = found.filter(event=self.asked["event"])
        if "updated_since" in self.asked:
            found = found.filter(at__gte=self.asked["updated_since"])
        return self.pages(s.TransferOut, money.Lines(found), unit=season.unit)


class Postings(ClubView):
    is_money = True
    filters = {"updated_since": SINCE}

    def lock_to_change(self) -> None:
        locks.season(self.kwargs["pk"])

    @extend_schema(responses=s.PostingOut(many=True), parameters=[UPDATED])
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return the season's payments, shared costs, fees and prizes, the latest first."""
        season = find_season(self.club, pk)
        found = money.postings_of(season)
        if since := self.asked.get("updated_since"):
            found = found.filter(Q(at__gte=since) | Q(undone__gte=since))
        return self.pages(s.PostingOut, found, unit=season.unit)

    @extend_schema(
        request=s.PostingIn,
        responses={201: s.PostingOut},
        examples=[
            example(
                "Two settled in cash",
                {"kind": "settlement", "payer": 3, "payee": 5, "amount": 20, "client_id": POSTED}),
            example(
                "The losers pay the coffee, which 5 laid out",
                {"kind": "cost", "bearers": [3, 7], "paid_by": 5, "amount": 60, "note": "cà phê",
                 "client_id": POSTED}),
            example(
                "An entry fee of a night",
                {"kind": "fee", "bearers": [3, 5, 7], "amount": 10, "event": 1,
                 "client_id": POSTED}),
            example(
                "A prize",
                {"kind": "prize", "player": 5, "amount": 100, "client_id": POSTED}),
        ],
    )  # fmt: skip
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Post a cash payment, a shared cost, a fee or a prize."""
        season, data = find_season(self.club, pk), self.checked(s.PostingIn)
        return Response(_shown(season, self._post(season, data)), status=201)

    def _post(self, season: Season, data: dict[str, Any]) -> Posting:
        kind = data["kind"]
        for name in NEEDED[kind]:
            if not data.get(name):
                raise Refusal(_("Required for this kind of entry."), field=name)
        shared: postings.EntryFields = {
            "season": season,
            "event": find_event(self.club, data["event"]) if data["event"] else None,
            "amount": data["amount"],
            "note": data["note"],
            "client_id": data["client_id"],
            "by": self.user,
        }
        if kind == "settlement":
            payer, payee = self._people([data["payer"], data["payee"]])
            return postings.settle(payer=payer, payee=payee, **shared)
        if kind == "prize":
            [player] = self._people([data["player"]])
            return postings.award_prize(player=player, **shared)
        bearers = self._people(data["bearers"])
        if kind == "fee":
            return postings.charge_fee(players=bearers, **shared)
        paid_by = self._people([data["paid_by"]])[0] if data["paid_by"] else None
        return postings.share_cost(bearers=bearers, paid_by=paid_by, **shared)

    def _people(self, keys: Iterable[int]) -> list[Player]:
        wanted = list(keys)
        found = self.club.players.select_related("merged_into").in_bulk(wanted)
        if any(key not in found for key in wanted):
            raise Http404
        return [found[key].merged_into or found[key] for key in wanted]


class ReversePosting(ClubView):
    @extend_schema(
        request=ClientIdIn,
        responses={201: s.PostingOut},
        examples=[example("Withdraw", {"client_id": POSTED})],
    )
    def post(self, request: Request, slug: str, pk: int, posting: int) -> Response:
        """Reverse an entry by its mirror image. 409: it was reversed before."""
        season, data = find_season(self.club, pk), self.checked(ClientIdIn)
        found = first_or_404(season.postings.filter(pk=posting))
        postings.reverse(posting=found, by=self.user, client_id=data["client_id"])
        return Response(_shown(season, found), status=201)


class ReportedPayments(ClubView):
    is_money = True

    @extend_schema(responses=s.ReportedPaymentOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return what payers of the season say was paid and nobody answered, the oldest first."""
        season = find_season(self.club, pk)
        return self.pages(s.ReportedPaymentOut, reports.open_reports(season), unit=season.unit)


class AnswerReport(ClubView):
    @extend_schema(
        request=s.ReportAnswerIn,
        responses={204: None},
        examples=[example("It arrived", {"received": True})],
    )
    def post(self, request: Request, slug: str, pk: int, report: int) -> Response:
        """Post a reported payment, or refuse it. 409: it was answered before."""
        season, data = find_season(self.club, pk), self.checked(s.ReportAnswerIn)
        found = first_or_404(season.reported.filter(pk=report))
        if data["received"]:
            acts.confirm(report=found, by=self.user)
        else:
            acts.end(report=found, outcome=ReportedPayment.Outcome.REFUSED, by=self.user)
        return Response(status=204)


def _shown(season: Season, posting: Posting) -> dict[str, Any]:
    """Return the posting as the list shows it; for a reversal, the posting that it reverses."""
    key = posting.reverses_id or posting.pk
    found, context = money.postings_of(season).get(pk=key), {"unit": season.unit}
    data: dict[str, Any] = s.PostingOut(found, context=context).data
    return data
