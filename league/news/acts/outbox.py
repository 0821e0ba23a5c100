"""The outbox: one row per message, written in the transaction that causes it.

What the rooms below say is heard here; a row that is due at once sends `news_waits`.
"""

import datetime
import zoneinfo
from collections.abc import Iterable, Mapping
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.db.models import CharField, Count, Q, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from league.arena import signals as arena
from league.arena.facts import own_bots
from league.base.acts import audit
from league.base.phone_keys import keys_of
from league.clubs import signals as clubs
from league.models import (
    Channel,
    Claim,
    Club,
    Dispute,
    Entrant,
    EntryDoubt,
    Event,
    Membership,
    NewsItem,
    NewsWish,
    Occurrence,
    Placing,
    Player,
    Posting,
    ReportedPayment,
    Result,
    Round,
    Season,
    SignUp,
    SignUpAnswer,
    Sitting,
    Webhook,
)
from league.models.result import latest
from league.money import signals as ledger
from league.money.facts import money, open_debts
from league.news import signals
from league.news.facts.words import KINDS, zone_of
from league.nights import signals as nights
from league.nights.facts.events import has_begun
from league.schedules import signals as schedules
from league.schedules.facts.last_days import ending_seasons
from league.seasons.facts.standings import PLAYED
from league.turnout import signals as turnout
from tables import signals as play
from tables.models import Friend, Seat, Sprint, TableInvite, Upload
from tables.refusals import Refusal
from tables.signals import bot_checked

AHEAD = datetime.timedelta(hours=24)
MONTH_DAYS = 3
"""Last day of a month on which a server that was off still sends the previous month's standings."""
MORNING = datetime.time(10)
MORNING_NEWS = datetime.timedelta(hours=8)
AFTER_NIGHT = datetime.timedelta(minutes=10)
"""Delay of a night's result, because nights are reopened for forgotten entries."""
AFTER_NAMES = datetime.timedelta(minutes=5)
"""Delay of a message about a name, which is often corrected at once."""
AFTER_MOVES = datetime.timedelta(minutes=5)
"""Delay of a night's new hour, which is often set in two steps."""
UNCONFIRMED = datetime.timedelta(minutes=5)
"""Time that a table has to confirm a game before its players are asked."""
FORGOTTEN = datetime.timedelta(hours=1)
"""Age of a game after which its players are no longer asked to confirm it."""

A_DAY = 20
"""The most messages from one club to one mailbox or device in a day; the rest is one message."""
COLLECTED = "collected"
"""The `error` of a message that the next morning's message of the club names."""
DISPUTES = datetime.timedelta(minutes=10)
"""The time in which a night's further disputes are one message."""

Way = dict[str, Any]
"""The field of a message that holds its recipient, with the value."""


def tell(
    key: str,
    about: Event | Club | None,
    users: Iterable[User],
    due_at: datetime.datetime | None = None,
    phones: Iterable[tuple[Channel, int]] = (),
    data: Mapping[str, object] | None = None,
    *,
    to_webhooks: bool = True,
    expires_at: datetime.datetime | None = None,
) -> list[NewsItem]:
    """Queue a message for each channel of each account that wants it, and for each webhook.

    `phones` are channels of phones without an account, each with the player whose phone it is.
    `key` begins with the kind; a recipient gets only one message per key. The due time moves past a
    person's quiet hours. A private kind goes to no webhook. `about` None: the server, or a table.
    A held club sends nothing. What expires goes to devices alone, and in quiet hours to none.
    """
    waits, kind, data = due_at is None, key.partition(":")[0], dict(data or {})
    due_at = due_at or timezone.now()
    event = about if isinstance(about, Event) else None
    club = about.season.club if isinstance(about, Event) else about
    if club is not None and club.held_until is not None:
        return []
    shared: dict[str, Any] = {"kind": kind, "key": key, "club": club, "event": event, "data": data}
    shared["expires_at"] = expires_at
    rows = [
        NewsItem(**way, due_at=_after_quiet(due_at, wish, club), **shared)
        for way, wish in _ways_to(kind, users, club)
    ]
    if expires_at is not None:
        rows = [row for row in rows if row.channel_id and row.due_at == due_at]
    rows += [
        NewsItem(channel=channel, due_at=due_at, **shared | {"data": data | {"reader": player}})
        for channel, player in phones
    ]
    if club is not None and rows:
        rows += _collected(club, rows)
    if club is not None and to_webhooks and not KINDS[kind].is_private:
        rows += [NewsItem(webhook=hook, due_at=due_at, **shared) for hook in club.webhooks.all()]
    if waits and rows:
        signals.news_waits.send(None)
    return NewsItem.objects.bulk_create(rows, ignore_conflicts=True)


