"""Imported first: goes on with a Python that is new enough, or says in one sentence what to do.

Nothing newer than Python 2.7 may stand in this file, nor in script/server and script/test.
"""

# ruff: noqa: UP031, UP036, RUF005
import os
import subprocess
import sys


def find():
    """Return the path of a Python that is new enough and starts, or None."""
    for minor in ("14", "13", "12", "11"):
        for folder in os.environ.get("PATH", "").split(os.pathsep):
            found = os.path.join(folder, "python3." + minor)
            if os.access(found, os.X_OK) and starts(found):
                return found
    return None


def starts(python):
    """Return whether it runs at all: a version manager's stand-in may not."""
    with open(os.devnull, "w") as nowhere:
        return subprocess.call([python, "-c", ""], stderr=nowhere) == 0


if sys.version_info < (3, 11):
    newer = find()
    if newer:
        os.execv(newer, [newer] + sys.argv)
    sys.exit(
        "Python 3.11 or newer is needed and this is %d.%d (%s): install a newer one, then run "
        "it with this script, as in: python3.12 %s"
        % (sys.version_info[0], sys.version_info[1], sys.executable, sys.argv[0])
    )
