"""Views of a club's half-hour tournaments."""

import datetime

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from engine.rules import ruleset
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view
from league.online.forms import SprintForm
from tables.people.acts import sprints
from tables.refusals import TableRefusal

GRID = datetime.timedelta(minutes=5)


@require_POST
@club_view(Right.ORGANISE, keep_first=True)
def open_sprint(request: ClubRequest) -> HttpResponse:
    """Open a tournament at the next full five minutes; a double tap opens only one."""
    form = SprintForm(request.POST)
    back = reverse("league:club_tables", args=[request.club.slug])
    if not form.is_valid():
        return redirect(back)
    now = timezone.now().replace(second=0, microsecond=0)
    start = now - datetime.timedelta(minutes=now.minute % 5) + GRID
    rules = ruleset.preset(form.cleaned_data["rules"])
    try:
        opened = sprints.open_sprint(
            starts_at=start,
            ruleset=rules,
            players=max(rules.min_players, min(4, rules.max_players)),
            home=back,
            home_name=request.club.name,
        )
    except TableRefusal as refused:
        messages.warning(request, refused.text)
        return redirect(back)
    return redirect("tables:sprint", opened.key)
