"""One's own account, and what the owner of the installation does about those of others."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.models import User
from league.models import Player
from league.selectors import persons as selector
from league.selectors.alphabet import Alphabetical
from league.services import persons
from league.views.base import tell


@never_cache
@login_required
def me(request: HttpRequest) -> HttpResponse:
    """What belongs to the account: how one signs in, where one plays, one's data."""
    user = _user(request)
    context = {
        "person": user,
        "second_factor": is_mfa_enabled(user),
        "memberships": user.memberships.select_related("club").order_by(Alphabetical("club__name")),
        "players": Player.objects.filter(user=user, merged_into=None).select_related("club"),
        "alone": persons.clubs_left_alone(user),
    }
    return render(request, "accounts/me.html", context)


@never_cache
@login_required
def my_data(request: HttpRequest) -> HttpResponse:
    """Everything that is kept about whoever asks, as JSON."""
    response = JsonResponse(
        selector.everything(_user(request)),
        json_dumps_params={"ensure_ascii": False, "indent": 1},
    )
    response["Content-Disposition"] = 'attachment; filename="my-data.json"'
    return response


@require_POST
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
def erase_me(request: HttpRequest) -> HttpResponse:
    """Ends one's own account; the email has to be typed, so that no stray tap does it."""
    user = _user(request)
    if request.POST.get("email", "").strip().lower() != user.email:
        messages.error(request, _("Type your email to end the account: this cannot be undone."))
        return redirect("me")
    try:
        persons.erase_person(user=user)
    except ValidationError as error:
        tell(request, error)
        return redirect("me")
    logout(request)
    messages.success(request, _("Your account is gone. The results stay without your name."))
    return redirect("home")


@require_POST
@login_required
def erase_person(request: HttpRequest, pk: int) -> HttpResponse:
    """The owner of the installation ends somebody's account on that person's request."""
    if not _user(request).is_superuser:
        raise PermissionDenied
    person = get_object_or_404(User, pk=pk, is_active=True)
    if request.POST.get("email", "").strip().lower() != person.email:
        messages.error(request, _("Type the account's email to end it: this cannot be undone."))
        return redirect("accounts:person", pk=pk)
    try:
        persons.erase_person(user=person)
    except ValidationError as error:
        tell(request, error)
        return redirect("accounts:person", pk=pk)
    messages.success(request, _("The account is gone. Its results stay without a name."))
    return redirect("accounts:people")


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user
