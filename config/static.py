"""Static files: each by the name of its content, compressed."""

from __future__ import annotations

from functools import cache
from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Finds the address of each file once: a table's page asks for that of suits fifty times."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.url = cache(super().url)
