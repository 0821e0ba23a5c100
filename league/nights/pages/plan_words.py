"""What a night is made of, in a few words."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league.base import texts
from league.nights.domain.night_plans import NightPlan

FORMAT_NAMES: dict[str, tuple[Promise, Promise]] = {
    "rounds": (
        pgettext_lazy("format of a night", "Rounds"),
        _(
            "Everyone plays in every round. The draw keeps repeat meetings low, or pairs "
            "players with similar scores."
        ),
    ),
    "groups": (
        _("Groups and final"),
        _("Groups play among themselves; the best players reach the final."),
    ),
    "knockout": (
        _("Top two advance"),
        _("The first two of each table advance, round by round, until one table is left."),
    ),
    "loser_leaves": (
        _("Last one out"),
        _("The player in last place gives up the seat to the next in the queue; the others stay."),
    ),
    "open": (
        _("Open play"),
        _("Tables form as players arrive: as soon as enough are free, they play."),
    ),
}
"""The name of each format, and what it means in one sentence."""


def rounds(values: Mapping[str, Any]) -> str:
    """Return the format, unless it is rounds, and how much is played."""
    kind = values["format"]
    name = str(FORMAT_NAMES[kind][0]) if kind in FORMAT_NAMES else str(kind)
    said, games = [], values["games_per_round"]
    if kind in ("rounds", "groups"):
        planned = values["rounds_planned"]
        if kind == "groups":
            planned = max(_n(planned), _n(values["group_rounds"]) + 1)
        said.append(ngettext("%(n)s round", "%(n)s rounds", _n(planned)) % {"n": planned})
    if kind != "loser_leaves" and values["counting"] == "fixed":
        said.append(ngettext("%(n)s game", "%(n)s games", _n(games)) % {"n": games})
    parts = [] if kind == "rounds" else [name]
    if kind != "loser_leaves" and values["counting"] != "fixed":
        return ", ".join([*parts, *said, gettext("until time is up")])
    return ", ".join([*parts, " × ".join(said)] if said else parts)


def stake(amount: Any, unit: str) -> str:
    """Return what a game costs."""
    if not isinstance(amount, int) or not amount:
        return gettext("for points only")
    return gettext("%(amount)s a game") % {"amount": texts.amount(amount, unit)}


def minutes(given: Any) -> str:
    """Return how long a round is by its clock."""
    if isinstance(given, int):
        return ngettext("%(n)s minute", "%(n)s minutes", given) % {"n": given}
    return str(given or gettext("without a clock"))


def more_to_fill(coming: int, full: int, places: int | None = None) -> str:
    """Return how many more would make all tables full ones; "" if they are, or have no place."""
    more, n = -coming % full, -(-coming // full)
    if not coming or not more or (places is not None and n * full > places):
        return ""
    tables = ngettext("one full table of %(full)s", "%(n)s full tables of %(full)s", n)
    text = gettext("One more makes %(tables)s.")
    if more > 1:
        text = gettext("%(more)s more make %(tables)s.")
    return text % {"more": more, "tables": tables % {"n": n, "full": full}}


def tables(sizes: Sequence[int]) -> str:
    """Return how many tables there are of each size, the largest first."""
    found = sorted(Counter(sizes).items(), reverse=True)
    return ", ".join(
        ngettext("%(n)s table of %(size)s", "%(n)s tables of %(size)s", n) % {"n": n, "size": size}
        for size, n in found
    )


def games(done: int, planned: int) -> str:
    """Return how many games are played, of how many if a number is planned."""
    if not planned:
        return ngettext("%(n)s game", "%(n)s games", done) % {"n": done}
    return gettext("%(done)s of %(total)s games") % {"done": done, "total": planned}


def of_plan(plan: NightPlan, unit: str) -> str:
    """Return a plan in one line; points go without saying."""
    played = rounds(plan.values | {"format": plan.format.kind})
    return f"{played} · {stake(plan.stake, unit)}" if plan.stake else played


def _n(value: Any) -> int:
    return value if isinstance(value, int) else 0
