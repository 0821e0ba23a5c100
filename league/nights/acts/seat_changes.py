"""Seat changes while a round is played: latecomers, leavers, substitutes.

Played games keep their players: a seat changes hands from the table's next game on.
"""

import datetime
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.acts import audit, links, locks
from league.models import Bye, Entrant, Event, LiveTable, Place, Round, Sitting
from league.nights.acts import roll_calls, same_deals, waitlist
from league.nights.facts import last_changes, sittings, stages
from league.nights.facts.persons import as_persons, persons
from league.nights.online import tables as online_tables
from tables.base.columns import set_columns
from tables.base.lookup import or_raise
from tables.refusals import Refusal


@transaction.atomic
def leave(
    *,
    sitting_id: int,
    entrant_id: int,
    by: User,
    substitute_id: int | None = None,
    seen: Collection[int] | None = None,
) -> Place | None:
    """Take a player off the table and the night; `substitute_id`, if given, takes the seat.

    `seen` are the entrants whom the caller saw there; None skips the check. Refusal: `stale` when
    others sit there, `gone` when that player no longer does, `too_few` when too few are left,
    `seated` when the substitute already sits at a table of this round, `saw_cards` for one who has
    seen the night's cards.
    """
    sitting, event, number, online = _open_table(sitting_id, seen)
    places = sittings.places_at(sitting, number)
    place = _place_of(entrant_id, sitting, number)
    chair = places.index(place)
    if substitute_id is None:
        _refuse_online(online, event)
        if not event.has_queue:  # On a queue night the queue fills the seat, or the table waits.
            _refuse_too_few(event, len(places) - 1)
    waitlist.empty_seat(place, number)
    names = persons(event)
    own = {entrant_id, names.get(entrant_id, entrant_id)}
    Entrant.objects.filter(pk__in=own).update(presence=Entrant.Presence.LEFT)
    taken = None
    if substitute_id is not None:
        substitute = names.get(substitute_id, substitute_id)
        taken = _sit(sitting, event, substitute, seat=place.seat, number=number)
        _join_pool(sitting, event, taken.entrant, names)
        if online is not None and not event.has_queue:
            online_tables().seat_entrant(live=online, chair=chair, entrant=taken.entrant)
    waitlist.settle(event)
    _tell(sitting, event, by, number, left=entrant_id, came=substitute_id)
    return taken


@transaction.atomic
def join(
    *, sitting_id: int, entrant_id: int, by: User | None, seen: Collection[int] | None = None
) -> Place:
    """Seat a latecomer in a new seat, after the last one.

    Refusal: `too_many` when the rules allow no more seats, `stale` and `seated` as in `leave`.
    """
    sitting, event, number, online = _open_table(sitting_id, seen)
    _refuse_seated(sitting, event, entrant_id)
    _refuse_online(online, event)
    _refuse_too_many(event, len(sittings.places_at(sitting, number)) + 1)
    names = persons(event)
    person, seat = names.get(entrant_id, entrant_id), _new_seat(sitting, event)
    place = _sit(sitting, event, person, seat=seat, number=number)
    _join_pool(sitting, event, place.entrant, names)
    waitlist.settle(event)
    _tell(sitting, event, by, number, came=entrant_id)
    return place


@transaction.atomic
def take_free_chair(*, sitting_id: int, entrant_id: int) -> Place:
    """Seat a player who is here at an open-play table that is not full.

    Refusal: `gone` if the table is full or empty by now, and as in `join`.
    """
    sitting, event, number, _online = _open_table(sitting_id)
    seated = sittings.places_at(sitting, number)
    if event.rules_of_format.kind != "open" or not 0 < len(seated) < event.full_table:
        raise Refusal(_("That table has no free seat any more. Choose again."), code="gone")
    return join(sitting_id=sitting_id, entrant_id=entrant_id, by=None)


