"""Live tables that a club's players open for a stake, and their games in the season's ledger.

The season's row is locked first and the live table's second. A game is posted once: its posting
names it, and the database holds that. News that got lost does no harm, since a sweep looks for
games that no posting names.
"""

from __future__ import annotations

import uuid

from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from engine.rules.ruleset import Ruleset
from engine.rules.specials import Special
from league.base.acts import audit
from league.base.acts.sweeps import each
from league.clubs.facts import club_rules
from league.models import ClubSeat, ClubTable, Player, Season
from league.money.acts import postings
from league.money.acts.postings import Paid
from league.online.facts import stake_tables as selector
from league.seasons.acts import seasons
from tables.models import Game, Seat, Table
from tables.refusals import REASONS, Refusal, TableRefusal
from tables.selectors import archive
from tables.services import arrangements, seats

GAMES = uuid.UUID("3f9a6c1e-52d4-5b7e-8a10-6d2f4b9c0e31")
"""The name space of postings' keys: the same game always gives the same key."""


@transaction.atomic
def open_table(
    *, season: Season, by: User, ruleset: Ruleset, players: int, stake: int, move_seconds: int
) -> ClubTable:
    """Open a table whose games go into the season's ledger; `by` sits in its first chair.

    Refusal: `closed`, `player` where the account is no player of the club, `rules` where
    nothing is paid by them, or what the live table refuses.
    """
    season = seasons.lock(season.pk)
    if selector.player_of(season.club, by) is None:
        raise Refusal(REASONS["members_only"], code="player")
    if ruleset.betting not in club_rules.PAYING:
        raise Refusal(
            _("These rules have no payments. Choose other rules."),
            code="rules",
            field="ruleset",
        )
    club = season.club
    table = arrangements.open_for_members(
        ruleset=ruleset,
        players=players,
        move_seconds=move_seconds,
        stake=stake,
        unit=club.unit,
        home_name=club.name,
    )
    table.arrangement.home = reverse("league:club_table", args=[club.slug, table.key])
    table.arrangement.save(update_fields=["home"])
    live = ClubTable.objects.create(season=season, table=table, by=by)
    seats.sit(table_id=table.pk, no=0, name="", user=by)
    audit.log("live.club_opened", club=club, by=by, season=season.pk, key=table.key, stake=stake)
    return live


@transaction.atomic
def end_table(*, live: ClubTable, by: User, now: bool = False) -> None:
    """End the table after the game that is on, or `now`, when that game is void and costs nothing.

    What was played is posted first.
    """
    season = seasons.lock(live.season_id)
    live = ClubTable.objects.get(pk=live.pk)
    if live.ended_at:
        return
    table = arrangements.end(table_id=live.table_id, now=now)
    _take(live, season)
    audit.log("live.club_ended", club=season.club, by=by, key=table.key, now=now)


def take_games(*, table_id: int) -> int:
    """Post the finished games of a table; returns how many were new.

    Safe to call at any time and by several at once.
    """
    live = selector.with_news().filter(table=table_id).first()
    if live is None:
        return 0
    try:
        with transaction.atomic():
            season = seasons.lock(live.season_id)
            return _take(ClubTable.objects.get(pk=live.pk), season)
    except ValidationError:
        return 0  # The season was closed. When it is opened again the sweep looks once more.


def sweep() -> int:
    """Post what news that got lost would have brought; returns how many games were new."""
    return each(selector.with_news(), lambda live: take_games(table_id=live.table_id))


def note_player(*, seat: Seat) -> None:
    """Keep as which player someone has sat down at a club's table.

    Theirs are the stakes, even if the account changes hands.
    """
    live = ClubTable.objects.select_related("season").filter(table=seat.table_id).first()
    if live is None:
        return
    player = selector.player_of(live.season.club_id, seat.user)
    if player is None:
        raise TableRefusal("members_only")
    ClubSeat.objects.create(seat=seat, player=player)


def _take(live: ClubTable, season: Season) -> int:
    """Post the games that are over and in no posting; the season is locked."""
    table = Table.objects.select_related("ruleset", "arrangement").get(pk=live.table_id)
    taken = 0
    for game in Game.objects.filter(table=table, over_at__isnull=False, posting=None).order_by(
        "no"
    ):
        game.table = table
        taken += _post(season, game)
    if table.status == Table.Status.CLOSED:
        live.ended_at = timezone.now()
        live.save(update_fields=["ended_at"])
    return taken


def _post(season: Season, game: Game) -> bool:
    happened = archive.happened(game)
    sat = ClubSeat.objects.filter(seat__in=game.holders).select_related("player")
    people = {one.seat_id: one.player for one in sat}
    chairs = [people[holder] for holder in game.holders]
    return postings.post_game(
        season=season,
        game=game,
        payments=[
            _paid(game, chairs, payment, happened.specials)
            for payment in happened.payments
            if payment["amount"]
        ],
        client_id=uuid.uuid5(GAMES, f"{game.table_id}:{game.no}"),
    )


def _paid(
    game: Game, chairs: list[Player], payment: dict[str, int | str], specials: list[Special]
) -> Paid:
    payer, payee = int(payment["from"]), int(payment["to"])
    chops = [
        {"what": special.what, "chained": special.chained}
        for special in specials
        if special.kind == "chop" and {special.by, special.of} == {payer, payee}
    ]
    reason = str(payment["reason"])
    detail = {"game": game.no} | ({"chops": chops} if reason == "chop" else {})
    return Paid(chairs[payer], chairs[payee], int(payment["amount"]), reason, detail)
