"""Upgrade of the database and the static files to this release, in one process to save seconds.

`python -m launcher.prepare NOTES [--static] [--demo | --owner-link]`: the output of the demo or
link command is written to the file NOTES.
"""

import os
import sys
from pathlib import Path


def main(notes: str, *wanted: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django
    from django.core.management import call_command
    from django.db import connection

    from launcher import roles

    django.setup()
    call_command("migrate", interactive=False)
    call_command("forget_again")
    if not os.environ.get("DATABASE_URL"):
        with connection.cursor() as cursor:
            cursor.execute(roles.grants())
    if "--static" in wanted:
        call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    with Path(notes).open("w", encoding="utf-8") as output:
        if "--demo" in wanted:
            call_command("demo", stdout=output)
        if "--owner-link" in wanted:
            call_command("owner_link", if_new=True, stdout=output)


if __name__ == "__main__":
    main(*sys.argv[1:])
