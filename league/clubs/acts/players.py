"""Change a club's players: people without accounts, people with accounts, bots."""

import datetime
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.security_log import Kind, note
from engine.sim import designs
from league.base import texts
from league.base.acts import audit, erasures, former_ways, locks
from league.base.domain import names
from league.clubs.acts import clubs, forgetting, removals
from league.clubs.domain.player_lists import LONGEST_GROUP, Listed
from league.clubs.facts.people import name_of
from league.clubs.signals import account_unlinked, name_changed, name_goes
from league.models import (
    Account,
    Audit,
    Club,
    Event,
    FormerName,
    FormerWay,
    HiddenName,
    Membership,
    PaymentWay,
    Player,
    RoleOffer,
)
from league.models.shown_names import NameShown, spellings
from tables.base import words
from tables.base.columns import set_columns
from tables.base.faces import FACES, GROUNDS, Face, face_of
from tables.base.lookup import or_raise
from tables.models import Seat
from tables.people.acts import forgetting as of_tables
from tables.refusals import Refusal

FORMER_FOR = datetime.timedelta(days=7)
"""How long a renaming that forgets the old name can be undone."""


@dataclass(frozen=True)
class Added:
    """The outcome of a pasted list: the created players, and a message for each problem.

    `refused` holds the invalid lines, to be corrected; known players are not among them. `asked`
    are the lines that are probably no names.
    """

    players: list[Player]
    problems: list[str]
    refused: list[str]
    asked: list[str]


@transaction.atomic
def add_player(*, club: Club, name: str, by: User | None, bot: str = "") -> Player:
    """Add a player to the club; Refusal on `name` if it is invalid or taken."""
    clean = texts.new_name(name, [name] if bot else ())
    locks.club(club.pk)
    refuse_taken(club, clean)
    player = _create(club, clean, bot)
    audit.log("player.added", club=club, by=by, player=player.pk)
    return player


@transaction.atomic
def add_players(*, club: Club, text: str, by: User, plays: Collection[str] | None = None) -> Added:
    """Add the players of a pasted list.

    Invalid lines are reported; the others are saved. With `plays`, lines that are probably no
    names are asked about instead, but for these.
    """
    locks.club(club.pk)
    known = club.players.filter(merged_into=None).values_list("name", flat=True)
    listed = names.parse_name_list(text, known, look=words.name_shape, refuse=texts.refuse_unfit)
    asked = [] if plays is None else [name for name in listed.doubtful if name not in plays]
    faces = _faces(club)
    made = [_create(club, name, taken=faces) for name in listed.names if name not in asked]
    if made:
        audit.log("player.added", club=club, by=by, players=[one.pk for one in made])
    told = [one for one in listed.problems if one.kind != "doubtful" and one.text not in asked]
    return Added(
        made,
        [texts.at_line(problem) for problem in told],
        [problem.text for problem in told if problem.kind == "invalid"],
        asked,
    )


@transaction.atomic
def add_listed(*, club: Club, listed: Sequence[Listed], by: User) -> list[Player]:
    """Add the players of a table, with their wishes for draws.

    None of them may exist yet.
    """
    locks.club(club.pk)
    made, faces = [], _faces(club)
    for one in listed:
        player = _create(club, one.name, taken=faces)
        player.group, player.fixed_table = one.group, one.fixed_table
        if one.group or one.fixed_table:
            player.save(update_fields=["group", "fixed_table"])
        made.append(player)
    if made:
        audit.log("player.added", club=club, by=by, players=[one.pk for one in made])
    return made


