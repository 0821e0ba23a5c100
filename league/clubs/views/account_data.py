"""Views of the user's own account, and of administrators who delete accounts."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.models import User
from accounts.security_log import Kind, note
from accounts.security_mail import address_of
from accounts.signed_in import SignedInRequest
from accounts.views import owner_only
from league.base.downloads import attached
from league.base.lookup import find_person
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view, telling
from league.clubs.acts import account_data
from league.clubs.pages import account_data as selector
from league.clubs.pages.bins import binned_clubs
from league.models import Player


@never_cache
@login_required
def account(request: SignedInRequest) -> HttpResponse:
    """Show the account: its sign-in, roles and data."""
    context = {
        "person": request.user,
        "second_factor": is_mfa_enabled(request.user),
        "binned": binned_clubs(request.user),
        "alone": account_data.clubs_left_alone(request.user),
    }
    return render(request, "accounts/account.html", context)


@never_cache
@login_required
def my_data(request: SignedInRequest) -> HttpResponse:
    """Download all stored data about the user as JSON."""
    return _file(selector.everything(request.user), "my-data")


@never_cache
@require_POST
@club_view(Right.ORGANISE, of=find_person)
def player_data(request: ClubRequest, player: Player) -> HttpResponse:
    """Download, for a person without an account, all that the club stores about them."""
    if player.bot or player.user_id:
        raise Http404
    account_data.note_file(player=player, by=request.user)
    data = {"format": selector.FORMAT, "players": [selector.of_player(player)]}
    return _file(data, f"player-{player.pk}")


def _file(data: dict[str, Any], name: str) -> HttpResponse:
    params = {"ensure_ascii": False, "indent": 1}
    return JsonResponse(data, json_dumps_params=params, headers=attached(f"{name}.json"))


@require_POST
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
def erase_me(request: SignedInRequest) -> HttpResponse:
    """Delete the user's own account; typing the email prevents an accidental tap."""
    typed = request.POST.get("email", "").strip()
    if typed.lower() != request.user.email:
        told = _("“%(email)s” is not the email of this account. Nothing was deleted.")
        if not typed:
            told = _("Type your email to delete the account. This can't be undone.")
        messages.error(request, told % {"email": typed[:60]})
        return redirect("account")
    with telling(request):
        account_data.erase_person(user=request.user)
        logout(request)
        text = _("Your account has been deleted. Results stay, without your name.")
        messages.success(request, text)
        return redirect("home")
    return redirect("account")


@require_POST
@owner_only
def erase_person(request: SignedInRequest, pk: int) -> HttpResponse:
    """Delete a person's account on their request, as an administrator."""
    person = get_object_or_404(User.objects.known(), pk=pk)
    if request.POST.get("email", "").strip().lower() != person.email:
        messages.error(request, _("Type the account's email to delete it. This can't be undone."))
        return redirect("accounts:person", pk=pk)
    address = address_of(person)
    with telling(request, _("The account has been deleted. Its results stay, without a name.")):
        account_data.erase_person(user=person, by=request.user)
        note(Kind.ERASED, person, request=request, by=request.user, to=address)
        return redirect("accounts:people")
    return redirect("accounts:person", pk=pk)


@require_POST
@owner_only
def lock_person(request: SignedInRequest, pk: int) -> HttpResponse:
    """Keep an account from signing in, as an administrator, or let it again."""
    person = get_object_or_404(User.objects.known(), pk=pk)
    if request.POST.get("locked", "0" if person.locked_at else "1") == "0":
        with telling(request, _("Unlocked.")):
            account_data.unlock_account(user=person, by=request.user)
    else:
        with telling(request, _("Locked.")):
            account_data.lock_account(user=person, by=request.user)
    return redirect("accounts:person", pk=pk)
