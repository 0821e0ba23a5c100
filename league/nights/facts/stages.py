"""Stages of a night: the standings of each group or table, and who advances."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypedDict

from django.db.models import Q

from league.base.domain.grouped import grouped, net_of
from league.models import Adjustment, Entrant, Event, Placing, Player, Round, Sitting, Transfer
from league.models.result import latest
from league.nights.facts.persons import persons
from league.nights.facts.so_far import points_of
from league.seasons.domain import standings as domain
from league.seasons.domain.scoring import points_for
from league.seasons.domain.standings import Facts, StandingsRow
from league.seasons.places import BegunStage
from league.seating import stages
from league.seating.sizes import FULL
from league.seating.stages import Cut

MAIN = ("table", "group", "final")
"""Kinds of pools whose players are not eliminated; the others play at side tables."""


@dataclass(frozen=True)
class PlayerGames:
    """A player's games at one table: each one's rank and number of players, and whom they met."""

    places: list[tuple[int, int]]
    met: list[Player]


class Played:
    """An event's games and people, read once, to rank any part of it.

    `with_held` includes held results; it is for organisers only. `entrants` are the event's, if
    they are at hand.
    """

    def __init__(
        self, event: Event, *, with_held: bool = False, entrants: Iterable[Entrant] | None = None
    ) -> None:
        self.event = event
        people = list(event.entrants.select_related("player") if entrants is None else entrants)
        self.entrants = {entrant.pk: entrant for entrant in people}
        by_player = {entrant.player_id: entrant.pk for entrant in people}
        self._of_player = {
            e.player_id: by_player.get(e.player.merged_into_id or e.player_id, e.pk) for e in people
        }
        counted = latest("result__") if with_held else Q(result__current=True)
        placings = Placing.objects.filter(
            counted, result__sitting__round__event=event, result__void=False
        ).order_by("result__game_no", "result_id", "rank", "seat")
        columns = ("result__sitting_id", "result_id", "entrant__player_id", "rank", "tied", "size")
        self._placings = grouped(
            (sitting, tuple(placing))
            for sitting, *placing in placings.values_list(*columns)
            if placing[1] in self._of_player  # Missing if added since `entrants` was read.
        )

    def rows(
        self,
        sittings: Collection[int],
        entrants: Collection[int],
        *,
        stage: str,
        round_no: int | None = None,
    ) -> list[StandingsRow]:
        """Return these entrants' standings from the games of these tables alone, best first.

        The event's points and tie-breaks apply, and the penalties and bonuses of that stage, if it
        is not empty. House bots are not listed.
        """
        rules = self.event.rules_of_scoring.by_games
        given = self._given.get((stage, round_no), []) if stage else []
        counts: Counter[tuple[Any, ...]] = Counter()
        games: dict[int, dict[domain.Key, int]] = {}
        for sitting in sittings:
            for result, player, rank, tied, size in self._placings.get(sitting, ()):
                entrant = self._of_player[player]
                counts[entrant, size, rank, tied, sitting] += 1
                games.setdefault(result, {})[entrant] = rank
        ahead, met = domain.meetings(games.values())
        tallies = [
            domain.TallyFact(entrant, self.event.pk, size, rank, tied, times, sitting)
            for (entrant, size, rank, tied, sitting), times in counts.items()
        ]
        return domain.standings(
            tallies,
            rules,
            [a for a in given if a.entrant in entrants],
            self.event.tie_breaks,
            facts=Facts(money=self._money(sittings), ahead=ahead, met=met),
            entrants=[e for e in entrants if self.entrants[e].counts],
            guests=[e.pk for e in self.entrants.values() if not e.counts],
            names={e.pk: e.player.sort_key for e in self.entrants.values()},
            among=entrants,
        )

    def points_in(self, sittings: Collection[int]) -> dict[int, Fraction]:
        """Return what each player's games at these tables gave, by the player's key.

        Only where games count by their places, each for itself.
        """
        found = defaultdict[int, Fraction](Fraction)
        for sitting in sittings:
            for _result, player, rank, tied, size in self._placings.get(sitting, ()):
                found[self._key(player)] += points_of(self.event, size, rank, tied, 0)
        return found

    def games_of(self, player: int) -> dict[int, PlayerGames]:
        """Return a player's games by table; those of names merged into the player count."""
        found = {}
        for sitting, placings in self._placings.items():
            places = {
                result: (rank, size)
                for result, key, rank, _tied, size in placings
                if self._key(key) == player
            }
            met = dict.fromkeys(
                self._of_player[key]
                for result, key, *_place in placings
                if result in places and self._key(key) != player
            )
            if places:
                people = [self.entrants[entrant].player for entrant in met]
                found[sitting] = PlayerGames([*places.values()], people)
        return found

    def _key(self, player: int) -> int:
        """Return the key of the player who has the games of this one."""
        person = self.entrants[self._of_player[player]].player
        return person.merged_into_id or person.pk

    def winners(self, sitting: int) -> list[Player]:
        """Return a table's winners, game by game; where two share a game, the first by seat."""
        found: dict[int, int] = {}
        for result, player, *_place in self._placings.get(sitting, ()):
            found.setdefault(result, self._of_player[player])
        return [self.entrants[key].player for key in found.values()]

    def person(self, entrant: int) -> int:
        """Return the entrant that this one counts as; it differs for a merged name."""
        return self._of_player[self.entrants[entrant].player_id]

    def player(self, row: StandingsRow) -> int:
        """Return the key of the row's player, or of the player it is merged into."""
        player = self.entrants[int(row.entrant)].player
        return player.merged_into_id or player.pk

    def has_games(self, sittings: Collection[int]) -> bool:
        """Return whether any game of these tables counts."""
        return any(sitting in self._placings for sitting in sittings)

    def people_at(self, sittings: Collection[int]) -> set[int]:
        """Return the entrants who played a counted game at these tables."""
        games = (game for sitting in sittings for game in self._placings.get(sitting, ()))
        return {self._of_player[player] for _result, player, *_place in games}

    @cached_property
    def _given(self) -> dict[tuple[str, int | None], list[domain.AdjustmentFact]]:
        """Return penalties and bonuses by stage; those without a stage belong to the groups."""
        given = Adjustment.objects.in_force().filter(event=self.event)
        columns = ("player_id", "points", "cause", "reason", "stage", "stage_round")
        return grouped(
            (
                (stage or "group", number),
                domain.AdjustmentFact(
                    self._of_player[player], Fraction(points), cause or reason, self.event.pk
                ),
            )
            for player, points, cause, reason, stage, number in given.values_list(*columns)
            if player in self._of_player
        )

    @cached_property
    def _transfers(self) -> dict[int, list[tuple[domain.Pair, domain.Pair, int]]]:
        if not self.event.games_have_money:
            return {}

        def of(player: int) -> domain.Pair:
            return self._of_player.get(player, player), self.event.pk

        moved = Transfer.objects.filter(event=self.event, result__isnull=False)
        columns = ("result__sitting_id", "payer__player_id", "payee__player_id", "amount")
        return grouped(
            (sitting, (of(payer), of(payee), amount))
            for sitting, payer, payee, amount in moved.values_list(*columns)
        )

    def _money(self, sittings: Collection[int]) -> dict[domain.Pair, int]:
        return dict(net_of(move for one in sittings for move in self._transfers.get(one, ())))


