"""Plus and minus: side debts between players at a table, each with a note."""

import uuid

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.acts import locks, repeats
from league.models import Posting, Sitting
from league.money.acts import postings
from league.nights.facts import sittings
from tables.refusals import Refusal


@transaction.atomic
def note(
    *,
    sitting_id: int,
    payer_id: int,
    payee_id: int,
    amount: int,
    word: str,
    client_id: uuid.UUID,
    by: User | None,
) -> Posting:
    """Record a side debt between two entrants at the table.

    Sending the same `client_id` again records nothing. Refusal: `key_reused` for another debt,
    `not_allowed` where the night has no plus and minus, `players` where one of them does not sit
    there, `amount`, `note`, and as in `locks.table_to_change`.
    """
    found = Sitting.objects.filter(pk=sitting_id).values_list("round__event__season", flat=True)
    if season := found.first():
        locks.season(season)
    sitting, event = locks.table_to_change(sitting_id)
    if event.postings.filter(client_id=client_id).exists():  # They may sit elsewhere by now.
        people = {one.pk: one.player for one in event.entrants.filter(pk__in=(payer_id, payee_id))}
        repeats.check_same({payer_id, payee_id} <= people.keys())
    else:
        if not event.may_note_side:
            raise Refusal(_("Plus and minus is off for this night."), code="not_allowed")
        places = sittings.places_at(sitting, sittings.next_number(sitting))
        people = {place.entrant_id: place.entrant.player for place in places}
        if payer_id not in people or payee_id not in people:
            raise Refusal(
                _("Choose two people who sit at this table. Reload the page."), code="players"
            )
        if not word.strip():
            raise Refusal(_("Enter a reason."), field="note")
    return postings.post_side(
        season=event.season,
        event=event,
        payer=people[payer_id],
        payee=people[payee_id],
        amount=amount,
        note=word,
        by=by,
        client_id=client_id,
    )
