"""Online tables of a round, and the recording of their games as results.

The event's row is locked before the online table's, as everywhere. Each game is recorded once: the
database allows one result per game. If the notification of a game is lost, a sweep finds the game
by its missing result.
"""

import itertools
import logging
import uuid
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts.models import User
from engine.bots import BOTS, is_outside
from engine.rules.specials import Special
from league.base import texts
from league.base.acts import audit, locks
from league.base.acts.sweeps import each
from league.clubs.acts import players
from league.models import (
    Entrant,
    Event,
    LivePlan,
    LiveTable,
    Place,
    Player,
    Result,
    Round,
    Sitting,
)
from league.models.result import latest
from league.nights.acts import attendance, results, same_deals, waitlist
from league.nights.facts import online_tables, sittings
from league.online.acts import live_tables
from league.online.facts import online_rounds as selector
from tables.base.lookup import or_raise
from tables.chairs.acts import arrangements, seats
from tables.models import Game, Seat, Table
from tables.play.facts import archive
from tables.refusals import Refusal, TableRefusal

log = logging.getLogger(__name__)

GAMES = uuid.UUID("8f0c1f0e-6a0b-5a41-9f0d-3f1f6e1c7a55")
"""The UUID namespace of results' client ids: the same game always gives the same id."""


@dataclass(frozen=True)
class GameSeats:
    """The places by seat in one game of a sitting."""

    game_no: int
    places: list[Place]

    def entrant(self, chair: int) -> int:
        return self.places[chair].entrant_id


@transaction.atomic
def set_plan(
    *, event: Event, by: User, played: str, move_seconds: int, abandoned: str
) -> LivePlan | None:
    """Set the event's online play from the next round on; an empty `played` means real cards."""
    event = locks.event_to_change(event.pk)
    if event.kind != Event.Kind.NIGHT:
        raise Refusal(_("Bots don't need tables: they play on their own."))
    plan = None
    if not played:
        LivePlan.objects.filter(event=event).delete()
    else:
        plan = LivePlan(event=event, played=played, move_seconds=move_seconds, abandoned=abandoned)
        plan.clean_fields()
        values = {"played": played, "move_seconds": move_seconds, "abandoned": abandoned}
        plan, _created = LivePlan.objects.update_or_create(event=event, defaults=values)
    audit.log("live.plan", by=by, event=event, played=played or "cards")
    return plan


@transaction.atomic
def open_round(*, round_: Round, event: Event, by: User | None) -> None:
    """Open an online table for each table of a newly released round, if all play online.

    On a queue night, tables with too few players are not opened.
    """
    plan = LivePlan.objects.filter(event=event, played=LivePlan.Played.LIVE).first()
    if plan is None:
        return
    if event.rules_of_format.same_deals:
        same_deals.deals_of(event=event, round_no=round_.number, unplayed=True)
    for sitting in round_.sittings.filter(live_tables=None):
        if not (event.has_queue and len(sitting.seated) < event.least_at_table):
            live_tables.open_table(sitting, event, plan, by)


@transaction.atomic
def open_table(*, sitting_id: int, by: User) -> LiveTable:
    """Open an online table for the remaining games of a sitting.

    Refusals: see `live_tables.open_table`; where all tables play the same deals, also with real
    cards, which nobody can deal online.
    """
    sitting, event = locks.table_to_change(sitting_id)
    real_cards = sitting.round.sittings.filter(live_tables=None)
    if event.rules_of_format.same_deals and real_cards.exists():
        raise Refusal(
            _("On a duplicate night, either all tables play online or none."), code="same_deals"
        )
    plan = LivePlan.objects.filter(event=event).first() or LivePlan(event=event)
    return live_tables.open_table(sitting, event, plan, by)


@transaction.atomic
def end_table(*, sitting_id: int, by: User | None, now: bool = False) -> None:
    """End the online table after its current game, or `now`, which voids that game.

    Finished games are recorded, of the same deals as other tables' once those have ended them.
    Games that cannot be, and further games of the sitting, are entered by hand.
    """
    sitting, event = locks.table_to_change(sitting_id)
    live = sitting.live_tables.filter(ended_at=None).first()
    if live is None:
        return
    _end(live, event, now=now)
    Sitting.objects.filter(pk=sitting.pk).update(version=F("version") + 1)
    audit.log("live.ended", by=by, event=event, sitting=sitting.pk, now=now)


@transaction.atomic
def show_on_wall(*, sitting_id: int, on: bool) -> None:
    """Show a table's games on the big screen in place of another's, or stop showing them."""
    sitting, event = locks.table_to_change(sitting_id)
    tables = LiveTable.objects.filter(sitting__round__event=event)
    own = tables.filter(sitting=sitting)
    (tables if on else own).exclude(on_wall_at=None).update(on_wall_at=None)
    if on and not own.filter(ended_at=None).update(on_wall_at=timezone.now()):
        raise Refusal(_("This table is not online now."), code="gone")


