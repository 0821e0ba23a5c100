"""The bots that a club's members brought, and what their checks came to."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from league.base.rights import Right
from league.models import Club
from tables.models import Upload

SHOWN = 50
STATES = {
    Upload.State.WAITING: gettext_lazy("Being checked"),
    Upload.State.SOUND: gettext_lazy("May play"),
    Upload.State.REFUSED: gettext_lazy("Failed its check"),
    Upload.State.WITHDRAWN: gettext_lazy("Withdrawn"),
}


def pool_of(club: Club) -> str:
    """Return where the bots of a club's members compete."""
    return f"club {club.pk}"


@dataclass(frozen=True)
class MemberBot:
    """A version of a bot; `report` is for its author and the organisers."""

    upload: Upload
    state: str
    report: str
    may_withdraw: bool

    @property
    def is_remote(self) -> bool:
        """Tell whether it plays over the network."""
        return self.upload.language == Upload.REMOTE

    @property
    def seen(self) -> str:
        """When it last asked for positions."""
        at = self.upload.seen_at
        if at is None:
            return _("Over the network, never seen")
        when = date_format(timezone.localtime(at), "SHORT_DATETIME_FORMAT")
        return _("Over the network, last seen %(when)s") % {"when": when}


def own_bots(club: Club, reader: User, right: Right) -> list[MemberBot]:
    """Return the newest versions first."""
    found = Upload.objects.filter(pool=pool_of(club)).defer("body").order_by("-created_at", "-pk")
    rows = []
    for upload in found[:SHOWN]:
        is_near = upload.author_id == reader.pk or right >= Right.ORGANISE
        is_on = upload.state in (Upload.State.WAITING, Upload.State.SOUND)
        state = str(STATES[Upload.State(upload.state)])
        rows.append(MemberBot(upload, state, upload.report if is_near else "", is_near and is_on))
    return rows