@transaction.atomic
def rename_player(
    *, player: Player, name: str, by: User, was: str | None = None, forgets_old: bool = False
) -> Player:
    """Rename the player, in all results and at the club's online tables too.

    `forgets_old`: the names until now are seen by owners alone, for a week, and an organiser
    decides on each text that has one; it counts and is told as a removal. `was` is the name that
    the caller saw; None skips the check. Refusal: `stale` if the player was renamed since.
    """
    clean = texts.new_name(name, [player.name])
    locks.club(player.club_id)
    player.refresh_from_db(fields=["name"])
    if was not in (None, player.name, clean):
        last = Audit.objects.filter(action="player.renamed", data__player=player.pk)
        entry = last.select_related("by").order_by("-pk").first()
        text = _("%(who)s has just renamed this player to %(name)s. Nothing was changed.")
        who = name_of(player.club_id, entry.by if entry else None)
        raise Refusal(
            text % {"who": who, "name": player.name}, code="stale", status=409, field="name"
        )
    if HiddenName.objects.filter(player=player).exists():
        raise Refusal(_("This name is hidden. An owner can bring it back."), field="name")
    refuse_taken(player.club, clean, but=player)
    old, sat = player.name, seats_of(player)
    former = FormerName.objects.create(player=player, name=old)
    known = {old, *player.former_names.values_list("name", flat=True)}
    set_name(player, clean)
    show_names([player.pk])
    of_tables.rename_seats(found=sat, to=clean)
    audit.log(
        "player.renamed",
        club=player.club,
        by=by,
        player=player.pk,
        former=former.pk,
        forgets=forgets_old,
    )
    if forgets_old:
        removals.tell(player=player, by=by)
        erasures.note("renamed", player)
        player.former_names.update(until=timezone.now() + FORMER_FOR)
        forgetting.forget_names(clubs=[player.club], known=known - {clean}, instead=clean)
    name_changed.send(Player, player=player, change="renamed", by=by)
    return player


@transaction.atomic
def undo_forgetting(*, player: Player, by: User) -> Player:
    """Give the player the name back that was forgotten less than a week ago."""
    former = or_raise(
        player.former_names.filter(until__gt=timezone.now()).order_by("-pk").first(),
        Refusal(_("The old name is forgotten."), code="stale", status=409),
    )
    erasures.note("name_back", player)
    player.former_names.update(until=None)
    return rename_player(player=player, name=former.name, by=by)


@transaction.atomic
def lose_name(player: Player) -> None:
    """Call a player by a number whose forgotten name a restore brought back.

    The new name is lost with the time since the backup: an organiser writes it once more.
    """
    club = locks.club(player.club_id)
    known = forgetting.names_ever([player])
    FormerName.objects.filter(player=player).delete()
    HiddenName.objects.filter(player=player).delete()
    set_name(player, without_name(player))
    of_tables.rename_seats(found=_seats_called(known, [player]), to=player.name)
    of_tables.rename_seats(found=Seat.objects.filter(club_seat__player=player), to=player.name)
    forgetting.forget_names(clubs=[club], known=known, instead=player.name)
    audit.log("player.name_lost", club=club, by=None, player=player.pk)


@transaction.atomic
def take_player(*, player: Player, user: User, shows_ways: bool = False) -> Player:
    """Link the player to the account of the person who says so, with the role of player.

    `shows_ways`: who owes the player is shown how the account is paid. A member keeps a higher
    role. Refusal if either is already linked.
    """
    clubs.refuse_held(locks.club(player.club_id))
    found = or_raise(
        Player.objects.select_related("club").filter(pk=player.pk).first(),
        Refusal(_("This offer is no longer valid. Ask for a new one."), code="over"),
    )
    player = found
    if player.bot or player.merged_into_id:
        raise Refusal(_("Only people have accounts. Reload the page."))
    if player.user_id and player.user_id != user.pk:
        raise Refusal(
            _("%(name)s is linked to another account. Ask an organiser to unlink it first.")
            % {"name": player.name}
        )
    other = player.club.players.filter(user=user, merged_into=None).exclude(pk=player.pk).first()
    if other is not None:
        raise Refusal(
            _("You already play here as %(name)s. Ask an organiser to merge the two players.")
            % {"name": other.name}
        )
    Membership.objects.get_or_create(
        club=player.club, user=user, defaults={"role": Membership.Role.PLAYER}
    )
    set_columns(player, user=user, shows_ways=shows_ways)
    former_ways.end_of(player)
    end_offers(player)
    audit.log("player.account", club=player.club, by=user, player=player.pk, user=user.pk)
    note(Kind.LINKED, user, club=player.club.name)
    return player


def end_offers(player: Player) -> None:
    """Ask nobody any more whether they play as this player; offers of higher roles stay."""
    offers = RoleOffer.objects.filter(player__in=player.names)
    asked = offers.filter(role=Membership.Role.PLAYER)
    erasures.note("offer", *asked)
    asked.delete()
    offers.update(player=None, user=None)


