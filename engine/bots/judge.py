"""The judge of decisions: what each move of a finished game gave away, and why it ended so."""

NAME = "nets"
VERSION = 1
