"""Python's own dice (`random.Random`, MT19937), bit for bit.

A die is 626 numbers of an array from `at` on: the 624 state words, the index of the next word, and
the number of words generated in this round. Words are generated one at a time, on demand. Dice
seeded side by side consist of state words only, interleaved: the first word of each die, then the
second word of each die.
"""

from .layout import Numbers

DIE = 626
_WORDS = 624
_NEXT, _MADE = 624, 625
_WORD = 0xFFFFFFFF


def seed_die(array: Numbers, at: int, base: Numbers, base_at: int, key: int, length: int) -> None:
    """Seed the die at `at` like `Random(n)`; n has `length` words from `key` on, lowest first.

    `base` holds the state that every seeding begins with from `base_at` on.
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


def seed_dice(array: Numbers, at: int, base: Numbers, base_at: int, keys: int, count: int) -> None:
    """Seed `count` dice side by side from `at` on, as `seed_die` does; each key has four words.

    From `keys` on lie the first words of all keys, then the second, third and fourth words, then
    `count` zeros.
    """
    last = at + count * (_WORDS - 1)
    for i in range(_WORDS):
        _fill(array, at + count * i, base[base_at + i], count)
    for i in range(_WORDS - 1):
        row = at + count * i
        _stir(array, row + count, row, 1664525, keys + count * (i & 3), i & 3, count)
    _stir(array, at + count, last, 1664525, keys + count * 3, 3, count)
    for i in range(2, _WORDS):
        row = at + count * i
        _stir(array, row, row - count, 1566083941, keys + count * 4, -i, count)
    _stir(array, at + count, last, 1566083941, keys + count * 4, -1, count)
    _fill(array, at, 0x80000000, count)


def _fill(array: Numbers, row: int, word: int, count: int) -> None:
    for die in range(count):
        array[row + die] = word


def _stir(
    array: Numbers, row: int, before: int, factor: int, key: int, more: int, count: int
) -> None:
    for die in range(count):
        last = array[before + die]
        mixed = (array[row + die] ^ ((last ^ last >> 30) * factor)) + array[key + die]
        array[row + die] = mixed + more & _WORD


def take_die(array: Numbers, at: int, dice: int, die: int, count: int) -> None:
    """Copy die number `die` of `count` side-by-side dice to `at` as a complete die."""
    for i in range(_WORDS):
        array[at + i] = array[dice + count * i + die]
    array[at + _NEXT] = _WORDS
    array[at + _MADE] = _WORDS


def put_die(array: Numbers, at: int, dice: int, die: int, count: int) -> None:
    """Copy the seeded die at `at` to number `die` of `count` side-by-side dice."""
    for i in range(_WORDS):
        array[dice + count * i + die] = array[at + i]


def throw_all(array: Numbers, at: int, dice: int, count: int, number: int) -> None:
    """Write throw `number` of all side-by-side dice to `at`: 2 ** 53 times `random()` of each die.

    The dice are not changed. `number` is 0 to 112: later throws depend on more than the seeded
    words.
    """
    one = dice + count * 2 * number
    two = one + count
    three = two + count
    far = one + count * 397
    farther = far + count
    for die in range(count):
        middle = array[two + die]
        high = _tempered(array[far + die] ^ _twisted(array[one + die], middle))
        low = _tempered(array[farther + die] ^ _twisted(middle, array[three + die]))
        array[at + die] = high >> 5 << 26 | low >> 6


def _twisted(word: int, following: int) -> int:
    mixed = (word & 0x80000000) | (following & 0x7FFFFFFF)
    return mixed >> 1 ^ (0x9908B0DF if mixed & 1 else 0)


def _tempered(word: int) -> int:
    word ^= word >> 11
    word ^= word << 7 & 0x9D2C5680
    word ^= word << 15 & 0xEFC60000
    return word ^ word >> 18


def _make(array: Numbers, at: int, i: int) -> None:
    following = array[at + i + 1] if i + 1 < _WORDS else array[at]
    far = i + 397 if i < 227 else i - 227
    array[at + i] = array[at + far] ^ _twisted(array[at + i], following)


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
    return _tempered(array[at + i])


def next_bits(array: Numbers, at: int, count: int) -> int:
    """Return `getrandbits(count)`, for up to 32 bits."""
    return next_word(array, at) >> 32 - count


def next_fraction(array: Numbers, at: int) -> float:
    """Return a float in [0, 1), as `random()` does."""
    high = next_word(array, at) >> 5
    low = next_word(array, at) >> 6
    return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0)


def finish_round(array: Numbers, at: int) -> None:
    """Generate the rest of this round's words, so that the die is a state of `Random`."""
    for i in range(array[at + _MADE], _WORDS):
        _make(array, at, i)
    array[at + _MADE] = _WORDS
