"""Who changed what last and when, for users who acted on an older state of a night."""

import datetime
from collections.abc import Collection

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from accounts.models import User
from league.clubs.facts.people import name_of
from league.models import Audit, Entrant, Event, Player, Round, Sitting
from league.models.days import day_of
from tables.refusals import Refusal

PRESENCE = ("event.presence", "event.guest")
STATUS = ("event.closed", "event.reopened", "event.called_off")
CLOCK = ("clock.started", "clock.added", "clock.paused", "clock.resumed", "clock.last_game")
SEATS = ("table.seats", "table.moved")
STAKE = ("event.stake", "event.stake_next")
DRAWS = ("draw.drafted", "draw.swapped", "draw.released", "draw.discarded")
SHOWN = (*PRESENCE, *STATUS, *CLOCK, *SEATS, *DRAWS, "event.settings", "event.told")
NEWS = datetime.timedelta(hours=1)
"""How long a change is told to other organisers."""


def find_last(
    event: Event, actions: Collection[str], *, after: int = 0, **data: object
) -> Audit | None:
    """Return the event's last log entry of these actions after the entry `after`.

    `data` are conditions on what the entry holds.
    """
    found = Audit.objects.filter(event=event, action__in=actions, pk__gt=after)
    found = found.filter(**{f"data__{name}": value for name, value in data.items()})
    return found.select_related("by", "club").order_by("-pk").first()


def say_stopped(event: Event, round_no: int) -> str:
    """Return who closed the night or withdrew the round, and why; empty if nobody has."""
    entry = None
    if not event.is_open:
        entry = find_last(event, STATUS)
    elif not event.rounds.filter(number=round_no, status=Round.Status.RELEASED).exists():
        entry = find_last(event, ("draw.discarded",), round=round_no)
    if entry is None:
        return ""
    return " ".join(word for word in (say(entry), str(entry.data.get("reason", ""))) if word)


def say(entry: Audit | None) -> str:
    """Return a sentence on who did it and when; empty without an entry."""
    if entry is None:
        return ""
    data = entry.data
    words = {
        "draw.drafted": _("%(who)s drew the tables of round %(round)s at %(time)s."),
        "draw.swapped": _("%(who)s swapped two players in round %(round)s at %(time)s."),
        "draw.released": _("%(who)s released round %(round)s at %(time)s."),
        "draw.discarded": _("%(who)s discarded the draw of round %(round)s at %(time)s."),
        "event.closed": _("%(who)s closed the night at %(time)s."),
        "event.reopened": _("%(who)s reopened the night at %(time)s."),
        "event.called_off": _("%(who)s called the night off at %(time)s."),
        "event.guest": _("%(who)s checked %(names)s in at %(time)s."),
        "event.presence/here": _("%(who)s checked %(names)s in at %(time)s."),
        "event.presence/left": _("%(who)s marked %(names)s as left at %(time)s."),
        "event.presence/expected": _("%(who)s marked %(names)s as not here yet at %(time)s."),
        "event.presence/absent": _("%(who)s marked %(names)s as absent at %(time)s."),
        "event.settings": _("%(who)s changed the settings at %(time)s."),
        "event.told": _("%(who)s revealed all results at %(time)s."),
        "clock.started": _("%(who)s started the clock at %(time)s: %(minutes)s minutes."),
        "clock.added": _("%(who)s set the clock to %(minutes)s minutes at %(time)s."),
        "clock.paused": _("%(who)s paused the clock at %(time)s."),
        "clock.resumed": _("%(who)s resumed the clock at %(time)s."),
        "clock.last_game": _("%(who)s called the last game at %(time)s."),
        "table.seats": _("%(who)s changed the seats at table %(table)s at %(time)s."),
        "table.seats/added": _("%(who)s added table %(table)s at %(time)s."),
        "table.seats/ended": _("%(who)s closed table %(table)s at %(time)s."),
        "table.moved": _("%(who)s moved a player to table %(table)s at %(time)s."),
    }
    club = entry.club_id
    who = name_of(club, entry.by) if entry.by else _("Someone with the night's link")
    kind = f"/{data['to']}" if entry.action == "event.presence" else ""
    if entry.action == "table.seats":
        kind = next((f"/{mark}" for mark in ("added", "ended") if data.get(mark)), "")
    values = {name: data.get(name, "") for name in ("round", "minutes", "table")}
    values |= {"who": who, "time": when(entry), "names": _names(entry)}
    return capfirst(words[entry.action + kind] % values)


