"""The end of a night: closing, calling off, reopening."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.acts import audit, locks
from league.models import Dispute, Entrant, Event, LiveTable, Season, Sitting
from league.nights import online
from league.nights.acts import roll_calls, same_deals, two_names
from league.nights.acts.night_settings import reschedule
from league.nights.facts import ceremony, draw_changes, last_changes
from league.nights.facts.missing_games import named, unfinished_sittings
from league.nights.signals import night_called_off, night_closed, night_reopened
from league.seasons.acts import places
from league.seasons.facts.standings import canonical
from tables.base.columns import set_columns
from tables.chairs.acts import arrangements
from tables.refusals import Refusal


@transaction.atomic
def close_event(*, event: Event, by: User, despite_unfinished: bool = False) -> Event:
    """End the event: no more draws or results until someone reopens it.

    Live tables end at once; what is finished there and not yet taken comes in after reopening.
    """
    season = locks.season(event.season_id)
    event = locks.event_to_change(event.pk)
    roll_calls.end_if_due(event)
    draw_changes.refuse_draft(event)
    if ceremony.is_waiting(event):
        raise Refusal(
            _(
                "Results are still kept back. Hold the ceremony first, or reveal everything at "
                "once."
            ),
            code="ceremony",
            status=409,
        )
    open_tables = unfinished_sittings(event)
    if not despite_unfinished and (unfinished := say_unfinished(event, open_tables)):
        raise Refusal(unfinished, code="unfinished", status=409)
    if event.run is not None and event.run.status == "running":
        raise Refusal(_("The bots are still playing. Wait, or cancel the tournament."))
    if event.rules_of_format.same_deals:  # Games wait for other tables, which play no more.
        online.tables().end_tables(event=event, now=True)
    for live in LiveTable.objects.filter(sitting__round__event=event, ended_at=None):
        arrangements.end(table_id=live.table_id, now=True)
    if season.status == Season.Status.OPEN:
        roll_calls.post_points(event, by)
    set_columns(event, status=Event.Status.CLOSED, call_ends_at=None, closed_at=timezone.now())
    same_deals.tell_all(event=event)
    places.keep(event=event)
    audit.log("event.closed", by=by, event=event, unfinished=len(open_tables))
    night_closed.send(Event, event=event)
    return event


def say_unfinished(event: Event, tables: list[Sitting] | None = None) -> str:
    """Return which tables are not finished and what is in dispute, in words; "" for nothing."""
    tables = unfinished_sittings(event) if tables is None else tables
    if found := _still_open(event, tables):
        if not tables:
            return capfirst(_("%(disputed)s. Decide it, or close anyway.") % {"disputed": found})
        said = _("Unfinished: %(tables)s. Enter the missing games, or close anyway.")
        return said % {"tables": found}
    return ""


def _still_open(event: Event, tables: list[Sitting]) -> str:
    """Return these tables and what is in dispute, as a list in words; "" for nothing."""
    disputed = Dispute.objects.filter(sitting__round__event=event, outcome="open")
    return "; ".join(
        [
            *([named(tables)] if tables else []),
            *(
                _("disputed: round %(round)s, table %(table)s, game %(game)s")
                % {
                    "round": dispute.sitting.round.number,
                    "table": dispute.sitting.table_no,
                    "game": dispute.game_no,
                }
                for dispute in disputed.select_related("sitting__round")
            ),
        ]
    )


@transaction.atomic
def call_off(*, event: Event, by: User) -> Event:
    """Close a night that will not take place; Refusal once tables were drawn for it."""
    event = locks.event_to_change(event.pk)
    if event.kind != Event.Kind.NIGHT or event.rounds.exists():
        raise Refusal(_("Tables were drawn for this night. Close it instead."), status=409)
    now = timezone.now()
    closed = Event.Status.CLOSED
    set_columns(event, status=closed, closed_at=now, called_off_at=now, call_ends_at=None)
    reschedule(event)
    audit.log("event.called_off", by=by, event=event)
    night_called_off.send(Event, event=event)
    return event


@transaction.atomic
def reopen_event(*, event: Event, by: User, undoes: int | None = None) -> Event:
    """Let a closed event be changed again.

    `undoes` is the log's entry of the closing that this takes back. Refusal: `overtaken` if it was
    reopened since, also if it was closed again.
    """
    season = locks.season(event.season_id)
    event = locks.event_to_change(event.pk, must_be_open=False)
    if undoes is not None:
        later = last_changes.find_last(event, last_changes.STATUS, after=undoes)
        last_changes.refuse_overtaken(event, later)
    if season.status != Season.Status.OPEN:
        raise Refusal(_("Its season is closed. Reopen the season first."))
    if event.called_off_at:
        reschedule(event)
    set_columns(event, status=Event.Status.OPEN, closed_at=None, called_off_at=None)
    merged = event.entrants.filter(player__merged_into__isnull=False)
    for entry in merged.exclude(presence=Entrant.Presence.LEFT):  # Merged while it was closed.
        two_names.carry(event=event, alias=entry.player, into=canonical(entry.player), by=by)
    places.keep(event=event)
    audit.log("event.reopened", by=by, event=event)
    night_reopened.send(Event, event=event)
    return event
