"""A game at a table: dealing it, acting in it, and what follows of each action.

The one who changes a table locks its row first. `act` is the one door for players; what falls
due (`tables.services.clocks`) goes through the same functions. What follows of an action
`tables.services.moves` decides.
"""

from __future__ import annotations

import datetime

from django.db import transaction
from django.utils import timezone

from engine.records import deals
from engine.rules import deal as engine_deal
from engine.rules.actions import SeatAction, action_to_json
from engine.rules.cards import format_cards
from engine.rules.outcome import outcome, outcome_to_json, previous_to_json
from engine.rules.ruleset import Ruleset
from engine.rules.state import INSTANT_WIN, OVER, State
from tables.models import Action, Game, Seat, Table
from tables.refusals import Stale, TableRefusal
from tables.services import (
    arrangement_terms,
    arrangements,
    autopilot,
    clocks,
    mixing,
    moves,
    newcomers,
    ratings,
    replayed_state,
    rotation,
    rulesets,
    seats,
    table_state,
    thinking,
)
from tables.services.clocks import Wait
from tables.services.replayed_state import Fold
from tables.signals import table_finished

PAUSE = datetime.timedelta(seconds=25)


@transaction.atomic
def deal_next(*, table_id: int, expected: int | None = None) -> Table:
    """Deals the game whose commitment everyone has seen; raises `TableRefusal` for empty chairs.

    After the first game chairs that people left are taken by bots, where bots may sit; people who
    are alone with bots go where others are between games, and nothing is dealt here. With
    `expected`, a second request for the same deal changes nothing.
    """
    table = seats.lock(table_id)
    if expected is not None and expected < table.moved_version:
        return table
    seats.check_between(table)
    if rotation.is_held(table):
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
    _deal(table, game, chairs)
    table.status = Table.Status.PLAYING
    table.seats.filter(ready=True).update(ready=False)
    go_on(table, game, replayed_state.start(game), {seat.no: seat for seat in chairs})
    return table


@transaction.atomic
def act(*, table_id: int, seat_id: int, expected: int, client_id: str, action: SeatAction) -> Table:
    """Carries out an action of a seat and returns the table as it is then.

    The same `client_id` again changes nothing. Raises `Stale` when the player saw an older game
    than this one, `Refusal`, and the engine's `IllegalAction`. The action's seat is that seat's
    number.
    """
    table = seats.lock(table_id)
    position = table_state.of(table).twin()
    seat = position.seat(seat_id)
    if seat is None:
        raise TableRefusal("not_seated", status=403)
    done = Action.objects.filter(game__table=table, seat=seat.no, client_id=client_id).first()
    if done is not None:
        if done.body != action_to_json(action):
            raise TableRefusal("key_reused", status=409)
        return table
    if expected < table.moved_version:
        raise Stale
    game, fold = position.on()
    check_play_is_on(game)
    if action.do == "trade":
        raise TableRefusal("no_action")  # Two people agree on a trade: tables.services.trades.
    carry_out(table, game, fold, position.seats, action, client_id=client_id)
    if fold.state.phase != OVER:
        table_state.keep(position)
    return table


@transaction.atomic
def answer(*, table_id: int, seat_id: int, declare: bool) -> None:
    """Note privately whether a seat declares its instant win; it can change its mind.

    It takes effect when the window closes, and the table's version stays as it is.
    """
    table = seats.lock(table_id)
    seat = table.seats.filter(pk=seat_id, left_at=None).first()
    if seat is None:
        raise TableRefusal("not_seated", status=403)
    game = current(table)
    if not window_is_open(game):
        raise Stale
    if declare and not may_declare(replayed_state.load(game), seat.no):
        raise TableRefusal("no_instant_win")
    game.answers[str(seat.no)] = declare
    game.save(update_fields=["answers"])


@transaction.atomic
def stay(*, seat_id: int) -> Table:
    """Take a seat back from the autopilot, and back that its player leaves.

    Where it is his turn he has what is left of it; nothing that he clicks gives time back.
    """
    table = seats.lock(Seat.objects.get(pk=seat_id).table_id)
    seat = table.seats.filter(pk=seat_id, left_at=None).first()
    if seat is None or not (seat.leaving or seat.autopilot):
        return table
    if seat.autopilot and (state := _in_turn(table, seat)):
        clocks.give_back(table, state, seat)
    seat.leaving = seat.autopilot = seat.away = False
    seat.save(update_fields=["leaving", "autopilot", "away"])
    seats.touch(table)
    return table


