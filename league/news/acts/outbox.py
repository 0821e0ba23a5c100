"""The outbox: one row per message, written in the transaction that causes it."""

import datetime
import zoneinfo
from collections.abc import Iterable
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from league.arena.facts import own_bots
from league.base.acts import audit
from league.models import (
    Channel,
    Claim,
    Club,
    Dispute,
    Event,
    Membership,
    NewsItem,
    NewsWish,
    Occurrence,
    Placing,
    Player,
    Result,
    Round,
    Season,
    SignUp,
    SignUpAnswer,
    Webhook,
)
from league.models.result import latest
from league.money.facts import open_debts
from league.news.facts.words import KINDS, zone_of
from league.seasons.facts.standings import PLAYED
from tables.models import Upload
from tables.refusals import Refusal

AHEAD = datetime.timedelta(hours=24)
MONTH_DAYS = 3
"""Last day of a month on which a server that was off still sends the previous month's standings."""
MORNING = datetime.time(10)
AFTER_NIGHT = datetime.timedelta(minutes=10)
"""Delay of a night's result, because nights are reopened for forgotten entries."""
AFTER_NAMES = datetime.timedelta(minutes=5)
"""Delay of a message about a name, which is often corrected at once."""
UNCONFIRMED = datetime.timedelta(minutes=5)
"""Time that a table has to confirm a game before its players are asked."""
FORGOTTEN = datetime.timedelta(hours=1)
"""Age of a game after which its players are no longer asked to confirm it."""

Way = dict[str, Any]
"""The field of a message that holds its recipient, with the value."""
ORGANISERS = (Membership.Role.ORGANISER, Membership.Role.OWNER)


def tell(
    key: str,
    about: Event | Club | None,
    users: Iterable[User],
    due_at: datetime.datetime | None = None,
    phones: Iterable[tuple[Channel, int]] = (),
    **data: Any,
) -> list[NewsItem]:
    """Queue a message for each channel of each account that wants it, and for each webhook.

    `phones` are channels of phones without an account, each with the player whose phone it is.
    `key` begins with the kind; a recipient gets only one message per key. The due time moves past a
    person's quiet hours. A private kind goes to no webhook. `about` None: the server itself.
    A held club sends nothing.
    """
    due_at, kind = due_at or timezone.now(), key.partition(":")[0]
    event = about if isinstance(about, Event) else None
    club = about.season.club if isinstance(about, Event) else about
    if club is not None and club.held_until is not None:
        return []
    shared: dict[str, Any] = {"kind": kind, "key": key, "club": club, "event": event, "data": data}
    rows = [
        NewsItem(**way, due_at=_after_quiet(due_at, wish, club), **shared)
        for way, wish in _ways_to(kind, users)
    ]
    rows += [
        NewsItem(channel=channel, due_at=due_at, **shared | {"data": data | {"reader": player}})
        for channel, player in phones
    ]
    if club is not None and not KINDS[kind].is_private:
        rows += [NewsItem(webhook=hook, due_at=due_at, **shared) for hook in club.webhooks.all()]
    return NewsItem.objects.bulk_create(rows, ignore_conflicts=True)


def kinds_of(user: User) -> dict[str, Any]:
    """Return the kinds that may reach the account, with their labels."""
    groups = {"people", "administrator"} if user.is_superuser else {"people"}
    return {kind: one.label for kind, one in KINDS.items() if one.to in groups}


def wanted_by(user: User) -> set[str]:
    """Return the kinds of news that the account wants: all until it says otherwise."""
    wish = NewsWish.objects.filter(user=user).first()
    return {kind for kind in kinds_of(user) if wish is None or wish.wants(kind)}


def tell_players(
    key: str,
    event: Event,
    players: QuerySet[Player],
    due_at: datetime.datetime | None = None,
    **data: Any,
) -> list[NewsItem]:
    """Queue a message of a night for these players: for their accounts, and for their phones."""
    users = User.objects.filter(player__in=players).distinct()
    held = Claim.objects.filter(event=event, ended_at=None, player__in=players)
    whose = dict(held.values_list("phone_hash", "player_id"))
    phones = [(one, whose[one.phone]) for one in Channel.objects.filter(phone__in=whose)]
    return tell(key, event, users, due_at, phones, **data)


