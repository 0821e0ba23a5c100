"""Imports of players and past results from text tables: previewed, then saved in one transaction.

A file may be imported again: existing players and nights stay unchanged.
"""

import uuid
from dataclasses import dataclass
from itertools import chain

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
from league.exchange.domain.result_lists import ListedNight, ResultList, RoundsOfNight, games_of
from league.exchange.domain.stages import Stage, Tell, tell_nobody
from league.models import Club, Event, Place, Placing, Player, Round, Season, Sitting
from league.nights.acts import attendance, closing, events, results
from tables.refusals import Refusal


@dataclass(frozen=True)
class ImportPreview:
    """The preview of a results import: new nights, new names, and a message for each problem.

    `there` lists nights that the season already has with exactly the same games.
    """

    found: ResultList
    fresh: dict[ListedNight, RoundsOfNight]
    there: list[ListedNight]
    new_names: list[str]
    alike: list[str]
    problems: list[str]


def preview(*, season: Season, text: str) -> ImportPreview:
    """Return the preview of `save_results` for this text; changes nothing."""
    found = result_lists.parse_results(text)
    known = _known(season.club)
    fresh, there, problems = dict(found.nights), [], list(found.problems)
    for night, event in _nights_there(season, found).items():
        del fresh[night]
        if _games_of(event) == _by_people(found.nights[night], known):
            there.append(night)
        else:
            problems.append(LineProblem(found.lines[night], _DIFFERENT, {"night": night.name}))
    new = [name for name in found.names if names.identity(name) not in known]
    alike = players.warn_of_similar(club=season.club, new=new)
    sentences = [texts.at_line(problem) for problem in problems]
    sentences += players.with_addresses([*new, *(night.name for night in fresh)])
    return ImportPreview(found, fresh, there, new, alike, sentences)


@transaction.atomic
def save_results(
    *,
    season: Season,
    text: str,
    by: User,
    add_missing: bool = False,
    tell: Tell = tell_nobody,
) -> list[Event]:
    """Save the text's new nights, closed and without money.

    Refusal, with nothing saved, if there is any problem, or a name unknown to the club while
    `add_missing` is off.
    """
    season = locks.season_to_change(season.pk)  # Concurrent imports of the same file save it once.
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
    games = sum(len(games) for rounds in looked.fresh.values() for games in games_of(rounds))
    if made:
        audit.log("results.imported", club=club, by=by, season=season.pk, games=games)
    return made


def unknown_names(unknown: list[str]) -> Refusal:
    """Return the refusal of a table with unknown names that may not be added."""
    return Refusal(
        _("Not in the club: %(names)s. Correct the names, or add them as new players."),
        params={"names": ", ".join(unknown[:20])},
    )


@dataclass(frozen=True)
class PlayersPreview:
    """The preview of a player import: new players, existing names, and problem messages."""

    fresh: list[Listed]
    there: list[str]
    bots: int
    alike: list[str]
    problems: list[str]


def preview_players(*, club: Club, text: str) -> PlayersPreview:
    """Return the preview of `save_players` for this text; changes nothing."""
    found = player_lists.parse_players(text)
    known = _known(club)
    there = [listed.name for listed in found.players if names.identity(listed.name) in known]
    fresh = [listed for listed in found.players if names.identity(listed.name) not in known]
    return PlayersPreview(
        fresh,
        there,
        found.bots,
        players.warn_of_similar(club=club, new=[listed.name for listed in fresh]),
        [
            *(texts.at_line(problem) for problem in found.problems),
            *players.with_addresses(listed.name for listed in fresh),
        ],
    )


@transaction.atomic
def save_players(*, club: Club, text: str, by: User) -> list[Player]:
    """Add the text's players that are new to the club; existing ones stay unchanged.

    Refusal, with nobody added, if there is any problem.
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
"""Games by round (from 1) and table; each game lists its places as sets of player keys."""


def _nights_there(season: Season, found: ResultList) -> dict[ListedNight, Event]:
    """Return the season's events that match nights of the table by name and date."""
    events = season.events.filter(name__in={n.name for n in found.nights}, kind=Event.Kind.NIGHT)
    there = {ListedNight(event.date, event.name): event for event in events}
    return {night: there[night] for night in found.nights if night in there}


def _games_of(event: Event) -> GamesByTable:
    """Return the games of the event's current results."""
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


def _by_people(rounds: RoundsOfNight, known: dict[str, Player]) -> GamesByTable:
    """Return the games of a text table; players unknown to the club have key 0."""

    def key(name: str) -> int:
        player = known.get(names.identity(name))
        return player.pk if player else 0

    return {
        (number, table): [[frozenset(map(key, group)) for group in groups] for groups in games]
        for number, (_written, tables) in enumerate(sorted(rounds.items()), start=1)
        for table, games in tables.items()
    }


def _known(club: Club) -> dict[str, Player]:
    """Return the club's players by name key; a merged name leads to the player it belongs to."""
    found = club.players.select_related("merged_into")
    aliases = {p.name_key: p.merged_into or p for p in found if p.merged_into_id}
    return aliases | {p.name_key: p for p in found if not p.merged_into_id}


def _save_night(
    season: Season, night: ListedNight, rounds: RoundsOfNight, known: dict[str, Player], by: User
) -> Event:
    tables_played = games_of(rounds)
    event = events.create_event(
        season=season,
        by=by,
        name=night.name,
        date=night.date,
        plan=events.read_plan(
            {"rounds_planned": len(rounds), "games_per_round": max(map(len, tables_played))}
        ),
    )
    people = {
        known[names.identity(name)].pk
        for games in tables_played
        for name in chain.from_iterable(games[0])
    }
    attendance.set_presence(event=event, player_ids=people, presence="here", by=by)
    entrants = dict(event.entrants.values_list("player_id", "pk"))
    keys = {name: entrants[player.pk] for name, player in known.items() if player.pk in entrants}
    for number, (_written, tables) in enumerate(sorted(rounds.items()), start=1):
        keyed = {
            table: [[[keys[names.identity(name)] for name in group] for group in groups]
                    for groups in games]
            for table, games in sorted(tables.items())
        }  # fmt: skip
        _save_round(event, number, keyed, by)
    return closing.close_event(event=event, by=by, despite_unfinished=True)


def _save_round(
    event: Event, number: int, tables: dict[int, list[list[list[int]]]], by: User
) -> None:
    """Save a round's games, given by table as groups of entrants."""
    drawn = Round.objects.create(
        event=event,
        number=number,
        status=Round.Status.RELEASED,
        seed=0,
        settings={"method": "imported"},
        released_at=timezone.now(),
    )
    for table_no, games in tables.items():
        sitting = Sitting.objects.create(round=drawn, table_no=table_no)
        seated = sorted(chain.from_iterable(games[0]))
        Place.objects.bulk_create(
            Place(sitting=sitting, round=drawn, entrant_id=entrant, seat=seat)
            for seat, entrant in enumerate(seated)
        )
        for game_no, groups in enumerate(games, start=1):
            results.record(
                sitting_id=sitting.pk,
                game_no=game_no,
                groups=groups,
                client_id=uuid.uuid4(),
                by=by,
            )
