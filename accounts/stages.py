"""Sign-in stages and the confirmation of emails."""

from typing import Any

from allauth.account.app_settings import EmailVerificationMethod
from allauth.account.models import EmailAddress
from allauth.account.signals import password_reset
from allauth.account.stages import EmailVerificationStage
from django.conf import settings
from django.dispatch import receiver

from accounts.models import User


def awaits_confirmation(user: User) -> bool:
    if not settings.HAS_MAIL or user.last_login is not None or user.is_superuser:
        return False
    return not EmailAddress.objects.filter(user=user, verified=True).exists()


@receiver(password_reset)
def _confirm(user: User, **kwargs: Any) -> None:
    """Accept a used password reset link as the confirmation of the email."""
    if awaits_confirmation(user):
        EmailAddress.objects.filter(user=user, email=user.email).update(verified=True)


class FirstEmailStage(EmailVerificationStage):  # type: ignore[misc]
    """A stage that holds the first sign-in until the email is confirmed, if mail works.

    So a sign-up with a known email, which creates no account, looks like any other.
    """

    def handle(self) -> Any:
        user = self.login.user
        if settings.HAS_MAIL if user is None else awaits_confirmation(user):
            self.login.email_verification = EmailVerificationMethod.MANDATORY
        return super().handle()
