"""The page where people create and revoke their API tokens."""

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.security_log import Kind, note
from league.base.acts import tokens
from league.base.views.base import form_status, telling
from league.models import ApiToken


class TokenForm(forms.Form):
    name = forms.CharField(label=_("Purpose"), max_length=60)
    scopes = forms.MultipleChoiceField(
        label=_("What it may do"),
        choices=ApiToken.Scope.choices,
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.TypedChoiceField(
        label=_("How long it works"),
        choices=[(30, _("30 days")), (90, _("90 days")), (365, _("a year"))],
        coerce=int,
        initial=90,
    )


@never_cache
@login_required
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator]
def token_list(request: HttpRequest) -> HttpResponse:
    """Show the account's tokens and create one; its secret is shown once."""
    form, secret = TokenForm(request.POST or None), ""
    if request.method == "POST" and form.is_valid():
        with telling(request, form=form):
            _token, secret = tokens.create_token(
                user=request.user,  # type: ignore[arg-type]
                **form.cleaned_data,
            )
            note(Kind.TOKEN_MADE, request.user, request=request)  # type: ignore[arg-type]
            form = TokenForm()
    own = ApiToken.objects.alive().filter(user=request.user.pk)
    context = {"form": form, "secret": secret, "tokens": list(own)}
    return render(request, "league/clubs/tokens.html", context, status=form_status(form))


@require_POST
@login_required
def token_revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Revoke one of the account's own tokens."""
    tokens.revoke_token(token=get_object_or_404(ApiToken, pk=pk, user=request.user.pk))
    note(Kind.TOKEN_REVOKED, request.user, request=request)  # type: ignore[arg-type]
    return redirect("api:tokens")
