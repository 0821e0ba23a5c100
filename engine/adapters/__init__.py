"""The game for programs that learn: numbers for actions and observations, and known interfaces.

`actions` and `observations` are frozen: a number keeps its meaning in all versions 1.x.
"""
