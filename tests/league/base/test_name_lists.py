from hypothesis import given
from hypothesis import strategies as st

from league.base.domain.names import MOST_NAMES, MOST_PROBLEMS, identity, parse_name_list


def test_one_name_a_line_in_the_order_of_the_list():
    names, problems = parse_name_list("Nguyễn Văn An\r\nTrần Bình\n\n  Lê Cường  \n")
    assert names == ["Nguyễn Văn An", "Trần Bình", "Lê Cường"]
    assert problems == []


def test_commas_and_semicolons_part_names():
    assert parse_name_list("An, Bình; Cường,\n,Dũng").names == ["An", "Bình", "Cường", "Dũng"]


def test_numbering_bullets_and_tabs_are_left_out():
    text = (
        "1. An\n2) Bình\n(3) Cường\n4\tDũng\n5:\tEm\n- Giang\n• Hoa\n+ Ích\n10.Khoa\n\tLan\t\n12. "
    )
    assert parse_name_list(text).names == [
        "An", "Bình", "Cường", "Dũng", "Em", "Giang", "Hoa", "Ích", "Khoa", "Lan",
    ]  # fmt: skip
    assert parse_name_list(text).problems == []


def test_a_number_that_belongs_to_the_name_stays():
    assert parse_name_list("7Up\nBot 2\n2 Lúa\n4.5 Sao").names == [
        "7Up", "Bot 2", "2 Lúa", "4.5 Sao",
    ]  # fmt: skip


def test_a_name_that_comes_twice_is_taken_once():
    names, problems = parse_name_list("An\nBình\nAN\nbình")
    assert names == ["An", "Bình"]
    assert [(p.line, p.kind, p.earlier, p.is_warning) for p in problems] == [
        (3, "duplicate", 1, False),
        (4, "duplicate", 2, False),
    ]
    assert problems[0].message == "“AN” is already on line 1; we added it once."


def test_names_apart_only_by_accents_are_both_taken_with_a_warning():
    names, problems = parse_name_list("An\nÂn\nĐạt\nDat")
    assert names == ["An", "Ân", "Đạt", "Dat"]
    assert [(p.line, p.kind, p.other, p.is_warning) for p in problems] == [
        (2, "similar", "An", True),
        (4, "similar", "Đạt", True),
    ]
    assert problems[0].message == "“Ân” looks like “An”. Make sure they are two different people."


def test_players_of_the_club_are_not_added_again():
    names, problems = parse_name_list("an\nHoa\nBình", known=["An", "Hòa"])
    assert names == ["Hoa", "Bình"]
    assert [(p.line, p.kind) for p in problems] == [(1, "known"), (2, "similar")]
    assert problems[0].message == "“an” is already a player; nothing to add."


def test_wrong_names_are_reported_with_their_line_and_the_rest_is_taken():
    names, problems = parse_name_list(f"An\n{'x' * 300}\nB\x07\n---\nCường")
    assert names == ["An", "Cường"]
    assert [(p.line, p.kind, p.message) for p in problems] == [
        (2, "invalid", "The name is 300 characters long. Shorten it to 60 or fewer."),
        (3, "invalid",
         "The name contains the unprintable character U+0007. Type it again without it."),
        (4, "invalid", "Enter a name with at least one letter or digit."),
    ]  # fmt: skip
    assert len(problems[0].text) == 80


def test_an_empty_list_has_no_names_and_no_problems():
    assert parse_name_list(" \n\n,;\t") == ([], [])


def test_a_list_beyond_measure_ends_with_one_problem():
    text = "\n".join(f"Player {i // 100} {i % 100}" for i in range(1, MOST_NAMES + 500))
    names, problems = parse_name_list(text)
    assert len(names) == MOST_NAMES
    assert [(p.line, p.kind) for p in problems] == [(MOST_NAMES + 1, "too_many")]
    assert problems[0].message == (
        "The list is too long. Add the names from line 2001 onwards separately."
    )


def test_a_list_full_of_problems_is_not_read_to_its_end():
    names, problems = parse_name_list("An\n" * 1_000_000)
    assert names == ["An"]
    assert [p.kind for p in problems] == ["duplicate"] * MOST_PROBLEMS + ["too_wrong"]
    assert problems[-1].message == (
        "Too many problems. The list was not read from line 202 onwards."
    )


@given(st.text(st.sampled_from("aAâÂđD \t\n\r,;1.)-\x00"), max_size=80))
def test_no_name_is_ever_taken_twice(text):
    names, problems = parse_name_list(text)
    assert len({identity(name) for name in names}) == len(names)
    lines = len(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    assert all(1 <= problem.line <= lines for problem in problems)


def test_telephone_numbers_headings_and_totals_are_no_names():
    text = "Họ tên\tĐiện thoại\nNguyễn Văn An - 0912345678\n0912 345 679\n"
    listed = parse_name_list(text + "Bình (+84 912 345 670)\nTổng 2")
    assert listed.names == ["Nguyễn Văn An", "Bình"]
    assert [(one.line, one.kind) for one in listed.problems] == [(1, "heading"), (5, "heading")]


def test_people_called_like_headings_are_people():
    assert parse_name_list("Tống\nTèn\nTỗng 2").names == ["Tống", "Tèn", "Tỗng 2"]
