"""API authentication: a token in the header `Authorization: Bearer tl_…`, or the session."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from accounts.models import User
from league.base.acts import tokens
from league.models import ApiToken
from tables.base.lookup import or_raise


class TokenAuthentication(BaseAuthentication):
    """Authentication by token. An invalid token is refused; a request without one is anonymous."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != b"bearer":
            return None
        secret = words[1].decode("latin-1") if len(words) == 2 else ""
        token = or_raise(
            tokens.token_of(secret),
            AuthenticationFailed(_("This token is not valid. Create a new one.")),
        )
        _check_scope(token, request)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def _check_scope(token: ApiToken, request: Request) -> None:
    """Raise 403 if the token lacks the scope that the view, or else the method, needs."""
    reads = request.method in SAFE_METHODS
    view = request.parser_context["view"]
    writes = getattr(view, "scope_to_write", ApiToken.Scope.ORGANISE)
    usual = ApiToken.Scope.READ if reads else writes
    needed = getattr(view, "token_scope", usual)
    if needed not in token.scopes:
        text = _("This token lacks the scope “%(scope)s”. Create one that has it.")
        raise PermissionDenied({"detail": text % {"scope": str(needed)}, "code": "scope"})


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}
