"""The game for machine learning: numeric actions and observations, and common interfaces.

`actions` and `observations` are frozen: a number keeps its meaning in all versions 1.x.
"""
