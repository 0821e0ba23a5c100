"""Seats at a table, and who may hold them."""
