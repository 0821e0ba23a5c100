"""Creating a bot tournament: one now, or a schedule of them."""

from dataclasses import asdict

from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.arena.acts import bots
from league.base.lookup import find_season
from league.base.rights import Right
from league.base.views.base import (
    ClubRequest,
    add_errors,
    club_view,
    form_status,
    page,
)
from league.clubs.facts import club_rules
from league.models import Season
from league.schedules.acts import schedules
from league.schedules.forms import BotsForm


@club_view(Right.ORGANISE, keep_first=True, of=find_season)
def bots_create(request: ClubRequest, season: Season) -> HttpResponse:
    """Create a bot tournament or a schedule from rules, bots and the number of deals."""
    initial = {
        "name": _("Bots %(date)s")
        % {"date": date_format(timezone.localdate(), "SHORT_DATE_FORMAT")},
        "ruleset": club_rules.key_or_digest(season.ruleset),
    }
    form = BotsForm(request.POST or None, initial=initial, club=request.club)
    if request.method == "POST" and form.is_valid():
        try:
            return _begin(request, season, form)
        except ValidationError as error:
            add_errors(form, at_first_bot(error))
    context = {"season": season, "form": form}
    return page(request, "league/arena/bots_create.html", context, form_status(form))


def _begin(request: ClubRequest, season: Season, form: BotsForm) -> HttpResponse:
    """Create the tournament, or the schedule if the form has a rule."""
    data = form.cleaned_data
    if data["rule"] is not None:
        schedules.create_schedule(season=season, by=request.user, repeated=form.repeated)
        return redirect("league:schedules", slug=request.club.slug, pk=season.pk)
    event = bots.create_bot_event(
        season=season,
        by=request.user,
        name=data["name"],
        date=timezone.localdate(),
        ruleset=data["ruleset"],
        **asdict(data["plan"]),
    )
    return redirect("league:event", slug=request.club.slug, pk=event.pk)


def at_first_bot(error: ValidationError) -> ValidationError:
    """Return the error with problems of all `bots` moved to the first bot's field."""
    if not hasattr(error, "error_dict"):
        return error
    return ValidationError(
        {"bot_1" if field == "bots" else field: found for field, found in error.error_dict.items()}
    )
