"""Lookups of a club's rows by the parts of a URL; a missing row raises Http404."""

from typing import TypeVar

from django.contrib.auth.models import AnonymousUser
from django.db.models import Case, Exists, Model, OuterRef, Q, QuerySet, When
from django.http import Http404

from accounts.models import User
from league.base import rights
from league.base.joined import Joined
from league.base.rights import Right
from league.models import Club, Event, Player, Round, Season, Sitting, shown_names
from tables.base.lookup import or_404
from tables.models import Run

Row = TypeVar("Row", bound=Model)

_EVENT = Joined(
    """
    SELECT {columns}
    FROM league_event event
    JOIN league_season season ON season.id = event.season_id
    LEFT JOIN tables_run run ON run.id = event.run_id
    WHERE event.id = %(event)s AND season.club_id = %(club)s AND event.binned_at IS NULL
    """,
    event=Event,
    season=Season,
    run=Run,
)

_MONEY = "stake_result"
"""The points table `scoring.points.STAKE_RESULT`, whose points are money."""


def first_or_404(rows: QuerySet[Row]) -> Row:
    """Return the first row; raise Http404 without a message if there is none."""
    return or_404(rows.first())


def find_club(user: User | AnonymousUser, slug: str) -> tuple[Club, Right]:
    """Return the club and the user's right in it; from now on names are as that right sees them.

    Raises Http404 also for a club that the user may not see.
    """
    club = Club.objects.filter(slug=slug).order_by().first()
    right = None if club is None else rights.highest(user, club)
    if club is None or right is None:
        raise Http404
    club.shows_money = right >= Right.BELONG
    shown_names.read_as(None if club.shows_money else club.shows_names)
    return club, right


def seasons_to_see(club: Club) -> QuerySet[Season]:
    """Return the club's seasons that the visitor of `find_club` may see.

    A season whose points are money is hidden from visitors who may not see money.
    """
    seasons = club.seasons.all()
    return seasons if club.shows_money else without_money_points(seasons)


def without_money_points(seasons: QuerySet[Season]) -> QuerySet[Season]:
    """Return the seasons whose points are not money, which strangers may see."""
    nights = Event.objects.filter(season=OuterRef("pk"), scoring__points_table=_MONEY)
    return seasons.exclude(Q(scoring__points_table=_MONEY) | Exists(nights))


def season_of_people(club: Club, *, or_closed: bool = False) -> Season | None:
    """Return the club's open season that ranks people: of today, else the latest; or None.

    With `or_closed` the latest closed one where none is open.
    """
    today = club.today
    is_on = Q(starts_on__lte=today) & (Q(ends_on=None) | Q(ends_on__gte=today))
    is_open = Q(status=Season.Status.OPEN)
    found = seasons_to_see(club).filter(Q() if or_closed else is_open, ranks_bots=False)
    first = Case(When(is_on & is_open, then=0), When(is_open, then=1), default=2)
    return found.select_related("ruleset").order_by(first, "-starts_on", "-pk").first()


def find_season(club: Club, pk: int) -> Season:
    found = first_or_404(seasons_to_see(club).filter(pk=pk).select_related("ruleset"))
    found.club = club
    return found


def find_event(club: Club, pk: int) -> Event:
    rows = _EVENT(club=club.pk, event=pk)
    if not rows:
        raise Http404
    found: Event
    found, found.season, found.run = rows[0]
    found.season.club = club
    if not club.shows_money and points_are_money(found):
        raise Http404
    return found


def find_night(club: Club, pk: int) -> Event:
    """Return the club's night with that key; bot tournaments are none."""
    found = find_event(club, pk)
    if found.kind != Event.Kind.NIGHT:
        raise Http404
    return found


def find_tournament(club: Club, pk: int) -> Event:
    """Return the club's bot tournament with that key; nights are none."""
    found = find_event(club, pk)
    or_404(found.run)
    return found


def points_are_money(event: Event) -> bool:
    """Return whether the event's or its season's points are money, so that both show it."""
    return _MONEY in (event.scoring["points_table"], event.season.scoring["points_table"])


def find_player(club: Club, pk: int) -> Player:
    """Return the club's player with that key, also a merged name."""
    return first_or_404(club.players.filter(pk=pk).select_related("club", "user", "merged_into"))


def find_person(club: Club, pk: int) -> Player:
    """Return the player with that key; for a merged name, the player it was merged into."""
    found = find_player(club, pk)
    return found.merged_into or found


def find_round(event: Event, number: int, right: Right) -> Round:
    """Return the event's round; drafts only for organisers."""
    found = first_or_404(event.rounds.filter(number=number))
    if found.status == Round.Status.DRAFT and right < Right.ORGANISE:
        raise Http404
    return found


def find_sitting(event: Event, number: int, table_no: int) -> Sitting:
    """Return the table of a released round of the event."""
    sittings = Sitting.objects.filter(
        round__event=event,
        round__number=number,
        round__status=Round.Status.RELEASED,
        table_no=table_no,
    )
    return first_or_404(sittings.select_related("round"))
