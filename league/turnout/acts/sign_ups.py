"""Sign-up lists: opening, answering, moving up. Every change locks the list's row first."""

import datetime
import math
from contextlib import suppress
from typing import Any, TypedDict, Unpack

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from league.base import texts
from league.base.acts import audit, links, locks
from league.base.domain import names
from league.base.phone_keys import key_of, keys_of
from league.clubs.acts import players
from league.models import (
    Audit,
    Club,
    Entrant,
    Event,
    Player,
    SignUp,
    SignUpAnswer,
    WaitingName,
    days,
)
from league.models.sign_up import MOST_GUESTS
from league.nights.acts import claims, events
from league.nights.facts.events import has_begun
from league.turnout.domain.places import Party, let_in
from league.turnout.signals import moved_up
from tables.base.columns import set_columns
from tables.base.row_locks import take
from tables.refusals import Refusal

MOST_PER_PHONE = 12
NEW_NAMES = 12
"""New names by phones that stand at once in a club in a day; an organiser takes the others."""
MOST_WAITING = 200


@transaction.atomic
def open_list(
    *,
    event: Event,
    by: User | None,
    places: int | None = None,
    closes_at: datetime.datetime | None = None,
) -> SignUp:
    """Open the night's list, or change it; a higher limit lets waiting players in.

    A new list starts with a yes from every regular player.
    `by` is None where a schedule created the night.
    """
    event = locks.event_to_change(event.pk)
    if event.kind != Event.Kind.NIGHT:
        raise Refusal(_("Only nights have a sign-up list."))
    if places is not None and not 2 <= places <= 2000:
        raise Refusal(_("Choose between 2 and 2,000 places."), field="places")
    found = SignUp.objects.filter(event=event).first()
    if closes_at is not None and closes_at != (found and found.closes_at):
        days.refuse_far("closes_at", closes_at)
    if found is None:
        sign_up = SignUp.objects.create(event=event, places=places, closes_at=closes_at)
        links.keep_for_night(event=event, by=by)
        regulars = _let_regulars_in(sign_up)
        audit.log("sign_up.opened", by=by, event=event, players=regulars)
        return sign_up
    sign_up = _locked(found)
    if (sign_up.places, sign_up.closes_at) == (places, closes_at):
        return sign_up
    set_columns(sign_up, places=places, closes_at=closes_at)
    audit.log("sign_up.changed", by=by, event=event, places=places)
    _move_up(sign_up)
    return sign_up


@transaction.atomic
def move_deadline(*, event: Event, later: datetime.timedelta, by: User) -> None:
    """Close the list of a night that moved as long before it as it was to close.

    A deadline after the former day stays: it was set for the new one.
    """
    found = SignUp.objects.filter(event=event, closes_at__isnull=False).first()
    sign_up = _locked(found) if found is not None else None
    if sign_up is not None and sign_up.closes_at is not None:
        day = datetime.datetime.combine(event.date, event.starts_at or datetime.time()) - later
        try:
            former = timezone.make_naive(sign_up.closes_at, event.zone)
            if later > datetime.timedelta() and former.date() > day.date():
                return
            local = former + later
            sign_up.closes_at = local.replace(tzinfo=event.zone).astimezone(datetime.UTC)
        except OverflowError:  # It was never to close.
            return
        sign_up.save(update_fields=["closes_at"])
        audit.log("sign_up.changed", by=by, event=event, places=sign_up.places)


@transaction.atomic
def repeat_night(*, event: Event, by: User) -> Event:
    """Create the same night a week later with a list of as many places: its link asks who comes."""
    made = events.repeat_event(event=event, by=by)
    if made.kind == Event.Kind.NIGHT:
        last = SignUp.objects.filter(event=event).first()
        open_list(event=made, by=by, places=last.places if last else None)
    return made


