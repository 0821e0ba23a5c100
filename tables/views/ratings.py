"""The page of ratings, with the reader's own rated games, opponents and friends."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from tables.models import TableRating
from tables.numbers import whole_number
from tables.people.acts import friends
from tables.people.facts import pairs
from tables.people.pages import friends as people
from tables.people.pages import ratings as selector
from tables.refusals import TableRefusal
from tables.views.lobby import usual_form
from tables.web import limits, new_scale
from tables.web.access import name_of


@require_GET
def ratings(request: HttpRequest) -> HttpResponse:
    """Return the ratings, and the reader's own games, opponents and friends."""
    user = request.user
    games = selector.games_of(user)
    context = {
        "rows": selector.ratings(user),
        "games": games,
        "is_new_scale": new_scale.is_news(request, TableRating.objects.filter(user=user.pk).exists),
        "history": selector.history(games),
        "opponents": people.opponents_of(user),
        "friends": people.friends_of(user),
        "looks_after": user.is_superuser,
        "pairs": pairs.rated_pairs() if user.is_superuser else [],
        "fewest": pairs.FEWEST,
    }
    return render(request, "tables/ratings.html", context)


@require_POST
@login_required
def friend(request: HttpRequest) -> HttpResponse:
    """Add an opponent as a friend, remove a friend, or invite either to a table."""
    do = request.POST.get("do", "")
    place = whole_number(request.POST.get("place"), 18)
    known = whole_number(request.POST.get("friend"), 18)
    try:
        if do == "add":
            friends.add_friend(owner=request.user, place_id=place or 0)
        elif do == "remove":
            friends.remove_friend(owner=request.user, friend_id=known or 0)
        elif do == "invite":
            return _invite(request, place, known)
    except TableRefusal as refused:
        messages.warning(request, refused.text)
    return redirect("tables:ratings")


def _invite(request: HttpRequest, place: int | None, known: int | None) -> HttpResponse:
    """Open a table with the reader's last settings, and invite a friend or an opponent."""
    limits.check(request, "open")
    form = usual_form(request)
    table = friends.invite(
        by=request.user,
        name=name_of(request),
        ruleset=form.ruleset(),
        players=form.cleaned_data["players"],
        move_seconds=int(form.cleaned_data["clock"]),
        friend_id=known,
        place_id=place,
    )
    return redirect("tables:table", table.key)