def _collected(club: Club, rows: list[NewsItem]) -> list[NewsItem]:
    """Drop the rows beyond `A_DAY`, and return a message for each, which names them tomorrow.

    A device is told of its table however often.
    """
    here = timezone.now().astimezone(zone_of(club))
    begins = datetime.datetime.combine(here.date(), datetime.time(), tzinfo=here.tzinfo)
    ends = begins + datetime.timedelta(days=1)
    users, channels = {row.user_id for row in rows}, {row.channel_id for row in rows}
    today = club.news.filter(Q(user__in=users) | Q(channel__in=channels), created_at__gte=begins)
    counts = today.exclude(error=COLLECTED).order_by().values_list("user", "channel")
    had = {(user, channel): n for user, channel, n in counts.annotate(n=Count("pk"))}
    made = []
    for row in rows:
        is_table = row.channel_id is not None and KINDS[row.kind].switch == "table"
        if is_table or had.get((row.user_id, row.channel_id), 0) < A_DAY:
            continue
        row.state, row.error = NewsItem.State.DROPPED, COLLECTED
        reader = row.reader
        due_at = _after_quiet(ends + MORNING_NEWS, getattr(reader, "news_wish", None), club)
        data = {key: row.data[key] for key in ("reader",) if key in row.data}
        data |= {"from": begins.isoformat(), "to": ends.isoformat()}
        made.append(
            NewsItem(
                kind="collected",
                key=f"collected:{club.pk}:{begins:%Y%m%d}",
                club=club,
                event=None if reader else row.event,  # A phone's messages lead to its night.
                user=row.user,
                channel=row.channel,
                due_at=due_at,
                data=data,
            )
        )
    return made


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
    about: Event | Club,
    players: QuerySet[Player],
    due_at: datetime.datetime | None = None,
    data: Mapping[str, object] | None = None,
) -> list[NewsItem]:
    """Queue a message for these players: for their accounts and, of a night, for their phones."""
    users = User.objects.filter(player__in=players).distinct()
    if not isinstance(about, Event):
        return tell(key, about, users, due_at, data=data)
    held = Claim.objects.filter(event=about, ended_at=None, player__in=players)
    whose = dict(held.values_list("phone_hash", "player_id"))
    phones = [
        (channel, whose[key])
        for channel in (Channel.objects.filter(user=None) if whose else [])
        for key in keys_of(channel.phone, about.season.club_id)
        if key in whose
    ]
    return tell(key, about, users, due_at, phones, data)


def _ways_to(
    kind: str, users: Iterable[User], club: Club | None = None
) -> list[tuple[Way, NewsWish | None]]:
    """Return the recipients for accounts that want this kind, each with the account's settings.

    An account that wants nothing more from the club has none.

    An account's recipients are its channels, and its confirmed address if it wants e-mail.
    """
    found = {user.pk: user for user in users if user.is_active}
    if club is not None and found:
        silent = club.silenced_by.filter(user__in=found).values_list("user", flat=True)
        found = {key: user for key, user in found.items() if key not in set(silent)}
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


def trouble_receivers() -> dict[str, str]:
    """Return the language of each address that hears of troubles by email."""
    ways = _ways_to("trouble", User.objects.filter(is_superuser=True))
    return {
        way["user"].email: (wish and wish.language) or "vi" for way, wish in ways if "user" in way
    }


