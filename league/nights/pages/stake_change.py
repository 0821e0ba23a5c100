"""What another stake would change in a night already played."""

import copy
from collections import Counter
from typing import NamedTuple

from django.db.models import Sum

from league.models import Event, Player, Result
from league.models.result import latest
from league.money.facts import money
from league.money.facts.owed import owed_for


class Changed(NamedTuple):
    """A player's balance from games now and at the other stake, and what is then still due."""

    name: str
    now: int
    then: int
    due: int


class StakeChange(NamedTuple):
    """The number of games to post again, and the change for each player."""

    games: int
    rows: list[Changed]


def of_stake(event: Event, stake: int) -> StakeChange:
    """Return what the night's games would pay at that stake; other entries stay as they are."""
    other = copy.copy(event)
    other.stake = stake
    found = Result.objects.filter(latest(), sitting__round__event=event, void=False)
    results = list(found.prefetch_related("placings__entrant__player"))
    then: Counter[int] = Counter()
    for result in results:
        for owed in owed_for(result, other, list(result.placings.all())):
            then[_key(owed.payee)] += owed.amount
            then[_key(owed.payer)] -= owed.amount
    lines = event.money_tallies.order_by().values_list(money.owner("account"))
    sums = lines.annotate(now=Sum("games"), beside=Sum("other"))
    now = {key: (games, beside) for key, games, beside in sums if key != money.CLUB}
    keys = now.keys() | then.keys()
    people = Player.objects.filter(pk__in=keys).order_by("sort_key", "pk")
    rows = [
        Changed(name, now.get(key, (0, 0))[0], then[key], then[key] + now.get(key, (0, 0))[1])
        for key, name in people.values_list("pk", "name")
    ]
    return StakeChange(len(results), sorted(rows, key=lambda row: -row.then))


def _key(player: Player) -> int:
    return player.merged_into_id or player.pk
