"""The text of messages in their reader's language: a subject and lines."""

import datetime
import zoneinfo
from collections.abc import Callable
from typing import Literal, NamedTuple

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format, number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import mail
from league.base.facts import log_marks
from league.base.facts.next_nights import coming_at, when_of
from league.models import (
    Club,
    Dispute,
    Event,
    NewsItem,
    Place,
    Player,
    Result,
    Round,
    SignUpAnswer,
)
from league.models.result import latest
from league.money.facts import open_debts
from league.nights.facts.final_places import event_places
from league.seasons.facts.standings import first_three, season_standings

Text = tuple[str, list[str]]


class NewsText(NamedTuple):
    subject: str
    lines: list[str]

    @property
    def all_lines(self) -> list[str]:
        return [self.subject, *self.lines]


def language_of(news: NewsItem) -> str:
    """Return the language of a message: its reader's choice, or the club's default."""
    wish = getattr(news.reader, "news_wish", None)
    if wish is not None and wish.language in dict(settings.LANGUAGES):
        return str(wish.language)
    # Readers who chose no language get the club's, or the server's.
    return news.club.language if news.club and news.club.language else "vi"


def zone_of(club: Club | None) -> zoneinfo.ZoneInfo:
    """Return the time zone of a club, or of the server."""
    return zoneinfo.ZoneInfo(club.time_zone if club else settings.TIME_ZONE)


def message_of(news: NewsItem) -> NewsText | None:
    """Return the text in the reader's language, or None if it is no longer true."""
    with translation.override(language_of(news)), timezone.override(zone_of(news.club)):
        text = KINDS[news.kind].words(news)
    return NewsText(*text) if text else None


def address_of(news: NewsItem) -> str:
    """Return the URL of the page that the message links to."""
    if news.club is None:
        return mail.at(reverse("server"))
    slug = news.club.slug
    if news.channel is not None and news.channel.phone:
        path = reverse("league:my_night", args=[news.event_id])
    elif news.kind == "debt" and not news.event_id:
        path = reverse("league:season_money", args=[slug, news.data["season"]])
    elif news.kind == "debt":
        path = reverse("league:event_money", args=[slug, news.event_id])
    elif news.kind == "month_table":
        path = reverse("league:season", args=[slug, news.data["season"]])
    elif news.kind == "to_confirm" and (result := _waiting(news)):
        sitting = result.sitting
        keys = [slug, news.event_id, sitting.round.number, sitting.table_no]
        path = reverse("league:table", args=keys)
    elif news.kind == "bot_checked":
        path = reverse("league:bot", args=[slug, news.data["pk"]])
    elif news.kind == "night_result":
        path = reverse("league:recap", args=[slug, news.event_id])
    elif news.kind == "name":
        path = reverse("league:player", args=[slug, news.data["player"]])
    elif news.event_id:
        path = reverse("league:event", args=[slug, news.event_id])
    else:
        path = reverse("league:club", args=[slug])
    return mail.at(path)


def _soon(news: NewsItem) -> Text | None:
    event = _event(news)
    if not event.is_open:
        return None
    coming = coming_at([event]).get(event.pk)
    lines = [when_of(event)]
    if coming is not None:
        lines.append(_("Coming so far: %(n)s.") % {"n": coming})
    return f"{news.club}: {event.name}", lines


def _asked(news: NewsItem) -> Text | None:
    event = _event(news)
    answers = SignUpAnswer.objects.filter(sign_up__event=news.event_id)
    if not event.is_open or answers.filter(player__user=news.reader).exists():
        return None
    coming = _("Coming so far: %(n)s.") % {"n": coming_at([event]).get(event.pk, 0)}
    return _("Are you coming? %(night)s") % {"night": event.name}, [when_of(event), coming]


def _moved_up(news: NewsItem) -> Text | None:
    event = _event(news)
    if not event.is_open:
        return None
    subject = _("%(name)s has a place now") % {"name": news.data.get("player", "")}
    return subject, [f"{event.name}: {when_of(event)}"]


def _called_off(news: NewsItem) -> Text | None:
    event = _event(news)
    if not event.called_off_at:
        return None
    return _("%(night)s is called off") % {"night": event.name}, [when_of(event)]


