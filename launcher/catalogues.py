"""The compiled catalogues of messages, made from those under version control.

`python launcher/catalogues.py` makes those that are missing or older than their source.
"""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]  # Run alone, at each start: nothing else is imported.


def compile_changed(root: Path = ROOT) -> list[Path]:
    """Compile every catalogue that has changed since; return them."""
    changed = [path for path in sorted(root.glob("locale/**/*.po")) if _is_stale(path)]
    if changed:
        import polib

        for path in changed:
            # Others may read the old one, or make it too.
            made = path.with_suffix(f".mo.{os.getpid()}")
            polib.pofile(str(path)).save_as_mofile(str(made))
            made.replace(path.with_suffix(".mo"))
    return changed


def _is_stale(path: Path) -> bool:
    compiled = path.with_suffix(".mo")
    return not compiled.exists() or compiled.stat().st_mtime_ns < path.stat().st_mtime_ns


if __name__ == "__main__":
    compile_changed()
