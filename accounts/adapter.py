"""Changes to allauth's behaviour."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from allauth.core.internal import ratelimit
from django.conf import settings
from django.contrib.auth.signals import user_login_failed
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _

from accounts.known_devices import known_device, remember

INVITED = "invited"
"""Session key: an invitation's page was opened in this session."""
CONFIRMATION_SENT = "account/messages/email_confirmation_sent.txt"
OF_STRANGERS = {
    "account/email/account_already_exists": "known",
    "account/email/unknown_account": "unknown",
}
"""The kind of email to an address whose account, if it has one, is not asked."""
FROM_ADDRESS = {"login": "30/m/ip", "wrong_password": "10/m/ip"}
"""Limits per address, not for known browsers: a heckler in the hall shares their address."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """An allauth adapter that restricts sign-ups, limits wrong passwords and stores emails."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        if settings.SIGN_UP == "invitation":
            return bool(request.session.get(INVITED))
        return bool(settings.SIGN_UP == "open")

    def _ask(self, kind: str, email: str, user: Any = None, limit: str = "") -> None:
        """Store the email; a limit is asked where none waits already."""
        from accounts.security_mail import ask  # Needs the app registry.

        key, config = email.lower(), {limit: "1/3m/key"}

        def may() -> Any:
            return not limit or self._count(context.request, limit, config=config, key=key)

        ask(kind, email, user, may=may)

    def send_confirmation_mail(self, request: HttpRequest, link: Any, signup: bool) -> None:
        address = link.email_address
        self._ask("confirm", address.email, address.user, "confirm_email")

    def send_password_reset_mail(self, user: Any, email: str, context: Any = None) -> None:
        self._ask("reset", email, user)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Store what an address without an own account gets; allauth sends nothing else here."""
        kind = OF_STRANGERS[template_prefix]
        self._ask(kind, email, limit="confirm_email" if kind == "known" else "")

    def get_login_stages(self) -> list[str]:
        own = "accounts.stages.FirstEmailStage"
        return [
            own if stage.endswith(".EmailVerificationStage") else stage
            for stage in super().get_login_stages()
        ]

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        """Fail like a wrong password until a new email is confirmed: it may be someone else's.

        The right password sends the link again. All else is as with a wrong one, down to the
        statements and the limits: the answer must not tell who has an account.
        """
        from accounts.stages import awaits_confirmation  # Needs the app registry.

        user = super().authenticate(request, **credentials)
        if user is not None and not awaits_confirmation(user):
            self._counted.rollback()  # A right password undoes the counts of wrong ones.
            return user
        if user is not None:
            user_login_failed.send(sender=__name__, credentials=credentials, request=request)
        email = str(credentials.get("email", "")).lower()
        self._ask("confirm", email, user, "confirm_again")
        return None

    def validation_error(self, code: str, *args: Any) -> Any:
        if code == "email_password_mismatch" and settings.HAS_MAIL:
            return ValidationError(_(
                "Wrong email or password. If you have just signed up with them, a link to confirm "
                "the email is on its way to you again."
            ), code=code)  # fmt: skip
        return super().validation_error(code, *args)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        key = self._get_login_attempts_cache_key(request, **credentials)
        device = known_device(request, str(credentials.get("email", "")))
        used = [self._count(request, "login_failed", key=f"{key}:{device}" if device else key)]
        if not device:
            used += [self._count(request, action, config=FROM_ADDRESS) for action in FROM_ADDRESS]
        if not all(used):
            raise self.validation_error("too_many_login_attempts")
        self._counted = ratelimit.RateLimitUsage(
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
