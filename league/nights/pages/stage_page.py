"""The stages of a night: the groups or tables, who advances, and the final."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from league.base.page_parts import Badge
from league.models import Entrant, Event, Round, Sitting
from league.nights.facts import stages
from league.nights.facts.stages import ChangedStage, Played, StagePart, pools_of
from league.seasons.domain.standings import StandingsRow
from league.seasons.facts.standings import tie_break_name

_PLACES_IN = {
    ("table", 1): gettext_lazy("first of table %(number)s"),
    ("table", 2): gettext_lazy("second of table %(number)s"),
    ("group", 1): gettext_lazy("first of group %(number)s"),
    ("group", 2): gettext_lazy("second of group %(number)s"),
    ("group", 3): gettext_lazy("place %(place)s of group %(number)s"),
}


def pool_name(kind: str, no: int) -> str:
    """Return the name of a pool in a round that has several."""
    names = {
        "group": _("Group %(number)s") % {"number": no},
        "final": _("Final"),
        "others": _("Everyone else"),
    }
    return names.get(kind) or _("Still in")


def stage_names(round_: Round) -> dict[int, str]:
    """Return the names of a round's groups and of its final by table number."""
    pools = stages.labels(round_).items()
    return {no: pool_name(*pool) for no, pool in pools if pool[0] in ("group", "final")}


def way_on(event: Event, round_: Round) -> str:
    """Return who of a round's groups or tables advances, in a sentence; empty where nobody does."""
    kinds = [pool["kind"] for pool in pools_of(round_)]
    if "group" in kinds:
        each = _each_of(event, kinds.count("group"))
        text = ngettext(
            "The first of each group reaches the final.",
            "The first %(n)s of each group reach the final.",
            each,
        )
        if not each:
            each, text = event.rules_of_format.final, _("The best %(n)s reach the final.")
        return text % {"n": each}
    if "table" not in kinds:
        return ""
    sizes = [len(own) for own in stages.people_of_tables(round_, lambda key: key).values()]
    through = stages.how_many_advance(event, sizes)
    if through <= event.full_table:
        return _("The first two of each table reach the final.")
    if through <= 2 * len(sizes):
        return _("The first two of each table advance.")
    return _("The first two of each table and the best of the rest advance.")


def _each_of(event: Event, groups: int) -> int:
    """Return how many of each group reach the final; 0 where groups are compared for places."""
    each, rest = divmod(event.rules_of_format.final, groups)
    return 0 if rest else each


@dataclass(frozen=True)
class StageRow:
    """A player in a group or table; `fate` is "through" or "out", empty while undecided.

    `by` is the tie-break that puts the next player behind, in words.
    """

    entrant: Entrant
    row: StandingsRow
    fate: str = ""
    by_lot: bool = False
    by: str = ""


@dataclass(frozen=True)
class PartView:
    """A group or a table with its players in order; the first `ahead` of them advance, or did.

    `badge` says of a table from which players are to advance how far it is.
    """

    kind: str
    no: int
    lines: list[StageRow]
    ahead: int = 0
    badge: Badge | None = None

    @property
    def name(self) -> str:
        if self.kind == "group":
            return _("Group %(number)s") % {"number": self.no}
        return _("Table %(table)s") % {"table": self.no}


@dataclass(frozen=True)
class EarlierRound:
    """A round of a knock-out that is decided: its number and its tables, with who advanced."""

    number: int
    parts: list[PartView]


@dataclass(frozen=True)
class FinalSeat:
    """A seat of a final that is not drawn yet: the place that leads there, and who has taken it."""

    place: str
    entrant: Entrant | None = None


@dataclass(frozen=True)
class StagePage:
    """The groups or tables that decide who advances, the final, and the changed stages.

    Tables are there once they have a game; `earlier` are those of a knock-out's decided rounds, the
    latest first. `way_on` says who advances, until that is decided, and `seats` are those of the
    final then, if it is the next stage. `compares` says how the best of unequal groups are
    compared, where a place depends on it.
    """

    parts: list[PartView]
    earlier: list[EarlierRound]
    way_on: str
    final: list[StageRow]
    changes: list[str]
    final_over: bool = False
    compares: str = ""
    seats: Sequence[FinalSeat] = ()


def stage_page(event: Event, rounds: Sequence[Round]) -> StagePage | None:
    """Return an event's stages for its page; None without stages or before a release."""
    released = [r for r in rounds if r.status == Round.Status.RELEASED and pools_of(r)]
    if not event.rules_of_format.has_stages or not released:
        return None
    played = Played(event)
    rows = stages.final_rows(released, played)
    final = [
        StageRow(played.entrants[int(row.entrant)], row, by=by)
        for row, by in zip(rows, _ties(rows), strict=True)
    ]
    earlier: list[EarlierRound] = []
    seats: list[FinalSeat] = []
    if event.rules_of_format.kind == "groups":
        drawn = next((r for r in released if "cut" in r.settings), None)
        groups = stages.groups(released, played)
        ahead = 0 if drawn else _each_of(event, len(groups))
        parts = _views(groups, drawn, played, ahead)
        if ahead and event.is_open:
            seats = _seats([(part, False) for part in parts], ahead)
    else:
        tables = [] if final else _views(stages.tables(released[-1], played), None, played, 2)
        sittings = {one.table_no: one for one in released[-1].sittings.all()}
        if event.is_open:
            tables = [replace(one, badge=_badge(event, sittings[one.no])) for one in tables]
        parts = [part for part in tables if any(line.row.games for line in part.lines)]
        total = stages.how_many_advance(event, [len(one.lines) for one in tables])
        if parts and event.is_open and total <= event.full_table:
            seats = _seats([(one, _is_decided(event, sittings[one.no], one)) for one in tables], 2)
        earlier = [
            EarlierRound(round_.number, _views(stages.tables(round_, played), decided, played))
            for round_, decided in reversed([*pairwise(released)])
            if not stages.is_final(round_)
        ]
    return StagePage(
        parts,
        earlier,
        way_on(event, released[-1]) if event.is_open else "",
        final,
        [sentence_of(change) for change in stages.changes_of(event, rounds, played)],
        stages.final_over(event, released),
        _compares(event, parts),
        seats,
    )


