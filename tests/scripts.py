"""What the scripts of our pages send with each request."""

from launcher import release

MARK = {release.HEADER: "any"}
SCRIPT = {"Accept": "application/json"} | MARK
"""Of a table's entry, which reads JSON."""
FETCH = {"X-Requested-With": "fetch"} | MARK
"""Of a live table."""
