"""The view of an evening of friends at an online table."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.online.pages.evening import WORTHS, evening_page
from tables.numbers import whole_number
from tables.play.facts import absent
from tables.web.access import last_seat_of, table_of


@require_safe
def evening(request: HttpRequest, key: str) -> HttpResponse:
    """Show the sums of an evening of friends, and who pays whom."""
    table = table_of(key)
    reader = last_seat_of(request, table)
    if not absent.is_of_friends(table) or (table.watch_delay and reader is None):
        raise Http404
    worth = whole_number(request.GET.get("worth")) or 0
    found = evening_page(table, worth=worth if worth in WORTHS else 0, reader=reader)
    return render(request, "league/online/evening.html", vars(found))
