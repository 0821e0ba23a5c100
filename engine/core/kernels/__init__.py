"""Kernels: the engine's hot loops over flat arrays of whole numbers.

They know no ruleset: the rules come as data (`engine.core.rules_data`). The same source runs as
plain Python over lists and as machine code over int64 arrays (`engine.core.compiled`), with equal
results. Therefore no number exceeds 63 bits, the modules import only each other, and a name means
the same in all of them.

A set of cards is the engine's packed integer split into two words, of seven ranks and of six: ``low
= packed & 2**56 - 1``, ``high = packed >> 56``. A play is the same two words, with its code above
the cards of `high`.
"""
