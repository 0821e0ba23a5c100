"""Form choices of rules: the presets by name, and the club's own."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from engine.rules import ruleset as engine_ruleset
from league.clubs.facts import club_rules
from league.models import Club

RULESET_NAMES = {
    "mien-nam": _("Miền Nam (Southern, for money)"),
    "dem-la": _("Đếm lá (Southern, cards left)"),
    "nhat-an-tat": _("Nhất ăn tất (winner takes all)"),
    "mien-bac": _("Miền Bắc (the Northern game)"),
    "mien-bac-3-bich": _("Miền Bắc, đút 3 bích (Northern)"),
    "mien-bac-khong-thong": _("Miền Bắc, no consecutive pairs"),
    "tien-len": _("Tiến Lên (VC, main rules)"),
    "thirteen": _("Thirteen, 2 to 8 players"),
    "family": _("Family rules with Go Fish"),
    "killa": _("Killa of Honolulu"),
    "hawaii-killer": _("Killer, Hawaiian style"),
    "penguin": _("Tieng Len, the printed book"),
    "viet-cong": _("Viet Cong (VC), American"),
}
"""Short enough for the field that chooses one on a small phone: 31 letters."""


def ruleset_choices() -> list[tuple[str, Any]]:
    """Return the presets by key, the most common first."""
    known = engine_ruleset.preset_keys()
    return [(key, name) for key, name in RULESET_NAMES.items() if key in known]


def offer_rules(form: forms.Form | forms.BaseModelForm[Any], club: Club) -> None:
    """Add a choice of the presets and the club's own rules to the form.

    The initial value is a choice too, even if it is an older version.
    """
    choices = [*ruleset_choices(), *club_rules.own_choices(club)]
    first = form.get_initial_for_field(form.fields["ruleset"], "ruleset")
    if first and first not in dict(choices):
        found = club_rules.chosen(club, first)
        choices.insert(0, (first, f"{found.name} ({found.version})"))
    form.fields["ruleset"] = forms.ChoiceField(label=_("Rules"), choices=choices)
