"""The bounds of removing another's name: a few a day, and every owner hears of it."""

import datetime

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from league.base import rights
from league.base.rights import Right
from league.clubs.signals import name_removed
from league.models import HiddenName, Player
from tables.refusals import Refusal

A_DAY = 3
"""The most names that one who is no owner removes in a day."""
_REMOVED = Q(action__in=["player.hidden", "player.anonymised"]) | Q(
    action="player.renamed", data__forgets=True
)


def tell(*, player: Player, by: User) -> None:
    """Tell the owners of a removal that was just logged; Refusal `owner` if it is one too many.

    The caller has locked the club, so that removals at the same moment are counted.
    """
    if (rights.highest(by, player.club) or Right.SEE) < Right.OWN:
        since = timezone.now() - datetime.timedelta(days=1)
        if player.club.audit.filter(_REMOVED, by=by, at__gt=since).count() > A_DAY:
            raise Refusal(
                _("You removed %(n)s names today. Ask an owner to remove more.") % {"n": A_DAY},
                code="owner",
            )
    name_removed.send(Player, player=player, by=by)


def refuse_hidden(*people: Player) -> None:
    """Refuse what would keep a hidden name from being removed, or brought back."""
    found = HiddenName.objects.filter(player__in=people).select_related("player").first()
    if found is not None:
        raise Refusal(
            _(
                "The name of %(name)s is hidden. Ask an owner to bring it back, or wait until it is"
                " removed."
            ),
            code="hidden",
            params={"name": found.player.name},
            status=409,
        )
