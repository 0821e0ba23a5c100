"""The review of a record that somebody has: by a worker, on the surface of all reviews, private."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from engine.bots import judge
from tables import tasks
from tables.play.facts import archive
from tables.reviews.acts import entered, making
from tests.factories import browser_of, make_user
from tests.tables import live
from tests.tables.reviewed import judged, no_searches

pytestmark = pytest.mark.django_db
SEAT = 1


class Workers:
    """What was sent to the workers, who do it when asked to."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    def apply_async(self, sent: tuple[str], **more: Any) -> None:
        self.sent.append(sent[0])

    def work(self) -> None:
        while self.sent:
            tasks.review_record(self.sent.pop())


@pytest.fixture
def workers(monkeypatch):
    cache.clear()
    found = Workers()
    monkeypatch.setattr(tasks.review_record, "apply_async", found.apply_async)
    monkeypatch.setattr(making, "is_ready", lambda: True)
    yield found
    cache.clear()


@pytest.fixture
def record(workers, monkeypatch) -> dict[str, Any]:
    """A finished game in a file, and a judge that says of it what `judged` says."""
    game = live.play_quickly(live.dealt("tien-len", people=4))
    whole = judged(game)

    def review(started: Any, actions: Any, seats: list[int], *given: Any) -> dict[str, Any]:
        own = [one for one in whole["decisions"] if one["seat"] in seats]
        return whole | {"decisions": own}

    monkeypatch.setattr(judge, "review", review)
    return archive.record(game)


def member() -> Client:
    return browser_of(make_user())


def enter(client: Client, record: Mapping[str, Any], seat: Any = SEAT) -> Any:
    return client.post("/records/", {"text": json.dumps(record), "seat": seat})


def test_an_entered_game_is_judged_by_a_worker_and_reviewed_like_any_other(record, workers):
    client = member()
    offered = client.post("/records/", {"text": json.dumps(record)}).content.decode()
    assert offered.count('name="seat"') == 4
    address = enter(client, record).url
    assert "Being judged" in client.get(address).content.decode()
    workers.work()
    page = client.get(address).content.decode()
    found = [one for one in judged_decisions(record) if one == SEAT]
    assert page.count('class="decision mistake"') == len(found)
    for text in ("You finished in place", "Turning points", 'class="chart chances"'):
        assert text in page
    step = client.get(address).context["page"].decisions[0].step
    assert "Every way to play" not in client.get(f"{address}try/{step}/").content.decode()
    best = client.get(address).context["page"].decision_at(step)["best"]
    sent = {"do": best["do"], "cards": best.get("cards", "").split()}
    tried = client.post(f"{address}try/{step}/", sent).content.decode()
    assert ("Right!" in tried, f'href="{address}"' in tried) == (True, True)


def judged_decisions(record: Mapping[str, Any]) -> list[int]:
    body = cache.get(f"review-entered:{entered.key_of(record, SEAT)}")["body"]
    return [one["seat"] for one in body["decisions"]]


def test_only_who_has_the_record_finds_its_review(record, workers):
    address = enter(member(), record).url
    assert len(address.split("/")[-2]) == 64
    assert enter(member(), record | {"stake": 2}).url != address
    for wrong in ("0" * 64, "x"):
        assert member().get(reverse("tables:entered_review", args=[wrong])).status_code == 404
        assert member().get(reverse("tables:try_entered", args=[wrong, 1])).status_code == 404


def test_a_record_with_other_names_shows_these_and_not_those_of_the_first_reader(record, workers):
    names = ["Cô Ba", "Chú Tư", "Dì Năm", "Cậu Sáu"]
    first = enter(member(), record | {"players": names}).url
    workers.work()
    corrected = enter(member(), record | {"players": ["Cô Tám", *names[1:]]}).url
    workers.work()
    shown = [member().get(address).content.decode() for address in (first, corrected)]
    assert [("Cô Ba" in page, "Cô Tám" in page) for page in shown] == [(True, False), (False, True)]


def test_who_is_not_signed_in_only_replays(record, workers):
    answer = enter(Client(), record)
    assert (answer.status_code, workers.sent) == (200, [])
    assert 'name="seat"' not in answer.content.decode()


@pytest.mark.parametrize("seat", ["9", "", "x", "-1"])
def test_a_seat_that_is_not_there_is_refused_by_a_sentence(record, workers, seat):
    answer = enter(member(), record, seat)
    assert answer.status_code == 422
    assert "The judge needs a game with its end" in answer.content.decode()


def test_a_game_that_the_judge_cannot_work_out_says_so(record, workers, monkeypatch):
    def lost(*_given):
        raise ValueError("the judge is lost")

    monkeypatch.setattr(judge, "review", lost)
    address = enter(member(), record).url
    with pytest.raises(ValueError, match="lost"):
        workers.work()
    page = member().get(address).content.decode()
    assert "The judge could not work this game out." in page
    assert ("Being judged" in page, workers.sent) == (False, [])


def test_a_game_without_its_end_is_not_judged(record, workers):
    part = record | {"actions": record["actions"][:3]}
    assert enter(member(), part).status_code == 422
    shown = member().post("/records/", {"text": json.dumps(part)})
    assert 'name="seat"' not in shown.content.decode()


def test_a_request_searches_nothing_and_reviews_are_limited(record, workers, monkeypatch):
    no_searches(monkeypatch)
    client = member()
    address = enter(client, record).url
    assert enter(client, record).url == address
    for _ in range(3):
        assert client.get(address).status_code == 200
    assert len(workers.sent) == 1  # One question at a time.
    monkeypatch.setitem(settings.TABLES_PER_ADDRESS, "import", (2, 60))
    assert enter(client, record, 2).status_code == 429


def test_rules_without_a_tested_judge_say_so(workers):
    table = live.dealt("penguin", people=4)
    client = member()
    address = enter(client, archive.record(live.play_quickly(table))).url
    workers.work()
    page = client.get(address).content.decode()
    assert "The judge has not been tested for these rules." in page


def test_a_bots_author_asks_for_the_review_of_a_game_as_json(record, workers):
    client, address = member(), reverse("play:reviews")

    def ask(**sent: Any) -> Any:
        body = {"record": record, "seat": SEAT} | sent
        return client.post(address, body, content_type="application/json")

    assert ask().json()["state"] == "waiting"
    workers.work()
    found = ask().json()
    assert (found["state"], found["seats"]) == ("made", [SEAT])
    assert {one["seat"] for one in found["decisions"]} == {SEAT}
    assert [term is None for term in found["terms"]] == [True, False, True, True]
    for one in found["decisions"]:
        assert one["loss"] == 0.5
        assert one["best"] != one["played"]
    for wrong in ({"seat": 7}, {"record": {"format": "pgn"}}, {"record": record | {"hands": []}}):
        answer = ask(**wrong)
        assert answer.status_code == 422
        assert (bool(answer.json()["detail"]), bool(answer.json()["code"])) == (True, True)
    sent = {"record": {"format": "pgn"}, "seat": SEAT}
    vietnamese = {"Accept-Language": "vi"}
    answer = client.post(address, sent, content_type="application/json", headers=vietnamese)
    assert answer.json()["detail"] == 'format: hãy viết "tien-len-record/1"'
    long = record | {"players": ["x" * 300_000]}
    assert ask(record=long).json()["record"] == [
        "This file is too large for one game: at most 256 kB."
    ]
    assert Client().post(address, {}, content_type="application/json").status_code in (401, 403)
