"""Players and past results from tables of text: looked at first, then saved whole or not at all.

A file may be sent again: players whom the club knows and nights that are there are left alone.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.db import transaction
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import User
from league.base import texts
from league.base.acts import audit, locks
from league.base.domain import names
from league.base.domain.csv_text import LineProblem
from league.clubs.acts import players
from league.clubs.domain import player_lists
from league.clubs.domain.player_lists import Listed
from league.exchange.domain import result_lists
from league.exchange.domain.result_lists import Groups, ListedNight, ResultList
from league.exchange.domain.stages import Stage, Tell, tell_nobody
from league.models import Club, Event, Place, Placing, Player, Round, Season, Sitting
from league.nights.acts import events, results
from league.seasons.acts import seasons
from tables.refusals import Refusal

ListedRounds = dict[int, dict[int, list[Groups]]]


@dataclass(frozen=True)
class ImportPreview:
    """What would be saved: the nights, who is new to the club, and a message for each problem.

    `there` are nights that the season has already, game by game as the table has them.
    """

    found: ResultList
    fresh: dict[ListedNight, ListedRounds]
    there: list[ListedNight]
    new_names: list[str]
    alike: list[str]
    problems: list[str]


def preview(*, season: Season, text: str) -> ImportPreview:
    """Return what `save_results` would do with this text; changes nothing."""
    found = result_lists.parse_results(text)
    known = _known(season.club)
    fresh, there, problems = dict(found.nights), [], list(found.problems)
    for night, event in _nights_there(season, found).items():
        del fresh[night]
        if _games_of(event) == _by_people(found.nights[night], known):
            there.append(night)
        else:
            template = _DIFFERENT
            problems.append(LineProblem(found.lines[night], template, {"night": night.name}))
    new = [name for name in found.names if names.identity(name) not in known]
    alike = players.told_alike(club=season.club, new=new)
    told = [texts.at_line(problem) for problem in problems]
    return ImportPreview(found, fresh, there, new, alike, told)


@transaction.atomic
def save_results(
    *,
    season: Season,
    text: str,
    by: User,
    add_missing: bool = False,
    tell: Tell = tell_nobody,
) -> list[Event]:
    """Save every night of the text that is not there yet, closed and without money.

    Refusal when there is any problem, or a name that the club does not know while
    `add_missing` is off; nothing is saved then.
    """
    season = seasons.lock(season.pk)  # The same file sent twice at once is saved once.
    looked = preview(season=season, text=text)
    if looked.problems:
        raise Refusal(looked.problems)
    if looked.new_names and not add_missing:
        raise unknown_names(looked.new_names)
    club = season.club
    for name in looked.new_names:
        players.add_player(club=club, name=name, by=by)
    known = _known(club)
    made: list[Event] = []
    for night, rounds in sorted(looked.fresh.items()):
        tell(Stage.SAVING, len(made), len(looked.fresh))
        made.append(_save_night(season, night, rounds, known, by))
    games = sum(
        len(games)
        for rounds in looked.fresh.values()
        for tables in rounds.values()
        for games in tables.values()
    )
    if made:
        audit.log("results.imported", club=club, by=by, season=season.pk, games=games)
    return made


def unknown_names(unknown: list[str]) -> Refusal:
    """Return what a table deserves whose players may not be added."""
    return Refusal(
        _("Not in the club: %(names)s. Correct the names, or add them as new players."),
        params={"names": ", ".join(unknown[:20])},
    )


@dataclass(frozen=True)
class PlayersPreview:
    """Who would be added, who is there already, and a message for each problem."""

    fresh: list[Listed]
    there: list[str]
    bots: int
    alike: list[str]
    problems: list[str]


def preview_players(*, club: Club, text: str) -> PlayersPreview:
    """Return what `save_players` would do with this text; changes nothing."""
    found = player_lists.parse_players(text)
    known = _known(club)
    there = [listed.name for listed in found.players if names.identity(listed.name) in known]
    fresh = [listed for listed in found.players if names.identity(listed.name) not in known]
    return PlayersPreview(
        fresh,
        there,
        found.bots,
        players.told_alike(club=club, new=[listed.name for listed in fresh]),
        [texts.at_line(problem) for problem in found.problems],
    )


@transaction.atomic
def save_players(*, club: Club, text: str, by: User) -> list[Player]:
    """Add every player of the text whom the club does not know; the others stay as they are.

    Refusal when there is any problem; nobody is added then.
    """
    locks.club(club.pk)
    looked = preview_players(club=club, text=text)
    if looked.problems:
        raise Refusal(looked.problems)
    return players.add_listed(club=club, listed=looked.fresh, by=by)


_DIFFERENT = gettext_noop(
    "“%(night)s” already exists with other games. Correct them on its page, or rename this night."
)

GamesByTable = dict[tuple[int, int], list[list[frozenset[int]]]]
"""By round and table the places of every game, as keys of players; rounds are counted from 1."""


def _nights_there(season: Season, found: ResultList) -> dict[ListedNight, Event]:
    """Return the nights of the table that the season has, by name and day."""
    events = season.events.filter(name__in={n.name for n in found.nights}, kind=Event.Kind.NIGHT)
    there = {ListedNight(event.date, event.name): event for event in events}
    return {night: there[night] for night in found.nights if night in there}


def _games_of(event: Event) -> GamesByTable:
    """Return what was played that night."""
    path = "result__sitting"
    placings = Placing.objects.filter(
        result__sitting__round__event=event, result__current=True
    ).values_list(
        f"{path}__round__number",
        f"{path}__table_no",
        "result__game_no",
        "rank",
        Coalesce("entrant__player__merged_into_id", "entrant__player_id"),
    )
    found: dict[tuple[int, int], dict[int, dict[int, set[int]]]] = {}
    for number, table, game, rank, player in placings:
        games = found.setdefault((number, table), {})
        games.setdefault(game, {}).setdefault(rank, set()).add(player)
    return {
        where: [
            [frozenset(game[rank]) for rank in sorted(game)] for _no, game in sorted(games.items())
        ]
        for where, games in found.items()
    }


def _by_people(rounds: ListedRounds, known: dict[str, Player]) -> GamesByTable:
    """Return the same of a table of text; whom the club does not know has no key."""

    def key(name: str) -> int:
        player = known.get(names.identity(name))
        return player.pk if player else 0

    return {
        (number, table): [[frozenset(map(key, group)) for group in groups] for groups in games]
        for number, (_written, tables) in enumerate(sorted(rounds.items()), start=1)
        for table, games in tables.items()
    }


def _known(club: Club) -> dict[str, Player]:
    """Everyone by name in any case of letters; another name of someone means that someone."""
    found = club.players.select_related("merged_into")
    aliases = {p.name_key: p.merged_into or p for p in found if p.merged_into_id}
    return aliases | {p.name_key: p for p in found if not p.merged_into_id}


def _save_night(
    season: Season, night: ListedNight, rounds: ListedRounds, known: dict[str, Player], by: User
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
