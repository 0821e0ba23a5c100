"""Check-in: everyone who could play tonight, and the sign-up list before it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from django.urls import reverse
from django.utils.translation import gettext as _

from league.base.domain.names import is_meant
from league.base.facts import links
from league.base.facts.next_nights import coming_at
from league.base.page_parts import Button, MenuRow
from league.base.pages.address import address
from league.base.phone_keys import keys_of
from league.models import Claim, Entrant, Event, Membership, Player, SignUp, SignUpAnswer
from league.nights.facts import claims
from league.nights.facts.answers import WAITING
from league.nights.facts.night import Night
from league.nights.facts.progress import Progress, counted
from league.nights.facts.roll_calls import RollCall, roll_call
from league.nights.facts.viewer import Viewer
from league.nights.pages import my_seat
from league.nights.pages.next_step import NextStep, on_page, other_draws, post, row_of, step_of

FEW = 8
"""The most missing players who are looked for before all who are here."""


@dataclass(frozen=True)
class SignUpNote:
    """A sign-up list: the secret of the night's link ("" for none), who comes, and the answers.

    `groups` are the entrants who are here, the answers by reply, and the players without one, with
    keys; each number is that of all, of whom there may be more than are named.
    `own` is what the reader's player has answered, "" where nothing is, `answers` what it may.
    `tables` are the sizes of the tables that those who come fill.
    """

    secret: str
    coming: int
    groups: list[tuple[str, str, int, Sequence[Entrant | SignUpAnswer | Player]]]
    own: str = ""
    answers: Sequence[Button] = ()
    tables: Sequence[int] = ()


def sign_up_of(
    night: Night, *, with_names: bool = False, own: Collection[int] = ()
) -> SignUpNote | None:
    """Return the note on the night's sign-up list, `with_names` or without; None without one.

    The reader is who plays as `own`.
    """
    event, asked = night.event, SignUp.objects.filter(event=night.event).first()
    if asked is None:
        return None
    link = links.of_night(event)
    secret = link.secret if link else ""
    buttons = _answers(asked, secret, own) if own and secret and not asked.is_over else []
    found = night.answers if with_names else None
    if found is None:
        return SignUpNote(secret, coming_at([event])[event.pk], [], answers=buttons)
    words = {key: str(label) for key, label in SignUpAnswer.Reply.choices}
    words |= {WAITING: _("Waiting list")}
    yes = found.by_reply["yes"]
    groups: list[tuple[str, str, int, Sequence[Entrant | SignUpAnswer | Player]]] = [
        ("here", str(Entrant.Presence.HERE.label), len(night.here), night.here),
        ("yes", words["yes"], sum(1 + answer.guests for answer in yes), yes),
    ]
    for key in (WAITING, "maybe", "no"):
        people = found.by_reply[key]
        groups.append((key, words[key], len(people), people))
    groups.insert(4, ("silent", _("No answer"), found.silent, found.unheard))
    said = (
        words[key]
        for key, answers in found.by_reply.items()
        if any(each.player_id in own for each in answers)
    )
    return SignUpNote(secret, found.coming, groups, next(said, ""), buttons, found.tables)


def _answers(asked: SignUp, secret: str, own: Collection[int]) -> list[Button]:
    """Return a button for each answer of the reader's first player; the one given is filled."""
    me = next(iter(own))
    said = asked.answers.filter(player=me).values_list("reply", flat=True).first()
    texts = {"yes": _("I'm coming"), "maybe": _("Maybe"), "no": _("Not coming")}
    assert set(texts) == set(SignUpAnswer.Reply.values)
    return [
        Button(
            text,
            reverse("league:link_night", args=[secret]),
            "primary" if reply == said else "",
            posts=True,
            name="reply",
            value=reply,
            hidden=(("player", str(me)),),
        )
        for reply, text in texts.items()
    ]


