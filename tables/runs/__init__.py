"""Runs of bots: units, verdicts, records, ratings, and remote play."""
