"""Pages: they check rights, call a selector or a service, and render."""
