"""Invitations of other people's bots to a table."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tables.bots.acts import challenges
from tables.models import BotAccount
from tables.refusals import TableRefusal
from tables.views.base import no_store, status_of
from tables.web.access import seated, table_of


@require_http_methods(["GET", "HEAD", "POST"])
def challenge(request: HttpRequest, key: str) -> HttpResponse:
    """Show the bots that take challenges, and invite one for a player of the table."""
    table = table_of(key)
    refused, status = "", 200
    if request.method == "POST":
        try:
            seat = seated(request, table)
            name = request.POST.get("bot", "")[:30]
            challenges.challenge(table_id=table.pk, seat_id=seat.pk, name=name)
        except TableRefusal as error:
            refused, status = error.text, status_of(error)
        else:
            messages.success(
                request, _("%(bot)s has been invited. It sits down if it accepts.") % {"bot": name}
            )
            return redirect("tables:table", key)
    bots = BotAccount.objects.filter(takes_challenges=True).order_by("-pk")[:100]
    context = {"table": table, "bots": bots, "refused": refused}
    return no_store(render(request, "tables/challenge.html", context, status=status))
