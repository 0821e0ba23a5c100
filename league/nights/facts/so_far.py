"""Each player's points and money at one table so far."""

from dataclasses import dataclass
from fractions import Fraction

from league.base.joined import Joined
from league.models import Event, Player, Sitting
from league.seasons.domain.scoring import points_for


@dataclass(frozen=True)
class SoFar:
    """One player's totals at a table; `money` is None where the event has no stake."""

    player: Player
    points: Fraction
    money: int | None


def points_of(event: Event, size: int, rank: int, tied: int, money: int) -> Fraction:
    """Return the points of a place in one game; `money` is the player's result in that game."""
    rules = event.rules_of_scoring
    if rules.points_table.stake:
        return Fraction(money, rules.stake_unit) * rules.weight
    return points_for(rules.points_table, size, rank, tied) * rules.weight


_SUMS = Joined(
    """
    WITH games AS (
        SELECT id, game_no FROM league_result
        WHERE sitting_id = %(sitting)s AND NOT void AND (current OR held AND %(with_held)s)
    ), counted AS (
        SELECT coalesce(o.merged_into_id, o.id) AS player_id, p.size, p.rank, p.tied,
            count(*) AS games, min(ARRAY[game_no, rank, seat]) AS first
        FROM games
        JOIN league_placing p ON p.result_id = games.id
        JOIN league_entrant entrant ON entrant.id = p.entrant_id
        JOIN league_player o ON o.id = entrant.player_id
        GROUP BY 1, 2, 3, 4
    ), moved AS (
        SELECT coalesce(o.merged_into_id, o.id) AS player_id, sum(side.amount) AS money
        FROM league_result result
        JOIN league_transfer transfer ON transfer.result_id = result.id
        CROSS JOIN LATERAL (
            VALUES (payee_id, amount), (payer_id, -amount)
        ) AS side (account, amount)
        JOIN league_account account ON account.id = side.account
        JOIN league_player o ON o.id = account.player_id
        WHERE result.sitting_id = %(sitting)s AND %(stake)s
        GROUP BY 1
    )
    SELECT {columns}, coalesce(min(moved.money), 0)::bigint,
        json_agg(json_build_array(counted.size, counted.rank, counted.tied, counted.games))
    FROM counted
    JOIN league_player player ON player.id = counted.player_id
    LEFT JOIN moved ON moved.player_id = player.id
    GROUP BY player.id ORDER BY min(counted.first)
    """,
    player=Player,
)


def so_far(event: Event, sitting: Sitting, *, with_held: bool = False) -> list[SoFar]:
    """Return the totals of everyone who has played at the table, best first.

    `with_held` counts held games too; it is for organisers only.
    """
    by_stake = event.rules_of_scoring.points_table.stake
    rows = []
    for player, money, counts in _SUMS(
        sitting=sitting.pk, with_held=with_held, stake=event.stake > 0
    ):
        points = points_of(event, 1, 1, 1, money) if by_stake else Fraction(0)
        for size, rank, tied, games in () if by_stake else counts:
            points += games * points_of(event, size, rank, tied, 0)
        rows.append(SoFar(player, points, money if event.stake else None))
    return sorted(rows, key=lambda row: (-row.points, -(row.money or 0)))
