"""The JSON of the API. Exact numbers are text: `3/2` has no exact form as a float."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers as s

from league.domain import night_formats
from league.models import Adjustment, Club, Entrant, Event, Player, Season


class ExactField(s.Field):
    """A fraction as text such as `5` or `3/2`."""

    def to_representation(self, value: Any) -> str:
        return str(value)


extend_schema_field({"type": "string", "example": "3/2"})(ExactField)


class ClubOut(s.ModelSerializer):
    class Meta:
        model = Club
        fields = ["slug", "name", "unit", "time_zone", "is_public"]


class PlayerOut(s.ModelSerializer):
    class Meta:
        model = Player
        fields = ["id", "name", "bot", "merged_into"]


class PlayerIn(s.Serializer):
    name = s.CharField(max_length=400)


class SeasonOut(s.ModelSerializer):
    class Meta:
        model = Season
        fields = ["id", "name", "status", "starts_on", "ends_on", "scoring", "tie_breaks"]


class FormatSchema(s.Serializer):
    """How a night is run (docs/nights.md); what is left out has its default.

    `groups`, `group_rounds`, `final` belong to `groups`, `fill_up` to `knockout`, `others_play` to
    both; `tables` to `loser_leaves` and `open`, `cap` and `look` to `loser_leaves`; `bot` fills
    chairs where rounds are drawn.
    """

    kind = s.ChoiceField(night_formats.KINDS, default="rounds")
    groups = s.IntegerField(min_value=1, max_value=64, default=2)
    group_rounds = s.IntegerField(min_value=1, max_value=59, default=3)
    final = s.IntegerField(min_value=2, max_value=400, default=4)
    others_play = s.BooleanField(default=True)
    fill_up = s.BooleanField(default=False)
    tables = s.IntegerField(min_value=1, max_value=200, default=1)
    cap = s.IntegerField(min_value=1, max_value=50, allow_null=True, default=None)
    look = s.IntegerField(min_value=1, max_value=10, default=1)
    bot = s.CharField(max_length=40, allow_blank=True, default="")


class FormatField(s.JSONField):
    """A night's format as it comes: the service checks it, with the words of the pages."""


extend_schema_field(FormatSchema)(FormatField)


class EventOut(s.ModelSerializer):
    format = FormatField()

    class Meta:
        model = Event
        fields = ["id", "season", "kind", "name", "date", "status", "rounds_planned", "format",
                  "stake", "scoring", "tie_breaks", "confirmed_by", "round_minutes",
                  "version"]  # fmt: skip


class EventIn(s.Serializer):
    season = s.IntegerField()
    name = s.CharField(max_length=80)
    date = s.DateField()
    rounds_planned = s.IntegerField(min_value=1, max_value=60, default=3)
    counting = s.ChoiceField(["fixed", "average", "table_ranking"], default="fixed")
    games_per_round = s.IntegerField(min_value=1, max_value=50, default=4)
    stake = s.IntegerField(min_value=0, max_value=1_000_000_000, default=0)
    format = FormatField(required=False, default=dict)


class EventChangeIn(s.Serializer):
    """What of a night changes; what is left out stays. `format` is a whole format, or stays."""

    name = s.CharField(max_length=80, required=False)
    date = s.DateField(required=False)
    rounds_planned = s.IntegerField(min_value=1, max_value=60, required=False)
    confirmed_by = s.ChoiceField(Event.Confirmed.choices, required=False)
    round_minutes = s.IntegerField(min_value=1, max_value=600, required=False, allow_null=True)
    format = FormatField(required=False)


class StandingOut(s.Serializer):
    """`rank` is null for who has too few games; `shared` says that others have the same."""

    rank = s.IntegerField(source="row.rank", allow_null=True)
    shared = s.BooleanField(source="row.shared")
    player = s.IntegerField(source="player.pk")
    name = s.CharField(source="player.name")
    points = ExactField(source="row.points")
    games = s.IntegerField(source="row.games")
    firsts = s.SerializerMethodField()
    lasts = s.IntegerField(source="row.lasts")
    average_place = ExactField(source="row.average_place")
    money = s.IntegerField(source="row.money")
    separated_by = s.CharField(source="row.separated_by", allow_null=True)

    def get_firsts(self, standing: Any) -> int:
        return int(standing.row.counts.get(1, 0))


class LineOut(s.Serializer):
    """A line of the sum behind a row: `count` times `each` times `weight` makes `total`."""

    what = s.CharField()
    event = s.IntegerField(allow_null=True)
    count = ExactField()
    each = ExactField()
    weight = ExactField()
    total = ExactField()
    games = s.IntegerField()
    reason = s.CharField()


class RatingOut(s.Serializer):
    """The true strength lies within `rating` ± `margin` with 95 percent."""

    player = s.IntegerField(source="player_id")
    name = s.CharField(source="player.name")
    rating = s.FloatField(source="mu")
    margin = s.FloatField()
    games = s.IntegerField()
    computed_at = s.DateTimeField()


