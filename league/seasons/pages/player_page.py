"""A player's page of a season: places, points, streaks, opponents, specials and honours."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate

from django.db import connection
from django.db.models import OuterRef, Q, Subquery, Sum
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.base.page_parts import MenuRow
from league.models import (
    Adjustment,
    Event,
    Placing,
    Player,
    Result,
    Season,
    Strength,
    StrengthPoint,
    Tally,
    Transfer,
)
from league.models.shown_names import shown
from league.seasons.domain.standings import StandingsRow
from league.seasons.domain.streaks import StreakGame, Streaks, streaks
from league.seasons.facts import honours, player_rows, ratings, same_deals, season_cache
from league.seasons.facts.season_cache import CachedRows
from league.seasons.pages import player_charts
from league.seasons.pages.player_charts import ChopBar, Form, MetFace, Trend
from tables.base.faces import Face, face_of

SHOWN_GAMES = 24
SHOWN_NIGHTS = 12
LONG_RUN, LONG_SAFETY = 4, 10
"""The games won in a row, and without a last place, that are said of a player first."""
SAYS_MUCH = 3
"""The nights from which on a page shows more than figures and places."""
OFTEN = 5
"""The games together from which on an opponent counts as the easiest or the hardest."""
MOST_GAMES = 20_000  # Beyond what anyone plays; streaks ignore older games.
SHOWN_OPPONENTS = 30
WAYS = {
    "random": gettext_lazy("Plays any cards that the rules allow, by chance."),
    "lowest": gettext_lazy("Always plays its lowest cards, a single first."),
    "greedy": gettext_lazy("Plays its lowest cards first, and as many a turn as it can."),
    "planner": gettext_lazy("Divides its hand into combinations and gets rid of the worst first."),
    "dreamer": gettext_lazy("Guesses the hidden cards and plays a few ideas out first."),
    "sage": gettext_lazy("Chooses as dreamer does, with many more guesses."),
    "master": gettext_lazy("Learnt from millions of games, and plays its ideas out first."),
}
"""How each house bot plays."""


@dataclass(frozen=True)
class Opponent:
    """An opponent: games together, how often ahead and behind, and the money between the two.

    `chops` counts the opponent's cards that the player chopped, `chopped` the other way round.
    `chance` is the percentage of games ahead that both ratings expect, None if they say too little.
    """

    key: int
    name: str
    games: int
    ahead: int
    behind: int
    money: int
    animal: str = ""
    ground: int | None = None
    chops: int = 0
    chopped: int = 0
    chance: int | None = None

    @property
    def face(self) -> Face:
        return face_of(self.key, self.animal, self.ground)

    @property
    def share(self) -> int:
        """The percentage of games finished ahead; ties count half."""
        return round(100 * (self.ahead + (self.games - self.ahead - self.behind) / 2) / self.games)


@dataclass(frozen=True)
class NightPoints:
    """A night of the season: its points, the sum of counted points so far, the rating after it.

    `money` is None if the night was not for stakes.
    """

    event: Event
    points: Fraction
    counted: bool
    total: Fraction
    money: int | None
    rating: StrengthPoint | None


@dataclass(frozen=True)
class PersonPage:
    """All data of a player's page for one season."""

    player: Player
    season: Season
    row: StandingsRow
    nights: list[NightPoints]
    points_trend: Trend | None
    money_trend: Trend | None
    form: Form
    bar: dict[str, int]
    streaks: Streaks
    opponents: list[Opponent]
    specials: honours.Specials | None
    honours: list[honours.Honour]
    rating: Strength | None
    rank: int | None
    rating_trend: Trend | None
    meetings: list[MetFace[Opponent]]
    chops: list[ChopBar[Opponent]]
    bot_rating: ratings.BotRating | None

    @property
    def rated_with(self) -> str:
        """The bot whose entries are rated with this one, unless the player is called by it."""
        bot = self.player.bot
        return "" if self.player.name == f"{bot} (bot)" else bot

    @property
    def chops_height(self) -> float:
        """The height of the picture of the chops."""
        return player_charts.CHOP_ROW * len(self.chops)

    @property
    def is_early(self) -> bool:
        """Whether the player has too few nights for anything but figures and places."""
        return len(self.nights) < SAYS_MUCH

    @property
    def headline(self) -> str:
        """The first that holds: how a house bot plays, games won in a row, without a last, all."""
        if way := WAYS.get(self.player.bot):
            return str(way)
        if (run := self.streaks.wins_now) >= LONG_RUN:
            return _("%(n)s games won in a row, and counting.") % {"n": run}
        if (run := self.streaks.not_last_now) >= LONG_SAFETY:
            return _("%(n)s games without a last place.") % {"n": run}
        games = ngettext("%(n)s game", "%(n)s games", self.row.games) % {"n": self.row.games}
        n = len(self.nights)
        nights = (
            ngettext("%(n)s tournament", "%(n)s tournaments", n)
            if self.season.ranks_bots
            else ngettext("%(n)s night", "%(n)s nights", n)
        ) % {"n": n}
        won = {"games": games, "nights": nights, "first": self.bar["first"]}
        return _("%(games)s in %(nights)s, %(first)s won.") % won

    @property
    def last_nights(self) -> list[NightPoints]:
        """The last nights, latest first."""
        return self.nights[: -SHOWN_NIGHTS - 1 : -1]

    @property
    def shares(self) -> dict[str, int]:
        """The percentages of the places."""
        games = sum(self.bar.values()) or 1
        return {place: round(100 * times / games) for place, times in self.bar.items()}

    @property
    def often_met(self) -> list[Opponent]:
        """Opponents met often, whom the player beats most rarely first; none of only one."""
        met = [one for one in self.opponents if one.games >= OFTEN]
        return sorted(met, key=lambda one: (one.share, -one.games)) if len(met) > 1 else []


