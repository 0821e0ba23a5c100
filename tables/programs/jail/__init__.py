"""The jail of external programs: their view, system calls, limits, and end.

A worker has one small helper process, the doorkeeper (`__main__`), which starts every program
(`door`). Each program has a keeper that confines it, waits for it or for the end of its game, and
leaves nothing behind (`keeper`). All modules need only the standard library.
"""
