"""The door Me: a person's own page over all clubs."""