@transaction.atomic
def move(
    *,
    sitting_id: int,
    entrant_id: int,
    to_id: int,
    by: User,
    with_id: int | None = None,
    seen: Collection[int] | None = None,
) -> Place:
    """Move a player to another table of the round; `with_id`, if given, moves the other way.

    Both changes apply from each table's next game on. Refusal: `stale` as in `leave`, `gone` when
    one of them no longer sits there, `table` for a table of another round or the same table,
    `too_few` or `too_many`,
    `format` on a queue night, `counting` where a table's games count as one.
    """
    sitting, event, number, online = _open_table(sitting_id, seen)
    to, _event, to_number, to_online = _open_table(to_id)
    _refuse_online(online or to_online, event)
    if to.round_id != sitting.round_id or to.pk == sitting.pk:
        raise Refusal(_("Choose another table of this round."), code="table")
    if event.has_queue:
        raise Refusal(
            _(
                "In this format the queue decides who sits where. Mark players as here or "
                "left instead."
            ),
            code="format",
        )
    place = _place_of(entrant_id, sitting, number)
    other = None if with_id is None else _place_of(with_id, to, to_number)
    _refuse_half_played(event, (place, number), *([(other, to_number)] if other else []))
    if other is None:
        _refuse_too_few(event, len(sittings.places_at(sitting, number)) - 1)
        _refuse_too_many(event, len(sittings.places_at(to, to_number)) + 1)
    seat = _new_seat(to, event) if other is None else other.seat
    names = persons(event)
    waitlist.empty_seat(place, number)
    if other is not None:
        waitlist.empty_seat(other, to_number)
        person = names.get(other.entrant_id, other.entrant_id)
        _sit(sitting, event, person, seat=place.seat, number=number)
    person = names.get(entrant_id, entrant_id)
    taken = _sit(to, event, person, seat=seat, number=to_number)
    Sitting.objects.filter(pk__in=[sitting.pk, to.pk]).update(version=F("version") + 1)
    audit.log(
        "table.moved",
        by=by,
        event=event,
        round=sitting.round.number,
        from_table=sitting.table_no,
        table=to.table_no,
        moved=entrant_id,
        other=with_id,
    )
    return taken


@transaction.atomic
def end_table(*, sitting_id: int, by: User | None) -> None:
    """Finish a queue night's table: its players join the queue.

    Refusal: `format` in a night of rounds, where the draw seats players; `playing` while a game is
    in progress at the online table.
    """
    sitting, event, number, online = _open_table(sitting_id)
    if not event.has_queue:
        raise Refusal(
            _("In this format the draw decides who sits where. Draw the next round."),
            code="format",
        )
    if online is not None and number > sittings.next_number(sitting):
        raise Refusal(
            _("A game is in progress. You can finish the table when it is over."), code="playing"
        )
    waitlist.end_table(event, sitting)
    _tell(sitting, event, by, number, ended=True)


@transaction.atomic
def seat_table(*, event: Event, entrants: Sequence[int], by: User) -> Sitting:
    """Seat these queued players together at an empty table.

    Refusal: `gone` when one of them no longer waits or no table is empty.
    """
    event = locks.event_to_change(event.pk)
    sitting = or_raise(
        waitlist.seat(event, entrants),
        Refusal(
            _("One of these players is no longer waiting, or no table is free. Try again."),
            code="gone",
        ),
    )
    _tell(sitting, event, by, sittings.next_number(sitting), came=list(entrants))
    return sitting


@transaction.atomic
def add_table(*, event: Event, by: User) -> Sitting:
    """Add a table to a queue night; queued players sit down as the format allows.

    Refusal: `format` on other nights and before the first release.
    """
    event = locks.event_to_change(event.pk)
    round_ = event.rounds.filter(status=Round.Status.RELEASED).order_by("-number").first()
    if round_ is None or not event.has_queue:
        raise Refusal(_("Release the first draw before you add tables."), code="format")
    last = round_.sittings.order_by("-table_no").values_list("table_no", flat=True)[0]
    sitting = Sitting.objects.create(round=round_, table_no=last + 1)
    links.make_for_tables(sittings=[sitting], event=event, by=by)
    waitlist.settle(event)
    _tell(sitting, event, by, 1, added=True)
    return sitting


