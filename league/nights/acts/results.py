"""The only entry point for results: placings, counts and money of a game in one transaction."""

import uuid
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Subquery
from django.utils.translation import gettext as _

from accounts.models import User
from engine.rules.entered_chops import check_chops
from engine.rules.specials import Special, SpecialError, check_specials
from league.base.acts import audit, locks
from league.base.domain import stored_specials
from league.base.prepared import Prepared, Slot
from league.models import Event, LiveResult, LiveTable, Placing, Result, Sitting
from league.money.acts import ledger
from league.money.facts.money_words import BEATEN
from league.nights.acts import disputes, tallies, waitlist
from league.nights.domain.entry import DOES_NOT_BEAT, PROBLEMS
from league.nights.facts import ceremony, sittings
from league.nights.facts import waitlist as waiting
from tables.models import Game
from tables.refusals import Refusal

Groups = Sequence[Sequence[int]]
"""Entrants' keys by place, first to last; tied entrants form one group."""


class Live(NamedTuple):
    """A game of an online table and the engine's payments in it, by entrant."""

    game: Game
    payments: list[dict[str, Any]]


_BEFORE = Prepared[tuple[int | None, bool, bool]](
    lambda: Sitting.objects.filter(pk=Slot(0)).values_list(
        Subquery(
            Result.objects.filter(sitting=OuterRef("pk")).order_by("-game_no").values("game_no")[:1]
        ),
        Exists(LiveTable.objects.filter(sitting=OuterRef("pk"), ended_at=None)),
        Exists(Result.objects.filter(client_id=Slot(1))),
    )
)
"""A locked table's last game number, whether it is online, whether the `client_id` is known."""


@transaction.atomic
def record(
    *,
    sitting_id: int,
    game_no: int,
    groups: Groups,
    client_id: uuid.UUID,
    by: User | None,
    specials: Sequence[Special] = (),
    device: str = "",
    live: Live | None = None,
) -> Result:
    """Store the result of the table's next game; the format may then change its seats.

    Saving the same `client_id` again changes nothing, nor does saving the same game with the same
    places and specials, as two phones at one table may do.
    `specials` name entrants; `device` is the phone where nobody signed in; `live` is the game of an
    online table behind this result.
    Refusal: `stale` when someone else has saved that game since; `players` when `groups` are not
    exactly the table's players; a code of `nights.domain.entry.PROBLEMS` for impossible specials;
    `full` when the round has all its games; `closed`.
    """
    sitting, event = locks.table_to_play(
        sitting_id, lambda event: waiting.moves_chairs(event, sitting_id, game_no)
    )
    last, is_online, is_sent_again = _BEFORE(sitting.pk, client_id)[0]
    if is_sent_again and (same := _already_saved(client_id, sitting)):
        return same
    if live is None and is_online:
        raise Refusal(
            _("This table is online, so its games arrive automatically. End online play first."),
            code="live",
        )
    last = last or 0
    if game_no <= last and (twin := _same_game(sitting, game_no, groups, specials)):
        return twin
    _check_is_next(event, last, game_no)
    held = ceremony.holds_back(event, sitting.round)
    if held and event.told:
        raise Refusal(_("The ceremony has begun. No more games can be entered."), code="ceremony")
    result = Result(
        sitting=sitting,
        game_no=game_no,
        version=1,
        current=not held,
        held=held,
        source=Result.Source.LIVE if live else Result.Source.ENTERED,
        specials=stored_specials.to_json(specials),
        client_id=client_id,
        by=by,
        device=device,
    )
    saved = _save(result, groups, event=event, action="result.recorded", live=live)
    tallies.add_game(result=saved, event=event)
    if waiting.moves_chairs(event, sitting_id, game_no):
        waitlist.after_game(event, saved)
    return saved


def _check_is_next(event: Event, last: int, game_no: int) -> None:
    """Refuse (`stale`, `gap`, `full`) any game but the one after `last`."""
    if game_no <= last:
        raise Refusal(
            _(
                "Someone else has just saved game %(game)s. Compare it below, and "
                "correct it there if needed."
            ),
            code="stale",
            params={"game": game_no},
            status=409,
        )
    if game_no > last + 1:
        raise Refusal(
            _("The next game at this table is number %(game)s."),
            code="gap",
            params={"game": last + 1},
            status=409,
        )
    if event.games_per_round and game_no > event.games_per_round:
        raise Refusal(_("All games of this round are played."), code="full")


