"""Pairs that stand out by their places: found where one helps the other, and hardly by chance."""

import random
from typing import Any

import pytest
from django.urls import reverse

from tables.people.facts.pairs import PlacedAccount, StandingPair, pairs
from tests.factories import browser_of, make_user


def season(seed: int, *, games: int = 1200, partners: bool) -> list[list[PlacedAccount]]:
    """Games of four of twenty people of different strength; 0 and 1 may meet more, and help."""
    rng = random.Random(seed)
    strength = [rng.gauss(0, 0.7) for _ in range(20)]
    found = []
    if partners:
        strength[:2] = 0.0, 0.0
    for number in range(games):
        people = rng.sample(range(20), 4)
        if partners and number % 8 == 0:
            people = [0, 1, *rng.sample(range(2, 20), 2)]
        score = {who: strength[who] + rng.gauss(0, 1) for who in people}
        if partners and {0, 1} <= set(people):
            score[0] += 3
            score[1] -= 1
        order = sorted(people, key=lambda who: -score[who])
        found.append(
            [PlacedAccount(who, f"P{who}", rank) for rank, who in enumerate(order, start=1)]
        )
    return found


def names(found: list[StandingPair]) -> list[tuple[str, str]]:
    return [pair.names for pair in found]


def test_partners_are_found_and_honest_players_are_not():
    for seed in range(3):
        assert names(pairs(season(seed, partners=True), meet_by_chance=True)) == [("P0", "P1")]
        for by_chance in (True, False):
            assert pairs(season(seed, partners=False), meet_by_chance=by_chance) == []


def test_those_who_always_play_with_each_other_meet_no_more_than_chance_has_it():
    rng = random.Random(7)
    games = []
    for _ in range(100):
        order = [0, *rng.sample(range(1, 4), 3)] if rng.random() < 0.8 else rng.sample(range(4), 4)
        games.append(
            [PlacedAccount(who, f"P{who}", rank) for rank, who in enumerate(order, start=1)]
        )
    assert pairs(games, meet_by_chance=False) == []


@pytest.mark.django_db
def test_only_who_looks_after_the_site_reads_of_pairs():
    pages: dict[bool, Any] = {}
    for owns in (True, False):
        browser = browser_of(make_user(is_superuser=owns))
        pages[owns] = browser.get(reverse("tables:ratings")).content.decode()
    assert ["Pairs to look at" in pages[owns] for owns in (True, False)] == [True, False]
