"""The bots of a club's members: visibility, checks, test matches."""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import User
from league.arena.facts import run_effects
from league.arena.facts.run_effects import Note
from league.base.rights import Right
from league.models import Club
from tables.bots.facts import member_bots
from tables.models import Run, Upload
from tables.runs import ladders, runs, trials, verdicts

SHOWN = 50
STATES = {
    Upload.State.WAITING: gettext_lazy("Being checked"),
    Upload.State.SOUND: gettext_lazy("May play"),
    Upload.State.REFUSED: gettext_lazy("Failed its check"),
    Upload.State.WITHDRAWN: gettext_lazy("Withdrawn"),
}


SEEN_BY = {
    Upload.SeenBy.AUTHOR: gettext_lazy("Only me"),
    Upload.SeenBy.CLUB: gettext_lazy("The club's members"),
    Upload.SeenBy.EVERYONE: gettext_lazy("Everyone"),
}


def pool_of(club: Club) -> str:
    """Return the key of the pool in which the bots of a club's members compete."""
    return f"club {club.pk}"


def club_of(upload: Upload) -> Club | None:
    """Return the club in whose pool a bot competes; None if it is gone."""
    key = upload.pool.removeprefix("club ")
    return Club.objects.filter(pk=key).first() if key.isdecimal() else None


def lookers(club: Club) -> tuple[str, ...]:
    """Return the `seen_by` values of bots that may enter the club's tournaments.

    Every reader of the club must be allowed to see such a bot.
    """
    return (member_bots.EVERYONE,) if club.is_public else (member_bots.EVERYONE, member_bots.CLUB)


def may_enter(name: str, club: Club) -> bool:
    """Return whether a member's bot may enter the club's tournaments."""
    return member_bots.may_enter(name, pool_of(club), lookers(club))


@dataclass(frozen=True)
class MemberBot:
    """A version of a bot; `report` is for its author and the organisers."""

    upload: Upload
    state: str
    report: str
    may_withdraw: bool
    seen_by: str

    @property
    def is_remote(self) -> bool:
        return self.upload.language == Upload.REMOTE

    @property
    def seen(self) -> str:
        return seen_words(self.upload)

    @property
    def is_away(self) -> bool:
        """Whether its program, which runs elsewhere, does not ask for positions now."""
        seen = self.upload.seen_at
        return self.is_remote and (seen is None or seen < timezone.now() - ladders.AWAKE)


def seen_words(upload: Upload) -> str:
    """Return when a remote bot last asked for positions, in words."""
    if upload.seen_at is None:
        return _("Over the network, never seen")
    when = date_format(timezone.localtime(upload.seen_at), "SHORT_DATETIME_FORMAT")
    return _("Over the network, last seen %(when)s") % {"when": when}


def of_others(club: Club, reader: User | AnonymousUser, right: Right) -> list[MemberBot]:
    """Return the bots of others that the reader may see, newest versions first."""
    found = visible_bots(club, reader, right).exclude(author=reader.pk)
    return [_row(upload, reader, right) for upload in found.order_by("-created_at", "-pk")[:SHOWN]]


def visible_bots(club: Club, reader: User | AnonymousUser, right: Right) -> QuerySet[Upload]:
    """Return the versions of members' bots that the reader may see."""
    return member_bots.visible_to(reader, right >= Right.BELONG).filter(pool=pool_of(club))


def _row(upload: Upload, reader: User | AnonymousUser, right: Right) -> MemberBot:
    is_near = upload.author_id == reader.pk or right >= Right.ORGANISE
    is_on = upload.state in (Upload.State.WAITING, Upload.State.SOUND)
    state = str(STATES[Upload.State(upload.state)])
    if upload.state == Upload.State.WAITING and upload.checked:
        done = ngettext("Being checked: %(n)s table done", "Being checked: %(n)s tables done",
                        upload.checked)  # fmt: skip
        state = done % {"n": upload.checked}
    return MemberBot(
        upload,
        state,
        upload.report if is_near else "",
        is_near and is_on,
        str(SEEN_BY[Upload.SeenBy(upload.seen_by)]),
    )


@dataclass(frozen=True)
class TestMatch:
    """A test match: its progress, the percentage of opponents beaten, and the bot's faults."""

    opponent: str
    games: int
    games_asked: int
    is_over: bool
    beaten: float | None
    notes: list[Note]


@dataclass(frozen=True)
class BotPage:
    """A version's page; only its author sees its test matches and may change it."""

    row: MemberBot
    may_test: bool
    may_check_again: bool
    tests: list[TestMatch]
    notes: list[Note]

    @property
    def is_playing(self) -> bool:
        """Return True if a test match is not over."""
        return not all(test.is_over for test in self.tests)


def bot_page(club: Club, upload: Upload, reader: User, right: Right) -> BotPage:
    """Return the page of a version, limited to the facts that the reader may see."""
    row, is_mine = _row(upload, reader, right), upload.author_id == reader.pk
    tests = [test_match(trial.run) for trial in trials.trials_of(upload)] if is_mine else []
    may_test = is_mine and upload.state == Upload.State.SOUND
    is_near = is_mine or right >= Right.ORGANISE
    may_check_again = is_mine and upload.state == Upload.State.REFUSED
    notes = _latest_notes(upload) if is_near else []
    return BotPage(row, may_test, may_check_again, tests, notes)


def test_match(run: Run) -> TestMatch:
    """Return the progress or the result of a test match."""
    progress, names = runs.progress(run), [bot["name"] for bot in run.bots]
    scores = verdicts.totals(run).of("scores", len(names))
    share = scores.mean(0, verdicts.score_unit(run) / 100).mean if scores.deals else None
    notes = run_effects.notes(run, names, {0})
    is_over = run.finished_at is not None
    return TestMatch(names[1], progress.games, progress.games_asked, is_over, share, notes)


def entries_of(author: User, run: Run) -> set[int]:
    """Return the indexes of a run's entries that are the author's own bots."""
    names = [bot["name"] for bot in run.bots]
    mine = set(Upload.objects.filter(name__in=names, author=author).values_list("name", flat=True))
    return {index for index, name in enumerate(names) if name in mine}


def _latest_notes(upload: Upload) -> list[Note]:
    """Return the version's latest faults, in tournaments and on ladders."""
    me = [{"name": upload.name}]
    met = Run.objects.filter(trial__isnull=True, bots__contains=me, units__faults__gt=0)
    found: list[Note] = []
    for run in met.distinct().order_by("-created_at")[:5]:
        names = [bot["name"] for bot in run.bots]
        mine = {index for index, name in enumerate(names) if name == upload.name}
        found += run_effects.notes(run, names, mine)
    return found[: run_effects.SHOWN_NOTES]
