"""Calendars: files of nights for programs, and the page with their addresses."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.base.acts import links
from league.base.lookup import find_event, find_season, seasons_to_see
from league.base.rights import Right
from league.base.views import guessing
from league.base.views.base import ClubRequest, club_view, page
from league.base.views.conditional import answer_if_changed
from league.models import CalendarFeed, Club, Event, Season
from league.schedules.acts import calendars
from league.schedules.pages import calendars as selector
from league.schedules.pages.calendars import CalendarOf
from tables.web.addresses import address_of


@require_safe
@club_view(Right.SEE, keep_first=True)
def club_calendar(request: ClubRequest) -> HttpResponse:
    """Return the club's nights to everyone who may see them."""
    return _file(request, selector.of_club(request.club))


@require_safe
@club_view(Right.SEE, keep_first=True, of=find_season)
def season_calendar(request: ClubRequest, season: Season) -> HttpResponse:
    """Return a season's nights."""
    return _file(request, selector.of_club(request.club, season))


@require_safe
@club_view(Right.SEE, keep_first=True, of=find_event)
def night_calendar(request: ClubRequest, night: Event) -> HttpResponse:
    """Return one night, to add it to a calendar."""
    return _file(request, CalendarOf(night.name, [night]))


@require_safe
def link_night_calendar(request: HttpRequest, night: str) -> HttpResponse:
    """Return a night to anyone with its link."""
    link = None if guessing.too_many(request) else links.find_night(night)
    if link is None or link.event is None or not link.event.is_open:
        if not links.is_known(night):
            guessing.note_miss(request)
        raise Http404
    address = address_of(request, reverse("league:link_night", args=[night])).url
    return _file(request, CalendarOf(link.event.name, [link.event]), {link.event.pk: address})


@require_safe
def link_calendar(request: HttpRequest, feed: str) -> HttpResponse:
    """Return a feed's nights to the program that knows its secret address."""
    if guessing.too_many(request):
        return HttpResponse(status=429)
    known = calendars.find_feed(feed)
    found = selector.of_feed(known) if known else None
    if known is None or found is None:
        if known is None:
            guessing.note_miss(request)
        raise Http404
    return _file(request, found)


def _file(
    request: HttpRequest, calendar: CalendarOf, addresses: dict[int, str] | None = None
) -> HttpResponse:
    """Return the calendar as a file, or 304 if the program has this version."""
    if addresses is None:
        addresses = {
            night.pk: address_of(
                request, reverse("league:event", args=[night.season.club.slug, night.pk])
            ).url
            for night in calendar.nights
        }
    body = selector.ics(calendar, addresses)
    response = HttpResponse(body, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = 'inline; filename="nights.ics"'
    response["Cache-Control"] = "private, no-cache"
    changed = [night.planned_at or night.created_at for night in calendar.nights]
    return answer_if_changed(request, response, int(max(changed).timestamp()) if changed else None)


Feed = tuple[Club | None, Season | None]


@dataclass(frozen=True)
class OfferedFeed:
    """A calendar on offer, and the account's secret address for it."""

    value: str
    text: str
    address: str


@club_view(Right.SEE, keep_first=True)
def calendar(request: ClubRequest) -> HttpResponse:
    """Show the addresses for calendar programs; a POST creates or revokes the account's own."""
    seasons = list(seasons_to_see(request.club).filter(status=Season.Status.OPEN)[:20])
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect("account_login")
        return _changed(request, seasons)
    context: dict[str, object] = {"public": "", "offered": []}
    if request.club.is_public:
        path = reverse("league:club_calendar", args=[request.club.slug])
        context["public"] = address_of(request, path).url
    if request.user.is_authenticated:
        made = CalendarFeed.objects.filter(user=request.user).select_related("club", "season")
        paths = {
            (feed.club, feed.season): reverse("league:link_calendar", args=[feed.secret])
            for feed in made
        }
        context["offered"] = [
            OfferedFeed(value, name, address_of(request, paths[key]).url if key in paths else "")
            for value, (name, key) in _feeds(request, seasons).items()
        ]
    return page(request, "league/schedules/calendar.html", context)


def _feeds(request: ClubRequest, seasons: list[Season]) -> dict[str, tuple[str, Feed]]:
    """Return the feeds that an account may have here, by the form's value: name and feed."""
    club = request.club
    own: dict[str, tuple[str, Feed]] = {
        "mine": (_("My nights in all clubs"), (None, None)),
        "club": (club.name, (club, None)),
    }
    return own | {str(season.pk): (season.name, (club, season)) for season in seasons}


def _changed(request: ClubRequest, seasons: list[Season]) -> HttpResponse:
    found = _feeds(request, seasons).get(request.POST.get("what", ""))
    if found is None:
        messages.error(request, _("This form is incomplete. Reload the page."))
        return redirect("league:calendar", slug=request.club.slug)
    _name, (club, season) = found
    if "end" in request.POST:
        calendars.end_feed(user=request.user, club=club, season=season)
        messages.success(request, _("The address is switched off."))
    else:
        calendars.make_feed(user=request.user, club=club, season=season)
        messages.success(request, _("The address is ready. Keep it to yourself."))
    return redirect("league:calendar", slug=request.club.slug)
