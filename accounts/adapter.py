"""What allauth does otherwise here."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.translation import gettext as _

INVITED = "invited"
"""In a session: the page of an invitation was open there."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Sign-ups: for whom they are open, and with one email at the same time.

    Of these the first makes the account, others are told.
    """

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        if settings.SIGN_UP == "invitation":
            return bool(request.session.get(INVITED))
        return bool(settings.SIGN_UP == "open")

    def save_user(self, request: HttpRequest, user: Any, form: Any, commit: bool = True) -> Any:
        try:
            with transaction.atomic():
                return super().save_user(request, user, form, commit)
        except IntegrityError:
            messages.error(request, _("A user is already registered with this email address."))
            raise ImmediateHttpResponse(redirect("account_signup")) from None
