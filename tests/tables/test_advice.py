"""What a bot would play in a finished game: pages ask, a worker searches."""

import json
from contextlib import suppress
from statistics import stdev
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from kombu.exceptions import OperationalError

from config.celery import app
from engine import bots, records
from engine.bots.search import Dream
from engine.records import read
from engine.rules import game as engine_game
from engine.rules.cards import format_card
from tables import tasks
from tables.models import Game
from tables.play.acts import advising
from tables.play.facts import archive
from tests.tables import live

pytestmark = pytest.mark.django_db
HANDS = [
    "3S 4C 5S 6D 7S 8S 9H TS JC QS KS AS 2C",
    "3C 4S 5C 6C 7D 8C 9C TC JS QC KD AC 2S",
    "3D 4D 5D 6S 7C 8D 9S TH JD QD KC AD 2D",
    "3H 4H 5H 6H 7H 8H 9D TD JH QH KH AH 2H",
]


@pytest.fixture(autouse=True)
def _no_messages(monkeypatch):
    monkeypatch.setattr(advising, "GAMES", 200)
    _drop_messages()
    yield
    cache.clear()
    _drop_messages()


@pytest.fixture
def address() -> str:
    """The replay of a finished game between four guests."""
    table = live.open_table("tien-len", people=4)
    live.set_hands(table, HANDS)
    live.play_quickly(table)
    return reverse("tables:replay", args=[table.key, 1])


def _drop_messages() -> None:
    with app.connection_for_write() as broker:
        broker.SimpleQueue("advice").clear()


def waiting() -> list[tuple[Any, Any]]:
    """Take the questions out of the workers' queue."""
    found = []
    with app.connection_for_write() as broker:
        queue = broker.SimpleQueue("advice")
        with suppress(queue.Empty):
            while message := queue.get(block=False):
                found.append(tuple(message.payload[0]))
                message.ack()
    return found


def let_a_worker_answer() -> int:
    """Do what a worker does with its queue; returns how many questions it had."""
    questions = waiting()
    for question, slot in questions:
        tasks.advise(question, slot)
    return len(questions)


def ask(address: str, step: int, bot: str = "sage") -> Any:
    """What the page says of a question, asked by another visitor each time."""
    return Client().get(address, {"step": step, "bot": bot}).context["asked"]


def advice(address: str, step: int, bot: str = "sage") -> Any:
    ask(address, step, bot)
    let_a_worker_answer()
    return ask(address, step, bot).advice


def state_at(game: Game, step: int) -> Any:
    record = archive.record(game)
    state = read.start_of(record)
    for number, action in enumerate(read.actions_of(record)[:step], start=1):
        records.step(state, action, number)
    return state


class Never:
    """A bot that must not be asked."""

    version = 1

    def __init__(self, seed: int) -> None:
        raise AssertionError("A bot was made in a web process.")


def test_a_web_process_makes_no_bot(address, monkeypatch):
    for name in advising.ADVISERS:
        monkeypatch.setitem(bots.BOTS, name, Never)
    for bot in advising.ADVISERS:
        for headers in ({}, {"HX-Request": "true", "HX-Target": "advice"}):
            page = Client().get(address, {"step": 1, "bot": bot}, headers=headers)
            assert f"{bot.capitalize()} is thinking." in page.content.decode()
    with pytest.raises(AssertionError, match="in a web process"):
        let_a_worker_answer()  # There the bots are.


@pytest.mark.parametrize("bot", advising.ADVISERS)
def test_a_bot_answers_what_it_would_have_done(address, bot):
    assert ask(address, 1, bot).is_thinking
    assert let_a_worker_answer() == 1
    found = ask(address, 1, bot).advice
    assert found.do in ("play", "pass")
    assert bool(found.worths) == (bot == "sage")
    assert let_a_worker_answer() == 0


