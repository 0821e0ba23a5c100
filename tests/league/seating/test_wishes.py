import pytest

from league.seating import SeatingError, next_round, plan
from tests.league.seating.helpers import meetings, repeats


def test_pairs_kept_apart_never_share_a_table():
    apart = [(0, 1), (0, 2), (1, 2), (5, 9), (30, 31)]
    rounds = plan(32, 8, seed=1, apart=apart).rounds
    met = meetings(rounds)
    assert [met[frozenset(pair)] for pair in apart] == [0] * 5
    assert repeats(rounds) == 0


def test_keeping_apart_outweighs_a_repeat():
    schedule = plan(16, 5, seed=1, apart=[(3, 4)], effort="quick")
    assert schedule.quality.apart_violations == 0
    assert schedule.quality.repeats >= schedule.quality.bound == 1


@pytest.mark.parametrize(("players", "rounds", "size"), [(64, 12, 8), (24, 6, 3), (100, 10, 10)])
def test_club_mates_do_not_meet_where_the_schedule_has_room(players, rounds, size):
    clubs = [player % (players // size) for player in range(players)]
    schedule = plan(players, rounds, seed=1, clubs=clubs)
    met = meetings(schedule.rounds)
    assert sum(met[pair] for pair in met if len({clubs[p] for p in pair}) == 1) == 0
    assert schedule.quality.club_meetings == schedule.quality.repeats == 0


def test_players_without_a_club_are_nobodys_mates():
    assert plan(16, 5, seed=1, clubs=[None] * 16).quality.club_meetings == 0


def test_the_next_round_respects_the_wishes_of_those_present():
    history = [[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]]
    tables, quality, _planned = next_round(history, range(1, 13), seed=1, apart=[(1, 5), (2, 99)])
    assert not any({1, 5} <= set(table) for table in tables)
    assert quality.apart_violations == 0


def evening(players, rounds, **wishes):
    history, planned = [], []
    for left in range(rounds, 0, -1):
        drawn = next_round(history, range(players), seed=5, ahead=left, planned=planned, **wishes)
        history.append(drawn.tables)
        planned = drawn.planned
    return history


@pytest.mark.parametrize("ahead", [True, False])
def test_a_couple_among_nine_sits_apart_all_evening(ahead):
    history = []
    if ahead:
        history = evening(9, 6, apart=[(0, 1)])
    for _ in range(0 if ahead else 6):
        history.append(next_round(history, range(9), seed=5, apart=[(0, 1)]).tables)
    assert meetings(history)[frozenset((0, 1))] == 0


@pytest.mark.parametrize("players", [9, 16, 18])
def test_a_child_and_a_parent_share_a_table_in_every_round(players):
    history = evening(players, 5, united=[(3, 4)], apart=[(0, 1)])
    met = meetings(history)
    assert (met[frozenset((3, 4))], met[frozenset((0, 1))]) == (5, 0)
    single = next_round(history, range(players), seed=1, united=[(3, 4)])
    assert single.quality.together_missed == 0


def test_a_wish_made_during_the_night_changes_the_plan():
    first = next_round([], range(16), seed=1, ahead=4)
    a, b = first.planned[0][0][:2]
    later = next_round(
        [first.tables], range(16), seed=1, ahead=3, planned=first.planned, apart=[(a, b)]
    )
    rounds = [later.tables, *later.planned]
    assert meetings(rounds)[frozenset((a, b))] == 0
    assert repeats([first.tables, *rounds]) <= 2


def test_apart_outweighs_together():
    tables = next_round([], range(8), seed=1, apart=[(0, 1)], united=[(1, 0)], ahead=1).tables
    assert not any({0, 1} <= {*table} for table in tables)


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        ({"apart": [(0, 99)]}, "no player 99 to keep apart: players are numbered 0 to 7"),
        ({"apart": [(3, 3)]}, "pairs of two different ones"),
        ({"clubs": [1, 2]}, "for each of the 8 players; 2 came"),
    ],
)
def test_senseless_wishes_are_refused_in_words(wishes, message):
    with pytest.raises(SeatingError, match=message):
        plan(8, 2, seed=1, **wishes)
