"""The settings of a night, as forms ask for them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

from django import forms
from django.forms import BoundField
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.bots import BOTS
from league.base import texts
from league.base.domain.amounts import common, near
from league.base.domain.settings import settings_of
from league.base.forms import MoneyForm, must_be_given, setting_field
from league.clubs.facts import club_rules
from league.models import Club
from league.money.pages import usual
from league.nights.domain.night_formats import FLOORS, NightFormat
from league.nights.domain.night_plans import NightPlan
from league.nights.pages import plan_words
from league.nights.pages.plan_words import FORMAT_NAMES
from league.seasons.domain.scoring import FieldError

OPTIONS = settings_of(NightFormat)
SETTINGS = {name: row for name, row in settings_of(NightPlan).items() if name != "gives"}
"""What a form asks for; what a night gives is set with its season's scoring."""

_ALONE = tuple(name for name, row in OPTIONS.items() if row.alone)
_ROUNDS = ("rounds_planned", "games_per_round", "counting")


@dataclass(frozen=True)
class Topic:
    """A part of a night, called `key`: what it says now, and the fields that a tap opens.

    `of` names the formats that have it; empty: all. `after` is the sign behind it in a sentence.
    `was` is what it says until its change is saved; `fold` is a rare part of it behind a row.
    `likely` are values of its first field in words, each to be chosen by one tap. `asks` says that
    its words are a question: nothing is chosen yet.
    """

    key: str
    title: str
    words: str
    fields: Sequence[BoundField]
    of: str = ""
    after: str = ""
    was: str = ""
    fold: Topic | None = None
    likely: Sequence[tuple[str, str]] = ()
    asks: bool = False

    @property
    def is_single(self) -> bool:
        """Whether its title names its one field; a number of rounds has a name of its own."""
        return len(self.fields) == 1 and self.fields[0].name not in _ROUNDS

    @property
    def hint(self) -> str:
        """The first sentence of its help, empty without any, or where it is fixed."""
        return str(self.fields[0].help_text).partition(". ")[0] if self.fields else ""

    @property
    def is_wrong(self) -> bool:
        """Whether a field of it has to be corrected."""
        folded = self.fold.fields if self.fold else ()
        return any(field.errors for field in (*self.fields, *folded))

    @property
    def look(self) -> str:
        """The look of its chip, empty for the usual one."""
        if self.is_wrong:
            return "wrong"
        return "changed" if self.was else "unset" if self.asks else ""


