"""Tools that every room of the tables uses."""
