"""Confirmations of games by someone else, and disputes until they are resolved."""

from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.acts import audit, locks
from league.clubs.facts.people import name_of
from league.models import Confirmation, Dispute, Event, Player, Result, Sitting
from league.models.dispute import CLAIM
from league.models.result import latest
from league.nights.facts.other_places import other_places, place_of
from league.nights.facts.recalled import RECALLED
from league.nights.signals import dispute_opened
from tables.base.columns import set_columns
from tables.base.lookup import or_raise
from tables.refusals import Refusal


def may_confirm(
    *, result: Result, event: Event, by: User | None, device: str, organises: bool
) -> bool:
    """Return whether this visitor may confirm the game.

    Organisers may. Where players confirm, so may any account or phone but the one that entered it.
    Nobody may confirm a void game, or any in an event without confirmations.
    """
    if event.confirmed_by == Event.Confirmed.NONE or result.void:
        return False
    if organises:
        return True
    if event.confirmed_by == Event.Confirmed.ORGANISER:
        return False
    return by != result.by if by or result.by else device != result.device


def as_seen(sitting: Sitting, game_no: int, version: int) -> Result:
    """Return the version of a game; Refusal `stale` when it is no longer the current one."""
    found = sitting.results.filter(latest(), game_no=game_no).select_related("by").first()
    if found is None or found.version != version:
        club = sitting.round.event.season.club_id
        who = name_of(club, found.by) if found and found.by else _("A phone at the table")
        at = date_format(timezone.localtime(found.at), "TIME_FORMAT") if found else ""
        raise Refusal(
            _("%(who)s corrected game %(game)s at %(time)s. Nothing was changed: check it again."),
            code="stale",
            params={"who": who, "game": game_no, "time": at},
            status=409,
        )
    return found


@transaction.atomic
def confirm(
    *,
    sitting_id: int,
    game_no: int,
    version: int,
    by: User | None,
    device: str = "",
    organises: bool = False,
) -> Confirmation:
    """Confirm the current version of a game; confirming twice changes nothing.

    Refusal: `stale` when that version is no longer current, `own` for a visitor who may not.
    """
    sitting, event = locks.table_to_play(sitting_id)
    result = as_seen(sitting, game_no, version)
    if not may_confirm(result=result, event=event, by=by, device=device, organises=organises):
        raise Refusal(
            _("Another player must confirm this game, from another phone.")
            if event.confirmed_by == Event.Confirmed.PLAYER
            else _("Tonight, organisers confirm games."),
            code="own",
        )
    confirmation, created = Confirmation.objects.get_or_create(
        result=result, defaults={"by": by, "device": device}
    )
    if created:
        audit.log_at_table(
            "result.confirmed", sitting, by=by, event=event, game=game_no, version=version
        )
        locks.show_change(event)
    return confirmation


@transaction.atomic
def confirm_all(*, event: Event, by: User) -> int:
    """Confirm every entered, undisputed game of the night as an organiser.

    Return how many there were.
    """
    event = locks.event_to_change(event.pk)
    if event.confirmed_by == Event.Confirmed.NONE:
        return 0
    disputed = Dispute.objects.filter(
        sitting=OuterRef("sitting"), game_no=OuterRef("game_no"), outcome=Dispute.Outcome.OPEN
    )
    waiting = Result.objects.filter(
        latest(),
        ~Exists(disputed),
        sitting__round__event=event,
        void=False,
        source=Result.Source.ENTERED,
        confirmation=None,
    )
    made = Confirmation.objects.bulk_create(Confirmation(result=each, by=by) for each in waiting)
    if made:
        tables = {each.result.sitting_id for each in made}
        Sitting.objects.filter(pk__in=tables).update(version=F("version") + 1)
        audit.log("result.confirmed_all", by=by, event=event, games=len(made))
    return len(made)


@transaction.atomic
def open_dispute(
    *,
    sitting_id: int,
    game_no: int,
    by: User | None,
    device: str = "",
    kind: str = "",
    note: str = "",
    place: int | None = None,
    player: Player | None = None,
) -> Dispute:
    """Open a dispute about a game; one already disputed keeps its first dispute.

    `player` is the one who reports it, if the phone or account is known as a player's, and `place`
    the one that this player had, in a game that is not kept back. Without a kind or a note the kind
    is "other".
    """
    note = note.strip()[:200]
    if kind not in ("", *Dispute.Kind.values):
        raise Refusal(_("This form is incomplete. Reload the page."), code="form")
    if not kind and not note and place is None:
        kind = Dispute.Kind.OTHER
    sitting, event = locks.table_to_change(sitting_id)
    result = or_raise(
        sitting.results.filter(latest(), game_no=game_no).first(),
        Refusal(_("This game has not been entered yet."), code="unknown"),
    )
    if place is not None:
        placings = list(result.placings.select_related("entrant__player"))
        if result.held or place not in other_places(placings, player):
            raise Refusal(_("This form is incomplete. Reload the page."), code="form")
        places = {"place": place, "recorded": place_of(placings, player)}
        note = f"{CLAIM % places} {note}".strip()[:200]
    dispute, created = Dispute.objects.get_or_create(
        sitting=sitting,
        game_no=game_no,
        outcome=Dispute.Outcome.OPEN,
        defaults={
            "by": by,
            "device": device,
            "kind": kind,
            "note": note,
            "place": place,
            "player": player,
        },
    )
    if created:
        known: dict[str, Any] = {"player": player.pk} if player else {}
        audit.log_at_table(
            "dispute.opened",
            sitting,
            by=by,
            event=event,
            game=game_no,
            mistake=dispute.kind,
            note=dispute.note,
            **known,
        )
        dispute_opened.send(Dispute, dispute=dispute)
    return dispute


