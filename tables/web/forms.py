"""Forms of the pages of tables: opening, sitting down, chat, trades, parts of a deal."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from engine.rules import ruleset as engine_ruleset
from engine.rules.ruleset import Ruleset
from tables.base import words
from tables.chat.acts import chat
from tables.chat.pages.talk import TALKS
from tables.models import Table
from tables.refusals import TableRefusal

CLOCKS = {
    "10": _("10 seconds per move"),
    "20": _("20 seconds per move"),
    "40": _("40 seconds per move"),
    "90": _("90 seconds per move"),
    "600": _("10 minutes per move"),
}
ANYONE = "anyone"
OTHERS = {
    "greedy": _("Easy bots, start right away"),
    "planner": _("Good bots, start right away"),
    "sage": _("Strong bots, start right away"),
    "master": _("Strongest bots, start right away"),
    "": _("Friends with the link"),
    ANYONE: _("Anyone; bots fill in after a few seconds"),
}
DELAYS: dict[int, Any] = {
    Table.WatchDelay.NONE: _("At once"),
    Table.WatchDelay.SECONDS: _("20 seconds later"),
    Table.WatchDelay.MINUTE: _("One minute later"),
    Table.WatchDelay.GAME: _("After each game"),
}
LATE = DELAYS | {Table.WatchDelay.ROUND: _("Once every table has played the same cards")}
"""How late spectators see a game; the last is of nights, and nobody can choose it."""
FIRST = "mien-nam"


def preset_names() -> list[tuple[str, str]]:
    """Return every preset's key and short name, with its number of players."""
    found = []
    for key in engine_ruleset.preset_keys():
        rules = engine_ruleset.preset(key)
        few, many = rules.min_players, rules.max_players
        name = rules.name.removeprefix("Tiến Lên ")
        found.append((key, f"{name} ({few if few == many else f'{few}–{many}'})"))
    return found


class MixForm(forms.Form):
    """A browser's contribution to a deal: the `link` it commits to, or the `part` it reveals."""

    link = forms.RegexField(r"\A[0-9a-f]{64}\Z", required=False, strip=False)
    game = forms.IntegerField(min_value=1, max_value=10**6, required=False)
    part = forms.RegexField(r"\A[0-9a-f]{64}\Z", required=False, strip=False)

    def mine(self) -> dict[str, Any]:
        """Return the arguments of `mixing.mix`."""
        data = self.cleaned_data
        return {"link": data["link"], "game_no": data["game"], "part": data["part"]}


class SeatNameField(forms.CharField):
    """A name at a table: no address, and none that looks like the house's."""

    def clean(self, value: Any) -> str:
        name = words.plain(super().clean(value), self.max_length or 40)
        if name and (words.is_house(name) or words.has_address(name)):
            raise TableRefusal("house_name", status=422)
        return name


class OpenForm(forms.Form):
    """A table to open: its rules, seats, other players, clock, chat and watch delay."""

    rules = forms.ChoiceField(label=_("Rules"), choices=preset_names, initial=FIRST)
    players = forms.TypedChoiceField(
        label=_("Seats"), choices=[(n, n) for n in range(2, 9)], coerce=int, initial=4
    )
    clock = forms.ChoiceField(label=_("Clock"), choices=list(CLOCKS.items()), initial="40")
    name = SeatNameField(label=_("Your name at the table"), max_length=40)
    bots = forms.ChoiceField(
        label=_("Other seats"), choices=list(OTHERS.items()), initial="greedy", required=False
    )

    talk = forms.ChoiceField(
        label=_("Table chat"),
        choices=list(TALKS.items()),
        initial=Table.Talk.ALL,
        required=False,
    )

    delay = forms.TypedChoiceField(
        label=_("Spectators see the game"),
        choices=list(DELAYS.items()),
        coerce=int,
        empty_value=None,
        initial=Table.WatchDelay.NONE,
        required=False,
    )

    def __init__(self, *args: Any, given: Ruleset | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.given = given
        if given:
            del self.fields["rules"]
            most, few = given.max_players, given.min_players
            self.initial["players"] = max(few, min(most, int(self.initial.get("players", 4))))

    def ruleset(self) -> Ruleset:
        """Return the chosen rules, or those that the page was opened for."""
        return self.given or engine_ruleset.preset(self.cleaned_data["rules"])

    @property
    def summary(self) -> str:
        """The rules, seats and clock in one line."""
        data = self.cleaned_data
        seats = ngettext("%(n)s seat", "%(n)s seats", data["players"]) % {"n": data["players"]}
        seconds = ngettext("%(n)s second", "%(n)s seconds", int(data["clock"]))
        return " · ".join([self.ruleset().name, seats, seconds % {"n": data["clock"]}])

    def clean_talk(self) -> str:
        return self.cleaned_data["talk"] or Table.Talk.ALL

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if self.errors:
            return data
        rules, players = self.ruleset(), data["players"]
        few, many = rules.min_players, rules.max_players
        if not few <= players <= many:
            text = _("%(rules)s is for %(few)s to %(many)s players.")
            if few == many:
                text = _("%(rules)s is for %(few)s players.")
            self.add_error("players", text % {"rules": rules.name, "few": few, "many": many})
        return data


class SitForm(forms.Form):
    """A guest's name, and a seat; without one the first that is free."""

    no = forms.IntegerField(min_value=0, max_value=7, required=False)
    name = SeatNameField(max_length=40)


class NameForm(forms.Form):
    name = SeatNameField(
        label=_("Your name at the table"),
        max_length=40,
        widget=forms.TextInput({"autocomplete": "nickname", "autofocus": True}),
    )


class TalkForm(forms.Form):
    """A chat message: a text, or one of the quick words."""

    text = forms.CharField(max_length=chat.LONGEST, required=False)
    quick = forms.CharField(max_length=10, required=False)


class TradeForm(forms.Form):
    """A step of a trade: `do` is a verb, followed by the number of an offer if it is about one.

    An offer goes to the seat `to` and asks for `want` of its cards; the picked cards are read
    from the request.
    """

    do = forms.CharField(max_length=20)
    to = forms.IntegerField(min_value=0, max_value=7, required=False)
    want = forms.IntegerField(min_value=0, max_value=13, required=False)
