"""The bounds of removing another's name."""

from django.utils.translation import gettext as _

from league.models import HiddenName, Player
from tables.refusals import Refusal


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