def _ways_to(kind: str, users: Iterable[User]) -> list[tuple[Way, NewsWish | None]]:
    """Return the recipients for accounts that want this kind, each with the account's settings.

    An account's recipients are its channels, and its confirmed address if it wants e-mail.
    """
    found = {user.pk: user for user in users if user.is_active}
    wishes = {
        wish.user_id: wish
        for wish in NewsWish.objects.filter(user__in=found).select_related("user")
    }
    wanting = {
        key: user for key, user in found.items() if key not in wishes or wishes[key].wants(kind)
    }
    ways: list[tuple[Way, NewsWish | None]] = [
        ({"channel": channel}, wishes.get(channel.user_id or 0))
        for channel in Channel.objects.filter(user__in=wanting).select_related("user")
    ]
    if settings.HAS_MAIL:
        confirmed = EmailAddress.objects.filter(user__in=wanting, verified=True, primary=True)
        for key in confirmed.values_list("user_id", flat=True):
            wish = wishes.get(key)
            if wish is None or wish.by_email:
                ways.append(({"user": wanting[key]}, wish))
    return ways


def _after_quiet(
    due_at: datetime.datetime, wish: NewsWish | None, club: Club | None
) -> datetime.datetime:
    """Return `due_at`, moved to the end of the person's quiet hours.

    They are by the person's clock, and by the club's while no browser has told it.
    """
    if wish is None or wish.quiet_from is None or wish.quiet_to is None:
        return due_at
    own = wish.user.time_zone
    local = due_at.astimezone(zoneinfo.ZoneInfo(own) if own else zone_of(club))
    now, begins, ends = local.time(), wish.quiet_from, wish.quiet_to
    inside = begins <= now < ends if begins <= ends else now >= begins or now < ends
    if not inside:
        return due_at
    day = local.date() if now < ends else local.date() + datetime.timedelta(days=1)
    return datetime.datetime.combine(day, ends, tzinfo=local.tzinfo)


def are_troubles_heard() -> bool:
    """Return whether a trouble of the server would reach any administrator."""
    return bool(_ways_to("trouble", User.objects.filter(is_superuser=True)))


def trouble(name: str, state: str, value: str, since: datetime.datetime) -> None:
    """Notify the server's administrators of a trouble: `on`, `still` on today, or `over`."""
    key = f"trouble:{name}:{state}:{timezone.now():%Y%m%d%H%M}"
    data: dict[str, Any] = {
        "name": name,
        "state": state,
        "value": value,
        "since": since.isoformat(),
    }
    tell(key, None, User.objects.filter(is_superuser=True), **data)


def organisers(club: Club) -> list[User]:
    return list(User.objects.filter(memberships__club=club, memberships__role__in=ORGANISERS))


def moved_up(answer: SignUpAnswer) -> None:
    """Notify a player on the waiting list of a free place."""
    # The turn is in the key: a player who cancels and moves up again is notified again.
    key = f"moved_up:{answer.pk}:{answer.turn}"
    who = Player.objects.filter(pk=answer.player_id)
    tell_players(key, answer.sign_up.event, who, player=answer.player.name)


def round_released(round_: Round) -> None:
    """Notify the players seated in a round of their tables."""
    who = Player.objects.filter(entries__places__round=round_)
    tell_players(f"round_drawn:{round_.pk}", round_.event, who, round=round_.number)


def called_off(event: Event) -> None:
    """Notify the invited players that a night is called off; delete its waiting reminders."""
    NewsItem.objects.filter(event=event, kind="night_soon", state=NewsItem.State.WAITING).delete()
    tell_players(f"called_off:{event.pk}:{event.sequence}", event, _invited(event))


def night_closed(event: Event) -> None:
    """Notify a night's players of its result after `AFTER_NIGHT`."""
    played = Placing.objects.filter(
        result__sitting__round__event=event, result__current=True, result__void=False
    )
    entries = played.values("entrant")
    who = Player.objects.filter(Q(entries__in=entries) | Q(aliases__entries__in=entries))
    if played.exists():
        tell_players(f"night_result:{event.pk}", event, who, timezone.now() + AFTER_NIGHT)


