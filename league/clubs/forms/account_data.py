"""Forms to merge a player and to link an account."""

from django import forms
from django.utils.translation import gettext_lazy as _


class MergeForm(forms.Form):
    player = forms.CharField(
        label=_("The other name"),
        max_length=400,
        widget=forms.TextInput(attrs={"list": "names"}),
    )


class AccountForm(forms.Form):
    email = forms.EmailField(label=_("email"))
