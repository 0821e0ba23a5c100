"""Merge two names of one person, and separate them again.

An alias keeps its entries, results and money; readers count them for the player that it is merged
into. What only one name can have (the account, a seat, a turn, an answer, ...) goes to that player,
and the log notes what moved, so that separating them brings it back.
"""

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.acts import audit, locks
from league.clubs.acts import players, removals
from league.clubs.facts.two_names import teams_apart
from league.clubs.signals import name_changed, people_merged, people_parted
from league.models import Audit, ClubSeat, Event, Place, Placing, Player, RosterMember
from league.models.shown_names import NameShown
from tables.base.lookup import or_raise
from tables.models import Game
from tables.people.acts import forgetting as of_tables
from tables.refusals import Refusal

FIELDS = ("user", "is_regular", "shown", "shows_ways", "group", "together", "fixed_table", "animal")
WISHES = ("group", "together", "fixed_table", "animal")
"""What a player without one takes over from the other name."""


@transaction.atomic
def merge(*, alias: Player, into: Player, by: User, teams: Collection[int] = ()) -> Player:
    """Merge `alias` and its own aliases into `into`.

    `teams` are the rosters for which the person counts where the two are in different teams of a
    running season; Refusal `teams` for a season without a choice. Refusal if the two sat in the
    same round (so they are two people), if either is a bot, an alias or hidden, and if both have
    an account.
    """
    for season in teams_apart(alias, into):
        locks.season(season.pk)
    events = _lock_events(_names(alias), _names(into))
    locks.club(into.club_id)
    fresh = Player.objects.select_related("club").in_bulk([alias.pk, into.pk])
    alias, into = fresh[alias.pk], fresh[into.pk]
    _refuse_unfit(alias, into)
    _refuse_who_met(alias, into)
    note: dict[str, Any] = {"teams": _choose_teams(alias, into, teams)}
    note["aliases"] = list(alias.aliases.values_list("pk", flat=True))
    of_tables.rename_seats(found=players.seats_of(alias), to=into.name)
    alias.aliases.update(merged_into=into)
    note |= _join(alias, into)
    people_merged.send(Player, alias=alias, into=into, events=events, by=by, note=note)
    audit.log("player.merged", club=into.club, by=by, player=alias.pk, into=into.pk, **note)
    name_changed.send(Player, player=into, change="merged", by=by)
    return alias


@transaction.atomic
def unmerge(*, alias: Player, by: User) -> Player:
    """Make the alias a separate player again, with all results entered for it.

    What the merge moved comes back unless it has changed since; in open events each of the two is
    here, left or expected separately again. Of merges by earlier releases less was noted.
    """
    merged = Audit.objects.filter(club=alias.club_id, action="player.merged")
    entry = merged.filter(data__player=alias.pk).order_by("-pk").first()
    note = dict(entry.data) if entry else {}
    nights = note.get("nights", {})
    its_own = {alias.pk, *note.get("aliases", ())}
    old = Player.objects.get(pk=alias.pk).merged_into
    events = _lock_events(its_own, _names(old) - its_own, nights) if old is not None else []
    locks.club(alias.club_id)
    alias = Player.objects.select_related("club", "merged_into").get(pk=alias.pk)
    old = or_raise(
        alias.merged_into,
        Refusal(_("This player is not merged with anyone."), code="stale", status=409),
    )
    if alias.club.players.filter(name_key=alias.name_key, merged_into=None).exists():
        raise Refusal(
            _("Another player is now called %(name)s. Rename them first, then separate the two.")
            % {"name": alias.name},
            code="taken",
        )
    old.aliases.filter(pk__in=its_own - {alias.pk}).update(merged_into=alias)
    _part(alias, old, note)
    of_tables.rename_seats(found=players.seats_of(alias, called=old.name), to=alias.name)
    people_parted.send(
        Player,
        alias=alias,
        into=old,
        events=events,
        by=by,
        note=note if note.get("into") == old.pk else {},
    )
    audit.log("player.unmerged", club=alias.club, by=by, player=alias.pk, of=old.pk)
    for player in (old, alias):
        name_changed.send(Player, player=player, change="unmerged", by=by)
    return alias


