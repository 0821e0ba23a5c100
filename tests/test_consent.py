"""What one person may do to another: who is asked, who is told, who undoes it, and what limits it.

`tests/data/consent.csv` has every such act. `tested`: the named tests try it. `open`: it is not
guarded as it should be, for the reason that stands there.
"""

import csv
from collections import Counter
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)
ROWS = list(csv.DictReader((ROOT / "tests/data/consent.csv").open(encoding="utf-8")))
NO = {"no", "none"}


def test_every_act_is_listed_once_and_answers_every_question():
    assert len({row["act"] for row in ROWS}) == len(ROWS)
    assert all(all(row.values()) for row in ROWS)
    assert {row["state"] for row in ROWS} <= {"tested", "open"}


def test_the_tests_that_show_it_are_there():
    for row in ROWS:
        for place in row["shown by"].split() if row["state"] == "tested" else ():
            file, name = place.split("::")
            assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8"), row


def test_nobody_is_left_without_a_question_a_word_and_a_way_back():
    bare = {row["act"] for row in ROWS if {row["asked"], row["told"], row["undone"]} <= NO | {"-"}}
    unlimited = {row["act"] for row in ROWS if row["limit"] in NO}
    still_open = {row["act"] for row in ROWS if row["state"] == "open"}
    assert bare | unlimited == still_open


def test_the_page_names_how_many_are_open():
    states = Counter(row["state"] for row in ROWS)
    page = (ROOT / "docs/security.md").read_text(encoding="utf-8")
    assert f"{len(ROWS)} acts, {states['open']} of them open" in page