def _badge(event: Event, sitting: Sitting) -> Badge | None:
    """Return how far a table is, in a night with a set number of games."""
    games, wanted = sitting.games_settled, event.games_per_round  # type: ignore[attr-defined]
    if wanted is None:
        return None
    if games >= wanted:
        return Badge(pgettext("table", "done"), "done")
    return Badge(_("Game %(number)s of %(total)s") % {"number": games + 1, "total": wanted}, "gold")


def _is_decided(event: Event, sitting: Sitting, part: PartView) -> bool:
    """Return whether a table has all its games, and none that is kept back."""
    games, wanted = sitting.games_settled, event.games_per_round  # type: ignore[attr-defined]
    shown = max((line.row.games for line in part.lines), default=0)
    return wanted is not None and games >= wanted and shown == sitting.games_played  # type: ignore[attr-defined]


def _seats(parts: Iterable[tuple[PartView, bool]], each: int) -> list[FinalSeat]:
    """Return the seats of a final, to which the first places of each part lead.

    A seat names who has taken it once its part is over and no lot decides.
    """
    seats = []
    for part, is_over in parts:
        first = part.lines[:each]
        rest = part.lines[each:]
        is_over = is_over and not (rest and rest[0].row.rank == first[-1].row.rank)
        for place, line in enumerate(first, 1):
            numbers = {"place": place, "number": part.no}
            words = _PLACES_IN[part.kind, min(place, 3)]
            seats.append(FinalSeat(str(words) % numbers, line.entrant if is_over else None))
    return seats


def _ties(rows: Sequence[StandingsRow]) -> list[str]:
    """Return for each row the tie-break that puts the next one behind it, in words, or ""."""
    return [
        tie_break_name(row.ahead_by)
        if row.rank != after.rank and row.ahead_by not in (None, "points")
        else ""
        for row, after in pairwise(rows)
    ] + [""] * bool(rows)


def _compares(event: Event, parts: Sequence[PartView]) -> str:
    """Return how players of unequal groups are compared for the last places in the final."""
    rules, sizes = event.rules_of_format, {len(part.lines) for part in parts}
    if rules.kind != "groups" or len(sizes) <= 1 or rules.final % len(parts) == 0:
        return ""
    return _(
        "The groups differ in size: the best of the rest are compared by their share of points."
    )


@dataclass(frozen=True)
class StageCut:
    """Who advanced into a round: the groups or tables, who only by lot, and who had left.

    `changes` are those of this round.
    """

    parts: list[PartView]
    by_lot: list[Entrant]
    absent: list[Entrant]
    changes: list[str]


def who_went_on(event: Event, round_: Round) -> StageCut | None:
    """Return who advanced into this round and how; None if it had no cut."""
    if "cut" not in round_.settings:
        return None
    played, rounds = Played(event), stages.rounds_with_places(event)
    parts = stages.parts_before(event, rounds, round_.number, played)
    stored = round_.settings["cut"]
    return StageCut(
        parts=_views(parts, round_, played),
        by_lot=[
            played.entrants[key]
            for level in stored["by_lot"]
            for key in level
            if key in stored["through"]
        ],
        absent=[played.entrants[key] for key in stored["absent"]],
        changes=[
            sentence_of(change)
            for change in stages.changes_of(event, rounds, played)
            if change.round.pk == round_.pk
        ],
    )


def _views(
    parts: Iterable[StagePart], decided: Round | None, played: Played, ahead: int = 0
) -> list[PartView]:
    """Return the parts with each player's fate in the draw of `decided`, if there is one."""
    stored = decided.settings["cut"] if decided is not None else {"through": [], "by_lot": []}
    through = {played.person(key) for key in stored["through"]}
    lots = {played.person(key) for level in stored["by_lot"] for key in level}

    def line(row: StandingsRow, by: str) -> StageRow:
        key = int(row.entrant)
        fate = "" if decided is None else "through" if key in through else "out"
        return StageRow(played.entrants[key], row, fate, key in lots, by)

    def view(part: StagePart) -> PartView:
        lines = [*map(line, part.rows, _ties(part.rows))]
        through = sum(one.fate == "through" for one in lines)
        return PartView(part.kind, part.no, lines, through if decided else ahead)

    return [view(part) for part in parts]


def sentence_of(change: ChangedStage) -> str:
    """Return who would now advance instead of whom, and what can be done."""
    words = {
        "draft": _("%(instead)s would now advance instead of %(of)s. Draw round %(round)s again."),
        "released": _(
            "%(instead)s would now advance instead of %(of)s. No game of "
            "round %(round)s has been played yet: withdraw the draw and draw "
            "again, or leave it."
        ),
        "played": _(
            "%(instead)s would now advance instead of %(of)s. But round %(round)s "
            "has games already: they stay, and so do its players."
        ),
    }
    return words[change.state] % {
        "instead": ", ".join(entrant.player.name for entrant in change.instead) or "–",
        "of": ", ".join(entrant.player.name for entrant in change.of) or "–",
        "round": change.round.number,
    }
