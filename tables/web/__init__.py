"""What pages, API and streams know of a request."""
