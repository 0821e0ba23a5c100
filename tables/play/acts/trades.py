"""Trades that two people agree on before play, where the rules allow it (rules.md, section 7).

A player offers cards for a number of another's. The other answers with cards, and the first agrees;
either may end the offer. Everyone sees that there is an offer, between whom and of how many cards.
Only the two see the cards until they change hands.
"""

from collections.abc import Callable
from typing import Any

from django.db import transaction

from engine.rules import exchange
from engine.rules.actions import SeatAction
from engine.rules.cards import format_cards, parse_cards
from tables.base.lookup import or_raise
from tables.chairs.acts import seats
from tables.chairs.facts import seated
from tables.models import Action, Game, Seat, Table
from tables.play.acts import games, moves
from tables.play.facts import positions
from tables.refusals import Stale, TableRefusal

MOST_OFFERS = 12
"""Most offers of a player before a game."""

Cards = tuple[int, ...]
OfferJson = dict[str, Any]
"""`id`, `seat` to `to`: `give` as a text of cards for `want` of the other's, answered as `back`."""


@transaction.atomic
def offer(*, table_id: int, seat_id: int, to: int, cards: Cards, want: int) -> None:
    """Offer cards to a player for a number of theirs; this replaces the player's last offer."""
    table, game, seat = _in_time(table_id, seat_id)
    other = table.seats.filter(no=to, left_at=None).first()
    if other is None or other.pk == seat.pk:
        raise TableRefusal("no_such_chair", status=404)
    if other.is_bot or other.autopilot:
        raise TableRefusal("nobody_trades")
    state = positions.replay_of(game).state
    exchange.check_held(state, seat.no, cards)
    exchange.check_trade_size(state, seat.no, to, len(cards), want)
    made = game.trades.setdefault("made", [0] * table.players)
    if made[seat.no] == MOST_OFFERS:
        raise TableRefusal("too_many_offers")
    made[seat.no] += 1
    number = sum(made)
    _keep(game, lambda open_: open_["seat"] != seat.no)
    game.trades["offers"].append(
        {"id": number, "seat": seat.no, "to": to, "give": format_cards(cards), "want": want}
    )
    _store(table, game)


@transaction.atomic
def answer(*, table_id: int, seat_id: int, number: int, cards: Cards) -> None:
    """Answer an offer with cards; a gift, which wants none, is carried out at once."""
    table, game, seat = _in_time(table_id, seat_id)
    found = _find(game, number)
    if found["to"] != seat.no or "back" in found:
        raise Stale
    state = positions.replay_of(game).state
    if len(cards) != found["want"]:
        raise TableRefusal("trade_count")
    exchange.check_held(state, seat.no, cards)
    found["back"] = format_cards(cards)
    if not cards:
        _trade(table, game, found, client_id=None)
    else:
        _store(table, game)


@transaction.atomic
def agree(*, table_id: int, seat_id: int, number: int, client_id: str) -> None:
    """Swap the cards of an answered offer; a repeated `client_id` does nothing.

    Refusal: `key_reused` for one that agreed to another offer of the game.
    """
    game = games.current(seats.lock(table_id))
    if Action.objects.filter(game=game, client_id=client_id).exists():
        if any(open_["id"] == number for open_ in game.offers):
            raise TableRefusal("key_reused", status=409)
        return
    table, game, seat = _in_time(table_id, seat_id)
    found = _find(game, number)
    if found["seat"] != seat.no or "back" not in found:
        raise Stale
    _trade(table, game, found, client_id=client_id)


@transaction.atomic
def end(*, table_id: int, seat_id: int, number: int) -> None:
    """Withdraw or decline an offer; either side may."""
    table, game, seat = _in_time(table_id, seat_id)
    found = _find(game, number)
    if seat.no not in (found["seat"], found["to"]):
        raise Stale
    _keep(game, lambda open_: open_["id"] != number)
    _store(table, game)


@transaction.atomic
def ready(*, table_id: int, seat_id: int, yes: bool) -> None:
    """Set whether a player has finished trading; play goes on when all people have."""
    table, game, seat = _in_time(table_id, seat_id)
    done = set(game.trades.get("done", ())) - {seat.no}
    game.trades["done"] = sorted(done | {seat.no} if yes else done)
    if games.have_traded(table, game):
        games.close_trading(game)
        games.go_on(table, game, positions.replay_of(game), seated.by_number(table))
    else:
        _store(table, game)


def _in_time(table_id: int, seat_id: int) -> tuple[Table, Game, Seat]:
    """Return the locked table, its game and the seat; raise `Stale` when trading is over."""
    table = seats.lock(table_id)
    seat = seated.occupied(table, seat_id)
    game = games.current(table)
    if not game.is_trading:
        raise Stale
    return table, game, seat


def _trade(table: Table, game: Game, found: OfferJson, *, client_id: str | None) -> None:
    """Log the trade, and remove all other offers of the two."""
    replayed = positions.replay_of(game)
    give, take = parse_cards(found["give"]), parse_cards(found["back"])
    action = SeatAction(found["seat"], "trade", give, other=found["to"], take=take)
    moves.log_line(table, game, replayed, action, client_id=client_id).save()
    two = {found["seat"], found["to"]}
    _keep(game, lambda open_: not two & {open_["seat"], open_["to"]})
    table.moved_version = table.version + 1
    _store(table, game)


def _find(game: Game, number: int) -> OfferJson:
    """Return the offer with this number; raise `Stale` if it is gone."""
    return or_raise(next((open_ for open_ in game.offers if open_["id"] == number), None), Stale())


def _keep(game: Game, wanted: Callable[[OfferJson], bool]) -> None:
    game.trades["offers"] = [open_ for open_ in game.offers if wanted(open_)]


def _store(table: Table, game: Game) -> None:
    game.save(update_fields=["trades"])
    seats.touch(table)
