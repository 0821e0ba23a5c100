"""The data that pages of a table show, limited to what a seat or the public may know."""
