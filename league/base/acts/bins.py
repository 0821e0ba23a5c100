"""The bin: rows created by mistake that nothing depends on, kept for thirty days."""

from collections.abc import Iterable

from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Club, Event, Player, Season
from league.models.binned import KEPT_IN_BIN
from tables.refusals import Refusal


def in_words(hanging: Iterable[tuple[int, str]]) -> list[str]:
    """Return the words of the dependent rows that exist; `hanging` pairs counts with words."""
    return [words % {"n": count} for count, words in hanging if count]


def refuse_if_used(name: str, hanging: Iterable[tuple[int, str]]) -> None:
    """Refuse if anything depends on the row; `hanging` pairs counts with words."""
    if found := in_words(hanging):
        raise Refusal(
            _("“%(name)s” can't go in the bin. It still has: %(what)s."),
            code="used",
            params={"name": name, "what": ", ".join(found)},
            status=409,
        )


def refuse_if_over(row: Club | Event | Player | Season) -> None:
    """Refuse to restore a row that is no longer in the bin."""
    if row.binned_at is None or row.binned_at < timezone.now() - KEPT_IN_BIN:
        raise Refusal(_("This is no longer in the bin."), code="gone", status=409)
