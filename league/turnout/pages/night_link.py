"""A night behind its one link: what one phone sees of it, by how far the night is."""

from dataclasses import dataclass, replace

from django.urls import reverse
from django.utils.translation import gettext as _

from league.base.facts import links
from league.base.lookup import points_are_money
from league.base.page_parts import Button, Remark
from league.base.pages.address import address
from league.base.phone_keys import keys_of
from league.models import Event, Player, SignUp
from league.models.sign_up import MOST_GUESTS
from league.nights.facts import claims
from league.nights.facts.final_places import Placed
from league.nights.facts.night import Night
from league.nights.facts.viewer import Viewer
from league.nights.pages.check_in_page import Arrived, SelfCheckIn, names_to_claim
from league.nights.pages.my_night import MyNightPage, next_night
from league.nights.pages.night_page import made_of
from league.turnout.pages import sign_ups
from league.turnout.pages.sign_ups import Mine, SignUpPage


@dataclass(frozen=True)
class LinkedNight:
    """How far a night is: before its first draw people answer, at the open doors they come."""

    night: Night
    sign_up: SignUp | None
    has_begun: bool
    doors_open: bool


def state_of(night: Night, sign_up: SignUp | None) -> LinkedNight:
    """Return the state; without a list the doors are open all day."""
    begun = night.playing is not None
    doors_open = begun or night.doors_open(all_day=sign_up is None)
    return LinkedNight(night, sign_up, begun, doors_open)


@dataclass(frozen=True)
class Answering:
    """The list as this phone answers it, for those who are not here yet.

    `taken` is the name just tapped that another phone has; `made_of` are the rules and the plan.
    """

    page: SignUpPage
    sign_up: SignUp
    mine: list[Mine]
    asked: Player | None
    taken: Player | None
    guest_numbers: range
    made_of: str

    @property
    def answered(self) -> list[Player]:
        """Who has answered but for the phone's own, by name."""
        own = {one.player.pk for one in self.mine}
        said = [one.player for one in self.page.answers if one.player_id not in own]
        return sorted(said, key=lambda player: player.sort_key)


@dataclass(frozen=True)
class NightByLink:
    """The page: `own` for a phone or account with a name, else the names to tap.

    `waits` says what became of a name that another phone has, or that the doors open later and
    nothing is asked before. `answering` is there until the first draw, `door` from open doors until
    the end, `result` and `findable` after it. `tables` are those on which a tablet may lie, `watch`
    is where who only watches sees the night, empty where the club's pages are closed to them.
    """

    here: str
    news_at: str
    query: str
    own: MyNightPage | None
    waits: Remark | None
    answering: Answering | None
    door: SelfCheckIn | None
    result: list[Placed]
    findable: list[Arrived]
    following: Button | None
    tables: list[int]
    lies_here: bool
    watch: str


def night_by_link(
    state: LinkedNight,
    here: str,
    *,
    viewer: Viewer,
    shared: bool,
    own: MyNightPage | None,
    door: SelfCheckIn | None,
    asked: Player | None,
    wants: int | None,
    query: str,
    lies_here: bool,
) -> NightByLink:
    """Return the page at the address `here` for this viewer.

    `asked` is the name just tapped, `wants` the player for whom the phone asked another one.
    """
    night, event = state.night, state.night.event
    answers = state.sign_up is not None and event.is_open and not state.has_begun
    clock = own.table.clock if own and own.table else None
    until = clock.until if clock else 0
    news = f"{here}{'&' if '?' in here else '?'}version={event.version}-{until}"
    finds = not event.is_open and own is None and not shared
    early = event.is_open and not answers and not state.doors_open
    waits = None if own is not None else _waits(event, viewer.phone, wants)
    return NightByLink(
        here=here,
        news_at=news if event.is_open or (own is not None and own.money) else "",
        query=query,
        own=own,
        waits=Remark(_("Check-in opens on the day of the night."), "info") if early else waits,
        answering=_answering(state.sign_up, viewer, asked) if answers and state.sign_up else None,
        door=door,
        result=_result(night, own),
        findable=_names_of(viewer) if finds else [],
        following=None if event.is_open else _following(event),
        tables=sorted(links.of_tables(event)) if door and own is None and state.has_begun else [],
        lies_here=lies_here,
        watch=address(event, "event") if door and state.has_begun and viewer.sees_club else "",
    )


def _result(night: Night, own: MyNightPage | None) -> list[Placed]:
    """Return the places of a closed night; where points are money, only for its own people."""
    if night.event.is_open or (own is None and points_are_money(night.event)):
        return []
    return [place for place in night.places if place.row.games]


def _waits(event: Event, phone: str, wants: int | None) -> Remark | None:
    """Return what became of the name for which this phone asked the phone that has it."""
    first = event.claims.filter(player=wants, ended_at=None).first() if wants and phone else None
    if first is None or first.asked_by not in keys_of(phone, first.player.club_id):
        return None
    name = {"name": first.player.name}
    if first.asking:
        text = _("%(name)s's other phone is asked. Say yes there, or ask an organiser.")
        return Remark(text % name, "info")
    text = _("%(name)s's other phone said no. Ask an organiser to free the name.")
    return Remark(text % name, "warning")


def _answering(sign_up: SignUp, viewer: Viewer, asked: Player | None) -> Answering:
    mine = sign_ups.mine(sign_up, viewer, asked)
    taken = asked if asked is not None and all(asked != one.player for one in mine) else None
    page, own = sign_ups.sign_up_page(sign_up), {one.player for one in mine}
    page = replace(page, silent=[player for player in page.silent if player not in own])
    away = [one for one in mine if one.player.pk not in page.here]
    guests = range(MOST_GUESTS + 1)
    return Answering(page, sign_up, away, asked, taken, guests, made_of(viewer))


def _names_of(viewer: Viewer) -> list[Arrived]:
    """Return the players who came to the night, by name."""
    met = {"entries__event": viewer.event, "entries__presence__in": ["here", "left"]}
    players = Player.objects.people().filter(**met).order_by("sort_key")
    return names_to_claim(viewer, players, claims.holders(viewer.event))


def _following(event: Event) -> Button | None:
    """Return the way to the season's next night, by its own link."""
    found = next_night(event)
    link = links.of_night(found) if found is not None else None
    if found is None or link is None:
        return None
    return Button(found.name, reverse("league:link_night", args=[link.secret]))
