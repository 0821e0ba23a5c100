"""A game at a table: the deal, its actions and their consequences.

Every change of a table locks its row first. `act` is the only entry for players; deadlines
(`tables.play.acts.clocks`) go through the same functions. `tables.play.acts.moves` decides what
follows from an action.
"""

from __future__ import annotations

import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from engine.records import deals as engine_deals
from engine.rules import deal as engine_deal
from engine.rules.actions import SeatAction, action_to_json
from engine.rules.outcome import outcome, outcome_to_json, previous_to_json
from engine.rules.state import INSTANT_WIN, OVER, State
from tables.base import rulesets
from tables.base.columns import set_columns
from tables.base.lookup import or_raise
from tables.bots.facts import autopilot
from tables.chairs.acts import arrangements, rotation, seats
from tables.chairs.facts import seated
from tables.models import Action, Game, Seat, Table
from tables.people.acts import newcomers, ratings
from tables.play.acts import clocks, mixing, moves, thinking
from tables.play.acts.clocks import Wait
from tables.play.facts import deals, positions
from tables.play.facts.replayed import ReplayedGame, as_dealt
from tables.refusals import Stale, TableRefusal
from tables.signals import table_finished

PAUSE = datetime.timedelta(seconds=25)


@transaction.atomic
def deal_next(*, table_id: int, expected: int | None = None) -> Table:
    """Deal the next game, whose commitment is already public.

    After the first game bots fill the empty seats, where bots may sit. People who are alone with
    bots move to another table between games, and nothing is dealt. With `expected`, a repeated
    request for the same deal changes nothing. Raises `TableRefusal` for empty seats.
    """
    table = seats.lock(table_id)
    if expected is not None and expected < table.moved_version:
        return table
    seated.check_between(table)
    if table.is_held:
        raise TableRefusal("held")
    if newcomers.meet(table):
        return table
    table.company_until = None
    if table.status == Table.Status.BETWEEN or table.for_anyone:
        seats.fill_chairs(table)
    chairs = list(table.seats.filter(left_at=None).order_by("no"))
    if not any(not seat.is_bot for seat in chairs) and not arrangements.goes_on_alone(table):
        seats.close(table)
        seats.touch(table)
        return table
    if len(chairs) < table.players:
        raise TableRefusal("empty_chairs")
    game = table.games.get(dealt_at=None)
    if not mixing.close(table, game):
        set_columns(table, due_at=timezone.now() + mixing.AGAIN)
        return table
    _deal(table, game, chairs)
    table.status = Table.Status.PLAYING
    table.seats.filter(ready=True).update(ready=False)
    go_on(table, game, as_dealt(game), {seat.no: seat for seat in chairs})
    return table


@transaction.atomic
def deal_asked(*, table_id: int, expected: int | None = None, fresh: bool = False) -> Table:
    """Deal what everyone asked for; a first deal waits a moment for the players' parts.

    At a `fresh` table a browser has had no time to say that it takes part.
    """
    table = seats.lock(table_id)
    begins = table.status == Table.Status.WAITING and not seated.empty_chairs(table)
    if not begins or table.shared or not (fresh or mixing.lacks_parts(table)):
        return deal_next(table_id=table_id, expected=expected)
    table.due_at = timezone.now() + seats.READY
    table.seats.filter(left_at=None, bot="").update(ready=True)
    seats.touch(table)
    return table


@transaction.atomic
def take_part(*, table_id: int, seat_id: int, **mine: Any) -> mixing.Mix:
    """Store a player's part of the next deal; the last one begins a first game that waits."""
    found = mixing.mix(table_id=table_id, seat_id=seat_id, **mine)
    table = seats.lock(table_id)
    if found.part and table.status == Table.Status.WAITING and not mixing.lacks_parts(table):
        silent = table.seats.filter(left_at=None, bot="", ready=False)
        if not silent.exists() and not seated.empty_chairs(table):
            deal_next(table_id=table_id)
    return found


