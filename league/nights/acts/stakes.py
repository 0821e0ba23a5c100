"""Another stake for one table: proposed from its next game on, until a player there says no."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.acts import audit, locks
from league.models import Event, LiveTable, Place, Sitting, StakeOffer
from league.nights.domain.night_plans import MOST_STAKE
from league.nights.facts import sittings
from tables.base.columns import set_columns
from tables.refusals import Refusal


@transaction.atomic
def offer(*, sitting_id: int, stake: int, by: User | None, entrant_id: int | None) -> StakeOffer:
    """Let the table play its next game for another stake, unless a player there says no.

    `entrant_id` is the player who proposes it, None for an organiser. An earlier offer for the
    same game ends. Refusal: `stake` in a night without one, for the stake of now or none from 1 to
    `MOST_STAKE`, `full`, `live`.
    """
    sitting, event, game_no = _next_game(sitting_id)
    if not event.stake or not 1 <= stake <= MOST_STAKE or stake == event.stake_of(sitting):
        raise Refusal(_("Choose another amount than the stake of now."), code="stake")
    earlier = _open(sitting, game_no)
    was = earlier.was if earlier else sitting.stake
    if earlier:
        _end(earlier, None)
    made = StakeOffer.objects.create(
        sitting=sitting, game_no=game_no, was=was, stake=stake, entrant_id=entrant_id, by=by
    )
    _set(sitting, event, by, stake, game_no)
    return made


@transaction.atomic
def answer(
    *, sitting_id: int, offer_id: int, agrees: bool, by: User | None, entrant_id: int | None
) -> None:
    """Agree to the table's offer, or put the stake back: with a No, or as the offer's undo.

    Refusal: `stale` for an offer that is not open there, as once its game is saved or another
    answer has ended it; `gone` for a player who doesn't sit there.
    """
    sitting, event, game_no = _next_game(sitting_id)
    found = _open(sitting, game_no)
    if found is None or found.pk != offer_id:
        raise Refusal(
            _("This proposal is over: the game is saved, or someone has answered."),
            code="stale",
            status=409,
        )
    seated = Place.objects.filter(sitting=sitting, to_game=None, entrant=entrant_id)
    if entrant_id is not None and not seated.exists():
        raise Refusal(_("This player no longer sits here."), code="gone", status=409)
    if agrees and entrant_id is not None:
        found.agreed.add(entrant_id)
        audit.log_at_table("table.stake_agreed", sitting, by=by, event=event, entrant=entrant_id)
        locks.show_change(event)
        return
    _end(found, entrant_id)
    _set(sitting, event, by, found.was, game_no)


def _next_game(sitting_id: int) -> tuple[Sitting, Event, int]:
    """Return the locked table, its event and next game; Refusal if none can be entered there."""
    sitting, event = locks.table_to_play(sitting_id)
    if LiveTable.objects.filter(sitting=sitting, ended_at=None).exists():
        raise Refusal(
            _("A table is playing online. End online play there first."), code="live", status=409
        )
    game_no = sittings.next_number(sitting)
    if event.games_per_round and game_no > event.games_per_round:
        raise Refusal(_("All games of this round are played."), code="full")
    return sitting, event, game_no


def _open(sitting: Sitting, game_no: int) -> StakeOffer | None:
    return sitting.stake_offers.filter(game_no=game_no, ended_at=None).first()


def _end(found: StakeOffer, entrant_id: int | None) -> None:
    set_columns(found, ended_at=timezone.now(), ended_by_id=entrant_id)


def _set(sitting: Sitting, event: Event, by: User | None, stake: int | None, since: int) -> None:
    old = event.stake_of(sitting)
    sitting.stake = None if stake == event.stake else stake
    changes = {"stake": sitting.stake, "stake_since": since}
    audit.log_at_table(
        "table.stake", sitting, by=by, event=event, changes=changes, old=old,
        new=event.stake_of(sitting),
    )  # fmt: skip
    locks.show_change(event)