def trouble(name: str, state: str, value: str, since: datetime.datetime) -> None:
    """Notify the server's administrators of a trouble: `on`, `still` on today, or `over`."""
    key = f"trouble:{name}:{state}:{timezone.now():%Y%m%d%H%M}"
    data = {
        "name": name,
        "state": state,
        "value": value,
        "since": since.isoformat(),
    }
    tell(key, None, User.objects.filter(is_superuser=True), data=data)


def organisers(club: Club) -> list[User]:
    held = {"memberships__club": club, "memberships__role__in": Membership.ORGANISERS}
    return list(User.objects.filter(**held))


@receiver(turnout.moved_up)
def tell_moved_up(answer: SignUpAnswer, **kwargs: Any) -> None:
    """Notify a player on the waiting list of a free place."""
    # The turn is in the key: a player who cancels and moves up again is notified again.
    key = f"moved_up:{answer.pk}:{answer.turn}"
    who = Player.objects.filter(pk=answer.player_id)
    tell_players(key, answer.sign_up.event, who, data={"player": answer.player.name})


@receiver(nights.round_released)
def tell_round_released(round_: Round, **kwargs: Any) -> None:
    """Notify the players seated in a round of their tables."""
    seated = Entrant.objects.filter(places__round=round_)
    who = Player.objects.filter(Q(entries__in=seated) | Q(aliases__entries__in=seated))
    tell_players(f"round_drawn:{round_.pk}", round_.event, who, data={"round": round_.number})


@receiver(nights.night_called_off)
def tell_called_off(event: Event, **kwargs: Any) -> None:
    """Notify the invited players that a night is called off; delete its waiting reminders."""
    NewsItem.objects.filter(event=event, kind="night_soon", state=NewsItem.State.WAITING).delete()
    tell_players(f"called_off:{event.pk}:{event.sequence}", event, _invited(event))


@receiver(nights.night_moved)
def tell_moved(event: Event, was: Mapping[str, object], **kwargs: Any) -> None:
    """Notify the invited players of a coming night's other day, hour or venue, once for all moves.

    What a night `was` is what each receiver knows: before the first move that they were not told.
    """
    now = timezone.now()
    moves = NewsItem.objects.filter(event=event, kind="moved")
    last = {_receiver(row): row for row in moves.order_by("pk")}
    unheard = (NewsItem.State.WAITING, NewsItem.State.FAILED)
    known = {key: row.data["was"] for key, row in last.items() if row.state in unheard}
    moves.filter(state=NewsItem.State.WAITING).delete()
    if event.is_open and begins_at(event) > now and not has_begun(event):
        key = f"moved:{event.pk}:{event.sequence}"
        tell_players(key, event, _invited(event), now + AFTER_MOVES, {"was": was})
        rows = list(moves.filter(key=key))
        for row in rows:
            row.data["was"] = known.get(_receiver(row), was)
        NewsItem.objects.bulk_update(rows, ["data"])


def _receiver(row: NewsItem) -> tuple[int | None, ...]:
    return row.user_id, row.channel_id, row.webhook_id


@receiver(nights.night_closed)
def tell_night_closed(event: Event, **kwargs: Any) -> None:
    """Notify a night's players of its result after `AFTER_NIGHT`, also of one corrected since."""
    played = Placing.objects.filter(
        result__sitting__round__event=event, result__current=True, result__void=False
    )
    entries = played.values("entrant")
    who = Player.objects.filter(Q(entries__in=entries) | Q(aliases__entries__in=entries))
    if not played.exists():
        return
    results = NewsItem.objects.filter(event=event, kind="night_result")
    # What failed at first and was due again while the night was open.
    results.filter(state=NewsItem.State.DROPPED).exclude(error=COLLECTED).delete()
    games = Result.objects.filter(sitting__round__event=event)
    newest, key = games.order_by("-pk").values_list("pk", flat=True)[0], f"night_result:{event.pk}"
    told = results.exclude(state=NewsItem.State.WAITING)
    data: dict[str, object] = {"result": newest}
    before = told.order_by("-pk").values_list("data__result", flat=True).first()
    if before is not None and before != newest:
        key, data = f"{key}:{newest}", data | {"corrected": True}
    tell_players(key, event, who, timezone.now() + AFTER_NIGHT, data)