def _join(alias: Player, into: Player) -> dict[str, Any]:
    """Give `into` what only one name has; return the values that changed, before and after."""
    own = ("user_id", "is_regular", "shown", "shows_ways")
    was = [{field: getattr(one, field) for field in own} for one in (alias, into)]
    alias.merged_into = into
    if False in (alias.shows_ways, into.shows_ways):
        into.shows_ways = False
    elif alias.user_id is not None:
        into.shows_ways = alias.shows_ways
    into.user_id, alias.user_id = into.user_id or alias.user_id, None
    into.is_regular |= alias.is_regular
    if NameShown.HIDDEN in (alias.shown, into.shown):
        alias.shown = into.shown = NameShown.HIDDEN
    took = [field for field in WISHES if getattr(alias, field) and not getattr(into, field)]
    for field in took:
        setattr(into, field, getattr(alias, field))
    alias.save(update_fields=["merged_into", *FIELDS])
    into.save(update_fields=FIELDS)
    changed = [
        {
            field: [before, getattr(one, field)]
            for field, before in old.items()
            if before != getattr(one, field)
        }
        for one, old in zip((alias, into), was, strict=True)
    ]
    return {"took": took, "changed": changed}


def _part(alias: Player, old: Player, note: dict[str, Any]) -> None:
    """Give both back what the merge changed and nobody has changed since.

    Of a player who was merged on since then, the account alone comes back. A no to showing how the
    person is paid holds for both.
    """
    of_alias, of_into = note.get("changed", ({}, {}))
    account = of_alias.get("user_id", [None])[0]
    has_account = account is not None and old.user_id == account
    alias.merged_into = None
    says_no = old.shows_ways is False
    if note.get("into") == old.pk:
        for one, changed in ((alias, of_alias), (old, of_into)):
            for field, (before, after) in changed.items():
                if field != "user_id" and getattr(one, field) == after:
                    setattr(one, field, before)
        for field in note.get("took", ()):
            if getattr(old, field) == getattr(alias, field):
                setattr(old, field, getattr(Player(), field))
    if says_no:
        alias.shows_ways = old.shows_ways = False
    if has_account:
        old.user_id, alias.user_id = None, account
    old.save(update_fields=FIELDS)
    alias.save(update_fields=["merged_into", *FIELDS])
    _part_teams(note.get("teams", []), old)


def _choose_teams(alias: Player, into: Player, chosen: Collection[int]) -> list[dict[str, int]]:
    """Have the person count for the chosen teams; return whose the changed memberships were."""
    changed: list[dict[str, int]] = []
    names = [alias, into, *alias.aliases.all(), *into.aliases.all()]
    for season, pair in teams_apart(alias, into).items():
        team = or_raise(
            next((roster for roster in pair if roster.pk in chosen), None),
            Refusal(
                _(
                    "In %(season)s, %(name)s is in %(team)s and %(other)s in %(rival)s. Choose the"
                    " team that counts."
                ),
                code="teams",
                params={
                    "season": season.name,
                    "name": into.name,
                    "team": pair[0].name,
                    "other": alias.name,
                    "rival": pair[1].name,
                },
                status=409,
            ),
        )
        rows = RosterMember.objects.filter(season=season, is_team=True, player__in=names)
        own = rows.filter(player=into).first()
        wanted = rows.filter(roster=team).order_by("pk").first()
        if wanted is not None and wanted != own:
            changed.append({str(row.pk): row.player_id for row in (wanted, own) if row})
            _write(dict(zip(changed[-1], [into.pk, wanted.player_id], strict=False)))
    return changed


