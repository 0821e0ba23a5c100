"""The log of a club: who changed what, in sentences."""
