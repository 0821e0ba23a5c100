"""Static files, compressed and named by their content."""

from functools import cache
from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """A storage that caches the URL of each file: a table's page needs the suits' fifty times."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.url = cache(super().url)
