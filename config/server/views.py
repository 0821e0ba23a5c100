"""Pages of the server's administrator about the server itself."""

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts import security_mail
from accounts.mail import REASONS
from accounts.models import SecurityEvent, SecurityMail
from accounts.signed_in import SignedInRequest
from config import held, metrics
from config.connections import BoundedHttp
from config.server import alarms, facts, report
from league.models import Verification
from league.news.acts import outbox
from league.news.facts.words import TROUBLES

View = Callable[[SignedInRequest], HttpResponse]


@dataclass(frozen=True)
class Fact:
    """A line of the page; `wrong` means that the administrator should act."""

    name: str
    value: str
    wrong: bool = False


@dataclass(frozen=True)
class Lamp:
    """A line above all figures; `state` is "well", "ask" or "wrong"."""

    name: str
    state: str
    says: list[str]
    page: str = ""
    """The name of the page where it can be mended, with its address."""
    address: str = ""


@dataclass(frozen=True)
class FactGroup:
    key: str
    title: str
    rows: list[Fact] = field(default_factory=list)
    nothing: str = ""
    """The text shown if there are no rows."""


def administrators_only(view: View) -> View:
    """Return a view that only the server's administrator may open."""

    @never_cache
    @login_required
    def wrapped(request: SignedInRequest) -> HttpResponse:
        if not request.user.is_superuser:
            raise PermissionDenied
        return view(request)

    return wrapped


@administrators_only
def server(request: SignedInRequest) -> HttpResponse:
    database, broker = facts.database(), facts.broker()
    sections = [
        _disk(database),
        _backups(),
        _checks(),
        _queues(broker),
        _requests(),
        _held(),
        _locks(),
        _versions(database, broker),
    ]
    events = SecurityEvent.objects.select_related("user", "by")[: facts.MOST]
    context = {"lamps": _lamps(), "sections": sections, "events": events}
    return render(request, "server/server.html", context | _mail())


@administrators_only
def licences(request: SignedInRequest) -> HttpResponse:
    return render(request, "server/licences.html", {"licences": facts.licences()})


