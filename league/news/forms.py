"""Forms for news settings and webhooks."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from league.base.forms import HourInput


class WishForm(forms.Form):
    """When and where an account gets its news."""

    by_email = forms.BooleanField(label=_("By email too"), required=False)
    language = forms.ChoiceField(
        label=_("Language"),
        choices=[("", _("as on the pages")), *settings.LANGUAGES],
        required=False,
    )
    quiet_from = forms.TimeField(
        label=_("Quiet from"),
        widget=HourInput(),
        required=False,
        help_text=_("By your own clock. News from these hours is sent afterwards."),
    )
    quiet_to = forms.TimeField(label=_("Quiet until"), widget=HourInput(), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["by_email"].disabled = not settings.HAS_MAIL  # It stays as it was.


class WebhookForm(forms.Form):
    address = forms.CharField(
        label=_("Address"),
        max_length=500,
        help_text=_("It starts with https:// and is reachable from the internet."),
    )
