"""Upgrade of the database and the static files to this release, in one process to save seconds.

`python -m launcher.prepare NOTES [--static] [--demo | --owner-link]`: the output of the demo or
link command is written to the file NOTES.
"""

import json
import os
import re
import shutil
import sys
import time
from pathlib import Path

UNHEARD = "unheard"
"""The file beside the notes with what is to be said of alarms that reach nobody."""
STAYS_SECONDS = 7 * 24 * 3600
"""So long a static file outlives its last release: an open page loads some of its files late."""
NAMED_BY_CONTENT = re.compile(r"\.[0-9a-f]{12}\.[^/]+$")


def main(notes: str, *wanted: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django
    from django.conf import settings
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
        collect_static(Path(settings.STATIC_ROOT))
    with Path(notes).open("w", encoding="utf-8") as output:
        if "--demo" in wanted:
            call_command("demo", stdout=output)
        if "--owner-link" in wanted:
            call_command("owner_link", if_new=True, stdout=output)
    with Path(notes).with_name(UNHEARD).open("w", encoding="utf-8") as output:
        call_command("warn_unheard", stdout=output)


def collect_static(folder: Path) -> None:
    """Collect the static files again; those of earlier releases stay for a week after their last.

    The time of a file says when a release last named it.
    """
    from django.core.management import call_command

    before = folder.with_name(f"{folder.name}-before")
    if folder.exists() and not before.exists():  # It exists where a try was killed on its way.
        for path in _still_named(folder):
            os.utime(path)
        folder.rename(before)
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    for path in before.rglob("*"):
        there, oldest = folder / path.relative_to(before), time.time() - STAYS_SECONDS
        is_kept = NAMED_BY_CONTENT.search(path.name) and path.stat().st_mtime > oldest
        if is_kept and not there.exists():
            there.parent.mkdir(parents=True, exist_ok=True)
            path.rename(there)
    shutil.rmtree(before, ignore_errors=True)


def _still_named(folder: Path) -> list[Path]:
    """Return the files, and their compressed forms, of the release that was collected last."""
    manifest = folder / "staticfiles.json"
    paths = json.loads(manifest.read_text())["paths"].values() if manifest.exists() else ()
    found = [folder / f"{path}{ending}" for path in paths for ending in ("", ".gz", ".br")]
    return [path for path in found if path.exists()]


if __name__ == "__main__":
    main(*sys.argv[1:])
