"""A club's log as sentences, with the values before and after each change."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import groupby
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from accounts.models import User
from league.base import texts
from league.base.domain.names import sort_key
from league.base.domain.stored_specials import from_json
from league.base.facts import log_marks
from league.base.page_parts import Tab
from league.clubs.facts.people import names_of
from league.log.pages.words import (
    BY_ITSELF,
    FIELDS,
    KINDS,
    NOBODY,
    ROWS,
    SENTENCES,
    UNKNOWN,
    WAITED,
)
from league.models import (
    Adjustment,
    Audit,
    Club,
    Dispute,
    Entrant,
    Event,
    FormerName,
    Membership,
    Player,
    Posting,
    Sitting,
    Transfer,
)
from league.nights.facts.last_changes import PRESENCE
from league.nights.pages.entry_form import sentences as specials_in_words
from league.seasons.domain.scoring import PointsTable
from league.seasons.facts.standings import tie_break_name
from league.seasons.pages.season_pages import points_table_words
from tables.base.faces import ANIMAL_NAMES
from tables.numbers import whole_number

PER_PAGE = 10
EVENTS_OFFERED = 200
NO_ACCOUNT = "none"
RUNS = ("sign_up.", "event.presence")
"""Kinds of actions that are one when they follow each other."""
SEGMENTS = {
    "": pgettext_lazy("segment of the log", "All"),
    "games": pgettext_lazy("segment of the log", "Games"),
    "money": pgettext_lazy("segment of the log", "Money"),
    "presence": pgettext_lazy("segment of the log", "Check-in"),
}
"""The kinds that are asked for most."""
STAKES = ("event.stake", "event.stake_next", "table.stake")
# The keys that hold players, and entrants, in the data of actions.
PLAYERS = ("player", "payee", "captain", "into", "of")
ENTRANTS = ("a", "b", "left", "came", "moved", "other", "entrant")


@dataclass(frozen=True)
class Change:
    label: str
    old: str
    new: str


@dataclass(frozen=True)
class AuditLine:
    """An entry in words; `player` is who did it, where a name of the club is known."""

    entry: Audit
    sentence: str
    changes: list[Change]
    player: Player | None = None


@dataclass(frozen=True)
class LogDay:
    """The entries of one day, latest first; those of one kind that follow each other are a run."""

    date: datetime.date
    runs: list[list[AuditLine]]


@dataclass(frozen=True)
class Asked:
    """The reader's filters; None or an empty text filters nothing."""

    event: int | None = None
    by: str = ""
    kind: str = ""
    mark: str = ""


@dataclass(frozen=True)
class LogPage:
    """A page of the log, latest first, and the choices of its filters."""

    page_obj: Page[Audit]
    lines: list[AuditLine]
    segments: list[Tab]
    asked: Asked
    events: list[Event]
    people: list[tuple[str, str]]
    kinds: list[tuple[str, Any]]
    mark: str

    @property
    def days(self) -> list[LogDay]:
        days = groupby(self.lines, lambda line: timezone.localtime(line.entry.at).date())
        return [
            LogDay(date, [list(run) for _looks, run in groupby(lines, _looks)])
            for date, lines in days
        ]


def _looks(line: AuditLine) -> object:
    """Return what lines of a run have in common."""
    action = line.entry.action
    return next((kind for kind in RUNS if action.startswith(kind)), action), line.entry.event_id


def log_page(club: Club, asked: Asked, number: str | None) -> LogPage:
    """Return one page of the log, latest first, and the choices of its filters."""
    found = _found(club, asked).select_related("event")
    page: Page[Audit] = Paginator(found, PER_PAGE).get_page(number)
    names = _Names(club, list(page.object_list))
    people = [(str(key), name) for key, name in names.accounts.items()]
    return LogPage(
        page_obj=page,
        lines=[line_of(entry, names) for entry in page.object_list],
        segments=_segments(club, asked),
        asked=asked,
        events=list(Event.objects.filter(season__club=club).only("name", "date")[:EVENTS_OFFERED]),
        people=sorted(people, key=lambda one: sort_key(one[1])),
        kinds=[(kind, label) for kind, (label, _actions) in KINDS.items()],
        mark=log_marks.mark_of(club),
    )


