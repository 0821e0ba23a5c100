"""A game at a table: dealing it, acting in it, and what follows of each action.

Whoever changes a table locks its row first. `act` is the one door for players; what happens by
itself (`tables.services.clocks`) goes through the same functions.
"""

from __future__ import annotations

import datetime

from django.db import transaction
from django.utils import timezone

from engine import deal as engine_deal
from engine.actions import Action, action_to_json
from engine.cards import format_cards
from engine.outcome import outcome, outcome_to_json, previous_to_json
from engine.ruleset import Ruleset
from engine.state import EXCHANGE, INSTANT_WIN, OVER
from tables.models import Action as Logged
from tables.models import Game, Seat, Table
from tables.services import (
    arrangements,
    autopilot,
    clocks,
    dealing,
    folds,
    positions,
    rotation,
    rulesets,
    seats,
    terms,
    thinking,
)
from tables.services.errors import Refused, Stale
from tables.services.folds import Fold
from tables.signals import table_finished

PAUSE = datetime.timedelta(seconds=25)
TRADING = 30
"""Seconds for trades before play, where the rules name none (rules.md, section 7)."""


@transaction.atomic
def deal_next(*, table_id: int, expected: int | None = None) -> Table:
    """Deals the game whose commitment everybody has seen; raises `Refused` for empty chairs.

    After the first game chairs that people left are taken by bots, where bots may sit. With
    `expected`, a second request for the same deal changes nothing.
    """
    table = seats.lock(table_id)
    if expected is not None and expected < table.moved_version:
        return table
    seats.check_between(table)
    if rotation.is_held(table):
        raise Refused("held")
    if table.status == Table.Status.BETWEEN:
        seats.fill_chairs(table)
    chairs = list(table.seats.filter(left_at=None).order_by("no"))
    if not any(not seat.is_bot for seat in chairs) and not arrangements.goes_on_alone(table):
        seats.close(table)
        seats.touch(table)
        return table
    if len(chairs) < table.players:
        raise Refused("empty_chairs")
    game = table.games.get(dealt_at=None)
    _deal(table, game, chairs)
    table.status = Table.Status.PLAYING
    go_on(table, game, folds.start(game))
    return table


@transaction.atomic
def act(*, table_id: int, seat_id: int, expected: int, client_id: str, action: Action) -> Table:
    """Carries out an action of a seat and returns the table as it is then.

    The same `client_id` again changes nothing. Raises `Stale` when the player saw an older game
    than this one, `Refused`, and the engine's `IllegalAction`. The action's seat is that seat's
    number.
    """
    table = seats.lock(table_id)
    position = positions.of(table).twin()
    seat = position.seat(seat_id)
    if seat is None:
        raise Refused("not_seated")
    if Logged.objects.filter(game__table=table, seat=seat.no, client_id=client_id).exists():
        return table
    if expected < table.moved_version:
        raise Stale
    game, fold = position.on()
    check_play_is_on(game)
    if action.do == "trade":
        raise Refused("no_action")  # Two people agree on a trade: tables.services.trades.
    log_action(table, game, fold, action, client_id=client_id)
    clocks.stop(table, seat)
    go_on(table, game, fold, position.seats)
    if fold.state.phase != OVER:
        positions.keep(position)
    return table


@transaction.atomic
def answer(*, table_id: int, seat_id: int, declare: bool) -> None:
    """Notes privately whether a seat declares its instant win; it can change its mind.

    It takes effect when the window closes, and the table's version stays as it is.
    """
    table = seats.lock(table_id)
    seat = table.seats.filter(pk=seat_id, left_at=None).first()
    if seat is None:
        raise Refused("not_seated")
    game = current(table)
    if not window_is_open(game):
        raise Stale
    if declare and not may_declare(folds.load(game), seat.no):
        raise Refused("no_instant_win")
    game.answers[str(seat.no)] = declare
    game.save(update_fields=["answers"])


@transaction.atomic
def stay(*, seat_id: int) -> Table:
    """Takes a seat back from the autopilot, and back that its player leaves.

    Where it is his turn his clock starts anew, without the bank that he has used up.
    """
    table = seats.lock(Seat.objects.get(pk=seat_id).table_id)
    here = table.seats.filter(pk=seat_id, left_at=None)
    if here.update(leaving=False, autopilot=False, away=False):
        _start_anew(table, seat_id)
        seats.touch(table)
    return table


@transaction.atomic
def sit_out(*, seat_id: int) -> Table:
    """Lets the house's bot play for a seat until its player is back; the chair stays his."""
    table = seats.lock(Seat.objects.get(pk=seat_id).table_id)
    if table.status == Table.Status.CLOSED:
        raise Stale
    here = table.seats.filter(pk=seat_id, left_at=None, bot="")
    if here.update(autopilot=True, away=True):
        _start_anew(table, seat_id)
        seats.touch(table)
    return table


