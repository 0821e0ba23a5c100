"""No byte that a viewer gets depends on cards that he may not know.

Two games are played that differ only in such cards: the same log, but the unplayed cards of the
other seats (and those set aside) are dealt otherwise. Whatever the viewer can ask for must be the
same in both.
"""

import datetime
import itertools
import random
import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from engine.rules import game as engine_game
from engine.rules import ruleset
from engine.rules.actions import SeatAction, action_from_json
from engine.rules.cards import format_cards, parse_cards
from engine.rules.errors import IllegalAction
from tables.base.fifo_cache import forget_all
from tables.live import stream
from tables.models import Action, Game, Table
from tables.play.acts import games
from tables.play.acts.moves import has_window
from tables.play.facts import positions
from tables.play.facts.replayed import as_dealt
from tables.play.pages import featured
from tests.shares import share
from tests.tables import live
from tests.tables.live import FOUR_TWOS, HANDS, browser_of

pytestmark = pytest.mark.django_db
VARYING = re.compile(
    r'name="csrfmiddlewaretoken" value="\w+"|"X-CSRFToken": "\w+"|data-token="[\w:-]+"'
    r'|"token": "[\w:-]+"|data-left="\d+"|"left": \d+|event: clock\ndata: \d+'
    r'|csrfmiddlewaretoken\\" value=\\"\w+'
)


@pytest.fixture(autouse=True)
def _in_the_lobby(monkeypatch):
    """The lobby shows the game at once."""
    monkeypatch.setattr(featured, "DELAY", datetime.timedelta(0))


SCRIPT: dict[str, Any] = {"table": {}, "view": live.FETCH}
BY_CHANCE = ("Content-Length", "X-Request-ID", "RateLimit")
"""Headers that differ between any two answers: the length with the tokens, the number, the
requests that are left."""


def shown(table: Table, viewer: Client) -> dict[str, Any]:
    """What a page of the viewer shows and is sent: board, own part, hints, stream, the lobby."""
    Table.objects.filter(pk=table.pk).update(for_anyone=True)
    forget_all()
    found = {"lobby": said(viewer.get(reverse("tables:lobby")))}
    for name in ("view", "hints"):
        found[name] = said(
            viewer.get(reverse(f"tables:{name}", args=[table.key]), headers=live.FETCH)
        )
    for name in ("table", "view"):
        address = reverse(f"tables:{name}", args=[table.key]) + "?look=plain"
        found[f"plain {name}"] = said(viewer.get(address, headers=SCRIPT[name]))
    for words in ("?", "trick", "turn", "counts", "hand", "last trick"):
        found[f"asked {words}"] = refused(viewer, table, "typed", {"words": words})
    fresh = positions.rows().get(pk=table.pk)
    with translation.override("vi"):
        found["stream"] = clean(stream.board_event(positions.of(fresh)).now().decode())
        found["talk"] = stream.talk_event(fresh).now().decode()
    return found


def received(table: Table, viewer: Client, seat: int | None) -> dict[str, Any]:
    """Every byte that the viewer can get of the table: bodies, lengths, headers, refusals."""
    found = shown(table, viewer)
    for name, number in (("table", []), ("replay", [1]), ("record", [1]), ("fair", [1])):
        found[name] = said(viewer.get(reverse(f"tables:{name}", args=[table.key, *number])))
    version = Table.objects.get(pk=table.pk).version
    asked = viewer.get(reverse("tables:try_again", args=[table.key, 1, 0]))
    found["try again"] = said(asked)
    found |= {f"refused {name} {data}": refused(viewer, table, name, data) for name, data in PROBES}
    tries: list[dict[str, Any]] = [{"do": "play", "cards": ["3S", "5H"]}, {"do": "declare"}]
    if seat is None or not_his(live.current(table), seat):
        tries += [{"do": "pass"}, {"do": "play", "cards": ["2H"]}, {"do": "ask", "rank": "2"}]
    for number, data in enumerate(tries):
        data |= {"version": version, "client_id": f"probe-{number}"}
        found[f"refused {data}"] = refused(viewer, table, "act", data)
    return found


