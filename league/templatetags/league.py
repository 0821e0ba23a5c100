"""Template filters and tags that format the domain's values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.html import avoid_wrapping, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.timesince import timesince
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from league.arena.pages import fault_words
from league.base import texts
from league.base.domain import names
from league.base.facts import next_nights
from league.base.facts.interval_rows import IntervalRow
from league.base.pages.clocks import clocks_of
from league.models import Adjustment, Club, Event, Player, Posting, Season, Transfer
from league.money.facts import money, money_words
from league.nights.facts.clock import clock_of
from league.nights.facts.events import playing_now
from league.nights.pages import night_page, stage_page
from league.nights.pages.night_tables import NightTable
from league.seasons.domain.scoring import Scoring
from league.seasons.domain.standings import Line, NightPart, StandingsRow
from league.seasons.facts import standings as facts
from league.seasons.facts.standings import Standing, tie_break_name
from league.seasons.pages import season_pages
from league.seasons.pages.player_page import NightPoints
from league.seasons.pages.standings_columns import Column, columns_on
from tables.base import currencies
from tables.base.faces import Face
from tables.base.fifo_cache import TextCache
from tables.numbers import rounded

register = template.Library()


@register.simple_tag(takes_context=True)
def one_line(context: template.RequestContext, name: str) -> SafeString:
    """Return a template of this page as one line, for an attribute."""
    found = context.template.engine.get_template(name).render(context)  # type: ignore[union-attr]
    return mark_safe(" ".join(found.split()))


_rows: TextCache[Any, SafeString] = TextCache()


@register.inclusion_tag("components/segments.html", takes_context=True)
def night_segments(context: Mapping[str, Any], here: str, oob: bool = False) -> dict[str, Any]:
    """Return the segments of the context's night; `here` is the current page.

    With `oob`, a part of the page brings them along.
    """
    may = {name: context[name] for name in ("may_see_money", "may_organise")}
    counts = night_page.counts_of(context["event"], may_organise=may["may_organise"])
    found = night_page.segments(context["event"], here, counts=counts, **may)
    return {"label": _("Night"), "segments": found, "id": "night-segments", "oob": oob}


@register.inclusion_tag("league/nights/clock_chip.html")
def night_clock(event: Event) -> dict[str, Any]:
    """Return the clock of the round that an open night plays, if it has one."""
    playing = playing_now(event) if event.is_open else None
    return {"clock": clock_of(playing), "number": playing and playing.number}


@register.filter
def points(value: Fraction) -> str:
    """Return points with at most two decimals, in the reader's notation: 3, 1.5, 0.67."""
    return texts.points(value)


register.filter("points_told", texts.points_told)
register.filter("fault_words", fault_words.in_words)
register.filter("when", next_nights.when_of)
register.filter("when_and_where", next_nights.when_and_where)
register.filter("own_hour", next_nights.own_hour)
register.filter("clocks", clocks_of)


@register.filter
def how_long(since: datetime) -> str:
    """Return the time since then: in minutes for two hours, then in its largest unit."""
    minutes = (timezone.now() - since) // timedelta(minutes=1)
    if minutes < 120:
        return avoid_wrapping(_("%(n)s min") % {"n": minutes})
    return timesince(since, depth=1)


@register.filter
def meant(players: Iterable[Player], query: str) -> list[Player]:
    """Return the players whose names match the query."""
    return [player for player in players if names.is_meant(player.name, query)]


@register.filter
def names_of(rows: Iterable[Any]) -> str:
    """Return the names of players, entrants, places, seats or answers in one line: Ann, Bình +2."""
    return ", ".join(_named(row).name + _guests(row) for row in rows)


@register.filter
def players_of(rows: Iterable[Any]) -> list[Player]:
    """Return the players of entrants, places, seats or answers."""
    return [_named(row) for row in rows]


def _guests(row: Any) -> str:
    guests = getattr(row, "guests", 0)
    return f" +{guests}" if guests else ""


def _named(row: Any) -> Any:
    entrant = getattr(row, "entrant", row)
    return getattr(entrant, "player", entrant)


register.filter("signed", currencies.signed)
register.filter("amount", currencies.amount)
register.filter("bare", currencies.bare)
register.filter("money", currencies.money)
register.filter("signed_money", currencies.signed_amount)
register.filter("names_one_of", money.names_one_of)
register.filter("sign", currencies.sign)
register.filter("exponent", currencies.exponent)
register.filter("brief", currencies.brief)
register.filter("in_k", currencies.in_k)


@register.filter
def lost(value: int, unit: str = "") -> str:
    """Return a lost amount with its sign: −1,350 or 0."""
    return currencies.signed(-value, unit)


