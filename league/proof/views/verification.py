"""The nightly check's findings: a page for the administrator and a status line for monitors."""

import datetime

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from league.models import Verification

OLD = datetime.timedelta(days=3)


@never_cache
@login_required
def verification(request: HttpRequest) -> HttpResponse:
    """Show the last 14 nightly checks and their differences."""
    if not request.user.is_superuser:
        raise PermissionDenied
    nights = list(Verification.objects.all()[:14])
    return render(request, "league/proof/verification.html", {"nights": nights})


@never_cache
def health(request: HttpRequest) -> HttpResponse:
    """Return 200 if the last check is recent and found nothing, or if none has finished; else 503.

    Monitors get the number of differences, not the differences.
    """
    last = Verification.objects.filter(finished_at__isnull=False).first()
    if last is None:
        text, status = "not yet\n", 200
    elif last.count:
        text, status = f"{last.day} differences: {last.count}\n", 503
    elif timezone.now() - last.started_at > OLD:
        text, status = f"{last.day} too long ago\n", 503
    else:
        text, status = f"{last.day} no differences\n", 200
    return HttpResponse(text, status=status, content_type="text/plain; charset=utf-8")
