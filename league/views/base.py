"""What every page of a club shares: finding the club, checking rights, telling what went wrong."""

from __future__ import annotations

import functools
import zoneinfo
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied, ValidationError
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django_htmx.middleware import HtmxDetails

from accounts.models import User
from league import rights
from league.models import Club, Event, Round, Sitting
from league.rights import Right

View = Callable[..., HttpResponseBase]


class ClubRequest(HttpRequest):
    """A request whose club was found and whose visitor may see it.

    `user` is somebody with an account wherever the page asks for more than `Right.SEE`.
    """

    club: Club
    right: Right
    user: User
    htmx: HtmxDetails


def club_view(right: Right, *, to_post: Right | None = None) -> Callable[[View], View]:
    """Finds the club of the address and lets only those in who have `right` in it.

    `to_post` is the right needed to send something, where it is more than that to look.

    A club that the visitor may not see answers as if it did not exist. Times on the page are those
    of the club.
    """

    def decorate(view: View) -> View:
        @functools.wraps(view)
        def wrapped(request: ClubRequest, slug: str, **kwargs: Any) -> HttpResponseBase:
            club = Club.objects.filter(slug=slug).first()
            held = rights.highest(request.user, club) if club else None
            if club is None or held is None:
                raise Http404
            needed = to_post if request.method == "POST" and to_post is not None else right
            if held < needed:
                if not request.user.is_authenticated:
                    return redirect_to_login(request.get_full_path())
                raise PermissionDenied
            request.club, request.right = club, held
            with timezone.override(zoneinfo.ZoneInfo(club.time_zone)):
                return view(request, **kwargs)

        return wrapped

    return decorate


def page(
    request: ClubRequest, template: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    """Renders a page of the club, which knows what its visitor may do."""
    may = {
        "club": request.club,
        "may_belong": request.right >= Right.BELONG,
        "may_score": request.right >= Right.SCORE,
        "may_organise": request.right >= Right.ORGANISE,
        "may_own": request.right >= Right.OWN,
    }
    return render(request, template, may | context, status=status)


def event_or_404(request: ClubRequest, pk: int) -> Event:
    """The club's event with that key."""
    event = (
        Event.objects.filter(season__club=request.club, pk=pk)
        .select_related("season__club", "ruleset", "run")
        .first()
    )
    if event is None:
        raise Http404
    return event


def round_or_404(request: ClubRequest, event: Event, number: int) -> Round:
    """The event's round, drafts only for those who may draw."""
    round_ = event.rounds.filter(number=number).first()
    if round_ is None or (round_.status == "draft" and request.right < Right.ORGANISE):
        raise Http404
    return round_


def sitting_or_404(request: ClubRequest, event: Event, number: int, table_no: int) -> Sitting:
    """The table of a released round of the event."""
    sitting = (
        Sitting.objects.filter(
            round__event=event, round__number=number, round__status="released", table_no=table_no
        )
        .select_related("round")
        .first()
    )
    if sitting is None:
        raise Http404
    return sitting


def asked_name(request: HttpRequest) -> str:
    """The name that somebody looks for in a long list."""
    return request.GET.get("q", "").strip()[:60]


def incomplete_form() -> ValidationError:
    """What a form deserves that no page of ours has sent."""
    return ValidationError(_("This form is incomplete. Reload the page."), code="form")


def tell(request: HttpRequest, error: ValidationError) -> None:
    """Shows what a service refused, on the next page."""
    for message in error.messages:
        messages.error(request, message)


def add_errors(form: BaseForm, error: ValidationError) -> None:
    """Puts what a service refused beside the fields it is about."""
    if not hasattr(error, "error_dict"):
        form.add_error(None, error)
        return
    for field, errors in error.error_dict.items():
        form.add_error(field if field in form.fields else None, errors)


def form_status(form: BaseForm) -> int:
    """422 for a form sent with mistakes, else 200."""
    return 422 if form.is_bound and form.errors else 200
