"""The tables that a draw makes: their sizes, said before the draw and used by it."""

from collections.abc import Collection, Sequence

from league import seating
from league.models import Event, Round
from league.nights.facts import stages
from league.seating.stages import group_sizes


def sizes_of(event: Event, kind: str, people: int, here: int) -> list[int]:
    """Return the table sizes of such a pool, largest first; the others sit out.

    Bots that fill the last table are among the seated; `here` is how many people came. A table of
    two plays for as many points as one of four, so two play alone only if nobody else came,
    at tables of two, in a final of two, and in a knock-out, where both advance.
    """
    rules, full, least = event.rules_of_format, event.full_table, event.least_at_table
    if rules.sits_together(people, event.most_at_table):
        return [people]
    if rules.bot and people:
        people += -people % full
    if here > 2 and kind != "table" and (kind, people) != ("final", 2):
        least = max(least, min(3, full))
    return seating.table_sizes(people, size=full, least=least)


def group_sizes_of(event: Event, here: int) -> list[int]:
    """Return the sizes of the groups of so many players, the largest first."""
    groups = event.rules_of_format.groups
    return group_sizes(
        here, groups, lambda people: sum(sizes_of(event, "group", people, here)) >= people
    )


def sizes_ahead(event: Event, here: Collection[int], rounds: Sequence[Round]) -> list[int]:
    """Return the sizes of the tables that the next draw makes of these entrants, largest first.

    `rounds` are the released ones.
    """
    pools = _pools_ahead(event, here, rounds)
    found = [size for kind, people in pools for size in sizes_of(event, kind, people, len(here))]
    return sorted(found, reverse=True)


def is_final_ahead(event: Event, here: Collection[int], rounds: Sequence[Round]) -> bool:
    """Return whether the next draw of a night with stages makes its final."""
    if stages.next_stage(event, rounds) not in ("final", "table"):
        return False
    return any(kind == "final" for kind, _people in _pools_ahead(event, here, rounds))


def _pools_ahead(
    event: Event, here: Collection[int], rounds: Sequence[Round]
) -> list[tuple[str, int]]:
    """Return the kinds and sizes of the pools of the next draw."""
    rules, people = event.rules_of_format, len(here)
    stage = stages.next_stage(event, rounds)
    if not stage:
        return [("", people)]
    if stage == "group":
        return [("group", size) for size in _groups_ahead(event, here, rounds)]
    drawn = [round_ for round_ in rounds if stages.pools_of(round_)]
    if drawn and stages.is_final(drawn[-1]):
        through = sum(_main_tables(drawn[-1], here))
    elif stage == "final":
        through = stages.how_many_advance(event, [people])
    elif drawn:
        through = stages.how_many_advance(event, _main_tables(drawn[-1], here))
    else:
        through = people
    kind = "final" if stage == "final" or through <= event.full_table else "table"
    others = people - through if rules.others_play else 0
    return [(kind, through), ("others", others)]


def _groups_ahead(event: Event, here: Collection[int], rounds: Sequence[Round]) -> list[int]:
    if not rounds:
        return group_sizes_of(event, len(here))
    return [len(set(group) & set(here)) for group in stages.groups_with(rounds, here)]


def _main_tables(round_: Round, here: Collection[int]) -> list[int]:
    """Return how many of each of the round's deciding tables are here."""
    people = stages.people_of_tables(round_, lambda key: key)
    return [len(own & set(here)) for own in people.values()]
