"""A template loader that removes indentation from what is sent."""

import re

from django.conf import settings
from django.template import Origin
from django.template.loaders import filesystem

INDENT = re.compile(r"^[ \t]+", re.MULTILINE)
SILENT = "if|elif|else|endif|for|empty|endfor|with|endwith|block|endblock|load"
LINE_OF_TAGS = re.compile(rf"^((?:{{% (?:{SILENT})\b[^%\n]*%}})+)\n", re.MULTILINE)


def flat(text: str) -> str:
    """Return the text without indentation and without lines of silent tags; words stay apart."""
    return LINE_OF_TAGS.sub(r"\1", INDENT.sub("", text))


class Loader(filesystem.Loader):
    """A loader of the project's own templates; under DEBUG it keeps their line numbers."""

    def get_contents(self, origin: Origin) -> str:
        text: str = super().get_contents(origin)
        return flat(text) if origin.name.endswith(".html") and not settings.DEBUG else text
