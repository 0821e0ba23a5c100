"""API serializers of schedules and of new bot leagues."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers as s

from engine.sim.designs import MOST_BOTS
from league.arena.acts.bots import MOST_DEALS
from league.arena.api.serializers import RunPlanIn
from league.base.api.serializers import ClockField, setting_field
from league.base.domain.settings import settings_of
from league.models import Schedule
from league.nights.api.serializers import EventIn
from league.schedules.domain.recurrence import EVERY
from league.schedules.domain.repeated import Ahead


class RuleIn(s.Serializer[Any]):
    """A rhythm in the club's time: `start` to `until`, every `interval` days, weeks or months.

    `weekdays` (Monday is 0) are those of a week. `nth` (1 to 4, -1 the last) is the nth weekday of
    `start` in a month.
    """

    start = s.DateField()
    at = ClockField()
    every = s.ChoiceField(EVERY, default="week")
    interval = s.IntegerField(min_value=1, max_value=99, default=1)
    weekdays = s.ListField(
        child=s.IntegerField(min_value=0, max_value=6), max_length=7, default=list
    )
    nth = s.IntegerField(min_value=-1, max_value=4, allow_null=True, default=None)
    until = s.DateField(allow_null=True, default=None)


class NightPlanIn(EventIn):
    """What a night is like: the settings of a new night, and how long ahead it is made."""

    def get_fields(self) -> Any:
        own = super().get_fields()
        for name in ("season", "name", "date", "starts_at"):
            del own[name]
        return own | {
            name: setting_field(row, default=getattr(Ahead(), name))
            for name, row in settings_of(Ahead).items()
        }


class ScheduleIn(s.Serializer[Any]):
    """What repeats: a `tournament` of bots or a `night`, which may lack a `rule`."""

    season = s.IntegerField()
    name = s.CharField(max_length=60)
    rule = RuleIn(required=False)
    tournament = RunPlanIn(required=False)
    night = NightPlanIn(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("tournament" in attrs) == ("night" in attrs):
            raise s.ValidationError({"night": [_("Send either a night or a tournament.")]})
        if "tournament" in attrs and "rule" not in attrs:
            raise s.ValidationError({"rule": [_("Enter a day and a time.")]})
        return attrs


class ScheduleChangeIn(s.Serializer[Any]):
    paused = s.BooleanField()


class ScheduleOut(s.ModelSerializer[Schedule]):
    """What repeats; `next_at` is when it is made next, null while paused and after the last."""

    class Meta:
        model = Schedule
        fields = ["id", "season", "kind", "name", "rule", "venue", "plan", "next_at",
                  "paused", "created_at"]  # fmt: skip


class BotLeagueIn(s.Serializer[Any]):
    """A league: divisions of about `size` bots, of which `moves` go up and down a matchday."""

    season = s.IntegerField()
    name = s.CharField(max_length=60)
    ruleset = s.CharField(max_length=64)
    deals = s.IntegerField(min_value=1, max_value=MOST_DEALS)
    size = s.IntegerField(min_value=3, max_value=MOST_BOTS, default=4)
    moves = s.IntegerField(min_value=1, max_value=4, default=1)
    rule = RuleIn()
