"""API views of clubs and players."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers as s
from rest_framework.exceptions import NotAuthenticated, NotFound
from rest_framework.generics import ListAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from engine.rules.ruleset import Ruleset
from league.base.acts import locks
from league.base.api.filters import example
from league.base.api.views import ClubView, Pages
from league.base.lookup import find_player
from league.base.rights import Right
from league.clubs.acts import bins, clubs, players
from league.clubs.api import serializers as out
from league.clubs.facts import club_rules
from league.clubs.facts.search import named
from league.clubs.pages.bins import binned_clubs, find_binned
from league.models import Club
from tables.api.manners import Manners
from tables.base.lookup import or_raise
from tables.refusals import REASONS, Refusal


def asked_rules(club: Club, key: str) -> Ruleset:
    """Return the rules of a preset's key or of the digest of the club's own; Refusal for others."""
    try:
        return club_rules.chosen(club, key)
    except KeyError:
        raise Refusal(REASONS["no_such_rules"], "no_such_rules", field="ruleset") from None


NAMED: dict[str, s.Field[Any, Any, Any, Any]] = {"q": s.CharField()}
FIND = OpenApiParameter(
    "q", str, description="Only names that contain each of these words, with or without accents."
)


@extend_schema(parameters=[FIND])
class Clubs(Manners, ListAPIView[Club]):
    """Return public clubs, and those in which the caller has a role."""

    filters = NAMED

    serializer_class = out.ClubOut

    def get_queryset(self) -> QuerySet[Club]:
        seen = Club.objects.public()
        if isinstance(self.request.user, User):
            seen |= Club.objects.of(self.request.user)
        return named(seen, self.asked.get("q", ""))

    @extend_schema(
        parameters=[],
        request=out.ClubIn,
        responses={201: out.ClubOut},
    )
    def post(self, request: Request) -> Response:
        """Create a club, which is yours."""
        if not isinstance(request.user, User):
            raise NotAuthenticated
        data = self.checked(out.ClubIn)
        data |= clubs.read_clock(data["time_zone"])
        data["unit"] = data["unit"] or clubs.usual_unit(data["time_zone"])
        return Response(out.ClubOut(clubs.create_club(by=request.user, **data)).data, status=201)


class ClubDetail(ClubView):
    needs_to_write = Right.OWN

    def lock_to_change(self) -> None:
        locks.club(self.club.pk)

    @extend_schema(responses=out.ClubOut)
    def get(self, request: Request, slug: str) -> Response:
        """Return one club."""
        return Response(out.ClubOut(self.club).data)

    @extend_schema(request=out.ClubChangeIn, responses=out.ClubOut)
    def patch(self, request: Request, slug: str) -> Response:
        """Change a club's name, time zone or unit, or whether everyone may see it."""
        club, data = self.club, self.checked(out.ClubChangeIn)
        public, shows = data.pop("is_public", None), data.pop("shows_names", None)
        data |= clubs.read_clock(data["time_zone"]) if "time_zone" in data else {}
        unchanged = {
            name: getattr(club, name) for name in ("name", "time_zone", "unit", "embed_hosts")
        }
        with transaction.atomic():
            clubs.change_club(club=club, by=self.user, **unchanged | data)
            changed = clubs.set_public(club=club, by=self.user, is_public=public, shows_names=shows)
        return Response(out.ClubOut(changed).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str) -> Response:
        """Put an unused club in its owner's bin for 30 days. 409: the club is in use."""
        bins.bin_club(club=self.club, by=self.user)
        return Response(status=204)


class ClubBin(Manners):
    pagination_class = Pages
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses=out.BinnedClubOut(many=True))
    def get(self, request: Request) -> Response:
        """Return the caller's clubs in the bin, latest first."""
        assert isinstance(request.user, User)
        found = binned_clubs(request.user)
        pages = self.pagination_class()
        page = pages.paginate_queryset(found, request, view=self)
        return pages.get_paginated_response(out.BinnedClubOut(page, many=True).data)

    @extend_schema(
        request=out.RestoreClubIn,
        responses=out.ClubOut,
        examples=[example("A club", {"slug": "test"})],
    )
    def post(self, request: Request) -> Response:
        """Restore a club from the bin. 404: it is not in the caller's bin."""
        assert isinstance(request.user, User)
        club = or_raise(
            find_binned(request.user, self.checked(out.RestoreClubIn)["slug"]), NotFound()
        )
        return Response(out.ClubOut(bins.restore_club(club=club, by=request.user)).data)


class Players(ClubView):
    filters = NAMED

    @extend_schema(responses=out.PlayerOut(many=True), parameters=[FIND])
    def get(self, request: Request, slug: str) -> Response:
        """Return the club's players, without names merged into others."""
        found = self.club.players.filter(merged_into=None)
        return self.pages(out.PlayerOut, named(found, self.asked.get("q", "")))

    @extend_schema(
        request=out.PlayerIn,
        responses={201: out.NamedPlayerOut},
        examples=[example("Somebody new", {"name": "Nguyễn Lan"})],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Add a player."""
        data = self.checked(out.PlayerIn)
        made = players.add_player(club=self.club, name=data["name"], by=self.user)
        return Response(out.NamedPlayerOut(made).data, status=201)


class PlayerDetail(ClubView):
    def lock_to_change(self) -> None:
        locks.club(self.club.pk)

    @extend_schema(responses=out.PlayerOut)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return one player; `merged_into` is the player of whom this is another name."""
        return Response(out.PlayerOut(find_player(self.club, pk)).data)

    @extend_schema(request=out.PlayerIn, responses=out.NamedPlayerOut)
    def patch(self, request: Request, slug: str, pk: int) -> Response:
        """Rename the player."""
        data = self.checked(out.PlayerIn)
        named = players.rename_player(
            player=find_player(self.club, pk), name=data["name"], by=self.user
        )
        return Response(out.NamedPlayerOut(named).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Put an unused player in the bin for 30 days. 409: the player is in use."""
        bins.bin_player(player=find_player(self.club, pk), by=self.user)
        return Response(status=204)