def _drawn(news: NewsItem) -> Text | None:
    """Return the reader's own table, or all tables for a webhook."""
    event, number = _event(news), {"round": news.data["round"]}
    drawn = event.rounds.filter(status=Round.Status.RELEASED).order_by("-number").first()
    if not event.is_open or drawn is None or drawn.number != number["round"]:
        return None
    tables: dict[int, list[Player]] = {}
    places = Place.objects.filter(round=drawn, to_game=None).order_by("sitting__table_no", "seat")
    for place in places.select_related("sitting", "entrant__player"):
        tables.setdefault(place.sitting.table_no, []).append(place.entrant.player)
    if news.webhook is not None:
        lines = [_at_table(table_no, people) for table_no, people in tables.items()]
        return _("%(night)s: round %(round)s") % (number | {"night": event.name}), lines
    for table_no, people in tables.items():
        if any(map(news.is_for, people)):
            text = _("You sit at table %(table)s in round %(round)s")
            return text % (number | {"table": table_no}), [event.name, _at_table(table_no, people)]
    return None


def _at_table(table_no: int, people: list[Player]) -> str:
    names = ", ".join(player.name for player in people)
    return _("Table %(table)s: %(names)s") % {"table": table_no, "names": names}


def _waiting(news: NewsItem) -> Result | None:
    """Return the result to confirm, or None once it needs no confirmation."""
    found = Result.objects.filter(latest(), pk=news.data["result"], void=False, confirmation=None)
    return found.select_related("sitting__round").first()


def _to_confirm(news: NewsItem) -> Text | None:
    event, result = _event(news), _waiting(news)
    if result is None or not event.is_open:
        return None
    game = {"sitting": result.sitting, "game_no": result.game_no}
    if Dispute.objects.filter(**game, outcome=Dispute.Outcome.OPEN).exists():
        return None
    where = _where(result.sitting.round.number, result.sitting.table_no, result.game_no)
    placings = result.placings.select_related("entrant__player").order_by("rank", "seat")
    names = ", ".join(placing.numbered for placing in placings)
    return _("%(night)s: is this result right?") % {"night": event.name}, [where, names]


def _where(number: int, table_no: int, game_no: int) -> str:
    words = _("Round %(round)s, table %(table)s, game %(game)s")
    return words % {"round": number, "table": table_no, "game": game_no}


def _month(news: NewsItem) -> Text | None:
    season = _club(news).seasons.filter(pk=news.data["season"]).first()
    if season is None:
        return None
    ranked = [row for row in season_standings(season) if row.row.games and row.row.rank]
    last = datetime.date.fromisoformat(news.data["month"])
    first = first_three(ranked)
    reader = news.reader.pk if news.reader else None
    own = [one for one in ranked[len(first) :] if reader and one.player.user_id == reader]
    lines = [one.numbered for one in first + own]
    text = _("%(season)s: the standings after %(month)s/%(year)s")
    return text % {"season": season.name, "month": last.month, "year": last.year}, lines


def _result(news: NewsItem) -> Text | None:
    event = _event(news)
    if event.is_open:
        return None
    lines = [place.numbered for place in first_three(event_places(event))]
    if mark := log_marks.mark_of(_club(news)):
        lines.append(_("Mark of the log: %(mark)s") % {"mark": mark})
    return _("%(night)s: the result") % {"night": event.name}, lines


def _dispute(news: NewsItem) -> Text:
    where = _where(*(news.data.get(key, "") for key in ("round", "table", "game")))
    return _("%(night)s: a game is disputed") % {"night": _event(news).name}, [where]


def _failed(news: NewsItem) -> Text:
    subject = _("%(name)s was not created") % {"name": news.data.get("schedule", "")}
    return subject, [str(news.data.get("day", "")), _("The schedule's page says why.")]


def _run(news: NewsItem) -> Text:
    return _("%(name)s: the bot tournament is over") % {"name": _event(news).name}, []


def _checked(news: NewsItem) -> Text:
    passed = news.data["state"] == "sound"
    text = _("%(bot)s passed its check") if passed else _("%(bot)s failed its check")
    return text % news.data, []


def _debt(news: NewsItem) -> Text | None:
    season = _club(news).seasons.get(pk=news.data["season"])
    people = Player.objects.in_bulk([news.data["payer"], news.data["payee"]])
    payer, payee = (people.get(news.data[key]) for key in ("payer", "payee"))
    if payer is None or payee is None:
        return None
    debt = open_debts.between(season, news.event, payer, payee)
    if debt is None:
        return None
    fields = {"name": payee.name, "unit": season.club.unit}
    fields["amount"] = number_format(debt.amount, 0, force_grouping=True)
    text = _("You still owe %(name)s %(amount)s %(unit)s.") % fields
    return text, [news.event.name if news.event else season.name]


def _trouble(news: NewsItem) -> Text:
    data = news.data
    since = timezone.localtime(datetime.datetime.fromisoformat(data["since"]))
    sentence = str(TROUBLES[data["name"]]) % {"value": data["value"]}
    if data["state"] == "over":
        return _("The server is well again"), [sentence, _("This is over.")]
    known = _("Since %(moment)s.") % {"moment": date_format(since, "SHORT_DATETIME_FORMAT")}
    return _("The server needs you"), [sentence, known]