@transaction.atomic
def end_tables(*, event: Event, round_: Round | None = None, now: bool) -> None:
    """End all online tables of a locked event, or of one of its rounds."""
    found = LiveTable.objects.filter(sitting__round__event=event, ended_at=None)
    for live in found.filter(sitting__round=round_) if round_ else found:
        _end(live, event, now=now)


def take_games(*, table_id: int) -> int:
    """Record the finished games of an online table; return the number of new ones.

    Safe to call at any time and concurrently. If a game cannot be recorded, the organisers see the
    reason, and later games wait.
    """
    live = selector.with_news().filter(table=table_id).first()
    if live is None:
        return 0
    try:
        with transaction.atomic():
            event = locks.event_to_change(live.sitting.round.event_id)
            return _take_or_tell(LiveTable.objects.get(pk=live.pk), event) or 0
    except Refusal as refused:
        if refused.code != "closed":
            raise
        return 0  # The sweep tries again once the event is reopened.


def sweep(*, event: Event | None = None) -> int:
    """Record finished games whose notification was lost; return the number of new ones."""
    found = selector.with_news()
    if event is not None:
        found = found.filter(sitting__round__event=event)
    return each(found, lambda live: take_games(table_id=live.table_id))


def game_on(*, sitting: Sitting, event: Event) -> tuple[LiveTable | None, bool]:
    """Lock the sitting's online table and record its finished games.

    Returns the table, or None if there is none or it has ended, and whether a game is on.
    """
    live = sitting.live_tables.filter(ended_at=None).first()
    if live is None:
        return None, False
    table = seats.lock(live.table_id)
    _take(live, event)
    return (None, False) if live.ended_at else (live, table.status == Table.Status.PLAYING)


@transaction.atomic
def renew_chair(*, sitting_id: int, entrant_id: int, by: User) -> None:
    """Replace the personal link to an entrant's seat; the old link stops working."""
    sitting, event = locks.table_to_change(sitting_id)
    live = or_raise(
        sitting.live_tables.filter(ended_at=None).first(),
        Refusal(_("This table is not online now."), code="gone"),
    )
    number = live.from_game + arrangements.games_over(live.table)
    chair = or_raise(
        next(
            (
                chair
                for chair, place in enumerate(sittings.places_at(sitting, number))
                if place.entrant_id == entrant_id
            ),
            None,
        ),
        Refusal(_("This player no longer sits here. Try again."), code="gone"),
    )
    live.renewed[str(entrant_id)] = live.renewed.get(str(entrant_id), 0) + 1
    live.save(update_fields=["renewed"])
    try:
        secret = online_tables.secret_of(live, entrant_id)
        arrangements.new_secret(table_id=live.table_id, no=chair, secret=secret)
    except TableRefusal as refused:
        raise Refusal(
            _("Players with an account don’t need a personal link."),
            code="gone",
        ) from refused
    audit.log("live.link_renewed", by=by, event=event, entrant=entrant_id)


@transaction.atomic
def leave_night(*, seat: Seat) -> None:
    """Mark the seat's player as having left the night, from the next undealt game on.

    Refusal: `closed`. Does nothing if the player has already left the seat.
    """
    event_id = Round.objects.values_list("event_id", flat=True).get(
        sittings__live_tables__table=seat.table_id
    )
    event = locks.event_to_change(event_id)
    for live, table, _dealt in live_tables.opened_in(event).values():
        here = table.seats.filter(pk=seat.pk, left_at=None).first()
        if here is not None:
            entrant = live_tables.places_now(live, table)[here.no].entrant
            attendance.set_presence(
                event=event, player_ids=[entrant.player_id], presence="left", by=here.user
            )


@transaction.atomic
def add_bot(*, event: Event, bot: str, by: User) -> Entrant:
    """Add a bot that plays the night like a person: it is drawn, and its games count.

    Bots that only fill seats belong to the night's format instead.
    """
    event = locks.event_to_change(event.pk)
    if bot not in BOTS or is_outside(bot):
        raise Refusal(_("There is no such bot."), code="gone")
    club = event.season.club
    others = event.entrants.exclude(presence="left", counts=True)
    taken = set(others.values_list("player__name", flat=True))
    names = (f"{bot} {n} (bot)" if n > 1 else f"{bot} (bot)" for n in itertools.count(1))
    name = next(name for name in names if name not in taken)
    known = players.find_by_name(club=club, name=name)
    player: Player = known or players.add_player(club=club, name=name, by=by, bot=bot)
    entrant, _created = Entrant.objects.update_or_create(
        event=event,
        player=player,
        defaults={"presence": Entrant.Presence.HERE, "counts": True},
    )
    waitlist.settle(event)
    audit.log("event.bot", club=club, by=by, event=event, player=player.pk, name=name)
    return entrant


