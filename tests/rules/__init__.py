"""Example tests for every sentence of the five documents, and the table that proves it."""
