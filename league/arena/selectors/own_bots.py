"""The bots that a club's members brought, and what their checks came to."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from league.base.rights import Right
from league.models import Club
from tables.models import Upload

SHOWN = 50
STATES = {
    Upload.State.WAITING: _("Being checked"),
    Upload.State.SOUND: _("May play"),
    Upload.State.REFUSED: _("Failed its check"),
    Upload.State.WITHDRAWN: _("Withdrawn"),
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
