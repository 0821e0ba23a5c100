"""Keys of people and events in the domain: integers or text, as the caller has them."""

Key = int | str
Pair = tuple[Key, Key]


def order(key: Key) -> tuple[int, str]:
    """Return a sort key that puts numbers before text, for keys of either kind."""
    return (key, "") if isinstance(key, int) else (2**63, key)
