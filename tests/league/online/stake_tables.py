"""Tables for a stake, for tests: a club with players who have accounts, and games played there."""

from engine.rules import ruleset
from league.clubs.acts import players
from league.models import Club, ClubTable, Player, Season
from league.online.acts import stake_tables
from tables.base.fifo_cache import forget_all
from tables.chairs.acts import seats
from tables.models import Game, Table
from tables.play.acts import games
from tables.play.facts import positions
from tests.factories import NAMES, make_member, make_player, make_season
from tests.tables import live as tables


def make_members(club: Club, count: int = 4) -> list[Player]:
    """Players of the club with accounts of their own."""
    made = []
    for name in NAMES[:count]:
        player = make_player(club, name)
        user = make_member(club, "player")
        made.append(players.take_player(player=player, user=user))
    return made


def open_table(
    people: list[Player],
    *,
    season: Season | None = None,
    rules: str = "mien-nam",
    stake: int = 5,
    sit: bool = True,
) -> ClubTable:
    """A table of these players for a stake; all of them sit there, or only the first."""
    forget_all()
    live = stake_tables.open_table(
        season=season or people[0].club.seasons.first(),
        by=people[0].user,
        ruleset=ruleset.preset(rules),
        players=len(people),
        stake=stake,
        move_seconds=40,
    )
    for no, player in enumerate(people[1:] if sit else [], start=1):
        seats.sit(table_id=live.table_id, no=no, name="", user=player.user)
    return live


def table_of_four(**details: object) -> tuple[ClubTable, list[Player]]:
    """A new club's table with four of its players."""
    people = make_members(make_season().club)
    return open_table(people, **details), people  # type: ignore[arg-type]


def play_game(live: ClubTable) -> Game:
    """The table's next game, or the one that is on, played to its end in one go."""
    if Table.objects.get(pk=live.table_id).status != Table.Status.PLAYING:
        games.deal_next(table_id=live.table_id)
    game = tables.current(live.table)  # A hand may have won it as dealt.
    return game if game.over_at else tables.play_quickly(live.table)


def chop_a_two(live: ClubTable) -> Game:
    """A game in which the second player chops a red 2 of the first with four of a kind."""
    hands = [
        "3S 3D 4C 6C 7D 8H 9C TD JS QC KD AH 2H",
        "3C 4S 5S 5C 5D 5H 6S 8S TS JC QS KH AC",
        "3H 4D 6D 7S 7C 8C 9S TC JD QD KS AS 2S",
        "4H 6H 7H 8D 9D 9H TH JH QH KC AD 2C 2D",
    ]
    table = live.table
    tables.set_hands(table, hands)
    tables.act(table, 0, "play", "3S")
    _all_pass(table, 3)
    tables.act(table, 0, "play", "2H")
    while turn(table) != 1:
        _all_pass(table, 1)
    tables.act(table, 1, "play", "5S 5C 5D 5H")
    return tables.play_quickly(table)


def turn(table: Table) -> int | None:
    return positions.replay_of(tables.current(table)).state.turn


def _all_pass(table: Table, times: int) -> None:
    for _ in range(times):
        no = turn(table)
        assert no is not None
        tables.act(table, no, "pass")
