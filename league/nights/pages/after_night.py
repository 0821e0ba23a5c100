"""A closed night behind its links: the result, and the debts of the phone's player."""

from __future__ import annotations

from dataclasses import dataclass

from league.models import Claim, Entrant, Event, Player
from league.nights.facts import claims as phones
from league.nights.facts.final_places import Placed, event_places
from league.nights.pages import my_night
from league.nights.pages.my_night import OwnMoney


@dataclass(frozen=True)
class AfterNight:
    """The night's places, what the phone's player still owes, and who can claim the phone."""

    places: list[Placed]
    money: OwnMoney | None
    findable: list[Player]
    next_night: Event | None


def after_night(event: Event, own: Claim | None, *, may_claim: bool) -> AfterNight:
    player = (own.player.merged_into or own.player) if own else None
    return AfterNight(
        places=[place for place in event_places(event) if place.row.games],
        money=my_night.own_money(event, player) if player and event.stake else None,
        findable=_without_phone(event) if may_claim else [],
        next_night=my_night.next_night(event),
    )


def _without_phone(event: Event) -> list[Player]:
    """Return the players who came to the night and have no phone, by name."""
    came = (Entrant.Presence.HERE, Entrant.Presence.LEFT)
    people = Player.objects.people().filter(entries__event=event, entries__presence__in=came)
    taken = {claim.player_id for claim in phones.holders(event)}
    return [player for player in people.order_by("sort_key") if player.pk not in taken]
