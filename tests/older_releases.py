"""A club of an earlier release, made there by its own code, and what it shows.

tests/data/releases has for each release a dump of its database, the club's archive, and what its
own pages and replays showed. The club has a season that is over, with money, and one with teams, a
cup, a merged name, a night that is being played and an online table in the middle of a game.
"""

import csv
import gzip
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "data/releases"
RELEASES = ("fe8c5a2", "574bd93", "6df84320")
"""The commits of the first release, of the one before the database in two steps, and of 1.1."""


def shown_then(release: str) -> dict[str, Any]:
    """Return the plain exports by address and the replayed games, as the release showed them."""
    found: dict[str, Any] = json.loads(
        gzip.decompress((FOLDER / f"{release}.json.gz").read_bytes())
    )
    return found


def shown_now(addresses: list[str]) -> dict[str, Any]:
    """Return the same of the database that is connected."""
    from django.test import Client

    from accounts.models import User
    from tables.models import Game

    host = Client(headers={"accept-language": "en"})
    host.force_login(User.objects.get(email="owner@club.example"))
    found: dict[str, Any] = {
        address: host.get(address, {"as": "plain"}).content.decode() for address in addresses
    }
    found |= {f"game {game.pk}": _replayed(game) for game in Game.objects.order_by("pk")}
    return found


def _replayed(game: Any) -> dict[str, Any]:
    from tables.play.facts.positions import replay_of

    state = replay_of(game).state
    return {
        "log": [
            list(row) for row in game.actions.order_by("seq").values_list("seq", "seat", "body")
        ],
        "outcome": game.outcome,
        "end": {"phase": state.phase, "turn": state.turn, "hands": list(map(str, state.hands))},
    }


def exports_of(shown: dict[str, Any]) -> Iterator[str]:
    return (name for name in shown if name.startswith("/"))


HEADS = {
    "Separated by": "Decided by",
    "Why": "Reason",
    "When": "Start",
    "Pool": "Group",
    "From": "Low",
    "Paid, costs, prizes": "Payments, costs, prizes",
    "Chopped": "Was chopped",
    "Left": "Thối",
    "Played no card": "Cóng",
}
"""Headings that were renamed since."""
WORDS = {
    "taken back: last place": "reversed: last place",
    "taken back: prize": "reversed: prize",
    "had played no card": "cóng",
    "firsts": "more first places",
    "fewest_lasts": "fewer last places",
}
"""Words that were, or are no longer codes."""
NEW = {
    "ratings": {"Model": 5},
    "penalties": {"Stage": 6},
    "players": {"Group": 1, "Table": 2},
}
"""Columns that were added since, each with its place."""
HEADS_OF = {"money": {"Games": "Win/loss", "Balance": "Due"}}
"""Heads that are other words since, in files of this kind."""
CUP = "/events/3/standings"


def in_words_of_now(name: str, text: str) -> str:
    """Return an export with what this release says otherwise on purpose; no number changes.

    A payment in cash names its payer first, and standings by points rank nobody of a cup.
    """
    head, *rows = csv.reader(io.StringIO(text.removeprefix("\ufeff")))
    kind = name.rpartition("/")[2].removesuffix(".csv")
    rows = [[WORDS.get(cell, cell) for cell in row] for row in rows]
    for added, place in NEW.get(kind, {}).items():
        if added not in head:
            head.insert(place, added)
            for row in rows:
                row.insert(place, "")
    for row in rows:
        if kind == "transfers" and row[7] == "paid":
            row[4:6] = row[5:3:-1]
        if CUP in name:
            row[0], row[-1] = "", ""
    out = io.StringIO()
    heads = HEADS | HEADS_OF.get(kind, {})
    csv.writer(out).writerows([[heads.get(one, one) for one in head], *rows])
    return "\ufeff" + out.getvalue()


if __name__ == "__main__":
    import sys

    import django

    django.setup()
    from django.core.management import call_command
    from django.test.utils import setup_test_environment

    call_command("migrate", verbosity=0)
    call_command("migrate", verbosity=0, check_unapplied=True)
    call_command("verify")
    setup_test_environment()
    print(json.dumps(shown_now(list(exports_of(shown_then(sys.argv[1]))))))
