"""The compiled core: the engine's hot loops as kernels, fed by arrays made from its own rulesets.

The readable engine stays the only rulebook, and continues where there is no core: without
numba, with TIENLEN_CORE=python, while the kernels are still being compiled, and in every process
that never calls `engine.core.store.use`.
"""
