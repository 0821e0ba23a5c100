"""What the API takes and gives of nights."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers as s

from engine.rules.specials import KINDS
from league.base.api.serializers import (
    ClockField,
    CountedOut,
    MembersMoney,
    ReasonIn,
    setting_field,
    settings_schema,
)
from league.base.domain.settings import settings_of
from league.models import Entrant, Event
from league.nights.domain.night_formats import KINDS as KINDS_OF_NIGHT
from league.nights.domain.night_formats import NightFormat
from league.nights.domain.night_plans import NightPlan
from league.nights.pages.bins import BINNED_KINDS
from league.seasons.api.serializers import ScorerOut, StatusIn
from league.seasons.domain.scoring import GIVES_NAMES

FormatSchema = settings_schema(
    "FormatSchema",
    "How a night is run (docs/nights.md); what is left out has its default.",
    NightFormat,
    kind=s.ChoiceField(KINDS_OF_NIGHT, default="rounds"),
)


class FormatField(s.JSONField):
    """A night's format as it comes: the service checks it, with the words of the pages."""


extend_schema_field(FormatSchema)(FormatField)


class EventOut(CountedOut, s.ModelSerializer[Event]):
    """`counting` and `games_per_round` are called as when the event was made.

    `gives` says what the season has of it: the points of its `games`, points for its final `places`
    once it is closed, or `nothing`. `told` places were told by the ceremony; `told_at`: since when
    nothing is kept back any more. `date` and `starts_at` are by the club's clock, `begins` is the
    same moment with its offset, `venue` says where. A night `outside_season`, before its first or
    after its last day, counts in it all the same.
    """

    format = FormatField()
    starts_at = ClockField(allow_null=True)
    begins = s.DateTimeField(allow_null=True, read_only=True)
    stake = MembersMoney()
    counting = s.CharField(source="rules_of_scoring.chosen_counting", read_only=True)
    games_per_round = s.IntegerField(source="rules_of_scoring.games_per_round")
    gives = s.ChoiceField(list(GIVES_NAMES.items()), source="rules_of_scoring.gives")
    outside_season = s.BooleanField(read_only=True)

    def unit_of(self, of: Event) -> str:
        """Return the unit of the night's amounts."""
        return of.season.unit

    class Meta:
        model = Event
        fields = ["id", "season", "kind", "name", "date", "starts_at", "begins", "venue",
                  "status", "rounds_planned", "format", "stake", "currency", "exponent", "counting",
                  "games_per_round", "gives",
                  "scoring", "tie_breaks", "confirmed_by", "round_minutes", "call_ends_at",
                  "told", "told_at", "outside_season", "version"]  # fmt: skip


class EventIn(s.Serializer[Any]):
    season = s.IntegerField()
    name = s.CharField(max_length=80)
    date = s.DateField()
    starts_at = ClockField(required=False, allow_null=True, default=None)
    venue = s.CharField(max_length=80, required=False, allow_blank=True, default="")
    format = FormatField(required=False, default=dict)
    gives = s.ChoiceField(list(GIVES_NAMES.items()), required=False)

    def get_fields(self) -> Any:
        own = super().get_fields()
        later = {"gives", "confirmed_by", "round_minutes"}
        return own | {
            name: setting_field(row, default=getattr(NightPlan(), name))
            for name, row in settings_of(NightPlan).items()
            if name not in later
        }


class EventChangeIn(s.Serializer[Any]):
    """What of a night changes; what is left out stays. `format` is a whole format, or stays.

    `counting` changes until a round is drawn, `games_per_round` until a game is played, then
    `stake` needs `stake_from`: each table's next "game" or the next "round"; or `corrects_stake`,
    the stake whose games were played for the new one. `gives` and `weight` (2 or 3/2) until the
    season is closed. `version` as you saw it: where the event has another by now, nothing changes.
    """

    version = s.IntegerField(min_value=0, max_value=2**31 - 1, required=False)
    name = s.CharField(max_length=80, required=False)
    date = s.DateField(required=False)
    starts_at = ClockField(required=False, allow_null=True)
    venue = s.CharField(max_length=80, required=False, allow_blank=True)
    format = FormatField(required=False)
    stake_from = s.ChoiceField(["game", "round"], required=False)
    corrects_stake = s.IntegerField(min_value=0, max_value=2**31 - 1, required=False)
    gives = s.ChoiceField(list(GIVES_NAMES.items()), required=False)
    weight = s.CharField(max_length=20, required=False)

    def get_fields(self) -> Any:
        own = super().get_fields()
        return own | {
            name: setting_field(row, required=False)
            for name, row in settings_of(NightPlan).items()
            if name != "gives"
        }


