"""The REST API: the same services and rights as the pages, under /api/v1/. See docs/api.md."""
