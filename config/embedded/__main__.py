"""`python -m config.embedded backup` and `... restore FILE`, with or without a running server."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from config.embedded import backup
from config.embedded.errors import LaunchError
from config.embedded.locations import default_data_dir, locations
from config.embedded.services import services


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m config.embedded", description=__doc__)
    parser.add_argument("--data", type=Path, default=default_data_dir(), metavar="DIR")
    actions = parser.add_subparsers(dest="action", required=True)
    actions.add_parser("backup", help="write the database to a file in DIR/backups")
    actions.add_parser("restore", help="replace the database by that of a file").add_argument(
        "file", type=Path
    )
    # Accepted after the action too, where a hand puts it.
    for action in actions.choices.values():
        action.add_argument("--data", type=Path, default=argparse.SUPPRESS, metavar="DIR")
    chosen = parser.parse_args()
    places = locations(chosen.data)
    try:
        with services(places.data, what=f"python -m config.embedded {chosen.action}"):
            if chosen.action == "backup":
                print(f"Backup: {backup.save(places)}")
            else:
                backup.restore(places, chosen.file)
                print(f"Restored from {chosen.file}")
    except LaunchError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
