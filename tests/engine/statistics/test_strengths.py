"""Strengths of people: true, the same in any order and by any program, and never a NaN."""

import io
import math
import random
from pathlib import Path

import pytest
from django.core.management import call_command

from engine.sim import rating_trial
from engine.statistics.strengths import EXACT, Figures, GameHistory, chance
from tests.reference import strengths as reference
from tests.shares import share

DOCUMENT = Path(__file__).parents[3] / "docs" / "ratings.md"


def told(games, clubs=None, fixed=None):
    history = GameHistory()
    for month, order in games:
        history.add(order, month)
    return history.fit(clubs, fixed=fixed).published()


def at_random(dice):
    """A history of any shape: shared places, games alone, islands, several years."""
    people = dice.sample(range(1000), dice.randint(1, 9))
    games = []
    for _ in range(dice.randint(0, 25)):
        here = dice.sample(people, dice.randint(1, min(6, len(people))))
        groups = [[here.pop()]]
        while here:
            if dice.random() < 0.3:
                groups[-1].append(here.pop())
            else:
                groups.append([here.pop()])
        games.append((dice.randint(0, 40), tuple(map(tuple, groups))))
    clubs = {person: dice.randint(1, 3) for person in people} if dice.random() < 0.3 else None
    known = dice.sample(people, dice.randint(0, len(people) // 3)) if dice.random() < 0.3 else []
    return games, clubs, {person: dice.gauss(0, 1) for person in known}


@pytest.mark.parametrize("seed", share(range(20), 1, of=20))
def test_another_program_publishes_the_same_figures(seed):
    for number in range(50):
        dice = random.Random(f"{seed} {number}")
        games, *more = at_random(dice)
        expected = reference.published(games, *more)
        assert told(games, *more) == expected, (seed, number)
        assert told(dice.sample(games, len(games)), *more) == expected, "in another order"


def pair(one, other):
    return (0, ((one,), (other,)))


BAD = {
    "nobody": [],
    "one alone": [(0, ((1,),))],
    "all share the only place": [(0, ((1, 2, 3),))],
    "one person twice": [(0, ((1,), (1,), (2,)))],
    "all wins": [pair(1, other) for other in range(2, 9)] * 20,
    "a thousand games of one pair": [pair(1, 2)] * 1000,
    "a thousand games of one pair, by turns": [pair(1, 2), pair(2, 1)] * 500,
    "two groups that never met": [pair(1, 2), pair(2, 1), pair(3, 4)],
    "four hundred in a row": [pair(at, at + 1) for at in range(2 * EXACT)],
    "a century apart": [(0, ((1,), (2,))), (1200, ((3,), (4,)))],
}


@pytest.mark.parametrize("name", BAD)
def test_odd_histories_give_figures_with_wide_errors_or_none(name):
    found = told(BAD[name])
    assert all(math.isfinite(one.mu) and 0 < one.sigma < 25 for one in found.values())
    assert (found == {}) is (name in ("nobody", "one alone"))
    if name == "two groups that never met":
        assert all(one.sigma > 2 for one in found.values())
    if name == "a thousand games of one pair, by turns":
        assert found[1].mu == found[2].mu == 25


def test_who_shares_the_last_place_is_told_nothing_about_the_others_there():
    found = told([(0, ((1,), (2, 3, 4)))] * 5 + [(0, ((2,), (3,)))])
    assert found[1].mu > found[2].mu > found[4].mu > found[3].mu


def test_absence_widens_the_error():
    games = [(0, ((1,), (2,), (3,))), (0, ((3,), (2,), (1,)))] * 20
    later = [(48, order) for _month, order in games[:2]] + [(48, ((2,), (3,)))] * 20
    assert told(games + later)[1].sigma > 1.2 * told(games)[1].sigma


def test_a_chance_is_surer_the_surer_both_strengths_are():
    sure = chance(Figures(33.3, 0.1, 99), Figures(25, 0.1, 99))
    assert sure == pytest.approx(math.e / (1 + math.e), abs=1e-3)
    unsure = chance(Figures(33.3, 9, 1), Figures(25, 9, 1))
    assert 0.5 < unsure < sure
    assert chance(Figures(25, 9, 1), Figures(33.3, 9, 1)) == pytest.approx(1 - unsure)


def test_the_test_vectors_of_the_document_hold():
    """The document's lines, such as `0 1>2=3 | 1 28.1 ± 2.0, 2 …`."""
    vectors = [
        line.split("→") for line in DOCUMENT.read_text().splitlines() if line.startswith("    ")
    ]
    assert len(vectors) >= 5
    for given, expected in vectors:
        games = []
        for game in given.split(","):
            month, order = game.split(":")
            groups = (group.split("=") for group in order.split(">"))
            games.append((int(month), tuple(tuple(map(int, group)) for group in groups)))
        found = ", ".join(f"{p} {s.mu:.2f} ± {s.sigma:.2f}" for p, s in told(games).items())
        assert found == expected.strip()


def test_the_trial_keeps_what_the_document_promises(monkeypatch):
    monkeypatch.setattr(rating_trial, "SPREADS", (0.4,))
    monkeypatch.setattr(rating_trial, "SIZES", (4,))
    monkeypatch.setattr(rating_trial, "SHARED", (3,))
    out = io.StringIO()
    call_command("rating_trial", "--repeats", "1", stdout=out)
    said = out.getvalue()
    assert "others share the last place" in said
    assert "| the same nights shuffled | 0 figures differ |" in said
    assert "ranked from 10 games on | 0% of evenings" in said
    assert said.count("nights left out") == 12
