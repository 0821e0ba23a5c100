from league.seating import place_tables

TABLES = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]


def test_a_player_gets_the_table_that_he_needs():
    assert place_tables(TABLES, {9: 0}) == [[8, 9, 10, 11], [0, 1, 2, 3], [4, 5, 6, 7]]
    assert place_tables(TABLES, {0: 2, 5: 0}) == [[4, 5, 6, 7], [8, 9, 10, 11], [0, 1, 2, 3]]


def test_of_two_colliding_wishes_the_first_is_granted():
    assert place_tables(TABLES, {9: 0, 4: 0}) == [[8, 9, 10, 11], [0, 1, 2, 3], [4, 5, 6, 7]]
    assert place_tables(TABLES, {9: 0, 8: 1}) == [[8, 9, 10, 11], [0, 1, 2, 3], [4, 5, 6, 7]]


def test_who_is_absent_or_asks_for_no_table_changes_nothing():
    assert place_tables(TABLES, {}) == place_tables(TABLES, {99: 0, 1: 7}) == TABLES