@transaction.atomic
def act(*, table_id: int, seat_id: int, expected: int, client_id: str, action: SeatAction) -> Table:
    """Carry out an action of a seat and return the changed table.

    A repeated `client_id` changes nothing. The action's seat must be the seat's number. Raises
    `Stale` if the game moved on since version `expected`, `Refusal`, and the engine's
    `IllegalAction`.
    """
    table = seats.lock(table_id)
    position = positions.of(table).twin()
    seat = or_raise(position.seat(seat_id), TableRefusal("not_seated", status=403))
    done = Action.objects.filter(game__table=table, seat=seat.no, client_id=client_id).first()
    if done is not None:
        if done.body != action_to_json(action):
            raise TableRefusal("key_reused", status=409)
        return table
    if expected < table.moved_version:
        raise Stale
    game, replayed = position.on()
    check_play_is_on(game)
    if action.do == "trade":
        raise TableRefusal("no_action")  # Two people agree on a trade: tables.play.acts.trades.
    carry_out(table, game, replayed, position.seats, action, client_id=client_id)
    if replayed.state.phase != OVER:
        positions.store(position)
    return table


@transaction.atomic
def answer(*, table_id: int, seat_id: int, declare: bool) -> None:
    """Store privately whether a seat declares its instant win; it may change its answer.

    The answer takes effect when the window closes. The table's version does not change.
    """
    table = seats.lock(table_id)
    seat = seated.occupied(table, seat_id)
    game = current(table)
    if not game.is_window_open:
        raise Stale
    if declare and not positions.replay_of(game).may_declare(seat.no):
        raise TableRefusal("no_instant_win")
    set_columns(game, answers=game.answers | {str(seat.no): declare})


@transaction.atomic
def stay(*, seat_id: int) -> Table:
    """Take a seat back from the autopilot and cancel its player's leaving.

    On the player's own turn the remaining time continues; coming back never adds time.
    """
    table = seats.lock(Seat.objects.get(pk=seat_id).table_id)
    seat = table.seats.filter(pk=seat_id, left_at=None).first()
    if seat is None or not (seat.leaving or seat.autopilot):
        return table
    if seat.autopilot and (state := in_turn(table, seat)):
        table.due_at = clocks.deadline(table, state, seat)
    set_columns(seat, leaving=False, autopilot=False, away=False, cut_off=False)
    seats.touch(table)
    return table


@transaction.atomic
def sit_out(*, seat_id: int) -> Table:
    """Let a house bot play for a seat until its player is back; the player keeps the seat."""
    table = seats.lock(Seat.objects.get(pk=seat_id).table_id)
    if table.status == Table.Status.CLOSED:
        raise Stale
    seat = table.seats.filter(pk=seat_id, left_at=None, bot="", away=False).first()
    if seat is None:
        return table
    set_columns(seat, autopilot=True, away=True, cut_off=False)
    if in_turn(table, seat):
        clocks.take_over(table)
    if table.status == Table.Status.PLAYING and have_traded(table, current(table)):
        table.due_at = timezone.now()
    seats.touch(table)
    return table


def have_traded(table: Table, game: Game) -> bool:
    """Return whether all people who play for themselves have finished trading before a game."""
    here = table.seats.filter(left_at=None, bot="", autopilot=False).values_list("no", flat=True)
    return game.is_trading and set(here) <= set(game.trades.get("done", ()))


def leave(*, table: Table, seat_id: int) -> None:
    """Leave the seat, after the current game if there is one.

    A reserved seat is played by a bot. At a table with rotation, leaving between games makes room
    for the next player.
    """
    if table.rotates and table.status != Table.Status.PLAYING:
        rotation.leave(seat_id=seat_id)
    elif table.is_reserved:
        sit_out(seat_id=seat_id)
    else:
        seats.leave(seat_id=seat_id)


def in_turn(table: Table, seat: Seat) -> State | None:
    """Return the current game's state if it is this seat's turn, else `None`."""
    if table.status != Table.Status.PLAYING:
        return None
    game = current(table)
    state = positions.replay_of(game).state
    return state if not game.pause and state.turn == seat.no else None


