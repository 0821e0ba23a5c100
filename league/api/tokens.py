"""The page where people make and revoke the tokens of their programs."""

from __future__ import annotations

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from league.models import ApiToken
from league.services import tokens
from league.views.base import add_errors, form_status


class TokenForm(forms.Form):
    name = forms.CharField(label=_("What it is for"), max_length=60)


@never_cache
@login_required
def token_list(request: HttpRequest) -> HttpResponse:
    """One's own tokens; a new one's secret is shown once."""
    form, secret = TokenForm(request.POST or None), ""
    if request.method == "POST" and form.is_valid():
        try:
            _token, secret = tokens.create_token(
                user=request.user,  # type: ignore[arg-type]
                name=form.cleaned_data["name"],
            )
            form = TokenForm()
        except ValidationError as error:
            add_errors(form, error)
    own = ApiToken.objects.filter(user=request.user.pk, revoked_at=None)
    context = {"form": form, "secret": secret, "tokens": list(own)}
    return render(request, "league/tokens.html", context, status=form_status(form))


@require_POST
@login_required
def token_revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Ends one of one's own tokens."""
    tokens.revoke_token(token=get_object_or_404(ApiToken, pk=pk, user=request.user.pk))
    return redirect("api:tokens")
