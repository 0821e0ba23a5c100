"""Pages of the installation's owner about accounts."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_POST

from accounts import services
from accounts.models import User


@login_required
def people(request: HttpRequest) -> HttpResponse:
    """Everybody with an account, for the owner of the installation."""
    _require_owner(request)
    pages = Paginator(User.objects.order_by("email"), 50)
    return render(
        request, "accounts/people.html", {"page_obj": pages.get_page(request.GET.get("page"))}
    )


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