PROBES: list[tuple[str, dict[str, Any]]] = [
    ("trade", {"do": "agree:99"}),
    ("trade", {"do": "answer:99", "cards": ["2H"]}),
    ("trade", {"do": "offer", "to": 0, "want": 99}),
    ("talk", {"quick": "2H"}),
]


def refused(viewer: Client, table: Table, name: str, data: dict[str, Any]) -> Any:
    """The answer to something that nobody may do, whatever he holds."""
    address = reverse(f"tables:{name}", args=[table.key])
    return said(viewer.post(address, data, headers=live.FETCH))


def said(response: Any) -> tuple[int, str, dict[str, str]]:
    headers = {k: v for k, v in response.headers.items() if k not in BY_CHANCE}
    return response.status_code, clean(response.content.decode()), headers


def clean(text: str) -> str:
    """Without what is random in every answer: tokens, and the time that is left."""
    return VARYING.sub("", text)


def not_his(game: Game, seat: int) -> bool:
    """Whether whatever the seat tries now is refused."""
    return bool(game.pause) or positions.replay_of(game).state.turn != seat


def other_deal(game: Game, knows: set[int], rng: random.Random) -> list[str] | None:
    """Hands that are dealt otherwise where `knows` see nothing; None where nothing is hidden."""
    state = positions.replay_of(game).state
    dealt = [list(parse_cards(text)) for text in game.dealt]
    hands = [engine_game.observe(state, seat).hand for seat in range(state.players)]
    # Cards that came by a trade are known to all, and nobody was dealt them.
    left = [
        sorted((Counter(hand) & Counter(own)).elements())
        for hand, own in zip(hands, dealt, strict=True)
    ]
    hidden = [seat for seat in range(state.players) if seat not in knows]
    decks = state.ruleset.decks_for(state.players)
    aside = [card for card in range(52) for _ in range(decks)]
    for card in itertools.chain(*dealt):
        aside.remove(card)
    pool = aside + [card for seat in hidden for card in left[seat]]
    rng.shuffle(pool)
    for seat in hidden:
        for card in left[seat]:
            dealt[seat].remove(card)
        dealt[seat] += [pool.pop() for _ in left[seat]]
    return [format_cards(hand) for hand in dealt]


def redeal(game: Game, hands: list[str]) -> bool:
    """Puts other hands under the same public log; False where that log could not be."""
    old = positions.replay_of(game)
    known = (old.state.leader, old.state.instant_winners)
    Game.objects.filter(pk=game.pk).update(dealt=hands)
    game.refresh_from_db()
    replayed = as_dealt(game)
    public = [body for body in logged(game) if body["do"] not in ("declare", "decline")]
    bodies: list[dict[str, Any]] = []
    try:
        for body in public:
            if game.window_closed:
                bodies += declined(replayed)
            replayed.apply(action_from_json(body))
            bodies.append(body)
        if game.window_closed:
            bodies += declined(replayed)
    except IllegalAction:
        return False
    if (replayed.state.leader, replayed.state.instant_winners) != known and not game.pause:
        return False  # Who leads, and whose hand won by itself, is public.
    rewrite(game, bodies)
    return True


def declined(replayed: positions.ReplayedGame) -> list[dict[str, Any]]:
    """Nobody declares: whoever holds an instant win declines it."""
    bodies = []
    while replayed.state.phase == "instant_win":
        seat = replayed.state.turn
        replayed.apply(SeatAction(seat, "decline"))
        bodies.append({"seat": seat, "do": "decline"})
    return bodies


def logged(game: Game) -> list[dict[str, Any]]:
    return list(game.actions.order_by("seq").values_list("body", flat=True))


def rewrite(game: Game, bodies: list[dict[str, Any]]) -> None:
    """Another log for the test's second world; the trigger forbids it to everybody else."""
    from django.db import connection

    version = Table.objects.get(pk=game.table_id).version
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE tables_action DISABLE TRIGGER USER")
        cursor.execute("DELETE FROM tables_action WHERE game_id = %s", [game.pk])
        cursor.execute("ALTER TABLE tables_action ENABLE TRIGGER USER")
    Action.objects.bulk_create(
        Action(game=game, seq=seq, version=version, seat=body["seat"], body=body)
        for seq, body in enumerate(bodies, start=1)
    )
    forget_all()


