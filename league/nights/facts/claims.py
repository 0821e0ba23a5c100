"""Claims: which phone belongs to which player tonight."""

from collections.abc import Iterable
from datetime import timedelta

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.models import User
from league.base.phone_keys import keys_of
from league.models import Claim, Club, Entrant, Event, SignUpAnswer

RECENT = timedelta(days=2)
"""How long a night leads its phones to it, by any clock."""


def held(event: Event, phone: str) -> Claim | None:
    """Return the phone's claim in the event, if it has one."""
    if not phone:
        return None
    keys = keys_of(phone, event.season.club_id)
    found = Claim.objects.filter(event=event, phone_hash__in=keys, ended_at=None)
    return found.select_related("player").first()


def night_of(phone: str, last_used: int | None = None) -> int | None:
    """Return the key of the night since yesterday that the phone's holder is at, else the next.

    Of several it is one that is open and, of those, the one that the phone used last, else the
    latest.
    """
    nights = [claim.event for claim in of_nights(phone, RECENT) if claim.event.days_ahead >= -1]
    begun = [night for night in reversed(nights) if night.days_ahead <= 0]
    begun.sort(key=lambda night: (not night.is_open, night.pk != last_used))
    return next((night.pk for night in [*begun, *nights]), None)


def of_nights(phone: str, since: timedelta) -> list[Claim]:
    """Return the phone's names in nights of the time since then, by date."""
    if not phone:
        return []
    held = of_phone(phone, Claim.objects.filter(event__date__gte=timezone.now().date() - since))
    held = held.filter(event__binned_at=None, event__season__club__closed_at=None)
    found = held.select_related("event__season__club", "player__merged_into")
    return list(found.order_by("event__date", "pk"))


def here_elsewhere(
    event: Event, user: User | AnonymousUser, names: Iterable[Claim]
) -> list[Entrant]:
    """Return where else this person is here this evening: the account, or a phone's names."""
    mine = Q(player__user=user) if user.is_authenticated else Q()
    for claim in names:
        if claim.event_id != event.pk and claim.event.is_open:
            mine |= Q(event=claim.event, player=claim.player.merged_into or claim.player)
    if not mine:
        return []
    here = Entrant.objects.filter(
        mine,
        presence=Entrant.Presence.HERE,
        leaves_after=None,
        event__status=Event.Status.OPEN,
        event__kind=Event.Kind.NIGHT,
        event__binned_at=None,
    ).exclude(event=event)
    found = here.select_related("event__season__club").order_by("pk")
    return [one for one in found if -1 <= one.event.days_ahead <= 0]


def knows_others(user: User | AnonymousUser, phone: str, club: Club) -> bool:
    """Return whether this person is known in another club: by the account, or by the phone now."""
    others = Club.objects.filter(closed_at=None).exclude(pk=club.pk)
    if user.is_authenticated:
        plays = Q(players__user=user, players__merged_into=None)
        if others.filter(Q(memberships__user=user) | plays).exists():
            return True
    if not phone:
        return False
    recent = timezone.now().date() - RECENT
    held = Claim.objects.filter(event__date__gte=recent, event__season__club__in=others)
    return of_phone(phone, held).exists()


def of_phone(phone: str, among: QuerySet[Claim]) -> QuerySet[Claim]:
    """Return those of the claims that are the phone's, in whichever clubs."""
    active = among.filter(ended_at=None)
    clubs = active.order_by().values_list("event__season__club", flat=True).distinct()
    return active.filter(phone_hash__in=[key for club in clubs for key in keys_of(phone, club)])


def holders(event: Event) -> list[Claim]:
    """Return the event's active claims, by player name."""
    found = event.claims.filter(ended_at=None).select_related("player")
    return list(found.order_by("player__sort_key"))


def known_player(event: Event, phone: str) -> int | None:
    """Return the player of the phone's last claim in the club, else of its last sign-up answer."""
    if not phone:
        return None
    club = event.season.club_id
    keys = keys_of(phone, club)
    answers = SignUpAnswer.objects.filter(sign_up__event=event, device__in=keys).order_by("-at")
    claims = Claim.objects.filter(event__season__club=club, phone_hash__in=keys, ended_at=None)
    whose = Coalesce("player__merged_into_id", "player_id")
    answered: int | None = answers.values_list(whose, flat=True).first()
    return claims.order_by("-pk").values_list(whose, flat=True).first() or answered
