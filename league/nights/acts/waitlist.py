"""Queue nights: tables that stay open all night, and the queue for their seats.

In "Last one out" the queue fills every seat that becomes free; in open play tables form as players
arrive. The caller of each function holds the event's lock. Seats change only from a table's next
game on; online tables follow, and there the next game is the first one not yet dealt.
"""

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any

from django.db.models import F, Max, Min, Q

from league.models import Bye, Entrant, Event, Place, Result, Round, Sitting
from league.nights import online
from league.nights.facts import waitlist as selector
from league.nights.facts.persons import persons
from league.nights.facts.wishes import wishes_of
from league.seating import loser_leaves, open_night
from league.seating.loser_leaves import QueueNight
from league.seating.wishes import broken
from tables.base.columns import set_columns

FormedTables = tuple[tuple[int, ...], ...]
LOTS = 200


@dataclass
class _QueueRound:
    """The released round of a queue night: its tables, their places, and everyone who counts."""

    round: Round
    sittings: list[Sitting]
    places: dict[int, list[Place]]
    following: dict[int, int]
    entrants: dict[int, Entrant]

    @property
    def here(self) -> set[int]:
        return {pk for pk, e in self.entrants.items() if e.presence == Entrant.Presence.HERE}

    @property
    def tables(self) -> FormedTables:
        return tuple(
            tuple(place.entrant_id for place in self.places[sitting.pk])
            for sitting in self.sittings
        )

    @property
    def waiting(self) -> tuple[int, ...]:
        """The entrants who wait and are still here, in queue order."""
        seated = {player for seats in self.tables for player in seats}
        positions = {pk: e.ticket for pk, e in self.entrants.items() if e.ticket is not None}
        return tuple(sorted(positions.keys() & self.here - seated, key=positions.__getitem__))


def draft(event: Event, here: Sequence[int], seed: int) -> QueueNight:
    """Return the night at its start: everyone here, by lot, at the tables and in the queue.

    In open play all tables start empty; then full ones form from the queue.
    """
    rules, prices = event.rules_of_format, wishes_of(event, here).prices()
    order = list(here)
    random.Random(f"floor:{seed}").shuffle(order)
    least, full = event.least_at_table, event.full_table
    tables = rules.tables_for(len(order), full)
    if rules.kind == "open":
        night = QueueNight(((),) * tables, tuple(order), least=least, full=full, wishes=prices)
        return _formed(night)
    lots = random.Random(f"wishes:{seed}")
    orders = [order, *(lots.sample(order, len(order)) for _ in range(LOTS if prices else 0))]
    nights = [
        loser_leaves.open_tables(
            one, tables, cap=rules.cap, look=rules.look, least=max(min(3, full), least), full=full
        )
        for one in orders
    ]
    return min(nights, key=lambda night: broken(night.tables, prices))


def open_round(event: Event, round_: Round) -> None:
    """Queue everyone without a table; players may have come or gone since the draw."""
    names = persons(event)
    waiting = [names.get(key, key) for key in selector.drawn_queue(round_)]
    Bye.objects.filter(round=round_).delete()
    event.entrants.update(ticket=None, passed_over=0)
    _append(event, waiting)
    entrants = event.entrants.in_bulk([*names, *names.values()])
    for giver, taker in names.items():
        hand_over(event, entrants[giver], entrants[taker])
    settle(event)


def close_round(event: Event) -> None:
    """Clear the queue after its round is withdrawn."""
    event.entrants.update(ticket=None, passed_over=0)


def settle(event: Event) -> None:
    """Bring tables and queue in line with who is here.

    A player who left frees a seat, a new arrival joins the queue. Does nothing if they are in line
    already or no queue is open.
    """
    stored = _queue_round(event)
    if stored is None:
        return
    night = _night_of(event, stored)
    come = stored.here - {p for seats in night.tables for p in seats} - set(night.waiting)
    night = replace(night, waiting=(*night.waiting, *sorted(come)))
    for gone in [p for seats in night.tables for p in seats if p not in stored.here]:
        night = _without(event, night, gone)
    if event.rules_of_format.kind == "open":
        night = _formed(_kept_alive(night))
    else:
        night = loser_leaves.fill(night)
    _write(event, stored, night)


