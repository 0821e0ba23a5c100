"""API serializers of seasons."""

from typing import Any

from rest_framework import serializers as s

from league.base import texts
from league.base.api.serializers import CountedOut, ExactField, MembersMoney
from league.base.domain.amounts import both_readings
from league.models import Adjustment, Roster, Season
from league.seasons.domain.standings.tie_breaks import DEFAULT
from league.seasons.pages.standings_columns import columns_on


class SeasonOut(CountedOut, s.ModelSerializer[Season]):
    def unit_of(self, of: Season) -> str:
        """Return the unit of the season's amounts."""
        return of.unit

    class Meta:
        model = Season
        fields = ["id", "name", "status", "starts_on", "ends_on", "scoring", "tie_breaks",
                  "ranks_bots", "currency", "exponent"]  # fmt: skip


class SeasonIn(s.Serializer[Any]):
    """A new season; `scoring` and `tie_breaks` are the usual ones where they are left out."""

    name = s.CharField(max_length=80)
    ruleset = s.CharField(max_length=64, default="mien-nam")
    starts_on = s.DateField(required=False)
    ends_on = s.DateField(required=False, allow_null=True, default=None)
    scoring = s.JSONField(default=dict)
    tie_breaks = s.ListField(child=s.CharField(max_length=40), max_length=20, default=list(DEFAULT))
    ranks_bots = s.BooleanField(default=False)


class SeasonChangeIn(s.Serializer[Any]):
    """How a season counts; what is left out stays. `recount_all` applies it to past nights too."""

    scoring = s.JSONField(required=False)
    tie_breaks = s.ListField(child=s.CharField(max_length=40), max_length=20, required=False)
    ranks_bots = s.BooleanField(required=False)
    recount_all = s.BooleanField(default=False)


class ScorerOut(s.Serializer[Any]):
    """A player with the points of a row."""

    player = s.IntegerField(source="player.pk")
    name = s.CharField(source="player.name")
    points = ExactField(source="row.points")


class RosterPlaceOut(ScorerOut):
    """A player's place in a category; `rank` is null for a player with too few games."""

    rank = s.IntegerField(source="row.rank", allow_null=True)


class RosterOut(s.Serializer[Any]):
    """A team with `rank` and `points`, or a category with the `rows` of its players."""

    id = s.IntegerField(source="roster.pk")
    kind = s.CharField(source="roster.kind")
    name = s.CharField(source="roster.name")
    players = s.ListField(child=s.CharField())
    rank = s.IntegerField(default=None, allow_null=True)
    points = ExactField(default=None, allow_null=True)
    rows = RosterPlaceOut(many=True, default=list)


class RosterIn(s.Serializer[Any]):
    """A team of two to six players, captain first, or a category. Replaces one of the same name."""

    kind = s.ChoiceField(Roster.Kind.choices)
    name = s.CharField(max_length=60)
    players = s.ListField(child=s.IntegerField(), max_length=1000)


class StandingOut(ScorerOut, CountedOut):
    """`rank` is null with too few games and for unranked bots; tied players share a rank."""

    rank = s.IntegerField(source="row.rank", allow_null=True)
    shared = s.BooleanField(source="row.shared")
    bot = s.BooleanField(source="player.bot")
    money = MembersMoney(source="row.money")
    separated_by = s.CharField(source="row.separated_by", allow_null=True)

    def get_fields(self) -> dict[str, s.Field[Any, Any, Any, Any]]:
        """Return the fields of a row with those of its columns."""
        return super().get_fields() | {
            one.key: (ExactField if one.exact else s.IntegerField)(source=one.source)
            for one in columns_on("api")
        }


class LineOut(s.Serializer[Any]):
    """A term of the sum behind a row: `count` × `each` × `weight` = `total`."""

    what = s.CharField()
    event = s.IntegerField(allow_null=True)
    count = ExactField()
    each = ExactField()
    weight = ExactField()
    total = ExactField()
    games = s.IntegerField()
    reason = s.CharField()


