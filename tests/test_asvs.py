"""ASVS 5.0 level 2, number by number: what is said to show it is there.

`tests/data/asvs.csv` has every requirement of levels 1 and 2 by the number that OWASP published in
May 2025. `tested`: the named test tries it. `read`: it was read in the named place. `none`: there
is no such thing here. The words are ours.
"""

import csv
import re
from collections import Counter
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)
ROWS = list(csv.DictReader((ROOT / "tests/data/asvs.csv").open(encoding="utf-8")))
OF_CHAPTERS = (27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7)
PLACE = re.compile(r"^([\w./-]+\.\w+)(?:::(\w+))?")


def test_every_requirement_of_level_two_is_answered_once():
    numbers = [row["number"] for row in ROWS]
    assert len(set(numbers)) == len(numbers)
    counted = Counter(int(number.split(".")[0]) for number in numbers)
    assert tuple(counted[chapter] for chapter in range(1, 18)) == OF_CHAPTERS


def test_what_shows_it_is_there():
    for row in ROWS:
        place = PLACE.match(row["shown by"])
        if row["state"] in ("tested", "read"):
            assert place is not None, row
            text = (ROOT / place[1]).read_text(encoding="utf-8")
            assert place[2] is None or f"def {place[2]}(" in text, row
            assert row["state"] == "read" or place[1].startswith("tests/"), row
        else:
            assert row["state"] in ("not met", "none"), row
            assert row["shown by"], row


def test_the_page_says_how_much_is_not_met():
    states = Counter(row["state"] for row in ROWS)
    page = (ROOT / "docs/security.md").read_text(encoding="utf-8")
    for state in ("tested", "read", "none", "not met"):
        assert f"{states[state]} {state}" in page
