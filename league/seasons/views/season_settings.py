"""Views of a season's scoring, bonuses and tie-breaks, and of each night's weight."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.base.acts import locks
from league.base.lookup import find_event, find_season
from league.base.rights import Right
from league.base.views.base import (
    ClubRequest,
    add_errors,
    atomic_post,
    club_view,
    form_status,
    page,
    telling,
)
from league.models import Event, Season
from league.seasons.acts import seasons
from league.seasons.domain.scoring import GIVES_NAMES, Scoring
from league.seasons.domain.standings.tie_breaks import TIE_BREAKS
from league.seasons.facts.standings import tie_break_name
from league.seasons.forms.settings import ScoringForm, field_of


@club_view(Right.ORGANISE, of=find_season)
@atomic_post
def season_settings(request: ClubRequest, found: Season) -> HttpResponse:
    """Show and change the season's scoring and tie-breaks."""
    if request.method == "POST":
        found = locks.season(found.pk)
    initial = ScoringForm.initial_of(Scoring.from_json(found.scoring), found.tie_breaks)
    initial["ranks_bots"] = found.ranks_bots
    form = ScoringForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid() and _changed(request, found, form):
        said = _("Saved. The standings below now count this way.")
        if set(form.changed_data) & set(form.NIGHT) and not form.cleaned_data["recount_all"]:
            said = _("Saved. Nights that were played keep their points; new ones count this way.")
            if set(form.changed_data) - set(form.NIGHT):
                said = _(
                    "Saved. The points of nights that were played stay; how nights add up "
                    "already counts."
                )
        messages.success(request, said)
        return redirect("league:season", slug=request.club.slug, pk=found.pk)
    context = {
        "season": found,
        "form": form,
        "events": list(found.events.all()),
        "gives": [(key, _(name)) for key, name in GIVES_NAMES.items()],
    }
    return page(request, "league/seasons/season_settings.html", context, form_status(form))


@require_POST
@club_view(Right.ORGANISE, of=find_event)
def event_worth(request: ClubRequest, event: Event) -> HttpResponse:
    """Set what a night gives its season, and its weight."""
    sent = {name: request.POST.get(name) for name in ("weight", "gives")}
    with telling(request, _("Saved for %(event)s.") % {"event": event.name}):
        seasons.set_worth(event=event, by=request.user, **sent)
    return redirect("league:season_settings", slug=request.club.slug, pk=event.season_id)


def _changed(request: ClubRequest, season: Season, form: ScoringForm) -> bool:
    """Save the form; on errors put each beside its field and return False."""
    try:
        seasons.change_scoring(
            season=season,
            scoring=form.scoring(),
            tie_breaks=form.tie_breaks(),
            recount_all=form.cleaned_data["recount_all"],
            ranks_bots=form.cleaned_data["ranks_bots"],
            by=request.user,
        )
    except ValidationError as error:
        if hasattr(error, "error_dict"):
            for wrong in error.error_dict.get("tie_breaks", []):
                key = (wrong.params or {}).get("key")
                if key and key in TIE_BREAKS:  # The page shows names, not keys.
                    wrong.params = {"key": tie_break_name(key)}
            named = {field_of(path): errors for path, errors in error.error_dict.items()}
            error = ValidationError(named)
        add_errors(form, error)
        return False
    return True
