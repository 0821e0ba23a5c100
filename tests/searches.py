"""How long a seating is searched for: tests of other things take a sixth of the exchanges."""

from typing import Any

from league.seating import adapting, planner

HOW_LONG = ((adapting, "EACH"), (adapting, "MOST"), (planner, "EXCHANGES"))
AS_ALWAYS = [(searches, name, vars(searches)[name]) for searches, name in HOW_LONG]


def fewer(exchanges: Any) -> Any:
    """Return a sixth of a number, or of each of a mapping's."""
    if isinstance(exchanges, dict):
        return {effort: most // 6 for effort, most in exchanges.items()}
    return exchanges // 6
