"""Chops and penalties at a night's tables: counts per player, pairs, and the last chop."""

import datetime
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.base.domain.stored_specials import from_json
from league.models import Entrant, Event, Player, Result, Round
from league.models.result import first_saved
from league.nights.pages.entry_form import sentences
from league.nights.pages.stage_page import round_name
from league.seasons.facts.honours import Specials
from league.seasons.facts.standings import canonical

COUNTED = {"chop": "chops", "left": "left", "cong": "cong", "instant_win": "instant_wins"}
MOST_PAIRS = 5


def specials_of(events: Collection[Event]) -> tuple[list[Specials], list[tuple[str, str, int]]]:
    """Return each player's specials, and the most frequent pairs of who chopped whom."""
    names: dict[int, tuple[int, str]] = {}
    for entrant in Entrant.objects.filter(event__in=events).select_related("player__merged_into"):
        player = canonical(entrant.player)
        names[entrant.pk] = player.pk, player.name
    counts: Counter[tuple[int, str, str]] = Counter()
    pairs: Counter[tuple[tuple[int, str], tuple[int, str]]] = Counter()
    results = Result.objects.filter(sitting__round__event__in=events, current=True, void=False)
    for things in results.exclude(specials=[]).values_list("specials", flat=True):
        for thing in things:
            what = COUNTED.get(thing["kind"])
            actor, victim = (names.get(thing.get(side) or 0) for side in ("by", "of"))
            if what and actor:
                counts[*actor, what] += 1
            if what and victim:
                counts[*victim, "chopped" if what == "chops" else what] += 1
            if what == "chops" and actor and victim:
                pairs[actor, victim] += 1
    people = {(key, name) for key, name, _what in counts}
    kinds = ("chops", "chopped", "left", "cong", "instant_wins")
    found = [Specials(*who, *(counts[*who, what] for what in kinds)) for who in sorted(people)]
    most = pairs.most_common(MOST_PAIRS)
    return found, [(actor[1], victim[1], count) for (actor, victim), count in most]


@dataclass(frozen=True)
class ChopSentence:
    """A chop in words, its player, where it happened, and when its game was entered."""

    by: Player | None
    text: str
    where: str
    round_no: int
    at: datetime.datetime


def chop_of(event: Event, rounds: Iterable[Round] = ()) -> ChopSentence | None:
    """Return the night's last chop, if there was one; where, only for those of these `rounds`."""
    games = Result.objects.filter(sitting__round__event=event, current=True, void=False)
    chopped = games.filter(specials__contains=[{"kind": "chop"}]).select_related("sitting__round")
    latest = chopped.annotate(entered=first_saved()).order_by("-entered", "-pk")
    last = latest.prefetch_related("placings__entrant__player__merged_into").first()
    if last is None:
        return None
    chop = next(one for one in from_json(last.specials)[::-1] if one.kind == "chop")
    people = {one.entrant_id: canonical(one.entrant.player) for one in last.placings.all()}
    text = sentences([chop], {key: player.name for key, player in people.items()})[0]
    number = last.sitting.round.number
    table = last.sitting.table_no
    names = [round_name(event, one, table) for one in rounds if one.number == number]
    at = {"round": "".join(names), "table": table, "game": last.game_no}
    where = _("%(round)s, table %(table)s, game %(game)s") % at
    entered = last.tapped_at or last.entered
    return ChopSentence(people.get(chop.by or 0), text, where, number, entered)


def last_chop(event: Event) -> str:
    """Return the night's last chop as a sentence; empty if there was none."""
    chop = chop_of(event)
    return chop.text if chop else ""