@dataclass(frozen=True)
class StagePart:
    """A group, or a table that eliminates players: its number and its rows, best first.

    The two tables before a final are "semi".
    """

    kind: str
    no: int
    rows: list[StandingsRow]

    @property
    def levels(self) -> list[list[int]]:
        """The entrants from best to last; tied entrants share a level."""
        return list(grouped((row.rank, int(row.entrant)) for row in self.rows).values())


class StoredPool(TypedDict):
    """A pool as its round stores it: its entrants and its table numbers.

    The entrants are those drawn in it, and who came later to a group's table or the final's.
    """

    kind: str
    no: int
    members: list[int]
    tables: list[int]


def pools_of(round_: Round) -> list[StoredPool]:
    """Return the round's pools; none where everyone is drawn together."""
    return list(round_.settings.get("pools", []))


def is_final(round_: Round) -> bool:
    """Return whether the round is part of the final."""
    return any(pool["kind"] == "final" for pool in pools_of(round_))


def is_semi_final(event: Event, round_: Round) -> bool:
    """Return whether the final is filled by the round's two tables."""
    kinds = {pool["kind"] for pool in pools_of(round_)}
    if "table" not in kinds or kinds & {"group", "final"}:
        return False
    return fill_final(event, sizes_of_tables(round_))