def seasons_of(keys: list[int]) -> list[Season]:
    """Return the seasons in which the player has counted games or adjustments, latest first."""
    counted = Q(event__kind=Event.Kind.NIGHT) | Q(event__season__ranks_bots=True)
    played = Tally.objects.filter(counted, entrant__player__in=keys).values("event__season")
    given = Adjustment.objects.filter(player__in=keys).values("season")
    return list(Season.objects.filter(Q(pk__in=played) | Q(pk__in=given)).select_related("ruleset"))


def keys_of(player: Player) -> list[int]:
    """Return the keys of the player and of the names merged into it."""
    return [player.pk, *player.aliases.values_list("pk", flat=True)]


def menu(
    player: Player, seasons: list[Season], season: Season | None, *, may_organise: bool
) -> list[MenuRow]:
    """Return the pages around a player, and the player's other seasons."""
    at = [player.club.slug, player.pk]
    found = []
    if season is not None:
        own = f"?season={season.pk}&full=1"
        explained = reverse("league:season_explain", args=[at[0], season.pk, player.pk])
        found = [
            MenuRow("chart", _("All figures"), own, _("nights, opponents, chops, Excel, CSV")),
            MenuRow("list", _("How the points add up"), explained),
        ]
    others = [MenuRow("trophy", one.name, f"?season={one.pk}") for one in seasons if one != season]
    edit = MenuRow("edit", _("Change"), reverse("league:player_edit", args=at))
    return [*found, *others, *([edit] if may_organise else [])]


def person_page(player: Player, keys: list[int], season: Season, rows: CachedRows) -> PersonPage:
    """Return the player's page for one season, in a constant number of queries."""
    events = {event.pk: event for event in season.counted_events}
    row = player_rows.row_of(player, season, keys=keys, events=events)
    games = games_of(keys, season)
    cached = rows.cached_of(player.pk)
    curve = ratings.curve_of(player.pk, season)
    nights = _nights(row, events, curve)
    everyone = opponents(keys, season)
    keyed = [player.pk, *(one.key for one in everyone[:SHOWN_OPPONENTS])]
    rated = {one.player_id: one for one in season.strengths.filter(player__in=keyed)}
    met = [_with_chance(one, rated, player.pk) for one in everyone[:SHOWN_OPPONENTS]]
    return PersonPage(
        player=player,
        season=season,
        row=row,
        nights=nights,
        points_trend=player_charts.trend(
            [night.event for night in nights], [float(night.total) for night in nights]
        ),
        money_trend=_money_trend(nights),
        form=player_charts.form(games[-SHOWN_GAMES:]),
        bar=_bar(games) if games else _bar_of_counts(row),
        streaks=streaks(games),
        opponents=met,
        specials=season_cache.specials_of(cached) if cached else None,
        honours=season_cache.honours_of(cached) if cached else [],
        rank=cached.rank if cached else None,
        rating_trend=player_charts.rating_trend(curve),
        meetings=player_charts.meetings([(one, one.games, one.share) for one in met]),
        chops=player_charts.chops([(one, one.chops, one.chopped) for one in everyone]),
        rating=rated.get(player.pk),
        bot_rating=ratings.rating_of_bot(player) if season.ranks_bots else None,
    )


def nights_of(player: Player, keys: list[int], season: Season) -> list[NightPoints]:
    """Return the player's nights of the season, oldest first."""
    events = {event.pk: event for event in season.counted_events}
    curve = ratings.curve_of(player.pk, season)
    return _nights(player_rows.row_of(player, season, keys=keys, events=events), events, curve)


def games_of(keys: list[int], season: Season) -> list[StreakGame]:
    """Return the player's places in the order of play.

    Within a round that is the order in which the games were first saved: game numbers of different
    tables are unrelated.
    """
    first = Result.objects.filter(
        sitting=OuterRef("result__sitting"), game_no=OuterRef("result__game_no"), version=1
    )
    placings = Placing.objects.filter(
        entrant__player__in=keys,
        result__current=True,
        result__sitting__round__event__season=season,
    ).order_by(
        "-result__sitting__round__event__date",
        "-result__sitting__round__event_id",
        "-result__sitting__round__number",
        Subquery(first.values("pk")).desc(),
    )
    columns = placings.values_list("rank", "size", "tied")[:MOST_GAMES]
    return [StreakGame(*column) for column in reversed(columns)]