def held(event: Event, entrants: Iterable[Entrant]) -> dict[str, list[int]]:
    """Return the seats of these entrants in the open queue round: table and seat by entrant."""
    stored, keys = _queue_round(event), {entrant.pk for entrant in entrants}
    places = [] if stored is None else [p for own in stored.places.values() for p in own]
    return {str(p.entrant_id): [p.sitting_id, p.seat] for p in places if p.entrant_id in keys}


def give_back(event: Event, seats: Mapping[str, Sequence[int]]) -> None:
    """Give `held` seats back to entrants who are here after all, until a game is played on them.

    Their successors head the queue, in the order of the seats.
    """
    stored = _queue_round(event)
    if stored is None:
        return
    for entrant, (sitting, seat) in sorted(seats.items(), key=itemgetter(1), reverse=True):
        own, number = stored.places.get(sitting, []), stored.following.get(sitting, 0)
        taken = next((place for place in own if place.seat == seat), None)
        if not own or (taken is not None and taken.from_game < number):
            continue
        if taken is not None:
            first = event.entrants.aggregate(first=Min("ticket"))["first"] or 0
            taken.delete()
            event.entrants.filter(pk=taken.entrant_id).update(ticket=first - 1, passed_over=0)
        where = {"round": stored.round, "sitting_id": sitting, "seat": seat}
        left = {"entrant_id": int(entrant), "to_game": number - 1, "left_because": ""}
        if not Place.objects.filter(**where, **left).update(to_game=None):
            Place.objects.create(**where, entrant_id=int(entrant), from_game=number)
        event.entrants.filter(pk=entrant).update(ticket=None, passed_over=0)
        stored.round.sittings.update(version=F("version") + 1)
        online.tables().follow(event=event)


def hand_over(event: Event, giver: Entrant, taker: Entrant) -> dict[str, Any]:
    """Give an entrant's seat, from the next game on, and turn to another name of the person.

    Returns what the taker had and got, to be handed back. Of two turns the person keeps the
    earlier one; who sits does not wait.
    """
    note: dict[str, Any] = {} if taker.ticket is None else {"had": taker.ticket}
    if giver.ticket is not None and (taker.ticket is None or giver.ticket < taker.ticket):
        note["ticket"] = giver.ticket
        _exchange(giver, taker)
    stored = _queue_round(event)
    places = [] if stored is None else [p for own in stored.places.values() for p in own]
    place = next((p for p in places if p.entrant_id == giver.pk), None)
    if stored is None or place is None or any(p.entrant_id == taker.pk for p in places):
        return note
    seat, following = place.seat, stored.following[place.sitting_id]
    empty_seat(place, following)
    Place.objects.create(
        sitting_id=place.sitting_id,
        round=stored.round,
        entrant=taker,
        seat=seat,
        from_game=following,
    )
    stored.round.sittings.update(version=F("version") + 1)
    return note | {"sitting": place.sitting_id, "seat": seat}


def hand_back(event: Event, giver: Entrant, taker: Entrant, note: Mapping[str, Any]) -> None:
    """Undo `hand_over` of these two, where the taker still has the giver's seat or turn."""
    own = Place.objects.filter(round__event=event, to_game=None, entrant=taker)
    if "seat" in note and own.filter(sitting=note["sitting"], seat=note["seat"]).exists():
        hand_over(event, taker, giver)
    if "ticket" in note and taker.ticket == note["ticket"]:
        _exchange(taker, giver)
    had = note.get("had")
    if taker.ticket is None and not event.entrants.filter(ticket=had).exclude(ticket=None).exists():
        set_columns(taker, ticket=had)


def _exchange(giver: Entrant, taker: Entrant) -> None:
    """Move the giver's turn to the taker; deleted first, as a night has each number once."""
    turn = {"ticket": giver.ticket, "passed_over": giver.passed_over}
    set_columns(giver, ticket=None, passed_over=0)
    set_columns(taker, **turn)