def test_the_move_is_the_first_of_the_values_shown_at_every_step(address, monkeypatch):
    """At every decision of a game, so also where the bot's quicker choice is another."""
    game, differs, close = Game.objects.get(no=1), 0, 0
    actions = read.actions_of(archive.record(game))
    monkeypatch.setattr(advising, "GAMES", 60)
    for step in range(len(actions)):
        found = advice(address, step)
        if found is None or not found.worths:
            continue
        first, *others = found.worths
        assert (first.do, first.gap, first.error, first.is_close) == (found.do, 0, 0, False)
        assert first.played == found.same
        assert all(worth.place >= first.place for worth in others)
        for worth in others:
            needed = max(found.tells, 2 * worth.error) if found.games else 0
            assert worth.is_close == (worth.gap < needed)
            close += worth.is_close
        if differs:
            continue
        state = state_at(game, step)
        seen, legal = engine_game.observe(state, state.turn), engine_game.legal_actions(state)
        chosen = bots.make("sage", advising.SEED).choose(seen, legal)
        differs += (chosen.do, [format_card(card) for card in chosen.cards]) != (
            found.do, found.cards)  # fmt: skip
    assert differs
    assert close


def test_the_page_shows_paired_differences_and_what_is_too_close(address):
    found = advice(address, 1)
    page = Client().get(address, {"step": 1, "bot": "sage"}).content.decode()
    second = found.worths[1]
    assert f"+{second.gap:.2f} ± {second.error:.2f}" in page
    assert found.tells == pytest.approx(0.36)
    assert "Below 0.36 places they are too close to tell." in page
    assert page.count('<span class="small muted">· too close to tell</span>') == sum(
        worth.is_close for worth in found.worths
    )


def test_the_error_shown_is_that_of_the_pairs(address, monkeypatch):
    """Every imagined result is noted, and the difference to the best worked out by hand."""
    noted: dict[Any, list[Any]] = {}
    play_out = Dream.results_of

    def noting(dream, candidates, deals):
        results = play_out(dream, candidates, deals)
        for candidate, row in zip(candidates, results, strict=True):
            noted.setdefault(candidate.action.cards, []).extend(row)
        return results

    monkeypatch.setattr(Dream, "results_of", noting)
    found = advice(address, 1)
    rows = {"".join(format_card(card) for card in cards): row for cards, row in noted.items()}
    best = rows["".join(found.cards)]
    compared = 0
    for worth in found.worths[1:]:
        row = rows.get(cards_of(worth))
        if row is None:
            continue
        gaps = [(own.place - other.place) / 2 for own, other in zip(row, best, strict=False)]
        assert worth.gap == pytest.approx(sum(gaps) / len(gaps))
        assert worth.error == pytest.approx(stdev(gaps) / len(gaps) ** 0.5)
        compared += 1
    assert compared


def cards_of(worth: Any) -> str:
    suits = dict(zip("♠♣♦♥", "SCDH", strict=True))
    return "".join(suits.get(sign, sign) for sign in worth.cards.replace("10", "T")).replace(
        " ", ""
    )


def test_many_who_ask_the_same_cost_one_search(address):
    assert all(ask(address, 1).is_thinking for _ in range(5))
    assert let_a_worker_answer() == 1
    found = ask(address, 1).advice
    assert all(ask(address, 1).advice == found for _ in range(5))
    assert let_a_worker_answer() == 0


def test_a_question_that_comes_twice_is_answered_once(address, monkeypatch):
    ask(address, 1, "greedy")
    ((question, slot),) = waiting()
    tasks.advise(question, slot)
    monkeypatch.setattr(bots.BOTS["greedy"], "__init__", Never.__init__)
    tasks.advise(question, slot)
    assert ask(address, 1, "greedy").advice


def test_the_queue_has_an_end_and_then_says_so_before_anything_is_sent(address):
    many = len(advising.SLOTS)
    assert all(ask(address, step, "greedy").is_thinking for step in range(1, 1 + many))
    refused = ask(address, many + 1, "greedy")
    assert refused.sentence == "The bots have many questions to answer. Ask again in a moment."
    assert ask(address, 1, "greedy").is_thinking  # Who asks what is asked already may wait too.
    assert let_a_worker_answer() == many
    assert ask(address, many + 1, "greedy").is_thinking  # There is room again.


def test_an_address_that_asks_all_the_time_waits(address, settings):
    settings.TABLES_PER_ADDRESS = settings.TABLES_PER_ADDRESS | {"advice": (2, 60)}
    assert ask(address, 1, "greedy").is_thinking
    assert ask(address, 2, "greedy").is_thinking
    assert ask(address, 3, "greedy").sentence == (
        "Too many requests from your address. Wait a few minutes."
    )
    let_a_worker_answer()
    assert ask(address, 1, "greedy").advice  # To look at what was answered is no question.
    assert let_a_worker_answer() == 0