@transaction.atomic
def unlink_account(*, player: Player, by: User) -> Player:
    """Unlink the account from the player; name and results stay, and the account is told."""
    locks.club(player.club_id)
    player = Player.objects.select_related("club", "user").get(pk=player.pk)
    old, player.user = player.user, None
    player.save(update_fields=["user"])
    former_ways.end_of(player)
    if old is not None:
        audit.log("player.account_removed", club=player.club, by=by, player=player.pk, user=old.pk)
        note(Kind.UNLINKED, old, by=by, club=player.club.name)
        account_unlinked.send(Player, player=player, user=old)
    return player


@transaction.atomic
def anonymise_player(*, player: Player, by: User | None) -> Player:
    """Replace the player's name and aliases by a number and unlink the account; results stay.

    What people wrote stays as it is: an organiser decides on each mention of the name. The phones
    that have it are forgotten, and the player's table, face and wishes with it. Sign-up lists to
    come are without the player.
    """
    name_goes.send(Player, players=[player, *player.aliases.all()], by=by)
    locks.club(player.club_id)
    player = Player.objects.select_related("club").get(pk=player.pk)
    if player.bot or player.merged_into_id:
        raise Refusal(_("Only a person's name can be removed. Reload the page."))
    people = [player, *player.aliases.all()]
    ways = (way.objects.filter(player__in=people) for way in (PaymentWay, FormerWay))
    known = forgetting.names_ever(people)
    noted = known | forgetting.details_of(*ways)
    erasures.note("player", *people)
    for one in people:
        HiddenName.objects.filter(player=one).delete()
        FormerName.objects.filter(player=one).delete()
        name = without_name(one)
        user = one.user
        if user is not None and user != by:
            note(Kind.UNLINKED, user, by=by, club=player.club.name)
        end_offers(one)
        one.name, one.user = name, None
        one.name_key, one.sort_key = names.identity(name), names.sort_key(name)
        one.group = one.together = one.animal = ""
        one.fixed_table, one.ground, one.is_regular = None, None, False
        one.save()
        if user is not None:
            account_unlinked.send(Player, player=one, user=user)
        one.invitations.filter(revoked_at=None).update(revoked_at=timezone.now())
        PaymentWay.objects.filter(player=one).delete()
        FormerWay.objects.filter(player=one).delete()
    forgetting.forget_names(clubs=[player.club], known=noted)
    forgetting.forget_wishes(people)
    of_tables.forget_seats(found=_seats_called(known, people))
    of_tables.forget_seats(found=Seat.objects.filter(club_seat__player__in=people))
    show_names([one.pk for one in people])
    audit.log("player.anonymised", club=player.club, by=by, player=player.pk)
    player.refresh_from_db()
    return player


def set_name(player: Player, name: str) -> None:
    """Store the player's name, with what finds and sorts the player by it."""
    set_columns(player, name=name, name_key=names.identity(name), sort_key=names.sort_key(name))


def without_name(player: Player) -> str:
    """Return what a player without a name is called: by the number, said again if that is taken.

    Another may be called so, as one of a club that came from another server.
    """
    name = _("Player %(number)s") % {"number": player.pk}
    while (
        Player.objects.filter(club=player.club_id, merged_into=None, name_key=names.identity(name))
        .exclude(pk=player.pk)
        .exists()
    ):
        name = f"{name} {player.pk}"
    return name


def seats_of(player: Player, *, called: str = "") -> QuerySet[Seat]:
    """Return the person's seats at the club's online tables with this name, or that of today."""
    people = player.names
    at_nights = Q(table__live_sitting__sitting__places__entrant__player__in=people)
    at_stakes = Q(club_seat__player__in=people)
    called_so = map(_at_seat, spellings(called or player.name))
    return Seat.objects.filter(at_nights | at_stakes, name__in=list(called_so))


