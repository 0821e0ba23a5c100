"""Runs of bots: units, verdicts, records, ratings, and the programs that play."""