def test_if_no_worker_answers_the_page_says_so_and_stops_asking(address, monkeypatch):
    page = {"step": 1, "bot": "sage"}
    assert 'hx-trigger="load delay:' in Client().get(address, page).content.decode()
    monkeypatch.setattr(advising, "PATIENCE", 0)
    text = Client().get(address, page).content.decode()
    assert "The bot isn&#x27;t answering right now. Ask again in a minute." in text
    assert "hx-trigger" not in text
    let_a_worker_answer()
    assert ask(address, 1).advice  # It came late.


def test_a_search_that_fails_is_told_at_once_and_leaves_its_place(address, monkeypatch):
    ask(address, 1, "sage")
    monkeypatch.setitem(bots.BOTS, "sage", Never)
    with pytest.raises(AssertionError):
        let_a_worker_answer()
    assert ask(address, 1).sentence.startswith("The bot isn't answering right now.")
    assert not cache.get_many(advising.SLOTS)


def test_without_a_broker_the_page_says_so_and_forgets_the_question(address, monkeypatch):
    def away(*args: Any, **more: Any) -> None:
        raise OperationalError("away")

    with monkeypatch.context() as patch:
        patch.setattr(tasks.advise, "apply_async", away)
        assert ask(address, 1).sentence.startswith("The bot isn't answering right now.")
    assert not cache.get_many(advising.SLOTS)
    assert ask(address, 1).is_thinking


def test_no_card_that_the_seat_could_not_see_is_in_question_or_answer(address):
    game, compared = Game.objects.get(no=1), 0
    for step in range(1, 12):
        for bot in ("sage", "greedy"):
            ask(address, step, bot)
            for question, slot in waiting():
                assert question == [game.pk, game.commitment, step, bot]
                key = advising.AdviceQuestion(*question).key
                assert set(key.removeprefix("advice:")) <= set("0123456789abcdef")
                tasks.advise(question, slot)
                state = state_at(game, step)
                own = set(engine_game.observe(state, state.turn).hand)
                kept = cache.get(key)
                moves = [kept["chosen"], *[action for action, *_ in kept["values"]]]
                shown = {card for move in moves if move for card in move.get("cards", "").split()}
                assert shown <= {format_card(card) for card in own}
                assert game.secret not in json.dumps(kept)
                compared += bool(shown)
    assert compared


def test_what_the_others_hold_changes_nothing_of_an_answer():
    """Two games alike but for cards that are still hidden give the same choice and values."""
    found = []
    for hands in (HANDS, [HANDS[0], HANDS[1], HANDS[3], HANDS[2]]):
        table = live.open_table("tien-len", people=4)
        live.set_hands(table, hands)
        game = live.play_quickly(table)
        question = advising.AdviceQuestion(game.pk, game.commitment, 1, "sage")
        tasks.advise(question, advising.SLOTS[0])
        found.append(cache.get(question.key))
    assert found[0] == found[1]
    assert found[0]["values"]


def test_a_game_that_is_on_is_answered_by_nobody():
    table = live.open_table("tien-len", people=4)
    live.deal(table)
    game = live.current(table)
    question = advising.AdviceQuestion(game.pk, game.commitment, 0, "greedy")
    with pytest.raises(Game.DoesNotExist):
        tasks.advise(question, advising.SLOTS[0])
    assert "chosen" not in cache.get(question.key)
    assert Client().get(reverse("tables:replay", args=[table.key, 1])).status_code == 404


@pytest.mark.parametrize("query", ["?step=1&bot=random", "?step=99999&bot=sage", "?bot=%C3"])
def test_nonsense_asks_nobody(address, query):
    response = Client().get(address + query)
    assert (response.status_code, response.context["asked"]) == (200, None)
    assert waiting() == []


def test_where_there_is_one_action_there_is_nothing_to_choose():
    table = live.open_table("penguin", people=4)
    suits = [" ".join(rank + suit for rank in "3456789TJQKA2") for suit in "SCDH"]
    live.set_hands(table, suits)
    live.play_quickly(table)
    address = reverse("tables:replay", args=[table.key, 1])
    assert ask(address, 0, "greedy").is_thinking  # The lowest card alone leads.
    let_a_worker_answer()
    assert ask(address, 0, "greedy").sentence == "There is nothing to choose here."
    found = advice(address, 1, "greedy")
    assert (found.do, found.cards) == ("play", ["3C"])
