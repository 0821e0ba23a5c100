"""A message in words, in its reader's language: a subject and lines of text."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _

from league.base.selectors.next_nights import coming_at
from league.models import Club, Event, NewsItem, Player, SignUpAnswer
from league.money.selectors import open_debts
from league.nights.selectors.final_places import event_places

PODIUM = 3


def language_of(news: NewsItem) -> str:
    """Return the language in which this message is written."""
    wish = getattr(news.reader, "news_wish", None)
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
    if news.kind == "debt" and not news.event_id:
        path = reverse("league:season_money", args=[slug, news.data["season"]])
    elif news.kind == "debt":
        path = reverse("league:event_money", args=[slug, news.event_id])
    elif news.kind == "night_result":
        path = reverse("league:recap", args=[slug, news.event_id])
    elif news.event_id:
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


def _asked(news: NewsItem) -> tuple[str, list[str]] | None:
    event = _event(news)
    if not event.is_open or _has_answered(news):
        return None
    lines = [_when(event), _("Coming so far: %(n)s.") % {"n": coming_at([event]).get(event.pk, 0)}]
    return _("Are you coming? %(night)s") % {"night": event.name}, lines


def _has_answered(news: NewsItem) -> bool:
    answers = SignUpAnswer.objects.filter(sign_up__event=news.event_id)
    return answers.filter(player__user=news.reader).exists()


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


def _debt(news: NewsItem) -> tuple[str, list[str]] | None:
    season = news.club.seasons.get(pk=news.data["season"])
    people = Player.objects.in_bulk([news.data["payer"], news.data["payee"]])
    payer, payee = (people.get(news.data[key]) for key in ("payer", "payee"))
    if payer is None or payee is None:
        return None
    debt = open_debts.between(season, news.event, payer, payee)
    if debt is None:
        return None
    fields = {"name": payee.name, "unit": news.club.unit}
    fields["amount"] = number_format(debt.amount, 0, force_grouping=True)
    text = _("You still owe %(name)s %(amount)s %(unit)s.") % fields
    return text, [news.event.name if news.event else season.name]


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
    "asked": _asked,
    "moved_up": _moved_up,
    "called_off": _called_off,
    "night_result": _result,
    "debt": _debt,
    "dispute": _dispute,
    "schedule_failed": _failed,
    "test": _test,
}
