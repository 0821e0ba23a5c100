"""Pages in a tenth of their bytes."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.middleware.gzip import GZipMiddleware


class CompressPages(GZipMiddleware):
    """Compresses pages and their parts; streams, files and the answers to moves stay as they are.

    Django adds a random number of bytes, so that a length tells nothing of a secret in the page.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if response.streaming or not response.get("Content-Type", "").startswith("text/html"):
            return response
        return super().process_response(request, response)