@transaction.atomic
def answer(
    *,
    sign_up: SignUp,
    player: Player,
    reply: str,
    guests: int = 0,
    by: User | None = None,
    device: str = "",
    organises: bool = False,
) -> SignUpAnswer:
    """Store a player's answer; the same answer again changes nothing.

    An answer without an account (`by`) belongs to the phone (`device`): only that phone, the
    player's account or an organiser may change it. After the deadline players can cancel but not
    sign up.
    """
    sign_up = _locked(sign_up)
    event = sign_up.event
    if not event.is_open:
        raise Refusal(_("This night is closed."), code="closed", status=409)
    if reply not in SignUpAnswer.Reply.values or not 0 <= guests <= MOST_GUESTS:
        raise Refusal(_("This form is incomplete. Reload the page."), code="form")
    if player.bot:
        raise Refusal(_("This is the name of a bot. Write another."), field="name")
    guests = guests if reply == SignUpAnswer.Reply.YES else 0
    said = sign_up.answers.filter(player=player).first()
    if not organises:
        _check_own(sign_up, said, player, by, device)
        _check_time(sign_up, said, reply, guests)
    if said is not None and (said.reply, said.guests) == (reply, guests):
        return said
    own = "" if organises else key_of(device, player.club_id)
    said = _write(sign_up, said, player, reply, guests, own)
    audit.log(f"sign_up.{reply}", by=by, event=event, player=player.pk, guests=guests)
    _move_up(sign_up, but=said)
    said.refresh_from_db()
    return said


class ReplyFields(TypedDict):
    """The arguments of `answer` apart from the player."""

    sign_up: SignUp
    reply: str
    guests: int
    by: User | None
    device: str
    organises: bool


@transaction.atomic
def answer_as(*, name: str, **said: Unpack[ReplyFields]) -> SignUpAnswer | None:
    """Store the answer of a typed name: the club's player of that name, or a new player.

    None if there were `NEW_NAMES` by phones today: then the name waits for an organiser.
    """
    event, by = locks.event_to_change(said["sign_up"].event_id), said["by"]
    club = event.season.club
    player = players.find_by_name(club=club, name=name)
    if player is None and by is None and not said["organises"] and _has_enough(club):
        _let_wait(_locked(said["sign_up"]), name, said)
        return None
    if player is None:
        player = players.add_player(club=club, name=name, by=by)
        Entrant.objects.create(event=event, player=player)
    return answer(player=player, **said)


def _has_enough(club: Club) -> bool:
    """Return whether phones made `NEW_NAMES` today; a club without an account asks nobody."""
    since = timezone.now() - datetime.timedelta(days=1)
    made = Audit.objects.filter(club=club, action="player.added", by=None, at__gt=since)
    return club.held_until is None and made.count() >= NEW_NAMES


def _let_wait(sign_up: SignUp, name: str, said: ReplyFields) -> None:
    clean, club = texts.new_name(name), sign_up.event.season.club
    if not sign_up.event.is_open:
        raise Refusal(_("This night is closed."), code="closed", status=409)
    guests, reply = said["guests"], said["reply"]
    if reply not in SignUpAnswer.Reply.values or not 0 <= guests <= MOST_GUESTS:
        raise Refusal(_("This form is incomplete. Reload the page."), code="form")
    waiting = sign_up.waiting_names.all()
    of_phone = waiting.filter(device__in=keys_of(said["device"], club.pk))
    if of_phone.count() >= MOST_PER_PHONE or waiting.count() >= MOST_WAITING:
        raise Refusal(_("Too many new names wait here. Tell the organiser."), code="too_many")
    WaitingName.objects.update_or_create(
        sign_up=sign_up,
        name_key=names.identity(clean),
        defaults={
            "name": clean,
            "reply": reply,
            "guests": guests,
            "device": key_of(said["device"], club.pk),
        },
    )


@transaction.atomic
def settle_waiting(*, sign_up: SignUp, by: User, takes: bool) -> int:
    """Take all names that wait as players, each with the answer of its phone, or throw them away.

    What a player of that name has answered since then stays. Returns the number of players.
    """
    club = locks.event_to_change(sign_up.event_id).season.club
    sign_up, taken = _locked(sign_up), []
    for one in sign_up.waiting_names.all() if takes else ():
        known = players.find_by_name(club=club, name=one.name)
        if known is not None and sign_up.answers.filter(player=known).exists():
            continue
        reply: ReplyFields = {
            "sign_up": sign_up,
            "reply": one.reply,
            "guests": one.guests,
            "by": by,
            "device": "",
            "organises": True,
        }
        with suppress(Refusal):
            said = answer_as(name=one.name, **reply)
            if said is not None:
                SignUpAnswer.objects.filter(pk=said.pk, device="").update(device=one.device)
                taken.append(said.player_id)
    sign_up.waiting_names.all().delete()
    action = "sign_up.names_taken" if takes else "sign_up.names_dropped"
    audit.log(action, by=by, event=sign_up.event, players=taken)
    return len(taken)


