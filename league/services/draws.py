"""Draws: who sits where in a round. A thin adapter around the pure planner."""

from __future__ import annotations

import random
import secrets
from collections import Counter
from typing import Literal

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from engine.ruleset import Ruleset
from league.domain import seating
from league.models import Bye, Event, Place, Round, Sitting
from league.selectors import standings
from league.services import audit, events, links
from tables.services import rulesets

METHODS: dict[str, Literal["few repeats", "swiss"]] = {
    "few_repeats": "few repeats",
    "swiss": "swiss",
}
FULL = 4


@transaction.atomic
def draw_round(
    *, event: Event, by: User, method: str = "few_repeats", seed: int | None = None
) -> Round:
    """A draft of the next round for everybody who is here; replaces an earlier draft.

    The draw depends on nothing but the seed, the settings stored with it, and who sat where in the
    rounds before. Without `seed` the last round's is kept, so that a whole evening can follow one
    plan; drawing a draft again takes a new one. ValidationError when too few players are here.
    """
    event = events.lock(event.pk)
    here = list(event.entrants.filter(presence="here").order_by("pk").values_list("pk", flat=True))
    drafts, _deleted = event.rounds.filter(status=Round.Status.DRAFT).delete()
    rounds = list(event.rounds.prefetch_related("sittings__places"))
    number = len(rounds) + 1
    if seed is None:
        seed = secrets.randbelow(2**31) if drafts or not rounds else rounds[-1].seed
    resting = _who_rests(event, here, seed)
    ahead = max(1, event.rounds_planned - number + 1)
    groups, fixed = _wishes(event, here)
    tables, quality = seating.next_round(
        [tables_of(earlier) for earlier in rounds],
        [key for key in here if key not in resting],
        seed=seed,
        method=METHODS[method],
        scores=_scores(event) if method == "swiss" else None,
        clubs=groups,
        ahead=ahead,
    )
    tables = seating.place_tables(tables, fixed)
    drawn = Round.objects.create(
        event=event,
        number=number,
        seed=seed,
        settings={
            "method": method,
            "here": here,
            "ahead": ahead,
            "groups": groups,
            "fixed_tables": fixed,
        },
        quality=quality.as_dict(),
    )
    _seat(drawn, tables, resting, _dealt(rounds))
    audit.log("draw.drafted", club=event.season.club, by=by, event=event, round=number, seed=seed)
    return drawn


@transaction.atomic
def release_round(*, round_: Round, by: User) -> Round:
    """Shows the draft to everybody; from now on results can be entered."""
    event = events.lock(round_.event_id)
    draft = event.rounds.filter(pk=round_.pk, status=Round.Status.DRAFT).first()
    if draft is None:
        raise ValidationError(
            _("This draft is gone: somebody released or replaced it. Reload."), code="stale"
        )
    draft.status = Round.Status.RELEASED
    draft.released_at = timezone.now()
    draft.save(update_fields=["status", "released_at"])
    links.make_for_tables(sittings=draft.sittings.all(), event=event, by=by)
    audit.log("draw.released", club=event.season.club, by=by, event=event, round=draft.number)
    return draft


@transaction.atomic
def discard_round(*, round_: Round, by: User, reason: str = "") -> None:
    """Throws a draft away, or takes back the last released round while it has no results."""
    event = events.lock(round_.event_id)
    found = event.rounds.filter(pk=round_.pk).prefetch_related("sittings__places").first()
    if found is None:
        return
    if found.number != event.rounds.count():
        raise ValidationError(_("Only the last round can be taken back."), code="not_last")
    if found.sittings.filter(results__isnull=False).exists():
        raise ValidationError(
            _("Round %(round)s has results already. Correct those instead."),
            code="played",
            params={"round": found.number},
        )
    if found.status == Round.Status.RELEASED and not reason.strip():
        raise ValidationError({"reason": _("Say why the released draw is taken back.")})
    audit.log(
        "draw.discarded",
        club=event.season.club,
        by=by,
        event=event,
        round=found.number,
        reason=reason.strip()[:200],
        tables=tables_of(found),
    )
    found.delete()


def _who_rests(event: Event, here: list[int], seed: int) -> set[int]:
    """The entrants who sit out because the ruleset has tables of four only.

    Those with the fewest byes so far, by lot among equals: nobody a second time before everybody
    had one.
    """
    ruleset = rulesets.thaw(event.ruleset)
    _refuse_too_few(len(here), ruleset)
    if ruleset.min_players < FULL:
        return set()
    had = Counter(Bye.objects.filter(round__event=event).values_list("entrant_id", flat=True))
    lots = random.Random(f"byes:{seed}:{event.rounds.count()}")
    order = sorted(here, key=lambda key: (had[key], lots.random()))
    return set(order[: len(here) % FULL])


def _refuse_too_few(count: int, ruleset: Ruleset) -> None:
    least = max(2, ruleset.min_players)
    if count < least:
        raise ValidationError(
            _(
                "%(count)s players are here; this ruleset needs %(least)s at a table. Check more"
                " players in."
            ),
            code="too_few",
            params={"count": count, "least": least},
        )


def _wishes(event: Event, here: list[int]) -> tuple[dict[int, int | None], dict[int, int]]:
    """The number of each entrant's group (None without one), and the tables some need, from 0."""
    rows = event.entrants.filter(pk__in=here).order_by("pk")
    wishes = list(rows.values_list("pk", "player__group", "player__fixed_table"))
    names = sorted({group.casefold() for _key, group, _table in wishes if group})
    groups = {k: names.index(group.casefold()) if group else None for k, group, _table in wishes}
    return groups, {key: table - 1 for key, _group, table in wishes if table}


def _scores(event: Event) -> dict[int, float]:
    return {key: float(points) for key, points in standings.points_by_entrant(event).items()}


def tables_of(round_: Round) -> list[list[int]]:
    """The round's tables, each a list of entrants in seat order: who sat there last.

    Whoever left during the round does not count as met by the substitute's neighbours.
    """
    return [[place.entrant_id for place in sitting.seated] for sitting in round_.sittings.all()]


def _dealt(rounds: list[Round]) -> Counter[int]:
    """How often each entrant was the first dealer of a table."""
    return Counter(
        place.entrant_id
        for round_ in rounds
        for sitting in round_.sittings.all()
        for place in sitting.places.all()
        if place.seat == sitting.first_dealer and place.from_game == 1
    )


def _seat(drawn: Round, tables: list[list[int]], resting: set[int], dealt: Counter[int]) -> None:
    """Stores the tables with their first dealers, and whoever has no chair."""
    (dealers,) = seating.first_dealers([tables], dealt)
    sittings = Sitting.objects.bulk_create(
        Sitting(round=drawn, table_no=no, first_dealer=table.index(dealer))
        for no, (table, dealer) in enumerate(zip(tables, dealers, strict=True), start=1)
    )
    Place.objects.bulk_create(
        Place(sitting=sitting, round=drawn, entrant_id=entrant, seat=seat)
        for sitting, table in zip(sittings, tables, strict=True)
        for seat, entrant in enumerate(table)
    )
    Bye.objects.bulk_create(Bye(round=drawn, entrant_id=entrant) for entrant in sorted(resting))