def leave(*, table: Table, seat_id: int) -> None:
    """Gets up, after the game if one is on; a chair that was given away is played for.

    Where chairs change hands who gets up between games makes room for somebody else.
    """
    if rotation.rotates(table) and table.status != Table.Status.PLAYING:
        rotation.leave(seat_id=seat_id)
    elif table.is_reserved:
        sit_out(seat_id=seat_id)
    else:
        seats.leave(seat_id=seat_id)


def _start_anew(table: Table, seat_id: int) -> None:
    """Starts the clock of a seat again, where it is its turn."""
    if table.status != Table.Status.PLAYING:
        return
    game = current(table)
    state, seat = folds.load(game).state, table.seats.get(pk=seat_id)
    if not pause(game) and state.turn == seat.no:
        clocks.start(table, state, seat)


def may_declare(fold: Fold, seat: int) -> bool:
    """Whether the seat's hand wins at once, if it says so in the window."""
    return fold.state.phase == INSTANT_WIN and seat in fold.state.asked


def tick(table: Table) -> bool:
    """Does what is due at a locked table; False where a bot has yet to think."""
    if table.status == Table.Status.PLAYING:
        return _play_for(table, current(table))
    waits = table.status == Table.Status.WAITING and terms.of(table) is not None
    begins = waits and not seats.empty_chairs(table) and not rotation.is_held(table)
    if begins or (table.status == Table.Status.BETWEEN and _goes_on(table)):
        deal_next(table_id=table.pk)
    else:
        seats.close(table)
        seats.touch(table)
    return True


def current(table: Table) -> Game:
    """The game that is on; raises `Stale` between games."""
    game = table.games.filter(dealt_at__isnull=False, over_at=None).first()
    if game is None:
        raise Stale
    game.table = table
    return game


def has_window(ruleset: Ruleset, players: int) -> bool:
    """Whether every seat gets the private window before play: a matter of the rules alone."""
    asks = ruleset.plays_instant_wins() and ruleset.instant_wins_declared == "choice"
    return asks and (ruleset.cards_for(players) == 13 or ruleset.deal_all)


def window_is_open(game: Game) -> bool:
    return game.window_until is not None and not game.window_closed


def trading_is_open(game: Game) -> bool:
    return game.trade_until is not None and not game.trade_closed


def pause(game: Game) -> str:
    """What everybody has time for before play: `trade`, `window`, or ""."""
    if trading_is_open(game):
        return "trade"
    return "window" if window_is_open(game) else ""


def check_play_is_on(game: Game) -> None:
    """Raises `Refused` while people trade or are asked for instant wins."""
    if reason := pause(game):
        raise Refused(reason)


def _deal(table: Table, game: Game, chairs: list[Seat]) -> None:
    ruleset = rulesets.of(table)
    before = table.games.filter(no=game.no - 1).first()
    game.holders = [seat.pk for seat in chairs]
    winner = None
    if before and len(before.holders) != len(chairs):
        game.previous = None  # With more or fewer people the match begins anew.
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
        game.dealer = dealing.first_dealer(game.secret, table.key, table.players)
    game.dealt_first = engine_deal.first_dealt(ruleset, game.dealer, table.players, winner)
    hands = dealing.hands(
        ruleset,
        table.players,
        secret=game.secret,
        table_key=table.key,
        game_no=game.no,
        first=game.dealt_first,
    )
    game.dealt = [format_cards(hand) for hand in hands]
    game.dealt_at = timezone.now()
    game.trade_closed = not _may_trade(ruleset, chairs)
    game.table = table
    game.save()


def _loser_of(before: Game, holders: list[int]) -> int:
    """The chair of whoever was last in the game before; the first one where he has gone."""
    assert before.outcome is not None
    loser = before.holders[max(before.outcome["placings"][-1])]
    return holders.index(loser) if loser in holders else 0


def log_action(
    table: Table,
    game: Game,
    fold: Fold,
    action: Action,
    *,
    client_id: str | None = None,
    made_by: str = "player",
) -> None:
    fold.apply(action)
    Logged.objects.create(
        game=game,
        seq=fold.seq,
        version=table.version + 1,
        seat=action.seat,
        body=action_to_json(action),
        client_id=client_id,
        made_by=made_by,
    )