def _segments(club: Club, asked: Asked) -> list[Tab]:
    """Return the ways to all of the log and to what is asked for most."""
    here = reverse("league:audit", args=[club.slug])
    night = f"event={asked.event}" if asked.event is not None else ""
    return [
        Tab(
            str(text),
            f"{here}?{'&'.join(part for part in (night, kind and f'kind={kind}') if part)}",
            asked.kind == kind,
        )
        for kind, text in SEGMENTS.items()
    ]


def _found(club: Club, asked: Asked) -> QuerySet[Audit]:
    found = Audit.objects.filter(club=club)
    if asked.mark:
        found = found.filter(marks__digest__startswith="".join(asked.mark.lower().split()))
    if asked.event is not None:
        found = found.filter(event=asked.event)
    if asked.by == NO_ACCOUNT:
        found = found.filter(by=None)
    elif asked.by.isdecimal():
        found = found.filter(by=whole_number(asked.by) or 0)
    if asked.kind == "presence":
        found = found.filter(action__in=PRESENCE)
    elif asked.kind in KINDS:
        of_kind = Q()
        for beginning in KINDS[asked.kind][1]:
            of_kind |= Q(action__startswith=f"{beginning}.")
        found = found.filter(of_kind).exclude(action__in=PRESENCE)
    return found


def line_of(entry: Audit, names: _Names) -> AuditLine:
    values = _Values(entry, names)
    sentence = SENTENCES.get(_variant(entry)) or SENTENCES.get(entry.action) or UNKNOWN
    told = [sentence]
    if entry.action == "result.recorded":
        told += [words for key, words in WAITED.items() if key in entry.data]
    said = " ".join(str(words) % values for words in told)
    player = names.who(entry)
    return AuditLine(entry, " ".join(said.split()), list(_changes(entry, names)), player)


def _variant(entry: Audit) -> str:
    """Return the key of the entry's sentence, for actions with several variants."""
    data, action = entry.data, entry.action
    if action == "event.presence":
        whose = "captain_" if data.get("captain") else ""
        return f"{action}/{whose}{data.get('to')}"
    if action == "table.seats":
        marks = [mark for mark in ("added", "ended", "left", "came") if data.get(mark)]
        return f"{action}/{'both' if marks == ['left', 'came'] else marks[0]}" if marks else action
    variants = {
        "adjustment.made": ("penalty", str(data.get("points", "")).startswith("-")),
        "dispute.opened": ("mistake", data.get("mistake")),
        "dispute.recalled": (
            "agrees" if data.get("agrees") else "withdrawn",
            data.get("agrees") is not False,
        ),
        "draw.discarded": ("released", data.get("reason")),
        "event.closed": ("unfinished", data.get("unfinished")),
        "link.renewed": (str(data.get("purpose")), data.get("purpose")),
        "sign_up.yes": ("guests", data.get("guests")),
        "result.corrected": ("void", data.get("void")),
        "season.scoring": ("recounted", data.get("recount_all")),
        "table.moved": ("exchanged", data.get("other")),
    }
    name, holds = variants.get(action, ("", False))
    return f"{action}/{name}" if holds else action


BY_PLAYER = ("dispute.opened", "dispute.recalled")
"""What is said by a player, whoever's phone or account sends it."""


