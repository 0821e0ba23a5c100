"""How a night is played online."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from league.models import LivePlan
from tables.forms import CLOCKS


class OnlineForm(forms.Form):
    """Which tables play online, with which clock, and what becomes of abandoned ones."""

    played = forms.ChoiceField(
        label=_("Who plays online"),
        choices=[("", _("nobody: real cards")), *LivePlan.Played.choices],
        required=False,
        help_text=_("It holds from the next released round on."),
    )
    move_seconds = forms.TypedChoiceField(
        label=_("Clock"), choices=list(CLOCKS.items()), coerce=int, initial="40"
    )
    abandoned = forms.ChoiceField(
        label=_("When everybody has left a table"), choices=LivePlan.Abandoned.choices
    )