@dataclass(frozen=True)
class CheckInPage:
    """Everyone who could play tonight, grouped by presence and sorted by name.

    `now` is each entrant's presence, and `stood` that of those tapped since the page was opened,
    who stay where they were; "" is no entrant.
    Expected players who signed up form a group of their own, each with the number of guests.
    `phones` are those with a name tonight; for the name of those in `wanted` another one asks.
    """

    expected: list[Entrant]
    signed_up: list[tuple[Entrant, int]]
    here: list[Entrant]
    left: list[Entrant]
    absent: list[Entrant]
    others: list[Player]
    call: RollCall | None
    phones: list[Claim]
    wanted: list[Claim]
    now: Mapping[int, str]
    stood: Mapping[int, str]


def check_in_page(night: Night, stood: Mapping[int, str] | None = None) -> CheckInPage:
    """Return the night's names for its organisers; `stood` as in `CheckInPage`."""
    event, entrants, stood = night.event, night.people, stood or {}
    groups: dict[str, list[Entrant]] = {presence: [] for presence in ["", *Entrant.Presence.values]}
    for entrant in entrants:
        is_here = entrant.presence == Entrant.Presence.HERE
        if is_here or entrant.player.merged_into_id is None:
            groups[stood.get(entrant.player_id, entrant.presence)].append(entrant)
    entered = {one.player_id for one in entrants} - {one.player_id for one in groups[""]}
    comes = {a.player_id: a for a in SignUpAnswer.objects.filter(sign_up__event=event, is_in=True)}
    others = event.season.club.players.people().exclude(pk__in=entered)
    expected, phones = groups[Entrant.Presence.EXPECTED], claims.holders(event)
    return CheckInPage(
        expected=[e for e in expected if e.player_id not in comes],
        signed_up=[(e, comes[e.player_id].guests) for e in expected if e.player_id in comes],
        here=groups[Entrant.Presence.HERE],
        left=groups[Entrant.Presence.LEFT],
        absent=groups[Entrant.Presence.ABSENT],
        others=list(others),
        call=roll_call(event),
        phones=phones,
        wanted=[claim for claim in phones if claim.asking],
        now={entrant.player_id: entrant.presence for entrant in entrants},
        stood=stood,
    )


def who_sat(night: Night) -> list[Player]:
    """Return the people of a closed night who sat down, by name."""
    sat = set(counted(night.event).values_list("pk", flat=True))
    return [one.player for one in night.people if one.pk in sat]


@dataclass(frozen=True)
class NameToTap:
    """A name; a tap on one that was tapped before gives it the presence `back` that it had.

    A player who is here but was in no draw goes back to not here yet: nothing was played since.
    """

    player: Player
    note: str = ""
    is_here: bool = False
    back: str = ""


@dataclass(frozen=True)
class NamesToTap:
    """Names that a tap gives the `presence`; the button `everyone` does so for `all` at once."""

    presence: str
    title: str
    names: list[NameToTap]
    everyone: str = ""
    all: tuple[Entrant, ...] = ()


def names_to_tap(page: CheckInPage, drawn: Collection[int], query: str = "") -> list[NamesToTap]:
    """Return the names of the night in the groups in which organisers tap them.

    `drawn` are the players who were in a draw of the night. After one, who is missing comes first,
    if these are `FEW`.
    """
    presence = Entrant.Presence

    def name(player: Player, note: str = "") -> NameToTap:
        is_here = page.now.get(player.pk) == presence.HERE
        stood = page.stood.get(player.pk, presence.HERE if is_here else "")
        if is_here and stood == presence.HERE and player.pk not in drawn:
            stood = ""
        back = (stood or presence.EXPECTED) if is_here != (stood == presence.HERE) else ""
        return NameToTap(player, note, is_here, back)

    come = [name(e.player, f"+{guests}" if guests else "") for e, guests in page.signed_up]
    away = [name(e.player) for e in page.expected] + [name(player) for player in page.others]
    away += [name(e.player, _note(e)) for e in [*page.left, *page.absent]]
    here = [name(e.player, _note(e)) for e in page.here]
    absent = [name(e.player) for e in page.absent]
    all_came, all_here = _("Everyone who signed up is here"), _("Everyone is here")
    coming = tuple(entrant for entrant, _guests in page.signed_up)
    expected = () if coming or query else tuple(page.expected)
    groups = [
        NamesToTap(presence.LEFT, _("Here (tap anyone who leaves)"), here),
        NamesToTap(presence.HERE, _("Signed up (tap anyone who is here)"), come, all_came, coming),
        NamesToTap(presence.HERE, _("Tap anyone who is here"), away, all_here, expected),
        NamesToTap(presence.EXPECTED, _("Absent (tap anyone who is excused)"), absent),
    ]
    if drawn and len(come) + len(away) <= FEW:
        groups.append(groups.pop(0))
    return [
        replace(group, names=found)
        for group in groups
        if (found := [one for one in group.names if is_meant(one.player.name, query)])
    ]


