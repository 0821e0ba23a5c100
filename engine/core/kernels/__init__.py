"""Kernels: the engine's hot loops over flat arrays of whole numbers, and nothing else.

They know no ruleset: what a ruleset allows comes as data (`engine.core.rules_data`). The same text
runs as plain Python over lists and compiled over arrays of int64 (`engine.core.compiled`), with
equal results. So no number has more than 63 bits, and none of these modules imports anything but
its neighbours; a name stands for one thing in all of them.

A set of cards is the engine's own packed integer in two words, of seven ranks and of six:
``low = packed & 2**56 - 1``, ``high = packed >> 56``. A play is the same two words: its code lies
above the cards of `high`.
"""