def looking(
    table: Table, browsers: dict[int, Client], viewer: int | None, *, whole: bool
) -> Callable[[], Any]:
    """Return a look of the viewer: at every byte that there is, or at what a page shows."""
    browser = browsers[viewer] if viewer is not None else Client()
    return partial(received, table, browser, viewer) if whole else partial(shown, table, browser)


CASES = [
    ("tien-len", 4, {}),
    ("tien-len", 3, {}),
    ("family", 4, {}),
    ("killa", 4, {}),
    ("mien-nam", 4, {}),
    ("thirteen", 6, {}),
    ("penguin", 2, {}),
    ("viet-cong", 4, {}),
    ("hawaii-killer", 4, {"straight_flush_locks": "choice", "card_counts": "hidden"}),
    ("tien-len", 4, {"exchange": ["negotiated"]}),
    ("viet-cong", 3, {"exchange": ["negotiated"]}),
]
STATES = 100
"""So many states of each of the cases are compared by `script/test --long`, others each time."""


@pytest.mark.always
@pytest.mark.parametrize(("rules", "players", "options"), share(CASES, 0, of=2))
def test_nobody_gets_a_byte_that_depends_on_cards_he_may_not_know(rules, players, options):
    rng = random.Random(f"leak {rules} {players}")
    compared = 0
    while compared < 2:  # Some deals leave no second world: an early end, a hand that all know.
        table = live.open_table(rules, players, people=players, **options)
        browsers = {seat: browser_of(table, seat) for seat in range(players)}
        live.deal(table)
        stages = sorted(rng.sample((0, 1, 6, 15, 29), 3))  # All come up among the cases.
        thorough = rng.choice(stages)
        for before, moves in itertools.pairwise((0, *stages)):
            game = live.play_on(table, moves=moves - before)
            if game.over_at:
                break
            viewer = rng.choice([None, *range(players)])
            look = looking(table, browsers, viewer, whole=moves == thorough)
            compared += compare(game, viewer, look, rng)


@pytest.mark.long
@pytest.mark.limit(1800, reason="a hundred states, each of which is asked for by every page")
@pytest.mark.parametrize(("rules", "players", "options"), CASES)
def test_a_thousand_states_give_nothing_away(rules, players, options):
    seed = random.SystemRandom().getrandbits(32)
    print(f"random.Random({seed})")
    rng = random.Random(seed)
    compared = 0
    while compared < STATES:
        table = live.open_table(rules, players, people=players, **options)
        browsers = {seat: browser_of(table, seat) for seat in range(players)}
        live.deal(table)
        for _ in range(12):
            game = live.wander(table, rng, moves=rng.randrange(1, 5))
            if game.over_at:
                break
            viewer = rng.choice([None, *range(players)])
            look = looking(table, browsers, viewer, whole=compared % 10 == 0)
            compared += compare(game, viewer, look, rng)
    print(f"{rules} for {players}: {compared} states compared")


def compare(game: Game, viewer: int | None, look: Callable[[], Any], rng: random.Random) -> bool:
    """Return whether another world was found; it looks the same to the viewer."""
    dealt, bodies = game.dealt, logged(game)
    before = look()
    for _ in range(12):
        hands = other_deal(game, set() if viewer is None else {viewer}, rng)
        found = hands != dealt and redeal(game, hands)
        if found:
            after = look()
            for what, said_before in before.items():
                assert (viewer, what, after[what]) == (viewer, what, said_before)
        Game.objects.filter(pk=game.pk).update(dealt=dealt)
        game.refresh_from_db()
        rewrite(game, bodies)
        if found:
            return True
    return False


