"""The base of a club's pages: finding the club, checking rights, showing errors."""

import functools
import zoneinfo
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models.functions import Coalesce
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django_htmx.middleware import HtmxDetails

from accounts.models import User
from league.base import rights
from league.base.lookup import find_club
from league.base.phone_keys import keys_of
from league.base.rights import Right
from league.base.views import phones
from league.base.views.phones import phone_of
from league.models import Club, Event, shown_names
from tables.refusals import Refusal
from tables.web.scripts import expects_refusals, refusal

View = Callable[..., HttpResponseBase]


class ClubRequest(HttpRequest):
    """A request for a page of a club that the visitor may see.

    `user` has an account if the page needs more than `Right.SEE`, or stands in for the owner of a
    held club; `account` is the one signed in.
    """

    club: Club
    right: Right
    user: User
    account: User | AnonymousUser
    htmx: HtmxDetails


def club_view(
    right: Right,
    *,
    to_post: Right | None = None,
    keep_first: bool = False,
    of: Callable[[Club, int], object] | None = None,
) -> Callable[[View], View]:
    """Decorate a view: find the club of the URL and require `right` in it.

    `of` finds what of the club the URL's `pk` names: the view gets it instead of the key. `to_post`
    is the right that a POST needs, if it is a higher one. A page to `keep_first` needs an account,
    as it works, sends or stays beyond the night: a phone that holds the club is asked to keep it. A
    club that the visitor may not see is a 404. Times on the page are in the club's time zone.
    """

    def decorate(view: View) -> View:
        @functools.wraps(view)
        def wrapped(request: ClubRequest, slug: str, **kwargs: Any) -> HttpResponseBase:
            signed_out = expects_refusals(request) and not request.user.is_authenticated
            try:
                club, held = _find_club(request, slug)
            except Http404:
                if signed_out:
                    return _sign_in_again()
                raise
            needed = to_post if request.method == "POST" and to_post is not None else right
            if held < needed:
                if signed_out:
                    return _sign_in_again()
                if not request.user.is_authenticated:
                    return redirect_to_login(request.get_full_path())
                if expects_refusals(request):
                    text = _("Your role no longer allows this. Ask an organiser.")
                    return refusal("not_allowed", text, status=403, retry=True)
                raise PermissionDenied
            if club.held_until is not None and keep_first:
                return redirect("league:keep", slug)
            request.club, request.right = club, held
            speak_of(request, club)
            with timezone.override(zoneinfo.ZoneInfo(club.time_zone)):
                found = [] if of is None else [of(club, kwargs.pop("pk"))]
                return view(request, *found, **kwargs)

        wrapped.keep_first = keep_first  # type: ignore[attr-defined]
        return wrapped

    return decorate


def atomic_post(view: View) -> View:
    """Decorate a view: a POST is one transaction, so that locks hold from its form to its act."""
    in_one = transaction.atomic(view)

    @functools.wraps(view)
    def wrapped(request: HttpRequest, *found: object, **kwargs: Any) -> HttpResponseBase:
        return (in_one if request.method == "POST" else view)(request, *found, **kwargs)

    return wrapped


def speak_of(request: HttpRequest, club: Club) -> None:
    """Use the club's language where the visitor names none, as crawlers and programs do."""
    names_one = "Accept-Language" in request.headers
    if club.language and not names_one and settings.LANGUAGE_COOKIE_NAME not in request.COOKIES:
        translation.activate(club.language)


def _find_club(request: ClubRequest, slug: str) -> tuple[Club, Right]:
    """Return the club and the visitor's right in it.

    The phone that holds a club is its owner there: `request.user` becomes its stand-in.
    """
    request.account = request.user
    try:
        club, right = find_club(request.user, slug)
        if shown_names.form() is not None and rights.has_name(club, phone_of(request)):
            shown_names.read_as(None)
        return club, right
    except Http404:
        if (stand_in := phones.holder_of(request, slug)) is None:
            raise
        request.user = stand_in
        return find_club(stand_in, slug)


