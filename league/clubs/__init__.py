"""Clubs: members and roles, players, rules of their own, accounts' data."""