def go_on(table: Table, game: Game, fold: Fold, chairs: dict[int, Seat] | None = None) -> None:
    """Sets what is due next, and stores the table under its next version.

    `chairs` are those who sit there, where that is known.
    """
    state = fold.state
    if state.phase == OVER:
        _finish(table, game, fold)
    elif state.phase != EXCHANGE and not game.trade_until and not game.trade_closed:
        seconds = state.ruleset.trade_seconds or TRADING
        game.trade_until = table.due_at = timezone.now() + datetime.timedelta(seconds=seconds)
        table.turn_at = None
        game.save(update_fields=["trade_until"])
    elif state.phase != EXCHANGE and _opens_window(table, game):
        game.window_until = table.due_at = timezone.now() + clocks.window()
        table.turn_at = None
        game.save(update_fields=["window_until"])
    else:
        seat = chairs[state.turn] if chairs else table.seats.get(no=state.turn, left_at=None)
        clocks.start(table, state, seat)
    table.moved_version = table.version + 1
    seats.touch(table)
    transaction.on_commit(lambda: folds.keep(game.pk, fold))


def _may_trade(ruleset: Ruleset, chairs: list[Seat]) -> bool:
    """Whether there is a time for trades: bots do not trade, so there must be two who can agree."""
    people = [seat for seat in chairs if not seat.is_bot and not seat.autopilot]
    return "negotiated" in ruleset.exchange and len(people) >= 2


def _opens_window(table: Table, game: Game) -> bool:
    return game.window_until is None and has_window(rulesets.of(table), table.players)


def _play_for(table: Table, game: Game) -> bool:
    """Acts for whoever is due: closes a window, moves a bot, or lets the autopilot play."""
    fold = folds.load(game)
    if trading_is_open(game):
        close_trading(game)
    elif window_is_open(game):
        _close_window(table, game, fold)
    else:
        seat = table.seats.get(no=fold.state.turn, left_at=None)
        if clocks.credit(table, seat):
            seats.touch(table)
            return True
        if not _move_for(table, game, fold, seat):
            return False
    go_on(table, game, fold)
    return True


def _move_for(table: Table, game: Game, fold: Fold, seat: Seat) -> bool:
    """The move of a bot or of the autopilot; False for a bot that has yet to think."""
    if seat.is_bot or seat.away:
        chosen = thinking.choice(game, fold, seat)
        if chosen is None:
            return False
        log_action(table, game, fold, chosen, made_by="bot")
        return True
    if not clocks.is_aside(fold.state):
        clocks.run_out(seat)
    log_action(table, game, fold, autopilot.cautious(fold.state), made_by="autopilot")
    return True


def close_trading(game: Game) -> None:
    """Ends the time for trades; offers that nobody took are forgotten."""
    game.trade_closed, game.trades = True, {}
    game.save(update_fields=["trade_closed", "trades"])


def _close_window(table: Table, game: Game, fold: Fold) -> None:
    """Gives the engine everybody's answer at once; silence is a decline."""
    state = fold.state
    while state.phase == INSTANT_WIN:
        seat = table.seats.get(no=state.turn, left_at=None)
        if seat.is_bot or seat.away:
            chosen, made_by = autopilot.bot_action(state, thinking.bot_of(seat)), "bot"
        else:
            declares = game.answers.get(str(seat.no), False)
            chosen, made_by = Action(seat.no, "declare" if declares else "decline"), "player"
        log_action(table, game, fold, chosen, made_by=made_by)
    game.window_closed = True
    game.save(update_fields=["window_closed"])


def _finish(table: Table, game: Game, fold: Fold) -> None:
    """Stores the outcome and prepares the next game; without people the match is over.

    Who said that he leaves gets up, so that somebody else can take his chair before the next deal.
    """
    result = outcome(fold.state)
    game.outcome = outcome_to_json(result)
    game.over_at = timezone.now()
    game.save(update_fields=["outcome", "over_at"])
    seats.prepare_game(table, no=game.no + 1, previous=previous_to_json(result))
    table.status, table.turn_at = Table.Status.BETWEEN, None
    table.due_at = timezone.now() + PAUSE
    table.thinks = False
    arrangements.seat_successors(table)
    for seat in table.seats.filter(left_at=None, leaving=True):
        seats.get_up(seat)
    seats.await_people(table)
    if not _active(table):
        arrangements.abandoned(table, game.no)
    if terms.is_last(table, game.no) or not _goes_on(table):
        seats.close(table)
    else:
        rotation.hold(table)
    game_id = game.pk
    transaction.on_commit(lambda: table_finished.send(sender=Table, game_id=game_id))


def _active(table: Table) -> bool:
    """Whether somebody who sits there is playing himself."""
    people = table.seats.filter(left_at=None, bot="", autopilot=False)
    return people.exists()


def _goes_on(table: Table) -> bool:
    """Whether another game is dealt after this one."""
    return _active(table) or arrangements.goes_on_alone(table)
