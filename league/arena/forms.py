"""What members send to the arena."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tables.programs.uploaded import MOST_BYTES


class BotForm(forms.Form):
    """A bot as a ZIP file."""

    name = forms.CharField(
        label=_("Name of the bot"),
        max_length=26,
        help_text=_("Lowercase letters, digits and hyphens. Each version gets a number."),
    )
    file = forms.FileField(
        label=_("ZIP file"),
        help_text=_("With bot.py (class Bot) or bot.js at the top, at most 256 kB."),
        widget=forms.ClearableFileInput(attrs={"accept": ".zip"}),
    )

    def body(self) -> bytes:
        """Return the file, a byte beyond what is allowed at most."""
        return bytes(self.cleaned_data["file"].read(MOST_BYTES + 1))


class RemoteBotForm(forms.Form):
    """A bot that stays on its author's machine."""

    name = forms.CharField(
        label=_("Name of the bot"),
        max_length=26,
        help_text=_("Lowercase letters, digits and hyphens. Each version gets a number."),
    )
