"""Sign-up lists of nights."""
