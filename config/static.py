"""Static files, compressed and named by their content."""

import re
from functools import cache
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

COMMENTS = {
    "css/": re.compile(r"/\*.*?\*/", re.DOTALL),
    "js/": re.compile(r"^\s*//.*$", re.MULTILINE),
}
"""Of our own files, by their folder."""


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """A storage of small files, without comments and indentation: a tenth of a page's bytes.

    It caches the URL of each file: a table's page needs the suits' fifty times.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.url = cache(super().url)

    def _save(self, name: str, content: Any) -> str:
        comments = next((COMMENTS[folder] for folder in COMMENTS if name.startswith(folder)), None)
        if comments and name.endswith((".css", ".js")):
            content.seek(0)
            text = content.read()
            written = text.decode() if isinstance(text, bytes) else text
            content = ContentFile(without_comments(written, comments).encode())
        return str(super()._save(name, content))


def without_comments(text: str, comments: re.Pattern[str]) -> str:
    """Return the text without comments, indentation and empty lines."""
    return re.sub(r"\s*\n\s*", "\n", comments.sub("", text)).strip() + "\n"
