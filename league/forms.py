"""What people type into the pages of a club."""

from __future__ import annotations

import zoneinfo
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from engine import ruleset as engine_ruleset
from engine.bots import BOTS
from engine.designs import MOST_BOTS
from engine.ruleset import Ruleset
from league.domain.recurrence import Recurrence
from league.domain.scoring import READY, FieldError
from league.format_forms import FormatForm
from league.models import Club, Event, Membership, Season
from league.selectors import club_rules

RULESET_NAMES = {
    "mien-nam": _("Miền Nam (the Southern money game)"),
    "tien-len": _("Tiến Lên (VC, main rules)"),
    "thirteen": _("Thirteen, 2 to 8 players"),
    "family": _("Family rules with Go Fish"),
    "killa": _("Killa of Honolulu"),
    "hawaii-killer": _("Killer, Hawaiian"),
    "penguin": _("Tieng Len, the printed book's"),
    "viet-cong": _("Viet Cong (VC), American"),
}

POINTS_NAMES = {
    "3-2-1-0": _("3 – 2 – 1 – 0"),
    "4-3-2-1": _("4 – 3 – 2 – 1"),
    "10-5-minus": _("10 / 5 / −5 / −10"),
    "2-1-minus": _("2 / 1 / −1 / −2"),
    "winner_takes_all": _("Winner takes all: 1 – 0 – 0 – 0"),
    "stake_result": _("The result in stakes"),
    "percentage": _("Percent of opponents beaten"),
}