@administrators_only
def bug_report(request: SignedInRequest) -> HttpResponse:
    name = f"tienlen-{timezone.now():%Y%m%d-%H%M}.json"
    return HttpResponse(
        report.report(),
        content_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@require_POST
@administrators_only
def test_mail(request: SignedInRequest) -> HttpResponse:
    """Store a test mail to the administrator's own address; the page says what becomes of it."""
    SecurityMail.objects.filter(kind=SecurityMail.Kind.TEST).exclude(outcome="").delete()
    security_mail.ask(SecurityMail.Kind.TEST, request.user.email, request.user)
    text = _("A test mail is on its way to %(address)s.")
    messages.success(request, text % {"address": request.user.email})
    return redirect("server")


def _mail() -> dict[str, object]:
    if not settings.HAS_MAIL:
        return {"has_mail": False}
    stored = SecurityMail.objects.select_related("event__user", "user").order_by("-created_at")
    test = stored.filter(kind=SecurityMail.Kind.TEST).first()
    unsent = stored.exclude(outcome="").exclude(kind=SecurityMail.Kind.TEST)
    return {
        "has_mail": True,
        "test": test,
        "became": test and (REASONS.get(test.outcome) or _("On its way.")),
        "unsent": [
            (mail, REASONS.get(mail.outcome, mail.outcome)) for mail in unsent[: facts.MOST]
        ],
    }


def _lamps() -> list[Lamp]:
    found = {
        name: str(TROUBLES[name]) % {"value": value}
        for name, value in alarms.troubles(timezone.now()).items()
    }
    data = [found[name] for name in alarms.OF_DATA if name in found]
    figures = [found["differences"]] if "differences" in found else []
    work = [found[name] for name in alarms.OF_WORK if name in found]
    kept = facts.kept_log()
    loss, is_asked = _loss(kept)
    state = "wrong" if data else "ask" if is_asked else "well"
    if kept and kept.since and kept.until:
        reach = _("Every moment from %(since)s to %(until)s can be restored.")
        data.append(reach % {"since": _moment(kept.since), "until": _moment(kept.until)})
    return [
        Lamp(_("Data"), state, [*data, loss]),
        Lamp(
            _("Figures"),
            "wrong" if figures else "well",
            figures or [_("No difference is known.")],
        ),
        Lamp(_("Work"), "wrong" if work else "well", work or [_("Nothing waits for long.")]),
        _alarms(),
    ]


def _alarms() -> Lamp:
    """Say so where nobody would be told: an owner made by the one-time link has no mailbox."""
    if outbox.are_troubles_heard():
        return Lamp(_("Alarms"), "well", [_("They reach an administrator.")])
    if settings.HAS_MAIL:
        mend = _("Enter your email address and confirm it, or let this browser notify you.")
        page, address = _("Email addresses"), reverse("account_email")
    else:
        mend = _("Let this browser or Telegram notify you, or set up a mail server.")
        page, address = _("Notifications"), reverse("my_news")
    return Lamp(_("Alarms"), "wrong", [_("Alarms reach nobody."), mend], page, address)


def _loss(kept: facts.KeptLog | None) -> tuple[str, bool]:
    """Return what is lost if the disk dies now, and whether a second place is asked for."""
    if kept is None:
        return _("The database is on a server of its own, which answers for its disk."), False
    if kept.is_on_one_disk:
        return _(
            "If this disk dies now, everything is lost: the backups stand on it too. Give them a "
            "second place: set TIENLEN_BACKUPS to another disk, a share or a bucket."
        ), True
    if not kept.is_held_up:
        return _(
            "If this disk dies now, at most the last minute is lost: the rest is in %(folder)s."
        ) % {"folder": kept.folder}, False
    since = _moment(kept.until) if kept.until else "—"
    return _("If this disk dies now, what came since %(moment)s is lost.") % {"moment": since}, True


def _disk(database: facts.DatabaseState | None) -> FactGroup:
    free, there = facts.disk()
    rows = [
        Fact(
            _("Free disk space"),
            _("%(free)s of %(total)s")
            % {"free": filesizeformat(free), "total": filesizeformat(there)},
            wrong=free < facts.FULL * there,
        )
    ]
    if database:
        rows += [
            Fact(_("Database"), filesizeformat(database.bytes)),
            Fact(_("Connections to the database"), str(database.connections)),
            Fact(
                _("Longest open transaction"),
                _seconds(database.oldest_seconds),
                wrong=database.oldest_seconds > 60,
            ),
        ]
    else:
        rows.append(Fact(_("Database"), _("no answer"), wrong=True))
    return FactGroup("disk", _("Disk and database"), rows)


def _backups() -> FactGroup:
    found = facts.backups()
    if not found.newest:
        return FactGroup(
            "backups",
            _("Backups"),
            nothing=_("No backup can be seen from here. The first one is made within a day."),
        )
    at = datetime.datetime.fromtimestamp(found.at, datetime.UTC)
    rows = [
        Fact(_("Newest"), _moment(at), wrong=timezone.now() - at > facts.OLD_BACKUP),
        Fact(_("Size"), filesizeformat(found.bytes)),
        Fact(_("Kept"), number_format(found.count)),
        Fact(_("Encrypted"), _("yes") if found.is_sealed else _("no: set TIENLEN_BACKUP_KEY")),
    ]
    if (proof := found.proof) is None:
        rows.append(Fact(_("Last restored as a test"), _("not yet")))
    else:
        late = timezone.now() - proof.moment > facts.OLD_PROOF
        value = proof.problem or _("%(moment)s, in %(seconds)s") % {
            "moment": _moment(proof.moment),
            "seconds": _seconds(proof.seconds),
        }
        rows.append(Fact(_("Last restored as a test"), value, wrong=late or bool(proof.problem)))
    return FactGroup("backups", _("Backups"), rows)


def _checks() -> FactGroup:
    last = Verification.objects.filter(finished_at__isnull=False).first()
    if last is None:
        return FactGroup("check", _("Nightly check"), nothing=_("No check yet"))
    return FactGroup(
        "check",
        _("Nightly check"),
        [
            Fact(_("Last finished"), date_format(last.day, "SHORT_DATE_FORMAT")),
            Fact(_("Differences"), number_format(last.count), wrong=last.count > 0),
        ],
    )


def _queues(broker: facts.BrokerState | None) -> FactGroup:
    rows = []
    if work := facts.work():
        tables, lease, leased, waiting = work.values()
        rows += [
            Fact(
                _("Online table that has waited longest"),
                _seconds(tables),
                wrong=tables > facts.LATE_TABLE,
            ),
            Fact(
                _("Oldest overdue batch of bot games"),
                _seconds(lease),
                wrong=lease > facts.LATE_LEASE,
            ),
            Fact(_("Batches being played"), number_format(int(leased))),
            Fact(_("Batches waiting"), number_format(int(waiting))),
        ]
    if news := facts.news():
        late, failed = news
        rows += [
            Fact(_("Oldest unsent message"), _seconds(late), wrong=late > 3600),
            Fact(_("Messages failed in seven days"), number_format(failed), wrong=failed > 0),
        ]
    if broker:
        rows += [
            Fact(
                _("Queue %(name)s") % {"name": queue},
                number_format(count),
                wrong=count > facts.LONG_QUEUE,
            )
            for queue, count in broker.queues.items()
        ]
    else:
        rows.append(Fact("Valkey", _("no answer"), wrong=True))
    return FactGroup("queues", _("Background work"), rows)


def _requests() -> FactGroup:
    rows = [
        Fact(f"{each.method} {each.route}", _seconds(each.seconds), wrong=each.seconds > 5)
        for each in facts.requests()
    ]
    return FactGroup(
        "requests", _("Requests in progress in this process"), rows, _("None besides this page.")
    )


def _held() -> FactGroup:
    """Return what clients make this process hold; near a limit the largest are dropped."""
    rows = [
        Fact(
            name,
            _("%(free)s of %(total)s") % {"free": shown(budget.held), "total": shown(budget.most)},
            wrong=budget.held > 0.9 * budget.most,
        )
        for name, budget, shown in (
            (_("Connections"), BoundedHttp.room, number_format),
            (_("Forms on their way"), held.BODIES, filesizeformat),
            (_("Files on their way"), held.UPLOADS, filesizeformat),
            (_("Answers not read yet"), held.ANSWERS, filesizeformat),
        )
    ]
    rows.append(Fact(_("Open streams"), number_format(metrics.streams())))
    return FactGroup("held", _("Held for others by this process"), rows)


def _locks() -> FactGroup:
    found = facts.locks()
    if found is None:
        return FactGroup("locks", _("Locks"), [Fact(_("Database"), _("no answer"), wrong=True)])
    rows = [
        Fact(
            _("%(name)s (%(pid)s) waits for %(holder)s (%(holder_pid)s), %(state)s")
            % {
                "name": each.name,
                "pid": each.pid,
                "holder": each.holder_name,
                "holder_pid": each.holder,
                "state": each.holder_state,
            },
            _seconds(each.seconds),
            wrong=True,
        )
        for each in found
    ]
    return FactGroup("locks", _("Locks"), rows, _("Nothing waits for a lock."))


def _versions(database: facts.DatabaseState | None, broker: facts.BrokerState | None) -> FactGroup:
    rows = [Fact(name, value) for name, value in facts.programs().items()]
    if database:
        rows.append(Fact("PostgreSQL", database.version))
    if broker:
        rows.append(Fact("Valkey", broker.version))
    jail = facts.jail()
    rows.append(Fact(_("Program jail"), jail or _("none: no program starts"), wrong=not jail))
    return FactGroup("versions", _("Parts and versions"), rows)


def _seconds(seconds: float) -> str:
    return _("%(number)s s") % {"number": number_format(seconds, decimal_pos=1)}


def _moment(at: datetime.datetime) -> str:
    return date_format(timezone.localtime(at), "SHORT_DATETIME_FORMAT")
