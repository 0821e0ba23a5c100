"""The text of messages in their reader's language: a subject and lines."""

import datetime
import zoneinfo
from collections.abc import Callable, Iterator
from copy import copy
from typing import Any, Literal, NamedTuple

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format, time_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts import mail
from accounts.models import User
from accounts.zones import read_in
from league.base import texts
from league.base.domain.grouped import grouped
from league.base.facts import log_marks
from league.base.facts.next_nights import coming_at, when_and_where
from league.clubs.facts.people import name_of
from league.models import (
    Club,
    Dispute,
    EntryDoubt,
    Event,
    FormerName,
    HiddenName,
    NewsItem,
    Place,
    Player,
    Posting,
    ReportedPayment,
    Result,
    Round,
    SignUpAnswer,
    Sitting,
)
from league.models.result import latest
from league.money.facts import money, open_debts
from league.nights.facts.final_places import event_places
from league.seasons.facts.standings import first_three, season_standings
from tables.base import rulesets
from tables.models import Seat, Sprint, Table, TableInvite

Text = tuple[str, list[str]]


class NewsText(NamedTuple):
    subject: str
    lines: list[str]

    @property
    def all_lines(self) -> list[str]:
        return [self.subject, *self.lines]


def language_of(news: NewsItem) -> str:
    """Return the language of a message: its reader's, or the club's default."""
    wish = getattr(news.reader, "news_wish", None)
    for language in (getattr(wish, "language", ""), getattr(news.reader, "language", "")):
        if language in dict(settings.LANGUAGES):
            return str(language)
    # Readers of no known language get the club's, or the server's.
    return news.club.language if news.club and news.club.language else "vi"


def zone_of(club: Club | None) -> zoneinfo.ZoneInfo:
    """Return the time zone of a club, or of the server."""
    return zoneinfo.ZoneInfo(club.time_zone if club else settings.TIME_ZONE)


def message_of(news: NewsItem) -> NewsText | None:
    """Return the text in the reader's language, or None if it is no longer true.

    It ends with its club, as night and season may have the same name in two clubs.
    """
    clock = timezone.override(zone_of(news.club))
    zone = news.reader.time_zone if news.reader else ""
    with translation.override(language_of(news)), clock, read_in(zone):
        text = KINDS[news.kind].words(news)
    if text is None:
        return None
    subject, lines = text
    is_named = news.club is None or subject.startswith(f"{news.club}: ")
    return NewsText(subject, lines if is_named else [*lines, str(news.club)])


def address_of(news: NewsItem) -> str:
    """Return the URL of the page that the message links to."""
    if news.channel is not None and news.channel.phone:
        return mail.at(reverse("league:my_night", args=[news.event_id]))
    return mail.at(KINDS[news.kind].address(news))


def _at(name: str, *keys: str) -> Callable[[NewsItem], str]:
    """Return where a page of the club is: of the message's `event`, or of what its data names."""

    def address(news: NewsItem) -> str:
        own = [news.event_id if key == "event" else news.data[key] for key in keys]
        return reverse(f"league:{name}", args=[_club(news).slug, *own])

    return address


def _at_night(news: NewsItem) -> str:
    return (_at("event", "event") if news.event_id else _at("club"))(news)


_at_club = _at("club")


def _at_money(news: NewsItem) -> str:
    return (_at("event_money", "event") if news.event_id else _at("season_money", "season"))(news)


def _at_schedules(news: NewsItem) -> str:
    """Return the page of schedules; releases before 1.2 did not note the season."""
    return (_at("schedules", "season") if "season" in news.data else _at_club)(news)


def _at_result(news: NewsItem) -> str:
    result = _waiting(news)
    if result is None:
        return _at_night(news)
    sitting = result.sitting
    keys = [_club(news).slug, news.event_id, sitting.round.number, sitting.table_no]
    return reverse("league:table", args=keys)


def _soon(news: NewsItem) -> Text | None:
    event = _event(news)
    if not event.is_open or _has_said(news, reply=SignUpAnswer.Reply.NO):
        return None
    coming = coming_at([event]).get(event.pk)
    lines = [when_and_where(event)]
    if coming is not None:
        lines.append(_("Coming so far: %(n)s.") % {"n": coming})
    return f"{news.club}: {event.name}", lines


