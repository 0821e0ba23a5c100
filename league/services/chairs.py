"""Who sits at a table while a round is being played: late comers, leavers, substitutes.

Nothing played is touched: a chair changes hands from the table's next game on.
"""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from accounts.models import User
from league.models import Bye, Entrant, Event, Place, Sitting
from league.selectors import sittings
from league.services import audit, events
from tables.services import rulesets


@transaction.atomic
def leave(
    *, sitting_id: int, entrant_id: int, by: User, substitute_id: int | None = None
) -> Place | None:
    """Somebody leaves the table and the night; `substitute_id` takes the chair, if anybody does.

    ValidationError: `gone` when that player no longer sits there, `too_few` when too few are left,
    `seated` when the substitute has sat at a table of this round already.
    """
    sitting, event, number = _open_table(sitting_id)
    places = sittings.places_at(sitting, number)
    place = next((place for place in places if place.entrant_id == entrant_id), None)
    if place is None:
        raise ValidationError(_("This player no longer sits here. Look again."), code="gone")
    if substitute_id is None:
        _refuse_too_few(event, len(places) - 1)
    _empty(place, number)
    Entrant.objects.filter(pk=entrant_id).update(presence=Entrant.Presence.LEFT)
    taken = None
    if substitute_id is not None:
        taken = _sit(sitting, event, substitute_id, seat=place.seat, number=number)
    _tell(sitting, event, by, number, left=entrant_id, came=substitute_id)
    return taken


@transaction.atomic
def join(*, sitting_id: int, entrant_id: int, by: User) -> Place:
    """Somebody who came late sits down in a new chair, after the last one.

    ValidationError: `too_many` when the ruleset has no chair more, `seated` as above.
    """
    sitting, event, number = _open_table(sitting_id)
    places = sittings.places_at(sitting, number)
    most = rulesets.thaw(event.ruleset).max_players
    if len(places) >= most:
        raise ValidationError(
            _("These rules seat %(most)s at a table at most. Choose another table."),
            code="too_many",
            params={"most": most},
        )
    last = sitting.places.order_by("-seat").values_list("seat", flat=True)[0]
    place = _sit(sitting, event, entrant_id, seat=last + 1, number=number)
    _tell(sitting, event, by, number, came=entrant_id)
    return place


def _open_table(sitting_id: int) -> tuple[Sitting, Event, int]:
    """The table, its event with the row locked, and the number of its next game."""
    sitting = Sitting.objects.select_related("round").get(pk=sitting_id)
    event = events.lock(sitting.round.event_id)
    number = sittings.next_number(sitting)
    if event.games_per_round and number > event.games_per_round:
        raise ValidationError(_("All games of this round are played."), code="full")
    return sitting, event, number


def _empty(place: Place, number: int) -> None:
    """The chair is free from game `number` on."""
    if place.from_game >= number:
        place.delete()
    else:
        place.to_game = number - 1
        place.save(update_fields=["to_game"])


def _sit(sitting: Sitting, event: Event, entrant_id: int, *, seat: int, number: int) -> Place:
    entrant = event.entrants.select_related("player").filter(pk=entrant_id).first()
    if entrant is None:
        raise ValidationError(_("This player is not on tonight's list. Look again."), code="gone")
    if Place.objects.filter(round=sitting.round, entrant=entrant).exists():
        raise ValidationError(
            _("%(name)s has sat at a table of this round already."),
            code="seated",
            params={"name": entrant.player.name},
        )
    entrant.presence = Entrant.Presence.HERE
    entrant.save(update_fields=["presence"])
    Bye.objects.filter(round=sitting.round, entrant=entrant).delete()
    return Place.objects.create(
        sitting=sitting, round=sitting.round, entrant=entrant, seat=seat, from_game=number
    )


def _refuse_too_few(event: Event, count: int) -> None:
    least = max(2, rulesets.thaw(event.ruleset).min_players)
    if count < least:
        raise ValidationError(
            _("These rules need %(least)s at a table. Choose who takes the chair."),
            code="too_few",
            params={"least": least},
        )


def _tell(sitting: Sitting, event: Event, by: User, number: int, **who: int | None) -> None:
    Sitting.objects.filter(pk=sitting.pk).update(version=F("version") + 1)
    audit.log(
        "table.seats",
        club=event.season.club,
        by=by,
        event=event,
        table=sitting.table_no,
        from_game=number,
        **who,
    )