def seat_as_then(
    sitting: Sitting, event: Event, *, game_no: int, entrants: set[int], at: datetime.datetime
) -> None:
    """Give the table's next game to these entrants, who sat there at that time.

    Later changes of seats apply after it. The caller holds the table's lock.
    Refusal: `other_seats` unless the log shows that exactly these sat there then; also if someone
    who came since has played, or would count at two tables where a table's games count as one.
    """
    places = {place.entrant_id: place for place in sittings.places_at(sitting, game_no)}
    seat_of: dict[int | None, int]
    seat_of = {entrant: place.seat for entrant, place in places.items()}
    for left, came in last_changes.seats_since(event, sitting, at):
        if set(seat_of) == entrants:
            break
        free = next(seat for seat in range(len(seat_of) + 1) if seat not in seat_of.values())
        seat = seat_of.pop(came, free)
        if left is not None:
            seat_of[left] = seat
    gone = entrants - places.keys()
    newcomers = [places[entrant] for entrant in places.keys() - entrants]
    elsewhere = Place.objects.filter(round=sitting.round, entrant__in=gone, to_game=None)
    if (
        set(seat_of) != entrants
        or any(place.from_game < game_no for place in newcomers)
        or (event.rules_of_scoring.counting != "fixed" and elsewhere.exists())
    ):
        raise Refusal(
            _(
                "This game names others than sit at this table, and the log does not show that "
                "they sat there when it was entered. If it is right, ask an organiser to seat "
                "them again (“Players leave or join”), send it, then change the seats back."
            ),
            code="other_seats",
            status=409,
        )
    Place.objects.filter(pk__in=[place.pk for place in newcomers]).update(from_game=game_no + 1)
    for entrant in gone:
        if not sitting.places.filter(entrant=entrant, to_game=game_no - 1).update(to_game=game_no):
            sitting.places.create(
                round=sitting.round,
                entrant_id=entrant,
                seat=seat_of[entrant],
                from_game=game_no,
                to_game=game_no,
            )


def _new_seat(sitting: Sitting, event: Event) -> int:
    """Return a latecomer's seat number: after the last one.

    On a queue night, the lowest free one.
    """
    held = set(sitting.places.filter(to_game=None).values_list("seat", flat=True))
    if event.has_queue:
        return next(seat for seat in range(len(held) + 1) if seat not in held)
    return max(sitting.places.values_list("seat", flat=True), default=-1) + 1


def _open_table(
    sitting_id: int, seen: Collection[int] | None = None
) -> tuple[Sitting, Event, int, LiveTable | None]:
    """Return the table, its locked event, the next game's number, and the online table.

    At an online table the next game is the one after the game in progress. Refusal: `stale` if
    others sit there than the caller has `seen`.
    """
    sitting, event = locks.table_to_change(sitting_id)
    online, game_on = online_tables().game_on(sitting=sitting, event=event)
    number = sittings.next_number(sitting) + game_on
    if event.games_per_round and number > event.games_per_round:
        raise Refusal(_("All games of this round are played."), code="full")
    if seen is not None and set(seen) != {
        p.entrant_id for p in sittings.places_at(sitting, number)
    }:
        last = last_changes.find_last(event, last_changes.SEATS, table=sitting.table_no)
        text = _("%(change)s Nothing was changed. These are its seats now.")
        raise Refusal(text % {"change": last_changes.say(last)}, code="stale", status=409)
    return sitting, event, number, online


def _refuse_online(online: LiveTable | None, event: Event) -> None:
    """Refuse to change an online table's number of seats, except on a queue night."""
    if online is not None and not event.has_queue:
        raise Refusal(
            _(
                "An online table keeps its number of seats. Choose a substitute, or "
                "end online play first."
            ),
            code="live",
        )


def _place_of(entrant_id: int, sitting: Sitting, number: int) -> Place:
    for place in sittings.places_at(sitting, number):
        if place.entrant_id == entrant_id:
            return place
    raise Refusal(_("This player no longer sits here. Try again."), code="gone")