def _asked(news: NewsItem) -> Text | None:
    event = _event(news)
    answers = SignUpAnswer.objects.filter(sign_up__event=news.event_id)
    if not event.is_open or answers.filter(player__user=news.reader).exists():
        return None
    coming = _("Coming so far: %(n)s.") % {"n": coming_at([event]).get(event.pk, 0)}
    return _("Are you coming? %(night)s") % {"night": event.name}, [when_and_where(event), coming]


def _moved_up(news: NewsItem) -> Text | None:
    event = _event(news)
    if not event.is_open or (news.webhook is None and not _has_said(news, is_in=True)):
        return None
    subject = _("%(name)s has a place now") % {"name": news.data.get("player", "")}
    return subject, [f"{event.name}: {when_and_where(event)}"]


def _has_said(news: NewsItem, **answer: object) -> bool:
    """Return whether the reader's answer to the night's sign-up is such a one."""
    answers = SignUpAnswer.objects.filter(sign_up__event=news.event_id, **answer)
    return any(news.is_for(one.player) for one in answers.select_related("player"))


def _called_off(news: NewsItem) -> Text | None:
    event = _event(news)
    if not event.called_off_at:
        return None
    return _("%(night)s is called off") % {"night": event.name}, [when_and_where(event)]


def _has_moved(news: NewsItem) -> Text | None:
    """Return when and where the night is and was; None once it is as it was."""
    event, known = _event(news), news.data["was"]
    was = copy(event)
    was.date, was.venue = datetime.date.fromisoformat(known["date"]), known["venue"]
    hour = known["starts_at"]
    was.starts_at = datetime.time.fromisoformat(hour) if hour else None
    is_later = (was.date, was.starts_at) != (event.date, event.starts_at)
    if not event.is_open or (was.venue == event.venue and not is_later):
        return None
    subject = _("%(night)s: another time") if is_later else _("%(night)s: another place")
    lines = [when_and_where(event), _("Before: %(when)s") % {"when": when_and_where(was)}]
    return subject % {"night": event.name}, lines


def _drawn(news: NewsItem) -> Text | None:
    """Return the reader's own table, or all tables for a webhook."""
    event, number = _event(news), {"round": news.data["round"]}
    drawn = event.rounds.filter(status=Round.Status.RELEASED).order_by("-number").first()
    if not event.is_open or drawn is None or drawn.number != number["round"]:
        return None
    places = Place.objects.filter(round=drawn, to_game=None).order_by("sitting__table_no", "seat")
    tables = grouped(
        (place.sitting.table_no, place.entrant.player)
        for place in places.select_related("sitting", "entrant__player__merged_into")
    )
    if news.webhook is not None:
        lines = [_at_table(table_no, people) for table_no, people in tables.items()]
        return _("%(night)s: round %(round)s") % (number | {"night": event.name}), lines
    for table_no, people in tables.items():
        if any(news.is_for(player.merged_into or player) for player in people):
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
    is_new = "corrected" not in news.data
    subject = _("%(night)s: the result") if is_new else _("%(night)s: the corrected result")
    return subject % {"night": event.name}, lines


def _dispute(news: NewsItem) -> Text | None:
    """Return the game for a webhook, and for a person all that are disputed now."""
    night = {"night": _event(news).name}
    if "game" in news.data:
        where = _where(*(news.data.get(key, "") for key in ("round", "table", "game")))
        return _("%(night)s: a game is disputed") % night, [where]
    found = Dispute.objects.filter(
        sitting__round__event=news.event_id, outcome=Dispute.Outcome.OPEN
    ).select_related("sitting__round")
    lines = [
        _where(one.sitting.round.number, one.sitting.table_no, one.game_no)
        for one in found[:MOST_ENTRIES]
    ]
    if len(lines) < 2:
        return (_("%(night)s: a game is disputed") % night, lines) if lines else None
    count = found.count()
    lines += ["…"] if count > len(lines) else []
    return _("%(night)s: %(n)s games are disputed") % {**night, "n": count}, lines


def _called(news: NewsItem) -> Text | None:
    """Return which table calls, until an organiser is on the way."""
    found = Sitting.objects.filter(pk=news.data["sitting"], called_at__isnull=False)
    table = found.filter(call_seen_at=None).select_related("round").first()
    if table is None or not _event(news).is_open:
        return None
    numbers = {"round": table.round.number, "table": table.table_no}
    lines = [_("Round %(round)s, table %(table)s") % numbers, table.call_note]
    subject = _("%(night)s: a table calls the organiser") % {"night": _event(news).name}
    return subject, [line for line in lines if line]


