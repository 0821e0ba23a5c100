"""A night in one page: who won, who chopped whom, who is owed what, and when it goes on."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.utils import timezone

from league.base.selectors.next_nights import next_nights
from league.models import Event, Result
from league.money.selectors import open_debts
from league.nights.selectors.final_places import event_places, podium
from league.seasons.selectors.honours import Specials, season_honours
from league.seasons.selectors.standings import canonical

COUNTED = {"chop": "chops", "left": "left", "cong": "cong", "instant_win": "instant_wins"}
MOST_PAIRS = 5


def recap_page(event: Event) -> dict[str, Any]:
    """Return what a night's page after the night shows."""
    places = [place for place in event_places(event) if place.row.games]
    specials, chops = _specials(event)
    coming = [one for one in next_nights(event.season.club, timezone.localdate()) if one != event]
    return {
        "podium": podium(places),
        "honours": season_honours(specials, places),
        "chops": chops,
        "payments": open_debts.of_night(event) if event.stake else [],
        "next_night": next(iter(coming), None),
        "has_games": bool(places),
    }


def _specials(event: Event) -> tuple[list[Specials], list[tuple[str, str, int]]]:
    """Return what happened to everyone, and who chopped whom how often, the most first."""
    names: dict[int, tuple[int, str]] = {}
    for entrant in event.entrants.select_related("player__merged_into"):
        player = canonical(entrant.player)
        names[entrant.pk] = player.pk, player.name
    counts: Counter[tuple[int, str, str]] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    results = Result.objects.filter(sitting__round__event=event, current=True, void=False)
    for things in results.values_list("specials", flat=True):
        for thing in things:
            what = COUNTED.get(thing["kind"])
            actor, victim = (names.get(thing.get(side) or 0) for side in ("by", "of"))
            if what and actor:
                counts[*actor, what] += 1
            if what and victim:
                counts[*victim, "chopped" if what == "chops" else what] += 1
            if what == "chops" and actor and victim:
                pairs[actor[1], victim[1]] += 1
    people = {(key, name) for key, name, _what in counts}
    kinds = ("chops", "chopped", "left", "cong", "instant_wins")
    found = [Specials(*who, *(counts[*who, what] for what in kinds)) for who in sorted(people)]
    return found, [(*pair, count) for pair, count in pairs.most_common(MOST_PAIRS)]
