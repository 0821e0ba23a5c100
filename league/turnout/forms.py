"""Forms for sign-up lists."""

from django import forms
from django.utils.translation import gettext_lazy as _

from league.base.forms import MomentInput, SeenForm


class SignUpForm(SeenForm, forms.Form):
    places = forms.IntegerField(
        label=_("Number of places"),
        min_value=2,
        max_value=2000,
        required=False,
        help_text=_("Guests count. Empty: no limit. When it is full, a waiting list starts."),
    )
    closes_at = forms.DateTimeField(
        label=_("Deadline"),
        widget=MomentInput(),
        required=False,
        help_text=_("After that nobody can sign up, but people can still cancel."),
    )