class PlacedOut(ScorerOut):
    """A player's place in an event, decided by the games of `stage`.

    `final`; `group` or `table` of who was eliminated there, with the `round` of the table; `others`
    of who was in none of them; empty where all games of the night decide. `points` and `games` are
    those of the stage.
    """

    place = s.IntegerField(source="row.rank", allow_null=True)
    shared = s.BooleanField(source="row.shared")
    bot = s.BooleanField(source="player.bot")
    stage = s.CharField()
    round = s.IntegerField(allow_null=True)
    games = s.IntegerField(source="row.games")


class EventStatusIn(StatusIn):
    """`despite_unfinished` closes although games are missing or disputed."""

    despite_unfinished = s.BooleanField(default=False)


class BinnedOut(s.Serializer[Any]):
    """What lies in the bin until `until`: `kind` and `key` restore it."""

    kind = s.ChoiceField(BINNED_KINDS)
    key = s.IntegerField()
    name = s.CharField()
    until = s.DateTimeField()


class RestoreIn(s.Serializer[Any]):
    kind = s.ChoiceField(BINNED_KINDS)
    key = s.IntegerField(min_value=1, max_value=2**63 - 1)


class EntrantOut(s.ModelSerializer[Entrant]):
    name = s.CharField(source="player.name")

    class Meta:
        model = Entrant
        fields = ["id", "player", "name", "presence", "late", "counts"]


class MateOut(s.Serializer[Any]):
    player = s.IntegerField(source="player.pk")
    name = s.CharField(source="player.name")
    here = s.BooleanField()
    left = s.BooleanField()


class OwnTeamOut(s.Serializer[Any]):
    name = s.CharField()
    mates = MateOut(many=True)


class PresenceIn(s.Serializer[Any]):
    players = s.ListField(child=s.IntegerField(), max_length=2000)
    presence = s.ChoiceField(Entrant.Presence.choices)


class RollCallIn(s.Serializer[Any]):
    """`minutes` until those who are missing are absent; 0 stops the call."""

    minutes = s.IntegerField(min_value=0, max_value=60)


class TableStakeIn(s.Serializer[Any]):
    """What this table plays for from its next game on, unless a player there says no."""

    round = s.IntegerField(min_value=1, max_value=2**31 - 1)
    table = s.IntegerField(min_value=1, max_value=2**31 - 1)
    stake = s.IntegerField(min_value=1, max_value=2**31 - 1)


class TableStakeOut(s.Serializer[Any]):
    """`game` is the first that is played for the stake."""

    round = s.IntegerField(source="sitting.round.number")
    table = s.IntegerField(source="sitting.table_no")
    game = s.IntegerField(source="game_no")
    stake = s.IntegerField()


class CeremonyIn(s.Serializer[Any]):
    """Tell one place more than the `told` that the event has; null: tell everything at once."""

    told = s.IntegerField(min_value=0, max_value=10_000, allow_null=True)


class PlaceOut(s.Serializer[Any]):
    seat = s.IntegerField()
    entrant = s.IntegerField(source="entrant_id")
    name = s.CharField(source="entrant.player.name")
    from_game = s.IntegerField()


class DrawnTableOut(s.Serializer[Any]):
    table = s.IntegerField(source="table_no")
    places = PlaceOut(many=True, source="places.all")


class RoundOut(s.Serializer[Any]):
    """A draw. `byes` are the entrants who rest; `seed` with the settings gives the draw again.

    `version` rises when it is drawn again, swapped or released.
    """

    number = s.IntegerField()
    version = s.IntegerField()
    status = s.CharField()
    seed = s.IntegerField()
    released_at = s.DateTimeField(allow_null=True)
    tables = DrawnTableOut(many=True, source="sittings.all")
    byes = s.SerializerMethodField()

    def get_byes(self, round_: Any) -> list[int]:
        return [bye.entrant_id for bye in round_.byes.all()]


_VERSION: dict[str, Any] = {
    "min_value": 0, "max_value": 2**31 - 1, "required": False, "allow_null": True, "default": None,
}  # fmt: skip


