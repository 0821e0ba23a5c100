"""A night, read once: who came, who sits where, who waits, the places; each at its first use."""

from __future__ import annotations

import datetime
import zoneinfo
from collections.abc import Collection
from functools import cached_property

from django.db.models import Count, Q
from django.utils import timezone

from league.base.facts import links
from league.models import Entrant, Event, Place, Player, Round
from league.models.result import latest
from league.nights.facts.answers import ListAnswers, answers_to
from league.nights.facts.clock import Clock, clock_of
from league.nights.facts.events import Attention, attention, playing_now, rounds_of
from league.nights.facts.final_places import Placed, event_places
from league.nights.facts.stages import Played
from league.seasons.facts.standings import Standing, entrants_of, event_standings

DOORS_OPEN = datetime.timedelta(minutes=30)
"""How long before the start the night's link allows check-in."""


class Night:
    """A night; each part takes a fixed number of queries at its first use, and none after."""

    def __init__(self, event: Event) -> None:
        self.event = event

    @cached_property
    def entrants(self) -> dict[int, Entrant]:
        """The entrants by key, with the players that they count for."""
        return {entrant.pk: entrant for entrant in entrants_of([self.event])}

    @cached_property
    def people(self) -> list[Entrant]:
        """The entrants by name, without bots."""
        people = [one for one in self.entrants.values() if not one.player.bot]
        return sorted(people, key=lambda one: one.player.sort_key)

    @cached_property
    def here(self) -> list[Entrant]:
        """The people who are here, by name."""
        return [one for one in self.people if one.presence == Entrant.Presence.HERE]

    @cached_property
    def expected(self) -> list[Player]:
        """The people who have not come yet, by name."""
        return [one.player for one in self.people if one.presence == Entrant.Presence.EXPECTED]

    def of(self, players: Collection[int]) -> list[Entrant]:
        """Return these players' entrants, by name."""
        return [one for one in self.people if one.player_id in players]

    def presence_of(self, player: Player) -> str:
        found = (one.presence for one in self.of([player.pk]))
        return next(found, Entrant.Presence.EXPECTED.value)

    @cached_property
    def rounds(self) -> list[Round]:
        """The rounds with their tables, places and sit-outs, drafts included: for organisers."""
        return rounds_of(self.event, with_drafts=True, entrants=self.entrants)

    @cached_property
    def released(self) -> list[Round]:
        """The rounds that everyone may see, with their tables, places and sit-outs."""
        if "rounds" in vars(self):
            return [one for one in self.rounds if one.status == Round.Status.RELEASED]
        return rounds_of(self.event, with_drafts=False, entrants=self.entrants)

    @cached_property
    def attention(self) -> Attention:
        """The tables that need someone, and those online."""
        return attention(self.event)

    @cached_property
    def playing(self) -> Round | None:
        """The latest released round."""
        if {"rounds", "released"} & vars(self).keys():
            return self.released[-1] if self.released else None
        return playing_now(self.event)

    @cached_property
    def clock(self) -> Clock | None:
        """The clock of the round that is played, as it is now."""
        return clock_of(self.playing)

    @cached_property
    def answers(self) -> ListAnswers | None:
        """The answers to its sign-up list; None without one."""
        return answers_to(self.event, self.people)

    @cached_property
    def seats(self) -> list[Place]:
        """The seats of the latest released round as they are held now, by table and seat.

        `games_settled` are those of the table: see `Sitting.objects.with_games_played`.
        """
        if self.playing is None:
            return []
        held = Place.objects.filter(round=self.playing, to_game=None).select_related("sitting")
        settled = Count("sitting__results", filter=latest("sitting__results__"))
        held = held.annotate(games_settled=settled)
        seats: list[Place] = [*held.order_by("sitting__table_no", "seat")]
        for place in seats:
            place.entrant, place.sitting.round = self.entrants[place.entrant_id], self.playing
        return seats

    @cached_property
    def drawn(self) -> set[int]:
        """The keys of the players who had a seat in a released round, or sat one out."""
        released = Round.Status.RELEASED
        been = Q(places__round__status=released) | Q(byes__round__status=released)
        keys = set(self.event.entrants.filter(been).values_list("pk", flat=True))
        return {one.player_id for one in self.people if one.pk in keys}

    @cached_property
    def queue(self) -> list[int]:
        """The keys of the entrants who wait for a seat, the first one first."""
        present = [e for e in self.entrants.values() if e.presence == Entrant.Presence.HERE]
        return [e.pk for e in sorted(present, key=lambda e: e.ticket or 0) if e.ticket is not None]

    @cached_property
    def secrets(self) -> dict[int, str]:
        """The secrets of the tables' links, by table number."""
        return {number: link.secret for number, link in links.of_tables(self.event).items()}

    @cached_property
    def played(self) -> Played:
        """Its games and people, to rank those of a table or a stage."""
        return Played(self.event, entrants=self.entrants.values())

    @cached_property
    def standings(self) -> list[Standing]:
        return event_standings(self.event, entrants=self.entrants.values())

    @cached_property
    def places(self) -> list[Placed]:
        """The places, best first: those of the standings until a game of a final counts."""
        return event_places(self.event, self.standings)

    def doors_open(self, *, all_day: bool) -> bool:
        """Return whether the night starts in half an hour or less, or someone is here.

        A night without an hour has its doors open `all_day`, too.
        """
        event = self.event
        zone = zoneinfo.ZoneInfo(event.season.club.time_zone)
        hour = None if all_day else event.starts_at
        starts = datetime.datetime.combine(event.date, hour or datetime.time(), tzinfo=zone)
        early = DOORS_OPEN if hour else datetime.timedelta()
        return starts - early <= timezone.now() or bool(self.here)
