"""Tables with people and bots for tests, by the services that pages use."""

import itertools
import random
import re
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine.rules import game as engine_game
from engine.rules import ruleset
from engine.rules.actions import SeatAction, action_to_json
from engine.rules.cards import format_cards, parse_cards
from engine.rules.state import OVER
from tables.base import tokens
from tables.base.fifo_cache import forget_all
from tables.bots.facts import autopilot
from tables.chairs.acts import seats
from tables.chairs.facts import seated
from tables.models import Action, Game, Seat, Table
from tables.play.acts import games, sweeps, trades
from tables.play.facts import positions
from tests.scripts import FETCH

_ids = itertools.count(1)

HANDS = [
    "3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2S",
    "3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2C",
    "3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD 2D",
    "3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH 2H",
]
"""Everybody with a suit; seat 0 leads with the 3 of spades."""

FOUR_TWOS = [
    "3S 5S 6S 7S 9S TS JS KS AS 2S 2C 2D 2H",
    "3C 4S 5C 6C 7C 8S 9C TC JC QS KC AC 4C",
    "3D 5D 6D 7D 8C 9D TD JD QC KD AD 4H 6H",
    "3H 7H 8H 9H TH JH QH KH AH 8D QD 4D 5H",
]
"""Seat 0 may declare an instant win."""

DEBT = {
    "placings": [[0], [1], [2], [3]],
    "chops": [{"by": 0, "of": 3, "cards": "5S 5C 5D 5H", "on": "2H", "level": 1}],
    "hands": ["", "", "", "4H"],
    "gone": [],
}
"""A previous game after which seat 3 owes seat 0 a card."""


def open_table(rules: str = "penguin", players: int = 4, people: int = 0, **options: Any) -> Table:
    """A table whose first `people` chairs have guests, and bots the others."""
    chosen = ruleset.with_options(ruleset.preset(rules), options)
    table = seats.open_table(ruleset=chosen, players=players)
    for no in range(people):
        seats.sit(table_id=table.pk, no=no, name=f"Guest {no}")
    seats.fill_with_bots(table_id=table.pk)
    return Table.objects.get(pk=table.pk)


def dealt(*chosen: Any, hands: Sequence[str] | None = None, **options: Any) -> Table:
    """A table that plays its first game, with these hands if they are given."""
    table = open_table(*chosen, **options)
    if hands:
        set_hands(table, hands)
    else:
        deal(table)
    table.refresh_from_db()
    return table


def deal(table: Table) -> Game:
    """The table's next game, dealt."""
    games.deal_next(table_id=table.pk)
    return current(table)


def set_hands(table: Table, hands: Sequence[str], *, previous: Any = None) -> Game:
    """The next game with these hands instead of those that its secret gives."""
    deal(table)
    game = current(table)
    game.dealt = [" ".join(hand.split()) for hand in hands]
    game.previous = previous
    game.window_until, game.window_closed, game.trade_until = None, False, None
    game.save()
    forget_all()
    game.table = Table.objects.select_related("ruleset").get(pk=table.pk)
    games.go_on(game.table, game, positions.replay_of(game), seated.by_number(table))
    return current(table)


def current(table: Table) -> Game:
    """The game that is on, or was last."""
    dealt = table.games.filter(dealt_at__isnull=False)
    return dealt.select_related("table__ruleset").latest("no")


def chair(table: Table, no: int) -> Seat:
    return table.seats.get(no=no, left_at=None)


def act(table: Table, no: int, do: str, cards: str = "", **more: Any) -> int:
    """The action of a seat that saw everything; the table's version after it."""
    table.refresh_from_db()
    return games.act(
        table_id=table.pk,
        seat_id=chair(table, no).pk,
        expected=more.pop("expected", None) or table.version,
        client_id=more.pop("client_id", f"test-{next(_ids)}"),
        action=SeatAction(no, do, parse_cards(cards), **more),
    ).version


def hurry_to(table: Table, left: Any) -> None:
    """What the table waits for is due in so long."""
    Table.objects.filter(pk=table.pk).update(due_at=timezone.now() + left)


def hurry(table: Table) -> None:
    """What the table waits for is due now, and done."""
    Table.objects.filter(pk=table.pk).update(due_at=timezone.now())
    sweeps.sweep()


def hurry_to_its_end(table: Table) -> None:
    """What the table waits for is due again and again, until it is closed."""
    for _ in range(600):
        table.refresh_from_db()
        if table.status == Table.Status.CLOSED:
            return
        hurry(table)
    raise AssertionError("The table does not end.")