@register.filter
def points_signed(value: Fraction) -> str:
    return f"+{points(value)}" if value > 0 else points(value)


@register.filter
def figure(value: float, places: int) -> str:
    """Return a number with `places` decimals in the reader's notation, with a true minus sign."""
    return rounded(value, places).replace("-", "−")


@register.filter
def interval(row: IntervalRow, places: int) -> str:
    """Return a mean with the ends of its interval: 12.5 (11.9 to 13.1)."""
    return _("%(mean)s (%(low)s to %(high)s)") % _ends(row, places)


@register.filter
def interval_percent(row: IntervalRow, places: int) -> str:
    """Return a mean in percent with the ends of its interval: 12.5% (11.9 to 13.1)."""
    return _("%(mean)s%% (%(low)s to %(high)s)") % _ends(row, places)


def _ends(row: IntervalRow, places: int) -> dict[str, str]:
    return {name: figure(getattr(row, name), places) for name in ("mean", "low", "high")}


@register.filter
def percent(share: float) -> str:
    """Return a share in percent without needless decimals: 2, 0.5."""
    return points(Fraction(round(share * 10_000), 100))


register.filter("tie_break", tie_break_name)
register.simple_tag(stage_page.round_name)


@register.filter
def get(values: Mapping[Any, Any], key: Any) -> Any:
    """Return the value of a key that is a template variable."""
    return values.get(key)


@register.filter
def counted(nights: Iterable[NightPart]) -> list[NightPart]:
    return [night for night in nights if night.counted]


@register.filter
def which_nights(scoring: Scoring) -> str:
    """Return the sentence on which nights count for the season."""
    return season_pages.which_nights(scoring)


@register.filter
def line_words(line: Line) -> str:
    """Return the words for the source of a line's points."""
    return season_pages.line_words(line)


@register.filter
def reason_words(reason: str) -> str:
    """Return the reason for penalties or bonuses in the reader's language."""
    return Adjustment.words(reason)


class Ranked(Protocol):
    """What has a rank, perhaps a shared one."""

    @property
    def rank(self) -> int | None: ...
    @property
    def shared(self) -> bool: ...


@register.filter
def rank_of(row: Ranked) -> str:
    """Return a rank, marked if it is tied."""
    if not row.rank:
        return "–"
    if not row.shared:
        return str(row.rank)
    return mark_safe(f"{row.rank}{_tied(get_language())}")


@lru_cache
def _tied(language: str) -> SafeString:
    mark = '<span title="{}">=</span><span class="visually-hidden">{}</span>'
    return format_html(mark, _("tied"), _("tied"))


def points_of(row: StandingsRow) -> str:
    """Return the points of a row of standings, marked if they include penalties or bonuses."""
    if not row.adjustments:
        return points(row.points)
    label = _("with penalties or bonuses")
    mark = '{}<span title="{}">*</span><span class="visually-hidden">{}</span>'
    return format_html(mark, points(row.points), label, label)


DOTS: dict[int | None, str] = {1: "medal-1", 2: "medal-2", 3: "medal-3", None: "dot-none"}


class FormattedRow(NamedTuple):
    """A formatted row of standings; `heads` marks the first of the unranked bots."""

    rank: str
    name: str
    face: Face
    address: str
    points: str
    money: str
    tone: str
    opens_to: str
    figures: tuple[str, ...]
    medal: str
    look: str
    heads: bool
    places: tuple[tuple[str, str], ...]
    rises: int
    falls: int
    note: str


