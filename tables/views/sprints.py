"""Half-hour tournaments: their page, joining, leaving, and the redirect to one's table."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from accounts.sessions import account_of
from tables.base import tokens
from tables.models import Sprint
from tables.people.acts import sprints
from tables.people.acts.sprints import SprintPlayer
from tables.people.pages import sprints as selector
from tables.refusals import TableRefusal
from tables.views.base import no_store
from tables.views.chairs import remember, remember_device
from tables.web import limits
from tables.web.access import device_of, name_of
from tables.web.forms import NameForm


@require_GET
def sprint(request: HttpRequest, sprint: str) -> HttpResponse:
    """Return the standings; a waiting player is redirected once their table is ready."""
    found = _sprint(sprint)
    mine = sprints.entry_of(found, _who(request))
    if mine and not mine.left and mine.table is None:
        sprints.note_seen(mine)
    context = {"page": selector.page(found, mine), "own_name": name_of(request)}
    response = no_store(render(request, "tables/sprint.html", context))
    if mine and mine.table and request.headers.get("HX-Request"):
        response["HX-Redirect"] = reverse("tables:sprint_go", args=[found.key])
    return response


@require_POST
def enter(request: HttpRequest, sprint: str) -> HttpResponse:
    """Join the tournament; a guest is identified by the browser."""
    found = _sprint(sprint)
    form = NameForm(request.POST)
    name = form.cleaned_data["name"] if form.is_valid() else name_of(request)
    who = _who(request)
    if not (who.user or who.device):
        who = SprintPlayer(device=tokens.new_token())
    try:
        limits.check(request, "sit")
        sprints.enter(sprint_id=found.pk, who=who, name=name)
    except TableRefusal as refused:
        messages.warning(request, refused.text)
    response = redirect("tables:sprint", found.key)
    return remember_device(response, who.device) if who.device else response


@require_POST
def leave(request: HttpRequest, sprint: str) -> HttpResponse:
    """Leave the tournament; the points stay."""
    found = _sprint(sprint)
    who = _who(request)
    if who.user or who.device:
        sprints.leave(sprint_id=found.pk, who=who)
    return redirect("tables:sprint", found.key)


@require_GET
def go(request: HttpRequest, sprint: str) -> HttpResponse:
    """Redirect to the player's table; a guest's browser gets the secret of the seat."""
    found = _sprint(sprint)
    mine = sprints.entry_of(found, _who(request))
    if mine is None or mine.table is None:
        return redirect("tables:sprint", found.key)
    token = sprints.renew_chair(entry=mine)
    return no_store(remember(redirect("tables:table", mine.table.key), mine.table, token))


def _sprint(key: str) -> Sprint:
    return get_object_or_404(Sprint.objects.select_related("ruleset"), key=key)


def _who(request: HttpRequest) -> SprintPlayer:
    return SprintPlayer(account_of(request), device_of(request))