def _seats_called(known: Collection[str], people: Sequence[Player]) -> QuerySet[Seat]:
    """Return the seats at nights' online tables with these people's names, but for others'."""
    club = people[0].club
    others = club.players.exclude(pk__in=[one.pk for one in people]).values_list("name", flat=True)
    called = {_at_seat(one) for name in known for one in spellings(name)}
    called -= set(map(_at_seat, others))
    of_club = {"table__live_sitting__sitting__round__event__season__club": club}
    return Seat.objects.filter(**of_club, name__in=called)


def _at_seat(name: str) -> str:
    """Return the name of the length that a seat has."""
    return name[: Seat._meta.get_field("name").max_length]


def show_names(people: Collection[int]) -> None:
    """Notify the pages of open nights with these players, once the transaction is committed.

    Not within it: events must be locked before the club.
    """

    def show() -> None:
        for event in Event.objects.filter(
            status=Event.Status.OPEN, entrants__player__in=people
        ).distinct():
            with transaction.atomic():
                locks.show_change(event)

    transaction.on_commit(show, robust=True)


@transaction.atomic
def set_wishes(
    *, player: Player, group: str, together: str, fixed_table: int | None, by: User
) -> Player:
    """Set whom draws keep apart from the player or seat with them, and the table they need."""
    group, together = (
        texts.clean_name(word, LONGEST_GROUP) if word.strip() else "" for word in (group, together)
    )
    wishes: dict[str, Any] = {"group": group, "together": together, "fixed_table": fixed_table}
    old = {name: getattr(player, name) for name in wishes}
    set_columns(player, **wishes)
    audit.log("player.wishes", club=player.club, by=by, player=player.pk, **wishes, old=old)
    return player


@transaction.atomic
def choose_face(*, player: Player, animal: str, by: User) -> None:
    """Give the player's face the animal, none for the given one; its ground may have to change."""
    old, player.animal = player.animal, animal
    if old != animal:
        player.save(update_fields=["animal"])
        grounds = [Face(player.face.animal, ground) for ground in range(1, GROUNDS + 1)]
        _tell_apart(player, grounds, _faces(player.club, player))
        own = Q(user=player.user_id, user__isnull=False)
        seats = Seat.objects.filter(own | Q(pk__in=seats_of(player)))
        of_tables.show_tables(set(seats.values_list("table", flat=True)))
        audit.log("player.face", club=player.club, by=by, player=player.pk, animal=animal, old=old)


@transaction.atomic
def set_regular(*, player: Player, is_regular: bool, by: User) -> None:
    """Set whether new sign-up lists include the player from the start."""
    if (
        Player.objects.filter(pk=player.pk, bot="")
        .exclude(is_regular=is_regular)
        .update(is_regular=is_regular)
    ):
        action = "player.regular" if is_regular else "player.not_regular"
        audit.log(action, club=player.club, by=by, player=player.pk)


@transaction.atomic
def show_name(*, player: Player, shown: str, by: User) -> None:
    """Choose whether strangers see the player's name.

    Refusal if an account plays as them and is not who asks: others may only hide its name.
    """
    player = Player.objects.select_related("club", "user").get(pk=player.pk)
    own = player.user_id == by.pk
    if shown not in NameShown.values or player.bot or player.merged_into_id:
        raise Refusal(_("This form is incomplete. Reload the page."), code="form")
    if not own and (shown == NameShown.FOUND or (player.user_id and shown != NameShown.HIDDEN)):
        raise Refusal(_("Only %(name)s chooses that, under “Me”.") % {"name": player.name})
    both = Player.objects.filter(Q(pk=player.pk) | Q(merged_into=player.pk))
    if both.exclude(shown=shown).update(shown=shown):
        show_names([player.pk])
        audit.log("player.shown", club=player.club, by=by, player=player.pk, shown=shown)


def find_by_name(*, club: Club, name: str) -> Player | None:
    """Return the club's player with that name, ignoring case."""
    return club.players.filter(name_key__in=_keys(texts.clean_name(name)), merged_into=None).first()


def _keys(clean: str) -> list[str]:
    """Return the keys of a player with that name, however it is stored."""
    return [names.identity(one) for one in spellings(clean)]


