"""Members' bots: who may see and play them."""

from collections.abc import Collection, Sequence
from functools import lru_cache

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import Max, Q, QuerySet

from accounts.models import User
from tables.models import Upload
from tables.programs import uploaded
from tables.programs.remote import Remote

EVERYONE, CLUB = Upload.SeenBy.EVERYONE, Upload.SeenBy.CLUB


def visible_to(reader: User | AnonymousUser | None, is_member: bool) -> QuerySet[Upload]:
    """Return the bots a reader may see; `is_member` tells membership in the bots' club."""
    seen = Q(seen_by=EVERYONE)
    if is_member:
        seen |= Q(seen_by=CLUB)
    if reader is not None and reader.is_authenticated:
        seen |= Q(author=reader.pk)
    return Upload.objects.filter(seen).defer("body")


def newest(pool: str, seen_by: Collection[str] = (EVERYONE, CLUB)) -> list[str]:
    """Return the newest sound version of each bot of a pool with one of these visibilities."""
    sound = _playable().filter(pool=pool, state=Upload.State.SOUND, seen_by__in=seen_by)
    last = sound.order_by("base").values("base").annotate(last=Max("number"))
    return [f"{one['base']}-{one['last']}" for one in last]


def may_enter(name: str, pool: str, seen_by: Collection[str] = (EVERYONE, CLUB)) -> bool:
    """Return whether a member's bot may enter a run of the pool with one of these visibilities."""
    sound = _playable().filter(name=name, pool=pool, state=Upload.State.SOUND)
    return sound.filter(seen_by__in=seen_by).exists()


def meets_itself(names: Sequence[str], seats: int) -> str | None:
    """Return a bot whose author has another one at this table of rated play, or `None`.

    From three seats on two bots of an author could help each other. Two over the network would see
    two hands of a game even at a table of two.
    """
    if len(names) < 2:
        return None
    if seats < 3:
        remote = Upload.objects.filter(name__in=names, language=Upload.REMOTE)
        names = [name for name in names if name in set(remote.values_list("name", flat=True))]
    brought, met = authors(names), set[int]()
    for name in names:
        if name in brought:
            if brought[name] in met:
                return name
            met.add(brought[name])
    return None


def authors(names: Sequence[str]) -> dict[str, int]:
    """Return the author of each member's bot by its name."""
    brought = Upload.objects.filter(name__in=names, author__isnull=False)
    return dict(brought.values_list("name", "author"))


MOST_BASES = 5
"""Most bots of an author in a pool; each has any number of versions."""


def free_places(author: int | None, pool: str) -> int:
    """Return how many more bots an author may have in a pool.

    A bot counts while one of its versions plays or is being checked.
    """
    used = Upload.objects.filter(author=author, pool=pool, state__in=["waiting", "sound"])
    return max(0, MOST_BASES - used.values("base").distinct().count())


def bases(names: Sequence[str]) -> dict[str, str]:
    """Return the base name of each uploaded version by its name."""
    return dict(Upload.objects.filter(name__in=names).values_list("name", "base"))


def _playable() -> QuerySet[Upload]:
    """Return the bots that may play: remote ones with an author, and code where it is allowed."""
    playable = Q(language=Upload.REMOTE, author__isnull=False)
    if settings.BOT_UPLOADS:
        playable |= ~Q(language=Upload.REMOTE)
    return Upload.objects.filter(playable)


def find(name: str) -> uploaded.Uploaded | Remote | None:
    """Return the member's bot of this name. Withdrawn bots count, for runs they entered earlier."""
    if not name[-1:].isdigit():
        return None
    played = (Upload.State.SOUND, Upload.State.WITHDRAWN)
    found = Upload.objects.filter(name=name, state__in=played).only("name", "number", "language")
    for upload in found:
        if upload.language == Upload.REMOTE:
            return Remote(upload.name, upload.number)
        if not settings.BOT_UPLOADS:
            return None
        return bot_of(upload.name, upload.number, upload.language)
    return None


@lru_cache(maxsize=500)
def bot_of(name: str, number: int, language: str) -> uploaded.Uploaded:
    def body() -> bytes:
        return bytes(Upload.objects.values_list("body", flat=True).get(name=name))

    return uploaded.uploaded(name, number, language, body)