class SeenDrawIn(s.Serializer[Any]):
    """`version` of the draw as you saw it: where it has another by now, nothing changes."""

    version = s.IntegerField(**_VERSION)


class DiscardIn(ReasonIn, SeenDrawIn):
    """A released round needs a `reason`; `version` as you saw it."""


class DrawIn(s.Serializer[Any]):
    """`anyway` draws although games of earlier rounds are missing.

    `number` is the round that you want drawn, and `version` that of its draft as you saw it, 0 for
    none: where another is there by now, nothing changes.
    """

    number = s.IntegerField(
        min_value=1, max_value=1000, required=False, allow_null=True, default=None
    )
    version = s.IntegerField(**_VERSION)
    method = s.ChoiceField(["few_repeats", "swiss"], default="few_repeats")
    seed = s.IntegerField(
        min_value=0, max_value=2**31 - 1, required=False, allow_null=True, default=None
    )
    anyway = s.BooleanField(default=False)


class SpecialIn(s.Serializer[Any]):
    """Something at the table besides the places; `by` and `of` are entrants.

    `chop`: `by` beat `what` of `of`, with `chained` on top of the chop before it in the list.
    `left`: `of` holds `what` at the end. `cards`: `of` holds that many cards at the end, `what` a
    number. `cong`: `of` had played no card. `finish`: the last play of `by`, the winner, was
    `what`: `3S` or `bomb`. `instant_win`: `by` won as dealt. `what` else is `B`, `R`,
    `BB`, `BR`, `RR`, `BBR`, `BRR` (2s by colour), `PR3`, `Q`, `PR4`, or `2`, `22`, `222`, `bomb`
    where colours do not count.
    """

    kind = s.ChoiceField(list(KINDS))
    by = s.IntegerField(required=False, allow_null=True, default=None)
    of = s.IntegerField(required=False, allow_null=True, default=None)
    what = s.CharField(max_length=8, required=False, default="", allow_blank=True)
    chained = s.BooleanField(default=False)


class SpecialOut(s.Serializer[Any]):
    kind = s.CharField()
    by = s.IntegerField(required=False)
    of = s.IntegerField(required=False)
    what = s.CharField(required=False)
    chained = s.BooleanField(required=False)


class PlacingOut(s.Serializer[Any]):
    rank = s.IntegerField()
    tied = s.IntegerField()
    entrant = s.IntegerField(source="entrant_id")
    name = s.CharField(source="entrant.player.name")


class ResultOut(CountedOut):
    """A game; `held` ones are kept back until the ceremony and are for organisers alone."""

    id = s.IntegerField()
    round = s.IntegerField(source="sitting.round.number")
    table = s.IntegerField(source="sitting.table_no")
    game = s.IntegerField(source="game_no")
    version = s.IntegerField()
    void = s.BooleanField()
    held = s.BooleanField()
    source = s.CharField()  # type: ignore[assignment]
    specials = SpecialOut(many=True)
    placings = PlacingOut(many=True, source="placings.all")
    at = s.DateTimeField()
    stake = MembersMoney(source="played_for")


class ResultIn(s.Serializer[Any]):
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


class ActionOut(s.Serializer[Any]):
    """A step: `address` is that of the API, to read or, where it `posts`, to send `body` to.

    `address` is null where only the `page` does it, with a link, or where it `posts` with a form
    that sends `value` as `name`.
    """

    text = s.CharField()
    address = s.CharField(allow_null=True)
    body = s.DictField()
    page = s.CharField()
    posts = s.BooleanField()
    name = s.CharField()
    value = s.CharField()


class StepOut(s.Serializer[Any]):
    sentences = s.ListField(child=s.CharField())
    actions = ActionOut(many=True)


class NeedOut(s.Serializer[Any]):
    """A table that needs someone: why, which, its results in the API, its page, its note."""

    why = s.CharField(source="badge.text")
    text = s.CharField()
    address = s.CharField()
    page = s.CharField()
    note = s.CharField()


class NowOut(s.Serializer[Any]):
    """What the night's page says and offers; `step` is an organiser's, while the night is open.

    `lacking` are tables of earlier rounds that lack games, and those behind in the latest.
    """

    version = s.IntegerField()
    step = StepOut(allow_null=True)
    needs = NeedOut(many=True)
    lacking = NeedOut(many=True)
    to_confirm = NeedOut(many=True)