def _note(entrant: Entrant) -> str:
    """Return what organisers read beside the name of a player who has come or was called."""
    if entrant.leaves_after:
        return _("goes after round %(round)s") % {"round": entrant.leaves_after}
    notes = {Entrant.Presence.LEFT.value: _("left"), Entrant.Presence.ABSENT.value: _("absent")}
    return notes.get(entrant.presence, _("late") if entrant.late else "")


def playing(night: Night, state: Progress) -> dict[int, int]:
    """Return the table of each player whose game is on, by key."""
    lacking = {gap.table for gap in state.missing if gap.round == state.playing}
    return {
        place.entrant.player_id: place.sitting.table_no
        for place in night.seats
        if state.queue_open or state.time_left or place.sitting.table_no in lacking
    }


def step_of_people(
    night: Night, state: Progress, *shown: str
) -> tuple[NextStep | None, list[MenuRow]]:
    """Return an open night's next step for the page of its people, and its draws for the menu.

    While a round is played the step is left to the night's page, as it is where it leads here or to
    what is `shown` here.
    """
    step = step_of(night, state, with_needs=False)
    told = on_page(step, address(night.event, "check_in"), *shown)
    told = None if state.is_being_played else told
    return told, other_draws(step, shown=told is not None)


def menu_of(
    event: Event, link: str, everyone: NamesToTap | None, draws: Sequence[MenuRow]
) -> list[MenuRow]:
    """Return what organisers need at the door now and then, once closed the way back to it.

    `link` is the night's address, or ""; `everyone` are those whom one tap would check in, and
    `draws` those of the next step that do not stand below it.
    """

    def row(icon: str, text: str, name: str, note: str = "") -> MenuRow:
        return MenuRow(icon, text, address(event, name), note)

    code = row("qr", _("QR code and link"), "night_qr", _("one for the whole night"))
    tablet = MenuRow(
        "screen", _("Tablet at the door"), f"{link}?door=1", _("people tap their name")
    )
    if not event.is_open:
        again = post(_("Reopen the night"), address(event, "event_status"), status="open")
        return [replace(row_of("undo", again), note=_("to change who was here"))]
    all_here = []
    if everyone:
        players = (("player", str(entrant.player_id)) for entrant in everyone.all)
        hidden = (("presence", everyone.presence), *players)
        all_here = [replace(row("check", everyone.everyone, "check_in"), posts=True, hidden=hidden)]
    return [
        *all_here,
        *draws,
        *([code, tablet] if link else []),
        row("list", _("Sign-up"), "sign_up", _("who is coming")),
        row("user", _("Name badges"), "badges", _("to print")),
    ]


@dataclass(frozen=True)
class Arrived:
    """A player at the door: their table, and what this device can do about them.

    `is_known` is the player whom this phone named last. `claims` offers that the phone is theirs,
    `asks` that the one that has the name be asked, which `waits` for an answer; `undoes` that they
    are not here after all.
    """

    player: Player
    is_here: bool = True
    is_known: bool = False
    table: int | None = None
    claims: bool = False
    asks: bool = False
    waits: bool = False
    undoes: bool = False