@transaction.atomic
def correct(
    *,
    sitting_id: int,
    game_no: int,
    version: int,
    groups: Groups,
    client_id: uuid.UUID,
    by: User | None,
    specials: Sequence[Special] = (),
    device: str = "",
    reason: str = "",
    void: bool = False,
) -> Result:
    """Store a new version of a result; the old one stays in history, its money is reversed.

    With `void` the game no longer counts (entered by mistake) and `groups` is ignored.
    Refusal: `stale` when `version` is no longer the current one.
    """
    sitting, event = locks.table_to_change(sitting_id)
    if same := _already_saved(client_id, sitting):
        return same
    old = disputes.as_seen(sitting, game_no, version)
    before = {"order": _groups_of(old), "specials": old.specials}
    held = old.held
    old.current = old.held = False
    old.save(update_fields=["current", "held"])
    ledger.reverse_game(result=old, by=by)
    result = Result(
        sitting=sitting,
        game_no=old.game_no,
        version=old.version + 1,
        current=not held,
        held=held,
        void=void,
        specials=[] if void else stored_specials.to_json(specials),
        client_id=client_id,
        by=by,
        device=device,
        reason=reason.strip()[:200],
    )
    groups = [] if void else groups
    places = [[sorted(group) for group in order] for order in (groups, before["order"])]
    changed = (void, result.specials) != (old.void, old.specials) or places[0] != places[1]
    disputes.close_by_correction(result=result, changed=changed)
    saved = _save(result, groups, event=event, action="result.corrected", before=before)
    if not held:
        tallies.rebuild_sitting(sitting=sitting, event=event)
    Sitting.objects.filter(pk=sitting.pk).update(version=F("version") + 1)
    waitlist.after_correction(event, saved, counted=not old.void)
    return saved


def _groups_of(result: Result) -> list[list[int]]:
    """Return the entrants of a saved game by place."""
    groups: dict[int, list[int]] = {}
    for placing in result.placings.all():
        groups.setdefault(placing.rank, []).append(placing.entrant_id)
    return list(groups.values())


def _already_saved(client_id: uuid.UUID, sitting: Sitting) -> Result | None:
    same = Result.objects.filter(client_id=client_id).first()
    if same is None:
        return None
    if same.sitting_id != sitting.pk:
        raise Refusal(
            _("This form belongs to another table. Reload the page."),
            code="form",
        )
    same.sitting = sitting
    return same


def _same_game(
    sitting: Sitting, game_no: int, groups: Groups, specials: Sequence[Special]
) -> Result | None:
    """Return the game if it is already saved with these places and specials.

    Never a held one: a matching guess would reveal its result.
    """
    found = sitting.results.filter(current=True, game_no=game_no, void=False).first()
    if found is None or found.specials != stored_specials.to_json(specials):
        return None
    places = found.placings.values_list("entrant_id", "rank")
    ranks: dict[int, int] = {}
    for group in groups:
        ranks |= dict.fromkeys(group, len(ranks) + 1)
    return found if dict(places) == ranks else None


def _save(
    result: Result,
    groups: Groups,
    *,
    event: Event,
    action: str,
    live: Live | None = None,
    **details: Any,
) -> Result:
    result.save()
    if live:
        LiveResult.objects.create(result=result, game=live.game, payments=live.payments)
    if not result.void:
        placings = _save_placings(result, groups)
        _check_specials(result, groups, event)
        ledger.post_game(result=result, event=event, placings=placings)
    audit.log(
        action,
        by=result.by,
        event=event,
        sitting=result.sitting_id,
        game=result.game_no,
        version=result.version,
        groups=[] if result.void else [list(group) for group in groups],
        specials=result.specials,
        void=result.void,
        reason=result.reason,
        **details,
    )
    return result


def _save_placings(result: Result, groups: Groups) -> list[Placing]:
    """Store the places after checking that `groups` name each player of the game once."""
    seats = {
        place.entrant_id: place for place in sittings.places_at(result.sitting, result.game_no)
    }
    named = [entrant for group in groups for entrant in group]
    if len(set(named)) != len(named):
        raise Refusal(
            _("One player has two places. Tap each player once."),
            code="twice",
        )
    if set(named) != set(seats):
        raise Refusal(
            _(
                "Give a place to everyone at this table and to nobody else. If "
                "someone changed seats, reload the page."
            ),
            code="players",
        )
    placings, rank = [], 1
    for group in groups:
        placings += [
            Placing(
                result=result,
                entrant=seats[entrant].entrant,
                seat=seats[entrant].seat,
                rank=rank,
                tied=len(group),
                size=len(seats),
            )
            for entrant in group
        ]
        rank += len(group)
    return Placing.objects.bulk_create(placings)


def _check_specials(result: Result, groups: Groups, event: Event) -> None:
    """Refuse specials that the event's rules lack or that contradict the places."""
    if result.source != Result.Source.ENTERED:
        return
    ruleset = event.rules
    specials = stored_specials.from_json(result.specials)
    try:
        check_specials(ruleset, groups, specials, for_money=event.stake > 0)
        check_chops(ruleset, specials)
    except SpecialError as error:
        raise Refusal(problem(error, specials), code=error.code) from error


def problem(error: SpecialError, specials: Sequence[Special]) -> str:
    """Return what is wrong with the specials and what to do, in words."""
    if error.number is None or error.code not in ("does_not_beat", "nothing_beats"):
        return _(PROBLEMS[error.code])
    own = specials[error.number - 1].what
    if error.code == "nothing_beats":
        return _(PROBLEMS[error.code]) % {"what": BEATEN[own]}
    on = specials[error.number - 2].what
    return _(DOES_NOT_BEAT[own]) % {"what": BEATEN[on]}
