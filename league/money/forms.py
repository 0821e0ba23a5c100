"""Forms for entries of the ledger and for ways to be paid. `client_id` makes a form count once."""

from __future__ import annotations

import uuid
from functools import partial
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.base.forms import MoneyField, MoneyForm
from league.models import Event, Posting, Season
from league.money.domain.banks import BANKS
from league.money.domain.services import SERVICES
from league.money.pages import usual

NAMES = forms.TextInput(attrs={"list": "names"})
HOW = {"": _("not specified"), "cash": _("in cash"), "transfer": _("by transfer")}
"""Ways of paying; the chosen one's words begin the payment's note."""


class PostingForm(MoneyForm):
    """The fields of every posting."""

    client_id = forms.UUIDField(widget=forms.HiddenInput)
    amount = MoneyField(label=_("Amount"), min_value=1, max_value=10**12)
    event: forms.ModelChoiceField[Event] = forms.ModelChoiceField(
        label=_("Night"), queryset=None, required=False, empty_label=_("the whole season")
    )
    note = forms.CharField(label=_("Note"), max_length=200, required=False)

    kind = ""

    def __init__(self, *args: Any, season: Season, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.kind:
            self.count_in(season.unit, partial(usual.entries, season.club, season.unit, self.kind))
        else:
            self.count_in(season.unit)
        self.fields["client_id"].initial = uuid.uuid4
        self.fields["event"].queryset = season.events.all()  # type: ignore[attr-defined]


class SettlementForm(PostingForm):
    payer = forms.CharField(label=_("Paid by"), max_length=400, widget=NAMES)
    payee = forms.CharField(label=_("Paid to"), max_length=400, widget=NAMES)
    how = forms.ChoiceField(label=_("How"), required=False, choices=HOW)
    field_order = ["client_id", "payer", "payee", "amount", "event", "how", "note"]

    def clean(self) -> dict[str, Any]:
        """Put the way of paying into the note."""
        data = super().clean() or self.cleaned_data
        if data.get("how"):
            said = Posting.HOW[data["how"]]
            data["note"] = "; ".join(filter(None, [said, data.get("note", "")]))[:200]
        return data


class SharedForm(PostingForm):
    """A sum that several people bear; the choices `last` and `all` need a night.

    Who is named bears it, whatever is chosen above the names.
    """

    bearers = forms.ChoiceField(
        label=_("Who pays"),
        choices=[
            ("last", _("the player in last place that night")),
            ("all", _("everyone there that night, in equal shares")),
            ("season", _("everyone who has played this season, in equal shares")),
            ("named", _("the people below, in equal shares")),
        ],
    )
    names = forms.CharField(
        label=_("Names"),
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("One per line, or separated by commas."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.initial.get("event"):
            self.initial["bearers"] = "named"

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("names", "").strip():
            data["bearers"] = "named"
        if data.get("bearers") == "named" and not data.get("names", "").strip():
            self.add_error("names", _("Name at least one person."))
        if data.get("bearers") in ("last", "all") and not data.get("event"):
            self.add_error("event", _("Choose the night these people came to."))
        return data


class CostForm(SharedForm):
    kind = Posting.Kind.COST
    paid_by = forms.CharField(
        label=_("Who paid upfront"),
        max_length=400,
        required=False,
        widget=NAMES,
        help_text=_(
            "Empty: the club paid. A payer who is among the people above bears a share too; one "
            "who is not gets the whole amount back."
        ),
    )
    field_order = ["client_id", "amount", "note", "event", "bearers", "names", "paid_by"]


class FeeForm(SharedForm):
    kind = Posting.Kind.FEE
    field_order = ["client_id", "amount", "event", "bearers", "names", "note"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["bearers"].label = _("Who pays")
        self.fields["bearers"].choices = [  # type: ignore[attr-defined]
            ("all", _("everyone there that night")),
            ("season", _("everyone who has played this season")),
            ("named", _("the people below")),
        ]
        self.fields["amount"].label = _("Amount per person")


class PrizeForm(PostingForm):
    kind = Posting.Kind.PRIZE
    player = forms.CharField(label=_("Winner"), max_length=400, widget=NAMES)
    field_order = ["client_id", "player", "amount", "event", "note"]


FORMS: dict[str, type[PostingForm]] = {
    Posting.Kind.SETTLEMENT: SettlementForm,
    Posting.Kind.COST: CostForm,
    Posting.Kind.FEE: FeeForm,
    Posting.Kind.PRIZE: PrizeForm,
}


class PaymentWayForm(forms.Form):
    """How a person wants to be paid; an empty form ends it."""

    bank = forms.ChoiceField(
        label=_("Bank or service"),
        required=False,
        choices=[
            ("", _("none")),
            (_("Elsewhere"), [(key, one.name) for key, one in SERVICES.items()]),
            (_("Banks in Vietnam"), list(BANKS.items())),
        ],
    )
    number = forms.CharField(
        label=_("Account number, IBAN or name there"),
        max_length=40,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "text"}),
    )
    holder = forms.CharField(
        label=_("Account holder"),
        max_length=60,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    words = forms.CharField(
        label=_("Another way"),
        max_length=300,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Zelle, PayID, Interac or in your own words."),
    )