def test_the_window_looks_the_same_whoever_holds_an_instant_win():
    """Seat 0 could declare, or seat 3, or nobody: the others see one and the same table."""
    other = [*FOUR_TWOS[1:3], "3H 7H 8H 9H TH JH QH KH AH 2S 2C 2D 2H"]
    swap = {"2S": "8D", "2C": "QD", "2D": "4D", "2H": "5H"}
    plain = " ".join(swap.get(card, card) for card in FOUR_TWOS[0].split())
    table = live.open_table("tien-len", 4, people=4)
    browsers = [browser_of(table, seat) for seat in range(4)]
    game = live.set_hands(table, FOUR_TWOS)
    worlds = []
    nobody = [plain.replace("8D", "2S"), *other[:2], other[2].replace("2S", "8D")]
    for hands in (FOUR_TWOS, [plain, *other], nobody):
        Game.objects.filter(pk=game.pk).update(dealt=hands)
        forget_all()
        worlds.append([received(table, browsers[1], 1), shown(table, browsers[2])])
    assert worlds[0] == worlds[1] == worlds[2]


def test_which_card_a_debt_of_go_fish_moved_is_known_to_the_two_alone():
    """Seat 3 pays with its ace of hearts in one world and with that of diamonds in the other."""
    table = live.open_table("family", 4, people=4)
    browsers = {1: browser_of(table, 1), None: Client()}
    game = live.set_hands(table, HANDS, previous=live.DEBT)
    live.act(table, 0, "ask", rank=11)
    asked = logged(game)
    live.act(table, 0, "return", "3S")
    returned = logged(game)
    other = [*HANDS[:2], HANDS[2].replace("AD", "AH"), HANDS[3].replace("AH", "AD")]
    for log in (asked, returned):
        rewrite(game, log)
        worlds = []
        for hands in (HANDS, other):
            Game.objects.filter(pk=game.pk).update(dealt=hands)
            worlds.append([received(table, browsers[1], 1), shown(table, browsers[None])])
        assert worlds[0] == worlds[1]


@pytest.mark.parametrize("answered", [False, True])
def test_the_cards_of_an_offer_are_known_to_the_two_alone(answered):
    """Seat 0 offers its 3 or its 4 of spades, and seat 2 shows one diamond or another."""
    table = live.open_table("tien-len", 4, people=4, exchange=["negotiated"])
    browsers = {no: browser_of(table, no) for no in range(4)} | {None: Client()}
    game = live.set_hands(table, HANDS)
    worlds: dict[Any, list[Any]] = {viewer: [] for viewer in browsers}
    for give, back in (("3S", "3D"), ("4S", "AD")):
        offer = {"id": 1, "seat": 0, "to": 2, "give": give, "want": 1}
        if answered:
            offer["back"] = back
        Game.objects.filter(pk=game.pk).update(trades={"offers": [offer], "made": [1, 0, 0, 0]})
        for viewer, browser in browsers.items():  # Seat 1 stands for all who are not asked.
            looks = received(table, browser, 1) if viewer == 1 else shown(table, browser)
            worlds[viewer].append(looks)
    assert {viewer: one == two for viewer, (one, two) in worlds.items()} == {
        0: False,
        1: True,
        2: False,
        3: True,
        None: True,
    }


def test_a_decline_shows_in_nobody_elses_bytes_until_the_game_is_over():
    table = live.dealt("tien-len", 4, people=4, hands=FOUR_TWOS)
    before = Table.objects.get(pk=table.pk).version
    games.answer(table_id=table.pk, seat_id=live.chair(table, 0).pk, declare=False)
    assert Table.objects.get(pk=table.pk).version == before
    live.hurry(table)
    assert Table.objects.get(pk=table.pk).version == before + 1
    assert "declin" not in str(live.view_of(Client(), table))


def test_every_preset_opens_the_window_by_its_rules_and_never_by_the_hands():
    expected = {"tien-len", "hawaii-killer", "family", "killa"}
    found = {
        key
        for key in ruleset.preset_keys()
        if has_window(ruleset.preset(key), ruleset.preset(key).max_players)
    }
    assert found & expected == expected


def test_where_all_cards_are_dealt_the_window_opens_for_every_number_of_players():
    rules = ruleset.with_options(ruleset.preset("killa"), {"deal_all": True})
    assert rules.cards_for(3) == 17
    assert has_window(rules, 3)
