"""The view of an evening of friends at an online table."""

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from league.models import WayAtTable
from league.online.pages.evening import evening_of, evening_page, worths_of
from tables.base.currencies import paid_with
from tables.base.places import place_of
from tables.numbers import whole_number
from tables.play.facts import absent
from tables.web.access import last_seat_of, table_of


@require_http_methods(["GET", "HEAD", "POST"])
def evening(request: HttpRequest, key: str) -> HttpResponse:
    """Show the sums of an evening of friends, and who pays whom.

    A POST lets those who owe the visitor's account see how it is paid.
    """
    table = table_of(key)
    reader = last_seat_of(request, table)
    if not absent.is_of_friends(table) or (table.watch_delay and reader is None):
        raise Http404
    if request.method == "POST":
        if reader is None or reader.user is None:
            raise PermissionDenied
        WayAtTable.objects.get_or_create(table=evening_of(table)[0], user=reader.user)
        return redirect(request.get_full_path())
    worth = whole_number(request.GET.get("worth")) or 0
    unit = paid_with(place_of(timezone.get_current_timezone_name()).currency) or "đ"
    worth = worth if worth in worths_of(unit) else 0
    found = evening_page(table, worth=worth, reader=reader, unit=unit)
    return render(request, "league/online/evening.html", {"page": found})