def _collected(news: NewsItem) -> Text | None:
    """Return the subjects of what was beyond a day's messages, but for what is no longer true."""
    day = {"created_at__gte": news.data["from"], "created_at__lt": news.data["to"]}
    receiver = {"user": news.user_id, "channel": news.channel_id}
    found = _club(news).news.filter(error="collected", **day, **receiver).order_by("pk")
    rows = found.select_related("club", "event__season__club", "event__ruleset", "user")
    texts = [KINDS[one.kind].words(one) for one in rows[:MOST_COLLECTED]]
    lines = list(dict.fromkeys(text[0] for text in texts if text))
    if not lines:
        return None
    return _("%(club)s: what else there was yesterday") % {"club": news.club}, lines


MOST_COLLECTED = 200


def _failed(news: NewsItem) -> Text:
    subject = _("%(name)s was not created") % {"name": news.data.get("schedule", "")}
    day = news.data.get("day")
    shown = date_format(datetime.date.fromisoformat(day), "SHORT_DATE_FORMAT") if day else ""
    return subject, [shown, _("The schedule's page says why.")]


def _season_ends(news: NewsItem) -> Text | None:
    if not _club(news).seasons.filter(ends_on=news.data["day"]).exists():
        return None
    day = date_format(datetime.date.fromisoformat(news.data["day"]), "SHORT_DATE_FORMAT")
    return _("Last day of %(season)s: %(day)s") % {"season": news.data["season"], "day": day}, [
        _("Its schedules create no nights after that. Begin the next season on the club's page.")
    ]


def _run(news: NewsItem) -> Text:
    return _("%(name)s: the bot tournament is over") % {"name": _event(news).name}, []


def _checked(news: NewsItem) -> Text:
    passed = news.data["state"] == "sound"
    text = _("%(bot)s passed its check") if passed else _("%(bot)s failed its check")
    return text % news.data, []


def _debt(news: NewsItem) -> Text | None:
    season = _club(news).seasons.get(pk=news.data["season"])
    found = Player.objects.select_related("merged_into")
    people = found.in_bulk([news.data["payer"], news.data["payee"]])
    payer, payee = (people.get(news.data[key]) for key in ("payer", "payee"))
    if payer is None or payee is None or not news.is_for(payer.merged_into or payer):
        return None
    keys = (payer.merged_into_id or payer.pk, payee.merged_into_id or payee.pk)
    debt = open_debts.owed_by(keys[:1], keys[1], season, news.event)
    if debt is None:
        return None
    fields = {"name": payee.name, "amount": texts.amount(debt.amount, season.unit)}
    text = _("You still owe %(name)s %(amount)s.") % fields
    return text, [news.event.name if news.event else season.name]


def _entered(news: NewsItem) -> Text | None:
    """Return what others entered of money that names the reader, but for what was undone."""
    since = datetime.datetime.fromisoformat(news.data["since"])
    hour = since.replace(minute=0, second=0, microsecond=0)
    until = hour + datetime.timedelta(hours=1)  # Then the next hour's message begins.
    season = _club(news).seasons.get(pk=news.data["season"])
    found = list(
        season.postings.filter(event=news.event_id, at__gte=since)
        .exclude(kind__in=(Posting.Kind.GAME, Posting.Kind.SIDE))
        .exclude(by=news.reader or 0)
        .order_by("pk")
        .select_related("by", "reverses", "season__club")
    )
    undone, own = {one.reverses_id for one in found}, {one.pk for one in found}
    lines = [
        line
        for one in found
        if one.at < until and one.pk not in undone and one.reverses_id not in own
        for line in _lines_of(news, one)
    ]
    if not lines:
        return None
    lines[MOST_ENTRIES:] = ["…"] if len(lines) > MOST_ENTRIES else []
    about = news.event.name if news.event else season.name
    lines += [_("If something is not right, say so on this page.")]
    return _("%(club)s: money entered in your name") % {"club": news.club}, [about, *lines]


