"""Tables over the API, with the acts, rights and refusals of the pages. See docs/api.md."""
