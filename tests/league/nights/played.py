"""What nights that tests play by dice have in common: outcomes of games, and what must hold."""

import random
from collections import Counter
from collections.abc import Sequence

from engine.rules.specials import Special
from league.models import Entrant, Event, Placing, Result, Tally, Transfer
from league.nights.acts import tallies
from league.nights.facts import missing_games, sittings
from league.seasons.facts.standings import event_standings


def some_outcome(
    dice: random.Random, players: Sequence[int]
) -> tuple[list[list[int]], list[Special]]:
    """Places and specials that the Southern money game allows, of these entrants."""
    keys = list(players)
    dice.shuffle(keys)
    chance = dice.random()
    if chance < 0.05:
        return [[keys[0]], keys[1:]], [Special("instant_win", keys[0])]
    specials = []
    if chance < 0.4:
        specials.append(Special("chop", keys[0], keys[-1], "R"))
    if chance < 0.2:
        specials.append(Special("chop", keys[1], keys[0], "PR3", True))
    if chance > 0.8:
        specials.append(Special("left", of=keys[-1], what="B"))
    return [[key] for key in keys], specials


def check_tallies(event: Event) -> None:
    """The stored counts are those of the games."""
    columns = ("sitting", "entrant", "size", "rank", "tied", "games")
    kept = set(Tally.objects.values_list(*columns))
    tallies.rebuild(event)
    assert set(Tally.objects.values_list(*columns)) == kept


def check(event: Event, *, games: int) -> None:
    """Every table has its games, and places, counts, money and chairs follow from each other."""
    for sitting in missing_games.unfinished_sittings(event):
        assert sitting.results.filter(current=True).count() == games
        assert sitting.results.filter(current=True, void=True).exists()
    for result in Result.objects.filter(current=True, void=False).prefetch_related("placings"):
        placings = result.placings.all()
        seated = sittings.places_at(result.sitting, result.game_no)
        assert {p.entrant_id for p in placings} == {p.entrant_id for p in seated}
        assert Counter(p.rank for p in placings) == {p.rank: p.tied for p in placings}
    check_tallies(event)
    placed = Placing.objects.filter(result__current=True, result__void=False).count()
    assert sum(standing.row.games for standing in event_standings(event)) == placed
    balance: Counter[int] = Counter()
    for transfer in Transfer.objects.all():
        balance[transfer.payer_id] -= transfer.amount
        balance[transfer.payee_id] += transfer.amount
    by_result: Counter[int] = Counter()
    for transfer in Transfer.objects.filter(result__current=False):
        by_result[transfer.result_id] += (
            -transfer.amount if transfer.reverses_id else transfer.amount
        )
    assert (sum(balance.values()), set(by_result.values()) - {0}) == (0, set())
    left = Entrant.objects.filter(event=event, presence="left")
    last = event.rounds.last()
    assert not last.sittings.filter(places__entrant__in=left, places__to_game=None).exists()