def _lines_of(news: NewsItem, posting: Posting) -> Iterator[str]:
    unit, who = posting.season.unit, name_of(_club(news).pk, posting.by)
    for moved in money.listed(posting.transfers.all()):
        # What nobody signed is a payee's yes on a phone.
        others = moved.hands[:1] if posting.by is None and news.reader is None else moved.hands
        named = [account.player for account in others if account.player]
        if any(news.is_for(player.merged_into or player) for player in named):
            fields = dict(zip(("payer", "payee"), moved.hands, strict=True))
            amount = texts.amount(moved.amount, unit)
            what = _("%(payer)s to %(payee)s: %(amount)s") % {**fields, "amount": amount}
            what = f"{posting.get_kind_display()}, {what}"
            if posting.reverses_id:
                what = _("reversed: %(what)s") % {"what": what}
            time = time_format(timezone.localtime(posting.at), "H:i")
            yield _("%(time)s, entered by %(who)s: %(what)s") % {
                "time": time, "who": who, "what": what,
            }  # fmt: skip


def _doubted(news: NewsItem) -> Text | None:
    found = EntryDoubt.objects.filter(pk=news.data["doubt"], posting__posting=None)
    doubt = found.select_related("posting__season__club", "player").first()
    if doubt is None:
        return None
    subject = _("%(name)s says that an entry is not right") % {"name": doubt.player}
    sums = [moved.amount for moved in doubt.posting.transfers.all()]
    amount = texts.amount(sum(sums), doubt.posting.season.unit)
    return subject, [f"{doubt.posting.get_kind_display()}: {amount}"]


def _reported(news: NewsItem) -> Text | None:
    """Return what a payer says was paid, until it is answered."""
    row = ReportedPayment.objects.filter(pk=news.data["report"]).first()
    if row is None or row.outcome != ReportedPayment.Outcome.OPEN:
        return None
    text = _("%(payer)s says they paid %(payee)s %(amount)s")
    return text % _sides(news, row), [_("Did it arrive? Say so on this page.")]


def _not_received(news: NewsItem) -> Text | None:
    people = ("payer__merged_into", "payee__merged_into")
    row = ReportedPayment.objects.filter(pk=news.data["report"]).select_related(*people).first()
    if row is None:
        return None
    payer, payee = ((one.merged_into or one).pk for one in (row.payer, row.payee))
    if open_debts.owed_by([payer], payee, row.season, row.event) is None:
        return None
    text = _("%(payee)s has not received %(amount)s from %(payer)s")
    return text % _sides(news, row), [_("Ask. Once it has arrived, say again that you paid.")]


def _sides(news: NewsItem, row: ReportedPayment) -> dict[str, object]:
    amount = texts.amount(row.amount, row.season.unit)
    return {"payer": row.payer, "payee": row.payee, "amount": amount}


MOST_ENTRIES = 10
"""The most entries that one message names."""


def trouble(data: dict[str, Any]) -> Text:
    """Return the words for a trouble of the server, without the database."""
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
    "week": gettext_lazy(
        "Moments before %(value)s can't be restored any more: less than a week is kept, as the "
        "log of changes has become too large."
    ),
    "differences": gettext_lazy("Last night's check found %(value)s differences in the figures."),
    "disk": gettext_lazy("The disk is nearly full: %(value)s GB are free."),
    "full": gettext_lazy(
        "The disk is full: %(value)s MB are free. Nothing can be saved until there is room."
    ),
    "hours": gettext_lazy(
        "At the pace of the last hour the disk is full within six hours: %(value)s GB are free."
    ),
    "days": gettext_lazy(
        "At the pace of the last day the disk is full within three days: %(value)s GB are free."
    ),
    "silent": gettext_lazy(
        "The server can't look for faults since %(value)s: its database, its messages or its "
        "workers don't answer."
    ),
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


def _published(news: NewsItem) -> Text | None:
    club = _club(news)
    if not club.is_public:
        return None
    lines = [_("Everyone can see its players' names, results and standings, but no money.")]
    return _("%(club)s is public now") % {"club": club}, lines


def _removed(news: NewsItem) -> Text:
    """Return who removed a name, without the name."""
    by = name_of(_club(news).pk, User.objects.filter(pk=news.data["by"]).first())
    key = news.data["player"]
    former = FormerName.objects.filter(player=key, until__gt=timezone.now())
    is_kept = former.exists() or HiddenName.objects.filter(player=key).exists()
    lines = [_("%(who)s removed the name of player %(number)s.") % {
        "who": by, "number": key,
    }]  # fmt: skip
    if is_kept:
        lines.append(_("For a week you can bring it back on the player's page."))
    else:
        lines.append(_("They say that the person asked for it. It can't be brought back."))
    return _("%(club)s: a name was removed") % {"club": news.club}, lines


