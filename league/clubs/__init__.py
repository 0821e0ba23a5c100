"""Clubs: members and roles, players, house rules, account data."""
