"""Standings rebuilt from results alone, without sums of the database.

Only bot tournaments use stored tallies. The code is slower than the pages' and independent of it,
so that comparing the two means something.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import TypeVar

from django.db.models import Model, QuerySet

from league.base.domain.grouped import grouped
from league.models import Adjustment, Entrant, Event, Placing, Player, Season, Tally, Transfer
from league.seasons import places
from league.seasons.domain import standings as domain
from league.seasons.domain.scoring import Scoring
from league.seasons.domain.standings import Facts, StandingsRow, TallyFact
from league.seasons.facts import same_deals

M = TypeVar("M", bound=Model)
CHUNK = 20_000
BY_POINTS = ["points"]


class Rebuilt:
    """A season's results, read once, and the standings that follow from them."""

    def __init__(self, season: Season) -> None:
        self.season = season
        self.events = list(Event.objects.filter(season=season).order_by("pk"))
        for own in self.events:
            own.season = season
        self._people = _people(season.club_id)
        self._tallies: defaultdict[int, list[TallyFact]] = defaultdict(list)
        self._games: defaultdict[int, dict[int, dict[domain.Key, int]]] = defaultdict(dict)
        self._money: defaultdict[int, Counter[domain.Pair]] = defaultdict(Counter)
        self._made: dict[tuple[int, Scoring], dict[domain.Key, list[domain.NightPart]]] = {}
        self._read_placings()
        self._read_bots()
        self._read_money()
        self._beaten = same_deals.beaten_in(self.events)
        self._given = [a for a in season.adjustments.all() if a.revoked_at is None]
        self._guests = grouped(
            (event, (self._people[player].pk, event))
            for player, event in self._of_events(Entrant.objects.filter(counts=False)).values_list(
                "player_id", "event_id"
            )
        )

    def season_rows(self) -> list[StandingsRow]:
        season, people = self.season, self._people.values()
        counted = set(season.counted_events.values_list("pk", flat=True))
        events = [event for event in self.events if event.pk in counted]
        keys = [event.pk for event in events]
        ahead, met = domain.meetings(game for key in keys for game in self._games[key].values())
        # The final places that give season points, computed from games, not as stored.
        shares: dict[domain.Pair, domain.Share] = {
            (player, event.pk): share
            for event in events
            for player, share in places.shares(event).items()
        }
        nights: dict[domain.Key, list[domain.NightPart]] = {}
        for event in events:
            for player, own in self._nights(event, event.rules_of_scoring, shares).items():
                nights.setdefault(player, []).extend(own)
        return domain.table_of_nights(
            nights,
            Scoring.from_json(season.scoring),
            [
                domain.AdjustmentFact(
                    self._people[a.player_id].pk, Fraction(a.points), a.reason, a.event_id
                )
                for a in self._given
                if self._reaches_season(a)
            ],
            season.tie_breaks,
            facts=Facts(ahead=ahead, met=met),
            guests=[guest for key in keys for guest in self._guests[key]],
            names={player.pk: player.sort_key for player in people},
            beside=set() if season.ranks_bots else {one.pk for one in people if one.bot},
        )

    def team_points(self, rows: list[StandingsRow]) -> dict[int, Fraction]:
        """Return the points of the season's teams; a person counts once, for one of them."""
        points = {row.entrant: row.points for row in rows if row.games}
        placed = set[int]()
        members = self.season.rosters.filter(kind="team").values_list(
            "pk", "members__player", "members"
        )
        own_first = sorted(
            (self._people[player].pk != player, member, team, player)
            for team, player, member in members
            if player is not None
        )
        teams: dict[int, set[domain.Key]] = {team: set() for team, _player, _member in members}
        for _is_alias, _member, team, player in own_first:
            person = self._people[player].pk
            if person not in placed:
                teams[team].add(person)
            placed.add(person)
        best, is_average = self.season.team_best, self.season.team_average
        totals = {}
        for team, people in teams.items():
            wanted = min(best or len(people), len(people))
            gained = sorted((points[one] for one in people if one in points), reverse=True)
            shared = wanted if is_average and wanted else 1
            totals[team] = sum(gained[:wanted], Fraction(0)) / shared
        return totals

    def night(
        self, event: Event
    ) -> dict[domain.Key, tuple[Fraction, tuple[domain.NightPart, ...]]]:
        nights = self._nights(event, event.rules_of_scoring.by_games, {})
        given: defaultdict[domain.Key, Fraction] = defaultdict(Fraction)
        for own in self._given:
            if own.event_id == event.pk:
                given[self._people[own.player_id].pk] += Fraction(own.points)
        return {
            player: (sum((night.points for night in own), given[player]), tuple(own))
            for player, own in nights.items()
        }

    def _nights(
        self, event: Event, rules: Scoring, places: Mapping[domain.Pair, domain.Share]
    ) -> dict[domain.Key, list[domain.NightPart]]:
        """Return the players' nights of an event, cached by its scoring."""
        if (made := self._made.get((event.pk, rules))) is None:
            made = self._made[event.pk, rules] = domain.nights_of(
                self._tallies[event.pk],
                rules,
                {},
                self._money[event.pk],
                frozenset(self._guests[event.pk]),
                places=places,
                beaten=self._beaten if rules.gives == "games" else None,
            )
        return made

    def _reaches_season(self, given: Adjustment) -> bool:
        """Return whether the season counts an adjustment; see `AdjustmentQuerySet.for_season`."""
        night = next((event for event in self.events if event.pk == given.event_id), None)
        gives = night.rules_of_scoring.gives if night else "games"
        return gives == "games" or (gives == "places" and given.cause in ("absence", "lateness"))

    def _read_placings(self) -> None:
        """Read the counted games: one tally per placing, and the ranks in each game."""
        placings = Placing.objects.filter(
            result__sitting__round__event__season=self.season,
            result__sitting__round__event__run=None,
            result__current=True,
            result__void=False,
        ).values_list("result__sitting__round__event_id", "result_id", "result__sitting_id",
                      "entrant__player_id", "size", "rank", "tied")  # fmt: skip
        for event, result, sitting, player, *place in placings.iterator(chunk_size=CHUNK):
            key, (size, rank, tied) = self._people[player].pk, place
            self._games[event].setdefault(result, {})[key] = rank
            self._tallies[event].append(TallyFact(key, event, size, rank, tied, 1, sitting))

    def _read_bots(self) -> None:
        """Read the tallies of bot tournaments, whose games are not stored one by one."""
        tallies = self._of_events(Tally.objects.filter(event__run__isnull=False))
        columns = tallies.values_list(
            "event_id", "entrant__player_id", "size", "rank", "tied", "games"
        )
        for event, player, *counts in columns:
            self._tallies[event].append(TallyFact(self._people[player].pk, event, *counts))

    def _read_money(self) -> None:
        moved = self._of_events(Transfer.objects.filter(result__isnull=False))
        columns = moved.values_list("payer__player_id", "payee__player_id", "amount", "event_id")
        for payer, payee, amount, event in columns.iterator(chunk_size=CHUNK):
            self._money[event][self._people[payer].pk, event] -= amount
            self._money[event][self._people[payee].pk, event] += amount

    def _of_events(self, rows: QuerySet[M]) -> QuerySet[M]:
        return rows.filter(event__in=[event.pk for event in self.events])


def _people(club: int) -> dict[int, Player]:
    """Return the club's players by key; a merged key leads to the player it was merged into."""
    found = Player.objects.filter(club=club).in_bulk()
    return {
        key: found[player.merged_into_id] if player.merged_into_id else player
        for key, player in found.items()
    }
