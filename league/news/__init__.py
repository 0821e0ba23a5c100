"""News: what is told by e-mail and webhook, and when."""
