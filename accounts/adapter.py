"""Changes to allauth's behaviour."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.signup import prevent_enumeration
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal import ratelimit
from django.conf import settings
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.known_devices import known_device, remember

INVITED = "invited"
"""Session key: an invitation's page was opened in this session."""
CONFIRMATION_SENT = "account/messages/email_confirmation_sent.txt"
FROM_ADDRESS = {"login": "30/m/ip", "wrong_password": "10/m/ip"}
"""Limits per address, not for known browsers: a heckler in the hall shares their address."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """An allauth adapter that restricts sign-ups and limits wrong passwords.

    Of concurrent sign-ups with one email, the first creates the account. The others get an error,
    or an email to that address if mail works.
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
            if settings.HAS_MAIL:
                email = form.cleaned_data["email"]
                raise ImmediateHttpResponse(prevent_enumeration(request, email=email)) from None
            messages.error(request, _("A user is already registered with this email address."))
            raise ImmediateHttpResponse(redirect("account_signup")) from None

    def get_login_stages(self) -> list[str]:
        own = "accounts.stages.FirstEmailStage"
        return [
            own if stage.endswith(".EmailVerificationStage") else stage
            for stage in super().get_login_stages()
        ]

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        """Fail like a wrong password until a new email is confirmed: it may be someone else's."""
        from accounts.stages import awaits_confirmation  # Needs the app registry.

        user = super().authenticate(request, **credentials)
        return None if user is not None and awaits_confirmation(user) else user

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        key = self._get_login_attempts_cache_key(request, **credentials)
        device = known_device(request, str(credentials.get("email", "")))
        used = [self._count(request, "login_failed", key=f"{key}:{device}" if device else key)]
        if not device:
            used += [self._count(request, action, config=FROM_ADDRESS) for action in FROM_ADDRESS]
        if not all(used):
            raise self.validation_error("too_many_login_attempts")
        # A right password undoes the counts of wrong ones.
        self._login_failed_rl_usage = ratelimit.RateLimitUsage(
            [one for count in (used[0], *used[2:]) for one in count.usage]
        )

    def _count(self, request: HttpRequest, action: str, **how: Any) -> Any:
        return ratelimit.consume(request, app="allauth.account", action=action, **how)

    def add_message(
        self, request: HttpRequest, level: int, message_template: str | None = None, *args: Any,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        """Add the message, unless it announces an email that is never sent."""
        if settings.HAS_MAIL or message_template != CONFIRMATION_SENT:
            super().add_message(request, level, message_template, *args, **kwargs)

    def post_login(
        self, request: HttpRequest, user: Any, *args: Any, **kwargs: Any
    ) -> HttpResponseBase:
        response: HttpResponseBase = super().post_login(request, user, *args, **kwargs)
        remember(request, response, user)
        return response