class _Names:
    """The names behind the keys in some entries, read in a fixed number of queries."""

    def __init__(self, club: Club, some: Sequence[Audit]) -> None:
        data = [entry.data for entry in some]
        self.club = club

        def found_of(rows: QuerySet[Any], name: str, *keys: str) -> dict[int, Any]:
            return dict(rows.filter(pk__in=_keys(data, *keys)).values_list("pk", name))

        entrants = Entrant.objects.filter(event__season__club=club)
        sittings = Sitting.objects.filter(round__event__season__club=club)
        by = {entry.by_id for entry in some}
        people = Q(pk__in=_keys(data, *PLAYERS, "players")) | Q(user__in=by - {None})
        self.people = {one.pk: one for one in club.players.filter(people)}
        self.players = {key: one.name for key, one in self.people.items()}
        self.entrants = found_of(entrants, "player__name", *ENTRANTS, "groups", "by", "of")
        self.tables = found_of(sittings, "table_no", "sitting")
        self.offers = found_of(club.role_offers.all(), "email", "offer")
        renamed = [entry.data for entry in some if entry.action == "player.renamed"]
        former = FormerName.objects.filter(
            player__in=_keys(renamed, "player"), player__hidden=None, until=None
        )
        self.former = list(former.values_list("player_id", "pk", "name"))
        of_events = {entry.event.season_id for entry in some if entry.event is not None}
        seasons = club.seasons.filter(pk__in=_keys(data, "season") | of_events)
        named = {
            pk: (name, unit) for pk, name, unit in seasons.values_list("pk", "name", "fixed_unit")
        }
        self.seasons = {pk: name for pk, (name, _unit) in named.items()}
        self.units = {pk: unit or club.unit for pk, (_name, unit) in named.items()}
        self.accounts = _accounts(club, _keys(data, "user"))
        self.transfers: dict[int, list[Transfer]] = {}
        moved = Transfer.objects.filter(
            posting__in=_keys(data, "posting"), posting__season__club=club
        )
        accounts = ("payer__player", "payer__club", "payee__player", "payee__club")
        for transfer in moved.select_related("posting__season", *accounts).order_by("pk"):
            assert transfer.posting_id is not None
            self.transfers.setdefault(transfer.posting_id, []).append(transfer)

    def who(self, entry: Audit) -> Player | None:
        """Return the player who acted, or without an account the player it is about."""
        if entry.by_id is not None and entry.action not in BY_PLAYER:
            own = (one for one in self.people.values() if one.user_id == entry.by_id)
            return next((one for one in own if not one.merged_into_id), None)
        return self.people.get(entry.data.get("player") or 0)

    def renamed(self, data: Mapping[str, Any]) -> tuple[Any, Any]:
        """Return the player's names before and after an entry; equal ones if it was forgotten."""
        if "former" not in data:
            return data.get("old"), data.get("new")
        player, at = data["player"], data["former"]
        later = {key: name for one, key, name in self.former if one == player and key >= at}
        now = self.players.get(player, "—")
        return (later.pop(at), next(iter(later.values()), now)) if at in later else (now, now)


def _accounts(club: Club, others: Iterable[int]) -> dict[int, str]:
    """Return the names of all who stand in the club's log, and of others; equal ones numbered."""
    users = User.objects.filter(Q(pk__in=club.audit.values("by")) | Q(pk__in=others))
    found: dict[int, str] = {}
    seen: Counter[str] = Counter()
    for (_club, key), name in sorted(names_of((club.pk, user) for user in users).items()):
        seen[name] += 1
        found[key] = name if seen[name] == 1 else f"{name} {seen[name]}"
    return found


def _keys(data: Iterable[Any], *names: str) -> set[int]:
    """Return all integers under these names at any depth, also in lists."""
    found: set[int] = set()

    def look(value: Any, wanted: bool) -> None:
        if isinstance(value, Mapping):
            for name, part in value.items():
                look(part, name in names)
        elif isinstance(value, list):
            for part in value:
                look(part, wanted)
        elif wanted and type(value) is int:
            found.add(value)

    for each in data:
        look(each, False)
    return found


