"""What programs may send."""

from __future__ import annotations

import json
from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from league.base.domain.marks import has_heap_of_marks


class Json(JSONParser):
    """JSON that is refused where it is nested deeper than Python reads, or has half a character.

    Half of a surrogate pair cannot be stored, nor sent back in what says so. A heap of accents
    takes normalising too long.
    """

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        try:
            read = super().parse(stream, media_type, parser_context)
            text = json.dumps(read, ensure_ascii=False)
            text.encode()
        except (RecursionError, UnicodeEncodeError) as error:
            raise ParseError from error
        if has_heap_of_marks(text):
            raise ParseError
        return read