_OPPONENTS = """
    SELECT p.id, {name}, p.animal, p.ground, count(*), count(*) FILTER (WHERE a.rank < b.rank),
           count(*) FILTER (WHERE a.rank > b.rank),
           sum(CASE WHEN r.specials = '[]' THEN 0 ELSE (
               SELECT count(*) FROM jsonb_array_elements(r.specials) made
               WHERE made @> jsonb_build_object('kind', 'chop', 'by', ea.id, 'of', eb.id)) END),
           sum(CASE WHEN r.specials = '[]' THEN 0 ELSE (
               SELECT count(*) FROM jsonb_array_elements(r.specials) met
               WHERE met @> jsonb_build_object('kind', 'chop', 'by', eb.id, 'of', ea.id)) END)
    FROM league_placing a
    JOIN league_entrant ea ON ea.id = a.entrant_id AND ea.player_id = ANY(%s)
    JOIN league_event e ON e.id = ea.event_id AND e.season_id = %s
    JOIN league_result r ON r.id = a.result_id AND r.current
    JOIN league_placing b ON b.result_id = a.result_id AND b.id <> a.id
    JOIN league_entrant eb ON eb.id = b.entrant_id
    JOIN league_player own ON own.id = eb.player_id
    JOIN league_player p ON p.id = coalesce(own.merged_into_id, own.id)
    GROUP BY p.id
    ORDER BY 5 DESC, p.sort_key
"""


def opponents(keys: list[int], season: Season) -> list[Opponent]:
    """Return everyone the player met at a table in the season, the most frequent first."""
    with connection.cursor() as cursor:
        cursor.execute(_OPPONENTS.format(name=shown("p")), [keys, season.pk])
        rows = cursor.fetchall()
    money = _between(keys, season)
    return [
        Opponent(
            *(key, name, games, ahead, behind, money.get(key, 0)),
            *(animal, ground, int(made), int(met)),
        )
        for key, name, animal, ground, games, ahead, behind, made, met in rows
    ]


def _with_chance(met: Opponent, rated: dict[int, Strength], player: int) -> Opponent:
    """Add the chance that both ratings give, if the two have met often."""
    own, other = rated.get(player), rated.get(met.key)
    if met.games < OFTEN or own is None or other is None:
        return met
    return replace(met, chance=own.chance_against(other))


def _between(keys: list[int], season: Season) -> dict[int, int]:
    """Return the season's net amount from each other player to this one, in minor units."""
    net: dict[int, int] = {}
    moved = Transfer.objects.filter(event__season=season, result__isnull=False)
    for own, other, sign in (("payee", "payer", 1), ("payer", "payee", -1)):
        sums = moved.filter(**{f"{own}__player__in": keys}).values_list(same_deals.owner(other))
        for player, amount in sums.annotate(Sum("amount")).order_by():
            net[player] = net.get(player, 0) + sign * amount
    return net


def _nights(
    row: StandingsRow, events: dict[int, Event], curve: list[StrengthPoint]
) -> list[NightPoints]:
    shown, total = [], Fraction(0)
    rated = {point.event_id: point for point in curve}
    for night in sorted(row.nights, key=lambda n: (events[int(n.event)].date, n.event)):
        total += night.points if night.counted else 0
        event = events[int(night.event)]
        money = night.money if event.stake or night.money else None
        points = NightPoints(event, night.points, night.counted, total, money, rated.get(event.pk))
        shown.append(points)
    return shown


def _money_trend(nights: list[NightPoints]) -> Trend | None:
    """Return the sum of the money after each night for stakes."""
    paid = [(night.event, night.money) for night in nights if night.money is not None]
    sums = accumulate(money for _event, money in paid)
    return player_charts.trend([event for event, _money in paid], [float(n) for n in sums])


def _bar(games: list[StreakGame]) -> dict[str, int]:
    """Return the numbers of first, second, last and other places."""
    last = sum(game.is_last and not game.is_first for game in games)
    first = sum(game.is_first for game in games)
    second = sum(game.rank == 2 and not game.is_last for game in games)
    return {
        "first": first,
        "second": second,
        "third": len(games) - first - second - last,
        "last": last,
    }


def _bar_of_counts(row: StandingsRow) -> dict[str, int]:
    """Return the same from the row's counts: bot tournaments store no single games."""
    total, first, last = sum(row.counts.values()), row.counts.get(1, 0), row.lasts
    second = min(row.counts.get(2, 0), total - first - last)
    return {"first": first, "second": second, "third": total - first - second - last, "last": last}