@receiver(nights.night_reopened)
def keep_result_back(event: Event, **kwargs: Any) -> None:
    """Delete the waiting news of a night's result; closing the night again queues it again."""
    NewsItem.objects.filter(
        event=event, kind="night_result", state=NewsItem.State.WAITING, attempts=0
    ).delete()


@receiver(nights.dispute_opened)
def tell_dispute_opened(dispute: Dispute, **kwargs: Any) -> None:
    sitting, event = dispute.sitting, dispute.sitting.round.event
    data = {
        "round": sitting.round.number,
        "table": sitting.table_no,
        "game": dispute.game_no,
    }
    tell(f"dispute:{dispute.pk}", event, (), data=data)
    now = timezone.now()
    slot, past = divmod(int(now.timestamp()), int(DISPUTES.total_seconds()))
    key, due_at = f"dispute:n{event.pk}:{slot}", None
    told = NewsItem.objects.filter(event=event, kind="dispute", webhook=None)
    if told.filter(created_at__gt=now - DISPUTES).exists():
        key, due_at = f"{key}:more", now + DISPUTES - datetime.timedelta(seconds=past)
    tell(key, event, organisers(event.season.club), due_at, to_webhooks=False)


@receiver(nights.director_called)
def tell_director_called(sitting: Sitting, **kwargs: Any) -> None:
    """Notify the organisers of a table that calls, once a minute."""
    event = sitting.round.event
    key = f"called:{sitting.pk}:{timezone.now():%Y%m%d%H%M}"
    tell(key, event, organisers(event.season.club), data={"sitting": sitting.pk})


@receiver(clubs.name_changed)
def tell_name_changed(player: Player, change: str, by: User, **kwargs: Any) -> None:
    """Notify the player's account of what `by` did to its name, once an hour of each `change`."""
    now = timezone.now()
    key = f"name:{player.pk}:{change}:{now:%Y%m%d%H}"
    data = {"player": player.pk, "change": change}
    who = User.objects.filter(player=player).exclude(pk=by.pk)
    tell(key, player.club, who, now + AFTER_NAMES, data=data)


@receiver(clubs.published)
def tell_published(club: Club, by: User, **kwargs: Any) -> None:
    """Notify a club's other members that everyone may see it now, once a day."""
    key = f"published:{club.pk}:{timezone.now():%Y%m%d}"
    tell(key, club, User.objects.filter(memberships__club=club).exclude(pk=by.pk), data={})


@receiver(clubs.name_removed)
def tell_name_removed(player: Player, by: User, **kwargs: Any) -> None:
    """Notify a club's other owners that someone removed a player's name."""
    key = f"name_removed:{player.pk}:{timezone.now():%Y%m%d%H%M}"
    owners = User.objects.filter(
        memberships__club=player.club_id, memberships__role=Membership.Role.OWNER
    )
    tell(key, player.club, owners.exclude(pk=by.pk), data={"player": player.pk, "by": by.pk})


@receiver(clubs.ending_stopped)
def tell_ending_stopped(member: Membership, **kwargs: Any) -> None:
    """Notify the server's administrators that they decide who owns a club."""
    who = User.objects.filter(is_superuser=True)
    tell(f"owners:{member.pk}", member.club, who, data={"user": member.user_id})


