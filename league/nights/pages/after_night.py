"""A closed night behind its links: the result, and the debts of the phone's player."""

from __future__ import annotations

from typing import Any

from league.models import Claim, Entrant, Event, Player
from league.nights.facts import claims as phones
from league.nights.facts.final_places import event_places
from league.nights.pages import my_night


def after_night(event: Event, own: Claim | None, *, may_claim: bool) -> dict[str, Any]:
    """Return the night's places, what `own` still owes, and who can still claim a phone."""
    places = [place for place in event_places(event) if place.row.games]
    player = (own.player.merged_into or own.player) if own else None
    return {
        "places": places,
        "money": my_night.own_money(event, player) if player and event.stake else None,
        "findable": _without_phone(event) if may_claim else [],
        "next_night": my_night.next_night(event),
    }


def _without_phone(event: Event) -> list[Player]:
    """Return the players who came to the night and have no phone, by name."""
    came = (Entrant.Presence.HERE, Entrant.Presence.LEFT)
    people = Player.objects.people().filter(entries__event=event, entries__presence__in=came)
    taken = {claim.player_id for claim in phones.holders(event)}
    return [player for player in people.order_by("sort_key") if player.pk not in taken]
