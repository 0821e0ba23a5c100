"""What other players of a disputed game remember of a claimed place."""

from league.models import Audit, Event

RECALLED = "dispute.recalled"
"""The action under which the log keeps it."""


def recalled(event: Event) -> dict[tuple[int, int], bool]:
    """Return by dispute and player whether they remember the place that is claimed.

    Who has withdrawn the answer is left out.
    """
    found = Audit.objects.filter(event=event, action=RECALLED).order_by("pk")
    said = found.values_list("data__dispute", "data__player", "data__agrees")
    last = {(dispute, player): agrees for dispute, player, agrees in said}
    return {key: agrees for key, agrees in last.items() if agrees is not None}