def _part_teams(changed: list[dict[str, int]], old: Player) -> None:
    """Give memberships back to the names that had them, unless the teams were saved since."""
    for was in changed:
        now = RosterMember.objects.filter(pk__in=was).values_list("player_id", flat=True)
        if len(now) == len(was) and set(now) <= {old.pk, *was.values()}:
            _write(was)


def _write(owners: dict[str, int]) -> None:
    """Store whose these memberships are; deleted first, as a player has one in a season."""
    rows = list(RosterMember.objects.filter(pk__in=owners))
    RosterMember.objects.filter(pk__in=owners).delete()
    for row in rows:
        row.player_id = owners[str(row.pk)]
    RosterMember.objects.bulk_create(rows)


def _names(player: Player) -> set[int]:
    """Return the keys of the player and of the names merged into it."""
    return set(player.names.values_list("pk", flat=True))


def _lock_events(
    mine: Collection[int], theirs: Collection[int], noted: Collection[str] = ()
) -> list[int]:
    """Lock the nights of `mine` that change with the two people's union; return their keys.

    They are those that are open, that have both, or that give points for places, and of what was
    `noted` the open ones. Raises their versions. Events are locked before the club, as everywhere.
    """
    is_open = Q(status=Event.Status.OPEN)
    said = Q(sign_up__answers__player__in=mine) | Q(claims__player__in=mine)
    both = Q(pk__in=Event.objects.filter(entrants__player__in=theirs))
    own = Q(entrants__player__in=mine)
    found = Event.objects.filter(
        own & (is_open | both | Q(scoring__gives="places")) | (said | Q(pk__in=noted)) & is_open
    )
    keys = sorted(set(found.values_list("pk", flat=True)))
    return [locks.event_to_change(key, must_be_open=False).pk for key in keys]


def _refuse_unfit(alias: Player, into: Player) -> None:
    if alias == into or alias.club_id != into.club_id:
        raise Refusal(_("Choose another player of this club."), field="player")
    if alias.merged_into_id or into.merged_into_id:
        raise Refusal(_("One of the two has just been merged. Reload the page."), field="player")
    removals.refuse_hidden(alias, into)
    if alias.bot or into.bot:
        raise Refusal(_("Bots can't be merged."), field="player")
    if alias.user_id and into.user_id:
        raise Refusal(
            _("Both have an account. Unlink one of them first."),
            field="player",
        )


def _refuse_who_met(alias: Player, into: Player) -> None:
    sides = [[one, *one.aliases.all()] for one in (alias, into)]
    lasting = Q(to_game=None) | ~Q(round__event__format__kind__in=Event.QUEUES)
    mine, theirs = (
        set(Place.objects.filter(lasting, entrant__player__in=side).values_list("round", flat=True))
        for side in sides
    )
    both = Placing.objects.filter(
        entrant__player__in=sides[0], result__placings__entrant__player__in=sides[1]
    )
    if mine & theirs or both.exists():
        raise Refusal(
            _("%(one)s and %(other)s sat in the same round, so they are two different people."),
            code="met",
            params={"one": alias.name, "other": into.name},
            field="player",
        )
    if _played_for_money(*sides):
        raise Refusal(
            _("%(one)s and %(other)s played for money together, so they are two different people."),
            code="met",
            params={"one": alias.name, "other": into.name},
            field="player",
        )


def _played_for_money(one: Collection[Player], other: Collection[Player]) -> bool:
    """Return whether two people sat in the same game at a money table."""
    mine, theirs = (
        dict(ClubSeat.objects.filter(player__in=side).values_list("seat", "seat__table"))
        for side in (one, other)
    )
    both = set(mine.values()) & set(theirs.values())
    games = Game.objects.filter(table__in=both, dealt_at__isnull=False).values_list("holders")
    return any(
        not (mine.keys().isdisjoint(holders) or theirs.keys().isdisjoint(holders))
        for (holders,) in games
    )
