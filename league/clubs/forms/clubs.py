"""Forms for a club, its members and its invitations."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts.forms import MOST_LETTERS
from league.base.forms import PlaceField, SeenForm
from league.clubs.acts import clubs
from league.models import Club, Membership
from tables.base import currencies, places


class ClubForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Club
        fields = ["name", "time_zone", "unit"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["unit"].help_text = _(
            "A currency, such as USD, EUR or AUD, has cents. Or any word: đồng, chips, sweets."
        )
        self.fields["time_zone"] = PlaceField(label=_("By whose clock"))
        self.initial["unit"] = currencies.sign(self.initial.get("unit", ""))
        self.initial.setdefault("time_zone", places.place_of(places.LIKELY[0]))

    def clean(self) -> dict[str, Any]:
        """Set the zone and the name of the place that was typed."""
        data = super().clean() or self.cleaned_data
        if isinstance(found := data.get("time_zone"), places.City):
            data |= {"time_zone": found.zone, "place": found.en}
        return data


class ClubSettingsForm(SeenForm, ClubForm):
    class Meta(ClubForm.Meta):
        fields = [*ClubForm.Meta.fields, "language", "embed_hosts"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"] = forms.ChoiceField(
            label=_("Language"),
            choices=settings.LANGUAGES,
            required=False,
            help_text=_("Of messages and files for everyone; each reader chooses their own."),
        )


class NewClubForm(ClubForm):
    """A form for a new club; an empty unit gets the default of its time zone and language."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["unit"].required = False
        if get_language() == "vi":
            self.initial["unit"] = currencies.sign(clubs.usual_unit(self.initial["time_zone"].zone))

    def clean(self) -> dict[str, Any]:
        """Set the default unit if none was given."""
        data = super().clean() or self.cleaned_data
        if not data.get("unit") and "time_zone" in data:
            data["unit"] = clubs.usual_unit(data["time_zone"])
        return data


class MemberForm(forms.Form):
    email = forms.EmailField(label=_("email"), max_length=MOST_LETTERS)
    role = forms.ChoiceField(label=_("role"), choices=Membership.Role.choices)


class InvitationForm(forms.Form):
    role = forms.ChoiceField(
        label=_("Role"),
        choices=[(role.value, role.label) for role in Membership.Role if role != "owner"],
    )
    days = forms.IntegerField(label=_("Valid for (days)"), min_value=1, max_value=90, initial=7)
    once = forms.BooleanField(label=_("Single use"), required=False)
