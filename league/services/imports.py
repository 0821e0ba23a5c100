"""Past results from a table of text: looked at first, then saved whole or not at all."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from league.domain import names, result_lists
from league.domain.result_lists import Groups, Night, ResultList
from league.models import Club, Event, Place, Player, Round, Season, Sitting
from league.services import audit, events, players, results


@dataclass(frozen=True)
class Preview:
    """What would be saved: the games, who is new to the club, and a message for each problem."""

    found: ResultList
    new_names: list[str]
    problems: list[str]


def preview(*, club: Club, text: str) -> Preview:
    """What `save_results` would do with this text; changes nothing."""
    found = result_lists.parse_results(text)
    known = _known(club)
    problems = [
        _("Line %(line)s: %(problem)s")
        % {
            "line": problem.line,
            "problem": _(problem.template) % problem.params
            if problem.params
            else _(problem.template),
        }
        for problem in found.problems
    ]
    fresh = [name for name in found.names if names.identity(name) not in known]
    return Preview(found, fresh, problems)


@transaction.atomic
def save_results(*, season: Season, text: str, by: User, add_missing: bool = False) -> list[Event]:
    """Saves every game of the text as closed nights of the season, without money.

    ValidationError when there is any problem, or a name that the club does not know while
    `add_missing` is off; nothing is saved then.
    """
    club = season.club
    looked = preview(club=club, text=text)
    if looked.problems:
        raise ValidationError(looked.problems)
    if looked.new_names and not add_missing:
        raise ValidationError(
            _("The club does not know: %(names)s. Correct the names, or let them be added."),
            params={"names": ", ".join(looked.new_names[:20])},
        )
    for name in looked.new_names:
        players.add_player(club=club, name=name, by=by)
    known = _known(club)
    made = [
        _save_night(season, night, rounds, known, by)
        for night, rounds in sorted(looked.found.nights.items())
    ]
    audit.log("results.imported", club=club, by=by, season=season.pk, games=looked.found.games)
    return made


def _known(club: Club) -> dict[str, Player]:
    """Everybody by name in any case of letters; another name of somebody means that somebody."""
    found = club.players.select_related("merged_into")
    aliases = {p.name_key: p.merged_into or p for p in found if p.merged_into_id}
    return aliases | {p.name_key: p for p in found if not p.merged_into_id}


Rounds = dict[int, dict[int, list[Groups]]]


def _save_night(
    season: Season, night: Night, rounds: Rounds, known: dict[str, Player], by: User
) -> Event:
    longest = max(len(games) for tables in rounds.values() for games in tables.values())
    event = events.create_event(
        season=season,
        by=by,
        name=night.name,
        date=night.date,
        rounds_planned=len(rounds),
        games_per_round=longest,
    )
    people = {
        known[names.identity(name)].pk
        for tables in rounds.values()
        for games in tables.values()
        for group in games[0]
        for name in group
    }
    events.set_presence(event=event, player_ids=people, presence="here", by=by)
    entrants = dict(event.entrants.values_list("player_id", "pk"))
    keys = {name: entrants[player.pk] for name, player in known.items() if player.pk in entrants}
    for number, (_written, tables) in enumerate(sorted(rounds.items()), start=1):
        _save_round(event, number, tables, keys, by)
    return events.close_event(event=event, by=by, despite_unfinished=True)


def _save_round(
    event: Event, number: int, tables: dict[int, list[Groups]], keys: dict[str, int], by: User
) -> None:
    drawn = Round.objects.create(
        event=event,
        number=number,
        status=Round.Status.RELEASED,
        seed=0,
        settings={"method": "imported"},
        released_at=timezone.now(),
    )
    for table_no, games in sorted(tables.items()):
        sitting = Sitting.objects.create(round=drawn, table_no=table_no)
        seated = sorted(_key(name, keys) for group in games[0] for name in group)
        Place.objects.bulk_create(
            Place(sitting=sitting, round=drawn, entrant_id=entrant, seat=seat)
            for seat, entrant in enumerate(seated)
        )
        for game_no, groups in enumerate(games, start=1):
            results.record(
                sitting_id=sitting.pk,
                game_no=game_no,
                groups=[[_key(name, keys) for name in group] for group in groups],
                client_id=uuid.uuid4(),
                by=by,
            )


def _key(name: str, keys: dict[str, int]) -> int:
    return keys[names.identity(name)]