@transaction.atomic
def recall(
    *, sitting_id: int, game_no: int, by: User | None, player: Player, agrees: bool | None
) -> None:
    """Store what another player of a game remembers: the place that a report claims, or not.

    It is kept in the log alone; of several the last one counts, and None withdraws it. Refusal:
    `decided` where no claim of a place is open, `form` for the player who claims it, and for who
    did not play.
    """
    sitting, event = locks.table_to_change(sitting_id)
    open_ = sitting.disputes.filter(game_no=game_no, outcome=Dispute.Outcome.OPEN)
    claim = or_raise(open_.filter(place__isnull=False).first(), _decided())
    result = sitting.results.filter(latest(), game_no=game_no).get()
    placings = result.placings.select_related("entrant__player")
    if place_of(placings, player) in (None, place_of(placings, claim.player)):
        raise Refusal(_("This form is incomplete. Reload the page."), code="form")
    audit.log_at_table(
        RECALLED,
        sitting,
        by=by,
        event=event,
        game=game_no,
        dispute=claim.pk,
        player=player.pk,
        agrees=agrees,
    )


@transaction.atomic
def look_at(*, sitting_id: int, game_no: int, by: User) -> None:
    """Store that an organiser is looking at the dispute; a second report changes nothing."""
    sitting, event = locks.table_to_change(sitting_id)
    unseen = sitting.disputes.filter(game_no=game_no, outcome=Dispute.Outcome.OPEN, seen_at=None)
    if unseen.update(seen_at=timezone.now()):
        audit.log_at_table("dispute.seen", sitting, by=by, event=event, game=game_no)


@transaction.atomic
def dismiss(*, sitting_id: int, game_no: int, by: User, reason: str) -> Dispute:
    """Close the dispute and keep the game; Refusal without a reason, or if it was decided."""
    sitting, event = locks.table_to_change(sitting_id)
    if not reason.strip():
        raise Refusal(_("Say why the game stays as it is."), code="reason")
    dispute = or_raise(open_at(sitting, game_no), _decided())
    reason = reason.strip()[:200]
    set_columns(
        dispute,
        outcome=Dispute.Outcome.DISMISSED,
        reason=reason,
        resolved_by=by,
        resolved_at=timezone.now(),
    )
    audit.log_at_table(
        "dispute.dismissed", sitting, by=by, event=event, game=game_no, reason=reason
    )
    return dispute


def open_at(sitting: Sitting, game_no: int) -> Dispute | None:
    """Return the open dispute about a game."""
    return sitting.disputes.filter(game_no=game_no, outcome=Dispute.Outcome.OPEN).first()


@transaction.atomic
def reopen(*, sitting_id: int, game_no: int, key: int, by: User | None) -> None:
    """Open a decided dispute about the game again; Refusal where a later one is open."""
    sitting, event = locks.table_to_change(sitting_id)
    if open_at(sitting, game_no):
        raise Refusal(_("A later report of this game is open. Nothing was changed."), code="later")
    decided = sitting.disputes.filter(game_no=game_no, pk=key)
    if decided.update(outcome=Dispute.Outcome.OPEN, reason="", resolved_by=None, resolved_at=None):
        audit.log_at_table("dispute.reopened", sitting, by=by, event=event, game=game_no)


def _decided() -> Refusal:
    return Refusal(_("Someone has decided this dispute. Nothing was saved."), code="decided")


def close_by_correction(*, result: Result, changed: bool) -> None:
    """Resolve the open dispute about the corrected game.

    A game that was saved unchanged stays as it is for the reason given.
    """
    result.sitting.disputes.filter(game_no=result.game_no, outcome=Dispute.Outcome.OPEN).update(
        outcome=Dispute.Outcome.CORRECTED if changed else Dispute.Outcome.DISMISSED,
        reason=result.reason,
        resolved_by=result.by,
        resolved_at=timezone.now(),
    )
