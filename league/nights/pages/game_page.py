"""One game of a table: its versions, what was reported about it, and the form to correct it."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from engine.rules.specials import Special
from league.base.domain import stored_specials
from league.base.pages.address import address
from league.clubs.facts.people import names_of
from league.models import Dispute, Event, Place, Placing, Player, Result, Sitting, Transfer
from league.money.facts import money_words
from league.nights.domain.entry import (
    SentGame,
    groups_of,
    write_order,
    write_specials,
)
from league.nights.facts import sittings, stages
from league.nights.facts.other_places import order_with, other_places, place_of
from league.nights.facts.recalled import recalled
from league.nights.facts.sittings import PlayedGame
from league.nights.facts.so_far import points_of
from league.nights.pages import answers
from league.nights.pages.desk import Desk
from league.nights.pages.entry_form import EntryForm, PreviewRow, entry_form, from_own, preview
from league.nights.pages.stage_page import sentence_of
from league.nights.pages.table_page import may_confirm, night_of, specials_of
from league.seasons.facts.standings import event_standings
from tables.base import placings

OF_PLACES = ("loser", "third")
OF_NOBODY = (*OF_PLACES, "instant_win", "three_spades", "notebook")
"""Reasons of payments that are not what the payer did."""


@dataclass(frozen=True)
class Version:
    """A version of the game in words; `saved_by` is who or what saved it, for organisers."""

    result: Result
    places: Sequence[Placing]
    sentences: list[str]
    saved_by: str


class GameSeat(NamedTuple):
    """A player's seat in the game, and what the place gives; no `rank` in a void game.

    `money` is None where the page shows none; `reasons` are what it adds up from.
    """

    player: Player
    is_own: bool
    rank: int | None = None
    points: Fraction | None = None
    money: int | None = None
    reasons: Sequence[tuple[str, int]] = ()


@dataclass(frozen=True)
class SaidOrder:
    """The order as a player says it was, who claims another `place` than the recorded one.

    `lines` lead from each player's recorded place to the claimed one, `moved` are the places with
    another player.
    """

    said_by: str
    place: int
    places: list[GameSeat]
    lines: list[tuple[int, int]]

    @property
    def moved(self) -> list[int]:
        return [place for was, place in self.lines if was != place]

    @property
    def recorded(self) -> list[GameSeat]:
        """The seats by their recorded places, without what these give."""
        was = [place for place, _claimed in self.lines]
        seats = (GameSeat(*seat[:2], rank) for rank, seat in zip(was, self.places, strict=True))
        return sorted(seats, key=lambda seat: seat.rank or 0)


@dataclass(frozen=True)
class ClaimedOrder(SaidOrder):
    """A said order in fields of the form, and the button that records it.

    `changes` are the sums of money by which it differs from the recorded one, by player; `points`
    the night's of these players, as recorded and as they say. `recalled` is who of the others at
    the table remembers it so, and who as recorded; the `silent` have not answered.
    """

    order: str
    changes: list[tuple[Player, int]]
    points: list[tuple[Player, Fraction, Fraction]]
    record: str
    recalled: list[tuple[Player, bool]]
    silent: list[Player]

    @property
    def backed(self) -> bool | None:
        """Whether all who answered remember it so; None while nobody has, or they differ."""
        answers = {agrees for _player, agrees in self.recalled}
        return answers.pop() if len(answers) == 1 else None


@dataclass(frozen=True)
class GameReport:
    """A report of a mistake in the game: what came of it, and the address that dismisses it.

    Who may correct the game for it reads no outcome yet, but the order that was claimed, where one
    was.
    """

    dispute: Dispute
    outcome: str
    dismiss: str = ""
    claim: ClaimedOrder | None = None


@dataclass(frozen=True)
class GamePage:
    """A game's page; what is None or empty, this visitor is not offered.

    `seats` are in order of play from the visitor's own. `recorded` is the game as the fields of its
    form have it: the same again needs a reason. `asks` is the report that waits for this scorer or
    organiser, `report_to` the address for others, `confirm_to` the one that confirms the game;
    `beside` are the numbers of the games before and after it, `versions` its own, the current one
    first. `doubt` is what the form asks before it saves, as a question and the mark that answers
    it. What people wrote is shown only to who hears it (`Desk.hears`).
    """

    desk: Desk
    seats: list[GameSeat]
    beside: list[int]
    recorded: str
    entry: EntryForm | None
    reports: list[GameReport]
    asks: GameReport | None
    confirm_to: str
    report_to: str
    report_kinds: Sequence[tuple[str, str | Promise]]
    report_places: Sequence[int]
    versions: list[Version]
    doubt: tuple[str, str] | None


def doubt_of(versions: list[PlayedGame], new: SentGame) -> str:
    """Return the question whether cóng still holds of players whose places the correction changes.

    `versions` are the game's, the current one first; empty without such a player.
    """
    before = {placing.entrant_id: placing for placing in versions[0].placings}
    ranks = placings.ranks(new.groups)
    known = stored_specials.from_json(versions[0].result.specials)
    moved = [
        _("%(name)s moves from place %(old)s to %(new)s and stays cóng. Is that right?")
        % {"name": before[key].entrant.player, "old": before[key].rank, "new": ranks[key]}
        for key in dict.fromkeys(special.of for special in new.specials if special in known)
        if key in before and ranks.get(key, before[key].rank) != before[key].rank
        if Special("cong", of=key) in new.specials
    ]
    return " ".join(moved)


def game_page(
    desk: Desk,
    versions: list[PlayedGame],
    sent: Mapping[str, str],
    doubt: tuple[str, str] | None = None,
) -> GamePage:
    """Return the game's page after the taps in `sent`.

    `versions` are the game's, the current one first.
    """
    current = versions[0].result
    game_no = current.game_no
    places = sittings.places_at(desk.sitting, game_no)
    told = desk.sitting.disputes.filter(game_no=game_no)
    reports = [
        _report(desk, each, versions[0], places)
        for each in told.select_related("player__merged_into", "by")
    ]
    asked = any(report.dispute.outcome == Dispute.Outcome.OPEN for report in reports)
    confirms = may_confirm(desk, versions[0]) and not asked
    club = desk.event.season.club_id
    names = names_of((club, one.result.by) for one in versions) if desk.viewer.organises else {}
    return GamePage(
        desk=desk,
        seats=_seats(desk, versions[0], places),
        beside=[
            number
            for number in (game_no - 1, game_no + 1)
            if 0 < number < sittings.next_number(desk.sitting)
        ],
        recorded=" ".join(_as_entered(versions[:1]).values()),
        entry=entry_form(desk, places, _as_entered(versions) | dict(sent), current)
        if desk.may_enter
        else None,
        reports=reports,
        asks=next((report for report in reports if not report.outcome), None),
        confirm_to=_speaks_to(desk, versions[0], "confirm") if confirms else "",
        report_to=_speaks_to(desk, versions[0], "dispute"),
        report_kinds=Dispute.Kind.choices,
        report_places=other_places(versions[0].placings, desk.viewer.player),
        versions=[
            Version(
                game.result,
                game.placings,
                specials_of(game),
                _saved_by(game.result, names.get((club, game.result.by_id or 0), ""))
                if desk.viewer.organises
                else "",
            )
            for game in versions
        ],
        doubt=doubt,
    )


def _speaks_to(desk: Desk, game: PlayedGame, act: str) -> str:
    """Return the address at which the visitor confirms or disputes the game.

    A phone that has a player's name does so on its own night, where it has none of the table's.
    """
    if desk.may_speak:
        return f"{desk.here}games/{game.result.game_no}/{act}/"
    plays = desk.viewer.claim and place_of(game.placings, desk.viewer.player)
    return night_of(desk.event) if plays and desk.event.is_open else ""


def _seats(desk: Desk, game: PlayedGame, places: list[Place]) -> list[GameSeat]:
    """Return the seats of the game with what each player won, and of whom, as it is booked."""
    moved = list(game.result.transfers.select_related("payer__player", "payee__player"))
    money_words.explain(moved)
    shows_money = desk.event.stake > 0 and desk.sees_money
    placed = {placing.entrant_id: placing for placing in game.placings}
    found = []
    for place in from_own(places, desk):
        own = sittings.own_at([place], desk.viewer.own) is not None
        found.append(GameSeat(place.entrant.player, own))
        if placing := placed.get(place.entrant_id):
            reasons = _reasons(placing, moved)
            money = sum(amount for _words, amount in reasons)
            found[-1] = found[-1]._replace(
                rank=placing.rank,
                points=points_of(desk.event, placing.size, placing.rank, placing.tied, money),
                money=money if shows_money else None,
                reasons=reasons if shows_money else (),
            )
    return found


def _reasons(placing: Placing, moved: Sequence[Transfer]) -> list[tuple[str, int]]:
    """Return what the place itself gave and what else its player won (above 0) or lost, in words.

    The words are of who paid, so the winner reads them with that name.
    """
    own, last = placing.entrant.player_id, placing.rank + placing.tied - 1
    sums = {(place := placings.place_name(last, placing.size)): 0}
    for one in moved:
        if own in (one.payer.player_id, one.payee.player_id):
            wins = own == one.payee.player_id
            words = place if one.reason in OF_PLACES else one.words  # type: ignore[attr-defined]
            if wins and one.reason not in OF_NOBODY:
                words = f"{one.payer}: {words}"
            sums[words] = sums.get(words, 0) + (one.amount if wins else -one.amount)
    return list(sums.items())


def _saved_by(result: Result, name: str) -> str:
    """Return the name of who saved the game, or that a phone did; empty for online games."""
    return name or (_("from a phone at the table") if result.device else "")


def said_order(
    dispute: Dispute, placings: Sequence[Placing], then: Mapping[int, PreviewRow]
) -> SaidOrder | None:
    """Return the order as a report of a place has it, with what it gives; None if it has none."""
    keys = order_with(placings, dispute.player, dispute.place or 0)
    recorded = {placing.entrant_id: placing for placing in placings}
    rows = {key: (then[key].points, then[key].money) for key in keys if key in then}
    return (
        SaidOrder(
            said_by=str(dispute.said_by),
            place=dispute.place or 0,
            places=[
                GameSeat(recorded[key].entrant.player, False, place, *rows.get(key, ()))
                for place, key in enumerate(keys, start=1)
            ],
            lines=[(recorded[key].rank, place) for place, key in enumerate(keys, start=1)],
        )
        if keys
        else None
    )


def _claim(
    desk: Desk,
    dispute: Dispute,
    game: PlayedGame,
    places: list[Place],
    before: Mapping[int, PreviewRow],
) -> ClaimedOrder | None:
    """Return the order as the player says it was, for the game as it is now."""
    keys = order_with(game.placings, dispute.player, dispute.place or 0)
    order = write_order([(key,) for key in keys])
    then = _given(desk, places, game, {"order": order}) if keys else {}
    told = said_order(dispute, game.placings, then)
    if told is None:
        return None
    words = {"name": told.said_by, "place": placings.place_name(told.place, len(keys))}
    people = [seat.player for seat in told.places]
    others = [one for each in people if not (one := each.merged_into or each).bot]
    others, found = [one for one in others if one != dispute.said_by], recalled(desk.event)
    more = [_won(then, key) - _won(before, key) for key in keys]
    return ClaimedOrder(
        **vars(told),
        order=order,
        changes=[(one, money) for one, money in zip(people, more, strict=True) if money],
        points=_points(desk.event, game, before, then),
        record=_("Record %(name)s as %(place)s") % words,
        recalled=[
            (one, found[dispute.pk, one.pk]) for one in others if (dispute.pk, one.pk) in found
        ],
        silent=[one for one in others if (dispute.pk, one.pk) not in found],
    )


def _points(
    event: Event, game: PlayedGame, before: Mapping[int, PreviewRow], then: Mapping[int, PreviewRow]
) -> list[tuple[Player, Fraction, Fraction]]:
    """Return the night's points of those whose this game's change; [] where they do not add up."""
    more = {key: row.points - before[key].points for key, row in then.items() if key in before}
    if not any(more.values()) or event.rules_of_scoring.counting != "fixed" or game.result.held:
        return []
    now = {one.player.pk: one.row.points for one in event_standings(event)}
    people = [placing.entrant for placing in game.placings if more.get(placing.entrant_id)]
    return [
        (one.player, points, points + more[one.pk])
        for one in people
        if (points := now.get(one.player.merged_into_id or one.player_id)) is not None
    ]


def _given(
    desk: Desk, places: list[Place], game: PlayedGame, entered: Mapping[str, str]
) -> dict[int, PreviewRow]:
    """Return what the game gives each entrant as recorded or as `entered`; {} for online games."""
    if game.result.source == Result.Source.LIVE:
        return {}
    sent = _as_entered([game]) | dict(entered)
    return {row.player: row for row in preview(desk, places, sent, game.result).rows}


def _won(given: Mapping[int, PreviewRow], key: int) -> int:
    """Return an entrant's money; 0 where the page shows none."""
    return (given[key].money or 0) if key in given else 0


