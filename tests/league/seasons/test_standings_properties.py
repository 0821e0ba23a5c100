from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from league.seasons.domain.scoring import COUNTINGS, READY, Scoring, points_for
from league.seasons.domain.standings import AdjustmentFact, Facts, TallyFact, meetings, standings
from league.seasons.domain.standings.tie_breaks import TIE_BREAKS

from .sheets import ranks, table, tallies, total

PEOPLE = ["An", "Bi", "Cu", "Du", "Em", "Gi", "Ho"]
PLACING_TABLES = [points for points in READY.values() if not points.stake]


@st.composite
def games(draw: st.DrawFn) -> str:
    players = draw(st.permutations(PEOPLE))[: draw(st.integers(2, 5))]
    joints = [draw(st.sampled_from(["=", " ", " ", " "])) for _ in players[1:]] + [""]
    return "".join(name + joint for name, joint in zip(players, joints, strict=True))


@st.composite
def seasons(draw: st.DrawFn) -> list[tuple[int, str, str]]:
    """Games as (night, sitting, order of finish)."""
    game = st.tuples(st.integers(1, 4), st.sampled_from(["r1", "r2"]), games())
    return draw(st.lists(game, max_size=8))


bonuses = st.fractions(0, 5, max_denominator=6)
scorings = st.builds(
    Scoring,
    points_table=st.sampled_from(PLACING_TABLES),
    weight=st.fractions(Fraction(1, 3), 4, max_denominator=6),
    participation_bonus=bonuses,
    head_count_bonus=bonuses,
    best_of=st.none() | st.integers(1, 4),
    drop_worst=st.integers(0, 3),
    minimum_games=st.integers(0, 4),
    counting=st.sampled_from(COUNTINGS),
)
adjustments = st.lists(
    st.builds(
        AdjustmentFact,
        st.sampled_from(PEOPLE),
        st.fractions(-5, 5, max_denominator=4),
        st.just("why"),
    ),
    max_size=3,
)
tie_breaks = st.permutations(list(TIE_BREAKS))


def tallies_of(season: list[tuple[int, str, str]]) -> list[TallyFact]:
    return [t for night, sitting, game in season for t in tallies([game], night, sitting)]


def facts_of(season: list[tuple[int, str, str]]) -> Facts:
    ahead, met = meetings(ranks(game) for _, _, game in season)
    money = {(name, night): len(name) * night for night, _, game in season for name in ranks(game)}
    return Facts(money, ahead, met)


@given(seasons(), scorings, adjustments)
def test_lines_sum_exactly_to_the_points(season, scoring, given_points):
    for row in standings(tallies_of(season), scoring, given_points):
        assert total(row.explain) == row.points
        assert all(line.count * line.each * line.weight == line.total for line in row.explain)
        assert all(total(night.lines) == night.points for night in row.nights)


@given(seasons(), scorings, adjustments, tie_breaks, st.randoms())
def test_the_order_of_the_input_does_not_matter(season, scoring, given_points, keys, random):
    facts = facts_of(season)
    before = standings(tallies_of(season), scoring, given_points, keys, facts=facts)
    shuffled, points = tallies_of(season), list(given_points)
    random.shuffle(shuffled)
    random.shuffle(points)
    assert standings(shuffled, scoring, points, keys, facts=facts) == before


@given(seasons(), scorings)
def test_tallies_may_be_added_up_beforehand(season, scoring):
    counts: dict[TallyFact, int] = {}
    for tally in tallies_of(season):
        counts[tally] = counts.get(tally, 0) + 1
    added = [tally._replace(games=games) for tally, games in counts.items()]
    assert standings(added, scoring) == standings(tallies_of(season), scoring)


@given(seasons(), scorings, tie_breaks)
def test_ranks_count_those_above_and_points_never_rise(season, scoring, keys):
    keys.remove("points")
    rows = standings(tallies_of(season), scoring, (), ["points", *keys], facts=facts_of(season))
    ranked = [row for row in rows if row.rank is not None]
    for row in ranked:
        level = [other for other in ranked if other.rank == row.rank]
        assert row.rank == 1 + sum(other.rank < row.rank for other in ranked)
        assert row.shared == (len(level) > 1)
        assert {other.points for other in level} == {row.points}
    points = [row.points for row in ranked]
    assert points == sorted(points, reverse=True)
    assert all((row.games >= scoring.minimum_games) == (row.rank is not None) for row in rows)


@given(seasons(), st.sampled_from(PLACING_TABLES))
def test_a_season_gives_out_what_its_tables_give_out(season, points):
    rows = standings(tallies_of(season), Scoring(points_table=points))
    sizes = [len(ranks(game)) for _, _, game in season]
    given_out = sum(points_for(points, size, rank) for size in sizes for rank in range(1, size + 1))
    assert sum(row.points for row in rows) == given_out


@given(seasons(), st.integers(1, 4), scorings)
def test_best_nights_are_those_that_give_the_most(season, best_of, scoring):
    rules = replace(scoring, best_of=best_of, drop_worst=0)
    for row in standings(tallies_of(season), rules):
        nights = [night.points for night in row.nights]
        choices = combinations(nights, min(best_of, len(nights)))
        assert row.points == max(sum(choice, Fraction(0)) for choice in choices)


def test_table_shows_ranks_as_a_page_does():
    assert table(standings(tallies(["An=Bi Cu"]), Scoring())) == [
        "1= An 9/4", "1= Bi 9/4", "3 Cu 0",
    ]  # fmt: skip
