"""Asking somebody's bot to the table."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tables.models import BotAccount
from tables.refusals import text_of
from tables.services import challenges
from tables.services.errors import Refused
from tables.views.base import no_store, seated, table_of


@require_http_methods(["GET", "HEAD", "POST"])
def challenge(request: HttpRequest, key: str) -> HttpResponse:
    """The bots that people's programs play, to be asked by whoever sits at the table."""
    table = table_of(key)
    refused, status = "", 200
    if request.method == "POST":
        try:
            seat = seated(request, table)
            name = request.POST.get("bot", "")[:30]
            challenges.challenge(table_id=table.pk, seat_id=seat.pk, name=name)
        except Refused as error:
            refused = text_of(error)
            status = 403 if error.code == "not_seated" else 422
        else:
            messages.success(
                request, _("%(bot)s is asked. It sits down when it says yes.") % {"bot": name}
            )
            return redirect("tables:table", key)
    bots = BotAccount.objects.filter(takes_challenges=True).order_by("-pk")[:100]
    context = {"table": table, "bots": bots, "refused": refused}
    return no_store(render(request, "tables/challenge.html", context, status=status))