def after_game(event: Event, result: Result) -> None:
    """Apply the seat changes after a game that was just saved."""
    stored = _queue_round(event)
    if stored is None or result.void:
        return
    if event.rules_of_format.kind == "open":
        last = event.games_together
        since = min((place.from_game for place in stored.places[result.sitting_id]), default=None)
        if last is not None and since is not None and result.game_no - since + 1 >= last:
            end_table(event, result.sitting)
        else:
            online.tables().follow(event=event)
        return
    night = _night_of(event, stored, at=result)
    table = next(no for no, s in enumerate(stored.sittings) if s.pk == result.sitting_id)
    loser = _loser(result, night, stored.places[result.sitting_id])
    before = night.tables[table]
    night = loser_leaves.record_game(night, table, loser)
    left = set(before) - set(night.tables[table])
    why = {player: Place.Left.LOST if player == loser else Place.Left.CAP for player in left}
    _write(event, stored, night, why)


def after_correction(event: Event, result: Result, *, counted: bool) -> None:
    """Redo the seat changes after a corrected game while the table has no later one.

    `counted` says whether the previous version counted. Does nothing if the same player is last, or
    once anyone affected has moved on.
    """
    stored = _queue_round(event)
    if stored is None or event.rules_of_format.kind != "loser_leaves":
        return
    is_latest = stored.following[result.sitting_id] == result.game_no + 1
    if not counted:
        if is_latest:
            after_game(event, result)
        return
    went = _who_went(result)
    last = [] if result.void else _last(result)
    if not went or any(p.left_because == Place.Left.LOST and p.entrant_id in last for p in went):
        return
    if is_latest and _back(event, stored, result, went):
        after_game(event, result)
        settle(event)


def end_table(event: Event, sitting: Sitting) -> None:
    """Send the table's players to the end of the queue, in seat order."""
    stored = _queue_round(event)
    if stored is None:
        return
    night = _night_of(event, stored)
    table = next(no for no, s in enumerate(stored.sittings) if s.pk == sitting.pk)
    freed = night.tables[table]
    tables = (*night.tables[:table], (), *night.tables[table + 1 :])
    night = replace(night, tables=tables, waiting=(*night.waiting, *freed))
    _write(event, stored, night, dict.fromkeys(freed, Place.Left.DONE))
    settle(event)


def seat(event: Event, players: Sequence[int]) -> Sitting | None:
    """Seat these queued players at the first empty table; None if that is no longer possible."""
    stored = _queue_round(event)
    if stored is None:
        return None
    night = _night_of(event, stored)
    empty = next((no for no, seats in enumerate(night.tables) if not seats), None)
    if empty is None or not players or not set(players) <= set(night.waiting):
        return None
    _write(event, stored, _at(night, empty, tuple(players)))
    return stored.sittings[empty]


def _queue_round(event: Event) -> _QueueRound | None:
    if not event.has_queue:
        return None
    round_ = event.rounds.filter(status=Round.Status.RELEASED).order_by("-number").first()
    if round_ is None:
        return None
    sittings = list(round_.sittings.annotate(last=Max("results__game_no")).order_by("table_no"))
    places: dict[int, list[Place]] = {sitting.pk: [] for sitting in sittings}
    for place in Place.objects.filter(round=round_, to_game=None).order_by("seat"):
        places[place.sitting_id].append(place)
    following = {s.pk: (s.last or 0) + 1 for s in sittings}  # type: ignore[attr-defined]
    following |= online.tables().following(event=event)
    entrants = {entrant.pk: entrant for entrant in event.entrants.filter(counts=True)}
    return _QueueRound(round_, sittings, places, following, entrants)


def _night_of(event: Event, stored: _QueueRound, at: Result | None = None) -> QueueNight:
    """Return the current state; with `at`, the one before that result's game counted."""
    rules = event.rules_of_format
    return QueueNight(
        stored.tables,
        stored.waiting,
        cap=rules.cap,
        look=rules.look,
        least=event.least_at_table,
        full=event.full_table,
        in_a_row=_in_a_row(stored, at) if at is not None else Counter(),
        passed_over=Counter({pk: e.passed_over for pk, e in stored.entrants.items()}),
        met=selector.met_in(event) if rules.look > 1 or rules.kind == "open" else Counter(),
        wishes=wishes_of(event, stored.here).prices(),
    )


