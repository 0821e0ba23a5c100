"""A schedule as text and as JSON, and the parser of a file of pairs to keep apart."""

import json
from itertools import combinations

from league.seating.planner import SeatingPlan
from league.seating.sizes import SeatingError


def read_apart(text: str, players: int) -> list[tuple[int, int]]:
    """Return the pairs in a file: each line lists two or more player numbers to keep apart.

    Numbers are separated by blanks or commas; # starts a comment. Raises SeatingError, naming the
    line, for anything else.
    """
    pairs: list[tuple[int, int]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split("#")[0].replace(",", " ").split()
        if not words:
            continue
        pairs += combinations(_group(words, number, players), 2)
    return pairs


def _group(words: list[str], line: int, players: int) -> list[int]:
    for word in words:
        if not (word.isascii() and word.isdigit()):
            raise SeatingError(f"Line {line}: '{word}' is not a player number such as 0 or 17.")
        if int(word) >= players:
            raise SeatingError(
                f"Line {line}: there is no player {word}; players are numbered 0 to {players - 1}."
            )
    group = [int(word) for word in words]
    if len(set(group)) != len(group) or len(group) < 2:
        raise SeatingError(f"Line {line}: name two or more different players to keep apart.")
    return group


def as_json(schedule: SeatingPlan, seed: int) -> str:
    """Return the schedule and its measures as one line of JSON, players as 0 to N - 1."""
    quality = schedule.quality
    return json.dumps(
        {
            "rounds": schedule.rounds,
            "repeats": quality.repeats,
            "bound": quality.bound,
            "max_meetings": quality.max_meetings,
            "seat_spread": quality.seat_spread,
            "seconds": quality.seconds,
            "apart_violations": quality.apart_violations,
            "dealers": schedule.dealers,
            "method": quality.method,
            "seed": seed,
        }
    )


def as_text(schedule: SeatingPlan, seed: int) -> str:
    """Return the schedule for people: a table per line in seat order, then the quality."""
    players = len(schedule.quality.byes)
    width = len(str(players - 1))
    lines = [
        f"{players} players (0 to {players - 1}), {len(schedule.rounds)} rounds, seed {seed}.",
        "Each table in seat order; the starred player deals first.",
    ]
    for number, (tables, dealers) in enumerate(
        zip(schedule.rounds, schedule.dealers, strict=True), start=1
    ):
        lines += ["", f"Round {number}"]
        for place, (table, dealer) in enumerate(zip(tables, dealers, strict=True), start=1):
            seats = "  ".join(f"{p:{width}}{'*' if p == dealer else ' '}" for p in table)
            lines.append(f"  table {place:<3} {seats}".rstrip())
        resting = set(range(players)).difference(*tables)
        if resting:
            lines.append(f"  bye       {', '.join(map(str, sorted(resting)))}")
    return "\n".join([*lines, "", *_quality_lines(schedule)])


def _quality_lines(schedule: SeatingPlan) -> list[str]:
    quality = schedule.quality
    least = f" (no schedule has fewer than {quality.bound})" if quality.bound else ""
    facts: list[tuple[str, object]] = [
        ("repeated meetings", f"{quality.repeats}{least}"),
        ("most meetings of a pair", quality.max_meetings),
        ("seat spread", f"{quality.seat_spread} (most minus least used seat of a player)"),
        ("first dealer spread", quality.dealer_spread),
        ("same neighbour again", quality.neighbour_repeats),
    ]
    short = quality.short_tables.values()
    if any(short):
        facts.append(("small tables per player", f"{min(short)} to {max(short)}"))
    if any(quality.byes.values()):
        byes = quality.byes.values()
        facts.append(("byes per player", f"{min(byes)} to {max(byes)}"))
    facts += [
        ("broken wishes to stay apart", quality.apart_violations),
        ("found by", quality.method),
        ("seconds", quality.seconds),
    ]
    lines = [f"  {name:<28} {value}" for name, value in facts]
    if all(len(tables[0]) == len(quality.byes) for tables in schedule.rounds):
        lines.append(f"  With {len(quality.byes)} players every round is the same table.")
    return ["Quality", *lines]
