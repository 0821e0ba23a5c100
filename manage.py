#!/usr/bin/env python3
"""Runs the project's management commands, with the embedded services where a command needs them."""

import importlib.util
import os
import sys
from pathlib import Path

VENV = Path(__file__).resolve().parent / ".venv"


def main() -> None:
    if importlib.util.find_spec("django") is None:
        if not any(VENV.glob("lib/python*/site-packages/django")):
            sys.exit(
                "There is no .venv yet: run script/server or script/test once, which makes it."
            )
        if Path(sys.prefix) == VENV:
            sys.exit(
                "The .venv is of another Python: run script/server or script/test, which makes it"
                " again."
            )
        python = str(VENV / "bin" / "python")
        os.execv(python, [python, *sys.argv])
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    from launcher import services_for_command

    with services_for_command(sys.argv):
        execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