class RatingOut(s.Serializer[Any]):
    """A rating; the true strength lies within `rating` ± `margin` with 95 percent.

    `model` is the version of the model. Ratings of less than ten games come last.
    """

    player = s.IntegerField(source="player_id")
    name = s.CharField(source="player.name")
    rating = s.FloatField(source="mu")
    margin = s.FloatField()
    games = s.IntegerField()
    model = s.IntegerField()
    computed_at = s.DateTimeField()


class BotRatingOut(s.Serializer[Any]):
    """A bot's rating in Elo points around the pool's average of 0, between `low` and `high`."""

    pool = s.IntegerField()
    bot = s.CharField(source="name")
    version = s.CharField()
    rating = s.FloatField()
    low = s.FloatField()
    high = s.FloatField()
    games = s.IntegerField()


class PodiumOut(ScorerOut):
    rank = s.IntegerField(source="row.rank")


class PastSeasonOut(s.Serializer[Any]):
    """A closed season; `computed_at` is null until its final standings are computed."""

    season = s.IntegerField(source="season.pk")
    name = s.CharField(source="season.name")
    starts_on = s.DateField(source="season.starts_on")
    ends_on = s.DateField(source="season.ends_on", allow_null=True)
    nights = s.IntegerField()
    players = s.IntegerField(source="people")
    podium = PodiumOut(many=True)
    computed_at = s.DateTimeField(source="at", allow_null=True)


class SpecialsOut(s.Serializer[Any]):
    player = s.IntegerField()
    name = s.CharField()
    chops = s.IntegerField()
    chopped = s.IntegerField()
    left = s.IntegerField()
    cong = s.IntegerField()
    instant_wins = s.IntegerField()


class HonourOut(s.Serializer[Any]):
    key = s.CharField()
    title = s.CharField()
    reason = s.CharField()
    player = s.IntegerField()
    name = s.CharField()
    count = s.IntegerField()


class OpponentOut(CountedOut):
    player = s.IntegerField(source="key")
    name = s.CharField()
    games = s.IntegerField()
    ahead = s.IntegerField()
    behind = s.IntegerField()
    money = MembersMoney()


class PlayerNightOut(s.Serializer[Any]):
    """A player's night: its points, the sum so far, and the rating after it."""

    event = s.IntegerField(source="event.pk")
    name = s.CharField(source="event.name")
    date = s.DateField(source="event.date")
    points = ExactField()
    counted = s.BooleanField()
    total = ExactField()
    rating = s.FloatField(source="rating.mu", default=None, allow_null=True)
    margin = s.FloatField(source="rating.margin", default=None, allow_null=True)


class StatusIn(s.Serializer[Any]):
    status = s.ChoiceField(Season.Status.choices)


class PointsIn(s.DecimalField):
    """Points as a number, or as text with one reading."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, str) and (problem := both_readings(data)):
            raise s.ValidationError(texts.filled(problem))
        return super().to_internal_value(data)


class AdjustmentOut(s.ModelSerializer[Adjustment]):
    """`stage` is `group`, `final` or `table` (a knock-out's tables of `round`).

    Empty counts in the groups.
    """

    round = s.IntegerField(source="stage_round", allow_null=True)
    points = s.DecimalField(max_digits=9, decimal_places=3, normalize_output=True)

    class Meta:
        model = Adjustment
        fields = ["id", "player", "event", "stage", "round", "points", "reason", "at",
                  "revoked_at"]  # fmt: skip


class AdjustmentIn(s.Serializer[Any]):
    """`stage` (with `round` for a knock-out's tables) defaults to the latest that has begun."""

    stage = s.ChoiceField(Adjustment.Stage.choices, required=False, default="", allow_blank=True)
    round = s.IntegerField(
        min_value=1, max_value=1000, required=False, allow_null=True, default=None
    )
    player = s.IntegerField()
    event = s.IntegerField(required=False, allow_null=True, default=None)
    points = PointsIn(max_digits=9, decimal_places=3)
    reason = s.CharField(max_length=200)