def _end(live: LiveTable, event: Event, *, now: bool) -> None:
    """End an online table; if a game cannot be recorded, real cards go on from there."""
    arrangements.end(table_id=live.table_id, now=now)
    if _take_or_tell(live, event) is None:
        over = LiveTable.objects.filter(pk=live.pk, table__status=Table.Status.CLOSED)
        if over.update(ended_at=timezone.now()):
            live_tables.hold_now(live.sitting)


def _take_or_tell(live: LiveTable, event: Event) -> int | None:
    """Record finished games as `_take`; if one cannot be, tell the organisers and return None."""
    try:
        with translation.override("en"), transaction.atomic():
            return _take(live, event)
    except ValidationError as error:
        log.warning("Table %s: %s", live.table.key, error.messages)
        template, params = texts.template_of(error)
        LiveTable.objects.filter(pk=live.pk).update(problem=template[:300], problem_params=params)
        return None


def _take(live: LiveTable, event: Event) -> int:
    """Record the finished games of an online table that have no result. Its event is locked.

    Games with the same deals as other tables' are recorded when all have ended them, and those of
    all tables then.
    """
    if not event.rules_of_format.same_deals:
        return _take_until(live, event, None)
    last = same_deals.tell(round_=live.sitting.round)
    others = LiveTable.objects.filter(sitting__round=live.sitting.round_id, ended_at=None)
    tables = [live, *others.exclude(pk=live.pk)]
    return sum(_take_until(table, event, last) for table in tables)


def _take_until(live: LiveTable, event: Event, last: int | None) -> int:
    """Record an online table's games up to the sitting's game `last`; None: all."""
    table = Table.objects.select_related("ruleset", "arrangement").get(pk=live.table_id)
    over = Game.objects.filter(table=table, over_at__isnull=False).order_by("no")
    first, taken, waits = _first_abandoned(table, event), 0, False
    for game in over.filter(league_result=None):
        if last is not None and live.from_game + game.no - 1 > last:
            waits = True
        elif first is None or game.no < first:
            game.table = table
            _record(live, game, event)
            taken += 1
    if table.status == Table.Status.CLOSED and not waits:
        live.ended_at = timezone.now()
        live_tables.hold_now(live.sitting)
        live.abandoned = table.arrangement.abandoned_game is not None
    live.problem, live.problem_params = "", {}
    live.save(update_fields=["ended_at", "abandoned", "problem", "problem_params"])
    return taken


def _first_abandoned(table: Table, event: int | Event) -> int | None:
    """Return the first game that does not count by the event's setting for abandoned tables.

    At a table that was opened to be finished all count: its people may be back since.
    """
    agreed = table.arrangement
    voids = LivePlan.objects.filter(event=event, abandoned=LivePlan.Abandoned.VOID)
    if agreed.abandoned_game is None or agreed.plays_on or not voids.exists():
        return None
    return agreed.abandoned_game


def uncounted(live: LiveTable) -> frozenset[int]:
    """Return the numbers of the online table's games that are void or were abandoned."""
    table = live.table
    void = Result.objects.filter(latest(), sitting=live.sitting_id, void=True)
    found = {number - live.from_game + 1 for number in void.values_list("game_no", flat=True)}
    first = _first_abandoned(table, live.sitting.round.event_id)
    return frozenset(found.union(range(first, arrangements.games_over(table) + 1) if first else ()))


def _record(live: LiveTable, game: Game, event: Event) -> Result:
    number = live.from_game + game.no - 1
    here = GameSeats(number, sittings.places_at(live.sitting, number))
    if len(here.places) != len(game.holders):
        raise Refusal(
            _("Game %(game)s was played by people other than those listed. Enter it by hand."),
            code="players",
            params={"game": number},
        )
    happened = archive.happened(game)
    return results.record(
        sitting_id=live.sitting_id,
        game_no=number,
        groups=[[here.entrant(chair) for chair in group] for group in happened.placings],
        client_id=uuid.uuid5(GAMES, f"{live.table_id}:{game.no}"),
        by=None,
        specials=[_of_entrants(special, here) for special in happened.specials],
        live=results.Live(
            game,
            [
                {
                    "from": here.entrant(payment["from"]),
                    "to": here.entrant(payment["to"]),
                    "amount": payment["amount"],
                    "reason": payment["reason"],
                }
                for payment in happened.payments
                if payment["amount"]
            ],
        ),
    )


def _of_entrants(special: Special, here: GameSeats) -> Special:
    changed: dict[str, Any] = {
        name: here.entrant(chair)
        for name, chair in (("by", special.by), ("of", special.of))
        if chair is not None
    }
    return special._replace(**changed)