def _report(desk: Desk, dispute: Dispute, game: PlayedGame, places: list[Place]) -> GameReport:
    if dispute.outcome == Dispute.Outcome.OPEN:
        if desk.link or not desk.may_enter:
            return GameReport(dispute, answers.of_open(dispute))
        given = _given(desk, places, game, {})
        claim = _claim(desk, dispute, game, places, given)
        at = desk.sitting.round.number, desk.sitting.table_no, dispute.game_no
        dismiss = address(desk.event, "dismiss", *at)
        return GameReport(dispute, "", dismiss, claim)
    is_corrected = dispute.outcome == Dispute.Outcome.CORRECTED
    words = _("Resolved: the game was corrected.") if is_corrected else _("Result stands:")
    if not desk.hears:
        return GameReport(dispute, words.rstrip(":"))
    return GameReport(dispute, f"{words} {dispute.reason}")


def _as_entered(versions: list[PlayedGame]) -> dict[str, str]:
    """Return the game as form fields; for a void one, as last entered."""
    last = next((game for game in versions if game.placings), versions[0])
    order = groups_of((placing.rank, placing.entrant_id) for placing in last.placings)
    return {
        "order": write_order(order),
        "specials": write_specials(stored_specials.from_json(last.result.specials)),
    }


def corrected(
    versions: list[PlayedGame], disputed: Dispute | None
) -> tuple[str, dict[str, object]]:
    """Return what the last correction decided, and the fields that undo it; {} if it kept the game.

    `disputed` is the dispute that it closed.
    """
    now, before = versions[:2]
    words = _("Game %(game)s corrected.") % {"game": now.result.game_no}
    finish = ", ".join(placing.numbered for placing in now.placings)
    told = [words, f"{finish}." if finish else _("This game does not count.")]
    undo = {"version": now.result.version, "client_id": uuid.uuid4()} | _as_entered(versions[1:])
    undo |= {"void": 1} if before.result.void else {}
    undo |= {"reopens": disputed.pk} if disputed else {}
    is_kept = _as_entered([now]) == _as_entered([before])
    return " ".join([*told, *([disputed.heard] if disputed else [])]), {} if is_kept else undo


def consequences_of(event: Event, sitting: Sitting, game_no: int) -> list[str]:
    """Return how the correction changes who sits down next, or who would advance."""
    if event.has_queue:
        return [_at_the_table(sitting, game_no)]
    return [sentence_of(change) for change in stages.changes(event)]


def _at_the_table(sitting: Sitting, game_no: int) -> str:
    number = sittings.next_number(sitting)
    if number > game_no + 1:
        return _("Later games have been played at this table. They stay, and nobody changes seats.")
    names = [place.entrant.player.name for place in sittings.places_at(sitting, number)]
    return _("Next game: %(names)s.") % {"names": ", ".join(names)}