class PlanForm(MoneyForm):
    """The settings of a night as a sentence, in the end a `NightPlan`: `plan` of the cleaned data.

    A form that was sent without a format keeps the one that it was shown with. Words in brackets of
    the `SENTENCE` are topics, and so is each of the `ROWS`: a name of `TOPICS`, or of a field.
    The clock of rounds follows how much is played; without rounds it is a row.
    """

    TOPICS: ClassVar[dict[str, tuple[Any, tuple[str, ...]]]] = {
        "rounds": (_("How much is played?"), _ROUNDS),
        "stake": (_("What does a game cost?"), ("stake",)),
    }
    SENTENCE: Any = "%(rounds)s, %(stake)s"
    HEAD: tuple[str, ...] = ()
    ROWS: tuple[str, ...] = ("format", "round_minutes", "confirmed_by", *_ALONE)

    def __init__(
        self,
        *args: Any,
        plan: NightPlan,
        club: Club,
        unit: str,
        betting: str = "none",
        **kwargs: Any,
    ) -> None:
        values = plan.values | {"format": plan.format.kind}
        kwargs["initial"] = values | (kwargs.get("initial") or {})
        super().__init__(*args, **kwargs)
        self.old_plan, self.club, self.unit = plan, club, unit
        self.read: dict[str, Any] = {}
        for name, row in SETTINGS.items():
            self.fields[name] = setting_field(row)
            self.fields[name].required = must_be_given(row)
        self.fields["format"] = forms.ChoiceField(
            label=_("Format"),
            choices=[(key, name) for key, (name, _text) in FORMAT_NAMES.items()],
            widget=forms.RadioSelect,
            required=False,
        )
        bots = {"bot": [("", _("no")), *((name, name) for name in BOTS)]}
        self.fields |= {name: setting_field(row, bots.get(name)) for name, row in OPTIONS.items()}
        self.count_in(unit, partial(usual.stakes, club, unit))
        if betting not in club_rules.PAYING:
            del self.fields["stake"]

    def clean_stake(self) -> int:
        return self.cleaned_data["stake"] or 0

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        self.read = dict(data)
        if self.errors:
            return data
        options = {name: data.pop(name) for name in OPTIONS}
        kind = data.pop("format")
        values = {name: data.pop(name) for name in SETTINGS if name in data}
        try:
            if kind:
                given = {name: one for name, one in options.items() if one not in (None, "")}
                values["format"] = NightFormat(kind=kind, **given)
            data["plan"] = replace(self.old_plan, **values)
        except FieldError as error:
            field = error.field if error.field in self.fields else None
            self.add_error(field, texts.filled(error))
        return data

    def value(self, name: str) -> Any:
        """Return what a field says now: what was read, else what was typed, else what is shown."""
        if name not in self.fields or not self.is_bound:
            return self.initial.get(name)
        return self.read.get(name, self[name].value())

    @property
    def has_queue(self) -> bool:
        """Whether the format of now has a queue instead of rounds."""
        return (self.value("format") or self.old_plan.format.kind) in FLOORS

    @property
    def sentence(self) -> list[Topic | str]:
        """What is played, as one sentence with topics in it."""
        found: list[Topic | str] = []
        clocked = gettext("%(rounds)s, each round %(round_minutes)s")
        said = self.SENTENCE if self.has_queue else self.SENTENCE.replace("%(rounds)s", clocked)
        for text, name, after in re.findall(r"([^%]*)(?:%\((\w+)\)s([,.:]*))?", str(said)):
            found += [text.strip()] if text.strip() else []
            found += [replace(self.topic(name), after=after)] if name else []
        return found

    @property
    def head(self) -> list[BoundField]:
        """The fields above the sentence, open."""
        return [self[name] for name in self.HEAD]

    @property
    def rows(self) -> list[Topic]:
        """The other topics, which an ordinary night leaves as they are."""
        return [self.topic(one) for one in self.ROWS if self.has_queue or one != "round_minutes"]

    @property
    def topics(self) -> list[Topic]:
        """Those of the sentence and of the rows."""
        return [part for part in self.sentence if isinstance(part, Topic)] + self.rows

    @property
    def wrong(self) -> list[str]:
        """The titles of the topics that have to be corrected."""
        head = [str(field.label) for field in self.head if field.errors]
        return head + [topic.title for topic in self.topics if topic.is_wrong]

    @property
    def changes(self) -> list[Topic]:
        """The topics that say what is not saved yet."""
        return [topic for topic in self.topics if topic.was]

    @property
    def more_is_wrong(self) -> bool:
        """Whether one of the rows has to be corrected."""
        return any(row.is_wrong for row in self.rows)

    def topic(self, name: str) -> Topic:
        """Return a topic with its words of now."""
        title, names = self.TOPICS.get(name, ("", (name,)))
        if name == "format":
            names = ("format", *(one for one in OPTIONS if one not in _ALONE))
        fields = [
            self[one] for one in names if one in self.fields and not self.fields[one].disabled
        ]
        row = OPTIONS.get(name)
        words = getattr(self, f"say_{name}", partial(self.say, name))()
        fold = None
        if len(fields) > 1 and fields[-1].name == "counting":
            counting = fields.pop()
            fold = Topic(counting.name, str(counting.label), self.say("counting"), [counting])
        likely: list[tuple[str, str]] = getattr(self, f"likely_{name}", list)()
        of = row.of if row else ""
        title = str(title or self.fields[names[0]].label)
        return Topic(name, title, words, fields, of, fold=fold, likely=likely)

    def say_rounds(self) -> str:
        values = {name: self.value(name) for name in (*_ROUNDS, "group_rounds")}
        return plan_words.rounds(
            values | {"format": self.value("format") or self.old_plan.format.kind}
        )

    def say_stake(self) -> str:
        return plan_words.stake(self.value("stake") if "stake" in self.fields else 0, self.unit)

    def say_round_minutes(self) -> str:
        return plan_words.minutes(self.value("round_minutes"))

    def likely_round_minutes(self) -> list[tuple[str, str]]:
        often = [(str(n), plan_words.minutes(n)) for n in (20, 25, 30)]
        return [*often, ("", plan_words.minutes(None))]

    def likely_stake(self) -> list[tuple[str, str]]:
        """Return the last stake or the unit's common one, with those near it."""
        known = self.old_plan.stake or common(self.unit)
        offered = [
            (texts.bare(one, self.unit), texts.amount(one, self.unit)) for one in near(known or 0)
        ]
        return [*offered, ("0", plan_words.stake(0, ""))] if known else []

    def say(self, name: str) -> str:
        """Return in words what a field says that is a whole topic."""
        value = self.value(name)
        if value is None:
            return gettext("not set")
        if isinstance(value, bool) or value in ("", 0):
            return gettext("yes") if value else gettext("no")
        return str(dict(getattr(self.fields[name], "choices", ())).get(value, value))

    @property
    def formats(self) -> list[tuple[str, Promise, Promise, bool]]:
        """Each format: its key, name and sentence, and whether it is chosen; a fixed one alone."""
        chosen, is_fixed = self["format"].value(), self.fields["format"].disabled
        found = [(key, name, text, key == chosen) for key, (name, text) in FORMAT_NAMES.items()]
        return [one for one in found if one[-1] or not is_fixed]

    @property
    def fields_of_formats(self) -> list[tuple[str, list[BoundField]]]:
        """The fields that a format has beside the rows, by the formats that they belong to."""
        rows = {name: row for name, row in OPTIONS.items() if name not in _ALONE}
        groups = dict.fromkeys(row.of for row in rows.values())
        return [(of, [self[name] for name, row in rows.items() if row.of == of]) for of in groups]
