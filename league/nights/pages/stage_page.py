"""The stages of a night: the groups or tables, who advances, and the final."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from league.base.page_parts import Badge, Tab
from league.models import Entrant, Event, Player, Round, Sitting
from league.nights.facts import stages
from league.nights.facts.night import Night
from league.nights.facts.stages import ChangedStage, Played, StagePart, pools_of
from league.nights.pages.night_tables import First
from league.seasons.domain.standings import StandingsRow
from league.seasons.facts.standings import ties_told

_PLACES_IN = {
    ("table", 1): gettext_lazy("first of table %(number)s"),
    ("table", 2): gettext_lazy("second of table %(number)s"),
    ("semi", 1): gettext_lazy("first of semi-final %(number)s"),
    ("semi", 2): gettext_lazy("second of semi-final %(number)s"),
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


def stage_names(event: Event, round_: Round) -> dict[int, str]:
    """Return the names of a round's groups, semi-finals and final by table number."""
    pools = stages.labels(round_).items()
    if stages.is_semi_final(event, round_):
        return {no: _("Semi-final") for no, (kind, _no) in pools if kind == "table"}
    return {no: pool_name(*pool) for no, pool in pools if pool[0] in ("group", "final")}


def round_name(event: Event, round_: Round, table_no: int = 0) -> str:
    """Return what a round is called, at a table where one is meant: its number at a side table.

    A final of several tables has several rounds, with their numbers.
    """
    number = _("Round %(number)s") % {"number": round_.number}
    if "others" in stages.labels(round_).get(table_no, ()):
        return number
    if stages.is_semi_final(event, round_):
        return _("Semi-final")
    tables = [len(pool["tables"]) for pool in pools_of(round_) if pool["kind"] == "final"]
    if not tables:
        return number
    return _("Final") if sum(tables) == 1 else f"{_('Final')} · {number}"


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
    sizes = stages.sizes_of_tables(round_)
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
    """A player in a group or table; `fate` is "through" or "out", empty while undecided."""

    entrant: Entrant
    row: StandingsRow
    fate: str = ""
    by_lot: bool = False


@dataclass(frozen=True)
class PartView:
    """A group or a table with its players in order; the first `ahead` of them advance, or did.

    `badge` says how far it is while players are to advance from it; `is_over` that these are known.
    `ties` say why the last of them is ahead at equal points.
    """

    kind: str
    no: int
    lines: list[StageRow]
    ahead: int = 0
    badge: Badge | None = None
    is_over: bool = False
    ties: Sequence[str] = ()

    @property
    def advanced(self) -> list[Player]:
        """Who advanced, in order; empty until that is known."""
        return [line.entrant.player for line in self.lines if line.fate == "through"]

    @property
    def name(self) -> str:
        if self.kind == "group":
            return _("Group %(number)s") % {"number": self.no}
        if self.kind == "semi":
            return _("Semi-final %(table)s") % {"table": self.no}
        return _("Table %(table)s") % {"table": self.no}


