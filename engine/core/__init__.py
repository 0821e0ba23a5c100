"""The compiled core: the engine's hot loops as kernels on arrays made from its own rulesets.

The readable engine stays the only rulebook. Where there is no core, it plays the games and the
kernels run as plain Python for the bots that imagine games: alike, but slower. That is so without
numba, with TIENLEN_CORE=python, while the kernels are being compiled, and in every process that
never calls `engine.core.store.use`.
"""