def say_latest(event: Event, reader: User | AnonymousUser | None) -> str:
    """Return a sentence on the last hour's last change by another organiser; else ""."""
    since = timezone.now() - NEWS
    found = Audit.objects.filter(event=event, action__in=SHOWN, at__gt=since)
    own = reader.pk if reader else None
    found = found.exclude(by=None).exclude(by=own)
    return say(found.select_related("by", "club").order_by("-pk").first())


def stake_at(event: Event, sitting: Sitting, at: datetime.datetime) -> int:
    """Return what the table played for at that time, in the amounts as they were corrected since.

    It goes back from the stake of now: what the night changed left out a table with its own.
    """
    here = Q(data__round=sitting.round.number, data__table=sitting.table_no, action="table.stake")
    changes = list(
        Audit.objects.filter(here | Q(action__in=STAKE), event=event, at__gt=at)
        .order_by("-pk")
        .values_list("action", "data")
    )
    stake, has_own = event.stake_of(sitting), sitting.stake is not None
    for action, data in changes:
        if action == "table.stake" or (
            stake == data["new"] and not (has_own and action == "event.stake_next")
        ):
            stake, has_own = data["old"], has_own and action != "table.stake"
    for action, data in reversed(changes):
        if action == "event.stake" and stake == data["old"]:
            stake = data["new"]
    return stake


def seats_since(
    event: Event, sitting: Sitting, at: datetime.datetime
) -> list[tuple[int | None, int | None]]:
    """Return who left the table's seats since that time and who took them, the latest first.

    Only the changes that name one entrant each; a seat that nobody left or took has None.
    """
    table = sitting.table_no
    found: list[tuple[int | None, int | None]] = []
    later = Audit.objects.filter(event=event, action__in=SEATS, at__gt=at).order_by("-pk")
    for action, data in later.values_list("action", "data"):
        if action == "table.seats":
            if data["table"] == table and not isinstance(data.get("came"), list):
                found.append((data.get("left"), data.get("came")))
        elif data["from_table"] == table:
            found.append((data["moved"], data["other"]))
        elif data["table"] == table:
            found.append((data["other"], data["moved"]))
    return found


def when(entry: Audit) -> str:
    """Return the hour of an entry, with its day unless it is of today."""
    at = timezone.localtime(entry.at)
    time = time_format(at, "H:i")
    if day_of(at, entry.club.time_zone) != entry.club.today:
        time = f"{time}, {date_format(at, 'SHORT_DATE_FORMAT')}"
    return time


def refuse_overtaken(event: Event, entry: Audit | None) -> None:
    """Refuse to undo what `entry` has changed since; None refuses nothing."""
    if entry is not None:
        text = _("%(change)s Nothing was undone.") % {"change": say(entry)}
        raise Refusal(text, code="overtaken", status=409)


def find_presence_after(event: Event, players: Collection[int], after: int) -> Audit | None:
    """Return the last change of presence of one of these players after that log entry."""
    entrants = set(
        Entrant.objects.filter(event=event, player__in=players).values_list("pk", flat=True)
    )
    later = Audit.objects.filter(event=event, pk__gt=after, action__in=(*PRESENCE, "table.seats"))
    for entry in later.select_related("by", "club").order_by("-pk"):
        data = entry.data
        came = data.get("came") or []
        seats = {data.get("left"), *(came if isinstance(came, list) else [came])}
        if {*data.get("players", []), data.get("player")} & set(players) or seats & entrants:
            return entry
    return None


def _names(entry: Audit) -> str:
    keys = entry.data.get("players") or [entry.data.get("player")]
    if not entry.action.startswith("event."):
        return ""
    names = Player.objects.filter(pk__in=[key for key in keys if key]).order_by("sort_key")
    return ", ".join(names.values_list("name", flat=True)[:3])
