"""`python -m launcher ACTION`: backups, with or without a running server, and upgrades."""

import argparse
import sys
from pathlib import Path

from launcher import backup, erasures, moments, nightly, proof, restoring, retention, roles, upgrade
from launcher.errors import LaunchError
from launcher.locations import Locations, default_data_dir, locations, private_folder
from launcher.services import services


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m launcher", description=__doc__)
    parser.add_argument("--data", type=Path, default=default_data_dir(), metavar="DIR")
    actions = parser.add_subparsers(dest="action", required=True)
    save = actions.add_parser("backup", help="write the database to a file among the backups")
    save.add_argument("--nightly", action="store_true", help="as every night: kept by the plan")
    save.add_argument("--label", default="backup", choices=("backup", "night"))
    actions.add_parser("base", help="save what moments of the next week are restored from")
    restore = actions.add_parser("restore", help="replace the database by an earlier one")
    restore.add_argument(
        "file",
        type=Path,
        help="a backup; a time such as '2026-11-22 21:14' by this machine's clock; 'latest', the "
        "last moment of a lost database; or the name of a database that a restore has kept",
    )
    restore.add_argument("--yes", action="store_true", help="replace it without a question")
    restore.add_argument(
        "--erasures-lost",
        action="store_true",
        help="go on without the list of what was deleted since the backup: that is back",
    )
    restore.add_argument(
        "--until-gap",
        action="store_true",
        help="where a part of the log is missing, go back to what was before that",
    )
    prove = actions.add_parser("prove", help="restore a backup beside the database and check it")
    prove.add_argument("file", type=Path, nargs="?", help="the newest if left out")
    actions.add_parser("nightly", help="back up every night and prove every week, for ever")
    upgrading = actions.add_parser(
        "upgrade", help="back up where there is something to migrate, and migrate"
    )
    for role in roles.WITH_PASSWORD:
        upgrading.add_argument(
            f"--{role}", default="", metavar="PASSWORD", help="of a role to make"
        )
    # Accepted after the action too, where people type it.
    for action in actions.choices.values():
        action.add_argument("--data", type=Path, default=argparse.SUPPRESS, metavar="DIR")
    chosen = parser.parse_args()
    places = locations(chosen.data)
    try:
        private_folder(places.data)
        what, alone = f"python -m launcher {chosen.action}", chosen.action == "restore"
        with services(places.data, what=what, alone=alone, keeps=True):
            _do(places, chosen)
    except LaunchError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _do(places: Locations, chosen: argparse.Namespace) -> None:
    match chosen.action:
        case "backup":
            label = retention.LABEL if chosen.nightly else chosen.label
            print(f"Backup: {backup.save(places, label=label)}")
            erasures.save(places)
            if chosen.nightly:
                restoring.sweep(places)
                _save_base(places)
        case "base":
            _save_base(places)
        case "restore":
            confirm = _say if chosen.yes else _ask
            until_gap = chosen.until_gap
            file = moments.dump_of(places, str(chosen.file), until_gap=until_gap) or chosen.file
            lost = chosen.erasures_lost
            print(restoring.restore(places, file, confirm=confirm, are_erasures_lost=lost))
        case "prove":
            file = chosen.file or backup.newest(places)
            found = proof.prove(places, file)
            if found.problem:
                raise LaunchError(f"{file} is no good backup: {found.problem}")
            print(f"Restored beside the database and proved in {found.seconds} s: {file}")
        case "nightly":
            nightly.keep(places)
        case "upgrade":
            given = {role: getattr(chosen, role) for role in roles.WITH_PASSWORD}
            upgrade.upgrade(places, {role: word for role, word in given.items() if word})


def _save_base(places: Locations) -> None:
    if moments.is_embedded(places):
        print(f"Base: {moments.save_base(places)}")


def _say(lost: str) -> bool:
    print(lost, flush=True)
    return True


def _ask(lost: str) -> bool:
    print(lost, flush=True)
    if not sys.stdin.isatty():
        raise LaunchError("Nothing was replaced: add --yes to do it.")
    try:
        return input("Type yes to replace the database: ").strip().lower() == "yes"
    except EOFError:
        return False


if __name__ == "__main__":
    sys.exit(main())