def sizes_of_tables(round_: Round) -> list[int]:
    """Return how many people the tables have from which players advance; counted once a round."""
    kept = vars(round_)
    if "sizes_of_tables" not in kept:
        people = people_of_tables(round_, lambda key: key).values()
        kept["sizes_of_tables"] = [len(own) for own in people]
    return list(kept["sizes_of_tables"])


def fill_final(event: Event, sizes: Sequence[int]) -> bool:
    """Return whether tables of these sizes are a semi-final: two that fill the final."""
    return len(sizes) == 2 and how_many_advance(event, sizes) <= event.full_table


def groups(rounds: Iterable[Round], played: Played) -> list[StagePart]:
    """Return the groups' standings from the group rounds, penalties and bonuses included.

    A player moved to another group by hand keeps the games played in the old one.
    """
    group_of: dict[int, int] = {}
    sittings: set[int] = set()
    for round_ in rounds:
        for pool in pools_of(round_):
            if pool["kind"] == "group":
                group_of |= dict.fromkeys(map(played.person, pool["members"]), pool["no"])
                sittings |= _sittings(round_, pool)
    members = grouped((no, person) for person, no in group_of.items())
    return [
        StagePart("group", no, played.rows(sittings, members[no], stage="group"))
        for no in sorted(members)
    ]


def tables(round_: Round, played: Played) -> list[StagePart]:
    """Return the tables of a round from which players advance, each ranked by its own games.

    A player moved to another of them by hand belongs there, and keeps the games of the old one.
    """
    members = people_of_tables(round_, played.person)
    kind = "semi" if is_semi_final(played.event, round_) else "table"
    return [
        StagePart(
            kind,
            sitting.table_no,
            played.rows({one.pk for one in members}, people, stage="table", round_no=round_.number),
        )
        for sitting, people in members.items()
    ]


def people_of_tables(round_: Round, person: Callable[[int], int]) -> dict[Sitting, set[int]]:
    """Return by table the people of a round from which players advance, each where they sat last.

    `person` says as which entrant one counts.
    """
    numbers = {no for pool in pools_of(round_) if pool["kind"] in MAIN for no in pool["tables"]}
    people: dict[Sitting, set[int]]
    people = {one: set() for one in round_.sittings.all() if one.table_no in numbers}
    places = [(place, one) for one in people for place in one.places.all()]
    places.sort(key=lambda pair: (pair[0].to_game is None, pair[0].pk))
    table_of = {person(place.entrant_id): one for place, one in places}
    for who, table in table_of.items():
        people[table].add(who)
    return people


def parts_before(
    event: Event, rounds: Sequence[Round], number: int, played: Played
) -> list[StagePart]:
    """Return the groups or tables that decide who advances into that round."""
    earlier = [r for r in rounds if r.number < number and r.status == Round.Status.RELEASED]
    if event.rules_of_format.kind == "groups":
        return groups(earlier, played)
    return tables(earlier[-1], played) if earlier else []