def alike(*, club: Club, name: str = "", player: Player | None = None) -> list[Player]:
    """Return the people of the club whose names look like `name`; none if `name` is known.

    With `player`, those whose names look like this one's.
    """
    if player is None and find_by_name(club=club, name=name):
        return []
    shape = words.name_shape(player.name if player else texts.clean_name(name))
    people = club.players.people().exclude(pk=player.pk if player else 0)
    return [player for player in people if words.name_shape(player.name) == shape]


def looks_like(player: Player) -> list[str]:
    """Return messages about the people of the club whose names look like this player's."""
    others = alike(club=player.club, player=player)
    similar = (names.ListProblem(0, player.name, "similar", other=one.name) for one in others)
    return [texts.filled(problem) for problem in similar]


def warn_of_similar(*, club: Club | None, new: Iterable[str]) -> list[str]:
    """Return messages about new names that look like a person's of the club or like each other."""
    people = list(club.players.people().values_list("name", flat=True)) if club else []
    known = {names.identity(name) for name in people}
    looks = {words.name_shape(name): name for name in people}
    messages = []
    for name in new:
        other = looks.setdefault(words.name_shape(name), name)
        if other != name and names.identity(name) not in known:
            messages.append(texts.filled(names.ListProblem(0, name, "similar", other=other)))
    return messages


def unfit(new: Iterable[str]) -> list[str]:
    """Return messages about new names that nobody and nothing may have."""
    messages = []
    for name in new:
        try:
            texts.refuse_unfit(name)
        except names.NameProblem as problem:
            messages.append(texts.filled(problem))
    return messages


def named(*, club: Club, name: str) -> Player:
    """Return the club's player with that name, now or before two names were merged.

    Refusal on `player` if there is none.
    """
    player = None
    with suppress(ValidationError):  # What is no name is nobody's.
        player = find_by_name(club=club, name=name) or _merged(club, name)
    if player is None:
        raise Refusal(
            _("Nobody is called “%(name)s”. Write the name as in the club's list.")
            % {"name": name.strip()[:60]},
            code="unknown",
            field="player",
        )
    return player


def _merged(club: Club, name: str) -> Player | None:
    alias = club.players.filter(
        name_key__in=_keys(texts.clean_name(name)), merged_into__isnull=False
    ).select_related("merged_into")
    people = {one.merged_into for one in alias}
    return people.pop() if len(people) == 1 else None


def refuse_taken(club: Club, clean: str, but: Player | None = None) -> None:
    twins = club.players.filter(name_key__in=_keys(clean), merged_into=None)
    if twins.exclude(pk=but.pk if but else 0).exists():
        raise Refusal(
            _(
                "There is already a player called %(name)s. Add something to tell "
                "them apart, for example “%(name)s B”."
            )
            % {"name": clean},
            code="taken",
            field="name",
        )


def _create(club: Club, clean: str, bot: str = "", taken: set[Face] | None = None) -> Player:
    """Create the player, with a face that none of `taken` has; the face is then taken too."""
    player = Player.objects.create(
        club=club,
        name=clean,
        name_key=names.identity(clean),
        sort_key=names.sort_key(clean),
        bot=bot,
    )
    Account.objects.create(club=club, player=player)
    taken = _faces(club, player) if taken is None else taken
    _tell_apart(player, map(face_of, range(player.pk, player.pk + FACES)), taken)
    taken.add(player.face)
    return player


def _faces(club: Club, but: Player | None = None) -> set[Face]:
    """Return the faces of the club's players apart from this one."""
    others = club.players.filter(merged_into=None).exclude(pk=but.pk if but else 0)
    return {one.face for one in others.only("animal", "ground")}


def _tell_apart(player: Player, faces: Iterable[Face], taken: set[Face]) -> None:
    """Give a player whose face is taken the first of these that is free, if any is."""
    free = (face for face in faces if face not in taken)
    if player.face in taken and (face := next(free, None)):
        set_columns(player, **face._asdict())


def of_bots(club: Club, bots: Sequence[str], by: User) -> list[Player]:
    """Return a player of the club for each bot; a bot's second entry is named "greedy 2"."""
    found: list[Player] = []
    for bot, entry in zip(bots, designs.entry_names(bots), strict=True):
        name = f"{entry} (bot)"
        known = find_by_name(club=club, name=name)
        found.append(known or add_player(club=club, name=name, by=by, bot=bot))
    return found