@transaction.atomic
def free_answer(*, sign_up: SignUp, player_id: int, by: User) -> None:
    """Free a player's name of the phone that answered for it, so that another phone can."""
    event = locks.event_to_change(sign_up.event_id, must_be_open=False)
    sign_up = _locked(sign_up)
    freed = claims.forget(event=event, player_id=player_id, by=by)
    if sign_up.answers.filter(player=player_id).exclude(device="").update(device="") and not freed:
        audit.log("sign_up.freed", by=by, event=event, player=player_id)


@transaction.atomic
def carry(*, event: Event, alias: Player, into: Player) -> dict[str, Any]:
    """Let `into` have the alias's answer after a merge of two; return what both were.

    Where both answered, the later word counts; of two that come, the earlier turn and the greater
    number of guests, as far as the places suffice.
    """
    phone = event.claims.filter(player=into, ended_at=None).first()
    if phone is not None:  # It alone can change the answer from now on.
        said_by = SignUpAnswer.objects.filter(sign_up__event=event, player__in=[alias, into])
        said_by.update(device=phone.phone_hash)
    answers = _answers(event, alias, into)
    if alias.pk not in answers:
        return {}
    said, own = answers[alias.pk], answers.get(into.pk)
    if own is None:
        set_columns(said, player=into)
        return {"moved": said.pk, "now": _told(said)[:2]}
    note = {"own": _told(said), "was": _told(own)}
    said.delete()
    if said.reply == own.reply == SignUpAnswer.Reply.YES:
        guests, placed = max(said.guests, own.guests), [one for one in (said, own) if one.is_in]
        if placed and 1 + guests > _free(own.sign_up, but=own):
            guests = max(one.guests for one in placed)
        own.guests, own.is_in = guests, bool(placed)
        own.turn = min(said.turn or 0, own.turn or 0)
    elif said.at > own.at:
        own.reply, own.guests, own.turn, own.is_in = note["own"]
    own.save()
    _move_up(_locked(own.sign_up))
    own.refresh_from_db()
    return note | {"now": _told(own)}


@transaction.atomic
def part(*, event: Event, alias: Player, old: Player, note: dict[str, Any]) -> None:
    """Give both their own answer back after a merge is undone, as far as the places suffice.

    What was answered since then stays the player's.
    """
    answers = _answers(event, alias, old)
    if "moved" in note:
        moved = answers.get(old.pk)
        if moved is not None and note.get("now", now := _told(moved)[:2]) == now:
            SignUpAnswer.objects.filter(pk=note["moved"], player=old).update(player=alias)
        return
    if "own" not in note or alias.pk in answers or old.pk not in answers:
        return
    own = answers[old.pk]
    back = {alias: note["own"]} | ({old: note["was"]} if _told(own) == note["now"] else {})
    sign_up = _locked(own.sign_up)
    if old in back:
        own.delete()
    in_turn = sorted(back.items(), key=lambda one: one[1][2] or 0)
    for player, (reply, guests, turn, is_in) in in_turn:
        taken = sign_up.answers.filter(turn=turn).exclude(turn=None).exists()
        last = sign_up.answers.aggregate(last=Max("turn"))["last"] or 0
        SignUpAnswer.objects.create(
            sign_up=sign_up,
            player=player,
            reply=reply,
            guests=guests,
            turn=last + 1 if taken else turn,
            is_in=is_in and 1 + guests <= _free(sign_up),
            device=own.device if player == old else "",
        )
    _move_up(sign_up)


def _free(sign_up: SignUp, but: SignUpAnswer | None = None) -> float:
    """Return the number of places that are left, and those of `but`."""
    if sign_up.places is None:
        return math.inf
    others = sign_up.answers.filter(is_in=True).exclude(pk=but.pk if but else 0)
    return sign_up.places - sum(one.people for one in others)


def _answers(event: Event, *players: Player) -> dict[int, SignUpAnswer]:
    found = SignUpAnswer.objects.filter(sign_up__event=event, player__in=players)
    return {each.player_id: each for each in found.select_related("sign_up")}


