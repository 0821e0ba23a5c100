"""Changes of an account's news settings and of a club's webhooks."""

import datetime
from collections.abc import Collection

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.acts import audit, locks
from league.models import Club, NewsItem, NewsLane, NewsWish, Webhook
from league.news.acts.outbox import kinds_of
from league.news.acts.posting import check_address
from league.news.acts.sending import lane_of
from tables.base.columns import set_columns
from tables.refusals import Refusal

MOST_WEBHOOKS = 5


@transaction.atomic
def set_wish(
    *,
    user: User,
    by_email: bool,
    language: str,
    quiet_from: datetime.time | None,
    quiet_to: datetime.time | None,
) -> None:
    """Store when and where an account gets its news: e-mail, language and quiet hours."""
    if (quiet_from is None) != (quiet_to is None):
        raise Refusal(_("Enter both ends of the quiet hours, or neither."), field="quiet_to")
    NewsWish.objects.update_or_create(
        user=user,
        defaults={
            "by_email": by_email,
            "language": language,
            "quiet_from": quiet_from,
            "quiet_to": quiet_to,
        },
    )


@transaction.atomic
def set_wanted(*, user: User, kinds: Collection[str], is_wanted: bool) -> None:
    """Switch news of these kinds on or off for an account; the others stay as they are."""
    wish, _made = NewsWish.objects.select_for_update().get_or_create(user=user)
    off = {kind for kind in kinds_of(user) if not wish.wants(kind)}
    set_columns(wish, off=sorted(off - set(kinds) if is_wanted else off | set(kinds)))


@transaction.atomic
def turn_off(*, user_id: int) -> None:
    """Turn off e-mail for an account, from the opt-out link of a message."""
    NewsWish.objects.update_or_create(user_id=user_id, defaults={"by_email": False})


@transaction.atomic
def silence(*, user: User, club: Club, is_silent: bool = True) -> None:
    """End all news and offers of a club for an account, or let them come again."""
    wish, _made = NewsWish.objects.get_or_create(user=user)
    if is_silent:
        wish.silent_clubs.add(club)
        theirs = Q(user=user) | Q(channel__user=user)
        club.news.filter(theirs, state=NewsItem.State.WAITING).delete()
    else:
        wish.silent_clubs.remove(club)


def add_webhook(*, club: Club, address: str, by: User) -> Webhook:
    """Add a webhook for the club's news; Refusal if its address cannot be posted to."""
    address = check_address(address, whose=f"club {club.pk}")  # Before any lock: it queries DNS.
    return _added(club, address, by)


@transaction.atomic
def _added(club: Club, address: str, by: User) -> Webhook:
    locks.club(club.pk)
    if club.webhooks.filter(address=address).exists():
        raise Refusal(_("The club already has this address."), field="address")
    if club.webhooks.count() >= MOST_WEBHOOKS:
        raise Refusal(
            _("A club has at most %(n)s webhooks. Remove one first.") % {"n": MOST_WEBHOOKS},
            field="address",
        )
    hook = Webhook.objects.create(club=club, address=address)
    audit.log("webhook.added", club=club, by=by, webhook=hook.pk)
    return hook


@transaction.atomic
def remove_webhook(*, hook: Webhook, by: User) -> None:
    """Remove a webhook; its waiting messages are not sent."""
    audit.log("webhook.removed", club=hook.club, by=by, webhook=hook.pk)
    NewsLane.objects.filter(name=lane_of(hook.pk)).delete()
    hook.delete()
