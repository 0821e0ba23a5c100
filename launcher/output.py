from __future__ import annotations

import os
import sys


def tell(text: str) -> None:
    """Print to the program's starter; no reader or a full disk is no reason to fail."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    except OSError:
        pass
