"""Names that another removes: hidden for a week, in which an owner brings them back."""

import datetime

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.acts import audit, erasures, locks, sweeps
from league.clubs.acts import players, removals
from league.models import HiddenName, Player
from tables.base.lookup import or_raise
from tables.people.acts import forgetting as of_tables
from tables.refusals import Refusal

HIDDEN_FOR = datetime.timedelta(days=7)


@transaction.atomic
def hide_name(*, player: Player, by: User) -> None:
    """Show numbers instead of the name and its aliases, and remove them after `HIDDEN_FOR`."""
    locks.club(player.club_id)
    player = Player.objects.select_related("club").get(pk=player.pk)
    if player.bot or player.merged_into_id or HiddenName.objects.filter(player=player).exists():
        raise Refusal(_("Only a person's name can be removed. Reload the page."))
    people = [player, *player.aliases.filter(hidden=None)]
    erasures.note("hidden", *people)
    for one in people:
        _hide(one, by)
    audit.log("player.hidden", club=player.club, by=by, player=player.pk)
    removals.tell(player=player, by=by)


@transaction.atomic
def bring_back(*, player: Player, by: User) -> None:
    """Show a hidden name again. Refusal: `taken` if another player has it now."""
    locks.club(player.club_id)
    player = Player.objects.select_related("club").get(pk=player.pk)
    own = or_raise(
        HiddenName.objects.filter(player=player).first(),
        Refusal(_("This name is no longer hidden."), code="stale", status=409),
    )
    players.refuse_taken(player.club, own.name, but=player)
    found = [own, *HiddenName.objects.filter(player__merged_into=player)]
    erasures.note("unhidden", *(one.player for one in found))
    for one in found:
        _show(one)
    audit.log("player.unhidden", club=player.club, by=by, player=player.pk)


@transaction.atomic
def hide_again(player: Player) -> None:
    """Hide a name that a restore showed again."""
    if not HiddenName.objects.filter(player=player).exists():
        _hide(player, by=None)


@transaction.atomic
def bring_back_again(player: Player) -> None:
    """Show a name that a restore hid again; if another player has it, hide it one more week."""
    found = HiddenName.objects.filter(player=player).first()
    if found is None:
        return
    if players.find_by_name(club=player.club, name=found.name):
        HiddenName.objects.filter(pk=found.pk).update(at=timezone.now())
    else:
        _show(found)


@transaction.atomic
def remove_name(*, player: Player, by: User) -> None:
    """Remove the name at once, as the person asks; the owners are told who says so."""
    players.anonymise_player(player=player, by=by)
    removals.tell(player=player, by=by)


def sweep(now: datetime.datetime) -> None:
    """Remove the names that were hidden long enough."""
    over = HiddenName.objects.filter(at__lte=now - HIDDEN_FOR).select_related("player")
    sweeps.each(over.order_by(F("player__merged_into").asc(nulls_first=True)), _remove)


def _remove(found: HiddenName) -> int:
    """Remove the name; by nobody, so that it counts for nobody a second time."""
    if not HiddenName.objects.filter(pk=found.pk).exists():
        return 0  # An alias goes with its player, and an owner may just bring the name back.
    players.anonymise_player(player=found.player, by=None)
    return 1


def _hide(player: Player, by: User | None) -> None:
    HiddenName.objects.create(player=player, name=player.name, by=by)
    _call(player, players.without_name(player))


def _show(hidden: HiddenName) -> None:
    _call(hidden.player, hidden.name)
    hidden.delete()


def _call(player: Player, name: str) -> None:
    """Call the player so everywhere, at the club's online tables too."""
    of_tables.rename_seats(found=players.seats_of(player), to=name)
    players.set_name(player, name)
    players.show_names([player.pk])
