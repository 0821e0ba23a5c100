"""What needs an organiser or a scorer on a night: calls, disputes, games to confirm or missing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.base.page_parts import Badge
from league.base.pages.address import To
from league.models import Claim, Dispute, Sitting
from league.nights.facts.progress import Progress


@dataclass(frozen=True)
class Need:
    """A table or a name that needs someone; `game` is the one in dispute.

    `offer` labels the button by which an organiser takes it on; "" once one has. `table` is its
    number, and `is_shown` that it is one of the round's that is played.
    """

    badge: Badge
    text: str
    address: str
    note: str = ""
    sitting: int = 0
    game: int | None = None
    offer: str = ""
    table: int = 0
    is_shown: bool = False

    @property
    def is_told(self) -> bool:
        """Whether its table among those of the round says all of it: a call's words it does not."""
        return self.is_shown and (self.game is not None or not self.note)

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """What a form sends to take it on."""
        game = (("game", str(self.game)),) if self.game is not None else ()
        return (("table", str(self.sitting)), *game)


def needs(
    calls: Iterable[Sitting],
    disputes: Iterable[Dispute],
    to: To,
    *,
    playing: int | None = None,
    wanted: Iterable[Claim] = (),
) -> list[Need]:
    """Return the tables that call an organiser, the disputed games, then the `wanted` names.

    Beside the round that is `playing` its tables go without its number.
    """
    calling = Badge(_("calls the organiser"), "live")
    disputed = Badge(_("disputed"), "gold")
    found = [
        Need(
            Badge(_("organiser is coming"), "open") if table.call_seen_at else calling,
            _table_name(table, playing),
            _table(table, to),
            table.call_note,
            sitting=table.pk,
            offer="" if table.call_seen_at else _("I'm coming"),
            table=table.table_no,
            is_shown=playing == table.round.number,
        )
        for table in calls
    ]
    for dispute in disputes:
        table, game_no = dispute.sitting, dispute.game_no
        named = _table_name(table, playing)
        name = _("%(table)s, game %(game)s") % {"table": named, "game": game_no}
        found.append(
            Need(
                Badge(_("being looked at"), "open") if dispute.seen_at else disputed,
                name,
                to("game", table.round.number, table.table_no, game_no),
                dispute.told,
                sitting=table.pk,
                game=game_no,
                offer="" if dispute.seen_at else _("I'll look at it"),
                table=table.table_no,
                is_shown=playing == table.round.number and not table.called_at,
            )
        )
    claimed, asks = (
        Badge(_("claimed by two phones"), "gold"),
        _("Another phone asks for this name."),
    )
    found += [Need(claimed, claim.player.name, to("check_in"), asks) for claim in wanted]
    return found


def to_confirm(tables: Iterable[Sitting], to: To) -> list[Need]:
    """Return the tables with unconfirmed games, each with their number."""
    badge, found = Badge(_("to confirm"), "open"), []
    for table in tables:
        n: int = table.waiting  # type: ignore[attr-defined]
        count = ngettext("%(n)s game", "%(n)s games", n) % {"n": n}
        found.append(Need(badge, _table_name(table), _table(table, to), count))
    return found


def lacking(state: Progress, to: To) -> list[Need]:
    """Return the tables that lack games: of earlier rounds, and those behind in the latest.

    Who plays the last game of the latest is not behind.
    """
    now = [gap for gap in state.missing if gap.round == state.playing]
    behind = [gap for gap in state.missing if gap.round != state.playing]
    if state.games is not None and now and now[0].wanted:
        tables = state.games.planned // now[0].wanted
        few = 2 * len(now) <= tables
        behind += [gap for gap in now if few and gap.done + 1 < max(now[0].wanted, 2)]
    badge = Badge(_("games missing"), "gold")
    return [
        Need(
            badge,
            _name(gap.round, gap.table, state.playing),
            to("table", gap.round, gap.table),
            _("%(done)s of %(planned)s games") % {"done": gap.done, "planned": gap.wanted or 1},
        )
        for gap in behind
    ]


def late(state: Progress, to: To) -> list[Need]:
    """Return the table of the round that is played whose latest game is longest ago, if late."""
    behind = [gap for gap in state.on_a_game if gap.minutes] if state.is_being_played else []
    return [
        Need(
            Badge(
                _("on game %(game)s for %(n)s minutes") % {"game": gap.done + 1, "n": gap.minutes},
                "gold",
            ),
            _("Table %(table)s") % {"table": gap.table},
            to("table", gap.round, gap.table),
        )
        for gap in sorted(behind, key=lambda gap: gap.last)[:1]
    ]


def _table_name(table: Sitting, playing: int | None = None) -> str:
    return _name(table.round.number, table.table_no, playing)


def _name(number: int, table_no: int, playing: int | None) -> str:
    numbers = {"round": number, "table": table_no}
    if playing == number:
        return _("Table %(table)s") % numbers
    return _("Round %(round)s, table %(table)s") % numbers


def _table(table: Sitting, to: To) -> str:
    return to("table", table.round.number, table.table_no)
