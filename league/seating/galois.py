"""Finite fields of the small orders that the designs need."""

from functools import cache
from itertools import product


def prime_power(number: int) -> tuple[int, int] | None:
    """Return (p, k) with number = p**k and p prime, None if there is no such pair."""
    if number < 2:
        return None
    prime = next((d for d in range(2, int(number**0.5) + 1) if number % d == 0), number)
    power = 0
    while number % prime == 0:
        number //= prime
        power += 1
    return (prime, power) if number == 1 else None


def prime_powers(number: int) -> list[int]:
    """Return the powers of distinct primes whose product is the number, smallest prime first."""
    factors = []
    divisor = 2
    while number > 1:
        factor = 1
        while number % divisor == 0:
            number //= divisor
            factor *= divisor
        if factor > 1:
            factors.append(factor)
        divisor += 1
    return factors


class Field:
    """The field with q elements, written 0 to q - 1 as base-p digits of polynomials.

    `powers[i]` is the i-th power of a generator of the multiplicative group.
    """

    def __init__(self, order: int) -> None:
        shape = prime_power(order)
        if shape is None:
            raise ValueError(f"There is no field with {order} elements.")
        self.order = order
        self.prime, self.degree = shape
        self.powers = self._generate()
        self._log = {element: exponent for exponent, element in enumerate(self.powers)}

    def add(self, a: int, b: int) -> int:
        if self.degree == 1:
            return (a + b) % self.prime
        total, place = 0, 1
        while a or b:
            total += (a + b) % self.prime * place
            a, b, place = a // self.prime, b // self.prime, place * self.prime
        return total

    def multiply(self, a: int, b: int) -> int:
        if not a or not b:
            return 0
        return self.powers[(self._log[a] + self._log[b]) % (self.order - 1)]

    def power(self, exponent: int) -> int:
        return self.powers[exponent % (self.order - 1)]

    def _generate(self) -> list[int]:
        """Return all powers of the first number or polynomial root that generates the field."""
        candidates = product(range(self.prime), repeat=self.degree)
        for coefficients in candidates:
            powers = [1]
            while (element := self._step(powers[-1], coefficients)) not in (0, 1):
                powers.append(element)
                if len(powers) == self.order:
                    break
            if len(powers) == self.order - 1 and element == 1:
                return powers
        raise AssertionError("every finite field has a generator")

    def _step(self, element: int, coefficients: tuple[int, ...]) -> int:
        """Return element times x, where x**degree is the polynomial with these coefficients."""
        if self.degree == 1:
            return element * coefficients[0] % self.prime
        top = self.order // self.prime
        lead, rest = divmod(element, top)
        shifted = rest * self.prime
        for index, coefficient in enumerate(coefficients):
            place = self.prime**index
            digit = shifted // place % self.prime
            shifted += ((digit + lead * coefficient) % self.prime - digit) * place
        return shifted


@cache
def field(order: int) -> Field:
    """Return the cached field of this order."""
    return Field(order)
