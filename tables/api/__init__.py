"""Tables over the API: the same services, rights and refusals as the pages. See docs/api.md."""
