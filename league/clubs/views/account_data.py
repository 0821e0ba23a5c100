"""Views of the user's own account, and of administrators who delete accounts."""

from typing import cast

from allauth.account.decorators import reauthentication_required
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.models import User
from accounts.security_log import Kind, note
from accounts.security_mail import address_of
from accounts.views import owner_only
from league.base.views.base import perform
from league.clubs.acts import account_data
from league.clubs.pages import account_data as selector
from league.clubs.pages.bins import binned_clubs
from league.models import Club
from league.models.spelling import Alphabetical


@never_cache
@login_required
def account(request: HttpRequest) -> HttpResponse:
    """Show the account: its sign-in, roles and data."""
    user = cast(User, request.user)
    context = {
        "person": user,
        "second_factor": is_mfa_enabled(user),
        "memberships": user.memberships.filter(club__in=Club.objects.of(user))
        .select_related("club")
        .order_by(Alphabetical("club__name")),
        "binned": binned_clubs(user),
        "alone": account_data.clubs_left_alone(user),
    }
    return render(request, "accounts/account.html", context)


@never_cache
@login_required
def my_data(request: HttpRequest) -> HttpResponse:
    """Download all stored data about the user as JSON."""
    response = JsonResponse(
        selector.everything(cast(User, request.user)),
        json_dumps_params={"ensure_ascii": False, "indent": 1},
    )
    response["Content-Disposition"] = 'attachment; filename="my-data.json"'
    return response


@require_POST
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
def erase_me(request: HttpRequest) -> HttpResponse:
    """Delete the user's own account; typing the email prevents an accidental tap."""
    user = cast(User, request.user)
    if request.POST.get("email", "").strip().lower() != user.email:
        messages.error(request, _("Type your email to delete the account. This can't be undone."))
        return redirect("account")
    if not perform(request, lambda: account_data.erase_person(user=user)):
        return redirect("account")
    logout(request)
    messages.success(request, _("Your account has been deleted. Results stay, without your name."))
    return redirect("home")


@require_POST
@owner_only
def erase_person(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a person's account on their request, as an administrator."""
    person = get_object_or_404(User, pk=pk, is_active=True)
    if request.POST.get("email", "").strip().lower() != person.email:
        messages.error(request, _("Type the account's email to delete it. This can't be undone."))
        return redirect("accounts:person", pk=pk)
    address = address_of(person)
    if not perform(request, lambda: account_data.erase_person(user=person)):
        return redirect("accounts:person", pk=pk)
    note(Kind.ERASED, person, request=request, by=cast(User, request.user), to=address)
    messages.success(request, _("The account has been deleted. Its results stay, without a name."))
    return redirect("accounts:people")