@transaction.atomic
def sit_out(*, seat_id: int) -> Table:
    """Lets the house's bot play for a seat until its player is back and keeps the chair."""
    table = seats.lock(Seat.objects.get(pk=seat_id).table_id)
    if table.status == Table.Status.CLOSED:
        raise Stale
    seat = table.seats.filter(pk=seat_id, left_at=None, bot="", away=False).first()
    if seat is None:
        return table
    seat.autopilot = seat.away = True
    seat.save(update_fields=["autopilot", "away"])
    if _in_turn(table, seat):
        clocks.take_over(table)
    seats.touch(table)
    return table


def leave(*, table: Table, seat_id: int) -> None:
    """Get up, after the game if one is on; a chair that was given away is played for.

    Where chairs change hands who gets up between games makes room for someone else.
    """
    if rotation.rotates(table) and table.status != Table.Status.PLAYING:
        rotation.leave(seat_id=seat_id)
    elif table.is_reserved:
        sit_out(seat_id=seat_id)
    else:
        seats.leave(seat_id=seat_id)


def _in_turn(table: Table, seat: Seat) -> State | None:
    """Return the game that is on, where it is this seat's turn to act."""
    if table.status != Table.Status.PLAYING:
        return None
    game = current(table)
    state = replayed_state.load(game).state
    return state if not pause(game) and state.turn == seat.no else None


def may_declare(fold: Fold, seat: int) -> bool:
    """Whether the seat's hand wins at once, if it says so in the window."""
    return fold.state.phase == INSTANT_WIN and seat in fold.state.asked


def tick(table: Table) -> bool:
    """Do what is due at a locked table; False where a bot has yet to think."""
    if table.status == Table.Status.PLAYING:
        return _play_for(table, current(table))
    if table.status == Table.Status.BETWEEN and newcomers.waits_for_company(table):
        return True
    waits = table.status == Table.Status.WAITING
    all_there = table.for_anyone or not seats.empty_chairs(table)
    begins = waits and all_there and not rotation.is_held(table)
    if begins or (table.status == Table.Status.BETWEEN and _goes_on(table)):
        deal_next(table_id=table.pk)
    else:
        seats.close(table)
        seats.touch(table)
    return True


def current(table: Table) -> Game:
    """Return the game that is on; raises `Stale` between games."""
    game = table.games.filter(dealt_at__isnull=False, over_at=None).first()
    if game is None:
        raise Stale
    game.table = table
    return game


def window_is_open(game: Game) -> bool:
    return game.window_until is not None and not game.window_closed


def trading_is_open(game: Game) -> bool:
    return game.trade_until is not None and not game.trade_closed


def pause(game: Game) -> str:
    """Return what everyone has time for before play: `trade`, `window`, or ""."""
    if trading_is_open(game):
        return "trade"
    return "window" if window_is_open(game) else ""


def check_play_is_on(game: Game) -> None:
    """Raise `TableRefusal` while people trade or are asked for instant wins."""
    if reason := pause(game):
        raise TableRefusal(reason)


def _deal(table: Table, game: Game, chairs: list[Seat]) -> None:
    ruleset = rulesets.of(table)
    before = table.games.filter(no=game.no - 1).first()
    game.table = table
    key = mixing.key_of(game)
    game.holders = [seat.pk for seat in chairs]
    winner = None
    if before and len(before.holders) != len(chairs):
        game.previous = None  # With more or fewer people the match starts again.
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
        game.dealer = deals.first_dealer(key, table.key, table.players)
    game.dealt_first = engine_deal.first_dealt(ruleset, game.dealer, table.players, winner)
    hands = deals.hands(
        ruleset,
        table.players,
        key=key,
        table_key=table.key,
        game_no=game.no,
        first=game.dealt_first,
    )
    game.dealt = [format_cards(hand) for hand in hands]
    game.dealt_at = timezone.now()
    game.trade_closed = not _may_trade(ruleset, chairs)
    game.save()


def _loser_of(before: Game, holders: list[int]) -> int:
    """Return the chair of the last player in the game before; the first one if they have gone."""
    assert before.outcome is not None
    loser = before.holders[max(before.outcome["placings"][-1])]
    return holders.index(loser) if loser in holders else 0


