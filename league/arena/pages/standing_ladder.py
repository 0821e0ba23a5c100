"""A club's standing ladder: ratings, curves over versions, tests, current meeting."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from engine import bots as engine_bots
from league.arena.facts.own_bots import pool_of, visible_bots
from league.base.pages import charts
from league.base.pages.charts import Band
from league.base.rights import Right
from league.models import Club
from tables.models import Ladder, Run, Upload
from tables.runs import ladders

SHOWN_TESTS = 20


@dataclass(frozen=True)
class VersionCurve:
    """A curve of a bot's ratings over its versions; `says` is the same in words."""

    name: str
    band: Band
    says: str


@dataclass(frozen=True)
class VersionTest:
    """A test of a version against the previous one.

    `verdict` is `better`, `not better`, `open` or `even`.
    """

    new: str
    old: str
    games: int
    verdict: str
    says: str


@dataclass(frozen=True)
class LadderPage:
    """A ladder for one reader; `now` lists the bots of the current meeting.

    `all` holds the rows of the ladder's last fit, `rated` those with a rating. A row's `base` tells
    bots without a name apart, and is not shown.
    """

    ladder: Ladder
    all: list[dict[str, Any]]
    rated: list[dict[str, Any]]
    unrated: list[dict[str, Any]]
    curves: list[VersionCurve]
    tests: list[VersionTest]
    now: list[str]


def ladder_page(
    club: Club, ladder: Ladder | None, reader: User | AnonymousUser, right: Right
) -> LadderPage | None:
    """Return the page of the club's ladder, None without a ladder.

    Bots that the reader may not see appear without their names.
    """
    if ladder is None:
        return None
    seen = visible_bots(club, reader, right).values_list("name", "base", "number")
    bases = {name: (base, number) for name, base, number in seen}
    base_of = dict(Upload.objects.filter(pool=pool_of(club)).values_list("name", "base"))
    unseen = set(base_of) - set(bases)
    hidden = dict.fromkeys(unseen, _("A member's bot"))
    rows = [row | {"base": base_of.get(row["name"], row["name"])} for row in ladder.rows]
    for row in rows:
        row["name"] = hidden.get(row["name"], row["name"])
        if row.get("partner", {}).get("helper") in hidden:
            del row["partner"]
    rated = [row for row in rows if "rating" in row]
    met = ladder.meetings.select_related("run").annotate(games=Sum("run__units__games"))
    now = ladder.meetings.filter(is_open=True).select_related("run").first()
    return LadderPage(
        ladder,
        rows,
        rated,
        [row for row in rows if row.get("unrated")],
        _curves(rated, bases),
        [
            _test(one)
            for one in met.filter(test=True).order_by("-pk")[:SHOWN_TESTS]
            if not any(bot["name"] in unseen for bot in one.run.bots)
        ],
        [hidden.get(bot["name"], bot["name"]) for bot in now.run.bots] if now else [],
    )


def _curves(rated: list[dict[str, Any]], bases: dict[str, Any]) -> list[VersionCurve]:
    """Return a curve for each bot with at least two rated versions."""
    versions: dict[str, list[tuple[int, dict[str, Any]]]] = {}
    for row in rated:
        if row["name"] not in bases and not engine_bots.is_known(row["name"]):
            continue
        base, number = bases.get(row["name"], (row["name"], row["version"]))
        versions.setdefault(base, []).append((number, row))
    found = []
    for name, of_bot in sorted(versions.items()):
        if len(of_bot) < 2:
            continue
        of_bot.sort(key=lambda one: one[0])
        halves = [(row["rating"], (row["high"] - row["low"]) / 2) for _n, row in of_bot]
        said = [
            _("version %(version)s: %(rating)s")
            % {"version": number, "rating": round(row["rating"])}
            for number, row in of_bot
        ]
        found.append(VersionCurve(name, charts.band(halves), ", ".join(said)))
    return found


def _test(meeting: Any) -> VersionTest:
    new, old = (bot["name"] for bot in meeting.run.bots)
    games, verdict = meeting.games or 0, meeting.run.verdict
    if verdict is not None:
        kind = "better" if verdict["better"] else "not better"
    else:
        kind = "even" if meeting.run.deals >= ladders.MOST_TEST_DEALS else "open"
    if kind == "better":
        said = ngettext("better, after %(n)s game", "better, after %(n)s games", games)
    elif kind == "not better":
        said = ngettext("not better, after %(n)s game", "not better, after %(n)s games", games)
    elif kind == "even":
        said = ngettext("no difference in %(n)s game", "no difference in %(n)s games", games)
    elif meeting.run.status == Run.Status.CANCELLED:
        said = ngettext("stopped after %(n)s game", "stopped after %(n)s games", games)
    else:
        said = ngettext("open, %(n)s game so far", "open, %(n)s games so far", games)
    return VersionTest(new, old, games, kind, said % {"n": games})
