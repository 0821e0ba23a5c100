"""Claims: which phone belongs to which player tonight."""

from datetime import timedelta

from django.db.models.functions import Coalesce
from django.utils import timezone

from league.models import Claim, Event, SignUpAnswer


def held(event: Event, phone: str) -> Claim | None:
    """Return the phone's claim in the event, if it has one."""
    if not phone:
        return None
    found = Claim.objects.filter(event=event, phone_hash=phone, ended_at=None)
    return found.select_related("player").first()


def night_of(phone: str) -> int | None:
    """Return the key of the latest night since yesterday, else the next, where it has a name."""
    if not phone:
        return None
    since = timezone.now().date() - timedelta(days=2)
    held = Claim.objects.filter(phone_hash=phone, ended_at=None, event__date__gte=since)
    claims = held.select_related("event__season__club").order_by("event__date", "pk")
    nights = [claim.event for claim in claims if claim.event.days_ahead >= -1]
    begun = [night for night in nights if night.days_ahead <= 0]
    return next((night.pk for night in [*reversed(begun), *nights]), None)


def holders(event: Event) -> list[Claim]:
    """Return the event's active claims, by player name."""
    found = event.claims.filter(ended_at=None).select_related("player")
    return list(found.order_by("player__sort_key"))


def known_player(event: Event, phone: str) -> int | None:
    """Return the player of the phone's last claim in the club, else of its last sign-up answer."""
    if not phone:
        return None
    answers = SignUpAnswer.objects.filter(sign_up__event=event, device=phone).order_by("-at")
    claims = Claim.objects.filter(
        event__season__club=event.season.club_id, phone_hash=phone, ended_at=None
    )
    whose = Coalesce("player__merged_into_id", "player_id")
    answered: int | None = answers.values_list(whose, flat=True).first()
    return claims.order_by("-pk").values_list(whose, flat=True).first() or answered
