"""The JSON of the API. Exact numbers are text: `3/2` has no exact form as a float."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers as s

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


class EventOut(s.ModelSerializer):
    class Meta:
        model = Event
        fields = ["id", "season", "kind", "name", "date", "status", "rounds_planned", "stake",
                  "scoring", "tie_breaks", "version"]  # fmt: skip


class EventIn(s.Serializer):
    season = s.IntegerField()
    name = s.CharField(max_length=80)
    date = s.DateField()
    rounds_planned = s.IntegerField(min_value=1, max_value=60, default=3)
    counting = s.ChoiceField(["fixed", "average", "table_ranking"], default="fixed")
    games_per_round = s.IntegerField(min_value=1, max_value=50, default=4)
    stake = s.IntegerField(min_value=0, max_value=1_000_000_000, default=0)


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


class TableOut(s.Serializer):
    table = s.IntegerField(source="table_no")
    places = PlaceOut(many=True, source="places.all")


class RoundOut(s.Serializer):
    number = s.IntegerField()
    released_at = s.DateTimeField(allow_null=True)
    tables = TableOut(many=True, source="sittings.all")


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
    specials = s.JSONField()
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
    client_id = s.UUIDField()
    version = s.IntegerField(min_value=1, required=False, allow_null=True, default=None)
    void = s.BooleanField(default=False)
    reason = s.CharField(max_length=200, required=False, default="", allow_blank=True)
