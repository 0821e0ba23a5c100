"""Let the log keep keys, not names: match each name that an entry has once, by its club."""

import logging
import re
import unicodedata
from collections import Counter, defaultdict

from django.db import migrations

log = logging.getLogger(__name__)

PLAYERS = re.compile(r"^(player|adjustment)\.|^event\.guest$")
LISTS = ("player.added", "sign_up.names_taken")
MEMBERS = re.compile(r"^(member|invitation)\.|^(club\.kept|player\.offered)$")
CHUNK = 500


def identity(name):
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


class Keys:
    """The rows of a club that a name or an address may mean."""

    def __init__(self, apps, club):
        player, offer = apps.get_model("league", "Player"), apps.get_model("league", "RoleOffer")
        self.club, self.players, self.offers = club, defaultdict(set), {}
        for key, name in player.objects.filter(club=club).values_list("pk", "name"):
            self.players[identity(name)].add(key)
        former = apps.get_model("league", "FormerName").objects.filter(player__club=club)
        for key, name in former.values_list("player", "name"):
            self.players[identity(name)].add(key)
        for key, email in offer.objects.filter(club=club).values_list("pk", "email"):
            self.offers[email.lower()] = key

    def one(self, name):
        found = self.players.get(identity(name), set())
        return next(iter(found)) if len(found) == 1 else None


def keep_former_names(apps):
    """Store the names before each renaming; the entry then refers to it."""
    audit, former = apps.get_model("league", "Audit"), apps.get_model("league", "FormerName")
    known = set(apps.get_model("league", "Player").objects.values_list("pk", flat=True))
    for entry in audit.objects.filter(action="player.renamed").order_by("pk").iterator(CHUNK):
        data = {key: value for key, value in entry.data.items() if key not in ("old", "new")}
        old = entry.data.get("old")
        if data.get("player") in known and old and old != "—":
            made = former.objects.create(player_id=data["player"], name=old[:60], at=entry.at)
            data["former"] = made.pk
        if data != entry.data:
            audit.objects.filter(pk=entry.pk).update(data=data)


def keyed(entry, keys, users, missed):
    """Return the entry's data with keys, and count the names that none was found for."""
    data, action = dict(entry.data), entry.action
    if PLAYERS.search(action) and type(data.get("player")) is int:
        for name in ("name", "into_name", "of_name"):
            data.pop(name, None)
    if action in LISTS and (names := data.get("names")):
        found = [keys.one(name) for name in names]
        rest = [name for name, key in zip(names, found, strict=True) if key is None]
        data.pop("names")
        data |= {"players": [key for key in found if key is not None]}
        data |= {"names": rest} if rest else {}
        missed[action] += sum(name != "—" for name in rest)
    if action == "player.added" and data.get("name") and "player" not in data:
        if (key := keys.one(data["name"])) is not None:
            data = {**data, "player": key}
            data.pop("name")
        else:
            missed[action] += data["name"] != "—"
    if MEMBERS.search(action) and (email := data.get("email")):
        lower = email.lower()
        if lower in users:
            data.pop("email")
            data["user"] = users[lower]
        elif lower in keys.offers:
            data.pop("email")
            data["offer"] = keys.offers[lower]
        else:
            missed[action] += email != "—"
    return data


def key(apps, schema_editor):
    """Rewrite what has names; the chain marks each such entry once more."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SET LOCAL league.forgetting = 'on'")
    audit, user = apps.get_model("league", "Audit"), apps.get_model("accounts", "User")
    keep_former_names(apps)
    users = {email.lower(): key for key, email in user.objects.values_list("pk", "email")}
    keys, missed = None, Counter()
    for entry in audit.objects.order_by("club", "pk").iterator(CHUNK):
        if not (PLAYERS.search(entry.action) or MEMBERS.search(entry.action)
                or entry.action in LISTS):  # fmt: skip
            continue
        if keys is None or keys.club != entry.club_id:
            keys = Keys(apps, entry.club_id)
        data = keyed(entry, keys, users, missed)
        if data != entry.data:
            audit.objects.filter(pk=entry.pk).update(data=data)
    if missed:
        listed = ", ".join(f"{action} {count}" for action, count in sorted(missed.items()))
        log.warning("Names in logs that are nobody's any more, and stay until removed: %s.", listed)
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET LOCAL league.forgetting = 'off'")


class Migration(migrations.Migration):
    dependencies = [("league", "0030_mentions")]

    operations = [migrations.RunPython(key, migrations.RunPython.noop)]
