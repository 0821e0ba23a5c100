"""The compiled core: the engine's hot loops as kernels on arrays made from its own rulesets.

The readable engine stays the only rulebook. It plays where there is no core: without numba, with
TIENLEN_CORE=python, while the kernels are being compiled, and in every process that never calls
`engine.core.store.use`.
"""
