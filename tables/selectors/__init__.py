"""What pages of a table show, built from what a seat or the public may know."""
