"""Each player's points and money at one table so far."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from django.db.models import Sum

from league.base.prepared import Prepared, Slot
from league.models import Event, Placing, Player, Sitting, Transfer
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


_MOVED = Prepared[tuple[int, int, int]](
    lambda: (
        Transfer.objects.filter(result__sitting=Slot(0))
        .order_by()
        .values_list("payer__player", "payee__player")
        .annotate(Sum("amount"))
    )
)


def so_far(event: Event, sitting: Sitting, placings: Iterable[Placing]) -> list[SoFar]:
    """Return the totals of everyone who has played at the table, best first."""
    money = _money(sitting) if event.stake else Counter[int]()
    points: dict[int, Fraction] = {}
    players: dict[int, Player] = {}
    by_stake = event.rules_of_scoring.points_table.stake
    places = Counter[tuple[int, int, int, int]]()
    for placing in placings:
        player = placing.entrant.player
        players[player.pk] = player
        places[player.pk, placing.size, placing.rank, placing.tied] += 1
    for (key, size, rank, tied), games in places.items():
        worth = games * points_of(event, size, rank, tied, 0)
        points[key] = points.get(key, Fraction(0)) + worth
    if by_stake:
        points = {key: points_of(event, 1, 1, 1, money[key]) for key in points}
    rows = [SoFar(players[key], points[key], money[key] if event.stake else None) for key in points]
    return sorted(rows, key=lambda row: (-row.points, -(row.money or 0)))


def _money(sitting: Sitting) -> Counter[int]:
    """Return each player's winnings at the table after corrections, in the club's unit."""
    found: Counter[int] = Counter()
    for payer, payee, amount in _MOVED(sitting.pk):
        found[payer] -= amount
        found[payee] += amount
    return found