def _owners(news: NewsItem) -> Text:
    """Return whose role as owner an administrator is to decide on."""
    who = name_of(_club(news).pk, User.objects.filter(pk=news.data["user"]).first())
    said = _(
        "%(name)s stopped that another owner ends this role. You decide, on its members' page."
    )
    return _("%(club)s: who owns it?") % {"club": news.club}, [said % {"name": who}]


def _club(news: NewsItem) -> Club:
    assert news.club is not None
    return news.club


def _invited(news: NewsItem) -> Text | None:
    invite = TableInvite.objects.filter(pk=news.data["invite"]).select_related("table").first()
    if invite is None or invite.table.closed_at:
        return None
    return _("%(name)s asks you to a table") % {"name": invite.name}, [
        rulesets.of(invite.table).name
    ]


def _company(news: NewsItem) -> Text | None:
    """Return who waits where, until someone else has come or the person has gone."""
    seat = Seat.objects.filter(pk=news.data["seat"], left_at=None).select_related("table").first()
    if seat is None or seat.table.seats.filter(left_at=None, bot="").count() > 1:
        return None
    return _("%(name)s waits for players") % {"name": seat.name}, [rulesets.of(seat.table).name]


def _turn(news: NewsItem) -> Text | None:
    """Return whose turn it is and for how long, unless someone has moved since."""
    table = Table.objects.filter(pk=news.data["table"]).first()
    if table is None or table.moved_version != news.data["version"] or table.due_at is None:
        return None
    seconds = int((table.due_at - timezone.now()).total_seconds())
    left = ngettext("%(n)s second left", "%(n)s seconds left", seconds) % {"n": seconds}
    return _("Your turn"), [f"{rulesets.of(table).name}, {left}"]


def _sprint(news: NewsItem) -> Text | None:
    sprint = Sprint.objects.filter(pk=news.data["sprint"]).first()
    if sprint is None:
        return None
    at = time_format(timezone.localtime(sprint.starts_at))
    lines = [_("It begins at %(time)s. Your table opens on its page.") % {"time": at}]
    return _("The half-hour tournament begins soon"), lines


def _at_table_of(news: NewsItem) -> str:
    """Return the page of the table that the message is about, or the lobby if it has gone."""
    by = {"invite": "invites__pk", "seat": "seats__pk", "table": "pk"}
    wanted = {by[name]: news.data[name] for name in by if name in news.data}
    key = Table.objects.filter(**wanted).values_list("key", flat=True).first()
    return reverse("tables:table", args=[key]) if key else reverse("tables:lobby")


def _at_sprint(news: NewsItem) -> str:
    key = Sprint.objects.values_list("key", flat=True).get(pk=news.data["sprint"])
    return reverse("tables:sprint", args=[key])


def _test(_news: NewsItem) -> Text:
    return _("Test"), [_("This webhook works.")]


def _event(news: NewsItem) -> Event:
    assert news.event is not None
    return news.event


Switch = Literal["night", "table", "result", "money", ""]
"""The switches of *Me*, and none."""


class NewsKind(NamedTuple):
    """A kind of message: its name in settings, how its text is made, and where it leads.

    `switch` is the switch of *Me* that it belongs to. `to` is `people`, the `administrator`,
    `programs`: webhooks alone, or `rest`: who was to get others. A private kind goes to no webhook.
    """

    label: Promise
    words: Callable[[NewsItem], Text | None]
    switch: Switch = ""
    to: str = "people"
    is_private: bool = False
    address: Callable[[NewsItem], str] = _at_night


