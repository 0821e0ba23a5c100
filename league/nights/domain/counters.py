"""The number at the end of a name that counts the nights of a series."""

import re

# No year ("Cup 2026"), no part of a date or of two years ("28/11", "2025-26").
COUNTER = re.compile(
    r"(?<![0-9])(?<![0-9][/.-])(?<!['’])(?!(?<!\w)(?:19|20|21)[0-9]{2}(?![0-9]))"
    r"([0-9]{1,6})(, [0-9]{1,2}/[0-9]{1,2})?$"
)


def without_counter(name: str) -> str:
    """Return the name of the series: "Night" for "Night #3"."""
    found = COUNTER.search(name)
    return (name[: found.start()].rstrip(" .#") if found else name) or name
