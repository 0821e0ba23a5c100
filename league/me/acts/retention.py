"""What the server keeps about people: how long, why, and what deletes it every night."""

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts import sessions
from accounts.models import SecurityEvent
from launcher.night import SOON, is_night
from league.models import (
    Channel,
    Claim,
    Confirmation,
    Dispute,
    FormerName,
    FormerWay,
    Mention,
    OldRows,
    Result,
    RoleOffer,
    SignUpAnswer,
)
from league.models.club import OFFERED_FOR
from league.news.acts import sending
from league.nights.facts import claims
from tables.api import sent_requests
from tables.base.words import GONE
from tables.models import Run, Seat, SprintEntry, Upload
from tables.people.acts.forgetting import forget_entries, forget_seats
from tables.runs import runs

DAY = datetime.timedelta(days=1)
MONTH, QUARTER = 30 * DAY, 90 * DAY
MOST = 5_000
"""The most guests' seats that one night clears."""


class Until(Enum):
    """An end that is no number of days."""

    REMOVED = "removed"
    CLUB = "club"


Sweep = Callable[[datetime.datetime], int]


@dataclass(frozen=True)
class Retained:
    """Rows about people: `models` are their models, `sweep` deletes the old ones, if a night does.

    Without `sweep` another act ends them: their holder's, or a timer of their own.
    """

    what: Promise | str
    why: Promise | str
    kept: datetime.timedelta | Until
    models: tuple[str, ...]
    sweep: Sweep | None = None


def _after(kept: datetime.timedelta, rows: QuerySet[Any], at: str) -> Sweep:
    """Return what deletes these rows once their moment `at` is longer ago than they are kept."""
    return lambda now: rows.filter(**{f"{at}__lte": now - kept}).delete()[0]


def _phones(now: datetime.datetime) -> int:
    """Delete claims that ended, and what knows a phone beside old games and answers."""
    old = now - QUARTER
    count = Claim.objects.filter(ended_at__lt=old).delete()[0]
    for model, at in ((Result, "at"), (Confirmation, "at"), (Dispute, "at"), (SignUpAnswer, "at")):
        rows = model._default_manager.filter(**{f"{at}__lt": old})
        count += rows.exclude(device="").update(device="")
    return count


def _channels(now: datetime.datetime) -> int:
    """Delete the push addresses of phones without an account that had no name for a month."""
    count, lately = 0, Claim.objects.filter(event__date__gte=(now - MONTH).date())
    for channel in Channel.objects.filter(user=None, at__lt=now - MONTH):
        if not claims.of_phone(channel.phone, lately).exists():
            count += channel.delete()[1][Channel._meta.label]
    return count


def _bots_left(_now: datetime.datetime) -> int:
    """Delete the code of bots whose author has no account any more, once no run needs it."""
    playing = Run.objects.filter(status__in=runs.OPEN).values_list("bots", flat=True)
    names = {bot["name"] for bots in playing for bot in bots}
    left = Upload.objects.filter(author=None).exclude(name__in=names).exclude(body=b"")
    return left.update(body=b"")


def _guests(now: datetime.datetime) -> int:
    """Remove guests' names at tables and half hours that ended, and the networks of all there."""
    old = Seat.objects.filter(table__closed_at__lt=now - QUARTER, bot="")
    guests = old.filter(user=None, club_seat=None).exclude(name=GONE)
    keys = list(guests.values_list("pk", flat=True)[:MOST])
    forget_seats(found=Seat.objects.filter(pk__in=keys))
    entries = SprintEntry.objects.filter(user=None, sprint__ends_at__lt=now - QUARTER)
    known = old.exclude(Q(device="", network=""))
    return len(keys) + forget_entries(found=entries) + known.update(device="", network="")


