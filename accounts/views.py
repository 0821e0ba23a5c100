"""Pages of the installation's owner about accounts."""

from __future__ import annotations

from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts import services
from accounts.models import User


@login_required
def people(request: HttpRequest) -> HttpResponse:
    """Everybody with an account, for the owner of the installation."""
    _require_owner(request)
    pages = Paginator(User.objects.filter(is_active=True).order_by("email"), 50)
    return render(
        request, "accounts/people.html", {"page_obj": pages.get_page(request.GET.get("page"))}
    )


@login_required
def person(request: HttpRequest, pk: int) -> HttpResponse:
    """One account, and what its person may ask the owner for."""
    _require_owner(request)
    found = get_object_or_404(User, pk=pk, is_active=True)
    context = {"person": found, "second_factor": is_mfa_enabled(found)}
    return render(request, "accounts/person.html", context)


@login_required
@require_POST
def remove_second_factor(request: HttpRequest, pk: int) -> HttpResponse:
    """For somebody who lost the phone and the recovery codes: the password is enough again."""
    _require_owner(request)
    found = get_object_or_404(User, pk=pk, is_active=True)
    services.remove_second_factor(user=found)
    messages.success(request, _("The second factor is off. The password is enough to sign in."))
    return redirect("accounts:person", pk=pk)


@login_required
@require_POST
def make_password_link(request: HttpRequest, pk: int) -> HttpResponse:
    """A one-time link that the owner hands to somebody who forgot the password."""
    _require_owner(request)
    user = get_object_or_404(User, pk=pk, is_active=True)
    link = request.build_absolute_uri(services.password_link(user=user))
    return render(request, "accounts/password_link.html", {"person": user, "link": link})


def _require_owner(request: HttpRequest) -> None:
    if not request.user.is_superuser:
        raise PermissionDenied