class BotRatingOut(s.Serializer):
    """In Elo points around the pool's average of 0; the truth lies between `low` and `high`."""

    pool = s.IntegerField()
    bot = s.CharField(source="name")
    version = s.CharField()
    rating = s.FloatField()
    low = s.FloatField()
    high = s.FloatField()
    games = s.IntegerField()


class PodiumOut(s.Serializer):
    rank = s.IntegerField(source="row.rank")
    player = s.IntegerField(source="player.pk")
    name = s.CharField(source="player.name")
    points = ExactField(source="row.points")


class PastSeasonOut(s.Serializer):
    """`computed_at` is null while the final table is still being counted."""

    season = s.IntegerField(source="season.pk")
    name = s.CharField(source="season.name")
    starts_on = s.DateField(source="season.starts_on")
    ends_on = s.DateField(source="season.ends_on", allow_null=True)
    nights = s.IntegerField()
    players = s.IntegerField(source="people")
    podium = PodiumOut(many=True)
    computed_at = s.DateTimeField(source="at", allow_null=True)


class SpecialsOut(s.Serializer):
    player = s.IntegerField()
    name = s.CharField()
    chops = s.IntegerField()
    chopped = s.IntegerField()
    left = s.IntegerField()
    cong = s.IntegerField()
    instant_wins = s.IntegerField()


class HonourOut(s.Serializer):
    key = s.CharField()
    title = s.CharField()
    reason = s.CharField()
    player = s.IntegerField()
    name = s.CharField()
    count = s.IntegerField()


class OpponentOut(s.Serializer):
    player = s.IntegerField(source="key")
    name = s.CharField()
    games = s.IntegerField()
    ahead = s.IntegerField()
    behind = s.IntegerField()
    money = s.IntegerField()


class PlayerNightOut(s.Serializer):
    """A night of a player: its points, the sum so far, the rating after it."""

    event = s.IntegerField(source="event.pk")
    name = s.CharField(source="event.name")
    date = s.DateField(source="event.date")
    points = ExactField()
    counted = s.BooleanField()
    total = ExactField()
    rating = s.FloatField(source="rating.mu", default=None, allow_null=True)
    margin = s.FloatField(source="rating.margin", default=None, allow_null=True)


class StatusIn(s.Serializer):
    status = s.ChoiceField(Season.Status.choices)


class EventStatusIn(StatusIn):
    """`despite_unfinished` closes although games are missing or disputed."""

    despite_unfinished = s.BooleanField(default=False)


class BalanceOut(s.Serializer):
    """`player` is null for the club's own account."""

    player = s.IntegerField(source="account.player_id", allow_null=True)
    name = s.CharField(source="account")
    games = s.IntegerField()
    other = s.IntegerField()
    amount = s.IntegerField()


class TransferOut(s.Serializer):
    id = s.IntegerField()
    event = s.IntegerField(source="event_id", allow_null=True)
    payer = s.IntegerField(source="payer.player_id", allow_null=True)
    payee = s.IntegerField(source="payee.player_id", allow_null=True)
    amount = s.IntegerField()
    reason = s.CharField()
    words = s.CharField()
    reverses = s.IntegerField(source="reverses_id", allow_null=True)
    at = s.DateTimeField()


class PaymentOut(s.Serializer):
    """A payment that would settle: null stands for the club."""

    payer = s.IntegerField(source="payer.player_id", allow_null=True)
    payee = s.IntegerField(source="payee.player_id", allow_null=True)
    payer_name = s.CharField(source="payer")
    payee_name = s.CharField(source="payee")
    amount = s.IntegerField()


class MoveOut(s.Serializer):
    payer = s.IntegerField(source="payer.player_id", allow_null=True)
    payee = s.IntegerField(source="payee.player_id", allow_null=True)
    amount = s.IntegerField()


class PostingOut(s.Serializer):
    """`taken_back_at` says when it was reversed, null where it stands."""

    id = s.IntegerField()
    kind = s.CharField()
    event = s.IntegerField(source="event_id", allow_null=True)
    note = s.CharField()
    at = s.DateTimeField()
    taken_back_at = s.DateTimeField(source="undone", default=None, allow_null=True)
    transfers = MoveOut(many=True, source="transfers.all")


class PostingIn(s.Serializer):
    """What is posted beside the games; every kind needs its own people.

    `settlement`: `payer` gave `payee` the amount. `cost`: `bearers` share it, `paid_by` laid it out
    (null: the club). `fee`: each of `bearers` owes the club the amount. `prize`: the club owes
    `player` the amount. `client_id` is yours: sending the same one again posts nothing twice.
    """

    kind = s.ChoiceField(["settlement", "cost", "fee", "prize"])
    amount = s.IntegerField(min_value=1, max_value=10**12)
    client_id = s.UUIDField()
    event = s.IntegerField(required=False, allow_null=True, default=None)
    note = s.CharField(max_length=200, required=False, default="", allow_blank=True)
    payer = s.IntegerField(required=False)
    payee = s.IntegerField(required=False)
    player = s.IntegerField(required=False)
    bearers = s.ListField(child=s.IntegerField(), max_length=2000, required=False)
    paid_by = s.IntegerField(required=False, allow_null=True, default=None)


