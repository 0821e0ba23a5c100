"""The choice of nights whose best players are the list of a new one."""

from datetime import timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from league.models import Event, Membership

RECENT = timedelta(days=60)
MOST = 12


class BestOfForm(forms.Form):
    """How many of each ticked night are invited; none ticked: the club's own people."""

    best = forms.IntegerField(
        label=_("The best of each night"), min_value=1, max_value=100, initial=8, required=False
    )
    nights = forms.TypedMultipleChoiceField(
        label=_("Nights"), coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, data: Any, *, user: User) -> None:
        super().__init__(data, prefix="of")
        held = Membership.objects.filter(user=user, role__in=Membership.ORGANISERS)
        played = Event.objects.filter(
            season__club__in=held.values("club"),
            season__club__closed_at=None,
            kind=Event.Kind.NIGHT,
            rounds__status="released",
            date__gte=timezone.now().date() - RECENT,
        )
        found = played.select_related("season__club").distinct().order_by("-date", "-pk")[:MOST]
        self.offered = {night.pk: night for night in found}
        several = len({night.season.club_id for night in found}) > 1
        self.fields["nights"].choices = [  # type: ignore[attr-defined]
            (key, night.name_and_club if several else night.name)
            for key, night in self.offered.items()
        ]

    @property
    def chosen(self) -> list[Event]:
        """The ticked nights, once they are valid."""
        return [self.offered[key] for key in self.cleaned_data["nights"]] if self.is_valid() else []

    @property
    def number(self) -> int:
        """How many of each are invited."""
        return self.cleaned_data["best"] or 8