def _in_a_row(stored: _QueueRound, before: Result) -> Counter[int]:
    """Return how many games in a row each of the table's players had before that game.

    A player who took the seat only after that game has not played it either: -1.
    """
    played = before.sitting.results.filter(current=True, void=False, game_no__lt=before.game_no)
    numbers = list(played.values_list("game_no", flat=True))
    since = _since(stored, before.sitting_id)
    return Counter(
        {
            entrant: sum(number >= first for number in numbers) - (first > before.game_no)
            for entrant, first in since.items()
        }
    )


def _since(stored: _QueueRound, sitting: int) -> dict[int, int]:
    """Return the first game of each player of the table; a seat is kept under another name."""
    ended = Place.objects.filter(sitting=sitting, to_game__isnull=False, left_because="")
    names = {
        (place.seat, place.to_game, place.entrant.player.merged_into_id): place.from_game
        for place in ended.filter(entrant__player__merged_into__isnull=False).select_related(
            "entrant__player"
        )
    }
    since = {}
    for place in stored.places[sitting]:
        first, player = place.from_game, stored.entrants[place.entrant_id].player_id
        while (earlier := names.get((place.seat, first - 1, player))) is not None:
            first = earlier
        since[place.entrant_id] = first
    return since


def _loser(result: Result, night: QueueNight, places: Sequence[Place]) -> int | None:
    """Return the loser; of players tied for last, the longest seated, then the next dealer.

    The highest of the tied seats deals next.
    """
    seats = {place.entrant_id: place.seat for place in places}
    last = [player for player in _last(result) if player in seats]
    return max(last, key=lambda player: (night.in_a_row[player], seats[player]), default=None)


def _last(result: Result) -> list[int]:
    """Return the entrants in last place; none if everyone shares first place."""
    placings = list(result.placings.all())
    rank = max((placing.rank for placing in placings), default=1)
    return [placing.entrant_id for placing in placings if placing.rank == rank > 1]


def _without(event: Event, night: QueueNight, player: int) -> QueueNight:
    if event.rules_of_format.kind == "loser_leaves":
        return loser_leaves.leave(night, player)
    tables = tuple(tuple(p for p in seats if p != player) for seats in night.tables)
    return replace(night, tables=tables)


def _kept_alive(night: QueueNight) -> QueueNight:
    """Return an open-play night after queued players fill running tables too small to play."""
    for no, seats in enumerate(night.tables):
        if 0 < len(seats) < night.least and night.waiting:
            filled = loser_leaves.fill(replace(night, tables=(seats,)))
            tables = (*night.tables[:no], *filled.tables, *night.tables[no + 1 :])
            night = replace(filled, tables=tables)
    return night


def _formed(night: QueueNight) -> QueueNight:
    """Return the night after seating full tables of waiting players, those who met least.

    The queue waits for a running table if its head would then meet fewer again.
    """
    playing = [player for seats in night.tables for player in seats]
    while () in night.tables:
        found = open_night.next_table(
            night.waiting, night.met, size=night.full, least=night.full, wishes=night.wishes
        )
        if found is None or open_night.worth_waiting(
            found, night.waiting, playing, night.met, size=night.full, wishes=night.wishes
        ):
            break
        night = _at(night, night.tables.index(()), found.players)
    return night


def _at(night: QueueNight, table: int, players: tuple[int, ...]) -> QueueNight:
    tables = (*night.tables[:table], players, *night.tables[table + 1 :])
    waiting = tuple(p for p in night.waiting if p not in players)
    return replace(night, tables=tables, waiting=waiting)


