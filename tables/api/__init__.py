"""Tables over the API, with the services, rights and refusals of the pages. See docs/api.md."""
