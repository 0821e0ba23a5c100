"""News: what is told by e-mail, in browsers and by webhook, and when."""
