"""Online tables of sittings: opening them, the holders of their seats, and changes of holders.

On a queue night, an online table's seats follow its sitting's places after each game. The event's
row is locked before its online tables.
"""

import logging
import secrets
from collections.abc import Sequence
from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from engine.bots import BOTS, is_outside
from engine.rules import ruleset as engine_ruleset
from engine.rules.errors import RulesetError
from engine.rules.ruleset import Ruleset
from league.base.acts import audit
from league.models import Entrant, Event, LivePlan, LiveTable, Place, Player, Sitting
from league.nights.acts import same_deals
from league.nights.facts import ceremony, sittings, waitlist
from league.nights.facts.online_tables import secret_of
from tables.chairs.acts import arrangements, rotation, seats
from tables.chairs.acts.arrangements import Holder
from tables.models import Seat, Table
from tables.refusals import Refusal

log = logging.getLogger(__name__)


class Opened(NamedTuple):
    """A locked online table, with the number of its dealt games that count or may still count."""

    live: LiveTable
    table: Table
    dealt: int

    @property
    def following(self) -> int:
        return self.live.from_game + self.dealt


def opened_in(event: Event) -> dict[int, Opened]:
    """Lock the online tables of a locked event, so that none deals; return them by sitting."""
    found = LiveTable.objects.filter(sitting__round__event=event, ended_at=None)
    return {live.sitting_id: _opened(live) for live in found.order_by("table_id")}


def open_table(sitting: Sitting, event: Event, plan: LivePlan, by: User | None) -> LiveTable:
    """Open an online table for the remaining games of a sitting of a locked event.

    Refusal: `live` if one is already open, `ceremony` if the round's results are held back,
    `players` if nobody sits there, `told` if the cards of its deals are, `full` if all games are
    played, `bots` if only bots would play without end, or any refusal of the online table.
    """
    if sitting.live_tables.filter(ended_at=None).exists():
        raise Refusal(_("This table is already online."), code="live")
    if ceremony.holds_back(event, sitting.round):
        raise Refusal(
            _("This round can't be played online, where everyone would see its results."),
            code="ceremony",
        )
    following = sittings.facts_of(sitting, event).next
    if following.dealer is None:
        raise Refusal(_("Nobody sits at this table."), code="players")
    if following.is_over:
        raise Refusal(_("All games of this round are played."), code="full")
    games = event.games_per_round
    if games is None and _never_stop(following.places, event):
        raise Refusal(
            _("Bots alone would never stop. Give this night a fixed number of games."),
            code="bots",
        )
    shared = None
    if event.rules_of_format.same_deals:
        if len(following.places) != event.full_table:
            raise Refusal(_("A duplicate night needs four players at each table."), code="players")
        shared = same_deals.deals_of(event=event, round_no=sitting.round.number)
        if shared.told >= following.number:
            raise Refusal(
                _("Other tables have played these deals, and everyone may see the cards."),
                code="told",
            )
    club = event.season.club
    home = reverse(
        "league:table", args=[club.slug, event.pk, sitting.round.number, sitting.table_no]
    )
    live = LiveTable(sitting=sitting, from_game=following.number, nonce=secrets.token_hex(16))
    live.table = arrangements.arrange_table(
        ruleset=rules_of(event),
        holders=[holder(live, place.entrant) for place in following.places],
        move_seconds=plan.move_seconds,
        stake=max(1, event.stake_of(sitting)),
        unit=event.season.unit if event.stake else "",
        games=None if games is None else games - following.number + 1,
        first_dealer=following.places.index(following.dealer),
        plays_on=plan.abandoned == LivePlan.Abandoned.FINISH,
        rotates=event.has_queue,
        shared=shared,
        shared_from=following.number,
        home=home,
        home_name=event.name[:120],
    )
    live.save()
    audit.log_at_table("live.opened", sitting, by=by, event=event, key=live.table.key)
    return live