@register.simple_tag
def rows_shown(
    standings: Sequence[Standing],
    club: Club,
    event: Event | None,
    season: Season | None,
    own: Sequence[int] | None = None,
    with_money: object = False,
    places: Mapping[int, list[int | None]] | None = None,
    moves: Mapping[int, int] | None = None,
    points_only: object = False,
    by_round: Mapping[int, Mapping[int, Fraction]] | None = None,
) -> SafeString:
    """Return rows as HTML, of the event or the season if one is given.

    A season's points link to how they add up; in an event the names do, which link to the player
    there.

    `points_only` leaves out ranks and medals, where other games decide the places.

    `own` are the keys of the visitor's players, `places` and `moves` those of the last nights.
    `by_round` is what each round gave whom, by its number and the player's key.

    Many visitors look at long tables, so a row is formatted in one step here, not by filters, and
    drawn again only when it looks different.
    """
    shows = {
        "with_dots": bool(places),
        "with_money": bool(with_money),
        "points_only": bool(points_only),
    }
    player_at = _stem("league:player", club.slug)
    opens_at = ""
    if event:
        opens_at = _stem("league:explain", club.slug, event.pk)
    elif season:
        opens_at = _stem("league:season_explain", club.slug, season.pk)
    parts, apart, columns = [], False, _columns(by_round)
    games_differ = event and len({one.row.games for one in standings if one.row.games}) > 1
    ahead = facts.ahead_by(_named_rows(standings)) if event and not points_only else {}
    rounds = (by_round or {}).values()
    of = event.season if event else season
    unit = (of.fixed_unit if of else "") or club.unit
    for standing in standings:
        row, key = standing.row, standing.player.pk
        opens = f"{opens_at}{key}/" if opens_at and (season or row.games) else ""
        heads, apart = standing.is_apart and not apart, standing.is_apart
        moved = (moves or {}).get(key, 0)
        by = ahead.get(row.entrant, "").replace("–", "\u2060–\u2060")  # Never in two lines.
        said = _n_games(row.games) if games_differ else "", by
        parts.append(
            FormattedRow(
                rank=rank_of(row) if row.games else "–",
                name=standing.player.name,
                face=standing.player.face,
                address=opens if event and opens else f"{player_at}{key}/",
                points=points_of(row),
                money=currencies.brief(row.money, unit) if with_money else "",
                tone="up" if row.money > 0 else "down" if row.money < 0 else "",
                opens_to="" if event else opens,
                figures=(
                    *(_figure(column.value(standing)) for column in columns),
                    *(points(given[key]) if key in given else "" for given in rounds),
                ),
                medal=DOTS.get(row.rank, "") if row.games else "",
                look=f"of-{key}" + " own" * (key in (own or ())),
                heads=heads,
                places=tuple(
                    (str(place or "–"), DOTS.get(place, ""))
                    for place in (places or {}).get(key, ())
                ),
                rises=max(moved, 0),
                falls=max(-moved, 0),
                note=_note(standing, standings[0]) if places else " · ".join(filter(None, said)),
            )
        )
    template = "league/seasons/standings_row.html"
    drawn = [_drawn((one, *shows.values()), template, {"one": one} | shows) for one in parts]
    return mark_safe("".join(drawn))


@register.filter
def ties_told(standings: Sequence[Standing]) -> list[str]:
    """Return who of these rows is ahead of whom at equal points, and by what, in words."""
    return facts.ties_told(_named_rows(standings))


def _named_rows(standings: Sequence[Standing]) -> list[tuple[StandingsRow, str]]:
    return [(standing.row, standing.player.name) for standing in standings]


@register.simple_tag
def standings_columns(by_round: Mapping[int, object] | None = None) -> list[str]:
    """Return the names of the columns of figures that wide pages show, `rows_shown`'s order."""
    rounds = [_("Round %(number)s") % {"number": number} for number in by_round or ()]
    return [*(str(column.label) for column in _columns(by_round)), *rounds]


def _columns(by_round: object) -> list[Column]:
    """Return all columns of figures; beside those of rounds only the first two have room."""
    return columns_on("page")[: 2 if by_round else None]


def _figure(value: Any) -> str:
    if isinstance(value, Fraction):
        return rounded(float(value), 2)
    return "–" if value is None else points(value)


def _n_games(n: int) -> str:
    return ngettext("%(n)s game", "%(n)s games", n) % {"n": n}


def _note(standing: Standing, first: Standing) -> str:
    """Return a row's number of nights, and how far it is behind the first row's points."""
    nights = ngettext("%(n)s night", "%(n)s nights", standing.nights) % {"n": standing.nights}
    behind = first.row.points - standing.row.points
    if behind <= 0 or first.row.rank != 1:
        return nights
    return f"{nights} · " + _("%(points)s behind") % {"points": points(behind)}


@register.simple_tag
def table_tile(
    event: Event, round: night_page.RoundTables, table: NightTable, own: Collection[int] = ()
) -> SafeString:
    """Return a table of a night, `own` players marked; drawn again only when it looks different."""
    at = [event.season.club.slug, event.pk, round.number, table.table_no]
    time = table.since and timezone.localtime(table.since).strftime("%H:%M")
    people = [seat.player for seat in table.seats]
    stage = round.stages.get(table.table_no, "")
    mine = sorted({one.pk for one in people} & {*own})
    looks = (*at, *mine, round.is_draft, stage, time, table.tone, table.is_late, table.is_done,
             table.minutes, table.told, table.played, table.planned, table.disputed, table.calls,
             len(people), *(seat.has_left for seat in table.seats),
             *((one.pk, one.name, one.face) for one in [*people, *table.first]))  # fmt: skip
    parts = {"table": table, "is_draft": round.is_draft, "stage": stage, "own": mine}
    address = SimpleLazyObject(lambda: reverse("league:table", args=at))
    return _drawn(looks, "league/nights/table_tile.html", parts | {"address": address})


