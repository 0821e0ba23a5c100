"""What members send to the arena."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.clubs.forms.rules_choice import offer_rules
from league.clubs.selectors import club_rules
from league.models import Club
from tables.models import Ladder
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


class LadderForm(forms.Form):
    """The standing ladder: on or off, and by which rules."""

    is_on = forms.BooleanField(label=_("The ladder plays"), required=False)
    ruleset = forms.ChoiceField(
        label=_("Rules"),
        help_text=_("Every ruleset has its own ladder, which waits while another one plays."),
    )

    def __init__(self, *args: Any, club: Club, ladder: Ladder | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["is_on"] = ladder.is_on if ladder else True
        if ladder:
            self.initial["ruleset"] = club_rules.key_or_digest(ladder.ruleset)
        self.club = club
        help_text = self.fields["ruleset"].help_text
        offer_rules(self, club)
        self.fields["ruleset"].help_text = help_text

    def clean_ruleset(self) -> Any:
        """Return the rules that were chosen."""
        return club_rules.chosen(self.club, self.cleaned_data["ruleset"])