class DayInput(forms.DateInput):
    """The browser's own calendar, which reads and writes ISO dates in every language."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


def ruleset_choices() -> list[tuple[str, Any]]:
    """The presets by key, the one that most clubs play first."""
    known = engine_ruleset.preset_keys()
    return [(key, name) for key, name in RULESET_NAMES.items() if key in known]


def offer_rules(form: forms.Form | forms.BaseModelForm[Any], club: Club) -> None:
    """Lets the form choose among the presets and the club's own rules.

    What the form starts with is offered too, even where it is an older version.
    """
    choices = [*ruleset_choices(), *club_rules.own_choices(club)]
    first = form.get_initial_for_field(form.fields["ruleset"], "ruleset")
    if first and first not in dict(choices):
        found = club_rules.chosen(club, first)
        choices.insert(0, (first, f"{found.name} ({found.version})"))
    form.fields["ruleset"] = forms.ChoiceField(label=_("Rules"), choices=choices)


class ClubForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Club
        fields = ["name", "time_zone", "unit", "is_public"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zones = sorted(zone for zone in zoneinfo.available_timezones() if "/" in zone)
        self.fields["time_zone"] = forms.ChoiceField(
            label=_("time zone"), choices=[(zone, zone) for zone in zones]
        )
        self.initial.setdefault("time_zone", "Asia/Ho_Chi_Minh")


class MemberForm(forms.Form):
    email = forms.EmailField(label=_("email"))
    role = forms.ChoiceField(label=_("role"), choices=Membership.Role.choices)


class InvitationForm(forms.Form):
    role = forms.ChoiceField(
        label=_("Role"),
        choices=[(role.value, role.label) for role in Membership.Role if role != "owner"],
    )
    days = forms.IntegerField(label=_("Days it lasts"), min_value=1, max_value=90, initial=7)
    once = forms.BooleanField(label=_("For one person only"), required=False)


class PlayerForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=400)


class WishesForm(forms.Form):
    group = forms.CharField(
        label=_("Kept apart from"),
        max_length=40,
        required=False,
        help_text=_("A family, a club, a couple: draws seat people with the same word apart."),
    )
    fixed_table = forms.IntegerField(
        label=_("Always at table"),
        min_value=1,
        max_value=999,
        required=False,
        help_text=_("A place for a wheelchair, for instance."),
    )


class PlayerListForm(forms.Form):
    text = forms.CharField(
        label=_("Names, one in each line"),
        max_length=60_000,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_("Paste from a chat or a spreadsheet; numbers in front are left out."),
    )


class TonightForm(forms.Form):
    """Names and little else: what a night needs that begins now, in a club of its own."""

    text = forms.CharField(
        label=_("Who plays?"),
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("One name in each line, or with commas between. Nobody needs an account."),
    )
    ruleset = forms.ChoiceField(label=_("Rules"), choices=ruleset_choices)
    stake = forms.IntegerField(
        label=_("Stake of a game"),
        min_value=0,
        max_value=1_000_000_000,
        initial=0,
        required=False,
        help_text=_("0: play for points only."),
    )
    name = forms.CharField(label=_("Name of the club"), max_length=80, initial=_("Our table"))

    def clean(self) -> dict[str, Any]:
        """The stake is 0 under rules that know no payments."""
        data = super().clean() or self.cleaned_data
        if "ruleset" in data:
            rules = engine_ruleset.preset(data["ruleset"])
            data["ruleset"] = rules
            data["stake"] = (data.get("stake") or 0) if rules.betting in club_rules.PAYING else 0
        return data


class SeasonForm(forms.ModelForm):  # type: ignore[type-arg]
    ruleset = forms.ChoiceField(label=_("Rules"), choices=ruleset_choices)
    points = forms.ChoiceField(
        label=_("Points by place"), choices=lambda: _choices(POINTS_NAMES, READY)
    )

    class Meta:
        model = Season
        fields = ["name", "starts_on", "ends_on"]
        widgets = {
            "starts_on": DayInput(),
            "ends_on": DayInput(),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        today = timezone.localdate()
        self.initial["starts_on"] = self.initial.get("starts_on") or today
        self.initial["name"] = self.initial.get("name") or _("Season %(year)s") % {
            "year": today.year
        }
        if own := club_rules.own_choices(self.instance.club):
            self.initial.setdefault("ruleset", own[0][0])
        offer_rules(self, self.instance.club)
        self.order_fields(["name", "ruleset", "points", "starts_on", "ends_on"])

    def clean_ruleset(self) -> Ruleset:
        return club_rules.chosen(self.instance.club, self.cleaned_data["ruleset"])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        starts, ends = data.get("starts_on"), data.get("ends_on")
        if starts and ends and ends < starts:
            self.add_error("ends_on", _("The last day comes before the first. Swap them."))
        return data


def _choices(names: dict[str, Any], known: Any) -> list[tuple[str, Any]]:
    return [(key, name) for key, name in names.items() if key in known]


class EventForm(FormatForm):
    name = forms.CharField(label=_("Name"), max_length=80)
    date = forms.DateField(label=_("Date"), widget=DayInput())
    rounds_planned = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=60, initial=3)
    counting = forms.ChoiceField(
        label=_("Games in a round"),
        choices=[
            ("fixed", _("A fixed number, each game counts")),
            ("average", _("As many as time allows, the average game counts")),
            ("table_ranking", _("As many as time allows, the table's own ranking counts")),
        ],
        help_text=_("Where people change tables all night, the average is that of their night."),
    )
    games_per_round = forms.IntegerField(
        label=_("How many games"), min_value=1, max_value=50, initial=4
    )
    stake = forms.IntegerField(
        label=_("Stake of a game"),
        min_value=0,
        max_value=1_000_000_000,
        initial=0,
        required=False,
        help_text=_("0: play for points only."),
    )

    confirmed_by = forms.ChoiceField(
        label=_("Who confirms a game"), choices=Event.Confirmed.choices, initial="none"
    )
    round_minutes = forms.IntegerField(
        label=_("Minutes of a round"),
        min_value=1,
        max_value=600,
        required=False,
        help_text=_("For the clock on the wall; leave it empty to play without one."),
    )

    def __init__(self, *args: Any, betting: str = "none", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.setdefault("date", timezone.localdate())
        if betting not in club_rules.PAYING:
            del self.fields["stake"]

    def clean_stake(self) -> int:
        return self.cleaned_data["stake"] or 0


class EventSettingsForm(FormatForm):
    """What may still change once a night has begun; see `events.change_settings`."""

    name = forms.CharField(label=_("Name"), max_length=80)
    date = forms.DateField(label=_("Date"), widget=DayInput())
    rounds_planned = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=60)
    confirmed_by = forms.ChoiceField(
        label=_("Who confirms a game"), choices=Event.Confirmed.choices
    )
    round_minutes = forms.IntegerField(
        label=_("Minutes of a round"), min_value=1, max_value=600, required=False
    )


class MinutesForm(forms.Form):
    minutes = forms.IntegerField(min_value=0, max_value=600)


class GuestForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=400)


class BotsForm(forms.Form):
    """Who plays what and how, and when: `plan` and `rule` of the cleaned data.

    `rule` is None for a tournament that begins now.
    """

    LATER = [
        ("once", _("once, at the time below")),
        ("week", _("every week from the day below on")),
        ("day", _("every day from the day below on")),
    ]
    CHAIRS = tuple(f"bot_{number}" for number in range(1, MOST_BOTS + 1))
    FOLDED = (*CHAIRS[4:], "effect", "substitute", "priority")
    FOLDED_TITLE = _("More bots and choices")

    name = forms.CharField(label=_("Name"), max_length=60)
    ruleset = forms.ChoiceField(label=_("Rules"), choices=ruleset_choices)
    design = forms.ChoiceField(
        label=_("Who meets whom"),
        choices=[
            ("rotations", _("One table: each deal in all rotations")),
            ("versus", _("Two bots against each other, with chairs exchanged")),
            ("tables", _("Five to eight bots: all tables of four")),
            ("single", _("One table: each deal once, for bots that remember")),
        ],
        initial="rotations",
    )
    deals = forms.IntegerField(
        label=_("Deals"),
        min_value=1,
        max_value=100_000,
        initial=100,
        help_text=_("Each deal is played several times, so that the cards favour nobody."),
    )
    effect = forms.TypedChoiceField(
        label=_("End early"),
        choices=[
            ("", _("no: play all deals")),
            ("0.05", _("as soon as it is clear whether the first beats 5 % more opponents")),
            ("0.02", _("as soon as it is clear whether the first beats 2 % more opponents")),
            ("0.01", _("as soon as it is clear whether the first beats 1 % more opponents")),
        ],
        coerce=float,
        empty_value=None,
        required=False,
        help_text=_("Only for two bots against each other."),
    )
    priority = forms.TypedChoiceField(
        label=_("Beside other tournaments"),
        choices=[
            (1, _("an equal share of the machine")),
            (2, _("before the others: four times the share")),
            (0, _("after the others: a quarter of the share")),
        ],
        coerce=int,
        initial=1,
    )
    substitute = forms.ChoiceField(
        label=_("If a bot does wrong"),
        choices=[
            ("lowest", _("lowest plays on for it")),
            ("greedy", _("greedy plays on for it")),
            ("random", _("random plays on for it")),
        ],
        initial="lowest",
        required=False,
        help_text=_("An illegal play, an answer too late, a crash: the game goes on and counts."),
    )
    every = forms.ChoiceField(
        label=_("When"),
        choices=[("", _("now")), *LATER],
        required=False,
    )
    day = forms.DateField(
        label=_("Day"),
        widget=DayInput(),
        required=False,
        help_text=_("What begins now needs neither day nor time."),
    )
    at = forms.TimeField(
        label=_("Time"),
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        required=False,
        help_text=_("By the clock of the club's time zone."),
    )

    def __init__(self, *args: Any, club: Club, now: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club
        offer_rules(self, club)
        self.initial.setdefault("day", timezone.localdate())
        self.initial.setdefault("at", "20:00")
        bots = [(name, name) for name in BOTS]
        for number, chair in enumerate(self.CHAIRS):
            self.fields[chair] = forms.ChoiceField(
                label=_("Bot %(number)s") % {"number": number + 1},
                choices=[*bots, ("", _("nobody"))],
                initial=bots[number % len(bots)][0] if number < 4 else "",
                required=False,
            )
        if not now:
            self.fields["every"] = forms.ChoiceField(label=_("When"), choices=self.LATER)
        first = [
            "name",
            "ruleset",
            "design",
            *self.CHAIRS,
            "deals",
            "effect",
            "substitute",
            "priority",
        ]
        self.order_fields([*first, "every", "day", "at"])

    @property
    def unfolds(self) -> bool:
        """Whether something that is folded away has to be seen."""
        folded = (self[name] for name in self.FOLDED)
        return bool(self.errors) or any(
            str(field.value() or "") != str(field.field.initial or "") for field in folded
        )

    def clean_ruleset(self) -> Ruleset:
        return club_rules.chosen(self.club, self.cleaned_data["ruleset"])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("effect") and data.get("design") != "versus":
            self.add_error(
                "effect", _("Only two bots against each other can end early: play all deals.")
            )
        for field in ("day", "at"):
            if data.get("every") and not data.get(field) and field not in self.errors:
                self.add_error(field, _("Say on which day and at what time."))
        if self.errors:
            return data
        keys = ("design", "deals", "effect", "priority")
        data["plan"] = {key: data[key] for key in keys}
        data["plan"]["substitute"] = data["substitute"] or "lowest"
        data["plan"]["bots"] = [data[chair] for chair in self.CHAIRS if data.get(chair)]
        data["rule"] = self._rule(data) if data["every"] else None
        return data

    def _rule(self, data: dict[str, Any]) -> Recurrence | None:
        at = data["at"].replace(second=0, microsecond=0)
        try:
            rule = Recurrence(data["day"], at, self.club.time_zone, data["every"])
        except FieldError:
            self.add_error("day", _("Choose a day from 2000 to 2199."))
            return None
        if rule.next(timezone.now()) is None:
            self.add_error("day", _("This time has passed: choose a later one."))
        return rule
