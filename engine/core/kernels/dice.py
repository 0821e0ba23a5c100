"""Python's own dice (`random.Random`, MT19937), word for word.

A die is 626 numbers of an array from `at` on: the generator's words, the index of the next one, and
how many of this round's words are made. Words are made one at a time, as they are asked for.
"""

Numbers = list[int]

DIE = 626
_WORDS = 624
_NEXT, _MADE = 624, 625
_WORD = 0xFFFFFFFF


def seed_die(array: Numbers, at: int, base: Numbers, base_at: int, key: int, length: int) -> None:
    """Seed a die as `Random(n)` does, n having the `length` words from `key` on, the lowest first.

    `base` has from `base_at` on the words that every seeding begins with.
    """
    for i in range(_WORDS):
        array[at + i] = base[base_at + i]
    i = 1
    j = 0
    last = array[at]
    for _ in range(_WORDS):
        last = ((array[at + i] ^ ((last ^ last >> 30) * 1664525)) + array[key + j] + j) & _WORD
        array[at + i] = last
        i += 1
        j += 1
        if i == _WORDS:
            array[at] = last
            i = 1
        if j == length:
            j = 0
    for _ in range(_WORDS - 1):
        last = ((array[at + i] ^ ((last ^ last >> 30) * 1566083941)) - i) & _WORD
        array[at + i] = last
        i += 1
        if i == _WORDS:
            array[at] = last
            i = 1
    array[at] = 0x80000000
    array[at + _NEXT] = _WORDS
    array[at + _MADE] = _WORDS


def seed_dice(
    array: Numbers, at: int, base: Numbers, base_at: int, keys: int, each: int, count: int
) -> None:
    """Seed so many dice that lie one after another, as `seed_die`; each key has four words.

    In a die each word waits for the one before: side by side they take a third of the time.
    """
    end = at + DIE * count
    for die in range(at, end, DIE):
        for i in range(_WORDS):
            array[die + i] = base[base_at + i]
    i = 1
    for step in range(_WORDS):
        j = step & 3
        key = keys + j
        for die in range(at, end, DIE):
            last = array[die + i - 1]
            mixed = (array[die + i] ^ ((last ^ last >> 30) * 1664525)) + array[key] + j
            array[die + i] = mixed & _WORD
            key += each
        i = _next_place(array, at, end, i)
    for _ in range(_WORDS - 1):
        for die in range(at, end, DIE):
            last = array[die + i - 1]
            mixed = (array[die + i] ^ ((last ^ last >> 30) * 1566083941)) - i
            array[die + i] = mixed & _WORD
        i = _next_place(array, at, end, i)
    for die in range(at, end, DIE):
        array[die] = 0x80000000
        array[die + _NEXT] = _WORDS
        array[die + _MADE] = _WORDS


def _next_place(array: Numbers, at: int, end: int, i: int) -> int:
    if i + 1 < _WORDS:
        return i + 1
    for die in range(at, end, DIE):
        array[die] = array[die + i]
    return 1


def _make(array: Numbers, at: int, i: int) -> None:
    following = array[at + i + 1] if i + 1 < _WORDS else array[at]
    mixed = (array[at + i] & 0x80000000) | (following & 0x7FFFFFFF)
    far = i + 397 if i < 227 else i - 227
    array[at + i] = array[at + far] ^ mixed >> 1 ^ (0x9908B0DF if mixed & 1 else 0)


def next_word(array: Numbers, at: int) -> int:
    """Return the next 32 bits."""
    i = array[at + _NEXT]
    if i == _WORDS:
        i = 0
        array[at + _MADE] = 0
    if i == array[at + _MADE]:
        _make(array, at, i)
        array[at + _MADE] = i + 1
    array[at + _NEXT] = i + 1
    word = array[at + i]
    word ^= word >> 11
    word ^= word << 7 & 0x9D2C5680
    word ^= word << 15 & 0xEFC60000
    return word ^ word >> 18


def next_bits(array: Numbers, at: int, count: int) -> int:
    """Return `getrandbits(count)`, for up to 32 bits."""
    return next_word(array, at) >> 32 - count


def next_fraction(array: Numbers, at: int) -> float:
    """Return `random()`."""
    high = next_word(array, at) >> 5
    low = next_word(array, at) >> 6
    return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0)


def finish_round(array: Numbers, at: int) -> None:
    """Make the rest of this round's words, so that the die is a state of `Random`."""
    for i in range(array[at + _MADE], _WORDS):
        _make(array, at, i)
    array[at + _MADE] = _WORDS