def _sign_in_again() -> HttpResponse:
    """Return a script's 401, which does not reveal whether the club exists."""
    return refusal("signed_out", _("You are signed out. Sign in again."), status=401, retry=True)


def page(
    request: ClubRequest, template: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    """Render a page of the club, with the visitor's rights in its context."""
    may = {
        "club": request.club,
        "unit": unit_of(request.club, context),
        "may_belong": request.right >= Right.BELONG,
        "may_score": request.right >= Right.SCORE,
        "may_organise": request.right >= Right.ORGANISE,
        "may_own": request.right >= Right.OWN,
        "may_see_money": sees_money(request, context.get("event")),
    }
    return render(request, template, may | context, status=status)


def unit_of(club: Club, context: dict[str, Any]) -> str:
    """Return the unit of the money on a page: of its season, of its night's, else of the club."""
    event = context.get("event")
    season = event.season if event else context.get("season")
    return (season.fixed_unit if season else "") or club.unit


def sees_money(request: ClubRequest, event: Event | None = None) -> bool:
    """Return whether the visitor may see money: the club's, or only that of the event."""
    if request.club.shows_money:
        return True
    return event is not None and rights.may_see_night_money(event, phone_of(request))


def must_see_money(request: ClubRequest, event: Event | None = None) -> None:
    """Raise Http404 if the visitor may not see the money."""
    if not sees_money(request, event):
        raise Http404


def asked_name(request: HttpRequest) -> str:
    """Return the name searched for in a long list."""
    return request.GET.get("q", "").strip()[:60]


def incomplete_form() -> ValidationError:
    """Return the refusal of a form that none of the pages could have sent."""
    return Refusal(_("This form is incomplete. Reload the page."), code="form")


def tell(request: HttpRequest, error: ValidationError) -> None:
    """Show a service's refusal on the next page."""
    for message in error.messages:
        messages.error(request, message)


@contextmanager
def telling(request: HttpRequest, done: Any = "", form: BaseForm | None = None) -> Iterator[None]:
    """Show what a service said: its refusal, or `done` (it may be lazy) if it did not refuse.

    A refusal ends the block and goes to the form if there is one, else to the next page.
    """
    try:
        yield
    except ValidationError as error:
        if form is None:
            tell(request, error)
        else:
            add_errors(form, error)
    else:
        if done:
            messages.success(request, done)


def add_errors(form: BaseForm, error: ValidationError) -> None:
    """Add a service's refusal to the form fields that it concerns."""
    renew_key(form, error)
    if not hasattr(error, "error_dict"):
        form.add_error(None, error)
        return
    for field, errors in error.error_dict.items():
        form.add_error(field if field in form.fields else None, errors)


def renew_key(form: BaseForm, error: ValidationError | None) -> None:
    """Give a form whose key was used before another one, so that it can be sent again."""
    if getattr(error, "code", "") == "key_reused":
        data = QueryDict(mutable=True)
        data.update(form.data)
        data["client_id"], form.data = str(uuid4()), data


def form_status(form: BaseForm) -> int:
    """Return 422 for a submitted form with errors, 409 if they are crossed values, else 200."""
    if not (form.is_bound and form.errors):
        return 200
    return 409 if getattr(form, "crossed", False) else 422


def own_players(request: ClubRequest, event: Event | None = None) -> list[int]:
    """Return the keys of the visitor's players, with the name that the phone has in the event."""
    found: set[int] = set()
    if request.user.is_authenticated:
        found |= set(request.club.players.filter(user=request.user).values_list("pk", flat=True))
    if event is not None and (phone := phone_of(request)):
        held = event.claims.filter(phone_hash__in=keys_of(phone, request.club.pk), ended_at=None)
        found |= set(held.values_list(Coalesce("player__merged_into", "player"), flat=True))
    return sorted(found)
