"""Pages about accounts: people's own pages, and those of the installation's owner."""

from collections.abc import Callable
from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.mfa.utils import is_mfa_enabled
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts import services
from accounts.devices import device_name
from accounts.models import User
from accounts.security_log import Kind, note
from accounts.sessions import end_sessions
from accounts.signed_in import SignedInRequest


def no_mail(request: HttpRequest) -> HttpResponse:
    """Say who helps with a forgotten password, on a server that sends no email."""
    owners = User.objects.filter(is_superuser=True, is_active=True).exclude(name="")
    names = ", ".join(owners.order_by("pk").values_list("name", flat=True)[:3])
    return render(request, "account/no_mail.html", {"names": names})


@login_required
def devices(request: SignedInRequest) -> HttpResponse:
    """Show the person's sessions; a POST signs out all others."""
    user, current = request.user, request.session.session_key
    if request.method == "POST":
        end_sessions(user, but=current)
        note(Kind.SIGNED_OUT, user, request=request)
        messages.success(request, _("Signed out everywhere else."))
        return redirect("accounts:devices")
    if not UserSession.objects.filter(session_key=current).exists():
        UserSession.objects.create_from_request(request)
    sessions = UserSession.objects.purge_and_list(user)
    named = [(device_name(session.user_agent), session) for session in sessions]
    return render(request, "accounts/devices.html", {"devices": named})


@login_required
def security(request: SignedInRequest) -> HttpResponse:
    own = request.user.security_events.select_related("by")
    context = {"page_obj": Paginator(own, 50).get_page(request.GET.get("page"))}
    return render(request, "accounts/security.html", context)


def owner_only(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Restrict a view to the installation's owner, with a recent password check."""

    @login_required
    def wrapped(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        _require_owner(request)
        answer: HttpResponse = reauthentication_required(view)(request, **kwargs)
        return answer

    return wrapped


@login_required
def people(request: HttpRequest) -> HttpResponse:
    _require_owner(request)
    pages = Paginator(User.objects.known().order_by("email"), 50)
    return render(
        request, "accounts/people.html", {"page_obj": pages.get_page(request.GET.get("page"))}
    )


@login_required
def person(request: HttpRequest, pk: int) -> HttpResponse:
    _require_owner(request)
    found = get_object_or_404(User.objects.known(), pk=pk)
    context = {"person": found, "second_factor": is_mfa_enabled(found)}
    return render(request, "accounts/person.html", context)


@require_POST
@owner_only
def remove_second_factor(request: SignedInRequest, pk: int) -> HttpResponse:
    """Remove the second factor of a person who lost the phone and the recovery codes."""
    found = get_object_or_404(User, pk=pk, is_active=True)
    services.remove_second_factor(user=found)
    note(Kind.FACTOR_REMOVED, found, request=request, by=request.user)
    said = _("Two-factor authentication is off. %(name)s now signs in with the password alone.")
    messages.success(request, said % {"name": found.name or found.email})
    return redirect("accounts:person", pk=pk)


@require_POST
@owner_only
def make_password_link(request: SignedInRequest, pk: int) -> HttpResponse:
    user = get_object_or_404(User, pk=pk, is_active=True)
    note(Kind.PASSWORD_LINK, user, request=request, by=request.user)
    link = request.build_absolute_uri(services.password_link(user=user))
    return render(request, "accounts/password_link.html", {"person": user, "link": link})


def _require_owner(request: HttpRequest) -> None:
    if not request.user.is_superuser:
        raise PermissionDenied