@receiver(ledger.entry_posted)
def tell_entered(posting: Posting, **kwargs: Any) -> None:
    """Notify the players named in an entry by another person, once an hour of a night.

    What comes after the message of its hour is told at the end of that hour.
    """
    season, now = posting.season, posting.at
    key, due_at = f"entered:{posting.event_id or f's{season.pk}'}:{now:%Y%m%d%H}", now + AFTER_NAMES
    told = season.club.news.filter(key=key).exclude(state=NewsItem.State.WAITING)
    if told.update(key=Concat("key", Value(":"), Cast("pk", CharField()))):
        due_at = now.replace(minute=0, second=0, microsecond=0) + datetime.timedelta(hours=1)
    data = {"season": season.pk, "since": posting.at.isoformat()}
    who = Player.objects.filter(pk__in=money.named_in(posting)).exclude(user=posting.by_id or 0)
    tell_players(key, posting.event or season.club, who, due_at, data)


@receiver(ledger.entry_doubted)
def tell_doubted(doubt: EntryDoubt, **kwargs: Any) -> None:
    """Notify the organisers that a player says an entry is not right."""
    posting, key = doubt.posting, f"entry_doubted:{doubt.posting_id}:{doubt.player_id}"
    about, club = posting.event or posting.season.club, posting.season.club
    tell(key, about, organisers(club), data={"doubt": doubt.pk, "season": posting.season_id})


@receiver(ledger.payment_reported)
def tell_reported(report: ReportedPayment, **kwargs: Any) -> None:
    """Ask the payee whether a payment arrived, or the organisers if that reaches nobody."""
    if not _tell_of(report, "reported", report.payee_id):
        club, data = report.season.club, {"report": report.pk, "season": report.season_id}
        tell(f"reported:{report.pk}", report.event or club, organisers(club), data=data)


@receiver(ledger.report_refused)
def tell_report_refused(report: ReportedPayment, **kwargs: Any) -> None:
    """Notify the payer that the payment was not received."""
    _tell_of(report, "not_received", report.payer_id)


def _tell_of(report: ReportedPayment, kind: str, player: int) -> list[NewsItem]:
    data = {"report": report.pk, "season": report.season_id}
    who = Player.objects.filter(Q(pk=player) | Q(aliases=player))
    return tell_players(f"{kind}:{report.pk}", report.event or report.season.club, who, data=data)


@receiver(schedules.schedule_failed)
def tell_schedule_failed(occurrence: Occurrence, **kwargs: Any) -> None:
    """Notify the organisers that a scheduled night or tournament was not created."""
    season = occurrence.schedule.season
    club, day = season.club, occurrence.day.isoformat()
    data = {"schedule": occurrence.schedule.name, "day": day, "season": season.pk}
    tell(f"schedule_failed:{occurrence.pk}", club, organisers(club), data=data)


@receiver(arena.tournament_ended)
def tell_run_finished(event: Event, **kwargs: Any) -> None:
    """Tell webhooks of a tournament that is over: done or cancelled."""
    assert event.run is not None
    tell(f"run_finished:{event.pk}", event, (), data={"status": event.run.status})


@receiver(bot_checked)
def tell_bot_checked(upload: Upload, **kwargs: Any) -> None:
    """Tell webhooks of a checked bot, except of one that its author alone may see."""
    club = own_bots.club_of(upload)
    if club is not None and upload.seen_by != Upload.SeenBy.AUTHOR:
        data = {"bot": upload.name, "pk": upload.pk, "state": upload.state}
        tell(f"bot_checked:{upload.pk}:{timezone.now():%Y%m%d%H%M%S}", club, (), data=data)


@receiver(play.invited)
def tell_invited(invite: TableInvite, **kwargs: Any) -> None:
    """Notify a player that someone asks them to a table."""
    who = User.objects.filter(pk=invite.user_id)
    tell(f"invited:{invite.pk}", None, who, data={"invite": invite.pk})


@receiver(play.friend_waits)
def tell_company(seat: Seat, **kwargs: Any) -> None:
    """Notify an account's friends, who list it too, that it waits at a table, once an hour."""
    key = f"company:{seat.user_id}:{timezone.now():%Y%m%d%H}"
    listed = Friend.objects.filter(owner=seat.user).values("user")
    both = Friend.objects.filter(user=seat.user, owner__in=listed).values("owner")
    tell(key, None, User.objects.filter(pk__in=both), data={"seat": seat.pk})