@dataclass(frozen=True)
class EarlierRound:
    """A round of a knock-out that is decided: its number, name and tables, with who advanced."""

    number: int
    name: str
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
    compared, where a place depends on it. `way` are an open night's stages in order, with the
    number of their players, and `advanced` says who advances from a table, by the numbers of its
    round and its own. `final_ties` say who of the final is ahead at equal points.
    """

    parts: list[PartView]
    earlier: list[EarlierRound]
    way_on: str
    final: list[StageRow]
    changes: list[str]
    compares: str = ""
    seats: Sequence[FinalSeat] = ()
    way: Sequence[Tab] = ()
    advanced: Mapping[tuple[int, int], First] = field(default_factory=dict)
    final_ties: Sequence[str] = ()


def stage_page(
    event: Event, rounds: Sequence[Round], played: Played | None = None
) -> StagePage | None:
    """Return an event's stages for its page; None without stages or before a release.

    `played` are its games, if they are at hand.
    """
    released = [r for r in rounds if r.status == Round.Status.RELEASED and pools_of(r)]
    if not event.rules_of_format.has_stages or not released:
        return None
    played = played or Played(event)
    rows = stages.final_rows(released, played)
    final = [StageRow(played.entrants[int(row.entrant)], row) for row in rows]
    earlier: list[EarlierRound] = []
    parts = deciding_parts(event, released, played)
    following, shown, advanced = _following(event, parts), begun(parts), {}
    if event.rules_of_format.kind != "groups":
        advanced = advanced_from(event, released[-1], parts)
        for round_, drawn in reversed([*pairwise(released)]):
            if not stages.is_final(round_):
                views = _views(stages.tables(round_, played), drawn, played)
                earlier.append(EarlierRound(round_.number, round_name(event, round_), views))
                advanced |= _advanced(round_, views, is_final=stages.is_final(drawn))
    is_next = event.rules_of_format.kind == "groups" or following <= event.full_table
    return StagePage(
        shown,
        earlier,
        way_on(event, released[-1]) if event.is_open else "",
        final,
        [sentence_of(change) for change in stages.changes_of(event, rounds, played)],
        _compares(event, parts),
        _seats(parts) if shown and event.is_open and not final and is_next else [],
        _way(event, released, following) if event.is_open else [],
        advanced,
        _ties(rows, played),
    )


def deciding_parts(event: Event, released: Sequence[Round], played: Played) -> list[PartView]:
    """Return the groups, or the latest round's tables, from which players advance."""
    if event.rules_of_format.kind == "groups":
        drawn = next((r for r in released if "cut" in r.settings), None)
        groups = stages.groups(released, played)
        if drawn:
            return _views(groups, drawn, played)
        parts = _views(groups, None, played, _each_of(event, len(groups)))
        return [replace(one, badge=_of_group(event, released, one.no)) for one in parts]
    if stages.is_final(released[-1]):
        return []
    parts = _views(stages.tables(released[-1], played), None, played, 2)
    sittings = {one.table_no: one for one in released[-1].sittings.all()}
    return [_with_progress(event, sittings[one.no], one) for one in parts]


def level_at_cut(night: Night) -> list[str]:
    """Return who of a cup's open tables or groups is level with the last who would advance."""
    event, said = night.event, []
    if not event.rules_of_format.has_stages or any(map(stages.is_final, night.released)):
        return []
    for part in deciding_parts(event, night.released, night.played) if night.released else []:
        last, behind = part.lines[: part.ahead][-1:], part.lines[part.ahead :]
        level = [
            one
            for by in last
            for one in behind
            if by.row.games and one.row.points == by.row.points and not part.is_over
        ]
        if level:
            text = ngettext(
                "%(part)s: %(others)s is level with %(last)s.",
                "%(part)s: %(others)s are level with %(last)s.",
                len(level),
            )
            others = ", ".join(one.entrant.player.name for one in level)
            names = {"part": part.name, "others": others, "last": last[0].entrant.player.name}
            said.append(text % names)
    return said


def begun(parts: Sequence[PartView]) -> list[PartView]:
    """Return the groups, and those of the tables that have a game."""
    return [p for p in parts if p.kind == "group" or any(line.row.games for line in p.lines)]


def _with_progress(event: Event, sitting: Sitting, part: PartView) -> PartView:
    """Return a table with how far it is, in an open night with a set number of games.

    It is over with all its games, none kept back, and no lot between those who advance.
    """
    games, wanted = sitting.games_settled, event.games_per_round  # type: ignore[attr-defined]
    if wanted is None or not event.is_open:
        return part
    if games < wanted:
        now = {"number": games + 1, "total": wanted}
        return replace(part, badge=Badge(_("Game %(number)s of %(total)s") % now, "gold"))
    shown = max((line.row.games for line in part.lines), default=0)
    ranks = [line.row.rank for line in part.lines]
    by_lot = len(ranks) > part.ahead and ranks[part.ahead - 1] == ranks[part.ahead]
    done = replace(part, badge=Badge(pgettext("table", "done"), "open"))
    if shown != sitting.games_played or by_lot:  # type: ignore[attr-defined]
        return done
    fates = ["through"] * part.ahead + ["out"] * (len(part.lines) - part.ahead)
    lines = [replace(one, fate=fate) for one, fate in zip(part.lines, fates, strict=True)]
    return replace(done, lines=lines, is_over=True)


