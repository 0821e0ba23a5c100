"""The JSON that programs send and get, for validation and the schema."""

import json
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers as s

from engine.bots import BOTS


class ChairOut(s.Serializer[Any]):
    """A seat. `kind` is person, program (plays over the API), bot (a house bot) or empty."""

    seat = s.IntegerField()
    name = s.CharField()
    kind = s.ChoiceField(["person", "program", "bot", "empty"])
    autopilot = s.BooleanField()
    cards = s.IntegerField(allow_null=True)
    passed = s.BooleanField()
    place = s.IntegerField(allow_null=True)
    deals = s.BooleanField()
    acts = s.BooleanField()


class RulesOut(s.Serializer[Any]):
    name = s.CharField()
    digest = s.CharField()


class ClockOut(s.Serializer[Any]):
    move_seconds = s.IntegerField()
    bank_seconds = s.IntegerField()


@extend_schema_serializer(component_name="LiveTable")
class TableOut(s.Serializer[Any]):
    """A table as the caller's seat may see it. docs/api.md explains `now`."""

    key = s.CharField()
    version = s.IntegerField()
    status = s.ChoiceField(["waiting", "playing", "between", "closed"])
    rules = RulesOut()
    stake = s.IntegerField()
    unit = s.CharField()
    currency = s.CharField()
    exponent = s.IntegerField()
    games = s.IntegerField(allow_null=True)
    clock = ClockOut()
    game = s.IntegerField(allow_null=True)
    milliseconds = s.IntegerField(allow_null=True)
    chairs = ChairOut(many=True)
    seat = s.IntegerField(allow_null=True)
    notice = s.CharField(allow_null=True)
    actions = s.ListField(child=s.CharField())
    now = s.DictField(allow_null=True)
    last = s.DictField(allow_null=True)


class OwnTableOut(s.Serializer[Any]):
    key = s.CharField()
    seat = s.IntegerField()
    status = s.CharField()
    version = s.IntegerField()
    rules = s.CharField()
    players = s.IntegerField()


class ChallengeOut(s.Serializer[Any]):
    id = s.IntegerField()
    key = s.CharField()
    by = s.CharField()
    rules = s.CharField()
    players = s.IntegerField()


class OwnOut(s.Serializer[Any]):
    tables = OwnTableOut(many=True)
    challenges = ChallengeOut(many=True)


class RefusedOut(s.Serializer[Any]):
    """A refusal. `code` never changes; `detail` is in the caller's language."""

    code = s.CharField()
    detail = s.CharField()
    table = TableOut(required=False)


class OpenIn(s.Serializer[Any]):
    """A table to open. `rules` is the key of a preset; `digest` names any rules of this server."""

    rules = s.CharField(max_length=40, required=False, default="tien-len")
    digest = s.RegexField(r"^[0-9a-f]{64}\Z", required=False)
    players = s.IntegerField(min_value=2, max_value=8)
    move_seconds = s.IntegerField(min_value=5, max_value=3600, default=40)
    name = s.CharField(max_length=40, required=False, default="")
    bots = s.ChoiceField(sorted(BOTS), required=False, allow_blank=True, default="")


class MoveIn(s.Serializer[Any]):
    """A move. `action` is a text of `legal`. Choose any `client_id`; a repeated one acts once."""

    action = s.CharField(max_length=400)
    version = s.IntegerField(min_value=0, max_value=999_999_999)
    client_id = s.CharField(max_length=40)


class AnswerIn(s.Serializer[Any]):
    declare = s.BooleanField()


class SitIn(s.Serializer[Any]):
    seat = s.IntegerField(min_value=0, max_value=7)
    name = s.CharField(max_length=40, required=False, default="")


class DealIn(s.Serializer[Any]):
    """`version` is the table version you saw, so that a repeated request changes nothing."""

    version = s.IntegerField(min_value=0, max_value=999_999_999, required=False, default=None)


