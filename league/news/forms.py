"""Forms for news settings and webhooks."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from league.base.forms import HourInput
from league.news.acts.outbox import kinds_of


class WishForm(forms.Form):
    wanted = forms.MultipleChoiceField(
        label=_("Tell me"),
        widget=forms.CheckboxSelectMultiple(),
        required=False,
    )
    by_email = forms.BooleanField(label=_("By email too"), required=False)
    language = forms.ChoiceField(
        label=_("Language"),
        choices=[("", _("the club's")), *settings.LANGUAGES],
        required=False,
    )
    quiet_from = forms.TimeField(
        label=_("Quiet from"),
        widget=HourInput(),
        required=False,
        help_text=_("In the club's time zone. News from these hours is sent afterwards."),
    )
    quiet_to = forms.TimeField(label=_("Quiet until"), widget=HourInput(), required=False)

    def __init__(self, *args: Any, user: User, **more: Any) -> None:
        super().__init__(*args, **more)
        wanted = self.fields["wanted"]
        assert isinstance(wanted, forms.MultipleChoiceField)
        wanted.choices = list(kinds_of(user).items())


class WebhookForm(forms.Form):
    address = forms.CharField(
        label=_("Address"),
        max_length=500,
        help_text=_("It starts with https:// and is reachable from the internet."),
    )
