"""Imports of players from text tables: previewed, then saved in one transaction.

A file may be imported again: existing players stay unchanged.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from accounts.models import User
from league.base import texts
from league.base.acts import locks
from league.base.domain import names
from league.clubs.acts import players
from league.clubs.domain import player_lists
from league.clubs.domain.player_lists import Listed
from league.models import Club, Player
from tables.refusals import Refusal


@dataclass(frozen=True)
class PlayersPreview:
    """The preview of a player import: new players, existing names, and problem messages."""

    fresh: list[Listed]
    there: list[str]
    bots: int
    alike: list[str]
    problems: list[str]
    unread: dict[str, int]


def preview_players(*, club: Club, rows: Sequence[Sequence[str]]) -> PlayersPreview:
    """Return the preview of `save_players` for these rows; changes nothing."""
    found = player_lists.parse_players(rows)
    known = known_players(club)
    there = [listed.name for listed in found.players if names.identity(listed.name) in known]
    fresh = [listed for listed in found.players if names.identity(listed.name) not in known]
    return PlayersPreview(
        fresh,
        there,
        found.bots,
        players.warn_of_similar(club=club, new=[listed.name for listed in fresh]),
        [
            *(texts.at_line(problem) for problem in found.problems),
            *players.unfit(listed.name for listed in fresh),
        ],
        found.unread,
    )


@transaction.atomic
def save_players(*, club: Club, rows: Sequence[Sequence[str]], by: User) -> list[Player]:
    """Add the rows' players that are new to the club; existing ones stay unchanged.

    Refusal, with nobody added, if there is any problem.
    """
    locks.club(club.pk)
    looked = preview_players(club=club, rows=rows)
    if looked.problems:
        raise Refusal(looked.problems)
    return players.add_listed(club=club, listed=looked.fresh, by=by)


def known_players(club: Club) -> dict[str, Player]:
    """Return the club's players by name key; a merged name leads to the player it belongs to."""
    found = club.players.select_related("merged_into")
    aliases = {p.name_key: p.merged_into or p for p in found if p.merged_into_id}
    return aliases | {p.name_key: p for p in found if not p.merged_into_id}
