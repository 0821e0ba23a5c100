"""What a tournament's page says of seats, hands, chops, time and verdicts; games that are gone."""

import json

import pytest
from django.core.cache import cache
from django.test import Client

from engine import bots
from engine.rules.actions import SeatAction
from league.arena.acts import bots as service
from league.models import Event
from league.templatetags.league import figure
from tables.models import Run, Unit
from tests.factories import make_season, make_tournament, path_of
from tests.league.arena.test_run_pages import client_of, show, work

pytestmark = pytest.mark.django_db


class Odd:
    """Never does what it may."""

    version = 1

    def __init__(self, seed):
        pass

    def choose(self, observation, legal):
        return SeatAction(observation.seat, "trade", other=0)


@pytest.fixture
def odd(monkeypatch):
    monkeypatch.setitem(bots.BOTS, "odd", Odd)


def tournament(deals=20, names=("planner", "greedy", "lowest", "random"), **more) -> Event:
    return make_tournament(make_season(rules="mien-nam"), *names, deals=deals, **more)


def replay_of(event: Event, name: str = "replay") -> str:
    return path_of(event, name, 1, 1)


def test_seats_are_shown_in_order_of_play_with_their_intervals():
    event = tournament()
    work(event)
    page = show(event)
    rows = page.context["stats"].effects.positions
    assert [row.name for row in rows] == [
        "leads", "plays second", "plays third", "plays fourth",
    ]  # fmt: skip
    assert sum(row.mean for row in rows) == pytest.approx(200)
    text = page.content.decode()
    for row in rows:
        mean, low, high = (figure(value, 1) for value in (row.mean, row.low, row.high))
        assert f"{mean}% ({low} to {high})" in text


def test_a_good_hand_is_worth_more():
    event = tournament(60)
    work(event)
    rows = show(event).context["stats"].effects.hands
    assert [row.name for row in rows][:3] == ["0 points", "1 point", "2 points"]
    assert rows[-1].mean > rows[0].mean + 20
    assert all(0 <= row.low <= row.mean <= row.high for row in rows)


def test_what_happens_in_the_games_is_counted_by_bot():
    event = tournament(60)
    work(event)
    context = show(event).context
    made = {row.name: row.mean for row in context["stats"].effects.chops}
    suffered = {row.name: row.mean for row in context["stats"].effects.chopped}
    assert set(made) == {"planner", "greedy", "lowest", "random"}
    assert sum(made.values()) == pytest.approx(sum(suffered.values()))
    assert context["stats"].effects.leads.mean > 1
    assert "The lead changes" in show(event).content.decode()


def test_thinking_is_shown_for_those_that_were_asked_turn_by_turn():
    event = tournament()
    work(event)
    rows = {row.name: row for row in show(event).context["stats"].effects.thinking}
    planner = rows["planner"]
    assert planner.decisions > 100
    assert 0 < planner.median <= planner.slow
    assert planner.mean <= planner.longest
    assert max(row.share for row in rows.values()) == 100


def test_verdicts_are_shown_to_all_and_their_texts_to_organisers(odd):
    event = tournament(4, names=("odd", "lowest", "greedy", "random"), substitute="greedy")
    work(event)
    page = show(event)
    first = page.context["stats"].verdicts[0]
    assert first.name == "odd"
    assert first.games[1:] == [0, 0, 0]
    assert first.games[0] > 0
    assert 0 < first.share <= 100
    assert "greedy then played for it" in page.content.decode()
    assert "which is not among what it may do" not in page.content.decode()
    text = show(event, client_of(event)).content.decode()
    assert "which is not among what it may do" in text
    note = show(event, client_of(event)).context["page"].faulty[0]
    assert f"odd, deal {note.deal}, game {note.game}: illegal play" in text


def test_a_tournament_without_verdicts_says_nothing_of_them():
    event = tournament(2)
    work(event)
    assert show(event).context["stats"].verdicts == []
    assert "Which bots failed?" not in show(event).content.decode()


def test_units_from_before_effects_were_counted_show_none():
    event = tournament(4)
    work(event)
    for unit in Unit.objects.filter(run=event.run_id):
        kept = {key: unit.moments[key] for key in ("scores", "money")}
        Unit.objects.filter(pk=unit.pk).update(moments=kept)
    cache.clear()
    page = show(event)
    assert page.status_code == 200
    assert "positions" not in page.context


def test_games_of_bots_that_changed_are_refused_with_a_reason():
    event = tournament(2)
    work(event)
    run = Run.objects.get(pk=event.run_id)
    Run.objects.filter(pk=run.pk).update(bots=[{**run.bots[0], "version": 99}, *run.bots[1:]])
    event = Event.objects.select_related("run").get(pk=event.pk)
    assert "planner changed or was removed" in show(event).content.decode()
    assert "Open replay" not in show(event).content.decode()
    client = client_of(event, "player")
    for address in (replay_of(event), replay_of(event, "record"), path_of(event, "run_records")):
        answer = client.get(address)
        assert answer.status_code == 410
        assert "planner changed or was removed" in answer.content.decode()
    api = path_of(event, "api:run_records")
    for language, words in (("en", "planner changed or was removed"), ("vi", "planner đã đổi")):
        answer = client.get(api, headers={"Accept-Language": language})
        assert (answer.status_code, answer.json()["code"]) == (410, "other_version")
        assert words in str(answer.json()["detail"])


def test_games_open_and_download_as_long_as_bots_are_the_same():
    event = tournament(2)
    work(event)
    assert Client().get(replay_of(event)).status_code == 200
    assert json.loads(Client().get(replay_of(event, "record")).content)["ruleset"] == "mien-nam"


def test_a_bot_that_went_away_is_refused_with_a_reason(odd, monkeypatch):
    monkeypatch.delitem(bots.BOTS, "odd")
    with pytest.raises(service.ValidationError, match="odd is no longer here"):
        tournament(2, names=("odd", "greedy"))


def test_each_deal_once_is_a_design_of_the_form():
    event = tournament(3, design="single")
    work(event)
    assert "3 deals, each played once." in show(event).content.decode()
