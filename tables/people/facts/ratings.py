"""Strengths of accounts by all rated games, beside house bots of known strength."""

from collections.abc import Iterator
from typing import NamedTuple

from django.db import connection

from engine.statistics.strengths import Figures, GameHistory
from tables.base import placings

BOTS = {
    "random": -2.40,
    "lowest": -1.21,
    "greedy": -0.55,
    "planner": 0.0,
    "dreamer": 0.46,
    "sage": 0.64,
    "master": 0.92,
}
"""The house bots in nats, by the table of docs/ladder.md for four players in tien-len."""
_MOST_SEATS = 8


class RatedSeat(NamedTuple):
    """Who sat where in a rated game, and their rank."""

    game: int
    no: int
    user: int | None
    bot: str
    name: str
    rank: int


_GAMES = """
    SELECT c.id, (12 * extract(year FROM g.over_at) + extract(month FROM g.over_at))::int,
           (g.outcome -> 'placings')::json,
           (SELECT json_agg(json_build_array(s.no, u.id, s.bot, s.name) ORDER BY h.at)
            FROM jsonb_array_elements_text(g.holders) WITH ORDINALITY AS h (seat, at)
            JOIN tables_seat s ON s.id = h.seat::bigint
            LEFT JOIN accounts_user u
              ON u.id = s.user_id AND (u.is_active OR u.locked_at IS NOT NULL))
    FROM tables_countedgame c JOIN tables_game g ON g.id = c.game_id
    ORDER BY c.id
"""


def games() -> Iterator[tuple[int, list[RatedSeat]]]:
    """Yield the rated games with their months, in the order in which they ended.

    An erased account is no user any more: it counts for nobody.
    """
    with connection.cursor() as cursor:
        cursor.execute(_GAMES)
        for game, month, placed, chairs in cursor:
            ranks = sorted(placings.ranks(placed).items())
            yield (
                month,
                [
                    RatedSeat(game, no, user, bot, name, rank)
                    for (no, user, bot, name), (_no, rank) in zip(chairs, ranks, strict=True)
                ],
            )


def figures() -> tuple[dict[int | str, Figures], list[RatedSeat]]:
    """Return the strengths by account or house bot, and who sat in all rated games.

    A bot in several seats is several players of its strength. Other bots are left out.
    """
    history, bots, seated = GameHistory(), dict[int, str](), list[RatedSeat]()
    met = dict[str, set[int]]()
    for month, chairs in games():
        groups = dict[int, list[int]]()
        for at, one in enumerate(sorted(chairs, key=lambda chair: chair.rank)):
            key = one.user
            if one.bot in BOTS:
                key = -1 - _MOST_SEATS * list(BOTS).index(one.bot) - at
                bots[key] = one.bot
                met.setdefault(one.bot, set()).add(one.game)
            if key is not None:
                groups.setdefault(one.rank, []).append(key)
        history.add(tuple(tuple(groups[rank]) for rank in sorted(groups)), month)
        seated += chairs
    people = {key: 1 for key in history.games if key not in bots}
    told = history.fit(people, fixed={key: BOTS[bot] for key, bot in bots.items()}).published()
    found: dict[int | str, Figures] = {key: told[key] for key in people}
    for key, bot in bots.items():
        if key in told:
            found[bot] = told[key]._replace(games=len(met[bot]))
    return found, seated
