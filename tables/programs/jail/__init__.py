"""The jail of outside programs: what they see, what they may call, how much, and that they end.

A worker has one small process beside it, the doorkeeper (`__main__`), which starts every program
(`door`). Each has a keeper that shuts it in, waits for it or for the end of its game, and leaves
nothing behind (`keeper`). None of these modules needs more than the standard library.
"""
