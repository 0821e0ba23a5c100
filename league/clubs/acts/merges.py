"""Merge two names of one person, and separate them again.

An alias keeps its entries, results and money; readers count them for the player that it is merged
into. So a merge moves no data, and unmerging needs no record of it.
"""

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.acts import audit, locks
from league.clubs.acts import removals
from league.clubs.signals import entrants_changed, name_changed, people_merged
from league.models import Audit, Entrant, Event, Place, Player
from league.models.shown_names import NameShown
from tables.refusals import Refusal


@transaction.atomic
def merge(*, alias: Player, into: Player, by: User) -> Player:
    """Merge `alias` and its own aliases into `into`.

    Refusal if the two sat in the same round (so they are two people), if either is a bot, an
    alias or hidden, and if both have an account.
    """
    open_events, closed = _lock_events(alias, into)
    locks.club(into.club_id)
    fresh = Player.objects.select_related("club").in_bulk([alias.pk, into.pk])
    alias, into = fresh[alias.pk], fresh[into.pk]
    _refuse_unfit(alias, into)
    _refuse_who_met(alias, into)
    was = _hand_over_presence(alias, into, open_events)
    moved = list(alias.aliases.values_list("pk", flat=True))
    alias.aliases.update(merged_into=into)
    user = alias.user
    alias.merged_into, alias.user = into, None
    if NameShown.HIDDEN in (alias.shown, into.shown):
        alias.shown = into.shown = NameShown.HIDDEN
    if False in (alias.shows_ways, into.shows_ways):
        into.shows_ways = False
    elif user is not None:
        into.shows_ways = alias.shows_ways
    alias.save(update_fields=["merged_into", "user", "shown"])
    for event in Event.objects.filter(pk__in=open_events):
        entrants_changed.send(Event, event=event)
    people_merged.send(Event, events=closed)
    into.user = into.user or user
    into.is_regular |= alias.is_regular
    into.save(update_fields=["user", "is_regular", "shown", "shows_ways"])
    audit.log(
        "player.merged",
        club=into.club,
        by=by,
        player=alias.pk,
        into=into.pk,
        aliases=moved,
        presence=was,
    )
    name_changed.send(Player, player=into, change="merged", by=by)
    return alias


@transaction.atomic
def unmerge(*, alias: Player, by: User) -> Player:
    """Make the alias a separate player again, with all results entered for it.

    In open events each of the two is here, left or expected separately again.
    """
    open_events, closed = _lock_events(alias)
    locks.club(alias.club_id)
    alias = Player.objects.select_related("club", "merged_into").get(pk=alias.pk)
    if alias.merged_into is None:
        raise Refusal(_("This player is not merged with anyone."), code="stale", status=409)
    if alias.club.players.filter(name_key=alias.name_key, merged_into=None).exists():
        raise Refusal(
            _("Another player is now called %(name)s. Rename them first, then separate the two.")
            % {"name": alias.name},
            code="taken",
        )
    old, alias.merged_into = alias.merged_into, None
    alias.save(update_fields=["merged_into"])
    _give_presence_back(alias, old, open_events)
    for event in Event.objects.filter(pk__in=open_events):
        entrants_changed.send(Event, event=event)
    people_merged.send(Event, events=closed)
    audit.log(
        "player.unmerged",
        club=alias.club,
        by=by,
        player=alias.pk,
        of=old.pk,
    )
    name_changed.send(Player, player=old, change="unmerged", by=by)
    return alias


def _lock_events(*people: Player) -> tuple[list[int], list[int]]:
    """Lock the players' open events, and the closed ones that give points for places.

    Returns the keys of the open and of the closed ones. Raises their versions. Events are locked
    before the club, as everywhere.
    """
    wanted = Q(event__status=Event.Status.OPEN) | Q(event__scoring__gives="places")
    entries = Entrant.objects.filter(wanted, player__in=people)
    keys = sorted(set(entries.values_list("event_id", flat=True)))
    found = [locks.event_to_change(key, must_be_open=False) for key in keys]
    open_now = [event.pk for event in found if event.status == Event.Status.OPEN]
    return open_now, [key for key in keys if key not in open_now]


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
    names = {player.pk for one in (alias, into) for player in (one, *one.aliases.all())}
    rounds = Place.objects.filter(entrant__player__in=names).values_list(
        "round_id", "entrant__player_id", "entrant__player__merged_into_id"
    )
    own = {alias.pk, *alias.aliases.values_list("pk", flat=True)}
    mine = {round_ for round_, player, _into in rounds if player in own}
    theirs = {round_ for round_, player, _into in rounds if player not in own}
    if mine & theirs:
        raise Refusal(
            _("%(one)s and %(other)s sat in the same round, so they are two different people."),
            code="met",
            params={"one": alias.name, "other": into.name},
            field="player",
        )


def _hand_over_presence(
    alias: Player, into: Player, open_events: list[int]
) -> dict[str, list[str]]:
    """Move the alias's presence in open events to `into`, so that nobody is drawn twice.

    Return the presences of both before, by event.
    """
    was: dict[str, list[str]] = {}
    for entry in Entrant.objects.filter(player=alias, event__in=open_events):
        other, made = Entrant.objects.get_or_create(
            event_id=entry.event_id, player=into, defaults={"presence": entry.presence}
        )
        into_was = Entrant.Presence.EXPECTED.value if made else other.presence
        was[str(entry.event_id)] = [entry.presence, into_was]
        if entry.presence == Entrant.Presence.HERE and not made:
            other.presence = Entrant.Presence.HERE
            other.save(update_fields=["presence"])
        entry.presence = Entrant.Presence.LEFT
        entry.save(update_fields=["presence"])
    return was


def _give_presence_back(alias: Player, old: Player, open_events: list[int]) -> None:
    """Give both players of a merge their own presence in open events.

    A player who came before the merge, or sits at a table now, is as present as the two were
    together; the other is as before. A merge by an earlier release left no note: then nobody is
    moved but a player who sits at a table.
    """
    merged = Audit.objects.filter(
        club=alias.club_id, action="player.merged", data__player=alias.pk, data__into=old.pk
    )
    noted = merged.order_by("-pk").values_list("data__presence", flat=True).first() or {}
    here, expected = Entrant.Presence.HERE.value, Entrant.Presence.EXPECTED.value
    for key in open_events:
        pair = {e.player_id: e for e in Entrant.objects.filter(event=key, player__in=[alias, old])}
        if len(pair) < 2:
            continue
        one, other = pair[alias.pk], pair[old.pk]
        sits = _seated_now(key) & {one.pk, other.pk}
        usual = [one.presence, expected if one.pk in sits else other.presence]
        one_was, other_was = noted.get(str(key), usual)
        one_came, other_came = (
            one_was == here or one.pk in sits,
            other_was == here or other.pk in sits,
        )
        together = other.presence
        one.presence = together if one_came else one_was
        other.presence = other_was if one_came and not other_came else together
        Entrant.objects.bulk_update([one, other], ["presence"])


def _seated_now(event: int) -> set[int]:
    """Return the entrants at the tables of the event's latest round."""
    places = Place.objects.filter(round__event=event, to_game=None)
    last = places.order_by("-round__number").values("round__number")[:1]
    return set(places.filter(round__number=last).values_list("entrant_id", flat=True))
