"""New nights, and the recipes and schedules that make them."""

from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.forms import BaseForm
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.base.lookup import find_season, first_or_404, season_of_people
from league.base.rights import Right
from league.base.views.base import (
    ClubRequest,
    add_errors,
    atomic_post,
    club_view,
    form_status,
    incomplete_form,
    page,
    tell,
    telling,
)
from league.clubs.facts import club_rules
from league.models import Club, Event, Schedule, Season
from league.nights.acts import events, qualifiers
from league.nights.domain.night_plans import NightPlan
from league.nights.facts.events import outside_season
from league.nights.forms.qualifiers import BestOfForm
from league.schedules.acts import leagues, schedules
from league.schedules.domain.recurrence import Recurrence
from league.schedules.domain.repeated import PRESETS
from league.schedules.forms import (
    WEEK,
    LeagueForm,
    NewNightForm,
    NightModel,
    OldBotsForm,
    OldLeagueForm,
    OldRecipeForm,
    RecipeForm,
)
from league.schedules.pages import schedules_page
from league.schedules.views.bots import at_first_bot
from league.seasons.acts import seasons
from league.seasons.domain.scoring import Scoring
from tables.base.row_locks import take
from tables.numbers import whole_number


@club_view(Right.ORGANISE, keep_first=True, of=find_season)
def schedule_list(request: ClubRequest, season: Season) -> HttpResponse:
    """Return the recipes and schedules with their next time and their last events."""
    context = {"season": season, "schedules": schedules_page.schedules_of(season)}
    return page(request, "league/nights/schedules.html", context)


@require_POST
@club_view(Right.ORGANISE, of=find_season)
def season_next(request: ClubRequest, season: Season) -> HttpResponse:
    """Begin the next season, in which the schedules of nights go on."""
    with telling(request):
        following = schedules.begin_next_season(season=season, by=request.user)
        words = _("%(season)s begins on %(day)s. The schedules continue there.")
        day = date_format(following.starts_on, "SHORT_DATE_FORMAT")
        messages.success(request, words % {"season": following, "day": day})
        return redirect("league:season", request.club.slug, following.pk)
    return redirect("league:club", request.club.slug)


@club_view(Right.ORGANISE, keep_first=True)
def event_create(request: ClubRequest, pk: int | None = None) -> HttpResponse:
    """Create a night: by a recipe, like a preset, or like the last one.

    Without a season in the address it is of the one that goes on, or of the club's first.
    """
    club = request.club
    season = season_of_people(club) if pk is None else find_season(club, pk)
    nights = Event.objects.filter(season=season, kind=Event.Kind.NIGHT).select_related("ruleset")
    last = nights.order_by("-date", "-pk").first()
    model, said = _model(request, season, last), _said(request)
    model = replace(model, initial=model.initial | said)
    best = BestOfForm(request.POST or None, user=request.user)
    form = NewNightForm(request.POST or None, club=club, season=season, model=model, best=best)
    if _is_sent(request, form) and best.is_valid():
        with telling(request, form=form):
            made = _start(request, season, form, model.recipe)
            if outside := outside_season(made):
                messages.warning(request, outside)
            name = "league:sign_up" if form.cleaned_data["opens_sign_up"] else "league:check_in"
            return redirect(name, slug=club.slug, pk=made.pk)
    chosen = [*said, *(form.changed_data if form.is_bound else ())]
    kept = {name: form[name].value() or "" for name in WHEN_WHERE if name in chosen}
    cards = schedules_page.cards(club, last, model.query, kept)
    context = {"form": form, "cards": cards, "usual": schedules_page.usual(club)}
    return page(request, "league/nights/event_create.html", context, form_status(form))


WHEN_WHERE = ("date", "starts_at", "venue")
"""What of a new night stays when another recipe is chosen, if somebody has set it."""


def _said(request: ClubRequest) -> dict[str, Any]:
    """Return when and where the address says that the night is; what is wrong is left out."""
    found = {}
    for name in request.GET.keys() & {*WHEN_WHERE}:
        with suppress(ValidationError):
            found[name] = NewNightForm.base_fields[name].clean(request.GET[name])
    return found


def _model(request: ClubRequest, season: Season | None, last: Event | None) -> NightModel:
    """Return what a new night is to be like."""
    like, recipe = request.GET.get("like", ""), whole_number(request.GET.get("recipe"))
    free = _free_day(request.club, last)
    initial: dict[str, Any] = {"date": free}
    if last is not None:
        initial |= {"starts_at": last.starts_at, "venue": last.venue}
    if recipe is not None:
        found = first_or_404(schedules_page.recipes(request.club).filter(pk=recipe))
        model = RecipeForm.model_of(found)
        ahead = timedelta(days=found.days_ahead)
        day = timezone.localdate(found.next_at + ahead if found.next_at else None)
        return replace(model, initial=initial | model.initial | {"date": day})
    if like in PRESETS:
        name, _words, plan = PRESETS[like]
        return NightModel(plan, initial | {"name": _(name)}, f"like={like}")
    initial["name"] = events.default_name(season, free)
    if last is not None:
        return NightModel(last.plan, initial | {"ruleset": club_rules.key_or_digest(last.ruleset)})
    rules = Scoring.from_json(season.scoring) if season is not None else Scoring()
    return NightModel(NightPlan.under(rules), initial)


