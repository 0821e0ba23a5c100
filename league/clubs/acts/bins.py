"""Put players and clubs that were created by mistake in the bin, and restore them."""

import datetime
import logging

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from league.base.acts import audit, bins, locks
from league.clubs.acts import players, removals
from league.clubs.signals import club_closed, club_deleted
from league.models import (
    Account,
    Adjustment,
    Club,
    ClubSeat,
    ClubTable,
    Entrant,
    Event,
    Membership,
    Player,
    Posting,
    RosterMember,
    Round,
    Schedule,
    SignUpAnswer,
    Transfer,
)
from tables.base.columns import set_columns
from tables.refusals import Refusal

logger = logging.getLogger(__name__)


@transaction.atomic
def bin_player(*, player: Player, by: User) -> Player:
    """Put an unused player in the bin; does nothing if the player is already there.

    Deletes their entries in open nights without a seat or a sit-out, and asks nobody any more
    whether they play as this player. Refusal `used` lists what refers to the player; `hidden` while
    the name is hidden.
    """
    entries = Entrant.objects.filter(player=player)
    unused = entries.filter(places=None, byes=None, event__status=Event.Status.OPEN)
    for event_id in unused.order_by("event_id").values_list("event_id", flat=True):
        locks.event_to_change(event_id)
    locks.club(player.club_id)
    player = Player.everything.select_for_update(of=("self",)).get(pk=player.pk)
    if player.binned_at is not None:
        return player
    removals.refuse_hidden(player)
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
            (money, ngettext("%(n)s money entry", "%(n)s money entries", money)),
            (points, ngettext("%(n)s adjustment", "%(n)s adjustments", points)),
            (seats, ngettext("%(n)s seat online", "%(n)s seats online", seats)),
            (phones, ngettext("%(n)s phone", "%(n)s phones", phones)),
            (account, ngettext("%(n)s account", "%(n)s accounts", account)),
        ],
    )  # fmt: skip
    entries.all().delete()
    players.end_offers(player)
    set_columns(player, binned_at=timezone.now())
    player.invitations.filter(revoked_at=None).update(revoked_at=player.binned_at)
    audit.log("player.binned", club=player.club, by=by, player=player.pk)
    return player


def unused_players() -> QuerySet[Player]:
    """Return the unused players, by the same criteria as `bin_player`."""
    seated = ClubSeat.objects.filter(player=OuterRef("pk"))
    return Player.everything.filter(
        ~Exists(seated), entries=None, aliases=None, rosters=None, answers=None,
        adjustments=None, account__paid=None, account__received=None, user=None,
    )  # fmt: skip


@transaction.atomic
def restore_player(*, player: Player, by: User) -> Player:
    """Restore a player from the bin; Refusal if another player has the name now."""
    locks.club(player.club_id)
    player = Player.everything.select_for_update(of=("self",)).get(pk=player.pk)
    bins.refuse_if_over(player)
    if player.club.players.filter(merged_into=None, name_key=player.name_key).exists():
        raise Refusal(
            _("There is a player called %(name)s now. Rename that one first."),
            params={"name": player.name},
            status=409,
        )
    set_columns(player, binned_at=None)
    audit.log("player.restored", club=player.club, by=by, player=player.pk)
    return player


def hangs_on_club(club: Club) -> list[str]:
    """Return what keeps the club out of the bin, as displayed; empty if it may go."""
    of_club = Q(season__club=club)
    nights = Round.objects.filter(event__season__club=club).values("event").distinct().count()
    tournaments = Event.everything.filter(of_club, kind=Event.Kind.BOTS).count()
    answers = SignUpAnswer.objects.filter(sign_up__event__season__club=club).count()
    payments = Transfer.objects.filter(Q(payer__club=club) | Q(payee__club=club)).count()
    entries = Posting.objects.filter(of_club).count() or payments
    points = Adjustment.objects.filter(of_club).count()
    tables = ClubTable.objects.filter(of_club).count()
    others = max(club.memberships.count() - 1, 0)
    phones = Player.everything.filter(club=club, claims__ended_at=None, claims__isnull=False)
    return bins.in_words(
        [
            (nights, ngettext("%(n)s night with a draw", "%(n)s nights with a draw", nights)),
            (tournaments, ngettext("%(n)s bot tournament", "%(n)s bot tournaments", tournaments)),
            (answers, ngettext("%(n)s answer on the sign-up list",
                               "%(n)s answers on the sign-up list", answers)),
            (entries, ngettext("%(n)s money entry", "%(n)s money entries", entries)),
            (points, ngettext("%(n)s adjustment", "%(n)s adjustments", points)),
            (tables, ngettext("%(n)s stakes table", "%(n)s stakes tables", tables)),
            (others, ngettext("%(n)s other member", "%(n)s other members", others)),
            (n := phones.count(), ngettext("%(n)s phone", "%(n)s phones", n)),
        ]
    )  # fmt: skip


@transaction.atomic
def bin_club(*, club: Club, by: User) -> Club:
    """Put an unused club in its owner's bin; does nothing if the club is already there.

    The club is closed too, and is hidden from its owners. Refusal `used` lists what refers to it.
    """
    club = locks.club(club.pk)
    if club.binned_at is not None:
        return club
    if found := hangs_on_club(club):
        raise Refusal(
            _("“%(name)s” can't go in the bin. It still has: %(what)s. Close it instead."),
            code="used",
            params={"name": club.name, "what": ", ".join(found)},
            status=409,
        )
    now = timezone.now()
    set_columns(club, binned_at=now, closed_at=club.closed_at or now)
    club.links.filter(revoked_at=None).update(revoked_at=now)
    Schedule.objects.filter(season__club=club).update(paused=True, next_at=None)
    club_closed.send(Club, club=club)
    audit.log("club.binned", club=club, by=by, name=club.name)
    return club


@transaction.atomic
def restore_club(*, club: Club, by: User) -> Club:
    """Restore a club from the bin with its links; its schedules stay paused.

    Refusal `gone` for anyone but an owner.
    """
    club = locks.club(club.pk)
    bins.refuse_if_over(club)
    if not club.memberships.filter(user=by, role=Membership.Role.OWNER).exists():
        raise Refusal(_("This is no longer in the bin."), code="gone", status=404)
    club.links.filter(revoked_at=club.binned_at).update(revoked_at=None)
    if club.closed_at == club.binned_at and not club.stopped_because:
        club.closed_at = None
    club.binned_at = None
    club.save(update_fields=["binned_at", "closed_at"])
    audit.log("club.restored", club=club, by=by, name=club.name)
    return club


def delete_clubs(before: datetime.datetime) -> int:
    """Permanently delete clubs binned before that time, at most 100; return how many."""
    over = Club.everything.filter(binned_at__lt=before)
    return sum(_delete_club(pk) for pk in list(over.values_list("pk", flat=True)[:100]))


@transaction.atomic
def _delete_club(pk: int) -> bool:
    """Delete a club with its log, if it is still unused."""
    over = Club.everything.select_for_update(skip_locked=True, of=("self",))
    club = over.filter(pk=pk, binned_at__isnull=False).first()
    if club is None:
        return False
    if found := hangs_on_club(club):
        logger.warning("Club %s stays in the bin: %s.", pk, ", ".join(found))
        return False
    club_deleted.send(Club, club=club)
    Entrant.objects.filter(event__season__club=club).delete()
    RosterMember.objects.filter(player__club=club).delete()
    Account.objects.filter(club=club).delete()
    Player.everything.filter(club=club, merged_into__isnull=False).delete()
    club.delete()
    return True