def _told(said: SignUpAnswer) -> list[Any]:
    return [said.reply, said.guests, said.turn, said.is_in]


def _check_own(
    sign_up: SignUp, said: SignUpAnswer | None, player: Player, by: User | None, device: str
) -> None:
    """Refuse to change another phone's answer, or to answer for another phone's name."""
    own = by is not None and player.user_id == by.pk
    if own:
        return
    keys = keys_of(device, player.club_id)
    if said is not None and said.device and said.device not in keys:
        raise Refusal(
            _("%(name)s answered from another phone. Use that one, or tell the organiser."),
            code="other_phone",
            params={"name": player.name},
            status=403,
        )
    held = sign_up.event.claims.filter(player=player, ended_at=None)
    if held.exclude(phone_hash__in=keys).exists():
        raise Refusal(
            _("Another phone has the name %(name)s. If that's wrong, ask an organiser to free it."),
            code="taken",
            params={"name": player.name},
            status=403,
        )
    if said is None and sign_up.answers.filter(device__in=keys).count() >= MOST_PER_PHONE:
        raise Refusal(
            _("This phone has answered for %(n)s people. To add more, tell the organiser."),
            code="too_many",
            params={"n": MOST_PER_PHONE},
            status=403,
        )


def _check_time(sign_up: SignUp, said: SignUpAnswer | None, reply: str, guests: int) -> None:
    """Refuse a late sign-up; cancelling or bringing fewer guests is always possible."""
    if reply != SignUpAnswer.Reply.YES:
        return
    if said is not None and said.reply == reply and guests <= said.guests:
        return
    if has_begun(sign_up.event):
        raise Refusal(_("The night has begun. Check in at the door."), code="begun", status=409)
    if sign_up.is_over:
        raise Refusal(
            _("Sign-up is over. Ask the organiser whether a place is left."),
            code="too_late",
            status=409,
        )


def _write(
    sign_up: SignUp, said: SignUpAnswer | None, player: Player, reply: str, guests: int, device: str
) -> SignUpAnswer:
    """Save the answer; an unchanged yes keeps its place or its turn on the waiting list.

    A player with a place may add guests only if they fit.
    """
    said = said or SignUpAnswer(sign_up=sign_up, player=player)
    stays = said.reply == reply == SignUpAnswer.Reply.YES
    if stays and said.is_in:
        free = _free(sign_up)
        if guests - said.guests > max(free, 0):
            raise Refusal(
                _("There is no place left for these guests. Places left: %(free)s."),
                code="full",
                params={"free": max(free, 0)},
                status=409,
            )
    said.reply, said.guests = reply, guests
    said.device = device or said.device
    if not stays:
        said.is_in = False
        last = sign_up.answers.aggregate(last=Max("turn"))["last"] or 0
        said.turn = last + 1 if reply == SignUpAnswer.Reply.YES else None
    said.save()
    return said


def _let_regulars_in(sign_up: SignUp) -> list[int]:
    """Store a yes from every regular player; return their keys."""
    people = list(sign_up.event.season.club.players.people().filter(is_regular=True))
    has_place = set(let_in([Party(one.pk, 1, False) for one in people], sign_up.places))
    SignUpAnswer.objects.bulk_create(
        SignUpAnswer(
            sign_up=sign_up,
            player=player,
            reply=SignUpAnswer.Reply.YES,
            turn=turn,
            is_in=player.pk in has_place,
        )
        for turn, player in enumerate(people, start=1)
    )
    return [player.pk for player in people]


def _move_up(sign_up: SignUp, but: SignUpAnswer | None = None) -> None:
    """Give free places to waiting players; notify all but the one who just answered."""
    said = {each.pk: each for each in sign_up.answers.filter(reply=SignUpAnswer.Reply.YES)}
    parties = [Party(each.pk, each.people, each.is_in) for each in said.values()]
    event = sign_up.event
    for key in let_in(parties, sign_up.places):
        moved = said[key]
        set_columns(moved, is_in=True)
        if but is None or key != but.pk:
            audit.log("sign_up.moved_up", by=None, event=event, player=moved.player_id)
            moved_up.send(SignUp, answer=moved)


def _locked(sign_up: SignUp) -> SignUp:
    return take(SignUp.objects.select_related("event__season__club"), sign_up.pk)