def _free_day(club: Club, last: Event | None) -> date:
    """Return today or, while a night of today goes on, the day a week after the `last` night."""
    if last is None or last.date < club.today:
        return club.today
    nights = last.season.events.filter(kind=Event.Kind.NIGHT, date=club.today)
    goes_on = nights.filter(status=Event.Status.OPEN).exists()
    return last.date + WEEK if goes_on else club.today


def _start(
    request: ClubRequest,
    season: Season | None,
    form: NewNightForm,
    recipe: Schedule | None,
) -> Event:
    """Create the night of a valid form, and the season that it lacks."""
    data, night = form.cleaned_data, form.repeated
    days = {request.club.today, form.initial["date"]}
    if night.name in {events.default_name(season, day) for day in days}:
        night = replace(night, name=events.default_name(season, data["date"]))
    with transaction.atomic():
        made = schedules.start_night(
            season=season
            or seasons.begin_season(club=request.club, by=request.user, ruleset=data["ruleset"]),
            by=request.user,
            night=night,
            date=data["date"],
            starts_at=data["starts_at"],
            recipe=recipe,
            keeps=form.keeps,
        )
        if nights := form.best.chosen:
            best = form.best.number
            qualifiers.invite_best(event=made, nights=nights, best=best, by=request.user)
    return made


def _is_sent(request: ClubRequest, form: BaseForm) -> bool:
    """Tell whether a valid form is to be saved, and not only to be looked at."""
    return form.is_valid() and "preview" not in request.POST


@club_view(Right.ORGANISE, keep_first=True, of=find_season)
@atomic_post
def schedule_edit(
    request: ClubRequest, season: Season, schedule: int | None = None
) -> HttpResponse:
    """Change a recipe or a schedule, or create one; events already created stay as they are."""
    found = _find_schedule(request, season.pk, schedule) if schedule is not None else None
    if found is not None and request.method == "POST":
        found = take(Schedule.objects.all(), found.pk)
    form = _form_of(request, season, found)
    if _is_sent(request, form):
        by = request.user
        try:
            if found is None:
                schedules.create_schedule(season=season, by=by, repeated=form.repeated)
            elif isinstance(form, LeagueForm):
                more = {name: form.cleaned_data[name] for name in ("size", "moves")}
                leagues.change_league(schedule=found, by=by, repeated=form.repeated, **more)
            else:
                schedules.change_schedule(schedule=found, by=by, repeated=form.repeated)
        except ValidationError as error:
            add_errors(form, at_first_bot(error))
        else:
            messages.success(request, _("Saved. Applies from the next night."))
            return redirect("league:schedules", slug=request.club.slug, pk=season.pk)
    context = {"season": season, "schedule": found, "form": form}
    return page(request, "league/nights/schedule_edit.html", context, form_status(form))


@require_POST
@club_view(Right.ORGANISE, keep_first=True)
def schedule_change(request: ClubRequest, pk: int, schedule: int) -> HttpResponse:
    """Pause, resume or end a schedule."""
    found = _find_schedule(request, pk, schedule)
    change = request.POST.get("change")
    if change in ("pause", "resume"):
        schedules.pause_schedule(schedule=found, by=request.user, paused=change == "pause")
    elif change == "delete":
        schedules.delete_schedule(schedule=found, by=request.user)
        messages.success(request, _("Schedule ended. Nights already created stay."))
    else:
        tell(request, incomplete_form())
    return redirect("league:schedules", slug=request.club.slug, pk=pk)


def _find_schedule(request: ClubRequest, pk: int, schedule: int) -> Schedule:
    return first_or_404(Schedule.objects.filter(pk=schedule, season=pk, season__club=request.club))


def _form_of(
    request: ClubRequest, season: Season, schedule: Schedule | None
) -> RecipeForm | OldBotsForm | OldLeagueForm:
    """Return the form of what is made; of a new recipe, by default like the night of `event`."""
    sent = request.POST or None
    if schedule is None or schedule.kind == Event.Kind.NIGHT:
        if schedule is not None:
            model = RecipeForm.model_of(schedule)
            return OldRecipeForm(sent, club=request.club, season=season, model=model)
        nights = season.events.filter(pk=whole_number(request.GET.get("event")) or 0, kind="night")
        event = nights.first()
        model = RecipeForm.model_after(event) if event else _model(request, season, None)
        return RecipeForm(sent, club=request.club, season=season, model=model)
    more: dict[str, Any] = {
        "club": request.club,
        "stored": Recurrence.from_json(schedule.rule),
    }
    if "bots" in schedule.plan:
        return OldBotsForm(sent, initial=OldBotsForm.initial_of(schedule), now=False, **more)
    return OldLeagueForm(sent, initial=OldLeagueForm.initial_of(schedule), **more)


@club_view(Right.ORGANISE, keep_first=True, of=find_season)
def league_create(request: ClubRequest, season: Season) -> HttpResponse:
    """Create a bot league with its divisions and its schedule."""
    initial = {"name": _("Bot league"), "ruleset": club_rules.key_or_digest(season.ruleset)}
    form = LeagueForm(request.POST or None, initial=initial, club=request.club)
    if request.method == "POST" and form.is_valid():
        made = leagues.create_league(
            season=season,
            by=request.user,
            repeated=form.repeated,
            size=form.cleaned_data["size"],
            moves=form.cleaned_data["moves"],
        )
        return redirect("league:bot_league", slug=request.club.slug, pk=made.pk)
    context = {"season": season, "form": form}
    return page(request, "league/arena/league_create.html", context, form_status(form))
