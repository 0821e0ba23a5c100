"""The game at a table: deals, moves, clocks, and what each visitor sees of it."""