def _sit(sitting: Sitting, event: Event, entrant_id: int, *, seat: int, number: int) -> Place:
    entrant = or_raise(
        event.entrants.select_related("player").filter(pk=entrant_id).first(),
        Refusal(_("This player is not on tonight's list. Try again."), code="gone"),
    )
    _refuse_seated(sitting, event, entrant_id)
    same_deals.refuse_preparers(event, [entrant_id])
    if entrant.presence != Entrant.Presence.HERE:
        roll_calls.note_arrival(event, [entrant.player_id], [entrant.player_id])
    set_columns(entrant, presence=Entrant.Presence.HERE, ticket=None, passed_over=0)
    Bye.objects.filter(round=sitting.round, entrant=entrant).delete()
    return Place.objects.create(
        sitting=sitting, round=sitting.round, entrant=entrant, seat=seat, from_game=number
    )


def _join_pool(sitting: Sitting, event: Event, entrant: Entrant, names: Mapping[int, int]) -> None:
    """Count who came to a table of a group or the final among its people; groups stay apart."""
    round_ = sitting.round
    pools = stages.pools_of(round_)
    own = next((pool for pool in pools if sitting.table_no in pool["tables"]), None)
    if own is None or own["kind"] not in ("group", "final") or not entrant.counts:
        return
    drawn = [own]
    if own["kind"] == "group":
        drawn = [pool for one in event.rounds.all() for pool in stages.pools_of(one)]
    if any(entrant.pk in of for of in as_persons([pool["members"] for pool in drawn], names)):
        return
    for pool in pools:
        pool["members"] = [key for key in pool["members"] if names.get(key, key) != entrant.pk]
    own["members"].append(entrant.pk)
    set_columns(round_, settings={**round_.settings, "pools": pools})


def _refuse_seated(sitting: Sitting, event: Event, entrant_id: int) -> None:
    own = Q(entrant=entrant_id) | Q(entrant__player__merged_into__entries=entrant_id)
    held = Place.objects.filter(own, round=sitting.round, to_game=None)
    if place := held.select_related("sitting", "entrant__player").first():
        raise Refusal(
            _("%(name)s already sits at table %(table)s."),
            code="seated",
            params={"name": place.entrant.player.name, "table": place.sitting.table_no},
        )


def _refuse_too_few(event: Event, count: int) -> None:
    least = event.least_at_table
    if count < least:
        raise Refusal(
            _("These rules need at least %(least)s players at a table. Choose who takes the seat."),
            code="too_few",
            params={"least": least},
        )


def _refuse_too_many(event: Event, count: int) -> None:
    most = event.rules.max_players
    if count > most:
        raise Refusal(
            _("These rules allow at most %(most)s players at a table. Choose another table."),
            code="too_many",
            params={"most": most},
        )


def _refuse_half_played(event: Event, *places: tuple[Place, int]) -> None:
    """Refuse a player who would count at two tables where a table's games count as one."""
    if event.rules_of_scoring.counting == "fixed":
        return
    for place, number in places:
        if place.from_game < number:
            raise Refusal(
                _(
                    "%(name)s has already played at this table, and tonight all games "
                    "of a table count as one. Change tables in the next round."
                ),
                code="counting",
                params={"name": place.entrant.player.name},
            )


def _tell(sitting: Sitting, event: Event, by: User | None, number: int, **who: Any) -> None:
    Sitting.objects.filter(pk=sitting.pk).update(version=F("version") + 1)
    audit.log("table.seats", by=by, event=event, table=sitting.table_no, from_game=number, **who)


@transaction.atomic
def note_cut(*, sitting_id: int, entrant_id: int, by: User | None) -> None:
    """Store who cut the highest card and deals the first game; a later call corrects it.

    Refusal: `settled` where the rules do not cut or a game was played, `gone` when that player no
    longer sits there.
    """
    sitting, event = locks.table_to_play(sitting_id)
    if not event.cuts_first or sitting.results.exists():
        raise Refusal(
            _("The first game at this table has already been dealt."), code="settled", status=409
        )
    place = _place_of(entrant_id, sitting, 1)
    if sitting.was_cut and sitting.first_dealer == place.seat:
        return
    Sitting.objects.filter(pk=sitting.pk).update(
        was_cut=True, first_dealer=place.seat, version=F("version") + 1
    )
    audit.log("table.cut", by=by, event=event, table=sitting.table_no, entrant=entrant_id)
    locks.show_change(event)