@dataclass(frozen=True)
class SelfCheckIn:
    """The names to tap on a player's phone or a tablet, and the seats of those tapped there.

    `names` are not here yet, `online` the players' seats in the browser by name. `for_others` says
    that this phone has checked someone in already, `organisers` are those who are here.
    """

    call: RollCall | None
    my_tables: list[my_seat.MyTable]
    names: list[Arrived]
    is_complete: bool
    number_here: int
    here: list[Arrived]
    for_others: bool
    online: list[tuple[str, str]]
    organisers: list[Player]

    @property
    def has_begun(self) -> bool:
        """Whether who is here has a table."""
        return any(one.table for one in self.here)

    @property
    def whose(self) -> list[Arrived]:
        """Those of whom one may hold this phone; names that another phone has come last."""
        found = [one for one in [*self.names, *self.here] if one.asks or one.claims > one.undoes]
        return sorted(found, key=lambda one: (one.asks, one.is_here != self.has_begun))

    @property
    def others_here(self) -> list[Arrived]:
        """The others who are here, with what this device can do about them."""
        return [one for one in self.here if one.undoes or not (one.claims or one.asks)]

    def at_table(self, number: int) -> Self:
        """Return the page as a card on a table leads to it: of the names, those who sit there."""
        sit = [one for one in self.here if one.table == number]
        return replace(self, names=[], is_complete=True, here=sit) if sit else self


def self_check_in(
    viewer: Viewer,
    *,
    shared: bool,
    mine: Sequence[int],
    chairs: Collection[my_seat.OnlineSeat],
    to_watch: my_seat.ToWatch,
    guesses: bool,
    query: str = "",
) -> SelfCheckIn:
    """Return the page for this viewer, or for a device that is `shared`.

    `mine` are the players whom the device checked in, `chairs` their seats online. `guesses` tells
    the name that the phone had last, for a visitor who has not said that it is another.
    """
    night, page = viewer.night, check_in_page(viewer.night)
    own = None if shared else viewer.claim
    claims_names = not shared and not own
    known = claims.known_player(viewer.event, viewer.phone) if claims_names and guesses else None
    others = [key for key in mine if own is None or key != own.player_id]
    tables = my_seat.tables_of(night, others, to_watch=to_watch)
    online = {chair.place.entrant_id for chair in chairs}
    held = viewer.event.season.club.memberships.filter(role__in=Membership.ORGANISERS)
    hosts = set(held.values_list("user", flat=True))
    return SelfCheckIn(
        call=page.call,
        my_tables=[
            replace(each, secret="") if each.entrant.pk in online else each for each in tables
        ],
        names=[
            Arrived(player, is_here=False, is_known=player.pk == known, claims=claims_names)
            for player in _names(page, query)
        ],
        is_complete=not _names(page),
        number_here=len(page.here),
        here=[
            each
            for each in _arrived(viewer, page, mine=mine, claims_names=claims_names)
            if is_meant(each.player.name, query)
        ],
        for_others=bool(mine or own),
        online=[
            (chair.place.entrant.player.name, chair.address)
            for chair in chairs
            if not chair.place.entrant.player.user_id
        ],
        organisers=[entrant.player for entrant in page.here if entrant.player.user_id in hosts],
    )


def _names(page: CheckInPage, query: str = "") -> list[Player]:
    """Return who is not here: first those who signed up, then those whom the query means."""
    entrants = [*page.left, *page.absent]
    listed = [e.player for e in page.expected] + page.others + [e.player for e in entrants]
    signed_up = [entrant.player for entrant, _guests in page.signed_up]
    return signed_up + [player for player in listed if is_meant(player.name, query)]


def _arrived(
    viewer: Viewer, page: CheckInPage, *, mine: Sequence[int], claims_names: bool
) -> list[Arrived]:
    sat = [(place.entrant.player, place.sitting.table_no) for place in viewer.night.seats]
    numbers = {player.merged_into_id or player.pk: table_no for player, table_no in sat}
    players = [entrant.player for entrant in page.here]
    offered = names_to_claim(viewer, players, page.phones)
    found = offered if claims_names else map(Arrived, players)
    return [
        replace(one, table=numbers.get(one.player.pk), undoes=one.player.pk in mine)
        for one in found
    ]


def names_to_claim(
    viewer: Viewer, players: Iterable[Player], phones: Iterable[Claim]
) -> list[Arrived]:
    """Return what the viewer's phone can do about the names, of which other `phones` have some."""
    keys = keys_of(viewer.phone, viewer.event.season.club_id) if viewer.phone else []
    waits = {claim.player_id: bool(claim.asking) and claim.asked_by in keys for claim in phones}
    return [
        Arrived(
            player,
            claims=player.pk not in waits,
            asks=player.pk in waits,
            waits=waits.get(player.pk, False),
        )
        for player in players
    ]