def tick(table: Table) -> bool:
    """Do what is due at a locked table; return False if a bot has not chosen its move yet."""
    if table.status == Table.Status.PLAYING:
        return _play_for(table, current(table))
    if table.status == Table.Status.BETWEEN and newcomers.waits_for_company(table):
        return True
    waits = table.status == Table.Status.WAITING
    all_there = table.for_anyone or not seated.empty_chairs(table)
    begins = waits and all_there and not table.is_held
    if begins or (table.status == Table.Status.BETWEEN and _goes_on(table)):
        deal_next(table_id=table.pk)
    else:
        seats.close(table)
        seats.touch(table)
    return True


def current(table: Table) -> Game:
    """Return the running game; raise `Stale` between games."""
    game = or_raise(table.games.filter(dealt_at__isnull=False, over_at=None).first(), Stale())
    game.table = table
    return game


def check_play_is_on(game: Game) -> None:
    """Raise `TableRefusal` while trading or the instant-win window is open."""
    if reason := game.pause:
        raise TableRefusal(reason)


def _deal(table: Table, game: Game, chairs: list[Seat]) -> None:
    game.table = table
    key = deals.key_of(game)
    game.holders = [seat.pk for seat in chairs]
    if table.shared is not None:
        # The hands turn among the seats: in deal d seat s has hand s + d.
        game.dealer = game.dealt_first = -game.deal_no % len(chairs)
    else:
        _choose_dealer(table, game, key)
    game.dealt = deals.dealt_by(game, key)
    game.dealt_at = timezone.now()
    # Bots do not trade.
    people = [seat for seat in chairs if not seat.is_bot and not seat.autopilot]
    negotiated = "negotiated" in rulesets.of(table).exchange
    game.trade_closed = not negotiated or len(people) < 2
    game.save()


def _choose_dealer(table: Table, game: Game, key: str) -> None:
    """Set who deals and who is dealt to first, by the game before."""
    ruleset = rulesets.of(table)
    before = table.games.filter(no=game.no - 1).first()
    winner = None
    if before and len(before.holders) != len(game.holders):
        game.previous = None  # A different number of players starts a new match.
    if before and game.previous:
        pairs = zip(before.holders, game.holders, strict=True)
        game.previous["gone"] = [no for no, (old, new) in enumerate(pairs) if old != new]
        after = engine_deal.next_deal(
            ruleset, game.previous["placings"], gone=game.previous["gone"]
        )
        game.dealer = after.dealer
        winner = game.previous["placings"][0][0]
    elif before:
        game.dealer = _loser_of(before, game.holders)
    elif table.is_reserved:
        game.dealer = table.arrangement.first_dealer
    else:
        game.dealer = engine_deals.first_dealer(key, table.key, table.players)
    game.dealt_first = engine_deal.first_dealt(ruleset, game.dealer, table.players, winner)


def _loser_of(before: Game, holders: list[int]) -> int:
    """Return the seat of the previous game's last-placed player, or 0 if that player left."""
    assert before.outcome is not None
    loser = before.holders[max(before.outcome["placings"][-1])]
    return holders.index(loser) if loser in holders else 0


def carry_out(
    table: Table,
    game: Game,
    replayed: ReplayedGame,
    chairs: dict[int, Seat],
    action: SeatAction,
    *,
    client_id: str | None = None,
    made_by: str = "player",
) -> None:
    """Store an action and its consequences; `chairs` are the seats before it and are updated."""
    move = moves.follow(table, game, replayed, chairs, action, client_id=client_id, made_by=made_by)
    move.line.save()
    if move.seat is not None:
        move.seat.save(update_fields=clocks.ACTED)
        chairs[action.seat] = move.seat
    _wait_for(move.wait, table, game, replayed)


