"""What another stake would change in a night already played."""

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
    """The games to post again, their number and stake of now, and the change for each player."""

    games: int
    was: int
    rows: list[Changed]


def of_stake(event: Event, was: int, stake: int) -> StakeChange:
    """Return what the games that were played for `was` would pay at that stake.

    Other games and entries stay as they are.
    """
    found = Result.objects.filter(latest(), sitting__round__event=event, void=False)
    results = list(found.prefetch_related("placings__entrant__player"))
    then: Counter[int] = Counter()
    changed = [result for result in results if event.stake_of(result) == was]
    for result in results:
        at = stake if event.stake_of(result) == was else None
        for owed in owed_for(result, event, list(result.placings.all()), at):
            then[_key(owed.payee)] += owed.amount
            then[_key(owed.payer)] -= owed.amount
    lines = event.money_tallies.order_by().values_list(money.owner("account"))
    sums = lines.annotate(now=Sum("games"), beside=Sum("other"))
    now = {key: (games, beside) for key, games, beside in sums if key != money.CLUB}
    people = Player.objects.filter(pk__in=now.keys() | then.keys()).order_by("sort_key", "pk")
    rows = [
        Changed(name, now.get(key, (0, 0))[0], then[key], then[key] + now.get(key, (0, 0))[1])
        for key, name in people.values_list("pk", "name")
    ]
    return StakeChange(len(changed), was, sorted(rows, key=lambda row: -row.then))


def played_for(event: Event) -> Counter[int]:
    """Return the number of the night's games by what they were played for, the last stake first."""
    found = Result.objects.filter(latest(), sitting__round__event=event, void=False)
    rows = found.order_by("-sitting__round__number", "-game_no").only("stake")
    return Counter(event.stake_of(result) for result in rows)


def _key(player: Player) -> int:
    return player.merged_into_id or player.pk
