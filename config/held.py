"""Budgets of what clients make this process hold: bodies on their way, answers not yet read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

SPARED = 64_000
"""Holders up to this size, as ordinary forms are, are let go only above twice a budget."""


@dataclass(eq=False)
class Sender:
    """A request for which bytes are held; `let_go` gives them up, None where it cannot."""

    network: str
    let_go: Callable[[], None] | None = None
    size: int = 0


class Budget:
    """Bytes held for clients in all, at most half of them for one network.

    Above that the largest holder is let go, so that ordinary requests go on.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._holders: dict[Sender, None] = {}
        self._of_network: Counter[str] = Counter()

    @property
    def held(self) -> int:
        return self._of_network.total()

    def has_room(self, network: str, size: int) -> bool:
        """Return whether so many more bytes can be held without letting anyone go."""
        of_network = self._of_network[network] + size
        return self.held + size <= self.most and of_network <= self.most // 2

    def hold(self, holder: Sender, size: int) -> None:
        """Set how many bytes a holder holds; let go of others, or of it, while that is too much."""
        self._of_network[holder.network] += size - holder.size
        holder.size = size
        self._holders[holder] = None
        while largest := self._too_much(holder.network):
            self.free(largest)
            assert largest.let_go is not None
            largest.let_go()

    def free(self, holder: Sender) -> None:
        """Take a holder off the books."""
        if holder not in self._holders:
            return
        del self._holders[holder]
        self._of_network[holder.network] -= holder.size
        if not self._of_network[holder.network]:
            del self._of_network[holder.network]

    def _too_much(self, network: str) -> Sender | None:
        """Return the holder to let go, of the network or of all; None within the budget."""
        of_all, of_network = (self.held, self.most), (self._of_network[network], self.most // 2)
        for (held, most), of in ((of_network, network), (of_all, None)):
            if held <= most:
                continue
            there = [one for one in self._holders if one.let_go and of in (None, one.network)]
            largest = max(there, key=lambda one: one.size, default=None)
            if largest and (largest.size > SPARED or held > 2 * most):
                return largest
        return None


BODIES = Budget(64_000_000)
"""Bodies without files: in memory, up to `bounds.MOST_BYTES` each."""
UPLOADS = Budget(104_000_000)
"""Files on their way: in /tmp, once more while Django takes a body apart."""
ANSWERS = Budget(96_000_000)
