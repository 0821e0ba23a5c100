"""The form for a ruleset, built from the fields of the engine's `Ruleset`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.functional import Promise, cached_property
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.rules import ruleset as engine_ruleset
from engine.rules.ruleset import PLAYER_COUNTS, TARGETS, Ruleset, RulesetError
from league.base.domain.rule_text import say
from league.base.domain.rule_text.labels import CHOICES, FIELDS, MONEY
from league.base.domain.rule_text.terms import combination, short
from league.base.forms import SeenForm
from league.base.texts import filled

NUMBERS = {
    "min_players": (2, 8),
    "max_players": (2, 8),
    "longest_pair_run": (2, 13),
    "cong_multiple": (1, 4),
    "trade_net": (0, 13),
    "trade_hand": (13, 26),
    "trade_seconds": (0, 3600),
    "chop_multiple": (1, 10),
    "most_paid": (0, 10**6),
}
WORDS = {"forfeit": 120}
ORDERED = {
    "instant_wins": engine_ruleset.INSTANT_WINS,
    "exchange": engine_ruleset.EXCHANGES,
}
"""Lists whose order matters, with the usual order."""
LISTS = ("answers_free", "locked_out_chops", "instant_wins", "exchange", "winner_doubles")
CHOP_COLUMNS = ("Q", "PR3", "PR4", "PR5", "PR6", "PR7", "PR3+", "QR2", "QR3", "S5+", "S6+")
# The fields by group, in the order of the rule text; `*` marks a table.
GROUPS = (
    (gettext_lazy("Players and cards"), (
        "min_players", "max_players", "*players", "deal_all", "direction", "first_dealer",
        "first_card_to_winner", "card_counts", "lowest_cards_revealed",
    )),
    (gettext_lazy("Combinations"), (
        "longest_pair_run", "quad_runs", "twos_top_straights", "twos_top_pair_runs",
        "pairs_match", "straights_match", "pair_runs_match", "answers_match", "answers_free",
    )),
    (gettext_lazy("Who leads"), (
        "later_games_led_by", "new_player_resets", "first_play", "first_play_not_pair_run",
        "pair_run_opens", "opened_with",
    )),
    (gettext_lazy("Beating and passing"), (
        "pass_locks", "forward", "straight_flush_locks", "bombs_lead", "last_play",
        "three_spades_last", "all_lose", "game_ends",
    )),
    (gettext_lazy("Chops"), (
        "*chops", "locked_out_chops", "pair_runs_beat_singles", "quads_beat_singles",
        "triples_beat_aces", "quads_beat_pair_runs", "quad_run_beats_four_twos",
    )),
    (gettext_lazy("Instant wins"), (
        "instant_wins", "*order-instant_wins", "instant_wins_declared", "instant_win_then",
        "instant_pairs", "instant_win_order", "instant_win_ties", "instant_win_lead",
    )),
    (gettext_lazy("Before the first play"), (
        "exchange", "*order-exchange", "trade_equal", "trade_net", "trade_hand", "trade_seconds",
        "trading_ends_instant_wins", "ultimate_dragon_by_trade", "chop_debt_owed_by",
        "chop_debt_cards", "chop_debt_count",
    )),
    (gettext_lazy("Payments"), (
        "betting", "losers_pay", "left_paid", "left_counted", "chops_paid", "chop_multiple",
        "cong_place", "cong_multiple", "winner_doubles", "most_paid", "*money", "forfeit",
    )),
)  # fmt: skip
# Translated messages for errors that only the engine detects.
REFUSALS = {
    "name": gettext_lazy("Enter a name of 1 to 80 printable characters."),
    "max_players": gettext_lazy("Must be at least the minimum number of players."),
    "cards_each": gettext_lazy(
        "Enter the cards per player for every number of players: enough to play, and "
        "no more than the decks hold."
    ),
    "trade_net": gettext_lazy(
        "A player must not be able to give away their whole hand. Enter a lower number."
    ),
    "deal_all": gettext_lazy(
        "With so few players, each would get more than 26 cards. Raise the minimum, "
        "or turn this off."
    ),
    "first_play_not_pair_run": gettext_lazy(
        "If three consecutive pairs may open the game, the first play may be "
        "consecutive pairs. Turn one of the two off."
    ),
    "chops": gettext_lazy("Straights chop only where they are of one suit. Change one of the two."),
    **dict.fromkeys(
        ("three_spades_last", "last_play"),
        gettext_lazy(
            "With this, the game must end when the first player is out. Change one of the two."
        ),
    ),
    "bombs_lead": gettext_lazy(
        "If three consecutive pairs may open the game, bombs must be allowed to be led. Turn one "
        "of the two off."
    ),
}


@dataclass(frozen=True)
class FormItem:
    """A field, or a table of fields: `rows` as the template lays them out, `fields` all of them."""

    kind: str
    fields: list[BoundField]
    rows: Sequence[Any]


@dataclass(frozen=True)
class FormGroup:
    """The fields of a section of the rules."""

    title: str | Promise
    items: list[FormItem]

    @property
    def wrong(self) -> bool:
        """Whether a field has errors."""
        return any(field.errors for item in self.items for field in item.fields)


class RulesForm(SeenForm, forms.Form):
    """A form to edit the ruleset `rules`; when valid, `rules_made` is the new one."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=80)
    version = forms.IntegerField(widget=forms.HiddenInput, min_value=0)

    def __init__(self, data: Any = None, *, rules: Ruleset, version: int, name: str) -> None:
        super().__init__(data, initial={"name": name, "version": version})
        self.before = rules
        self.rules_made: Ruleset | None = None
        values = engine_ruleset.to_json(rules)
        for field in _plain_names():
            self.fields[field] = _field(field, values[field])
        for players in PLAYER_COUNTS:
            self._number(f"cards_each-{players}", values["cards_each"].get(players), (1, 26))
            self._number(f"decks-{players}", values["decks"].get(players, 1), (1, 2))
        for part, label in MONEY.items():
            self._number(f"money-{part}", values["money"][part], (0, 10**6), label=_(label))
        for name, usual in ORDERED.items():
            self._orders(name, usual, values[name])
        used = {chop for chops in values["chops"].values() for chop in chops}
        self.columns = [*CHOP_COLUMNS, *sorted(used - set(CHOP_COLUMNS))]
        for target in TARGETS:
            self.fields[f"chops-{target}"] = forms.MultipleChoiceField(
                label=capfirst(say(combination(target), _)),
                choices=[(c, say(short(c), _)) for c in self.columns if c != target],
                initial=values["chops"].get(target, []),
                widget=forms.CheckboxSelectMultiple,
                required=False,
            )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                self.rules_made = engine_ruleset.from_json(self._json(data))
            except RulesetError as error:
                self._refuse(error)
        return data

    def groups(self) -> list[FormGroup]:
        """Return the groups with their fields and tables."""
        return [FormGroup(title, [self._item(name) for name in names]) for title, names in GROUPS]

    @cached_property
    def problems(self) -> list[tuple[str, str, str]]:
        """Return the errors: the id of the field, its label and the message."""
        return [
            (self[name].id_for_label, str(self[name].label), str(error))
            if name in self.fields
            else ("", "", str(error))
            for name, errors in self.errors.items()
            for error in errors
        ]

    def _number(
        self, name: str, value: int | None, bounds: tuple[int, int], label: str | None = None
    ) -> None:
        if label is None:
            field, players = name.split("-")
            label = f"{_(FIELDS[field])}, {players}"
        self.fields[name] = forms.IntegerField(
            label=label,
            initial=value,
            min_value=bounds[0],
            max_value=bounds[1],
            required=name.startswith("money"),
        )

    def _orders(self, name: str, usual: tuple[str, ...], chosen: list[str]) -> None:
        """Add a number field for each entry of a list: its position among the chosen ones."""
        for entry in usual:
            self.fields[f"order-{name}-{entry}"] = forms.IntegerField(
                label=capfirst(_(CHOICES[name][entry])),
                initial=chosen.index(entry) + 1 if entry in chosen else None,
                min_value=1,
                max_value=99,
                required=False,
            )

    def _in_order(self, name: str, data: dict[str, Any]) -> list[str]:
        """Return the chosen entries by number; without numbers, in the old or usual order."""
        chosen, usual = set(data[name]), ORDERED[name]
        before = getattr(self.before, name)
        turns = {entry: data.get(f"order-{name}-{entry}") for entry in chosen}
        if any(turns.values()):
            return sorted(chosen, key=lambda entry: (turns[entry] or 100, usual.index(entry)))
        return list(before) if chosen == set(before) else sorted(chosen, key=usual.index)

    def _item(self, name: str) -> FormItem:
        if not name.startswith("*"):
            return FormItem("field", [self[name]], [])
        if name == "*players":
            rows = [(n, self[f"cards_each-{n}"], self[f"decks-{n}"]) for n in PLAYER_COUNTS]
            return FormItem("players", [field for _n, *pair in rows for field in pair], rows)
        fields = [field for field in self if field.name.startswith(f"{name[1:]}-")]
        return FormItem(name[1:].partition("-")[0], fields, fields)

    def _json(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return the submitted data in the engine's JSON form."""
        before = dict(self.before.chops)
        chosen = {target: list(dict.fromkeys(data[f"chops-{target}"])) for target in TARGETS}
        return {
            **engine_ruleset.to_json(self.before),
            **{name: data[name] for name in _plain_names()},
            "name": data["name"],
            "forfeit": data["forfeit"].strip().rstrip("."),
            "locked_out_chops": list(dict.fromkeys(data["locked_out_chops"])),
            "winner_doubles": list(dict.fromkeys(data["winner_doubles"])),
            "answers_free": list(dict.fromkeys(data["answers_free"])),
            **{name: self._in_order(name, data) for name in ORDERED},
            "cards_each": _filled(data, "cards_each", PLAYER_COUNTS),
            "decks": _filled(data, "decks", PLAYER_COUNTS),
            "money": _filled(data, "money", MONEY),
            "chops": {t: chops for t, chops in chosen.items() if chops or t in before},
        }

    def _refuse(self, error: RulesetError) -> None:
        message = str(REFUSALS.get(error.field, filled(error)))
        names = (error.field, *(name for name in self.fields if name.startswith(f"{error.field}-")))
        self.add_error(next((name for name in names if name in self.fields), None), message)


def _plain_names() -> list[str]:
    return [name for _title, names in GROUPS for name in names if not name.startswith("*")]


def _field(name: str, value: Any) -> forms.Field:
    label = _(FIELDS[name])
    if name in WORDS:
        return forms.CharField(label=label, initial=value, max_length=WORDS[name], required=False)
    if isinstance(value, bool):
        return forms.BooleanField(label=label, initial=value, required=False)
    if isinstance(value, int):
        least, most = NUMBERS[name]
        return forms.IntegerField(label=label, initial=value, min_value=least, max_value=most)
    choices = [(key, capfirst(_(text))) for key, text in CHOICES[name].items()]
    if name in LISTS:
        return forms.MultipleChoiceField(
            label=label,
            initial=value,
            choices=choices,
            widget=forms.CheckboxSelectMultiple,
            required=False,
        )
    return forms.ChoiceField(label=label, initial=value, choices=choices)


def _filled(data: dict[str, Any], field: str, parts: Iterable[str]) -> dict[str, int]:
    """Return the numbers of a table, without its empty cells."""
    values = {part: data[f"{field}-{part}"] for part in parts}
    return {part: value for part, value in values.items() if value is not None}