class MixIn(s.Serializer[Any]):
    """`link` is the end of your hash chain. The SHA-256 of `part` is your listed link."""

    link = s.RegexField(r"^[0-9a-f]{64}\Z", required=False)
    game = s.IntegerField(min_value=1, max_value=10**6, required=False, default=None)
    part = s.RegexField(r"^[0-9a-f]{64}\Z", required=False)


class MixOut(s.Serializer[Any]):
    """The next deal: `links` by seat once they are listed, and your own link and part.

    At a table whose deals other tables have too, `links` are those of all tables, your part is for
    all deals of the round, and `following` has the fingerprints of the later ones by number.
    """

    game = s.IntegerField(allow_null=True)
    fingerprint = s.CharField(allow_blank=True)
    links = s.ListField(child=s.CharField(allow_blank=True), allow_null=True)
    link = s.CharField(allow_blank=True)
    part = s.CharField(allow_blank=True)
    following = s.DictField(child=s.CharField())


class TradeIn(s.Serializer[Any]):
    """A step while players trade cards; see docs/api.md."""

    do = s.ChoiceField(["offer", "answer", "agree", "end", "ready", "not_ready"])
    to = s.IntegerField(min_value=0, max_value=7, required=False)
    cards = s.CharField(max_length=400, required=False, default="", allow_blank=True)
    want = s.IntegerField(min_value=0, max_value=13, required=False)
    offer = s.IntegerField(min_value=0, max_value=999, required=False)
    client_id = s.CharField(max_length=40, required=False, default="")


class BotIn(s.Serializer[Any]):
    name = s.CharField(max_length=30)
    takes_challenges = s.BooleanField(default=True)


class BotOut(s.Serializer[Any]):
    name = s.CharField()
    takes_challenges = s.BooleanField()


class ChallengeIn(s.Serializer[Any]):
    bot = s.CharField(max_length=30)


class AcceptIn(s.Serializer[Any]):
    accept = s.BooleanField()


class HintsOut(s.Serializer[Any]):
    plays = s.ListField(child=s.ListField(child=s.CharField()))


class DecisionOut(s.Serializer[Any]):
    """A decision after `step` actions, in opponents beaten; docs/review.md says what is what."""

    step = s.IntegerField()
    seat = s.IntegerField()
    legal = s.IntegerField()
    played = s.DictField()
    best = s.DictField()
    top = s.ListField(child=s.ListField())
    q = s.FloatField()
    q_played = s.FloatField()
    loss = s.FloatField()
    at_stake = s.FloatField(required=False)
    chop = s.BooleanField(required=False)
    money = s.FloatField(allow_null=True)
    word = s.ChoiceField(["best", "close", "mistake", "blunder"])
    s = s.FloatField()  # The last one: it takes the module's name.


MOST_RECORD = 256 * 1024


class RecordIn(s.Serializer[Any]):
    """A finished game as a record (docs/records.md), and the seat whose decisions are judged."""

    record = s.DictField()
    seat = s.IntegerField(min_value=0)

    def validate_record(self, value: dict[str, Any]) -> dict[str, Any]:
        if len(json.dumps(value)) > MOST_RECORD:
            raise s.ValidationError(_("This file is too large for one game: at most 256 kB."))
        return value


class ReviewOut(s.Serializer[Any]):
    """A finished game's review: your own decisions, and at a table for anyone all.

    `why` says why a game is not judged. `values` are the seats' chances by step.
    """

    state = s.ChoiceField(["waiting", "made", "not judged"])
    why = s.CharField(allow_blank=True)
    judge = s.CharField(allow_blank=True)
    seats = s.ListField(child=s.IntegerField())
    values = s.ListField(child=s.ListField(child=s.FloatField()))
    decisions = DecisionOut(many=True)
    terms = s.ListField(child=s.ListField(child=s.FloatField(), allow_null=True))
    model_error = s.FloatField(allow_null=True)