TROUBLES = {
    "backup": gettext_lazy("The newest backup is of %(value)s."),
    "no_backup": gettext_lazy("There is no backup. None was made since %(value)s."),
    "old_proof": gettext_lazy("No backup was restored as a test since %(value)s."),
    "proof": gettext_lazy("The newest backup could not be restored as a test: %(value)s"),
    "log": gettext_lazy(
        "Changes are no longer copied to the backups as they are made; the last was at %(value)s."
    ),
    "differences": gettext_lazy("Last night's check found %(value)s differences in the figures."),
    "disk": gettext_lazy("The disk is nearly full: %(value)s GB are free."),
    "site": gettext_lazy("The site no longer answers at %(value)s."),
    "certificate": gettext_lazy("The certificate of the site is about to end or wrong: %(value)s"),
    "away": gettext_lazy("A part of the server is away: %(value)s."),
    "restarts": gettext_lazy("A part of the server ends again and again: %(value)s in an hour."),
    "tables": gettext_lazy("Online tables stand still: one has waited %(value)s s."),
    "bots": gettext_lazy("Bot games stand still: a batch is %(value)s s late."),
    "queue": gettext_lazy("Work is not being done: %(value)s."),
}
"""What each trouble of the server says about itself; `value` is its figure."""


def _name(news: NewsItem) -> Text | None:
    """Return what happened to the name under which the reader plays."""
    player = Player.objects.filter(pk=news.data["player"]).first()
    if player is None or not news.is_for(player):
        return None
    texts = {
        "renamed": _("You are called %(name)s there now."),
        "merged": _("Games under another name now count for %(name)s."),
        "unmerged": _("Games under another name no longer count for %(name)s."),
    }
    lines = [texts[news.data["change"]] % {"name": player.name}]
    return _("%(club)s: your name") % {"club": news.club}, lines


def _club(news: NewsItem) -> Club:
    assert news.club is not None
    return news.club


def _test(_news: NewsItem) -> Text:
    return _("Test"), [_("This webhook works.")]


def _event(news: NewsItem) -> Event:
    assert news.event is not None
    return news.event


Switch = Literal["night", "table", "result", "money", ""]
"""The switches of *Me*, and none."""


class NewsKind(NamedTuple):
    """A kind of message: its name in settings and how its text is made.

    `switch` is the switch of *Me* that it belongs to. `to` is `people`, the `administrator`, or
    `programs`: webhooks alone. A private kind goes to no webhook.
    """

    label: Promise
    words: Callable[[NewsItem], Text | None]
    switch: Switch = ""
    to: str = "people"
    is_private: bool = False


KINDS = {
    "night_soon": NewsKind(gettext_lazy("Tomorrow's night"), _soon, "night"),
    "asked": NewsKind(
        gettext_lazy("An organiser asks if I'm coming"), _asked, "night", is_private=True
    ),
    "moved_up": NewsKind(gettext_lazy("A place from the waiting list"), _moved_up, "night"),
    "called_off": NewsKind(gettext_lazy("A night called off"), _called_off, "night"),
    "round_drawn": NewsKind(gettext_lazy("My table, and who sits there"), _drawn, "table"),
    "to_confirm": NewsKind(
        gettext_lazy("A result to confirm"), _to_confirm, "table", is_private=True
    ),
    "night_result": NewsKind(gettext_lazy("A night's result"), _result, "result"),
    "month_table": NewsKind(gettext_lazy("Monthly season standings"), _month, "result"),
    "debt": NewsKind(gettext_lazy("A reminder of a debt"), _debt, "money", is_private=True),
    "name": NewsKind(gettext_lazy("My name in a club"), _name, "result", is_private=True),
    "dispute": NewsKind(gettext_lazy("A disputed result (organisers)"), _dispute),
    "schedule_failed": NewsKind(gettext_lazy("A schedule that failed (organisers)"), _failed),
    "run_finished": NewsKind(gettext_lazy("A finished bot tournament"), _run, to="programs"),
    "bot_checked": NewsKind(gettext_lazy("A checked bot"), _checked, to="programs"),
    "trouble": NewsKind(
        gettext_lazy("Trouble with the server (administrator)"), _trouble, to="administrator"
    ),
    "test": NewsKind(gettext_lazy("Test"), _test, to="programs"),
}


def kinds_at(switch: str) -> list[str]:
    """Return the kinds that a switch of *Me* turns on and off."""
    return [kind for kind, one in KINDS.items() if switch and one.switch == switch]
