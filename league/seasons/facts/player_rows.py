"""Season rows of some players, computed from their games alone.

They equal the rows of the whole table except for the rank, which depends on everyone. The cost does
not depend on the size of the season.
"""

from collections.abc import Iterable, Iterator, Mapping

from django.db.models import Sum

from league.base.domain.grouped import grouped
from league.models import Entrant, Event, MoneyTally, Player, Season, Tally
from league.seasons.domain import standings as domain
from league.seasons.domain.scoring import Scoring
from league.seasons.domain.standings import StandingsRow
from league.seasons.facts import standings


def row_of(
    player: Player,
    season: Season,
    *,
    keys: list[int] | None = None,
    events: dict[int, Event] | None = None,
) -> StandingsRow:
    """Return the player's row; `keys` are the keys of the player and the aliases."""
    own = keys or [player.pk, *player.aliases.values_list("pk", flat=True)]
    return _rows({player.pk: own}, season, events)[player.pk]


def rows_of(
    players: Iterable[int], season: Season, events: dict[int, Event] | None = None
) -> dict[int, StandingsRow]:
    """Return the rows of some players, by player key."""
    keys = {player: [player] for player in players}
    for alias in Player.objects.filter(merged_into__in=list(keys)):
        keys[alias.merged_into_id or alias.pk].append(alias.pk)
    return _rows(keys, season, events)


def _rows(
    people: dict[int, list[int]], season: Season, events: dict[int, Event] | None
) -> dict[int, StandingsRow]:
    keys = [key for own in people.values() for key in own]
    if events is None:
        events = {event.pk: event for event in season.counted_events}
    by_event: dict[domain.Key, Scoring] = {
        key: event.rules_of_scoring for key, event in events.items()
    }
    with_bonus = [int(key) for key, rules in by_event.items() if rules.head_count_bonus]
    heads = standings.heads_of(with_bonus)
    guests = Entrant.objects.filter(event__season=season, counts=False)
    money = MoneyTally.objects.filter(event__in=events, account__player__in=keys)
    return domain.person_rows(
        list(people),
        _tallies(keys, season, by_event),
        Scoring.from_json(season.scoring),
        standings.adjustments_of(season.adjustments.filter(player__in=keys).for_season()),
        by_event=by_event,
        money=standings.money_won(money),
        heads={key: heads.get(key, 0) for key in events},
        held=season.counted_events.filter(standings.COUNTED).count(),
        guests=list(guests.values_list(standings.OWNER, "event_id")),
        places=standings.places_in(by_event),
    )


def _tallies(
    keys: list[int], season: Season, by_event: Mapping[domain.Key, Scoring]
) -> Iterator[domain.TallyFact]:
    """Yield the tallies of these players; for ranked tables, of everyone at them.

    Filtered by entrant keys, for which the planner's estimates are right; for joins they are too
    low.
    """
    here = Entrant.objects.filter(event__in=list(by_event), player__in=keys)
    entrants: dict[int, tuple[int, int]] = {
        key: (player, event)
        for key, player, event in here.values_list("pk", standings.OWNER, "event_id")
    }
    by_counting = grouped(
        (by_event[event].counting, key) for key, (_player, event) in entrants.items()
    )
    added_up = Tally.objects.filter(entrant__in=by_counting.pop("fixed", []))
    columns = added_up.values_list("entrant_id", "size", "rank", "tied").annotate(Sum("games"))
    for entrant, *counts in columns.order_by():
        yield domain.TallyFact(*entrants[entrant], *counts)
    ranked = Tally.objects.filter(entrant__in=by_counting.pop("table_ranking", []))
    yield from standings.tallies_of(Tally.objects.filter(sitting__in=ranked.values("sitting")))
    single = [key for several in by_counting.values() for key in several]
    yield from standings.tallies_of(Tally.objects.filter(entrant__in=single))
