"""The pools of a round: everyone, or the groups and stages of a night's format."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from league.models import Event, Round
from league.nights.facts import missing_games, stages, table_sizes
from league.nights.facts.persons import as_persons, persons
from league.nights.facts.stages import Played
from league.seasons.facts import standings
from league.seating import stages as domain
from tables.refusals import Refusal


@dataclass(frozen=True)
class Pool:
    """Players from whom a round's tables are drawn, and the number of rounds still ahead.

    `kind` is "" for everyone on an ordinary night, else "table", "group", "final" or "others".
    """

    kind: str
    no: int
    members: list[int]
    ahead: int = 1


@dataclass(frozen=True)
class Plan:
    """A round's pools and, for a new stage, who advanced and by which lots."""

    pools: list[Pool]
    cut: dict[str, Any] | None = None


def plan(
    event: Event,
    rounds: Sequence[Round],
    here: Sequence[int],
    seed: int,
    *,
    anyway: bool,
    teams: Mapping[int, int | None],
) -> Plan:
    """Return the pools of the next round for those here; members of a team are kept apart.

    Refusal: `unfinished` while deciding games are missing, unless `anyway`; `over` once the final
    is drawn; `groups` when the groups would be too small to play.
    """
    rules = event.rules_of_format
    if rules.kind == "groups":
        drawn = [pool for round_ in rounds for pool in stages.pools_of(round_)]
        if finals := [pool["members"] for pool in drawn if pool["kind"] == "final"]:
            [members] = as_persons(finals[-1:], persons(event))
            return Plan(_pools(event, "final", members, here, rounds))
        if len(rounds) < rules.group_rounds:
            return _group_round(event, rounds, here, seed, teams)
        return _next_stage(event, rounds, here, seed, anyway=anyway)
    if rules.kind == "knockout" and rounds:
        if stages.is_final(rounds[-1]):
            raise Refusal(
                _("The final has already been drawn; it decides the night."),
                code="over",
            )
        return _next_stage(event, rounds, here, seed, anyway=anyway)
    ahead = 1 if rules.kind == "knockout" else max(1, event.rounds_planned - len(rounds))
    kind = "table" if rules.kind == "knockout" else ""
    if kind and len(here) <= event.full_table:
        kind = "final"
    return Plan([Pool(kind, 1, list(here), ahead)])


def _group_round(
    event: Event,
    rounds: Sequence[Round],
    here: Sequence[int],
    seed: int,
    teams: Mapping[int, int | None],
) -> Plan:
    """Return the groups as first drawn; latecomers join the smallest."""
    rules = event.rules_of_format
    groups = stages.groups_with(rounds, here) if rounds else _new_groups(event, here, seed, teams)
    ahead = rules.group_rounds - len(rounds)
    return Plan([Pool("group", no, group, ahead) for no, group in enumerate(groups, start=1)])


def _new_groups(
    event: Event, here: Sequence[int], seed: int, teams: Mapping[int, int | None]
) -> list[list[int]]:
    """Return groups of equal strength by the season's standings; ties by lot."""
    rules, least = event.rules_of_format, max(3, event.least_at_table)
    if len(here) < rules.groups * least:
        raise Refusal(
            _(
                "%(here)s players are here, too few for %(groups)s groups of at least "
                "%(least)s. Choose fewer groups in the settings, or check in more "
                "players."
            ),
            code="groups",
            params={"here": len(here), "groups": rules.groups, "least": least},
        )
    points = _season_points(event)
    lots = random.Random(f"groups:{seed}").sample(range(len(here)), len(here))
    lot = dict(zip(sorted(here), lots, strict=True))
    order = sorted(here, key=lambda key: (-points.get(key, 0), lot[key]))
    sizes = table_sizes.group_sizes_of(event, len(here))
    return domain.snake_groups(order, sizes, teams=teams, seed=seed)


def _season_points(event: Event) -> dict[int, Fraction]:
    """Return each entrant's points in the season so far."""
    points = {row.player.pk: row.row.points for row in standings.season_standings(event.season)}
    entrants = event.entrants.select_related("player__merged_into")
    return {e.pk: points.get(standings.canonical(e.player).pk, Fraction(0)) for e in entrants}


def _next_stage(
    event: Event, rounds: Sequence[Round], here: Sequence[int], seed: int, *, anyway: bool
) -> Plan:
    """Return the next stage: those who advance and, if they play on, everyone else."""
    if not anyway:
        _refuse_unfinished(event, rounds)
    parts = stages.parts_before(event, rounds, len(rounds) + 1, Played(event))
    everybody = {person for part in parts for level in part.levels for person in level}
    if not everybody & set(here):
        raise Refusal(
            _("No qualified player is here. Check them in, or withdraw the last draw."),
            code="too_few",
        )
    found = stages.cut(event, parts, set(here), seed)
    first = stages.cut(event, parts, everybody, seed)
    cut = {
        "through": found.through,
        "by_lot": found.by_lot,
        "absent": sorted(set(first.through) - set(here)),
    }
    is_final = event.rules_of_format.kind == "groups" or len(found.through) <= event.full_table
    return Plan(_pools(event, "final" if is_final else "table", found.through, here, rounds), cut)


def _pools(
    event: Event, kind: str, members: Sequence[int], here: Sequence[int], rounds: Sequence[Round]
) -> list[Pool]:
    """Return the pool of those still in, and one of everyone else if they play on."""
    is_last = event.rules_of_format.kind == "groups"
    ahead = max(1, event.rounds_planned - len(rounds)) if is_last else 1
    pools = [Pool(kind, 1, list(members), ahead)]
    others = [key for key in here if key not in members]
    if others and event.rules_of_format.others_play:
        pools.append(Pool("others", 1, others))
    return pools


def _refuse_unfinished(event: Event, rounds: Sequence[Round]) -> None:
    open_tables = missing_games.unfinished_sittings(event)
    deciding = {
        (round_.number, no)
        for round_ in (rounds if event.rules_of_format.kind == "groups" else rounds[-1:])
        for pool in stages.pools_of(round_)
        if pool["kind"] in stages.MAIN
        for no in pool["tables"]
    }
    missing = [s for s in open_tables if (s.round.number, s.table_no) in deciding]
    if missing:
        raise Refusal(
            _("It is not clear yet who advances: games are missing at %(tables)s."),
            code="unfinished",
            params={"tables": missing_games.named(missing)},
            status=409,
        )
