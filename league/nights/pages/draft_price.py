"""What a draft costs, before it is released: who meets again, and who came and left since."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.base.domain.grouped import grouped
from league.base.page_parts import Badge
from league.models import Bye, Entrant, Place, Placing, Player, Round
from league.nights.facts.persons import pair_of
from league.seating.single_round import WINDOW

FEW = 8
"""The most pairs and changes that the page names."""


@dataclass(frozen=True)
class Named:
    """One or two players with what is said of them, and the table at which they meet."""

    players: list[Player]
    note: str
    table: int | None = None


@dataclass(frozen=True)
class DraftWish:
    """Players who asked for one table or for different ones, and whether the draft does so."""

    players: list[Player]
    note: str
    badge: Badge


@dataclass(frozen=True)
class DraftPrice:
    """The repeat meetings of a draft, and who came and left since the round before.

    `more` counts the pairs that `again` leaves out, `meeting` are the keys of all who meet again,
    `since` is the number of the round before.
    """

    turn: int
    title: str
    note: str
    again: list[Named]
    more: int
    meeting: set[int]
    since: int
    changes: list[Named]
    wishes: list[DraftWish]


def draft_price(rounds: Sequence[Round]) -> DraftPrice:
    """Return what the last of these rounds costs; all with their tables, places and sit-outs."""
    *earlier, now = rounds
    by_points = now.settings.get("method") == "swiss"
    met = met_in(earlier[-WINDOW:] if by_points else earlier)
    wanted = {
        frozenset(pair): _("asked to share a table")
        for group in now.settings.get("together", [])
        for pair in combinations(group, 2)
    }
    again = [
        Named([a.player, b.player], wanted.get(frozenset((a.pk, b.pk))) or _since(met[pair]), table)
        for a, b, table in pairs_of(now)
        if (pair := pair_of(a, b)) in met
    ]
    title = meetings_again(len(again))
    if by_points:
        title = _("%(meetings)s within four rounds") % {"meetings": title}
    elif again:
        title = _fewest(now, len(again)) % {"meetings": title}
    return DraftPrice(
        turn=now.settings.get("turn", 0) + 1,
        title=title,
        note=_("By points, no draw without this was found: few players have not met lately.")
        if by_points and again
        else "",
        again=again[:FEW],
        more=max(0, len(again) - FEW),
        meeting={player.pk for named in again for player in named.players},
        since=now.number - 1,
        changes=_changes(earlier, now)[:FEW],
        wishes=wishes_in(now)[:FEW],
    )


def _fewest(draft: Round, repeats: int) -> str:
    """Return in which words a draft's repeat meetings are said: the fewest of all, found or not."""
    if repeats <= draft.quality.get("bound", 0):
        return _("%(meetings)s, the fewest there can be")
    found = draft.settings.get("first", draft.quality).get("repeats", 0)
    is_found = repeats <= found and not draft.settings.get("swaps")
    return _("%(meetings)s, the fewest found") if is_found else "%(meetings)s"


def wishes_in(draft: Round) -> list[DraftWish]:
    """Return the wishes of the players of a draft, those that it breaks first."""
    table_of = {p.entrant_id: s.table_no for s in draft.sittings.all() for p in s.seated}
    people = _drawn(draft)
    found = []
    for name, note in (
        ("apart", _("asked for different tables")), ("together", _("asked to share a table")),
    ):  # fmt: skip
        for group in draft.settings.get(name, []):
            tables = [table_of[key] for key in group if key in table_of]
            wanted = len(tables) if name == "apart" else min(1, len(tables))
            is_kept, players = len({*tables}) == wanted, [people[k].player for k in group]
            note = (
                note if is_kept or len({*table_of.values()}) > 1 else _("there is only one table")
            )
            badge = Badge(_("kept"), "open") if is_kept else Badge(_("not kept"), "live")
            found.append((is_kept, DraftWish(players, note, badge)))
    return [wish for _kept, wish in sorted(found, key=lambda each: each[0])]


def meetings_again(count: int) -> str:
    """Return how many pairs meet again, in words."""
    if not count:
        return _("Nobody meets again")
    return ngettext("%(n)s pair meets again", "%(n)s pairs meet again", count) % {"n": count}


def _since(numbers: Sequence[int]) -> str:
    rounds = ", ".join(map(str, numbers))
    text = ngettext("met in round %(rounds)s", "met in rounds %(rounds)s", len(numbers))
    return text % {"rounds": rounds}


def _changes(earlier: Sequence[Round], now: Round) -> list[Named]:
    """Return who came and who left since the round before."""
    if not earlier:
        return []
    before, here = _persons(earlier[-1]), _persons(now)
    known = {key for each in earlier for key in _persons(each)}
    came = [here[key].player for key in here if key not in before]
    gone = {key: before[key] for key in before if key not in here}
    late = [one for key, one in here.items() if key not in known]
    games = Counter(
        Placing.objects.filter(
            entrant__in=gone.values(), result__current=True, result__void=False
        ).values_list("entrant_id", flat=True)
    )
    new = {one.player_id for one in late}
    return [
        *(
            Named([player], _("came late: counts as in the middle when small tables are chosen"))
            for player in came
            if player.pk in new
        ),
        *(Named([player], _("is back")) for player in came if player.pk not in new),
        *(Named([one.player], _left(games[one.pk])) for one in gone.values()),
    ]


def _left(games: int) -> str:
    if not games:
        return _("has left")
    return ngettext("left: %(n)s game stays", "left: %(n)s games stay", games) % {"n": games}


def _drawn(round_: Round) -> dict[int, Entrant]:
    """Return the entrants at the round's tables and those who sit out, by key."""
    drawn: list[Place | Bye] = list(round_.byes.all())
    for sitting in round_.sittings.all():
        drawn += sitting.seated
    return {one.entrant_id: one.entrant for one in drawn}


def _persons(round_: Round) -> dict[int, Entrant]:
    """Return the same by the key of the player for whom each counts."""
    return {one.player.merged_into_id or one.player_id: one for one in _drawn(round_).values()}


def met_in(rounds: Sequence[Round]) -> dict[frozenset[int], list[int]]:
    """Return the numbers of the rounds in which each pair met."""
    return grouped(
        (pair_of(a, b), each.number) for each in rounds for a, b, _table in pairs_of(each)
    )


def pairs_of(round_: Round) -> list[tuple[Entrant, Entrant, int]]:
    """Return who meets whom at which table of the round."""
    return [
        (a.entrant, b.entrant, sitting.table_no)
        for sitting in round_.sittings.all()
        for a, b in combinations(sitting.seated, 2)
    ]