def cut(event: Event, parts: Sequence[StagePart], here: Collection[int], seed: int) -> Cut:
    """Return which entrants here advance; the next at a table replaces one who has left."""
    rules = event.rules_of_format
    levels = [
        [present for level in part.levels if (present := [p for p in level if p in here])]
        for part in parts
    ]
    sizes = [sum(map(len, table)) for table in levels]
    each = max(1, rules.final // max(1, len(parts))) if rules.kind == "groups" else 2
    values = {int(row.entrant): share_of(row) for part in parts for row in part.rows}
    total = how_many_advance(event, sizes)
    return stages.advance(levels, seed=seed, each=each, total=total, points=values)


def how_many_advance(event: Event, sizes: Sequence[int]) -> int:
    """Return how many advance from tables or groups of these sizes."""
    rules, people = event.rules_of_format, sum(sizes)
    total, full = sum(min(2, size) for size in sizes), event.full_table
    if rules.kind == "groups":
        total = min(rules.final, people)
    elif total > full and (rules.fill_up or event.least_at_table == full):
        return min(people, stages.full_tables(total, full))
    # Five players fit neither one table nor two, unless the rules allow a table of five.
    is_odd = total == FULL + 1 and full == FULL
    is_odd &= rules.kind == "knockout" or not rules.sits_together(total, event.most_at_table)
    return min(people, total + 1) if is_odd else total


@dataclass(frozen=True)
class ChangedStage:
    """A drawn stage that corrected results would fill differently: who replaces whom.

    `state`: `draft` (can be drawn again), `released` (can be withdrawn), `played` (stays).
    """

    round: Round
    instead: list[Entrant]
    of: list[Entrant]
    state: str


def final_over(event: Event, rounds: Sequence[Round]) -> bool:
    """Return whether all games of the final and, with several tables, all rounds are played.

    Games that were called off do not count as missing. One table decides in one round; without a
    set number of games, one per table is enough.
    """
    tables = [
        [s for s in round_.sittings.all() if s.table_no in pool["tables"]]
        for round_ in rounds
        for pool in pools_of(round_)
        if pool["kind"] == "final"
    ]
    if not tables or not _is_last(event, rounds):
        return False
    wanted = event.games_per_round or 1
    return all(s.games_settled >= wanted for drawn in tables for s in drawn)  # type: ignore[attr-defined]


def _is_last(event: Event, drawn: Sequence[Round]) -> bool:
    """Return whether no more rounds of the final follow: one table decides in one round."""
    finals = [pool for pool in pools_of(drawn[-1]) if pool["kind"] == "final"]
    tables = sum(len(pool["tables"]) for pool in finals)
    return tables == 1 or (tables > 1 and len(drawn) >= event.rounds_planned)


def next_stage(event: Event, rounds: Sequence[Round]) -> str:
    """Return the next draw's kind: empty, "group", "final", "table", or "over" after the final."""
    rules = event.rules_of_format
    drawn = [r for r in rounds if pools_of(r)]
    if rules.kind == "groups":
        if len(drawn) < rules.group_rounds and not any(map(is_final, drawn)):
            return "group"
        return "over" if _is_last(event, drawn) else "final"
    if rules.kind == "knockout":
        return "over" if drawn and is_final(drawn[-1]) else "table"
    return ""


def changes(event: Event) -> list[ChangedStage]:
    """Return the rounds that the current results would fill with other players."""
    if not event.rules_of_format.has_stages:
        return []
    return changes_of(event, rounds_with_places(event), Played(event))


def labels(round_: Round) -> dict[int, tuple[str, int]]:
    """Return the pool's kind and number by table number, for a round drawn in pools."""
    return {no: (pool["kind"], pool["no"]) for pool in pools_of(round_) for no in pool["tables"]}


def changes_of(event: Event, rounds: Sequence[Round], played: Played) -> list[ChangedStage]:
    """Return those of these rounds that the current results would fill with other players."""
    found = []
    for round_ in rounds:
        if "cut" not in round_.settings:
            continue
        parts = parts_before(event, rounds, round_.number, played)
        here = {played.person(key) for key in round_.settings["here"]}
        now = set(cut(event, parts, here, round_.seed).through)
        then = {played.person(key) for key in round_.settings["cut"]["through"]}
        if now != then:
            instead = [played.entrants[key] for key in sorted(now - then)]
            of = [played.entrants[key] for key in sorted(then - now)]
            found.append(ChangedStage(round_, instead, of, _state(round_, played)))
    return found


def _state(round_: Round, played: Played) -> str:
    if round_.status == Round.Status.DRAFT:
        return "draft"
    return "played" if played.has_games({s.pk for s in round_.sittings.all()}) else "released"


def final_rows(rounds: Iterable[Round], played: Played) -> list[StandingsRow]:
    """Return the final's standings from its own games, substitutes included.

    Empty before the final.
    """
    people: set[int] = set()
    sittings: set[int] = set()
    for round_ in rounds:
        for pool in pools_of(round_):
            if pool["kind"] == "final":
                own = _sittings(round_, pool)
                people |= set(map(played.person, pool["members"])) | played.people_at(own)
                sittings |= own
    return played.rows(sittings, people, stage="final") if people else []


def begun(event: Event) -> list[BegunStage]:
    """Return the night's released stages, in order."""
    rounds = list(
        event.rounds.filter(status=Round.Status.RELEASED).prefetch_related("sittings__places")
    )
    if not event.rules_of_format.has_stages or not rounds:
        return []
    played = Played(event)
    parts: list[tuple[str, int | None, list[StandingsRow]]] = []
    if event.rules_of_format.kind == "groups":
        rows = [row for part in groups(rounds, played) for row in part.rows]
        parts.append(("group", None, rows))
    else:
        for round_ in rounds:
            rows = [row for part in tables(round_, played) for row in part.rows]
            if not is_final(round_):
                parts.append(("table", round_.number, rows))
    if final := final_rows(rounds, played):
        parts.append(("final", None, final))
    return [
        BegunStage(kind, number, {played.player(row): row.rank for row in rows})
        for kind, number, rows in parts
    ]


def _sittings(round_: Round, pool: StoredPool) -> set[int]:
    return {s.pk for s in round_.sittings.all() if s.table_no in pool["tables"]}


def rounds_with_places(event: Event) -> list[Round]:
    """Return all rounds of the event, drafts included, with tables and places."""
    return list(event.rounds.prefetch_related("sittings__places"))


def share_of(row: StandingsRow) -> Fraction:
    """Return a row's share of the points that its games offered, to compare unequal groups.

    In a night whose points are money it is the mean per game: a game offers no fixed amount.
    """
    most = Fraction(0)
    for night in row.nights:
        table = night.scoring.points_table
        for line in night.lines:
            if line.placing is not None and not table.stake:
                best = points_for(table, line.placing.size, 1)
                most += line.count * best * line.weight
    return row.points / (most or max(1, row.games))


def groups_with(rounds: Sequence[Round], here: Collection[int]) -> list[list[int]]:
    """Return the groups after these rounds; those who came since join the smallest of those here.

    A person who plays on under another name stays in the group.
    """
    pools = [pool for round_ in rounds for pool in pools_of(round_) if pool["kind"] == "group"]
    group_of = {key: pool["no"] for pool in pools for key in pool["members"]}
    if new := set(here) - group_of.keys():
        names = persons(rounds[-1].event)
        group_of |= {names[key]: no for key, no in group_of.items() if names.get(key) in new}
    groups: dict[int, list[int]] = {pool["no"]: [] for pool in pools}
    for key, no in group_of.items():
        groups[no].append(key)
    for key in here:
        if key not in group_of:
            min(groups.values(), key=lambda group: len(set(group) & set(here))).append(key)
    return [groups[no] for no in sorted(groups)]