@receiver(play.turn_unseen)
def tell_turn(seat: Seat, **kwargs: Any) -> None:
    """Notify a player of a turn at a table that they do not look at, until its clock ends."""
    table = seat.table
    key = f"turn:{table.pk}:{table.moved_version}"
    if cache.add(f"told:{key}", 1, table.move_seconds + 300):
        data = {"table": table.pk, "version": table.moved_version, "tag": f"table-{table.pk}"}
        who = User.objects.filter(pk=seat.user_id or 0)
        tell(key, None, who, data=data, expires_at=table.due_at)


@receiver(play.sprint_soon)
def tell_sprint_soon(sprint: Sprint, **kwargs: Any) -> None:
    """Notify the accounts that take part in a half-hour tournament that it begins."""
    if cache.add(f"told:sprint_soon:{sprint.pk}", 1, 600):
        entered = sprint.entries.filter(left=False, user__isnull=False).values("user")
        data = {"sprint": sprint.pk, "tag": f"sprint-{sprint.pk}"}
        who = User.objects.filter(pk__in=entered)
        tell(f"sprint_soon:{sprint.pk}", None, who, data=data, expires_at=sprint.starts_at)


@transaction.atomic
def ask_the_silent(*, event: Event, by: User) -> int:
    """Ask the players who have not answered whether they come, at most once a day.

    Only players with an account can be asked. Returns the number of accounts asked.
    """
    if not SignUp.objects.filter(event=event).exists() or not event.is_open:
        raise Refusal(_("This night is closed."), code="closed", status=409)
    club = event.season.club
    key = f"asked:{event.pk}:{timezone.localdate(timezone=event.zone).isoformat()}"
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

    Refusal if games still change it, nothing is open, the payer was reminded this week, or the
    payer gets no news.
    """
    if event is not None and event.is_in_play:
        raise Refusal(_("Games still change who pays whom. Remind after the night is closed."))
    if open_debts.owed_by([payer.pk], payee.pk, season, event) is None:
        raise Refusal(
            _("This debt is already settled. See what is still owed."), code="stale", status=409
        )
    year, week, _day = timezone.localdate(timezone=zone_of(season.club)).isocalendar()
    key = f"debt:{event.pk if event else f's{season.pk}'}:{payer.pk}:{payee.pk}:{year}-{week}"
    if NewsItem.objects.filter(club=season.club, key=key).exists():
        raise Refusal(_("%(name)s was already reminded this week.") % {"name": payer.name})
    data = {"season": season.pk, "payer": payer.pk, "payee": payee.pk}
    if not tell_players(key, event or season.club, Player.objects.filter(pk=payer.pk), data=data):
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
        others = _accounts_of(result.placings.values("entrant")).exclude(pk=result.by_id or 0)
        tell(key, result.sitting.round.event, others, now, data={"result": result.pk})


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
        users = _accounts_of(Entrant.objects.filter(event__in=nights))
        tell(key, season.club, users, now, data={"season": season.pk, "month": last.isoformat()})


def tell_season_ends(now: datetime.datetime) -> None:
    """Tell organisers of the last day that stops a schedule, a week before."""
    week, past = now.date() + datetime.timedelta(days=7), now.date() - datetime.timedelta(days=7)
    near = Club.objects.filter(seasons__ends_on__range=(past, week), closed_at=None).distinct()
    for season in ending_seasons(near):
        key = f"season_ends:{season.pk}:{season.ends_on}"
        is_near = season.ends_on is not None and past <= season.ends_on <= week
        if is_near and not NewsItem.objects.filter(club=season.club, key=key).exists():
            data = {"season": season.name, "day": str(season.ends_on)}
            tell(key, season.club, organisers(season.club), now, data=data)


def _accounts_of(entrants: QuerySet[Any]) -> QuerySet[User]:
    """Return the accounts of these entrants, under whatever names they played."""
    own = Q(player__entries__in=entrants) | Q(player__aliases__entries__in=entrants)
    return User.objects.filter(own).distinct()


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