def _stem(name: str, *args: object) -> str:
    """Return the URL of that name without its last part, a number."""
    return reverse(name, args=[*args, 0]).removesuffix("0/")


@register.filter
def payments_told(transfers: Iterable[Transfer], unit: str) -> str:
    """Return the payments in one line; payer and payee are those of the money handed over."""
    text = _("%(payer)s to %(payee)s: %(amount)s")
    return "; ".join(
        text
        % {"payer": t.hands[0], "payee": t.hands[1], "amount": currencies.money(t.amount, unit)}
        for t in transfers
    )


@register.filter
def entered(posting: Posting) -> str:
    """Return who entered a posting, a payer's own word called so."""
    plays_as: str | None = posting.plays_as  # type: ignore[attr-defined]
    return money_words.entered(posting, posting.transfers.all(), plays_as)


@register.filter
def is_doubted_by(posting: Posting, own: Collection[int]) -> bool:
    """Return whether one of the visitor's players says that the entry is not right."""
    people = (doubt.player for doubt in posting.doubts.all())
    return any((player.merged_into_id or player.pk) in own for player in people)


@register.filter
def in_a_line(standing: Standing, unit: str | None = None) -> str:
    """Return a row of standings as a chat line, with its money if a unit is given.

    For example: 1. Ann  6  (+3 đ).
    """
    row = standing.row
    money = "" if unit is None else f"  ({currencies.signed_amount(row.money, unit)})"
    place = f"{row.rank}." if row.rank else "–"
    return f"{place} {standing.player.name}  {points(row.points)}{money}"


@register.filter
def totals_told(nights: Iterable[NightPoints]) -> str:
    """Return the points after each night, as the text alternative of the curve."""
    return " ".join(f"{night.event.name}: {points(night.total)}." for night in nights)


@register.filter
def money_told(nights: Iterable[NightPoints], unit: str) -> str:
    """Return the money of each night for stakes, as the text alternative of the curve."""
    paid = [(night.event.name, night.money) for night in nights if night.money is not None]
    return " ".join(f"{name}: {currencies.signed(money, unit)}." for name, money in paid)


@register.filter
def ratings_told(nights: Iterable[NightPoints]) -> str:
    """Return the rating after each night, as the text alternative of the curve."""
    return " ".join(
        f"{night.event.name}: {figure(night.rating.mu, 1)} ± {figure(night.rating.margin, 1)}."
        for night in nights
        if night.rating and not night.rating.is_early
    )


@register.filter
def compared(value: Fraction, key: str) -> str:
    """Return what a tie-break compared, without the sign of those in which fewer is better."""
    return points(abs(value) if key.startswith("few") else value)


@register.filter
def points_words(scoring: Scoring) -> str:
    """Return the points table of a season, with the nights that count unless all do."""
    named = season_pages.points_table_words(scoring.points_table)
    if not scoring.best_of and not scoring.drop_worst:
        return named
    return f"{named}. {season_pages.which_nights(scoring)}"


@register.filter
def games_bar(table: NightTable) -> SafeString:
    """Return a mark for each game of a table: as a template's loop, a long night's cost most."""
    return mark_safe("".join(f'<i class="{game.state}"></i>' for game in table.games))


@register.simple_tag(takes_context=True)
def game_row(context: Mapping[str, Any], row: Any, here: str) -> SafeString:
    """Return a game of a table's list, drawn again only when it looks different."""
    people = ((rank, medal, player.name, player.face) for rank, medal, player in row.finish)
    looks = (here, row.result.game_no, row.result.void, row.link, row.order, row.specials,
             *row.sentences, *row.badges, *people)  # fmt: skip
    template, parts = (
        "league/nights/game_row.html",
        {"row": row, "result": row.result, "here": here},
    )
    if row.confirms:  # Its form has the visitor's token.
        return render_to_string(template, parts, context["request"])
    return _drawn(looks, template, parts)


def _drawn(looks: tuple[Any, ...], template: str, parts: Mapping[str, Any]) -> SafeString:
    """Return a part that everyone may see, drawn again only for `looks` that are not known.

    `looks` are all that the part depends on, but for the language.
    """
    key = (get_language(), template, *looks)
    if (drawn := _rows.get(key)) is None:
        _rows.put(key, drawn := render_to_string(template, parts))
    return drawn
