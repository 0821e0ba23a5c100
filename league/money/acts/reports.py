"""Payments as their payers report them, and the yes or no of who should have received them."""

import uuid

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.acts import audit, locks, repeats
from league.models import Event, Player, Posting, ReportedPayment, Season
from league.money import signals
from league.money.acts import postings
from league.money.facts import open_debts, reports
from tables.base.columns import set_columns
from tables.base.lookup import or_raise
from tables.refusals import Refusal


@transaction.atomic
def report(
    *,
    season: Season,
    event: Event | None,
    payer: Player,
    payee: Player,
    amount: int,
    by: User | None,
    client_id: uuid.UUID,
) -> ReportedPayment:
    """Note that `payer` says to have paid what is open; a payer says it once until the answer.

    Refusal: `stale` if something else is open between the two, `key_reused`.
    """
    season = locks.season(season.pk)
    if same := ReportedPayment.objects.filter(client_id=client_id).first():
        said = (same.season, same.event, same.payer, same.payee, same.amount)
        repeats.check_same(said == (season, event, payer, payee, amount))
        return same
    if waiting := reports.between(season, payer.pk, payee.pk):
        return waiting.row
    debt = open_debts.owed_by([payer.pk], payee.pk, season, event)
    if debt is None or debt.amount != amount:
        raise postings.stale([debt] if debt else [], season.unit)
    found = ReportedPayment.objects.create(
        season=season,
        event=event,
        payer=payer,
        payee=payee,
        amount=amount,
        by=by,
        client_id=client_id,
    )
    _log("reported", found, by)
    signals.payment_reported.send(ReportedPayment, report=found)
    return found


@transaction.atomic
def confirm(*, report: ReportedPayment, by: User | None) -> Posting:
    """Post the payment, once of several yeses. Refusal: `stale` after a no."""
    season = locks.season(report.season_id)
    report = ReportedPayment.objects.select_related("event", "posting").get(pk=report.pk)
    if report.posting is not None:
        return report.posting
    found = _open(report)
    return postings.settle(
        payer=found.payer,
        payee=found.payee,
        season=season,
        event=report.event,
        amount=report.amount,
        by=by,
        client_id=uuid.uuid4(),
    )


@transaction.atomic
def end(*, report: ReportedPayment, outcome: ReportedPayment.Outcome, by: User | None) -> None:
    """Refuse a reported payment, or withdraw it. Refusal: `stale` after another answer."""
    locks.season(report.season_id)
    report = ReportedPayment.objects.get(pk=report.pk)
    _open(report)
    set_columns(report, outcome=outcome, ended_at=timezone.now())
    _log(f"report_{outcome.value}", report, by)
    if outcome == ReportedPayment.Outcome.REFUSED:
        signals.report_refused.send(ReportedPayment, report=report)


def _open(report: ReportedPayment) -> reports.PaymentReport:
    return or_raise(
        next((one for one in reports.open_reports(report.season) if one.row == report), None),
        Refusal(_("This was already answered. Reload the page."), code="stale", status=409),
    )


def _log(action: str, report: ReportedPayment, by: User | None) -> None:
    if report.event_id is not None:
        locks.event_to_change(report.event_id, must_be_open=False)
    audit.log(
        f"posting.{action}",
        club=report.season.club,
        by=by,
        event=report.event,
        season=report.season_id,
        player=report.payer_id,
        payee=report.payee_id,
        amount=report.amount,
    )
