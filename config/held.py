"""Budgets of the bytes that this process holds for clients: incoming bodies, unread answers."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

SPARED = 64_000
"""Senders that hold at most this, such as ordinary forms, are dropped only above twice a budget."""


@dataclass(eq=False)
class Sender:
    """A request for which bytes are held; `let_go` drops it, None if it must not be dropped."""

    network: str
    let_go: Callable[[], None] | None = None
    size: int = 0


class Budget:
    """A budget of bytes held for all clients, at most half of it for one network.

    Above it the largest holder is dropped, so that ordinary requests continue.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._holders: dict[Sender, None] = {}
        self._of_network: Counter[str] = Counter()

    @property
    def held(self) -> int:
        return self._of_network.total()

    def has_room(self, network: str, size: int) -> bool:
        """Return whether `size` more bytes fit without dropping a holder."""
        of_network = self._of_network[network] + size
        return self.held + size <= self.most and of_network <= self.most // 2

    def hold(self, holder: Sender, size: int) -> None:
        """Set a holder's bytes, and drop the largest holders while the budget is exceeded."""
        self._of_network[holder.network] += size - holder.size
        holder.size = size
        self._holders[holder] = None
        while largest := self._too_much(holder.network):
            self.free(largest)
            assert largest.let_go is not None
            largest.let_go()

    def free(self, holder: Sender) -> None:
        if holder not in self._holders:
            return
        del self._holders[holder]
        self._of_network[holder.network] -= holder.size
        if not self._of_network[holder.network]:
            del self._of_network[holder.network]

    def _too_much(self, network: str) -> Sender | None:
        """Return the next holder to drop, of the network or of all; None if there is none."""
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
"""Bodies without files, in memory, up to `bounds.MOST_BYTES` each."""
UPLOADS = Budget(104_000_000)
"""Uploads on disk in /tmp; they exist twice while Django parses a body."""
ANSWERS = Budget(96_000_000)


def content_length(message: Any) -> int:
    """Return the Content-Length of an ASGI request or answer; 0 if it is missing or invalid."""
    for name, value in message.get("headers", ()):
        if name.lower() == b"content-length" and value.isdigit():
            return int(value[:20])
    return 0
