"""API of events: entrants, rounds, results, status, ceremony and bin."""

from dataclasses import asdict
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.urls import ResolverMatch, resolve, reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers as fields
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from engine.rules.specials import Special
from league.base.acts import locks
from league.base.api.filters import KEY, SINCE, UPDATED, example
from league.base.api.views import ClubView
from league.base.lookup import (
    find_event,
    find_round,
    find_season,
    find_sitting,
    seasons_to_see,
)
from league.base.page_parts import Button
from league.base.pages.address import address
from league.base.rights import Right
from league.models import Event, Player, Result, Transfer
from league.models.result import latest
from league.nights import online
from league.nights.acts import (
    attendance,
    bins,
    ceremony,
    closing,
    draws,
    events,
    night_settings,
    results,
    roll_calls,
    stakes,
)
from league.nights.api import serializers as s
from league.nights.facts import ceremony as kept_back
from league.nights.facts import events as selector
from league.nights.facts import final_places
from league.nights.facts.night import Night
from league.nights.facts.progress import progress_of
from league.nights.pages import my_night
from league.nights.pages.bins import binned
from league.nights.pages.needs import Need, lacking, to_confirm
from league.nights.pages.needs import needs as needs_of
from league.nights.pages.next_step import step_of
from league.seasons.acts import seasons
from league.seasons.api.serializers import StandingOut
from league.seasons.facts.rosters import crew_of

SEASON = OpenApiParameter("season", int, description="Only events of this season.")
STATUS = OpenApiParameter("status", str, enum=["open", "closed"])
ROUND = OpenApiParameter("round", int, description="Only results of this round.")
GAME = {
    "round": 1,
    "table": 1,
    "game": 1,
    "groups": [[11], [14], [12, 13]],
    "client_id": "0b1f6f0a-6f0e-4f7a-9a52-0a9b3c1f5d10",
}

CHOPPED = {
    "round": 1,
    "table": 2,
    "game": 1,
    "groups": [[15], [16], [17], [18]],
    "specials": [
        {"kind": "chop", "by": 15, "of": 17, "what": "R"},
        {"kind": "cong", "of": 18},
    ],
    "client_id": "5a0c1a52-6f35-4a5c-9a3e-0d4a4bb0b9c1",
}


QUEUE = {
    "season": 2,
    "name": "Tối thứ Sáu",
    "date": "2026-11-27",
    "counting": "average",
    "stake": 5,
    "format": {"kind": "loser_leaves", "tables": 2, "cap": 3, "look": 2},
}

FINAL = {"format": {"kind": "groups", "groups": 4, "group_rounds": 3, "final": 8}}


