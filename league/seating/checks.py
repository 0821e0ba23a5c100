"""Checks that refuse impossible requests, with advice."""

from collections.abc import Iterable, Sequence

from league.seating.sizes import LARGEST, SeatingError

MOST_PLAYERS = 4000
MOST_SEATS = 400_000


def check_request(
    players: int,
    rounds: int,
    apart: Iterable[Sequence[int]],
    clubs: Sequence[int | None],
    size: int,
) -> None:
    """Raise SeatingError with advice if no whole schedule can satisfy these arguments."""
    check_size(players, rounds)
    check_table_size(size)
    if clubs and len(clubs) != players:
        raise SeatingError(
            f"Give a club, or None, for each of the {players} players; {len(clubs)} came."
        )
    check_apart(apart, range(players))


def check_size(players: int, rounds: int) -> None:
    """Raise SeatingError for numbers of players and rounds that cannot be planned."""
    if players < 2:
        raise SeatingError(f"A schedule needs at least 2 players, not {players}.")
    if players > MOST_PLAYERS:
        raise SeatingError(
            f"At most {MOST_PLAYERS} players can be planned; split {players} into groups."
        )
    if rounds < 1:
        raise SeatingError(f"A schedule needs at least 1 round, not {rounds}.")
    if players * rounds > MOST_SEATS:
        raise SeatingError(
            f"{players} players in {rounds} rounds are too many seats; plan at most "
            f"{MOST_SEATS // players} rounds at a time."
        )


def check_table_size(size: int) -> None:
    """Raise SeatingError for tables of fewer than two or more than eight players."""
    if not 2 <= size <= LARGEST:
        raise SeatingError(f"A table seats 2 to {LARGEST} players, not {size}.")


def check_apart(apart: Iterable[Sequence[int]], players: range | None = None) -> None:
    """Raise SeatingError for a pair that is not two different players, both in `players`."""
    for pair in apart:
        if len(pair) != 2 or pair[0] == pair[1]:
            raise SeatingError(
                f"Players to keep apart come in pairs of two different ones: {pair}."
            )
        for player in pair:
            if players is not None and player not in players:
                raise SeatingError(
                    f"There is no player {player} to keep apart: players are numbered"
                    f" {players[0]} to {players[-1]}."
                )