def go_on(table: Table, game: Game, replayed: ReplayedGame, chairs: dict[int, Seat]) -> None:
    """Set the table's next deadline for the game's state and store its next version."""
    _wait_for(moves.wait_after(table, game, replayed.state, chairs), table, game, replayed)


def _wait_for(wait: Wait, table: Table, game: Game, replayed: ReplayedGame) -> None:
    wait.begin(table)
    if wait.what == "over":
        _finish(table, game, replayed)
    elif wait.what == "trade":
        set_columns(game, trade_until=wait.due_at)
    elif wait.what == "window":
        set_columns(game, window_until=wait.due_at)
    table.moved_version = table.version + 1
    seats.touch(table)


def _play_for(table: Table, game: Game) -> bool:
    """Do what is due in a game: close trading or the window, or move for the seat in turn."""
    replayed, chairs = positions.replay_of(game), seated.by_number(table)
    if game.is_trading:
        close_trading(game)
    elif game.is_window_open:
        _close_window(table, game, replayed, chairs)
    elif clocks.credit(table, chairs[replayed.state.turn]):
        seats.touch(table)
        return True
    else:
        return _move_for(table, game, replayed, chairs)
    go_on(table, game, replayed, chairs)
    return True


def _move_for(table: Table, game: Game, replayed: ReplayedGame, chairs: dict[int, Seat]) -> bool:
    """Play the move of a bot or of the autopilot; return False if the bot has not chosen yet."""
    seat, chosen, made_by = chairs[replayed.state.turn], None, "autopilot"
    if seat.is_bot or seat.away:
        chosen, made_by = thinking.choice(game, replayed, seat), "bot"
        if chosen is None:
            return False
    action = chosen or autopilot.cautious(replayed.state)
    carry_out(table, game, replayed, chairs, action, made_by=made_by)
    return True


def close_trading(game: Game) -> None:
    """End the trading phase and discard the open offers."""
    set_columns(game, trade_closed=True, trades={})


def _close_window(
    table: Table, game: Game, replayed: ReplayedGame, chairs: dict[int, Seat]
) -> None:
    """Pass every seat's answer to the engine at once; no answer is a decline."""
    state = replayed.state
    while state.phase == INSTANT_WIN:
        seat = chairs[state.turn]
        if seat.is_bot or seat.away:
            chosen, made_by = autopilot.bot_action(state, thinking.bot_of(seat)), "bot"
        else:
            declares = game.answers.get(str(seat.no), False)
            chosen, made_by = SeatAction(seat.no, "declare" if declares else "decline"), "player"
        moves.log_line(table, game, replayed, chosen, made_by=made_by).save()
    set_columns(game, window_closed=True)


def _finish(table: Table, game: Game, replayed: ReplayedGame) -> None:
    """Store the outcome and prepare the next game; close the match if no person plays on.

    Players who asked to leave get up here, so that others can take their seats before the next
    deal.
    """
    result = outcome(replayed.state)
    set_columns(game, outcome=outcome_to_json(result), over_at=timezone.now())
    if table.rated:
        ratings.note(game)
    seats.prepare_game(table, no=game.no + 1, previous=previous_to_json(result))
    table.status, table.due_at = Table.Status.BETWEEN, timezone.now() + PAUSE
    arrangements.seat_successors(table)
    for seat in table.seats.filter(left_at=None, leaving=True):
        seats.get_up(seat)
        seats.forget_pages(table)
    seats.await_people(table)
    if not _active(table):
        arrangements.abandoned(table, game.no)
    if (table.terms and table.terms.is_last(game.no)) or not _goes_on(table):
        seats.close(table)
    else:
        rotation.hold(table)
    transaction.on_commit(partial(table_finished.send, sender=Table, game_id=game.pk))


def _active(table: Table) -> bool:
    """Return whether a person at the table plays without the autopilot."""
    return table.seats.filter(left_at=None, bot="", autopilot=False).exists()


def _goes_on(table: Table) -> bool:
    """Return whether another game will be dealt."""
    return _active(table) or arrangements.goes_on_alone(table)