class ClientIdIn(s.Serializer):
    client_id = s.UUIDField()


class AdjustmentOut(s.ModelSerializer):
    class Meta:
        model = Adjustment
        fields = ["id", "player", "event", "points", "reason", "at", "revoked_at"]


class AdjustmentIn(s.Serializer):
    player = s.IntegerField()
    event = s.IntegerField(required=False, allow_null=True, default=None)
    points = s.DecimalField(max_digits=9, decimal_places=3)
    reason = s.CharField(max_length=200)


class EntrantOut(s.ModelSerializer):
    name = s.CharField(source="player.name")

    class Meta:
        model = Entrant
        fields = ["id", "player", "name", "presence", "counts"]


class PresenceIn(s.Serializer):
    players = s.ListField(child=s.IntegerField(), max_length=2000)
    presence = s.ChoiceField(Entrant.Presence.choices)


class PlaceOut(s.Serializer):
    seat = s.IntegerField()
    entrant = s.IntegerField(source="entrant_id")
    name = s.CharField(source="entrant.player.name")
    from_game = s.IntegerField()


class DrawnTableOut(s.Serializer):
    table = s.IntegerField(source="table_no")
    places = PlaceOut(many=True, source="places.all")


class RoundOut(s.Serializer):
    """A draw. `byes` are the entrants who rest; `seed` with the settings gives the draw again."""

    number = s.IntegerField()
    status = s.CharField()
    seed = s.IntegerField()
    released_at = s.DateTimeField(allow_null=True)
    tables = DrawnTableOut(many=True, source="sittings.all")
    byes = s.SerializerMethodField()

    def get_byes(self, round_: Any) -> list[int]:
        return [bye.entrant_id for bye in round_.byes.all()]


class DrawIn(s.Serializer):
    """`anyway` draws although games that decide who goes on are missing."""

    method = s.ChoiceField(["few_repeats", "swiss"], default="few_repeats")
    seed = s.IntegerField(
        min_value=0, max_value=2**31 - 1, required=False, allow_null=True, default=None
    )
    anyway = s.BooleanField(default=False)


class ReasonIn(s.Serializer):
    reason = s.CharField(max_length=200, required=False, default="", allow_blank=True)


class SpecialIn(s.Serializer):
    """Something at the table besides the places; `by` and `of` are entrants.

    `chop`: `by` beat `what` of `of`, with `chained` on top of the chop before it in the list.
    `left`: `of` holds `what` at the end. `cong`: `of` had played no card. `instant_win`: `by` won
    as dealt. `what` is `B`, `R`, `BB`, `BR`, `RR`, `BBR`, `BRR` (2s by colour), `PR3`, `Q`, `PR4`,
    or `2`, `22`, `222`, `bomb` where colours do not count.
    """

    kind = s.ChoiceField(["chop", "left", "cong", "instant_win"])
    by = s.IntegerField(required=False, allow_null=True, default=None)
    of = s.IntegerField(required=False, allow_null=True, default=None)
    what = s.CharField(max_length=8, required=False, default="", allow_blank=True)
    chained = s.BooleanField(default=False)


class SpecialOut(s.Serializer):
    kind = s.CharField()
    by = s.IntegerField(required=False)
    of = s.IntegerField(required=False)
    what = s.CharField(required=False)
    chained = s.BooleanField(required=False)


class PlacingOut(s.Serializer):
    rank = s.IntegerField()
    tied = s.IntegerField()
    entrant = s.IntegerField(source="entrant_id")
    name = s.CharField(source="entrant.player.name")


class ResultOut(s.Serializer):
    id = s.IntegerField()
    round = s.IntegerField(source="sitting.round.number")
    table = s.IntegerField(source="sitting.table_no")
    game = s.IntegerField(source="game_no")
    version = s.IntegerField()
    void = s.BooleanField()
    source = s.CharField()
    specials = SpecialOut(many=True)
    placings = PlacingOut(many=True, source="placings.all")
    at = s.DateTimeField()


class ResultIn(s.Serializer):
    """Places from first to last, each a list of entrants: several share the place.

    `client_id` is yours: sending the same one again saves nothing twice. With `version` (that of
    the game as you saw it) the game is corrected, and with `void` taken out; without, it is new.
    """

    round = s.IntegerField(min_value=1)
    table = s.IntegerField(min_value=1)
    game = s.IntegerField(min_value=1)
    groups = s.ListField(
        child=s.ListField(child=s.IntegerField(), max_length=8, allow_empty=False), max_length=8
    )
    specials = s.ListField(child=SpecialIn(), max_length=20, required=False, default=list)
    client_id = s.UUIDField()
    version = s.IntegerField(min_value=1, required=False, allow_null=True, default=None)
    void = s.BooleanField(default=False)
    reason = s.CharField(max_length=200, required=False, default="", allow_blank=True)
