"""The only entry point for results: placings, counts and money of a game in one transaction."""

import datetime
import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from engine.rules.entered_chops import check_chops
from engine.rules.specials import Special, SpecialError, check_specials
from league.base.acts import locks, repeats
from league.base.domain import stored_specials
from league.models import Entrant, Event, LiveResult, Player, Result, Sitting, Transfer
from league.money.acts import ledger
from league.money.facts.money_words import BEATEN
from league.money.facts.owed import (
    NOTEBOOK,
    OwedFact,
    PlacingFact,
    owed_entered,
    owed_live,
    owed_noted,
)
from league.nights.acts import disputes, seat_changes, tallies, waitlist
from league.nights.domain.entry import DOES_NOT_BEAT, PROBLEMS, groups_of
from league.nights.facts import ceremony, last_changes
from league.nights.facts import waitlist as waiting
from tables.base import placings
from tables.base.columns import set_columns
from tables.chairs.acts import seats as chairs
from tables.models import Game
from tables.refusals import Refusal

Groups = Sequence[Sequence[int]]
"""Entrants' keys by place, first to last; tied entrants form one group."""


SOON = datetime.timedelta(minutes=1)


class Live(NamedTuple):
    """A game of an online table and the engine's payments in it, by entrant."""

    game: Game
    payments: list[dict[str, Any]]


class Tapped(NamedTuple):
    """How many seconds before it came a game was tapped, and the key of the account that did."""

    ago: int
    by: int | None


AT_ONCE = Tapped(0, None)


class _Seat(NamedTuple):
    """A seat in a game, and its player's account in the ledger, if there is one already."""

    entrant: int
    seat: int
    player: int
    account: int | None


_BEFORE = """
    SELECT (SELECT max(game_no) FROM league_result WHERE sitting_id = %(sitting)s),
        EXISTS (SELECT FROM league_livetable WHERE sitting_id = %(sitting)s AND ended_at IS NULL),
        EXISTS (SELECT FROM league_result WHERE client_id = %(client_id)s),
        place.entrant_id, place.seat, entrant.player_id, account.id
    FROM (VALUES (1)) one
    LEFT JOIN league_place place ON place.sitting_id = %(sitting)s
        AND place.from_game <= %(game_no)s
        AND (place.to_game IS NULL OR place.to_game >= %(game_no)s)
    LEFT JOIN league_entrant entrant ON entrant.id = place.entrant_id
    LEFT JOIN league_account account ON account.player_id = entrant.player_id
    ORDER BY place.seat
"""


def _before(
    sitting: Sitting, game_no: int, client_id: uuid.UUID
) -> tuple[int, bool, bool, list[_Seat]]:
    """Return a locked table's last game, whether it is online, whether the id is known; its seats.

    The seats are those in the game.
    """
    keys: dict[str, Any] = {"sitting": sitting.pk, "game_no": game_no, "client_id": client_id}
    with connection.cursor() as cursor:
        cursor.execute(_BEFORE, keys)
        rows = cursor.fetchall()
    last, is_online, is_known = rows[0][:3]
    seats = [_Seat(*row[3:]) for row in rows if row[3] is not None]
    return last or 0, is_online, is_known, seats


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
    tapped: Tapped = AT_ONCE,
    balances: Mapping[int, int] | None = None,
) -> Result:
    """Store the result of the table's next game; the format may then change its seats.

    Saving the same `client_id` again changes nothing, nor does saving the same game with the same
    places and specials, as two phones at one table may do. Another game of a `client_id` is refused
    (`key_reused`).
    `specials` name entrants; `device` is the phone where nobody signed in; `live` is the game of an
    online table behind this result; a game that waited on a phone was `tapped` before it came, and
    is for the stake of then; `balances` are what its entrants won in a game whose money a notebook
    has, in a night without a stake.
    Refusal: `stale` when someone else has saved that game since; `players` when `groups` are not
    exactly the table's players; a code of `nights.domain.entry.PROBLEMS` for impossible specials;
    `full` when the round has all its games; `closed`.
    """
    sitting, event = locks.table_to_play(
        sitting_id, lambda event: waiting.moves_chairs(event, sitting_id, game_no)
    )
    last, is_online, is_known, seats = _before(sitting, game_no, client_id)
    if is_known and (same := _already_saved(client_id, sitting)):
        repeats.check_same((same.game_no, same.version) == (game_no, 1))
        repeats.check_same(_is_game(same, groups, specials))
        return same
    if live is None and is_online:
        raise Refusal(
            _("This table is online, so its games arrive automatically. End online play first."),
            code="live",
        )
    if game_no <= last and (twin := _same_game(sitting, game_no, groups, specials)):
        return twin
    _check_is_next(event, last, game_no)
    named = {entrant for group in groups for entrant in group}
    if tapped.ago and named != {seat.entrant for seat in seats}:
        at = timezone.now() - datetime.timedelta(seconds=tapped.ago)
        seat_changes.seat_as_then(sitting, event, game_no=game_no, entrants=named, at=at)
        *_others, seats = _before(sitting, game_no, client_id)
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
        stake=sitting.stake,
        tapped_at=_tapped_at(sitting, tapped.ago),
    )
    waited: dict[str, Any] = {}
    if result.tapped_at:
        stake_then = last_changes.stake_at(event, sitting, result.tapped_at)
        if stake_then != event.stake_of(sitting):
            result.stake = stake_then
        waited["tapped_at"] = result.tapped_at.isoformat(timespec="seconds")
    if tapped.by is not None and tapped.by != result.by_id:
        waited["user"] = tapped.by
    noted = owed_noted(balances) if balances else None
    _save(
        result, groups, seats,
        event=event, action="result.recorded", live=live, noted=noted, **waited,
    )  # fmt: skip
    if waiting.moves_chairs(event, sitting_id, game_no):
        waitlist.after_game(event, result)
    return result