def open_formed(sitting: Sitting, event: Event) -> None:
    """Open an online table for players who just sat down together, if all tables play online.

    None opens after the call of the last game: it would deal them a game.
    A refusal does not undo their seating: organisers see a table with real cards, and get the
    reason when they try to open it online.
    """
    plan = LivePlan.objects.filter(event=event, played=LivePlan.Played.LIVE).first()
    if plan is None or sitting.live_tables.filter(ended_at=None).exists():
        return
    if sitting.round.last_game_at is not None:
        return
    try:
        with transaction.atomic():
            open_table(sitting, event, plan, None)
    except ValidationError as error:
        log.warning("Table %s of event %s: %s", sitting.table_no, event.pk, error.messages)


def follow(event: Event) -> None:
    """Seat players at a queue night's online tables by the places of the sittings.

    Skips a table with a game in progress or an unrecorded result, which decides the places. Ends a
    table where only bots would play and no person waits.
    """
    if not event.has_queue:
        return
    for live, table, _dealt in opened_in(event).values():
        untaken = table.games.filter(over_at__isnull=False, league_result=None)
        if table.status in (Table.Status.PLAYING, Table.Status.CLOSED) or untaken.exists():
            continue
        places = Place.objects.filter(sitting=live.sitting_id, to_game=None).order_by("seat")
        seated = list(places.select_related("entrant__player__user"))
        if _never_stop(seated, event):
            arrangements.end(table_id=table.pk, now=True)
            continue
        holders = [holder(live, place.entrant) for place in seated]
        rotation.change_chairs(table_id=table.pk, holders=holders)


def places_now(live: LiveTable, table: Table) -> list[Place]:
    """Return the current places at a locked online table; they may change after its game."""
    number = _opened(live).following
    if table.status == Table.Status.PLAYING or table.is_held:
        number -= 1
    return sittings.places_at(live.sitting, number)


def hold_now(sitting: Sitting) -> None:
    """Bring forward seat changes that were planned for after a game that is now void."""
    number = sittings.next_number(sitting)
    left = sitting.places.filter(to_game__gte=number)
    left.filter(from_game__gte=number).delete()
    left.update(to_game=number - 1)
    sitting.places.filter(from_game__gt=number).update(from_game=number)


def holder(live: LiveTable, entrant: Entrant) -> Holder:
    """Return the holder of an entrant's seat: the account, the bot, or the bearer of the link."""
    player = entrant.player
    if player.bot:
        known = player.bot in BOTS and not is_outside(player.bot)
        return Holder(player.name, bot=player.bot if known else seats.HOUSE_BOT)
    if player.user_id:
        return Holder(player.name, user=player.user)
    return Holder(player.name, secret=secret_of(live, entrant.pk))


def free_seats(*, player: Player, user: User) -> None:
    """Take the seats at the club's tables from an account that was unlinked from the player.

    At a night the player's personal link holds the seat from now on; a stakes table has none.
    """
    held = {"table__seats__user": user, "table__seats__left_at": None}
    of_club = {"sitting__round__event__season__club": player.club_id}
    for live in LiveTable.objects.filter(ended_at=None, **of_club, **held).order_by("table_id"):
        sat = Entrant.objects.filter(places__sitting=live.sitting_id, player__in=player.names)
        if (entrant := sat.first()) is not None:
            secret = secret_of(live, entrant.pk)
            arrangements.hold_by_secret(table_id=live.table_id, user=user, secret=secret)
    staked = Seat.objects.filter(user=user, left_at=None, club_seat__player__in=player.names)
    for seat in staked.order_by("table_id"):
        seats.leave(seat_id=seat.pk)


def rules_of(event: Event) -> Ruleset:
    """Return the event's rules, without payments if it has no stake, as with real cards."""
    rules = event.rules
    if event.stake or rules.betting in ("none", "points"):
        return rules
    try:
        return engine_ruleset.with_options(rules, {"betting": "none"})
    except RulesetError:
        return rules


def _opened(live: LiveTable) -> Opened:
    table = seats.lock(live.table_id)
    dealt = table.games.filter(dealt_at__isnull=False)
    if table.status == Table.Status.CLOSED:
        dealt = dealt.filter(over_at__isnull=False)  # An unfinished game is void.
    return Opened(live, table, dealt.count())


def _never_stop(seated: Sequence[Place], event: Event) -> bool:
    """Return whether only bots sit there and no person waits for one of their seats."""
    if not seated or not all(place.entrant.player.bot for place in seated):
        return False
    return not (event.has_queue and any(not e.player.bot for e in waitlist.queue(event)))