class Events(ClubView):
    filters = {
        "season": KEY,
        "status": fields.ChoiceField(Event.Status.choices),
        "updated_since": SINCE,
    }

    @extend_schema(responses=s.EventOut(many=True), parameters=[SEASON, STATUS, UPDATED])
    def get(self, request: Request, slug: str) -> Response:
        """Return the club's events, the latest first."""
        found = Event.objects.filter(season__in=seasons_to_see(self.club))
        for name in ("season", "status"):
            if name in self.asked:
                found = found.filter(**{name: self.asked[name]})
        if since := self.asked.get("updated_since"):
            found = found.filter(selector.changed_since(since))
        return self.pages(s.EventOut, found)

    @extend_schema(
        request=s.EventIn,
        responses={201: s.EventOut},
        examples=[example("Last one out", QUEUE)],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create a night with the season's rules and points; `format` says how it is run."""
        data = self.checked(s.EventIn)
        season = find_season(self.club, data.pop("season"))
        called = {name: data.pop(name) for name in night_settings.CALLED}
        plan = events.read_plan(data)
        made = events.create_event(season=season, by=self.user, plan=plan, **called)
        return Response(self.data_of(s.EventOut, made), status=201)


class EventView(ClubView):
    """A view of one event."""

    def lock_to_change(self) -> None:
        locks.event(self.kwargs["pk"])


class EventDetail(EventView):
    @extend_schema(responses=s.EventOut)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return one event; `version` rises with every change to it."""
        return Response(self.data_of(s.EventOut, find_event(self.club, pk)))

    @extend_schema(
        request=s.EventChangeIn,
        responses=s.EventOut,
        examples=[example("Groups and final", FINAL)],
    )
    def patch(self, request: Request, slug: str, pk: int) -> Response:
        """Change an open night; the kind of its format is fixed once a round is drawn.

        With `version`, 409 if the night has changed since that version.
        """
        event, data = find_event(self.club, pk), self.checked(s.EventChangeIn)
        worth = {name: data.pop(name) for name in ("gives", "weight") if name in data}
        with transaction.atomic():
            if data or not worth:
                event = self._settings(event, data)
            if worth:
                event = seasons.set_worth(event=event, by=self.user, **worth)
        return Response(self.data_of(s.EventOut, event))

    def _settings(self, event: Event, data: dict[str, Any]) -> Event:
        event = locks.event(event.pk)
        version = data.pop("version", None)
        called = {name: data.pop(name, getattr(event, name)) for name in night_settings.CALLED}
        when = {
            "stake_from": data.pop("stake_from", ""),
            "corrects": data.pop("corrects_stake", None),
        }
        plan = events.read_plan(event.plan.to_json() | data)
        return night_settings.change_settings(
            event=event, by=self.user, plan=plan, version=version, **called, **when
        )

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Put an unused night in the bin for 30 days. 409: it is in use."""
        bins.bin_event(event=find_event(self.club, pk), by=self.user)
        return Response(status=204)


class EventNow(ClubView):
    @extend_schema(responses=s.NowOut)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return the night's next step and open needs in the requested language."""
        event, hosts = find_event(self.club, pk), self.right >= Right.ORGANISE
        night = Night(event)
        state, now = progress_of(night, sees_drafts=hosts), night.attention
        to, step = partial(address, event), None
        if hosts and event.is_open:
            next_ = step_of(night, state)
            step = {
                "sentences": [*filter(None, [next_.title, *next_.sentences, next_.left_out])],
                "actions": [
                    _to_api(event, action) | {"body": _body(action)}
                    for action in [*next_.actions, *next_.below]
                ],
            }
        needs = {
            name: [_to_api(event, need) for need in found]
            for name, found in (
                ("needs", needs_of(now.calls, now.disputes, to)),
                ("lacking", lacking(state, to) if event.is_open else []),
                ("to_confirm", to_confirm(now.unconfirmed, to)),
            )
        }
        return Response(s.NowOut({"version": event.version, "step": step} | needs).data)


_OF_PAGE = {
    "check_in": "entrants",
    "draw": "rounds",
    "round": "round",
    "event_status": "event_status",
    "sign_up": "sign_up",
    "ceremony": "event_ceremony",
}


def _to_api(event: Event, action: Button | Need) -> dict[str, object]:
    """Return what a page shows, with the API address that does the same beside the page's.

    The address is None where the API has none.
    """
    page = _page_of(action)
    club, name = event.season.club.slug, page.url_name or ""
    if name in ("table", "game"):
        address = f"{reverse('api:results', args=[club, event.pk])}?round={page.kwargs['number']}"
        return asdict(action) | {"address": address, "page": action.address}
    more = [page.kwargs["number"]] if "number" in page.kwargs else []
    there = _OF_PAGE.get(name)
    api = reverse(f"api:{there}", args=[club, event.pk, *more]) if there else None
    return asdict(action) | {"address": api, "page": action.address}


def _page_of(action: Button | Need) -> ResolverMatch:
    """Return the page to which the action leads, whatever is asked of it."""
    return resolve(action.address.partition("?")[0])


def _body(action: Button) -> dict[str, object]:
    """Return the request body that corresponds to this button."""
    if not action.posts or (_page_of(action).url_name or "") not in _OF_PAGE:
        return {}
    body: dict[str, object] = {action.name: action.value} if action.name else {}
    if (number := dict(action.hidden).get("round")) is not None:
        body |= {"number": int(number), "version": 0}
    return body


class EventStandings(ClubView):
    @extend_schema(responses=StandingOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return the points from all of the event's games, most first.

        In an event with stages they have no ranks: `places` has its places.
        """
        event = find_event(self.club, pk)
        return self.pages(StandingOut, final_places.points_of_games(event), unit=event.season.unit)


class EventPlaces(ClubView):
    @extend_schema(responses=s.PlacedOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return the event's places, best first: those of its final, then those eliminated."""
        return self.pages(s.PlacedOut, final_places.event_places(find_event(self.club, pk)))


class EventCeremony(EventView):
    needs = Right.ORGANISE

    @extend_schema(responses=s.PlacedOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return the places with held results included."""
        return self.pages(s.PlacedOut, kept_back.all_places(find_event(self.club, pk)))

    @extend_schema(
        request=s.CeremonyIn,
        responses=s.EventOut,
        examples=[example("The last place", {"told": 0})],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Reveal the next place, the last one first, or everything at once."""
        event, seen = find_event(self.club, pk), self.checked(s.CeremonyIn)["told"]
        if seen is None:
            found = ceremony.reveal_all(event=event, by=self.user)
        else:
            found = ceremony.reveal_next(event=event, revealed=seen, by=self.user)
        return Response(self.data_of(s.EventOut, found))


class Bin(ClubView):
    needs = Right.ORGANISE

    @extend_schema(responses=s.BinnedOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Return the rows that can be restored, the latest first."""
        return self.pages(s.BinnedOut, binned(self.club))

    @extend_schema(
        request=s.RestoreIn,
        responses={204: None},
        examples=[example("A night", {"kind": "event", "key": 7})],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Restore a row. 409: its 30 days are over, or its season is in the bin or closed."""
        bins.restore(club=self.club, by=self.user, **self.checked(s.RestoreIn))
        return Response(status=204)


class EventCall(EventView):
    @extend_schema(
        request=s.RollCallIn,
        responses=s.EventOut,
        examples=[example("Ten minutes", {"minutes": 10})],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Start a roll call: players still missing when the time is up become absent."""
        event, data = find_event(self.club, pk), self.checked(s.RollCallIn)
        if data["minutes"]:
            found = roll_calls.start(event=event, minutes=data["minutes"], by=self.user)
        else:
            found = roll_calls.stop(event=event, by=self.user)
        return Response(self.data_of(s.EventOut, found))


class Entrants(EventView):
    @extend_schema(responses=s.EntrantOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return the event's entrants with their presence, by name."""
        found = find_event(self.club, pk).entrants.select_related("player")
        return self.pages(s.EntrantOut, found.order_by("player__sort_key", "pk"))

    @extend_schema(
        request=s.PresenceIn,
        responses=s.EntrantOut(many=True),
        examples=[example("Two came", {"players": [3, 5], "presence": "here"})],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Mark players as here, expected or left."""
        event, data = find_event(self.club, pk), self.checked(s.PresenceIn)
        attendance.set_presence(
            event=event,
            player_ids=set(data["players"]),
            presence=data["presence"],
            by=self.user,
        )
        return self.get(request, slug, pk)


class EventTeam(EventView):
    """The caller's own team, for its captain."""

    needs_to_write = Right.SEE

    @extend_schema(responses=s.OwnTeamOut)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return the caller's team-mates; captains only."""
        event = find_event(self.club, pk)
        return Response(s.OwnTeamOut(my_night.own_team(event, self._captain(event), "")).data)

    @extend_schema(
        request=s.PresenceIn,
        responses=s.OwnTeamOut,
        examples=[example("One sits in", {"players": [5], "presence": "here"})],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Set which team-mates sit in (`here`) or out (`expected`); captains only."""
        event = find_event(self.club, pk)
        captain, data = self._captain(event), self.checked(s.PresenceIn)
        attendance.set_presence(
            event=event,
            player_ids=set(data["players"]),
            presence=data["presence"],
            by=self.user,
            captain=captain,
        )
        return self.get(request, slug, pk)

    def _captain(self, event: Event) -> Player:
        if not self.request.user.is_authenticated:
            raise NotAuthenticated
        for player in self.club.players.filter(user=self.user, merged_into=None):
            if crew_of(event.season_id, player) is not None:
                return player
        raise PermissionDenied


class Rounds(EventView):
    @extend_schema(responses=s.RoundOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return the rounds with their tables and seats; drafts for organisers only."""
        drafts = self.right >= Right.ORGANISE
        return self.pages(
            s.RoundOut, selector.rounds_of(find_event(self.club, pk), with_drafts=drafts)
        )

    @extend_schema(
        request=s.DrawIn,
        responses={201: s.RoundOut},
        examples=[example("A draft", {"method": "few_repeats"})],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Draft the next round for everyone who is here, replacing an earlier draft.

        409: the draws do not match `number` and `version`.
        """
        event, data = find_event(self.club, pk), self.checked(s.DrawIn)
        drawn = draws.draw_round(event=event, by=self.user, **data)
        return Response(_round(event, drawn.number), status=201)


class RoundView(EventView):
    """A view of one round; `If-Match` is compared with the response of `rounds/{n}/`."""

    def seen(self, request: Request, slug: str, pk: int, number: int) -> Response:
        event = find_event(self.club, pk)
        find_round(event, number, self.right)
        return Response(_round(event, number))


class RoundDetail(RoundView):
    @extend_schema(responses=s.RoundOut)
    def get(self, request: Request, slug: str, pk: int, number: int) -> Response:
        """Return one round with its tables and seats; a draft for organisers only."""
        return self.seen(request, slug, pk, number)


class ReleaseRound(RoundView):
    @extend_schema(
        request=s.SeenDrawIn,
        responses=s.RoundOut,
        examples=[example("The draft as seen", {"version": 12})],
    )
    def post(self, request: Request, slug: str, pk: int, number: int) -> Response:
        """Release a draft, so that results can be saved. 409: the draft has changed."""
        event, data = find_event(self.club, pk), self.checked(s.SeenDrawIn)
        draws.release_round(
            round_=find_round(event, number, self.right), by=self.user, version=data["version"]
        )
        return Response(_round(event, number))


class DiscardRound(RoundView):
    @extend_schema(
        request=s.DiscardIn,
        responses={204: None},
        examples=[example("Why", {"reason": "two came late"})],
    )
    def post(self, request: Request, slug: str, pk: int, number: int) -> Response:
        """Discard a draft, or withdraw the last round while it has no results.

        A released round needs a reason. 409: the draw has changed.
        """
        event, data = find_event(self.club, pk), self.checked(s.DiscardIn)
        draws.discard_round(round_=find_round(event, number, self.right), by=self.user, **data)
        return Response(status=204)


class EventStatus(ClubView):
    @extend_schema(request=s.EventStatusIn, responses=s.EventOut)
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Close or reopen the night. 409: games are missing or disputed."""
        event, data = find_event(self.club, pk), self.checked(s.EventStatusIn)
        if data["status"] == Event.Status.OPEN:
            done = closing.reopen_event(event=event, by=self.user)
        else:
            online.tables().take_games(event=event)
            done = closing.close_event(
                event=event, by=self.user, despite_unfinished=data["despite_unfinished"]
            )
        return Response(self.data_of(s.EventOut, done))


def _round(event: Event, number: int) -> dict[str, Any]:
    """Return the round as the API represents it."""
    [found] = [r for r in selector.rounds_of(event, with_drafts=True) if r.number == number]
    data: dict[str, Any] = s.RoundOut(found).data
    return data


class TableStake(EventView):
    needs_to_write = Right.SCORE

    @extend_schema(
        request=s.TableStakeIn,
        responses={201: s.TableStakeOut},
        examples=[example("Twice as much", {"round": 1, "table": 2, "stake": 10})],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Change one table's stake from its next game on; its players are asked on their phones."""
        event, data = find_event(self.club, pk), self.checked(s.TableStakeIn)
        sitting = find_sitting(event, data["round"], data["table"])
        found = stakes.offer(
            sitting_id=sitting.pk, stake=data["stake"], by=self.user, entrant_id=None
        )
        return Response(self.data_of(s.TableStakeOut, found), status=201)


class Results(EventView):
    filters = {"round": KEY, "updated_since": SINCE}
    needs_to_write = Right.SCORE

    @extend_schema(responses=s.ResultOut(many=True), parameters=[ROUND, UPDATED])
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return the games that count, ordered by round, table and game."""
        visible = latest() if self.right >= Right.ORGANISE else Q(current=True)
        event = find_event(self.club, pk)
        found = (
            Result.objects.filter(visible, sitting__round__event=event)
            .select_related("sitting__round__event")
            .prefetch_related("placings__entrant__player")
            .order_by("sitting__round__number", "sitting__table_no", "game_no")
        )
        if "round" in self.asked:
            found = found.filter(sitting__round__number=self.asked["round"])
        since = self.asked.get("updated_since")
        # What was kept back is news once it is told, however long ago it was entered.
        if since and not (event.told_at and event.told_at >= since):
            # A corrected stake posts a game's money again.
            posted = Transfer.objects.filter(event=event, at__gte=since)
            found = found.filter(Q(at__gte=since) | Q(pk__in=posted.values("result")))
        return self.pages(s.ResultOut, found, unit=event.season.unit)

    @extend_schema(
        request=s.ResultIn,
        responses={201: s.ResultOut},
        examples=[
            example("A new game, two share third place", GAME),
            example("With a chop and somebody who played no card", CHOPPED),
            example(
                "The same game corrected", GAME | {"version": 1, "groups": [[14], [11], [12, 13]]}
            ),
        ],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Save a table's next game, or correct one. 409: someone else was faster."""
        event, data = find_event(self.club, pk), self.checked(s.ResultIn)
        sitting = find_sitting(event, data["round"], data["table"])
        specials = [Special(**special) for special in data["specials"]]
        if data["version"] is None:
            result = results.record(
                sitting_id=sitting.pk,
                game_no=data["game"],
                groups=data["groups"],
                specials=specials,
                client_id=data["client_id"],
                by=self.user,
            )
        else:
            result = results.correct(
                sitting_id=sitting.pk,
                game_no=data["game"],
                version=data["version"],
                groups=data["groups"],
                specials=specials,
                client_id=data["client_id"],
                by=self.user,
                reason=data["reason"],
                void=data["void"],
            )
        return Response(self.data_of(s.ResultOut, result, unit=event.season.unit), status=201)
