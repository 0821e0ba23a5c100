"""API input and output of sign-up lists."""

import datetime
from typing import Any

from django.core.validators import MinValueValidator
from rest_framework import serializers as s

from league.models import SignUp, SignUpAnswer
from league.models.sign_up import MOST_GUESTS

# Some historic UTC offsets have seconds, which an ISO 8601 timestamp cannot express.
EARLIEST = MinValueValidator(datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC))


class SignUpAnswerOut(s.ModelSerializer[SignUpAnswer]):
    """A player's answer; `is_in` is false on the waiting list."""

    name = s.CharField(source="player.name")

    class Meta:
        model = SignUpAnswer
        fields = ["player", "name", "reply", "guests", "is_in", "turn", "at"]


class SignUpOut(s.ModelSerializer[SignUp]):
    """A sign-up list; `coming` counts guests."""

    event = s.IntegerField(source="event_id")
    coming = s.IntegerField()
    answers = SignUpAnswerOut(many=True)

    class Meta:
        model = SignUp
        fields = ["event", "places", "closes_at", "coming", "answers"]


class SignUpIn(s.Serializer[Any]):
    """The list's new limits; an omitted field means no limit."""

    places = s.IntegerField(min_value=2, max_value=2000, allow_null=True, default=None)
    closes_at = s.DateTimeField(allow_null=True, default=None, validators=[EARLIEST])


class SignUpAnswerIn(s.Serializer[Any]):
    player = s.IntegerField()
    reply = s.ChoiceField(SignUpAnswer.Reply.choices)
    guests = s.IntegerField(min_value=0, max_value=MOST_GUESTS, default=0)
