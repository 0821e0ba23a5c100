"""Live tables of sittings: opening them, who holds their chairs, and chairs that change hands.

Where tables stay open all night the chairs of a live table follow the places of its sitting after
each game. The event's row is locked first and the live tables after it.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Sequence
from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from accounts.models import User
from engine.bots import BOTS, is_outside
from engine.rules import ruleset as engine_ruleset
from engine.rules.errors import RulesetError
from engine.rules.ruleset import Ruleset
from league.base.acts import audit
from league.models import Entrant, Event, LivePlan, LiveTable, Place, Sitting
from league.nights.facts import ceremony, sittings, waitlist
from tables.models import Table
from tables.refusals import Refusal
from tables.services import arrangements, rotation, rulesets, seats
from tables.services.arrangements import Holder

log = logging.getLogger(__name__)


class Opened(NamedTuple):
    """A live table, locked, and how many games were dealt there that count or may."""

    live: LiveTable
    table: Table
    dealt: int

    @property
    def following(self) -> int:
        """The number in the sitting of the game that is dealt next."""
        return self.live.from_game + self.dealt


def opened_in(event: Event) -> dict[int, Opened]:
    """Lock the live tables of a locked event, by sitting: so that none of them deals."""
    found = LiveTable.objects.filter(sitting__round__event=event, ended_at=None)
    return {live.sitting_id: _opened(live) for live in found.order_by("table_id")}


def open_table(sitting: Sitting, event: Event, plan: LivePlan, by: User | None) -> LiveTable:
    """Return a live table for the games that are still to be played at a sitting of a locked event.

    Refusal: `live` when it plays online already, `full` when all games are played,
    `players` when nobody sits there, `bots` when bots alone would play without end, or what the
    live table refuses.
    """
    if sitting.live_tables.filter(ended_at=None).exists():
        raise Refusal(_("This table is already online."), code="live")
    if ceremony.holds_back(event, sitting.round):
        raise Refusal(
            _("This round can't be played online, where everyone would see its results."),
            code="ceremony",
        )
    following = sittings.sitting_page(sitting=sitting, event=event).next
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
    club = event.season.club
    home = reverse(
        "league:table", args=[club.slug, event.pk, sitting.round.number, sitting.table_no]
    )
    live = LiveTable(sitting=sitting, from_game=following.number, nonce=secrets.token_hex(16))
    live.table = arrangements.arrange_table(
        ruleset=rules_of(event),
        holders=[holder(live, place.entrant) for place in following.places],
        move_seconds=plan.move_seconds,
        stake=max(1, event.stake),
        unit=club.unit if event.stake else "",
        games=None if games is None else games - following.number + 1,
        first_dealer=following.places.index(following.dealer),
        plays_on=plan.abandoned == LivePlan.Abandoned.FINISH,
        rotates=event.is_floor,
        home=home,
        home_name=event.name[:120],
    )
    live.save()
    Sitting.objects.filter(pk=sitting.pk).update(version=F("version") + 1)
    audit.log(
        "live.opened",
        club=club,
        by=by,
        event=event,
        round=sitting.round.number,
        table=sitting.table_no,
        key=live.table.key,
    )
    return live


def open_formed(sitting: Sitting, event: Event) -> None:
    """Open a live table where people have just sat down together, if all tables play online.

    What speaks against it is no reason to refuse them their chairs: an organiser sees that the
    table plays with real cards, and hears why when he opens it.
    """
    plan = LivePlan.objects.filter(event=event, played=LivePlan.Played.LIVE).first()
    if plan is None or sitting.live_tables.filter(ended_at=None).exists():
        return
    try:
        with transaction.atomic():
            open_table(sitting, event, plan, None)
    except ValidationError as error:
        log.warning("Table %s of event %s: %s", sitting.table_no, event.pk, error.messages)


def follow(event: Event) -> None:
    """Seats at the live tables of a floor who sits there by its places.

    Not while a game is on, nor before its result is in: who sits there follows from that. A table
    where bots alone would play for nobody ends.
    """
    if not event.is_floor:
        return
    for live, table, _dealt in opened_in(event).values():
        if table.status in (Table.Status.PLAYING, Table.Status.CLOSED) or _is_untaken(table):
            continue
        places = Place.objects.filter(sitting=live.sitting_id, to_game=None).order_by("seat")
        seated = list(places.select_related("entrant__player__user"))
        if _never_stop(seated, event):
            arrangements.end(table_id=table.pk, now=True)
            continue
        holders = [holder(live, place.entrant) for place in seated]
        rotation.change_chairs(table_id=table.pk, holders=holders)


def places_now(live: LiveTable, table: Table) -> list[Place]:
    """Who has the chairs of a locked live table: after the game that is on others may have them."""
    number = _opened(live).following
    if table.status == Table.Status.PLAYING or rotation.is_held(table):
        number -= 1
    return sittings.places_at(live.sitting, number)


def hold_now(sitting: Sitting) -> None:
    """Change of chairs that were to hold after a game that is void hold from that game on."""
    number = sittings.next_number(sitting)
    left = sitting.places.filter(to_game__gte=number)
    left.filter(from_game__gte=number).delete()
    left.update(to_game=number - 1)
    sitting.places.filter(from_game__gt=number).update(from_game=number)


def holder(live: LiveTable, entrant: Entrant) -> Holder:
    """Who gets the chair of an entrant: their account, their bot, or the holder of their link."""
    player = entrant.player
    if player.bot:
        known = player.bot in BOTS and not is_outside(player.bot)
        return Holder(player.name, bot=player.bot if known else seats.HOUSE_BOT)
    if player.user_id:
        return Holder(player.name, user=player.user)
    return Holder(player.name, secret=secret_of(live, entrant.pk))


def secret_of(live: LiveTable, entrant_id: int) -> str:
    """Return the secret of a personal link, the same each time until it is replaced."""
    renewed = live.renewed.get(str(entrant_id), 0)
    value = f"{live.nonce}:{entrant_id}:{renewed}"
    return salted_hmac("league.chair", value, algorithm="sha256").hexdigest()[:48]


def rules_of(event: Event) -> Ruleset:
    """Return the event's rules.

    Without money where there is no stake, as at a table with real cards.
    """
    rules = rulesets.thaw(event.ruleset)
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
        dealt = dealt.filter(over_at__isnull=False)  # The game that was on is void.
    return Opened(live, table, dealt.count())


def _is_untaken(table: Table) -> bool:
    """Whether the result of a finished game has not come in."""
    return table.games.filter(over_at__isnull=False, league_result=None).exists()


def _never_stop(seated: Sequence[Place], event: Event) -> bool:
    """Whether bots alone sit there and no person waits for one of their chairs."""
    if not seated or not all(place.entrant.player.bot for place in seated):
        return False
    return not (event.is_floor and any(not e.player.bot for e in waitlist.queue(event)))
