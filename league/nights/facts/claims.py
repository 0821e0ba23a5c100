"""Which phone is whose tonight."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models.functions import Coalesce

from league.models import Claim, Event, Player, SignUpAnswer


def held(event: Event, phone: str) -> Claim | None:
    """Return who holds this phone in the event, if anyone said so."""
    if not phone:
        return None
    found = Claim.objects.filter(event=event, phone_hash=phone, ended_at=None)
    return found.select_related("player").first()


def holders(event: Event) -> list[Claim]:
    """Return everyone whose phone is known, by name."""
    found = event.claims.filter(ended_at=None).select_related("player")
    return list(found.order_by("player__sort_key"))


def known(event: Event, people: Iterable[Player]) -> set[int]:
    """Return the keys of those of these people whose phone is known."""
    found = event.claims.filter(player__in=people, ended_at=None)
    return set(found.values_list("player_id", flat=True))


def known_player(event: Event, phone: str) -> int | None:
    """Return whom this phone may be: its last person in the club, else who answered from it."""
    if not phone:
        return None
    answers = SignUpAnswer.objects.filter(sign_up__event=event, device=phone).order_by("-at")
    claims = Claim.objects.filter(
        event__season__club=event.season.club_id, phone_hash=phone, ended_at=None
    )
    whose = Coalesce("player__merged_into_id", "player_id")
    answered: int | None = answers.values_list(whose, flat=True).first()
    return claims.order_by("-pk").values_list(whose, flat=True).first() or answered
