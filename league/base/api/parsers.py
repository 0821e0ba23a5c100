"""The parser of requests."""

import json
from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from league.base.domain.marks import has_heap_of_marks


class Json(JSONParser):
    """A JSON parser that refuses too deep nesting, lone surrogates and heaps of accents.

    A lone surrogate can be neither stored nor echoed in an error message. A heap of accents takes
    too long to normalise.
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