LINES = (
    Retained(_("Browser, network"), _("to show where you are signed in"), MONTH,
         ("usersessions.UserSession", "sessions.Session"), sessions.forget_ended),
    Retained(_("News and emails"), _("to send them once"), MONTH,
         ("league.NewsItem", "accounts.SecurityMail"), sending.forget),
    Retained(_("Offers of a role"), _("until you answer"), MONTH, ("league.RoleOffer",),
         _after(OFFERED_FOR, RoleOffer.objects.filter(user=None), "at")),  # Others never run out.
    Retained(_("Push of a phone without an account"), _("to call you to your table"), MONTH,
         ("league.Channel",), _channels),
    Retained(_("Texts with a removed name"), _("until an organiser decides"), MONTH,
         ("league.Mention",), _after(MONTH, Mention.objects.all(), "at")),
    Retained(_("Former account numbers"), _("to undo a mistake"), MONTH,
         ("league.FormerWay",), _after(MONTH, FormerWay.objects.all(), "ended_at")),
    Retained(_("Hidden and changed names"), _("to undo a mistake"), 7 * DAY,
         ("league.HiddenName",), _after(0 * DAY, FormerName.objects.all(), "until")),
    Retained(_("Requests of programs"), _("to act on each once"), DAY,
         ("tables.SentRequest",), sent_requests.sweep),
    Retained(_("The phone of a name"), _("not to ask again"), QUARTER,
         ("league.Claim", "league.Confirmation", "league.Dispute", "league.SignUpAnswer"), _phones),
    Retained(_("Guests' names online, networks"), _("to review games and fair play"), QUARTER,
         ("tables.Seat", "tables.SharedPlace", "tables.Successor"), _guests),
    Retained(_("Security log"), _("to notice strangers"), QUARTER,
         ("accounts.SecurityEvent",), _after(QUARTER, SecurityEvent.objects.all(), "at")),
    Retained(_("Backups"), _("to repair the server"), QUARTER, ("league.Erasure",)),
    Retained(_("Name and face"), _("to be called"), Until.REMOVED,
         ("league.Player", "league.FormerName", "league.WaitingName")),
    Retained(_("Email and password"), _("to sign in"), Until.REMOVED,
         ("accounts.User", "account.EmailAddress", "account.EmailConfirmation",
          "mfa.Authenticator", "league.ApiToken", "league.CalendarFeed")),
    Retained(_("Account number"), _("for payment codes"), Until.REMOVED,
         ("league.PaymentWay", "league.WayAtTable")),
    Retained(_("Settings"), _("as you chose them"), Until.REMOVED, ("league.NewsWish",)),
    Retained(_("Play online: friends, chat, ratings, puzzles"), _("to play on"), Until.REMOVED,
         ("tables.Friend", "tables.TableInvite", "tables.Message", "tables.Mute",
          "tables.TableRating", "tables.TableStrength", "tables.RatedPlace", "tables.Solver",
          "tables.Attempt", "tables.SprintEntry", "tables.Challenge")),
    Retained(_("Bots"), _("to play and rank them"), Until.REMOVED,
         ("tables.BotAccount", "tables.Upload", "tables.Run"), _bots_left),
    Retained(_("Games, ranks, money"), _("sums must close"), Until.CLUB,
         ("league.Entrant", "league.Placing", "league.Place", "league.Bye", "league.Tally",
          "league.Result", "league.Adjustment", "league.Account", "league.Posting",
          "league.EntryDoubt", "league.ReportedPayment", "league.Transfer", "league.StakeOffer",
          "league.Rating", "league.RatingPoint", "league.Strength", "league.StrengthPoint",
          "league.RosterMember", "league.SeasonRow", "league.ClubTable", "league.ClubSeat",
          "league.Roster")),
    Retained(_("The club's log"), _("to settle doubts"), Until.CLUB, ("league.Audit",)),
    Retained(_("Roles, links, files, rules"), _("to run the club"), Until.CLUB,
         ("league.Club", "league.Membership", "league.Link", "league.FileImport",
          "league.Notebook",
          "league.Schedule", "league.ClubRulesetVersion", "league.Webhook")),
)  # fmt: skip


def forget_tonight(now: datetime.datetime) -> dict[str, int] | None:
    """Delete what is old, once a night; return how many rows by line, None if it was done."""
    last = OldRows.objects.first()
    age = now - last.at if last is not None else 2 * DAY
    return forget(now) if age >= 2 * DAY or (age >= SOON and is_night(now)) else None


def forget(now: datetime.datetime) -> dict[str, int]:
    """Delete what is old, and store how many rows that were."""
    counts = {str(line.models[0]): line.sweep(now) for line in LINES if line.sweep}
    OldRows.objects.create(counts=counts)
    OldRows.objects.filter(at__lt=timezone.now() - QUARTER).delete()
    return counts


def last_count() -> int | None:
    """Return how many rows the last night deleted; None before the first."""
    last: Any = OldRows.objects.first()
    return sum(last.counts.values()) if last else None
