"""A first night from a list of names, for people with or without an account."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from engine.rules.ruleset import Ruleset
from league.base.acts import links
from league.base.domain.names import identity
from league.base.lookup import season_of_people
from league.clubs.acts import clubs, holding, players
from league.clubs.domain.player_lists import Listed
from league.models import Club, Entrant, Player, Round
from league.nights.acts import attendance, draws, events, swaps
from league.nights.domain.night_formats import NightFormat
from league.nights.domain.night_plans import NightPlan
from league.nights.facts.waitlist import drawn_queue
from league.seasons.acts import seasons
from tables.base.columns import set_columns
from tables.base.faces import Face, face_of
from tables.base.places import City
from tables.base.row_locks import enter

STARTS = 7
"""The key space of the advisory locks of starts."""
LEAST, MOST = 3, 300
"""The fewest and most people of a first night."""
ONE_TABLE = 7
"""Up to this many players share one table: last place gives up the seat."""


@dataclass(frozen=True)
class FirstNight:
    """What a first night is asked to be; `exchanged` are pairs of `names` that change seats.

    Without a `club` it begins one at `place`, which is not public; a club has its own rules.
    """

    names: list[str]
    ruleset: Ruleset
    games: int
    stake: int
    seed: int
    place: City
    exchanged: Sequence[tuple[int, int]] = ()
    club: Club | None = None


@dataclass(frozen=True)
class Seated:
    """A name with its place in the list and the face it gets."""

    number: int
    name: str
    face: Face


@dataclass(frozen=True)
class FirstDraw:
    """The tables of a first night before it is started, each in seat order, and who waits."""

    tables: list[list[Seated]]
    waiting: list[Seated]
    clockwise: bool


@transaction.atomic
def start(*, by: User | None, phone: str, night: FirstNight) -> Round:
    """Start the night and release its first round; a second call with the same seed returns it.

    Without an account (`by` None) the phone holds the new club.
    """
    enter(STARTS, night.seed, alone=True)
    own = by or holding.stand_in_of(phone)
    started = Round.objects.filter(number=1, seed=night.seed, status=Round.Status.RELEASED)
    before = started.filter(event__season__club__in=Club.objects.of(own)).first()
    if before is not None:
        return before
    draft, _entrants = _draft(own, "" if by else phone, night)
    links.keep_for_night(event=draft.event, by=own)
    return draws.release_round(round_=draft, by=own)


def preview(*, by: User | None, phone: str, night: FirstNight) -> FirstDraw:
    """Return the draw that `start` would release, without saving anything."""
    with transaction.atomic():
        own = by or holding.stand_in_of(phone)
        draft, entrants = _draft(own, "" if by else phone, night)
        seated = {
            one.pk: Seated(number, one.player.name, one.player.face)
            for number, one in enumerate(entrants)
        }
        waiting = drawn_queue(draft) or draft.byes.values_list("entrant", flat=True)
        sittings = draft.sittings.order_by("table_no")
        found = FirstDraw(
            [[seated[place.entrant_id] for place in table.seated] for table in sittings],
            [seated[key] for key in waiting],
            draft.event.is_clockwise,
        )
        transaction.set_rollback(True)
    return found


def _draft(by: User, phone: str, night: FirstNight) -> tuple[Round, list[Entrant]]:
    """Return the draft of a new night's first round, and its entrants in the order of the names."""
    club = night.club or clubs.create_club(
        name=_("Our table"),
        by=by,
        time_zone=night.place.zone,
        place=night.place.en,
        unit=clubs.usual_unit(night.place.zone),
        held_by=phone,
    )
    people = _players(club, night.names, by)
    season = season_of_people(club) or seasons.begin_season(club=club, by=by, ruleset=night.ruleset)
    few = len(people) <= ONE_TABLE
    now = timezone.localtime(timezone=ZoneInfo(club.time_zone))
    event = events.create_event(
        season=season,
        by=by,
        name=events.default_name(season, now.date()),
        date=now.date(),
        starts_at=now.time().replace(second=0, microsecond=0),
        plan=NightPlan(
            NightFormat("loser_leaves" if few else "rounds"),
            stake=night.stake,
            games_per_round=night.games,
        ),
    )
    keys = [player.pk for player in people]
    attendance.set_presence(event=event, player_ids=keys, presence="here", by=by)
    found = {entrant.player_id: entrant for entrant in event.entrants.select_related("player")}
    entrants = [found[key] for key in keys]
    draft = draws.draw_round(event=event, by=by, seed=night.seed)
    for a, b in night.exchanged:
        draft = swaps.swap(round_=draft, a=entrants[a].pk, b=entrants[b].pk, by=by)
    return draft, entrants


def _players(club: Club, names: list[str], by: User) -> list[Player]:
    """Return the club's players with these names; a new club's get the faces that were shown."""
    keys = [identity(name) for name in names]
    rows = club.players.filter(name_key__in=keys, bot="").select_related("merged_into")
    known = {player.name_key: player.merged_into or player for player in rows}
    new = [(number, name) for number, name in enumerate(names) if keys[number] not in known]
    is_new = not club.players.exists()
    listed = [Listed(number, name, "", None) for number, name in new]
    for (number, name), player in zip(
        new, players.add_listed(club=club, listed=listed, by=by), strict=True
    ):
        if is_new:  # Elsewhere another may have that face.
            set_columns(player, **face_of(number + 1)._asdict())
        known[identity(name)] = player
    return list(dict.fromkeys(known[key] for key in keys))