def night_reopened(event: Event) -> None:
    """Delete the waiting news of a night's result; closing the night again queues it again."""
    NewsItem.objects.filter(
        event=event, kind="night_result", state=NewsItem.State.WAITING, attempts=0
    ).delete()


def dispute_opened(dispute: Dispute) -> None:
    sitting, event = dispute.sitting, dispute.sitting.round.event
    data: dict[str, Any] = {
        "round": sitting.round.number,
        "table": sitting.table_no,
        "game": dispute.game_no,
    }
    tell(f"dispute:{dispute.pk}", event, organisers(event.season.club), **data)


def name_changed(player: Player, change: str, by: User) -> None:
    """Notify the player's account of what `by` did to its name, once an hour of each `change`."""
    now = timezone.now()
    key = f"name:{player.pk}:{change}:{now:%Y%m%d%H}"
    data: dict[str, Any] = {"player": player.pk, "change": change}
    who = User.objects.filter(player=player).exclude(pk=by.pk)
    tell(key, player.club, who, now + AFTER_NAMES, **data)


def schedule_failed(occurrence: Occurrence) -> None:
    """Notify the organisers that a scheduled night or tournament was not created."""
    club = occurrence.schedule.season.club
    data: dict[str, Any] = {"schedule": occurrence.schedule.name, "day": occurrence.day.isoformat()}
    tell(f"schedule_failed:{occurrence.pk}", club, organisers(club), **data)


def run_finished(event: Event) -> None:
    """Tell webhooks of a tournament that is over: done or cancelled."""
    assert event.run is not None
    tell(f"run_finished:{event.pk}", event, (), status=event.run.status)


def bot_checked(upload: Upload) -> None:
    """Tell webhooks of a checked bot, except of one that its author alone may see."""
    club = own_bots.club_of(upload)
    if club is not None and upload.seen_by != Upload.SeenBy.AUTHOR:
        key = f"bot_checked:{upload.pk}:{timezone.now():%Y%m%d%H%M%S}"
        tell(key, club, (), bot=upload.name, pk=upload.pk, state=upload.state)


@transaction.atomic
def ask_the_silent(*, event: Event, by: User) -> int:
    """Ask the players who have not answered whether they come, at most once a day.

    Only players with an account can be asked. Returns the number of accounts asked.
    """
    if not SignUp.objects.filter(event=event).exists() or not event.is_open:
        raise Refusal(_("This night is closed."), code="closed", status=409)
    club = event.season.club
    key = f"asked:{event.pk}:{timezone.localdate().isoformat()}"
    if NewsItem.objects.filter(event=event, key=key).exists():
        raise Refusal(_("They were already asked today."))
    silent = club.players.filter(merged_into=None).exclude(answers__sign_up__event=event)
    users = User.objects.filter(player__in=silent).distinct()
    asked = len({row.reader for row in tell(key, event, users)})
    if not asked:
        raise Refusal(_("Nobody left to answer has notifications on. Ask in the group."))
    audit.log("sign_up.asked", club=club, by=by, event=event, people=asked)
    return asked


@transaction.atomic
def remind_of_debt(
    *, season: Season, event: Event | None, payer: Player, payee: Player, by: User
) -> None:
    """Remind the payer of an open debt, at most once a week.

    Refusal if nothing is open, the payer was reminded this week, or the payer gets no news.
    """
    if open_debts.between(season, event, payer, payee) is None:
        raise Refusal(
            _("This debt is already settled. See what is still owed."), code="stale", status=409
        )
    year, week, _day = timezone.localdate().isocalendar()
    key = f"debt:{event.pk if event else f's{season.pk}'}:{payer.pk}:{payee.pk}:{year}-{week}"
    if NewsItem.objects.filter(club=season.club, key=key).exists():
        raise Refusal(_("%(name)s was already reminded this week.") % {"name": payer.name})
    data: dict[str, Any] = {"season": season.pk, "payer": payer.pk, "payee": payee.pk}
    who = Player.objects.filter(pk=payer.pk)
    queued = (
        tell_players(key, event, who, **data)
        if event is not None
        else tell(key, season.club, User.objects.filter(player=payer), **data)
    )
    if not queued:
        raise Refusal(_("%(name)s gets no news. Tell them yourself.") % {"name": payer.name})
    audit.log("debt.reminded", club=season.club, by=by, event=event, player=payer.pk)


