"""A message in words, in its reader's language: a subject and lines of text."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.base.selectors.next_nights import coming_at
from league.models import Club, Event, NewsItem
from league.nights.selectors.final_places import event_places

PODIUM = 3


def language_of(news: NewsItem) -> str:
    """Return the language in which this message is written."""
    wish = getattr(news.user, "news_wish", None) if news.user_id else None
    if wish is not None and wish.language in dict(settings.LANGUAGES):
        return str(wish.language)
    return usual_language(news.club)


def usual_language(club: Club) -> str:
    """Return the language of a club where nobody has chosen one."""
    return "vi" if club.time_zone == "Asia/Ho_Chi_Minh" else "en"


def told(news: NewsItem) -> tuple[str, list[str]] | None:
    """Return subject and lines of the message; None when what it tells is no longer true."""
    zone = zoneinfo.ZoneInfo(news.club.time_zone)
    with translation.override(language_of(news)), timezone.override(zone):
        return _WORDS[news.kind](news)


def address_of(news: NewsItem) -> str:
    """Return the page that the message leads to."""
    slug = news.club.slug
    if news.event_id:
        path = reverse("league:event", args=[slug, news.event_id])
    else:
        path = reverse("league:club", args=[slug])
    return settings.SITE_ADDRESS.rstrip("/") + path


def _soon(news: NewsItem) -> tuple[str, list[str]] | None:
    event = _event(news)
    if not event.is_open:
        return None
    coming = coming_at([event]).get(event.pk)
    lines = [_when(event)]
    if coming is not None:
        lines.append(_("Coming so far: %(n)s.") % {"n": coming})
    return f"{news.club}: {event.name}", lines


def _moved_up(news: NewsItem) -> tuple[str, list[str]] | None:
    event = _event(news)
    name = {"name": news.data.get("player", "")}
    if not event.is_open:
        return None
    return _("%(name)s has a place now") % name, [f"{event.name}: {_when(event)}"]


def _called_off(news: NewsItem) -> tuple[str, list[str]] | None:
    event = _event(news)
    if not event.called_off_at:
        return None
    return _("%(night)s is called off") % {"night": event.name}, [_when(event)]


def _result(news: NewsItem) -> tuple[str, list[str]] | None:
    event = _event(news)
    if event.is_open:
        return None
    places = [place for place in event_places(event) if place.row.games and place.row.rank]
    lines = [f"{place.row.rank}. {place.player.name}" for place in places[:PODIUM]]
    return _("%(night)s: the result") % {"night": event.name}, lines


def _dispute(news: NewsItem) -> tuple[str, list[str]]:
    where = _("Round %(round)s, table %(table)s, game %(game)s") % {
        key: news.data.get(key, "") for key in ("round", "table", "game")
    }
    return _("%(night)s: a game is disputed") % {"night": _event(news).name}, [where]


def _failed(news: NewsItem) -> tuple[str, list[str]]:
    subject = _("%(name)s was not created") % {"name": news.data.get("schedule", "")}
    return subject, [str(news.data.get("day", "")), _("The schedule's page says why.")]


def _test(news: NewsItem) -> tuple[str, list[str]]:
    return _("Test"), [_("This webhook works.")]


def _event(news: NewsItem) -> Event:
    assert news.event is not None
    return news.event


def _when(event: Event) -> str:
    day = f"{date_format(event.date, 'l')}, {date_format(event.date, 'SHORT_DATE_FORMAT')}"
    return day if event.starts_at is None else f"{day}, {event.starts_at:%H:%M}"


_WORDS: dict[str, Callable[[NewsItem], tuple[str, list[str]] | None]] = {
    "night_soon": _soon,
    "moved_up": _moved_up,
    "called_off": _called_off,
    "night_result": _result,
    "dispute": _dispute,
    "schedule_failed": _failed,
    "test": _test,
}
