"""Settings that two organisers changed at once: both values side by side, and what both keep."""

from collections.abc import Sequence
from dataclasses import dataclass

from accounts.models import User
from league.clubs.facts.people import name_of
from league.models import Audit, Event, Player
from league.nights.acts.night_settings import settings_shown
from league.nights.facts import last_changes
from league.nights.facts.missing_games import is_played
from league.nights.forms.events import FIELD_OF, NightSettingsForm


@dataclass(frozen=True)
class OneValue:
    """A value of one person: in words, and as the form sends it; `name` is empty for the reader."""

    words: str
    sent: str
    name: str
    when: str
    player: Player | None


@dataclass(frozen=True)
class Crossed:
    """A setting that both changed: its field, what it was, and both values; `mine` comes first."""

    field: str
    label: str
    was: str
    values: tuple[OneValue, OneValue]
    chosen: str


@dataclass(frozen=True)
class Kept:
    """A setting that only one of the two changed."""

    label: str
    words: str
    was: str
    name: str
    player: Player | None


@dataclass(frozen=True)
class CrossedSettings:
    """The page: who else changed the settings, what to choose, what both keep, and the rest.

    `hidden` are the fields that are sent along with the choices.
    """

    others: str
    crossed: list[Crossed]
    kept: list[Kept]
    hidden: list[tuple[str, str]]


def settings_crossed(
    event: Event, mine: NightSettingsForm, crossed: Sequence[str], by: User
) -> CrossedSettings:
    """Return the page for the sent form `mine`, in which those settings met someone else's."""
    now = NightSettingsForm(event=event)
    seen, values = mine.settings_seen or {}, settings_shown(event)
    theirs = [name for name in values if name in seen and values[name] != seen[name]]
    me = _player(event, by)
    entries = {name: _entry(event, name) for name in theirs}
    asked, kept, names = [], [], []
    for name in theirs:
        if FIELD_OF.get(name, name) not in now.fields:
            continue
        entry = entries[name]
        other = entry.by if entry else None
        who, player = name_of(event.season.club_id, other), _player(event, other)
        names += [who] if who not in names else []
        label, was = str(now[FIELD_OF.get(name, name)].label), _was(event, entry, name)
        if name not in crossed:
            kept.append(Kept(label, now.words(name), was, who, player))
            continue
        at = last_changes.when(entry) if entry else ""
        said = (
            OneValue(mine.words(name), mine.sent(name), "", "", me),
            OneValue(now.words(name), now.sent(name), who, at, player),
        )
        played = name == "stake" and is_played(event)
        asked.append(Crossed(FIELD_OF.get(name, name), label, was, said, said[played].sent))
    changed = [name for name in mine.changed_from(seen) if name not in theirs]
    own = [name for name in changed if FIELD_OF.get(name, name) in mine.fields]
    kept += [
        Kept(str(mine[FIELD_OF.get(name, name)].label), mine.words(name), "", "", me)
        for name in own
    ]
    fields = {FIELD_OF.get(name, name) for name in own}
    chosen = {one.field for one in asked}
    hidden = [
        (name, (mine if name in fields or name == "stake_from" else now).sent(name))
        for name in now.fields
        if name not in chosen
    ]
    return CrossedSettings(", ".join(names), asked, kept, [*hidden, ("seen", now.shown)])


def _entry(event: Event, name: str) -> Audit | None:
    """Return the last log entry that changed this setting."""
    if name == "stake" and (entry := last_changes.find_last(event, last_changes.STAKE)):
        return entry
    return last_changes.find_last(event, ("event.settings",), **{f"changed__{name}__isnull": False})


def _was(event: Event, entry: Audit | None, name: str) -> str:
    """Return the value before that entry in words, as the log has it."""
    if entry is None:
        return ""
    changed = entry.data.get("changed", {}).get(name)
    was = changed[0] if changed else entry.data.get("old", "")
    form, field = NightSettingsForm(event=event), FIELD_OF.get(name, name)
    value = int(was or 0) if name == "stake" else form.fields[field].to_python(was)
    form.initial[field] = value
    return form.words(name)


def _player(event: Event, user: User | None) -> Player | None:
    """Return the account's player in the club, for its face."""
    if user is None:
        return None
    return event.season.club.players.filter(user=user, merged_into=None).first()
