"""Forms for a club, its members and its invitations."""

import zoneinfo
from typing import Any

from django import forms
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from league.clubs.acts import clubs
from league.models import Club, Membership


class ClubForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Club
        fields = ["name", "time_zone", "unit"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zones = sorted(zone for zone in zoneinfo.available_timezones() if "/" in zone)
        self.fields["time_zone"] = forms.ChoiceField(
            label=_("time zone"), choices=[(zone, zone) for zone in zones]
        )
        self.initial.setdefault("time_zone", "Asia/Ho_Chi_Minh")


class ClubSettingsForm(ClubForm):
    class Meta(ClubForm.Meta):
        fields = [*ClubForm.Meta.fields, "embed_hosts"]


class NewClubForm(ClubForm):
    """A form for a new club; an empty unit gets the default of its time zone and language."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["unit"].required = False
        if get_language() == "vi":
            self.initial["unit"] = clubs.usual_unit(self.initial["time_zone"])

    def clean(self) -> dict[str, Any]:
        """Set the default unit if none was given."""
        data = super().clean() or self.cleaned_data
        if not data.get("unit") and "time_zone" in data:
            data["unit"] = clubs.usual_unit(data["time_zone"])
        return data


class MemberForm(forms.Form):
    email = forms.EmailField(label=_("email"))
    role = forms.ChoiceField(label=_("role"), choices=Membership.Role.choices)


class InvitationForm(forms.Form):
    role = forms.ChoiceField(
        label=_("Role"),
        choices=[(role.value, role.label) for role in Membership.Role if role != "owner"],
    )
    days = forms.IntegerField(label=_("Valid for (days)"), min_value=1, max_value=90, initial=7)
    once = forms.BooleanField(label=_("Single use"), required=False)
