"""A night as it would have been: drawn round by round for those who came, left and rested."""

import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from league.seating.checks import check_request
from league.seating.next_round import Drawn, next_round
from league.seating.quality import gap, meetings, short_seats
from league.seating.rests import who_rests
from league.seating.sizes import SeatedRound, SeatingError, table_sizes

AGAIN = "again"


@dataclass
class Coming:
    """Who comes and leaves before a round, who sits it out, and how often it is drawn again."""

    come: set[int] = field(default_factory=set)
    leave: set[int] = field(default_factory=set)
    rest: set[int] = field(default_factory=set)
    again: int = 0


def read_changes(text: str, players: int, rounds: int) -> dict[int, Coming]:
    """Return the changes of a file by round: lines such as `3: -5 +32 ~7 again`.

    -5 leaves before round 3, 32 comes, 7 sits it out, and it is drawn once more. # starts a
    comment. The rounds may stand in any order. Raises SeatingError, naming the line, for anything
    else.
    """
    changes: dict[int, Coming] = {}
    here, lines = set(range(players)), []
    for number, line in enumerate(text.splitlines(), start=1):
        head, _colon, rest = line.split("#")[0].partition(":")
        if not head.strip():
            continue
        if not re.fullmatch("[0-9]+", head.strip()) or not 1 <= int(head) <= rounds:
            raise SeatingError(f"Line {number}: begin with a round from 1 to {rounds}, as '2: -5'.")
        lines.append((int(head), number, rest))
    for round_, number, rest in sorted(lines):
        change = changes.setdefault(round_, Coming())
        for word in rest.replace(",", " ").split():
            _note(change, word, number, here)
    return changes


def _note(change: Coming, word: str, line: int, here: set[int]) -> None:
    if word == AGAIN:
        change.again += 1
        return
    if not re.fullmatch("[-+~][0-9]+", word):
        raise SeatingError(f"Line {line}: '{word}' is not -5, +32, ~7 or {AGAIN}.")
    sign, player = word[0], int(word[1:])
    if (sign == "+") == (player in here):
        where = "already here" if sign == "+" else "not here"
        raise SeatingError(f"Line {line}: player {player} is {where}.")
    {"+": change.come, "-": change.leave, "~": change.rest}[sign].add(player)
    if sign == "+":
        here.add(player)
        change.leave.discard(player)
    elif sign == "-":
        here.discard(player)


def play_evening(
    players: int,
    rounds: int,
    changes: Mapping[int, Coming],
    *,
    seed: int,
    apart: Sequence[tuple[int, int]] = (),
    size: int = 4,
) -> list[Drawn]:
    """Return the rounds as they would have been drawn for players 0 to N - 1 and these changes.

    As on a night, two play alone only if nobody else came or tables seat two, and `who_rests`
    says who sits out. Raises SeatingError for a round that nobody can play.
    """
    check_request(players, rounds, apart, (), size)
    here = set(range(players))
    drawn: list[Drawn] = []
    sat: list[tuple[set[int], set[int]]] = []
    for number in range(1, rounds + 1):
        change = changes.get(number, Coming())
        here = (here | change.come) - change.leave
        people, again = here - change.rest, seed + change.again
        if len(people) < 2:
            raise SeatingError(f"Round {number} needs at least 2 players.")
        resting = who_rests(
            sat,
            people,
            len(people) - sum(table_sizes(len(people), size=size, least=min(3, size, len(people)))),
            random.Random(f"byes:{again}:{len(sat)}"),
        )
        sat.append((people - resting, resting))
        drawn.append(
            next_round(
                [one.tables for one in drawn],
                people - resting,
                seed=again,
                apart=apart,
                ahead=rounds - number + 1,
                size=size,
                planned=drawn[-1].planned if drawn else (),
                turn=change.again,
            )
        )
    return drawn


def measures(drawn: Sequence[Drawn]) -> dict[str, int]:
    """Return the repeat meetings of the night and of its draws, and the widest gaps."""
    history: list[SeatedRound] = [one.tables for one in drawn]
    met, short = meetings(history), short_seats(history)
    stayed = set.intersection(*({p for table in tables for p in table} for tables in history))
    return {
        "repeats": sum(times - 1 for times in met.values()),
        "bound": sum(one.quality.bound for one in drawn),
        "max_meetings": max(met.values(), default=0),
        "short_spread": gap([short[player] for player in stayed] or [0]),
    }


def evening_json(drawn: Sequence[Drawn], seed: int) -> str:
    """Return the night and its measures as one line of JSON."""
    rounds = [{"tables": one.tables, "repeats": one.quality.repeats} for one in drawn]
    return json.dumps({"rounds": rounds, **measures(drawn), "seed": seed})


def evening_text(drawn: Sequence[Drawn], seed: int) -> str:
    """Return the night for people: a table per line in seat order, and what each round costs."""
    lines = [f"The night as it would have been drawn, seed {seed}."]
    for number, one in enumerate(drawn, start=1):
        people = sum(map(len, one.tables))
        lines += ["", f"Round {number}: {people} players, {one.quality.repeats} repeat meetings"]
        for place, table in enumerate(one.tables, start=1):
            lines.append(f"  table {place:<3} {'  '.join(f'{player:>3}' for player in table)}")
    found = measures(drawn)
    return "\n".join([
        *lines,
        "",
        f"Repeat meetings of the night   {found['repeats']}",
        f"Most meetings of a pair        {found['max_meetings']}",
        f"Gap in small tables, stayers   {found['short_spread']}",
    ])  # fmt: skip