def chopped() -> Table:
    """A table of the Southern game at which seat 1 has chopped a 2 of seat 0 with three pairs."""
    table = open_table("mien-nam", people=4)
    pairs = "3C 3D 4C 4D 5C 5D"
    set_hands(
        table,
        [
            "3S 2S 4S 5S 7S 8S 9S TS JS QS KS AC 7H",
            f"{pairs} 6S 8C 9C JC QC KC 6H",
            "3H 6C 6D 7C 7D 8D 9D TC JD QD KD AD 2D",
            "4H 5H 8H 9H TH JH QH KH AH AS 2C 2H TD",
        ],
    )
    act(table, 0, "play", "3S")
    for no in (1, 2, 3):
        act(table, no, "pass")
    act(table, 0, "play", "2S")
    act(table, 1, "play", pairs)
    return table


def play_on(table: Table, *, moves: int = 2000) -> Game:
    """Plays the current game to its end, or so many moves: the autopilot for everybody."""
    game = current(table)
    for _ in range(moves):
        if game.over_at:
            break
        step(table, game)
        game = current(table)
    return game


def play_game(table: Table) -> Game:
    """The table's next game, played to its end."""
    deal(table)
    return play_quickly(table)


@transaction.atomic
def play_quickly(table: Table) -> Game:
    """The game that is on, played to its end in one go: everybody plays like the autopilot.

    What follows from the last move is the product's.
    """
    table = seats.lock(table.pk)
    game = games.current(table)
    replayed, log = positions.replay_of(game), []
    while replayed.state.phase != OVER:
        action = autopilot.cautious(replayed.state)
        replayed.apply(action)
        body, version = action_to_json(action), table.version + 1
        log.append(
            Action(game=game, seq=replayed.seq, version=version, seat=action.seat, body=body)
        )
    Action.objects.bulk_create(log)
    games.go_on(table, game, replayed, seated.by_number(table))
    return current(table)


def step(table: Table, game: Game) -> None:
    if game.pause:
        hurry(table)
        return
    state = positions.replay_of(game).state
    action = autopilot.cautious(state)
    games.act(
        table_id=table.pk,
        seat_id=chair(table, state.turn).pk,
        expected=game.table.version,
        client_id=f"test-{next(_ids)}",
        action=action,
    )


def wander(table: Table, rng: random.Random, *, moves: int) -> Game:
    """So many legal actions by chance, trades among them where people may trade."""
    for _ in range(moves):
        game = current(table)
        if game.over_at:
            break
        if game.is_trading and rng.random() < 0.7:
            swap(table, rng)
        elif game.pause:
            hurry(table)
        else:
            choices = engine_game.legal_actions(positions.replay_of(game).state)
            plays = [action for action in choices if action.do != "pass"]
            action = rng.choice(plays if plays and rng.random() < 0.8 else choices)
            act(table, action.seat, action.do, expected=None, **fields_of(action))
    return current(table)


def fields_of(action: SeatAction) -> dict[str, Any]:
    return {"cards": format_cards(action.cards), "rank": action.rank}


def swap(table: Table, rng: random.Random) -> None:
    """Two players swap a card each, or one of them only offers it."""
    giver, taker = rng.sample(range(table.players), 2)
    state = positions.replay_of(current(table)).state
    give, back = (rng.choice(engine_game.observe(state, no).hand) for no in (giver, taker))
    keys = [{"table_id": table.pk, "seat_id": chair(table, no).pk} for no in (giver, taker)]
    trades.offer(**keys[0], to=taker, cards=(give,), want=1)
    number = current(table).offers[-1]["id"]
    if rng.random() < 0.7:
        trades.answer(**keys[1], number=number, cards=(back,))
        if rng.random() < 0.7:
            trades.agree(**keys[0], number=number, client_id=f"test-{next(_ids)}")


def browser_of(table: Table, no: int) -> Client:
    """A browser that holds the secret of this chair."""
    token = f"secret-{table.key}-{no}"
    Seat.objects.filter(table=table, no=no, left_at=None).update(token_hash=tokens.hash_of(token))
    forget_all()
    client = Client()
    client.cookies[f"seat-{table.key}"] = token
    return client


def post(client: Client, table: Table, what: str, *, script: bool = True, **data: Any) -> Any:
    table.refresh_from_db()
    headers = FETCH if script else {}
    data = {"version": table.version} | data
    return client.post(reverse(f"tables:{what}", args=[table.key]), data, headers=headers)


def page_of(client: Client, table: Table) -> str:
    """What the page of the table shows in this browser."""
    return client.get(reverse("tables:table", args=[table.key])).content.decode()


def view_of(client: Client, table: Table) -> Any:
    """What the page's script is told of the table."""
    return client.get(reverse("tables:view", args=[table.key]), headers=FETCH).json()


def close(table: Table) -> None:
    """Close the table, as when everybody has left it."""
    table.refresh_from_db()
    seats.close(table)
    table.save()


def hand_shown(html: str) -> list[str]:
    return re.findall(r'name="cards" value="(..)"', html)


def open_form(**changes: Any) -> dict[str, Any]:
    return {
        "rules": "penguin",
        "players": 4,
        "clock": "40",
        "name": "An",
        "bots": "greedy",
    } | changes