def _of_group(event: Event, released: Sequence[Round], no: int) -> Badge | None:
    """Return how many of its games a group has, those of rounds to come included."""
    drawn = [
        own
        for round_ in released
        for labels in [stages.labels(round_)]
        if (own := [s for s in round_.sittings.all() if labels.get(s.table_no) == ("group", no)])
    ]
    if not drawn or event.games_per_round is None or not event.is_open:
        return None
    ahead = event.rules_of_format.group_rounds - len(drawn)
    tables = sum(map(len, drawn)) + max(0, ahead) * len(drawn[-1])
    done = sum(one.games_settled for own in drawn for one in own)  # type: ignore[attr-defined]
    wanted = tables * event.games_per_round
    tick, tone = (" ✓", "open") if done >= wanted else ("", "gold")
    return Badge(f"{done}/{wanted}{tick}", tone)


def advanced_from(
    event: Event, round_: Round, parts: Sequence[PartView]
) -> dict[tuple[int, int], First]:
    """Return who advances from the tables that are over, by the numbers of round and table."""
    return _advanced(round_, parts, is_final=_following(event, parts) <= event.full_table)


def _advanced(
    round_: Round, parts: Iterable[PartView], *, is_final: bool
) -> dict[tuple[int, int], First]:
    told = _("reach the final") if is_final else pgettext("players", "advance")
    return {(round_.number, one.no): (one.advanced, told) for one in parts if one.advanced}


def _following(event: Event, parts: Iterable[PartView]) -> int:
    """Return how many players the next stage has."""
    return stages.how_many_advance(event, [len(one.lines) for one in parts])


def _way(event: Event, released: Sequence[Round], following: int) -> list[Tab]:
    """Return the stages up to the final with the number of their players, the current one marked.

    The stages to come have no address yet.
    """
    people: dict[str, set[int]] = {}
    groups, final = pgettext("stage", "Groups"), _("Final")
    for round_ in released:
        for pool in pools_of(round_):
            if pool["kind"] in stages.MAIN:
                name = groups if pool["kind"] == "group" else round_name(event, round_)
                people.setdefault(name, set()).update(pool["members"])
    *past, here = [
        Tab(name, f"#stage-{number}", count=len(own))
        for number, (name, own) in enumerate(people.items(), 1)
    ]
    ahead = [Tab(final, "", count=following)] if here.text != final else []
    if ahead and event.rules_of_format.kind != "groups" and following > event.full_table:
        number = {"number": released[-1].number + 1}
        is_semi = following <= 2 * event.full_table
        name = _("Semi-final") if is_semi else _("Round %(number)s") % number
        ahead = [Tab(name, "", count=following), Tab(final, "")]
    return [*past, replace(here, address="#stages", is_here=True), *ahead]


def _seats(parts: Iterable[PartView]) -> list[FinalSeat]:
    """Return the seats of a final, to which the first places of each part lead.

    A seat names who has taken it once its part is over.
    """
    return [
        FinalSeat(_place_in(part, at), line.entrant if part.is_over else None)
        for part in parts
        for at, line in enumerate(part.lines[: part.ahead], 1)
    ]


def _place_in(part: PartView, place: int) -> str:
    return str(_PLACES_IN[part.kind, min(place, 3)]) % {"place": place, "number": part.no}


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

    def line(row: StandingsRow) -> StageRow:
        key = int(row.entrant)
        fate = "" if decided is None else "through" if key in through else "out"
        return StageRow(played.entrants[key], row, fate, key in lots)

    def view(part: StagePart) -> PartView:
        first = sum(int(row.entrant) in through for row in part.rows) if decided else ahead
        edge = {row.rank for row in part.rows[max(first - 1, 0) : first + 1]}
        ties = _ties([row for row in part.rows if row.rank in edge], played)
        return PartView(part.kind, part.no, [*map(line, part.rows)], first, ties=ties)

    return [view(part) for part in parts]


def _ties(rows: Iterable[StandingsRow], played: Played) -> list[str]:
    return ties_told((row, played.entrants[int(row.entrant)].player.name) for row in rows)


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
