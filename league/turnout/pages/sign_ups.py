"""A sign-up list as its pages show it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.base.facts.next_nights import when_and_where
from league.base.page_parts import Badge
from league.base.phone_keys import keys_of
from league.models import Entrant, Player, SignUp, SignUpAnswer
from league.nights.facts.answers import ASKED
from league.nights.facts.viewer import Viewer
from league.nights.pages import plan_words


@dataclass(frozen=True)
class Mine:
    """A player for whom this phone or account answers; `answer` is None before the first."""

    player: Player
    answer: SignUpAnswer | None

    @property
    def badge(self) -> Badge:
        """The answer in words."""
        if self.answer is None:
            return Badge(_("No answer yet"))
        if self.answer.reply != SignUpAnswer.Reply.YES:
            return Badge(self.answer.get_reply_display())
        if self.answer.is_in:
            return Badge(_("coming"), "open")
        return Badge(_("on the waiting list"), "gold")


@dataclass(frozen=True)
class SignUpPage:
    """The players by answer, and those without one.

    `came` are players who are here without a place, `here` the keys of all who are here.
    """

    coming: list[SignUpAnswer]
    here: set[int]
    came: list[Player]
    waiting: list[SignUpAnswer]
    maybe: list[SignUpAnswer]
    not_coming: list[SignUpAnswer]
    silent: list[Player]
    count: int
    sentences: list[str]

    @property
    def others(self) -> list[tuple[str, str, list[SignUpAnswer]]]:
        """Who may come and who does not, by key and words of the answer; only answers given."""
        reply = SignUpAnswer.Reply
        both = (reply.MAYBE, self.maybe), (reply.NO, self.not_coming)
        return [(key.value, str(key.label), answers) for key, answers in both if answers]

    @property
    def named(self) -> list[Player]:
        """The first of those who have not answered, whom the page and a text name."""
        return self.silent[:ASKED]

    @property
    def unnamed(self) -> int:
        """The number of others who have not answered."""
        return len(self.silent) - len(self.named)

    @property
    def answers(self) -> list[SignUpAnswer]:
        """All answers, those that come first."""
        return [*self.coming, *self.waiting, *self.maybe, *self.not_coming]

    @property
    def phones(self) -> list[SignUpAnswer]:
        """The answers that a phone gave, which it alone changes until it is freed."""
        return [answer for answer in self.answers if answer.device]


def sign_up_page(sign_up: SignUp) -> SignUpPage:
    """Return the list's page; a player who is here has come, whatever the answer."""
    event = sign_up.event
    people = event.season.club.players.people()
    present = event.entrants.filter(presence=Entrant.Presence.HERE, player__bot="")
    here = {one.player_id: one.player for one in present.select_related("player")}
    answers = list(sign_up.answers.select_related("player"))
    answered = {answer.player_id for answer in answers}
    coming = [answer for answer in answers if answer.is_in]
    has_place = {answer.player_id for answer in coming}
    came = [player for key, player in here.items() if key not in has_place]
    said = [answer for answer in answers if answer.is_in or answer.player_id not in here]
    count, full = sum(answer.people for answer in coming) + len(came), event.full_table
    by_name = sorted(said, key=lambda answer: (answer.player.sort_key, answer.pk))
    return SignUpPage(
        coming=coming,
        here=set(here),
        came=came,
        waiting=[a for a in said if a.reply == SignUpAnswer.Reply.YES and not a.is_in],
        maybe=[a for a in by_name if a.reply == SignUpAnswer.Reply.MAYBE],
        not_coming=[a for a in by_name if a.reply == SignUpAnswer.Reply.NO],
        silent=[player for player in people if player.pk not in answered | here.keys()],
        count=count,
        sentences=sentences(count, sign_up.places, full),
    )


def mine(sign_up: SignUp, viewer: Viewer, asked: Player | None) -> list[Mine]:
    """Return the players for whom this viewer answers: those of this phone, also of past nights.

    The name just tapped comes first, then the player who claimed the phone tonight, then the
    account's. Names that another phone has claimed are left out.
    """
    club, user = sign_up.event.season.club, viewer.by
    keys = keys_of(viewer.phone, club.pk)
    others = sign_up.event.claims.filter(ended_at=None).exclude(phone_hash__in=keys)
    taken = set(others.values_list("player_id", flat=True))
    people = club.players.people()
    found: dict[int, Player] = {asked.pk: asked} if asked is not None else {}
    if (claim := viewer.claim) is not None:
        found.setdefault(claim.player_id, claim.player)
    if user is not None:
        found |= {player.pk: player for player in people.filter(user=user)}
    if viewer.phone:
        claimed = Q(claims__phone_hash__in=keys, claims__ended_at=None)
        said = people.filter(Q(answers__device__in=keys) | claimed).distinct()
        found |= {player.pk: player for player in said[:20] if player.pk not in found}
    answers = {a.player_id: a for a in sign_up.answers.filter(player__in=found)}
    account = user.pk if user else 0
    taken |= {key for key, answer in answers.items() if answer.device not in ("", *keys)}
    return [
        Mine(player, answers.get(key))
        for key, player in found.items()
        if key not in taken or player.user_id == account
    ]


def sentences(count: int, places: int | None, full: int = 4) -> list[str]:
    """Return how many people come, and how many more would make full tables."""
    if not count:
        return [_("Nobody has signed up yet. Be the first.")]
    words = [ngettext("%(n)s person is coming.", "%(n)s people are coming.", count) % {"n": count}]
    if places is not None and count >= places:
        words.append(_("All places are taken. New names go on the waiting list."))
    elif not count % full:
        made = ngettext("That makes one table of %(full)s.", "That makes %(n)s tables of %(full)s.",
                        count // full)  # fmt: skip
        words.append(made % {"n": count // full, "full": full})
    elif more := plan_words.more_to_fill(count, full, places):
        words.append(more)
    return words


INVITE, ASK, LIST = "invite", "ask", "list"
"""What a text for the group is for."""


def for_the_group(which: str, sign_up: SignUp, shown: SignUpPage, address: str) -> str:
    """Return the text for the club's group: the night, its purpose by `which`, and the link."""
    event = sign_up.event
    if which == ASK:
        others = [f"+{shown.unnamed}"] if shown.unnamed else []
        names = ", ".join([*_names(shown.named), *others])
        words = [_("%(names)s: are you coming? One tap says it.") % {"names": names}]
    elif which == LIST:
        words = [
            f"{name} {count}: {', '.join(found)}"
            for name, count, found in (
                (_("Coming"), shown.count, [*map(_named, shown.coming), *_names(shown.came)]),
                (_("Waiting list"), len(shown.waiting), [*map(_named, shown.waiting)]),
                (_("Maybe"), len(shown.maybe), [*map(_named, shown.maybe)]),
            )
            if found
        ]
    else:
        words = [" ".join(sentences(shown.count, sign_up.places, event.full_table))]
    return "\n".join([f"{event.name}: {when_and_where(event, is_shared=True)}", *words, address])


def _names(players: Sequence[Player]) -> list[str]:
    return [player.name for player in players]


def _named(answer: SignUpAnswer) -> str:
    return f"{answer.player.name} +{answer.guests}" if answer.guests else answer.player.name
