"""A night for the best of other nights: its list, and what the first draw keeps of them."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.acts import audit, locks
from league.clubs.acts import players
from league.models import Entrant, Event, Membership, Player
from league.nights.facts.final_places import event_places
from tables.refusals import Refusal


@transaction.atomic
def invite_best(*, event: Event, nights: Sequence[Event], best: int, by: User) -> int:
    """Make the best players of these nights the list of a new one; return how many there are.

    Each night gives `best` players who are not on the list yet; one person is one player, by
    account, else by name. The club gets the players that it lacks. Refusal for a night that `by`
    does not organise.
    """
    event = locks.event_to_change(event.pk)
    held = Membership.objects.filter(user=by, role__in=Membership.ORGANISERS)
    clubs = set(held.values_list("club_id", flat=True))
    if not {night.season.club_id for night in nights} <= clubs:
        raise Refusal(_("Only nights that you organise can be chosen."), status=403)
    found: dict[int, Entrant] = {}
    for night in nights:
        club, missing = night.season.club, best
        for placed in event_places(night):
            if not missing or placed.row.rank is None or not placed.row.games:
                break
            player = _player_of(event, placed.player, by)
            if player.pk not in found:
                place = best - missing + 1  # Of several that share a rank, each has its own.
                found[player.pk] = Entrant(
                    event=event, player=player, from_club=club.name, from_place=place
                )
                missing -= 1
    event.entrants.all().delete()
    Entrant.objects.bulk_create(found.values())
    audit.log("event.best", by=by, event=event, names=[one.name_and_club for one in nights])
    return len(found)


def _player_of(event: Event, player: Player, by: User) -> Player:
    """Return the player of the event's club who is this person; a new one if it has none."""
    club = event.season.club
    if player.club_id == club.pk:
        return player
    own = club.players.filter(user=player.user_id, merged_into=None) if player.user_id else None
    known = (own and own.first()) or players.find_by_name(club=club, name=player.name)
    return known or players.add_player(club=club, name=player.name, by=by)