class _Values(Mapping[str, str]):
    """The placeholders of a sentence, with the entry's values in words."""

    def __init__(self, entry: Audit, names: _Names) -> None:
        self.entry, self.names = entry, names
        entrant = partial(self._of, names.entrants)
        player = partial(self._of, names.players)
        self.ways: dict[str, Callable[[Any], str]] = {
            **dict.fromkeys(ENTRANTS, entrant),
            **dict.fromkeys(PLAYERS, player),
            "role": _role,
            "points": _points,
            "mistake": lambda kind: (
                f"{Dispute.Kind(kind).label}." if kind in Dispute.Kind.values else ""
            ),
        }

    def __getitem__(self, key: str) -> str:
        data = self.entry.data
        own: dict[str, Callable[[], str]] = {
            "who": self._who,
            "action": lambda: self.entry.action,
            "players": lambda: _listed(
                self.names.players.get(key, "—") for key in data.get("players", [])
            ),
            "name": lambda: self._of(self.names.players, data.get("player")),
            "into_name": lambda: self._of(self.names.players, data.get("into"), "into_name"),
            "of_name": lambda: self._of(self.names.players, data.get("of"), "of_name"),
            "names": self._names,
            "email": self._address,
            "order": lambda: order(data.get("groups", []), self.names),
            "table": lambda: _plain(
                data.get("table") or self.names.tables.get(data.get("sitting", 0))
            ),
            "season": lambda: self._of(self.names.seasons, data.get("season")),
            "account": lambda: self._of(self.names.accounts, data.get("user")),
            "amount": self._amount,
            "tapped_at": lambda: _time(data["tapped_at"]),
            "payers": lambda: self._accounts(0),
            "payees": lambda: self._accounts(1),
        }
        if key in own:
            return own[key]()
        value = data.get(key)
        if key == "reason" and self.entry.action == "adjustment.made":
            return _quoted(Adjustment.words(str(value)))
        if key == "note" and self.entry.action == "dispute.opened":
            return _quoted(Dispute.words(str(value)))
        if key == "note" and self.entry.action.startswith("posting."):
            return _quoted(Posting.words(str(value or "")))
        if key in self.ways:
            return self.ways[key](value)
        return _plain(value) if key not in ("note", "reason") else _quoted(value)

    def __iter__(self) -> Any:
        return iter(self.entry.data)

    def __len__(self) -> int:
        return len(self.entry.data)

    def _who(self) -> str:
        if self.entry.action in BY_PLAYER and "player" in self.entry.data:
            return self["player"]
        if self.entry.by_id is not None:
            return self.names.accounts[self.entry.by_id]
        action = self.entry.action
        return str(NOBODY.get(action) or NOBODY.get(action.split(".")[0]) or BY_ITSELF)

    def _of(self, names: Mapping[int, str], key: Any, written: str = "name") -> str:
        if isinstance(key, list):
            return _listed([self._of(names, one) for one in key])
        return names.get(key, _plain(self.entry.data.get(written)))

    def _names(self) -> str:
        """Return the names of the entry's players, and those of before 1.2 without a key."""
        data = self.entry.data
        keys = data.get("players", [data["player"]] if "player" in data else [])
        known = [self.names.players.get(key, "—") for key in keys]
        return _listed(known + (data.get("names") or []))

    def _address(self) -> str:
        """Return who was offered a role, or has it."""
        data = self.entry.data
        if "user" in data:
            return self.names.accounts.get(data["user"], "—")
        offered = self.names.offers.get(data.get("offer"))
        return str(offered or data.get("email") or _("an email address"))

    def _amount(self) -> str:
        own = self.names.transfers.get(self.entry.data.get("posting", 0), [])
        amount = self.entry.data.get("amount") or sum(t.amount for t in own)
        return texts.amount(amount, self._unit())

    def _unit(self) -> str:
        """Return the unit of the entry's season."""
        own = self.names.transfers.get(self.entry.data.get("posting", 0), [])
        if own and own[0].posting:
            return own[0].posting.season.fixed_unit or self.names.club.unit
        season = self.entry.data.get("season") or _season_of(self.entry)
        return self.names.units.get(season, self.names.club.unit)

    def _accounts(self, side: int) -> str:
        """Return who handed the money over (0), or who took it (1)."""
        own = self.names.transfers.get(self.entry.data.get("posting", 0), [])
        return _listed(list(dict.fromkeys(str(t.hands[side]) for t in own)))


def order(groups: Any, names: _Names) -> str:
    """Return places in words, such as Lan, Mai = Nam, Tâm."""
    return ", ".join(
        " = ".join(names.entrants.get(entrant, "—") for entrant in group) for group in groups
    )


def _specials(specials: Any, names: _Names) -> str:
    return "; ".join(specials_in_words(from_json(specials or []), names.entrants)) or "—"