def _tapped_at(sitting: Sitting, ago: int) -> datetime.datetime | None:
    """Return when a game was tapped, in its round; None for one that came at once."""
    now, waited = timezone.now(), datetime.timedelta(seconds=ago)
    began = sitting.round.released_at
    if waited < SOON or began is None:
        return None
    return began if waited > now - began else now - waited


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
    reopens: int | None = None,
) -> Result:
    """Store a new version of a result; the old one stays in history, its money is reversed.

    With `void` the game no longer counts (entered by mistake) and `groups` is ignored. An undo
    `reopens` the dispute that its correction closed.
    The money that a notebook has of the game stays, unless it is void.
    Refusal: `stale` when `version` is no longer the current one; `unchanged` for the same game
    without a reason; `key_reused`.
    """
    sitting, event = locks.table_to_change(sitting_id)
    _last, _is_online, is_known, seats = _before(sitting, game_no, client_id)
    reason = reason.strip()[:200]
    if is_known and (same := _already_saved(client_id, sitting)):
        said = (same.game_no, same.version - 1, same.void, same.reason)
        repeats.check_same(said == (game_no, version, void, reason))
        repeats.check_same(void or _is_game(same, groups, specials))
        return same
    old = disputes.as_seen(sitting, game_no, version)
    order = groups_of((placing.rank, placing.entrant_id) for placing in old.placings.all())
    stored = [] if void else stored_specials.to_json(specials)
    groups = [] if void else groups
    changed = (void, stored) != (old.void, old.specials) or (
        list(map(sorted, groups)) != list(map(sorted, order))
    )
    if not (changed or reason):
        raise Refusal(
            _("Nothing is changed. Change the game, or give a reason to let it stand."),
            code="unchanged",
            status=409,
        )
    held = old.held
    if old.current:
        tallies.take_back(old)
    set_columns(old, current=False, held=False)
    ledger.reverse_game(result=old, by=by)
    result = Result(
        sitting=sitting,
        game_no=old.game_no,
        version=old.version + 1,
        current=not held,
        held=held,
        void=void,
        specials=stored,
        client_id=client_id,
        by=by,
        device=device,
        reason=reason,
        stake=old.stake,
    )
    disputes.close_by_correction(result=result, changed=changed)
    noted = None if void else _noted(result)
    _save(
        result, groups, seats,
        event=event, action="result.corrected", noted=noted,
        before={"order": order, "specials": old.specials},
    )  # fmt: skip
    waitlist.after_correction(event, result, counted=not old.void)
    if reopens:
        disputes.reopen(sitting_id=sitting_id, game_no=game_no, key=reopens, by=by)
    for live in sitting.live_tables.all():
        chairs.touch(chairs.lock(live.table_id))
    return result


def _noted(result: Result) -> list[OwedFact]:
    """Return the payments of the game that a notebook has, as its first version had them."""
    moved = Transfer.objects.filter(
        result__sitting=result.sitting_id,
        result__game_no=result.game_no,
        result__version=1,
        reason=NOTEBOOK,
        reverses=None,
    )
    entrants = Entrant.objects.filter(event=result.sitting.round.event_id)
    found = list(moved.order_by("pk").values_list("payer_id", "payee_id", "amount"))
    key_of = dict(entrants.values_list("player__account", "pk")) if found else {}
    return [
        OwedFact(key_of[payer], key_of[payee], amount, NOTEBOOK) for payer, payee, amount in found
    ]


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
    return found if found and _is_game(found, groups, specials) else None


def _is_game(result: Result, groups: Groups, specials: Sequence[Special]) -> bool:
    """Return whether the result has these places and specials."""
    places = result.placings.values_list("entrant_id", "rank")
    same = result.specials == stored_specials.to_json(specials)
    return same and dict(places) == placings.ranks(groups)


