"""Views of clubs: the list, a new one, settings, publishing, closing and the bin."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.signed_in import SignedInRequest
from league.base.rights import Right
from league.base.views.base import (
    ClubRequest,
    club_view,
    form_status,
    page,
    telling,
)
from league.base.views.undo import tell_done
from league.clubs.acts import bins, clubs, ending
from league.clubs.facts.search import that_played
from league.clubs.forms.clubs import ClubSettingsForm, NewClubForm
from league.clubs.pages import club_cards, moving
from league.clubs.pages.bins import find_binned
from league.models import Club
from league.models.shown_names import NameStyle
from league.models.spelling import Alphabetical
from tables.base import currencies
from tables.base.places import place_of


def club_list(request: HttpRequest) -> HttpResponse:
    """List the visitor's own clubs, then the public ones that played, the latest first."""
    clubs = Club.objects.get_queryset()
    clubs, mine = clubs.order_by(Alphabetical("name"), "pk"), clubs.none()
    if request.user.is_authenticated:
        mine = clubs.of(request.user)
    others = club_cards.with_news(that_played(clubs.public()).exclude(pk__in=mine))
    public = others.order_by(F("last_on").desc(nulls_last=True), Alphabetical("name"), "pk")
    context = {
        "mine": club_cards.with_news(mine),
        "page_obj": Paginator(public, 30).get_page(request.GET.get("page")),
    }
    return render(request, "league/clubs/club_list.html", context)


@login_required
def club_create(request: SignedInRequest) -> HttpResponse:
    form = NewClubForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with telling(request, _("Your club is ready. Next: add players."), form):
            club = clubs.create_club(by=request.user, **form.cleaned_data)
            return redirect("league:players", slug=club.slug)
    return render(
        request, "league/clubs/club_create.html", {"form": form}, status=form_status(form)
    )


@club_view(Right.OWN)
def club_settings(request: ClubRequest) -> HttpResponse:
    """Show and change the club's name, time zone, unit and embedding sites.

    An administrator of the server also chooses whether its front page shows the club.
    """
    is_on_front = Club.objects.on_front().filter(pk=request.club.pk).exists()
    if request.method == "POST" and "front" in request.POST:
        is_on = request.POST["front"] == "on"
        clubs.set_on_front(club=request.club, by=request.user, is_on=is_on)
        return redirect("league:club_settings", slug=request.club.slug)
    initial = {name: getattr(request.club, name) for name in ClubSettingsForm.Meta.fields}
    initial["time_zone"] = request.club.clock
    form = ClubSettingsForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        club, data = request.club, form.cleaned_data
        place = place_of(data["time_zone"], data["place"])
        if request.POST.get("moves_to") != place.zone and (asked := moving.move_of(club, place)):
            return page(request, "league/clubs/moving.html", {"move": asked, "sent": request.POST})
        with telling(request, _saved(club, data["unit"]), form):
            clubs.change_club(club=club, by=request.user, **data)
            return redirect("league:club", slug=club.slug)
    context = {"form": form, "is_on_front": is_on_front}
    return page(request, "league/clubs/club_settings.html", context, form_status(form))


def _saved(club: Club, unit: str) -> str:
    """Return what is said of saved settings: another unit leaves seasons with money as they are."""
    if unit in (club.unit, currencies.sign(club.unit)) or not club.seasons.exists():
        return _("Saved.")
    text = _("Saved. A season that has money keeps its unit; others count in %(unit)s.")
    return text % {"unit": unit}


@club_view(Right.OWN)
def publish(request: ClubRequest) -> HttpResponse:
    """Explain what a public club shows, and make the club public or private."""
    if request.method != "POST":
        club = request.club
        chosen = club.shows_names if club.is_public else NameStyle.FIRST
        return page(request, "league/clubs/publish.html", {"forms": NameStyle, "chosen": chosen})
    club, public = request.club, request.POST.get("public")
    is_public = None if public is None else public == "1"
    shows_names = request.POST.get("names")
    text = _("The club is public.") if is_public else _("The club is private.")
    text = _("Saved.") if is_public in (None, club.is_public) else text
    with telling(request, text):
        clubs.set_public(club=club, by=request.user, is_public=is_public, shows_names=shows_names)
        return redirect("league:club_settings", slug=club.slug)
    return redirect("league:publish", slug=club.slug)


@club_view(Right.OWN)
def close(request: ClubRequest) -> HttpResponse:
    """Explain what closing means, and close or reopen the club, as `closed` says.

    The page offers the archive and, for an unused club, the bin.
    """
    if request.method != "POST":
        return page(request, "league/clubs/close.html", {"hangs": bins.hangs_on_club(request.club)})
    if "because" in request.POST:
        because = request.POST["because"]
        with telling(request, _("Club closed.")):
            clubs.stop_club(club=request.club, by=request.user, because=because)
    elif request.POST.get("closed", "0" if request.club.closed_at else "1") == "0":
        with telling(request, _("Club reopened.")):
            clubs.reopen_club(club=request.club, by=request.user)
    else:
        clubs.close_club(club=request.club, by=request.user)
        messages.success(request, _("Club closed."))
    return redirect("league:close", slug=request.club.slug)


@club_view(Right.OWN)
def club_delete(request: ClubRequest) -> HttpResponse:
    """Explain what the end of a club means; delete it in a week, or keep it."""
    club = request.club
    if request.method != "POST":
        context = {"counts": club_cards.sizes(club), "ends_at": timezone.now() + ending.NOTICE}
        return page(request, "league/clubs/club_delete.html", context)
    if request.POST.get("do") == "keep":
        ending.stop(club=club, by=request.user)
        messages.success(request, _("The club stays."))
    else:
        ending.begin(club=club, by=request.user)
        if club.held_until is not None:
            messages.success(request, _("The club was deleted."))
            return redirect("home")
        messages.success(request, _("The members are told. The club is deleted in a week."))
    return redirect("league:club", slug=club.slug)


@require_POST
@club_view(Right.OWN)
def club_bin(request: ClubRequest) -> HttpResponse:
    """Put a club that was created by mistake in its owner's bin."""
    with telling(request):
        bins.bin_club(club=request.club, by=request.user)
        text = _("%(name)s is in the bin for 30 days.") % {"name": request.club.name}
        tell_done(request, text, reverse("my_bin"), [("club", request.club.slug)])
        return redirect("league:club_list")
    return redirect("league:close", request.club.slug)


@require_POST
@login_required
def my_bin(request: SignedInRequest) -> HttpResponse:
    """Restore a club from the account's bin."""
    club = find_binned(request.user, request.POST.get("club", ""))
    if club is None:
        messages.error(request, _("This is no longer in the bin."))
        return redirect("account")
    with telling(request, _("Restored.")):
        bins.restore_club(club=club, by=request.user)
        return redirect("league:club", club.slug)
    return redirect("account")
