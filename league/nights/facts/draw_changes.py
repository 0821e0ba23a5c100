"""Who last changed a draw and how, for users who acted on an older state of it."""

from collections.abc import Collection

from django.utils.translation import gettext as _

from league.models import Audit, Entrant, Event, Round
from league.nights.facts import last_changes
from tables.refusals import Refusal


def stale(event: Event, number: int) -> Refusal:
    """Return the refusal for an action on an outdated draw."""
    rounds = event.rounds.filter(number=number)
    if rounds.filter(status=Round.Status.DRAFT).exists():
        after = _("Nothing was changed. Check the tables as they are now.")
    elif rounds.exists():
        after = _("Nothing was changed. These are its tables.")
    else:
        after = _("Nothing was changed. Draw the tables here when you are ready.")
    return Refusal(f"{last_change(event, number)} {after}".strip(), code="stale", status=409)


def gone(event: Event, number: int) -> str:
    """Return a sentence on who discarded or withdrew a missing draw; empty if it never existed."""
    return last_change(event, number) if _entry(event, number) else ""


def last_change(event: Event, number: int) -> str:
    """Return a sentence on the last change to this round's draw, else to any draw."""
    return last_changes.say(_entry(event, number) or _entry(event))


def _entry(event: Event, number: int | None = None) -> Audit | None:
    wanted = {} if number is None else {"round": number}
    return last_changes.find_last(event, last_changes.DRAWS, **wanted)


def refuse_draft(event: Event) -> None:
    """Refuse while a draw is not released."""
    if event.rounds.filter(status=Round.Status.DRAFT).exists():
        raise Refusal(
            _("There is an unreleased draw. Release or discard it first."), code="draft", status=409
        )


def came_and_left(event: Event, draft: Round) -> tuple[list[Entrant], list[Entrant]]:
    """Return who came since the draft was drawn, and who of those drawn has left, by name."""
    entrants = list(
        event.entrants.filter(counts=True).select_related("player").order_by("player__sort_key")
    )
    by_player = {entrant.player_id: entrant.pk for entrant in entrants}
    names = {one.pk: by_player.get(one.player.merged_into_id or 0, one.pk) for one in entrants}
    drawn = {names.get(key, key) for key in draft.settings.get("here", ())}
    here = {entrant.pk for entrant in entrants if entrant.presence == Entrant.Presence.HERE}
    came = [entrant for entrant in entrants if entrant.pk in here - drawn]
    return came, [entrant for entrant in entrants if entrant.pk in drawn - here]


def since(event: Event, draft: Round) -> str:
    """Return a sentence on who came and who left since the draft was drawn; empty for nobody."""
    came, left = came_and_left(event, draft)
    words = [
        _("Since the draw: here and without a table: %(names)s.") % {"names": _named(came)}
        if came
        else "",
        _("Drawn, but no longer here: %(names)s.") % {"names": _named(left)} if left else "",
    ]
    return " ".join(filter(None, words))


def _named(entrants: Collection[Entrant]) -> str:
    return ", ".join(entrant.player.name for entrant in entrants)
