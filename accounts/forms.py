"""Forms of allauth with more fields, or robust against forged answers of a browser."""

from collections.abc import Callable
from typing import Any

from allauth.account import forms as account
from allauth.account.internal.flows.signup import prevent_enumeration
from allauth.account.internal.userkit import filter_users_by_email
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.core.internal import ratelimit
from allauth.mfa.adapter import get_adapter
from allauth.mfa.webauthn import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import get_default_password_validators
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, validate_email
from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import Q
from django.forms import fields, widgets
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from accounts import security_mail, services
from accounts.known_devices import known_device
from accounts.models import User

MOST_LETTERS = User._meta.get_field("email").max_length


class _Careful:
    """A mixin that reports malformed input as a wrong code: the libraries may raise anything."""

    def _clean_fields(self) -> None:
        self._carefully(super()._clean_fields)  # type: ignore[misc]

    def _clean_form(self) -> None:
        self._carefully(super()._clean_form)  # type: ignore[misc]

    def _carefully(self, clean: Callable[[], None]) -> None:
        try:
            clean()
        except DatabaseError:
            raise
        except Exception:
            self.add_error("credential", get_adapter().validation_error("incorrect_code"))  # type: ignore[attr-defined]


class _Plain:
    """A mixin whose fields say nothing twice, and of a password only its length at first."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():  # type: ignore[attr-defined]
            field.widget.attrs.pop("placeholder", None)
            if name == "password1":
                field.help_text = get_default_password_validators()[0].get_help_text()


class _Addressed(_Plain):
    """A mixin that refuses an address longer than an account's: libraries let 320 letters pass."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in {"email", "login"} & set(self.fields):  # type: ignore[attr-defined]
            field = self.fields[name]  # type: ignore[attr-defined]
            field.validators = [validate_email, MaxLengthValidator(MOST_LETTERS)]
            field.widget.attrs["maxlength"] = MOST_LETTERS


class _Confirms(_Addressed):
    @property
    def has_mail(self) -> bool:
        """Whether a new email is confirmed by a message to it."""
        return bool(settings.HAS_MAIL)


class LoginForm(_Confirms, account.LoginForm):  # type: ignore[misc]
    pass


class AddEmailForm(_Confirms, account.AddEmailForm):  # type: ignore[misc]
    pass


class SignupForm(_Addressed, account.SignupForm):  # type: ignore[misc]
    """A sign-up form whose answer and timing do not reveal known emails, if mail works.

    The account is made with the email that confirms it, or not at all. Of concurrent sign-ups with
    one email, the first creates the account. The others get an error, or an email if mail works.
    """

    def validate_unique_email(self, value: str) -> str:
        if not settings.HAS_MAIL:
            return str(super().validate_unique_email(value))
        self.account_already_exists = bool(filter_users_by_email(value))
        return value

    def try_save(self, request: HttpRequest) -> Any:
        if self.account_already_exists:
            make_password(self.cleaned_data["password1"])
        email = self.cleaned_data["email"]
        try:
            with transaction.atomic():
                user, response = super().try_save(request)
                if user is not None:
                    security_mail.ask("confirm", email, user)
                return user, response
        except IntegrityError:
            if settings.HAS_MAIL:
                return None, prevent_enumeration(request, email=email)
            messages.error(request, _("A user is already registered with this email address."))
            return None, redirect("account_signup")


class ChangePasswordForm(_Plain, account.ChangePasswordForm):  # type: ignore[misc]
    """A form for a new password; tokens for programs end with the old one unless they are kept."""

    keep_tokens = fields.BooleanField(label=_("Keep my tokens for programs"), required=False)


class AskResetForm(_Addressed, account.ResetPasswordForm):  # type: ignore[misc]
    """A form that sends a link for a new password, a few times to an email.

    A network's limit is not for known browsers: a heckler in the hall shares their address.
    """

    def clean_email(self) -> str:
        email = str(super().clean_email())
        if not (known_device(context.request, email) or self._may_go_on("20/m/ip")):
            raise ValidationError(_("Too many links were asked for here. Try again in a minute."))
        if not self._may_go_on("3/h/key,6/d/key", key=email.lower()):
            text = _("Enough links went to this address. The newest works once, within 3 days.")
            raise ValidationError(text)
        return email

    def _may_go_on(self, rates: str, **key: str) -> bool:
        how = {"app": "allauth.account", "action": "reset_password", **key}
        config = {"reset_password": rates}
        return ratelimit.consume(context.request, config=config, **how) is not None


class ResetPasswordForm(_Addressed, account.ResetPasswordKeyForm):  # type: ignore[misc]
    """A form for a new password that shows the email: links do not always come by email.

    It asks an administrator without an email for one, and sends the link that confirms theirs.
    """

    email = fields.EmailField(
        label=_("Email"),
        help_text=_("You sign in with this email."),
        disabled=True,
        widget=widgets.EmailInput({"autocomplete": "username"}),
    )
    field_order = ("email", "password1", "password2")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.asks_address = bool(self.user and services.asks_address(self.user))
        if self.asks_address:
            field = self.fields["email"]
            field.disabled, field.help_text = False, _(
                "You sign in with it. Alarms of this server go there once you open the link that "
                "we send to it."
            )  # fmt: skip
        elif self.user:  # None if the link no longer works.
            self.initial["email"] = self.user.email

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"]).lower()
        others = User.objects.filter(Q(email__iexact=email) | Q(emailaddress__email=email))
        if self.asks_address and others.exclude(pk=self.user.pk).exists():
            raise ValidationError(_("A user is already registered with this email address."))
        return email

    @transaction.atomic
    def save(self) -> None:
        super().save()
        user = self.user
        if self.asks_address:
            user.email = self.cleaned_data["email"]
            user.save(update_fields=["email"])
            EmailAddress.objects.filter(user=user).delete()
        own = EmailAddress.objects.filter(user=user)
        if settings.HAS_MAIL and user.is_superuser and not own.filter(verified=True).exists():
            own.get_or_create(user=user, email=user.email.lower(), defaults={"primary": True})
            security_mail.ask("confirm", user.email.lower(), user)


class AddPasskeyForm(_Careful, forms.AddWebAuthnForm):  # type: ignore[misc]
    def clean_name(self) -> str:
        return str(super().clean_name())[:60]


class AuthenticatePasskeyForm(_Careful, forms.AuthenticateWebAuthnForm):  # type: ignore[misc]
    pass


class LoginPasskeyForm(_Careful, forms.LoginWebAuthnForm):  # type: ignore[misc]
    pass


class ReauthenticatePasskeyForm(_Careful, forms.ReauthenticateWebAuthnForm):  # type: ignore[misc]
    pass
