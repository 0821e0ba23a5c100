"""Money tables, and the posting of their games in the season's ledger.

The season's row is locked before the table's. Each game is posted once: the database allows one
posting per game. If the notification of a game is lost, a sweep finds it by its missing posting.
"""

import uuid

from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from engine.rules.ruleset import Ruleset
from engine.rules.specials import Special
from league.base.acts import audit, locks
from league.base.acts.sweeps import each
from league.clubs.facts import club_rules
from league.models import ClubSeat, ClubTable, Player, Season
from league.money.acts import postings
from league.money.acts.postings import Paid
from league.online.facts import stake_tables as selector
from tables.base.columns import set_columns
from tables.base.lookup import or_raise
from tables.chairs.acts import arrangements, seats
from tables.models import Game, Seat, Table
from tables.play.facts import archive
from tables.refusals import REASONS, Refusal, TableRefusal

GAMES = uuid.UUID("3f9a6c1e-52d4-5b7e-8a10-6d2f4b9c0e31")
"""The UUID namespace of postings' client ids: the same game always gives the same id."""


@transaction.atomic
def open_table(
    *, season: Season, by: User, ruleset: Ruleset, players: int, stake: int, move_seconds: int
) -> ClubTable:
    """Open a table whose games go into the season's ledger; `by` takes its first seat.

    Refusal: `closed`, `player` if the account is no player of the club, `rules` if the rules have
    no payments, or any refusal of the online table.
    """
    season = locks.season_to_change(season.pk)
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
        unit=season.unit,
        home_name=club.name,
    )
    set_columns(table.arrangement, home=reverse("league:club_table", args=[club.slug, table.key]))
    live = ClubTable.objects.create(season=season, table=table, by=by)
    seats.sit(table_id=table.pk, no=0, name="", user=by)
    audit.log("live.club_opened", club=club, by=by, season=season.pk, key=table.key, stake=stake)
    return live


@transaction.atomic
def end_table(*, live: ClubTable, by: User, now: bool = False) -> None:
    """End the table after its current game, or `now`, which voids that game and its payments.

    Finished games are posted.
    """
    season = locks.season_to_change(live.season_id)
    live = ClubTable.objects.get(pk=live.pk)
    if live.ended_at:
        return
    table = arrangements.end(table_id=live.table_id, now=now)
    _take(live, season)
    audit.log("live.club_ended", club=season.club, by=by, key=table.key, now=now)


def take_games(*, table_id: int) -> int:
    """Post the finished games of a table; return the number of new ones.

    Safe to call at any time and concurrently.
    """
    live = selector.with_news().filter(table=table_id).first()
    if live is None:
        return 0
    try:
        with transaction.atomic():
            season = locks.season_to_change(live.season_id)
            return _take(ClubTable.objects.get(pk=live.pk), season)
    except ValidationError:
        return 0  # The season is closed; the sweep tries again once it is reopened.


def sweep() -> int:
    """Post finished games whose notification was lost; return the number of new ones."""
    return each(selector.with_news(), lambda live: take_games(table_id=live.table_id))


def note_player(*, seat: Seat) -> None:
    """Store the player behind a seat at a stakes table.

    The payments are that player's, even if the account changes hands.
    """
    live = ClubTable.objects.select_related("season").filter(table=seat.table_id).first()
    if live is None:
        return
    player = or_raise(
        selector.player_of(live.season.club_id, seat.user), TableRefusal("members_only")
    )
    ClubSeat.objects.create(seat=seat, player=player)


def _take(live: ClubTable, season: Season) -> int:
    """Post the table's finished games that have no posting. The season is locked."""
    table = Table.objects.select_related("ruleset", "arrangement").get(pk=live.table_id)
    taken = 0
    for game in Game.objects.filter(table=table, over_at__isnull=False, posting=None).order_by(
        "no"
    ):
        game.table = table
        happened = archive.happened(game)
        sat = ClubSeat.objects.filter(seat__in=game.holders).select_related("player")
        people = {one.seat_id: one.player for one in sat}
        chairs = [people[holder] for holder in game.holders]
        taken += postings.post_game(
            season=season,
            game=game,
            payments=[
                _paid(game, chairs, payment, happened.specials)
                for payment in happened.payments
                if payment["amount"]
            ],
            client_id=uuid.uuid5(GAMES, f"{game.table_id}:{game.no}"),
        )
    if table.status == Table.Status.CLOSED:
        set_columns(live, ended_at=timezone.now())
    return taken


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