def remind(now: datetime.datetime) -> int:
    """Queue the reminders of nights that begin within `AHEAD`; return the number of nights."""
    days = (now.date() - datetime.timedelta(days=1), now.date() + datetime.timedelta(days=3))
    nights = Event.objects.filter(
        kind=Event.Kind.NIGHT,
        status=Event.Status.OPEN,
        date__range=days,
        season__club__closed_at=None,
        rounds=None,
    ).select_related("season__club")
    near = {
        f"night_soon:{night.pk}:{night.date.isoformat()}{_moved(night)}": night
        for night in nights
        if now < begins_at(night) <= now + AHEAD
    }
    written = NewsItem.objects.filter(event__in=near.values(), key__in=near)
    for key in near.keys() - set(written.values_list("key", flat=True)):
        tell_players(key, near[key], _invited(near[key]), now)
    return len(near)


def ask_to_confirm(now: datetime.datetime) -> None:
    """Ask the players of unconfirmed games to confirm them, except the one who entered the game."""
    results = Result.objects.filter(
        latest(),
        sitting__round__event__status=Event.Status.OPEN,
        sitting__round__event__confirmed_by=Event.Confirmed.PLAYER,
        sitting__round__event__season__club__closed_at=None,
        at__range=(now - FORGOTTEN, now - UNCONFIRMED),
        void=False,
        source=Result.Source.ENTERED,
        confirmation=None,
    ).select_related("sitting__round__event__season__club")
    waiting = {f"to_confirm:{result.pk}": result for result in results}
    written = NewsItem.objects.filter(key__in=waiting).values_list("key", flat=True)
    for key in waiting.keys() - set(written if waiting else ()):
        result = waiting[key]
        players = User.objects.filter(player__entries__in=result.placings.values("entrant"))
        others = players.exclude(pk=result.by_id or 0)
        tell(key, result.sitting.round.event, others, now, result=result.pk)


def tell_month(now: datetime.datetime) -> None:
    """Queue the standings of open seasons that were played in the previous month."""
    if 4 < now.day < 28:
        return
    seasons = Season.objects.filter(status=Season.Status.OPEN, club__closed_at=None)
    for season in seasons.select_related("club"):
        here = now.astimezone(zoneinfo.ZoneInfo(season.club.time_zone))
        if here.day > MONTH_DAYS or here.time() < MORNING:
            continue
        last = here.date().replace(day=1) - datetime.timedelta(days=1)
        key = f"month_table:{season.pk}:{last:%Y-%m}"
        nights = season.counted_events.filter(kind=Event.Kind.NIGHT)
        month = nights.filter(PLAYED, date__range=(last.replace(day=1), last))
        if NewsItem.objects.filter(club=season.club, key=key).exists() or not month.exists():
            continue
        users = User.objects.filter(player__entries__event__in=nights).distinct()
        tell(key, season.club, users, now, season=season.pk, month=last.isoformat())


def begins_at(night: Event) -> datetime.datetime:
    """Return the start of a night; a night without a start time begins at `MORNING`."""
    return night.begins or datetime.datetime.combine(night.date, MORNING, tzinfo=night.zone)


def _moved(night: Event) -> str:
    """Return what a night's reminder adds to its key once the night has moved."""
    return f":{night.sequence}" if night.sequence else ""


def _invited(event: Event) -> QuerySet[Player]:
    """Return the players who answered yes or maybe; without sign-up, the entrants."""
    found = event.season.club.players.filter(merged_into=None)
    if SignUp.objects.filter(event=event).exists():
        replies = [SignUpAnswer.Reply.YES, SignUpAnswer.Reply.MAYBE]
        answers = SignUpAnswer.objects.filter(sign_up__event=event, reply__in=replies)
        return found.filter(pk__in=answers.values("player"))
    return found.filter(pk__in=event.entrants.values("player"))


def try_webhook(hook: Webhook) -> NewsItem:
    return NewsItem.objects.create(
        kind="test", key=f"test:{timezone.now().isoformat()}", club=hook.club, webhook=hook
    )
