from league.seating.open_night import ProposedTable, next_table, worth_waiting


def test_too_few_who_wait_make_no_table():
    assert next_table([1, 2], {}) is None
    assert next_table([1, 2, 3], {}, least=4) is None


def test_three_make_a_table_where_the_rules_allow_it():
    assert next_table([7, 8, 9], {}, least=3) == ProposedTable((7, 8, 9), 0)


def test_who_waited_longest_sits_down_first():
    assert next_table([5, 3, 9, 1, 2], {}) == ProposedTable((5, 3, 9, 1), 0)


def test_the_head_of_the_queue_sits_down_with_whom_he_met_least():
    met = {(1, 2): 1, (1, 3): 1, (2, 3): 1}
    assert next_table([1, 2, 3, 4, 5, 6], met) == ProposedTable((1, 4, 5, 6), 0)


def test_a_table_that_has_just_ended_says_that_all_meet_again():
    met = {(a, b): 1 for a in range(4) for b in range(4)}
    assert next_table([0, 1, 2, 3], met) == ProposedTable((0, 1, 2, 3), 6)


def test_wishes_come_before_those_who_met_least():
    wishes = {(1, 2): 1000, (1, 6): -400}
    met = {(1, 6): 3}
    assert next_table([1, 2, 3, 4, 5, 6], met, wishes=wishes) == ProposedTable(
        (1, 3, 4, 6), 3, -400
    )


def test_the_head_waits_only_for_those_whom_it_met_less():
    met = {(a, b): 1 for a in range(4) for b in range(a + 1, 4)}
    found = next_table([0, 1, 2, 3], met)
    assert worth_waiting(found, [0, 1, 2, 3], [4, 5, 6, 7], met)
    assert worth_waiting(found, [0, 1, 2, 3], [], met)
    assert not worth_waiting(found, [0, 1, 2, 3, 4], [], met)
    all_met = {(a, b): 1 for a in range(9) for b in range(a + 1, 9)}
    assert not worth_waiting(found, [0, 1, 2, 3, 8], [4, 5, 6, 7], all_met)
