"""Phones that entered games tonight and are not heard any more: they may hold games to send."""

import datetime

from django.core.cache import cache
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.base.phone_keys import key_of
from league.models import Claim, Event, Result

SILENT = datetime.timedelta(minutes=2)
KEPT = 12 * 3600
"""Seconds for which a phone's last word is kept."""


def hear(event: Event, device: str, phone: str) -> None:
    """Note that a phone at a table of the night asked the server just now.

    What it entered and whose name it bears have nothing in common in the database: the cache has
    it for the night.
    """
    if device:
        known = key_of(phone, event.season.club_id)
        cache.set(_key(event, device), (timezone.now().timestamp(), known), KEPT)


def say_silent(event: Event) -> list[str]:
    """Return a line for each phone that entered a game and has been silent for `SILENT`."""
    entered = Result.objects.filter(sitting__round__event=event, source=Result.Source.ENTERED)
    phones: dict[str, Result] = {
        result.device: result
        for result in entered.exclude(device="").select_related("sitting").order_by("pk")
    }
    heard = cache.get_many([_key(event, device) for device in phones])
    claims = Claim.objects.filter(event=event, ended_at=None).select_related("player")
    names = {claim.phone_hash: claim.player.name for claim in claims}
    now, lines = timezone.now(), []
    for device, result in phones.items():
        last, known = heard.get(_key(event, device), (0.0, ""))
        minutes = int((now.timestamp() - max(last, result.at.timestamp())) // 60)
        if minutes * 60 < SILENT.total_seconds():
            continue
        table = _("table %(table)s") % {"table": result.sitting.table_no}
        whose = f"{names[known]}, {table}" if known in names else table
        text = ngettext(
            "%(phone)s: silent for %(n)s minute", "%(phone)s: silent for %(n)s minutes", minutes
        )
        lines.append(text % {"phone": whose, "n": minutes})
    return lines


def _key(event: Event, device: str) -> str:
    return f"phone-heard:{event.pk}:{device}"