_FIELDS = {field.attname: field for field in Result._meta.concrete_fields if not field.primary_key}
_WRITE = f"""
    WITH made AS (
        INSERT INTO league_result ({", ".join(_FIELDS)})
        VALUES ({", ".join(f"%({name})s" for name in _FIELDS)})
        RETURNING id
    ), placed AS (
        INSERT INTO league_placing (result_id, entrant_id, seat, rank, tied, size)
        SELECT made.id, entrant, seat, rank, count(*) OVER (PARTITION BY rank), count(*) OVER ()
        FROM made, unnest(%(entrants)s::bigint[], %(seats)s::int[], %(ranks)s::int[])
            AS p (entrant, seat, rank)
        RETURNING entrant_id, rank, tied, size
    ), counted AS (
        INSERT INTO league_tally (event_id, sitting_id, entrant_id, size, rank, tied, games)
        SELECT %(event)s, %(sitting_id)s, entrant_id, size, rank, tied, 1
        FROM placed WHERE %(current)s
        ON CONFLICT (event_id, sitting_id, entrant_id, size, rank, tied)
        DO UPDATE SET games = league_tally.games + 1
    ), paid AS (
        INSERT INTO league_transfer (result_id, payer_id, payee_id, amount, reason, detail,
            event_id, by_id, at)
        SELECT made.id, p.*, jsonb_build_object('game', %(game_no)s::int), %(event)s, %(by_id)s,
            %(at)s
        FROM made, unnest(%(payers)s::bigint[], %(payees)s::bigint[], %(amounts)s::bigint[],
            %(reasons)s::text[]) AS p
    ), logged AS (
        INSERT INTO league_audit (club_id, event_id, by_id, at, action, data)
        VALUES (%(club)s, %(event)s, %(by_id)s, %(at)s, %(action)s, %(data)s::jsonb)
    )
    UPDATE league_sitting SET version = version + 1 WHERE id = %(sitting_id)s
    RETURNING (SELECT id FROM made), version
"""
"""Stores a version of a game; a current one is counted."""


def _save(
    result: Result,
    groups: Groups,
    seats: Sequence[_Seat],
    *,
    event: Event,
    action: str,
    live: Live | None = None,
    noted: Sequence[OwedFact] | None = None,
    **details: Any,
) -> None:
    """Check a game's places and specials, then store it with its counts, money and log entry."""
    places = []
    if not result.void:
        places = _places(seats, groups)
        _check_specials(result, groups, event)
    owed: Sequence[OwedFact] = []
    stake = event.stake_of(result)
    if noted:
        owed = noted
    elif stake and live:
        owed = owed_live(live.payments)
    elif stake and places:
        owed = owed_entered(event, stake, places, result.specials)
    accounts = {
        one.entrant: one.account or ledger.account_of(Player.objects.get(pk=one.player)).pk
        for one in (seats if owed else ())
    }
    result.at = timezone.now()
    data = {
        "sitting": result.sitting_id,
        "game": result.game_no,
        "version": result.version,
        "groups": [list(group) for group in groups],
        "specials": result.specials,
        "void": result.void,
        "reason": result.reason,
    }
    values: dict[str, Any] = {
        name: field.get_db_prep_save(getattr(result, name), connection)
        for name, field in _FIELDS.items()
    } | {
        "entrants": [place.entrant_id for place in places],
        "seats": [place.seat for place in places],
        "ranks": [place.rank for place in places],
        "payers": [accounts[one.payer] for one in owed],
        "payees": [accounts[one.payee] for one in owed],
        "amounts": [one.amount for one in owed],
        "reasons": [one.reason for one in owed],
        "event": event.pk,
        "club": event.season.club_id,
        "action": action,
        "data": json.dumps(data | details),
    }
    with connection.cursor() as cursor:
        cursor.execute(_WRITE, values)
        result.pk, result.sitting.version = cursor.fetchone()
    result._state.adding = False
    if live:
        LiveResult.objects.create(result=result, game=live.game, payments=live.payments)
    if result.version == 1:
        # A statement of its own: the trigger that adds up money waits for other tables.
        locks.show_change(event)


def _places(seats: Sequence[_Seat], groups: Groups) -> list[PlacingFact]:
    """Return the places after checking that `groups` name each player of the game once."""
    seat_of = {one.entrant: one.seat for one in seats}
    named = [entrant for group in groups for entrant in group]
    if len(set(named)) != len(named):
        raise Refusal(
            _("One player has two places. Tap each player once."),
            code="twice",
        )
    if set(named) != set(seat_of):
        raise Refusal(
            _(
                "Give a place to everyone at this table and to nobody else. If "
                "someone changed seats, reload the page."
            ),
            code="players",
        )
    ranks = placings.ranks(groups)
    return [PlacingFact(entrant, seat_of[entrant], ranks[entrant]) for entrant in named]


def _check_specials(result: Result, groups: Groups, event: Event) -> None:
    """Refuse specials that the event's rules lack or that contradict the places."""
    if result.source != Result.Source.ENTERED:
        return
    ruleset = event.rules
    specials = stored_specials.from_json(result.specials)
    try:
        check_specials(ruleset, groups, specials, for_money=event.stake_of(result) > 0)
        check_chops(ruleset, specials)
    except SpecialError as error:
        if not specials and result.sitting.round.settings.get("method") == "imported":
            return  # A club's old notebook may have only the money, where two lost the same.
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
