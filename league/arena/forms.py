"""Forms of the arena."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.arena.facts.own_bots import SEEN_BY
from league.base.forms import SeenForm
from league.clubs.facts import club_rules
from league.clubs.forms.rules_choice import offer_rules
from league.models import Club
from tables.models import Ladder
from tables.programs.uploaded import MOST_BYTES


def _seen_by(*first: tuple[str, Any]) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=_("Who sees it"),
        choices=[*first, *SEEN_BY.items()],
        required=not first,
        help_text=_(
            "For all its versions. “Only me”: it plays test matches alone. “The club's members”: "
            "also on the standing ladder, where others do not see its name, and in tournaments of "
            "a club that is not public."
        ),
    )


AS_BEFORE = ("", _("As before; a new bot: everyone"))


class SeenByForm(forms.Form):
    seen_by = _seen_by()


class RemoteBotForm(forms.Form):
    name = forms.CharField(
        label=_("Name of the bot"),
        max_length=26,
        help_text=_("Lowercase letters, digits and hyphens. Each version gets a number."),
    )
    seen_by = _seen_by(AS_BEFORE)


class BotForm(RemoteBotForm):
    field_order = ["name", "file", "point", "seen_by"]
    file = forms.FileField(
        label=_("ZIP file"),
        help_text=_("With bot.py (class Bot) or bot.js at the top, at most 256 kB."),
        widget=forms.ClearableFileInput(attrs={"accept": ".zip"}),
    )
    point = forms.CharField(
        label=_("Entry point"),
        max_length=100,
        required=False,
        help_text=_("module:Class, if it is not the class Bot in bot.py."),
    )

    def body(self) -> bytes:
        """Return the file's bytes, at most one beyond the limit, so that excess is noticed."""
        return bytes(self.cleaned_data["file"].read(MOST_BYTES + 1))


class LadderForm(SeenForm, forms.Form):
    is_on = forms.BooleanField(label=_("The ladder is running"), required=False)
    ruleset = forms.ChoiceField(
        label=_("Rules"),
        help_text=_("Each ruleset has its own ranking; one plays at a time."),
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
        return club_rules.chosen(self.club, self.cleaned_data["ruleset"])