KINDS = {
    "night_soon": NewsKind(gettext_lazy("Tomorrow's night"), _soon, "night"),
    "asked": NewsKind(
        gettext_lazy("An organiser asks if I'm coming"), _asked, "night", is_private=True
    ),
    "moved_up": NewsKind(gettext_lazy("A place from the waiting list"), _moved_up, "night"),
    "called_off": NewsKind(gettext_lazy("A night called off"), _called_off, "night"),
    "moved": NewsKind(gettext_lazy("A night at another time or place"), _has_moved, "night"),
    "invited": NewsKind(
        gettext_lazy("An invitation to a table"),
        _invited,
        "night",
        is_private=True,
        address=_at_table_of,
    ),
    "company": NewsKind(
        gettext_lazy("A friend who waits at a table"),
        _company,
        "night",
        is_private=True,
        address=_at_table_of,
    ),
    "sprint_soon": NewsKind(
        gettext_lazy("My half-hour tournament begins"),
        _sprint,
        "night",
        is_private=True,
        address=_at_sprint,
    ),
    "turn": NewsKind(
        gettext_lazy("My turn online"), _turn, "table", is_private=True, address=_at_table_of
    ),
    "round_drawn": NewsKind(gettext_lazy("My table, and who sits there"), _drawn, "table"),
    "to_confirm": NewsKind(
        gettext_lazy("A result to confirm"),
        _to_confirm,
        "table",
        is_private=True,
        address=_at_result,
    ),
    "night_result": NewsKind(
        gettext_lazy("A night's result"), _result, "result", address=_at("recap", "event")
    ),
    "month_table": NewsKind(
        gettext_lazy("Monthly season standings"), _month, "result", address=_at("season", "season")
    ),
    "debt": NewsKind(
        gettext_lazy("A reminder of a debt"), _debt, "money", is_private=True, address=_at_money
    ),
    "entered": NewsKind(
        gettext_lazy("Money that others enter in my name"),
        _entered,
        "money",
        is_private=True,
        address=_at_money,
    ),
    "entry_doubted": NewsKind(
        gettext_lazy("An entry that a player says is not right (organisers)"),
        _doubted,
        "money",
        is_private=True,
        address=_at_money,
    ),
    "reported": NewsKind(
        gettext_lazy("A payment to me, to be confirmed"),
        _reported,
        "money",
        is_private=True,
        address=_at_money,
    ),
    "not_received": NewsKind(
        gettext_lazy("A payment of mine that did not arrive"),
        _not_received,
        "money",
        is_private=True,
        address=_at_money,
    ),
    "name": NewsKind(
        gettext_lazy("My name in a club"),
        _name,
        "result",
        is_private=True,
        address=_at("player", "player"),
    ),
    "published": NewsKind(
        gettext_lazy("A club of mine that became public"),
        _published,
        "result",
        is_private=True,
        address=_at_club,
    ),
    "name_removed": NewsKind(
        gettext_lazy("A name that an organiser removed (owners)"),
        _removed,
        "result",
        is_private=True,
        address=_at("player_edit", "player"),
    ),
    "dispute": NewsKind(gettext_lazy("A disputed result (organisers)"), _dispute, "table"),
    "called": NewsKind(
        gettext_lazy("A table that calls (organisers)"), _called, "table", is_private=True
    ),
    "collected": NewsKind(
        gettext_lazy("What is beyond a day's messages"),
        _collected,
        to="rest",
        is_private=True,
        address=_at_club,
    ),
    "schedule_failed": NewsKind(
        gettext_lazy("A schedule that failed (organisers)"),
        _failed,
        "night",
        address=_at_schedules,
    ),
    "season_ends": NewsKind(
        gettext_lazy("The last day of a season with a schedule (organisers)"),
        _season_ends,
        "night",
        address=_at_club,
    ),
    "run_finished": NewsKind(gettext_lazy("A finished bot tournament"), _run, to="programs"),
    "bot_checked": NewsKind(
        gettext_lazy("A checked bot"), _checked, to="programs", address=_at("bot", "pk")
    ),
    "trouble": NewsKind(
        gettext_lazy("Trouble with the server (administrator)"),
        lambda news: trouble(news.data),
        "result",
        to="administrator",
        address=lambda _news: reverse("server"),
    ),
    "owners": NewsKind(
        gettext_lazy("Owners of a club who disagree (administrator)"),
        _owners,
        "result",
        to="administrator",
        is_private=True,
        address=_at("members"),
    ),
    "test": NewsKind(gettext_lazy("Test"), _test, to="programs"),
}


def kinds_at(switch: str) -> list[str]:
    """Return the kinds that a switch of *Me* turns on and off."""
    return [kind for kind, one in KINDS.items() if switch and one.switch == switch]
