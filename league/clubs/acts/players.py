"""Change a club's players: people without accounts, people with accounts, bots."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.security_log import Kind, note
from engine.sim import designs
from league.base import texts
from league.base.acts import audit, erasures, former_ways, locks
from league.base.domain import names
from league.clubs.acts import clubs, forgetting
from league.clubs.domain.player_lists import Listed
from league.clubs.facts.people import name_of
from league.clubs.signals import name_changed
from league.models import Account, Audit, Club, Event, FormerWay, Membership, PaymentWay, Player
from tables.base import words
from tables.models import Seat
from tables.people.acts import forgetting as of_tables
from tables.refusals import Refusal


@dataclass(frozen=True)
class Added:
    """The outcome of a pasted list: the created players, and a message for each problem.

    `refused` holds the invalid lines, to be corrected; known players are not among them.
    """

    players: list[Player]
    problems: list[str]
    refused: list[str]


@transaction.atomic
def add_player(*, club: Club, name: str, by: User | None, bot: str = "") -> Player:
    """Add a player to the club; Refusal on `name` if it is invalid or taken."""
    clean = texts.new_name(name)
    locks.club(club.pk)
    _refuse_taken(club, clean)
    player = _create(club, clean, bot)
    audit.log("player.added", club=club, by=by, player=player.pk, name=clean)
    return player


@transaction.atomic
def add_players(*, club: Club, text: str, by: User) -> Added:
    """Add the players of a pasted list.

    Invalid lines are reported; the others are saved.
    """
    locks.club(club.pk)
    known = club.players.filter(merged_into=None).values_list("name", flat=True)
    listed = names.parse_name_list(text, known, look=words.bare_shape)
    made = [_create(club, name) for name in listed.names]
    if made:
        audit.log("player.added", club=club, by=by, names=listed.names)
    return Added(
        made,
        [texts.at_line(problem) for problem in listed.problems],
        [p.text for p in listed.problems if p.kind == "invalid"],
    )


@transaction.atomic
def add_listed(*, club: Club, listed: Sequence[Listed], by: User) -> list[Player]:
    """Add the players of a table, with their wishes for draws.

    None of them may exist yet.
    """
    locks.club(club.pk)
    made = []
    for one in listed:
        player = _create(club, one.name)
        player.group, player.fixed_table = one.group, one.fixed_table
        if one.group or one.fixed_table:
            player.save(update_fields=["group", "fixed_table"])
        made.append(player)
    if made:
        audit.log("player.added", club=club, by=by, names=[one.name for one in listed])
    return made


@transaction.atomic
def rename_player(*, player: Player, name: str, by: User, was: str | None = None) -> Player:
    """Rename the player, in all results too.

    `was` is the name that the caller saw; None skips the check. Refusal: `stale` if the player was
    renamed since.
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
    _refuse_taken(player.club, clean, but=player)
    old, player.name = player.name, clean
    player.name_key, player.sort_key = names.identity(clean), names.sort_key(clean)
    player.save(update_fields=["name", "name_key", "sort_key"])
    _show_names([player.pk])
    audit.log("player.renamed", club=player.club, by=by, player=player.pk, old=old, new=clean)
    name_changed.send(Player, player=player, change="renamed", by=by)
    return player


@transaction.atomic
def take_player(*, player: Player, user: User, shows_ways: bool = False) -> Player:
    """Link the player to the account of the person who says so, with the role of player.

    `shows_ways`: who owes the player is shown how the account is paid. A member keeps a higher
    role. Refusal if either is already linked.
    """
    clubs.refuse_held(locks.club(player.club_id))
    player = Player.objects.select_related("club").get(pk=player.pk)
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
    player.user, player.shows_ways = user, shows_ways
    player.save(update_fields=["user", "shows_ways"])
    former_ways.end_of(player)
    end_offers(player)
    audit.log("player.account", club=player.club, by=user, player=player.pk, user=user.pk)
    note(Kind.LINKED, user, club=player.club.name)
    return player


def end_offers(player: Player) -> None:
    """Ask nobody any more whether they play as this player; offers of higher roles stay."""
    player.offers.filter(role=Membership.Role.PLAYER).delete()
    player.offers.update(player=None, user=None)


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
    return player


