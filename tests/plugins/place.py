"""Where tests keep their data: a folder for each checkout, never that of the product."""

import hashlib
import os
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def data_folder() -> Path:
    """The folder of this checkout's tests, whoever runs them; nothing is created."""
    checkout = hashlib.sha256(os.fsencode(ROOT)).hexdigest()[:8]
    return Path(tempfile.gettempdir()) / f"tienlen-test-{os.getuid()}-{checkout}"