def carry_out(
    table: Table,
    game: Game,
    fold: Fold,
    chairs: dict[int, Seat],
    action: SeatAction,
    *,
    client_id: str | None = None,
    made_by: str = "player",
) -> None:
    """Store an action and what follows from it; `chairs` are as they are then."""
    move = moves.follow(table, game, fold, chairs, action, client_id=client_id, made_by=made_by)
    Action.objects.create(game=game, **move.line._asdict())
    if move.seat is not None:
        move.seat.save(update_fields=["bank_ms", "autopilot", "away"])
        chairs[action.seat] = move.seat
    _wait_for(move.wait, table, game, fold)


def go_on(table: Table, game: Game, fold: Fold, chairs: dict[int, Seat]) -> None:
    """Set what is due now that the game stands so, and store the table's next version."""
    _wait_for(moves.wait_after(table, game, fold.state, chairs), table, game, fold)


def _wait_for(wait: Wait, table: Table, game: Game, fold: Fold) -> None:
    wait.begin(table)
    if wait.what == "over":
        _finish(table, game, fold)
    elif wait.what == "trade":
        game.trade_until = wait.due_at
        game.save(update_fields=["trade_until"])
    elif wait.what == "window":
        game.window_until = wait.due_at
        game.save(update_fields=["window_until"])
    table.moved_version = table.version + 1
    seats.touch(table)
    transaction.on_commit(lambda: replayed_state.keep(game.pk, fold))


def _may_trade(ruleset: Ruleset, chairs: list[Seat]) -> bool:
    """Whether there is a time for trades: bots do not trade, so there must be two who can agree."""
    people = [seat for seat in chairs if not seat.is_bot and not seat.autopilot]
    return "negotiated" in ruleset.exchange and len(people) >= 2


def _play_for(table: Table, game: Game) -> bool:
    """Acts for the seat that is due: closes a window, moves a bot, or lets the autopilot play."""
    fold, chairs = replayed_state.load(game), seats.sitting(table)
    if trading_is_open(game):
        close_trading(game)
    elif window_is_open(game):
        _close_window(table, game, fold, chairs)
    elif clocks.credit(table, chairs[fold.state.turn]):
        seats.touch(table)
        return True
    else:
        return _move_for(table, game, fold, chairs)
    go_on(table, game, fold, chairs)
    return True


def _move_for(table: Table, game: Game, fold: Fold, chairs: dict[int, Seat]) -> bool:
    """Return the move of a bot or of the autopilot; False for a bot that has yet to think."""
    seat, chosen, made_by = chairs[fold.state.turn], None, "autopilot"
    if seat.is_bot or seat.away:
        chosen, made_by = thinking.choice(game, fold, seat), "bot"
        if chosen is None:
            return False
    action = chosen or autopilot.cautious(fold.state)
    carry_out(table, game, fold, chairs, action, made_by=made_by)
    return True


def close_trading(game: Game) -> None:
    """End the time for trades; offers that nobody took are forgotten."""
    game.trade_closed, game.trades = True, {}
    game.save(update_fields=["trade_closed", "trades"])


def _close_window(table: Table, game: Game, fold: Fold, chairs: dict[int, Seat]) -> None:
    """Give the engine everyone's answer at once; silence is a decline."""
    state = fold.state
    while state.phase == INSTANT_WIN:
        seat = chairs[state.turn]
        if seat.is_bot or seat.away:
            chosen, made_by = autopilot.bot_action(state, thinking.bot_of(seat)), "bot"
        else:
            declares = game.answers.get(str(seat.no), False)
            chosen, made_by = SeatAction(seat.no, "declare" if declares else "decline"), "player"
        line = moves.log_line(table, fold, chosen, made_by=made_by)
        Action.objects.create(game=game, **line._asdict())
    game.window_closed = True
    game.save(update_fields=["window_closed"])


def _finish(table: Table, game: Game, fold: Fold) -> None:
    """Store the outcome and prepare the next game; without people the match is over.

    Who said that he leaves gets up, so that someone else can take his chair before the next deal.
    """
    result = outcome(fold.state)
    game.outcome = outcome_to_json(result)
    game.over_at = timezone.now()
    game.save(update_fields=["outcome", "over_at"])
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
    if arrangement_terms.is_last(table, game.no) or not _goes_on(table):
        seats.close(table)
    else:
        rotation.hold(table)
    game_id = game.pk
    transaction.on_commit(lambda: table_finished.send(sender=Table, game_id=game_id))


def _active(table: Table) -> bool:
    """Whether someone who sits there is playing himself."""
    people = table.seats.filter(left_at=None, bot="", autopilot=False)
    return people.exists()


def _goes_on(table: Table) -> bool:
    """Whether another game is dealt after this one."""
    return _active(table) or arrangements.goes_on_alone(table)