@transaction.atomic
def anonymise_player(*, player: Player, by: User | None) -> Player:
    """Replace the player's name and aliases by a number and unlink the account; results stay.

    In the club's log and free texts a dash replaces the name.
    """
    locks.club(player.club_id)
    player = Player.objects.select_related("club").get(pk=player.pk)
    if player.bot or player.merged_into_id:
        raise Refusal(_("Only a person's name can be removed. Reload the page."))
    known: set[str] = set()
    people = [player, *player.aliases.all()]
    erasures.note("player", *people)
    for one in people:
        known |= forgetting.names_ever(one)
        name = _("Player %(number)s") % {"number": one.pk}
        if one.user is not None and one.user != by:
            note(Kind.UNLINKED, one.user, by=by, club=player.club.name)
        end_offers(one)
        one.name, one.user = name, None
        one.name_key, one.sort_key = names.identity(name), names.sort_key(name)
        one.group = ""
        one.save(update_fields=["name", "name_key", "sort_key", "group", "user"])
        one.invitations.filter(revoked_at=None).update(revoked_at=timezone.now())
        PaymentWay.objects.filter(player=one).delete()
        FormerWay.objects.filter(player=one).delete()
    forgetting.forget_words(clubs=[player.club], words=known)
    of_club = {"table__live_sitting__sitting__round__event__season__club": player.club}
    of_tables.forget_seats(found=Seat.objects.filter(**of_club, name__in=known))
    of_tables.forget_seats(found=Seat.objects.filter(club_seat__player__in=people))
    _show_names([one.pk for one in people])
    audit.log("player.anonymised", club=player.club, by=by, player=player.pk)
    player.refresh_from_db()
    return player


def _show_names(people: Collection[int]) -> None:
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
def set_wishes(*, player: Player, group: str, fixed_table: int | None, by: User) -> Player:
    """Set whom draws keep apart from the player, and the table that the player needs."""
    old = {"group": player.group, "fixed_table": player.fixed_table}
    player.group, player.fixed_table = " ".join(group.split())[:40], fixed_table
    player.save(update_fields=["group", "fixed_table"])
    audit.log(
        "player.wishes",
        club=player.club,
        by=by,
        player=player.pk,
        group=player.group,
        fixed_table=fixed_table,
        old=old,
    )
    return player


@transaction.atomic
def choose_face(*, player: Player, animal: str, by: User) -> None:
    """Give the player's face the animal; none for the given one."""
    old, player.animal = player.animal, animal
    if old != animal:
        player.save(update_fields=["animal"])
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


def find_by_name(*, club: Club, name: str) -> Player | None:
    """Return the club's player with that name, ignoring case."""
    return club.players.filter(
        name_key=names.identity(texts.clean_name(name)), merged_into=None
    ).first()


def alike(*, club: Club, name: str) -> list[Player]:
    """Return the people of the club whose names look like `name`; none if `name` is known."""
    if find_by_name(club=club, name=name):
        return []
    shape = words.bare_shape(texts.clean_name(name))
    people = club.players.people()
    return [player for player in people if words.bare_shape(player.name) == shape]


def warn_of_similar(*, club: Club, new: Iterable[str]) -> list[str]:
    """Return messages about new names that look like a person's of the club or like each other."""
    people = club.players.people().values_list("name", flat=True)
    looks = {words.bare_shape(name): name for name in people}
    messages = []
    for name in new:
        other = looks.setdefault(words.bare_shape(name), name)
        if other != name:
            messages.append(texts.filled(names.ListProblem(0, name, "similar", other=other)))
    return messages


def with_addresses(new: Iterable[str]) -> list[str]:
    """Return messages about new names that contain a web or email address."""
    messages = []
    for name in new:
        try:
            names.refuse_address(name)
        except names.AddressInName as problem:
            messages.append(texts.filled(problem))
    return messages


def named(*, club: Club, name: str) -> Player:
    """Return the club's player with that name; Refusal on `player` if there is none."""
    player = find_by_name(club=club, name=name) if name.strip() else None
    if player is None:
        raise Refusal(
            _("Nobody is called “%(name)s”.") % {"name": name.strip()[:60]},
            code="unknown",
            field="player",
        )
    return player


def _refuse_taken(club: Club, clean: str, but: Player | None = None) -> None:
    twins = club.players.filter(name_key=names.identity(clean), merged_into=None)
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


def _create(club: Club, clean: str, bot: str = "") -> Player:
    player = Player.objects.create(
        club=club,
        name=clean,
        name_key=names.identity(clean),
        sort_key=names.sort_key(clean),
        bot=bot,
    )
    Account.objects.create(club=club, player=player)
    return player


def of_bots(club: Club, bots: Sequence[str], by: User) -> list[Player]:
    """Return a player of the club for each bot; a bot's second entry is named "greedy 2"."""
    found: list[Player] = []
    for bot, entry in zip(bots, designs.entry_names(bots), strict=True):
        name = f"{entry} (bot)"
        known = find_by_name(club=club, name=name)
        found.append(known or add_player(club=club, name=name, by=by, bot=bot))
    return found
