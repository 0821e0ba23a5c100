"""The big screen before the first draw: who comes, and how many tables they fill."""

from dataclasses import dataclass

from django.db.models import Q
from django.utils.translation import gettext as _

from league.base.page_parts import Badge
from league.models import Entrant, Event, Player, SignUpAnswer
from league.nights.facts.table_sizes import sizes_ahead

NAMES = 20
"""How many names fit next to the code on a 16:9 screen."""

Presence, Reply = Entrant.Presence, SignUpAnswer.Reply


@dataclass(frozen=True)
class Arrival:
    """A player who is coming, waiting for a place or undecided, with a number of guests."""

    player: Player
    badge: Badge | None = None
    guests: int = 0

    @property
    def name(self) -> str:
        return self.player.name


@dataclass(frozen=True)
class Before:
    """A part of the list, and the totals of all; `is_list` if there is a sign-up list."""

    arrivals: list[Arrival]
    people: int
    tables: int
    is_list: bool
    part: int
    parts: int


def before_the_draw(event: Event, number: int) -> Before:
    """Return part `number` of the arrivals; numbers count from 0 and wrap around.

    With a sign-up list: those coming, those here without an answer, the waiting list, then the
    maybes. Without one: those here. Players who said no or are absent appear only once they are
    here.
    """
    first, others = _listed(event)
    listed = first + others
    count = sum(1 + arrival.guests for arrival in first)
    parts = max(1, -(-len(listed) // NAMES))
    part = number % parts
    begin, end = len(listed) * part // parts, len(listed) * (part + 1) // parts
    tables = len(sizes_ahead(event, range(count), []))
    if event.has_queue and count:
        tables = event.rules_of_format.tables_for(count, event.full_table)
    is_list = hasattr(event, "sign_up")
    return Before(listed[begin:end], count, tables, is_list, part + 1, parts)


def _listed(event: Event) -> tuple[list[Arrival], list[Arrival]]:
    """Return the arrivals by name, then the waiting list in queue order and the maybes."""
    presence = dict(event.entrants.filter(counts=True).values_list("player", "presence"))
    here = {key for key, said in presence.items() if said == Presence.HERE}
    out = {key for key, said in presence.items() if said in {Presence.ABSENT, Presence.LEFT}}
    answers = SignUpAnswer.objects.filter(sign_up__event=event).exclude(reply=Reply.NO)
    said = {a.player_id: a for a in answers if a.player_id not in out}
    coming = here | {key for key, answer in said.items() if answer.is_in}
    people = list(Player.objects.filter(Q(pk__in=coming) | Q(pk__in=said)).order_by("sort_key"))
    first = [_arrival(one, said.get(one.pk), one.pk in here) for one in people if one.pk in coming]
    others = [said[one.pk] for one in people if one.pk not in coming]
    waiting = sorted((a for a in others if a.turn is not None), key=lambda a: a.turn or 0)
    maybe = [answer for answer in others if answer.turn is None]
    names = {one.pk: one for one in people}
    return first, [_arrival(names[a.player_id], a, is_here=False) for a in waiting + maybe]


def _arrival(player: Player, answer: SignUpAnswer | None, is_here: bool) -> Arrival:
    if is_here:
        guests = answer.guests if answer and answer.is_in else 0
        return Arrival(player, Badge(_("here"), "open"), guests)
    if answer is None or answer.is_in:
        return Arrival(player, None, answer.guests if answer else 0)
    if answer.reply == Reply.MAYBE:
        return Arrival(player, Badge(_("maybe")))
    return Arrival(player, Badge(_("on the waiting list"), "gold"), answer.guests)
