"""The ledger: balances, who pays whom, transfers, and what is posted beside the games."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import ValidationError
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import serializers as s
from league.api.base import ClubView
from league.models import Player, Posting, Season
from league.selectors import money
from league.services import postings

EVENT = OpenApiParameter("event", int, description="Only what belongs to this event.")
POSTED = "c1f0a1d2-53ad-4d35-8f7e-0d6d1a7f9b10"
NEEDED = {
    "settlement": ["payer", "payee"],
    "cost": ["bearers"],
    "fee": ["bearers"],
    "prize": ["player"],
}


class SeasonBalances(ClubView):
    @extend_schema(responses=s.BalanceOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Who won and lost what over the season, in minor units of the club's unit."""
        found = money.money_page(money.sums_of_season(self.season(pk)))
        return self.pages(s.BalanceOut, found.balances)


class SeasonPayments(ClubView):
    @extend_schema(responses=s.PaymentOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """The payments after which nobody owes anybody, the largest first."""
        found = money.money_page(money.sums_of_season(self.season(pk)))
        return self.pages(s.PaymentOut, found.payments)


class SeasonTransfers(ClubView):
    @extend_schema(responses=s.TransferOut(many=True), parameters=[EVENT])
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Every transfer of the season with why it was made, the latest first."""
        found = money.of_season(self.season(pk))
        event = request.query_params.get("event", "")
        if event:
            found = found.filter(event=int(event) if event.isdecimal() and len(event) < 18 else 0)
        return self.pages(s.TransferOut, money.Lines(found))


class Postings(ClubView):
    @extend_schema(responses=s.PostingOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """What was paid, shared, charged and awarded beside the games, the latest first."""
        return self.pages(s.PostingOut, money.postings_of(self.season(pk)))

    @extend_schema(
        request=s.PostingIn,
        responses={201: s.PostingOut},
        examples=[
            OpenApiExample(
                "Two settled in cash",
                {"kind": "settlement", "payer": 3, "payee": 5, "amount": 20, "client_id": POSTED},
                request_only=True,
            ),
            OpenApiExample(
                "The losers pay the coffee, which 5 laid out",
                {"kind": "cost", "bearers": [3, 7], "paid_by": 5, "amount": 60, "note": "cà phê",
                 "client_id": POSTED},
                request_only=True,
            ),
            OpenApiExample(
                "An entry fee of a night",
                {"kind": "fee", "bearers": [3, 5, 7], "amount": 10, "event": 1,
                 "client_id": POSTED},
                request_only=True,
            ),
            OpenApiExample(
                "A prize",
                {"kind": "prize", "player": 5, "amount": 100, "client_id": POSTED},
                request_only=True,
            ),
        ],
    )  # fmt: skip
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Posts a payment in cash, a shared cost, a fee or a prize."""
        season, data = self.season(pk), self.checked(s.PostingIn)
        made = self._post(season, data, request)
        return Response(_shown(season, made), status=201)

    def _post(self, season: Season, data: dict[str, Any], request: Request) -> Posting:
        kind = data["kind"]
        for name in NEEDED[kind]:
            if not data.get(name):
                raise ValidationError({name: _("A posting of this kind needs this.")})
        shared: dict[str, Any] = {
            "season": season,
            "event": self.event(data["event"]) if data["event"] else None,
            "amount": data["amount"],
            "note": data["note"],
            "client_id": data["client_id"],
            "by": request.user,
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
        request=s.ClientIdIn,
        responses={201: s.PostingOut},
        examples=[OpenApiExample("Take it back", {"client_id": POSTED}, request_only=True)],
    )
    def post(self, request: Request, slug: str, pk: int, posting: int) -> Response:
        """Takes a posting back by its mirror image. 409: that was done already."""
        season, data = self.season(pk), self.checked(s.ClientIdIn)
        found = season.postings.filter(pk=posting).first()
        if found is None:
            raise Http404
        postings.reverse(posting=found, by=request.user, client_id=data["client_id"])
        return Response(_shown(season, found), status=201)


def _shown(season: Season, posting: Posting) -> dict[str, Any]:
    """The posting as the list shows it; one that takes another back as that other."""
    key = posting.reverses_id or posting.pk
    data: dict[str, Any] = s.PostingOut(money.postings_of(season).get(pk=key)).data
    return data