def _write(
    event: Event, stored: _QueueRound, night: QueueNight, why: Mapping[int, str] | None = None
) -> None:
    """Store the changes to seats and queue: first all who leave a seat, then all who take one."""
    for sitting, seats in zip(stored.sittings, night.tables, strict=True):
        for place in stored.places[sitting.pk]:
            if place.entrant_id not in seats:
                because = (why or {}).get(place.entrant_id, "")
                empty_seat(place, stored.following[sitting.pk], because)
    made: list[Place] = []
    for sitting, seats in zip(stored.sittings, night.tables, strict=True):
        made += _taken(stored, sitting, seats)
    event.entrants.filter(pk__in=[p.entrant_id for p in made]).update(ticket=None, passed_over=0)
    Place.objects.bulk_create(made)
    away = event.entrants.exclude(pk__in=night.waiting).exclude(ticket=None)
    changed = away.update(ticket=None, passed_over=0) + len(made)
    changed += _append(event, [p for p in night.waiting if p not in stored.waiting])
    for player in night.waiting:
        if stored.entrants[player].passed_over != night.passed_over[player]:
            passed = night.passed_over[player]
            changed += event.entrants.filter(pk=player).update(passed_over=passed)
    if changed or night.tables != stored.tables:
        stored.round.sittings.update(version=F("version") + 1)
    least = event.least_at_table
    seated = zip(stored.sittings, stored.tables, night.tables, strict=True)
    formed = [sitting for sitting, before, after in seated if len(before) < least <= len(after)]
    online.tables().follow(event=event, formed=formed)


def empty_seat(place: Place, number: int, why: str = "") -> None:
    """Free the seat from game `number` on; `why` says what the format made of its player."""
    if place.from_game >= number:
        place.delete()
    else:
        set_columns(place, to_game=number - 1, left_because=why)


def _taken(stored: _QueueRound, sitting: Sitting, seats: Iterable[int]) -> list[Place]:
    """Return the newcomers' places: seats of those who left first, then the lowest free ones."""
    seats, before = list(seats), stored.places[sitting.pk]
    held = {place.seat for place in before if place.entrant_id in seats}
    free = [place.seat for place in before if place.entrant_id not in seats]
    free += [seat for seat in range(len(seats) + len(before)) if seat not in held | set(free)]
    known = {place.entrant_id for place in before}
    newcomers = [player for player in seats if player not in known]
    return [
        Place(
            sitting=sitting,
            round=stored.round,
            entrant_id=player,
            seat=seat,
            from_game=stored.following[sitting.pk],
        )
        for player, seat in zip(newcomers, free, strict=False)
    ]


def _append(event: Event, players: Sequence[int]) -> int:
    """Append these players to the queue, in that order; return their number."""
    last = event.entrants.aggregate(last=Max("ticket"))["last"] or 0
    for number, player in enumerate(players, start=last + 1):
        event.entrants.filter(pk=player).update(ticket=number, passed_over=0)
    return len(players)


def _who_went(result: Result) -> list[Place]:
    """Return the places given up after that game, the loser's first."""
    made_room = Q(left_because=Place.Left.LOST) | Q(left_because=Place.Left.CAP)
    went = Place.objects.filter(made_room, sitting=result.sitting_id, to_game=result.game_no)
    return sorted(went, key=lambda place: (place.left_because != Place.Left.LOST, place.seat))


def _back(event: Event, stored: _QueueRound, result: Result, went: list[Place]) -> bool:
    """Reseat the players who gave up their seats after the game; their successors head the queue.

    Return False and change nothing if one of them has moved on since.
    """
    holders = {place.seat: place for place in stored.places[result.sitting_id]}
    came = [holders[place.seat] for place in went if place.seat in holders]
    if len(came) < len(went) or any(p.from_game != result.game_no + 1 for p in came):
        return False
    if not {place.entrant_id for place in went} <= set(stored.waiting):
        return False
    first = event.entrants.aggregate(first=Min("ticket"))["first"] or 0
    for number, place in enumerate(came):
        place.delete()
        position = first - len(came) + number
        event.entrants.filter(pk=place.entrant_id).update(ticket=position, passed_over=0)
    for place in went:
        set_columns(place, to_game=None, left_because="")
    event.entrants.filter(pk__in=[p.entrant_id for p in went]).update(ticket=None, passed_over=0)
    return True
