"""Delete a person's account across all clubs, and keep the results."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import SecurityMail, User
from accounts.security_log import Kind, note
from accounts.sessions import end_sessions
from league.base.acts import audit, erasures, locks
from league.clubs.acts import forgetting, players
from league.clubs.acts.clubs import close_club, set_public
from league.models import (
    ApiToken,
    CalendarFeed,
    Channel,
    Club,
    FileImport,
    FormerWay,
    Membership,
    NewsItem,
    NewsWish,
    PaymentWay,
    Player,
    RoleOffer,
    WayAtTable,
)
from tables.base.columns import set_columns
from tables.models import Upload
from tables.people.acts import forgetting as of_tables
from tables.refusals import Refusal

OWN: tuple[type[Model], ...] = (
    Membership,
    ApiToken,
    CalendarFeed,
    NewsItem,
    SecurityMail,
    Channel,
    NewsWish,
    PaymentWay,
    FormerWay,
    WayAtTable,
    Authenticator,
    EmailAddress,
)
"""What goes with an account as it is."""


def clubs_left_alone(user: User) -> list[Club]:
    """Return the open clubs whose only owner is this account."""
    return [
        club
        for club in _owned(user).filter(closed_at=None)
        if not club.memberships.filter(role=Membership.Role.OWNER).exclude(user=user).exists()
    ]


def _owned(user: User) -> QuerySet[Club]:
    return Club.objects.filter(memberships__user=user, memberships__role=Membership.Role.OWNER)


@transaction.atomic
def lock_account(*, user: User, by: User) -> None:
    """Keep an account from signing in, and make the clubs that it alone owns private."""
    _check_administrator(user, by)
    for club in clubs_left_alone(user):
        if club.is_public:
            set_public(club=club, by=by, is_public=False)
    user = User.objects.select_for_update().get(pk=user.pk)
    if user.is_active:
        set_columns(user, is_active=False, locked_at=timezone.now())
        end_sessions(user)
        note(Kind.LOCKED, user, by=by)


@transaction.atomic
def unlock_account(*, user: User, by: User) -> None:
    """Let a locked account sign in again."""
    _check_administrator(user, by)
    user = User.objects.select_for_update().get(pk=user.pk)
    if user.locked_at:
        set_columns(user, is_active=True, locked_at=None)
        note(Kind.UNLOCKED, user, by=by)


def _check_administrator(user: User, by: User) -> None:
    if not by.is_superuser:
        raise PermissionDenied
    if user.is_superuser:
        raise Refusal(_("An administrator's account can't be locked."))


@transaction.atomic
def erase_person(*, user: User, is_again: bool = False, by: User | None = None) -> None:
    """Deactivate the account permanently and erase its name and email from all stored data.

    The row stays without either, because results, money and logs refer to it. Refusal if a club or
    the server would be left without an owner, unless a restored database `is_again` to forget.
    `by` is the administrator who does it for a person: clubs left without an owner are closed.
    """
    if by is not None and by.is_superuser:
        for club in clubs_left_alone(user):
            close_club(club=club, by=by)
    # Of the last two owners who leave at once, the second waits here and then sees no other owner.
    for key in sorted(club.pk for club in _owned(user)):
        locks.club(key)
    owners = Q(pk=user.pk) | Q(is_superuser=True)
    users = list(User.objects.select_for_update().filter(owners).order_by("pk"))
    user = next(one for one in users if one.pk == user.pk)
    if not is_again:
        _check_not_needed(user)
    erasures.note("account", user)
    ties: list[dict[str, Any]] = [
        {"memberships__user": user},
        {"players__user": user},
        {"audit__by": user},
        {"audit__data__user": user.pk},
        {"audit__data__icontains": user.email},
    ]
    clubs = {club for tie in ties for club in Club.everything.filter(**tie)}
    words = forgetting.emails_of(user)
    ways = (PaymentWay.objects.filter(user=user), FormerWay.objects.filter(user=user))
    names = ({user.name} - {""}) | forgetting.details_of(*ways)
    for player in Player.objects.filter(user=user, merged_into=None).select_related("club"):
        players.anonymise_player(player=player, by=user)
    of_tables.forget_user(user=user)
    theirs = Q(user=user) | Q(email__in=[word.lower() for word in words])
    RoleOffer.objects.filter(theirs).delete()
    Upload.objects.filter(author=user).update(author=None, state=Upload.State.WITHDRAWN, report="")
    FileImport.objects.filter(owner=user).delete()
    for model in OWN:
        model._default_manager.filter(user=user).delete()
    for club in sorted(clubs, key=lambda club: club.pk):
        audit.log("person.erased", club=club, by=user, user=user.pk)
    user.email, user.name = f"erased-{user.pk}@account.invalid", ""
    user.mail_refused = ""
    user.is_active, user.is_superuser, user.locked_at = False, False, None
    user.set_unusable_password()
    user.save()
    forgetting.forget_names(clubs=clubs, known=words | names)
    forgetting.ask_about_players(user)
    end_sessions(user)


@transaction.atomic
def note_file(*, player: Player, by: User) -> None:
    """Log that an organiser makes the file with everything of a person without an account."""
    audit.log("player.file", club=player.club, by=by, player=player.pk)


def _check_not_needed(user: User) -> None:
    alone = clubs_left_alone(user)
    if alone:
        raise Refusal(
            _("You are the only owner of %(clubs)s. Make someone else an owner, or close it first.")
            % {"clubs": ", ".join(club.name for club in alone)},
            code="owner",
        )
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    if user.is_superuser and not others.exists():
        raise Refusal(
            _("You are the only administrator of this server."),
            code="installation",
        )
