"""Seasons: scoring, standings, ratings, adjustments."""