def _changes(entry: Audit, names: _Names) -> Iterable[Change]:
    """Yield the values that the entry changed."""
    data, action = entry.data, entry.action
    if action == "result.corrected" and (before := data.get("before")):
        yield from _change("order", before["order"], data["groups"], partial(order, names=names))
        yield from _change(
            "specials", before["specials"], data["specials"], partial(_specials, names=names)
        )
    elif action == "result.recorded" and data.get("specials"):
        yield from _change("specials", [], data["specials"], partial(_specials, names=names))
    elif action == "event.settings":
        for field, values in data.get("changed", {}).items():
            old, new = values if isinstance(values, list) else ("", values)
            yield from _change(field, old, new, _stake(entry, names) if field == "stake" else None)
    elif action == "player.wishes" and "old" in data:
        for field, old in data["old"].items():
            yield from _change(field, old, data.get(field))
    elif action == "player.face":
        yield from _change("animal", data.get("old"), data.get("animal"), _animal)
    elif action == "member.role":
        yield from _change("role", data.get("old"), data.get("role"), _role)
    elif action == "player.renamed":
        yield from _change("name", *names.renamed(data))
    elif action in ("event.weight", "event.gives") or action in STAKES:
        field = action.partition(".")[2].removesuffix("_next")
        words = _stake(entry, names) if field == "stake" else None
        yield from _change(field, data.get("old"), data.get("new"), words)
    elif action.startswith("clock.") and "minutes" in data and "old" in data:
        yield from _change("minutes", data["old"], data["minutes"])
    elif action == "season.scoring":
        yield from _scoring_changes(data.get("old", {}), data.get("new", {}))


def _scoring_changes(old: Any, new: Any) -> Iterable[Change]:
    before, after = old.get("scoring", {}), new.get("scoring", {})
    for field in after:
        if field in FIELDS:
            yield from _change(field, before.get(field), after[field])
    yield from _change("tie_breaks", old.get("tie_breaks"), new.get("tie_breaks"), _tie_breaks)


def _change(
    field: str, old: Any, new: Any, words: Callable[[Any], str] | None = None
) -> Iterable[Change]:
    if old != new:
        say = words or partial(_setting, field)
        yield Change(str(FIELDS.get(field, field)), say(old), say(new))


def _season_of(entry: Audit) -> int:
    """Return the key of the season of the entry's night; 0 without a night."""
    return entry.event.season_id if entry.event else 0


def _stake(entry: Audit, names: _Names) -> Callable[[Any], str]:
    """Return how the entry's stakes are said, in the unit of its season."""
    unit = names.units.get(_season_of(entry), names.club.unit)

    def say(stake: Any) -> str:
        is_amount = str(stake).isdecimal() and int(stake)
        return texts.amount(int(stake), unit) if is_amount else _plain(stake)

    return say


def _time(text: str) -> str:
    at = timezone.localtime(datetime.datetime.fromisoformat(text))
    return date_format(at, "SHORT_DATETIME_FORMAT")


def _plain(value: Any) -> str:
    return "—" if value in (None, "", []) else str(value)


def _quoted(value: Any) -> str:
    return f"“{value}”" if value else ""


def _listed(values: Any) -> str:
    return ", ".join(str(value) for value in values or []) or "—"


def _role(value: Any) -> str:
    return str(Membership.Role(value).label) if value in Membership.Role.values else "—"


def _animal(value: Any) -> str:
    return str(ANIMAL_NAMES.get(value, _("as given")))


def _points(value: Any) -> str:
    number = str(value)
    return (number.rstrip("0").rstrip(".") if "." in number else number).replace("-", "−")


def _setting(field: str, value: Any) -> str:
    row = ROWS.get(field)
    if value in (None, "", []):
        return _plain(value)
    if field == "points_table":
        return points_table_words(PointsTable.from_json(value))
    if field == "place_points":
        return " – ".join(texts.points(Fraction(points)) for points in value)
    if row and row.kind == "exact":
        return texts.points(Fraction(value))
    if row and row.kind == "tick":
        return _("yes") if value else _("no")
    return _(row.choices[value]) if row and value in row.choices else _plain(value)


def _tie_breaks(keys: Any) -> str:
    return _listed([tie_break_name(key) for key in keys or []])
