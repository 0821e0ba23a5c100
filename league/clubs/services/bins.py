"""Players that were made by mistake: into the bin and back."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from league.base.services import audit, bins, locks
from league.models import ClubSeat, Entrant, Event, Player, SignUpAnswer, Transfer
from tables.refusals import Refusal


@transaction.atomic
def bin_player(*, player: Player, by: User) -> Player:
    """Put a player in the bin on whom nothing hangs; again changes nothing.

    Open nights in which they have not sat yet forget them. Refusal: `used` with what hangs on them.
    """
    entries = Entrant.objects.filter(player=player)
    unused = entries.filter(places=None, byes=None, event__status=Event.Status.OPEN)
    for event_id in unused.order_by("event_id").values_list("event_id", flat=True):
        locks.event_to_change(event_id)
    locks.club(player.club_id)
    player = Player.everything.select_for_update(of=("self",)).get(pk=player.pk)
    if player.binned_at is not None:
        return player
    nights = entries.exclude(pk__in=unused.values("pk")).count()
    names, teams = player.aliases.count(), player.rosters.count()
    answers = SignUpAnswer.objects.filter(player=player).count()
    money = Transfer.objects.filter(Q(payer__player=player) | Q(payee__player=player)).count()
    points = player.adjustments.count()
    seats = ClubSeat.objects.filter(player=player).count()
    phones = player.claims.filter(ended_at=None).count()
    account = int(player.user_id is not None)
    bins.refuse_if_used(
        player.name,
        [
            (nights, ngettext("%(n)s night", "%(n)s nights", nights)),
            (names, ngettext("%(n)s other name", "%(n)s other names", names)),
            (teams, ngettext("%(n)s place in a team", "%(n)s places in teams", teams)),
            (answers, ngettext("%(n)s answer on the sign-up list",
                               "%(n)s answers on the sign-up list", answers)),
            (money, ngettext("%(n)s entry of money", "%(n)s entries of money", money)),
            (points, ngettext("%(n)s adjustment", "%(n)s adjustments", points)),
            (seats, ngettext("%(n)s seat online", "%(n)s seats online", seats)),
            (phones, ngettext("%(n)s phone", "%(n)s phones", phones)),
            (account, ngettext("%(n)s account", "%(n)s accounts", account)),
        ],
    )  # fmt: skip
    entries.all().delete()
    player.binned_at = timezone.now()
    player.save(update_fields=["binned_at"])
    audit.log("player.binned", club=player.club, by=by, player=player.pk, name=player.name)
    return player


@transaction.atomic
def restore_player(*, player: Player, by: User) -> Player:
    """Take a player out of the bin; Refusal where another has the name now."""
    locks.club(player.club_id)
    player = Player.everything.select_for_update(of=("self",)).get(pk=player.pk)
    bins.refuse_if_over(player)
    if player.club.players.filter(merged_into=None, name_key=player.name_key).exists():
        raise Refusal(
            _("There is a player called %(name)s now. Rename that one first."),
            params={"name": player.name},
            status=409,
        )
    player.binned_at = None
    player.save(update_fields=["binned_at"])
    audit.log("player.restored", club=player.club, by=by, player=player.pk, name=player.name)
    return player
