"""Functions that change tables and their bots, one transaction each."""
