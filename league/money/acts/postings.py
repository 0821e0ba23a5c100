"""Postings to the ledger: cash payments, shared costs, entry fees, prizes, online games.

Each is one posting with its transfers. It is never changed, only reversed. A form's `client_id`
is posted once, however often it is sent.
"""

import uuid
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, NotRequired, TypedDict, Unpack

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from league.base import texts
from league.base.acts import audit, locks, repeats
from league.models import (
    Account,
    EntryDoubt,
    Event,
    Player,
    Posting,
    ReportedPayment,
    Season,
    Transfer,
)
from league.money import signals
from league.money.acts.ledger import account_of, mirror
from league.money.facts import money, open_debts, reports
from tables.models import Game
from tables.refusals import Refusal

MOST = 10**12
MoneyMove = tuple[Account, Account, int]
"""The account that owes more from now on, its creditor, and the amount."""


class Paid(NamedTuple):
    """A payment of a game at an online table; `detail` has facts to explain it beyond `reason`."""

    payer: Player
    payee: Player
    amount: int
    reason: str
    detail: dict[str, Any]


class EntryFields(TypedDict):
    """The fields of every entry. A `client_id` is posted once.

    Refusal: `key_reused` for one that comes again with another entry.
    """

    season: Season
    amount: int
    by: User | None
    client_id: uuid.UUID
    event: NotRequired[Event | None]
    note: NotRequired[str]


@transaction.atomic
def settle(*, payer: Player | None, payee: Player | None, **entry: Unpack[EntryFields]) -> Posting:
    """Post that `payer` handed `payee` the amount, which reduces the debt between them.

    None is the club.
    """
    if payer == payee:
        raise Refusal(_("You can't pay yourself. Choose two different people."), field="payee")
    season = entry["season"]
    taker, giver = (account_of(one) if one else club_account(season) for one in (payee, payer))
    return _post("settlement", [(taker, giver, _checked(entry["amount"]))], entry)


@transaction.atomic
def settle_open(
    *, which: open_debts.Which, each: bool = False, **entry: Unpack[EntryFields]
) -> Posting:
    """Post the chosen open debts of the night, or without one of the season, as paid.

    `each` means that the night's page lists the debts pair by pair. Debts chosen on the season's
    page are booked to the night that they settle, if there is one.
    Refusal: `stale` if the open debts no longer sum to `amount`.
    """
    season, event = locks.season(entry["season"].pk), entry.get("event")
    if same := _already_posted(entry["client_id"], season):
        repeats.check_same(_settles(same, which, entry))
        return same
    found = open_debts.of_night(event, each=each) if event else open_debts.of_season(season)
    debts = open_debts.chosen(found, which)
    if sum(debt.amount for debt in debts) != entry["amount"] or not debts:
        raise stale(debts, season.unit)
    entry["event"] = event or open_debts.night_settled_by(season, debts)
    return _post("settlement", [(debt.payee, debt.payer, debt.amount) for debt in debts], entry)


@transaction.atomic
def settle_before(*, event: Event, by: User) -> Posting | None:
    """Post the open debts of a night from a notebook as paid long ago; None where there are none.

    It is nobody's yes to a payment that was reported here, and no news.
    """
    season = locks.season_to_change(event.season_id)
    debts = money.money_page(event.money_tallies.all()).payments
    if not debts:
        return None
    posting = _save("settlement", season, event, "", by, uuid.uuid4())
    _move(posting, [(debt.payee, debt.payer, debt.amount) for debt in debts])
    _log(posting, sum(debt.amount for debt in debts))
    return posting


def stale(debts: Sequence[money.OwedPayment], unit: str) -> Refusal:
    """Return the refusal that the chosen debts have changed."""
    text = _("This was paid, or who pays whom has changed. See what is still owed.")
    if debts:
        now = texts.amount(sum(debt.amount for debt in debts), unit)
        text = _("Someone has just changed this. %(amount)s is left to pay.") % {"amount": now}
    return Refusal(text, code="stale", status=409)


@transaction.atomic
def share_cost(
    *, bearers: Sequence[Player], paid_by: Player | None = None, **entry: Unpack[EntryFields]
) -> Posting:
    """Split the amount equally among `bearers`, who owe it to `paid_by`; None is the club.

    A remainder goes to the first bearers, one unit each.
    """
    people = list(dict.fromkeys(bearers))
    if not people:
        raise Refusal(_("Choose at least one person to pay the cost."), field="bearers")
    each, rest = divmod(_checked(entry["amount"]), len(people))
    creditor = account_of(paid_by) if paid_by else club_account(entry["season"])
    shares = [(person, each + (index < rest)) for index, person in enumerate(people)]
    moves = [(account_of(p), creditor, share) for p, share in shares if share and p != paid_by]
    if not moves:
        raise Refusal(_("The person who paid upfront already pays all of it."), field="bearers")
    return _post("cost", moves, entry)


@transaction.atomic
def charge_fee(*, players: Iterable[Player], **entry: Unpack[EntryFields]) -> Posting:
    """Charge each of the players the amount, owed to the club."""
    people = list(dict.fromkeys(players))
    if not people:
        raise Refusal(_("Choose at least one person to pay the fee."), field="bearers")
    club = club_account(entry["season"])
    moves = [(account_of(person), club, _checked(entry["amount"])) for person in people]
    return _post("fee", moves, entry)


@transaction.atomic
def award_prize(*, player: Player, **entry: Unpack[EntryFields]) -> Posting:
    """Credit the player with the amount, owed by the club."""
    moves = [(club_account(entry["season"]), account_of(player), _checked(entry["amount"]))]
    return _post("prize", moves, entry)


@transaction.atomic
def post_side(*, payer: Player, payee: Player, **entry: Unpack[EntryFields]) -> Posting:
    """Post that `payer` owes `payee` the amount, for the reason in `note`."""
    if payer == payee:
        raise Refusal(_("Choose two different people."), field="payee")
    moves = [(account_of(payer), account_of(payee), _checked(entry["amount"]))]
    return _post("side", moves, entry)


@transaction.atomic
def post_game(
    *, season: Season, game: Game, payments: Sequence[Paid], client_id: uuid.UUID
) -> bool:
    """Post the engine's payments of a game at a stakes table; return False if it was posted before.

    Refusal: `closed`.
    """
    season = locks.season_to_change(season.pk)
    if Posting.objects.filter(game=game).exists():
        return False
    posting = _save("game", season, None, "", None, client_id, game=game)
    Transfer.objects.bulk_create(
        Transfer(
            payer=account_of(paid.payer),
            payee=account_of(paid.payee),
            amount=paid.amount,
            reason=paid.reason,
            detail=paid.detail,
            posting=posting,
        )
        for paid in payments
    )
    audit.log("posting.game", club=season.club, by=None, posting=posting.pk, game=game.no)
    return True


@transaction.atomic
def reverse(*, posting: Posting, by: User, client_id: uuid.UUID) -> Posting:
    """Reverse a posting by its mirror image. Refusal: `stale` if it was reversed before."""
    if same := _already_posted(client_id, _season_for(posting.kind, posting.season_id)):
        repeats.check_same(same.reverses_id == posting.pk)
        return same
    posting = Posting.objects.select_related("season__club", "event").get(pk=posting.pk)
    if posting.reverses_id:
        raise Refusal(_("This entry is itself a reversal. Post a new entry instead."))
    if Posting.objects.filter(reverses=posting).exists():
        raise Refusal(_("This was already reversed."), code="stale", status=409)
    reversal = _save(posting.kind, posting.season, posting.event, posting.note, by, client_id,
                   reverses=posting)  # fmt: skip
    Transfer.objects.bulk_create(
        mirror(transfer, posting=reversal, by=by) for transfer in posting.transfers.all()
    )
    audit.log(
        "posting.reversed",
        club=posting.season.club,
        by=by,
        event=posting.event,
        posting=posting.pk,
    )
    signals.entry_posted.send(Posting, posting=reversal)
    return reversal


@transaction.atomic
def doubt(*, posting: Posting, player: Player, by: User | None, is_right: bool) -> None:
    """Say, as a player whom the entry names, that it is not right; with `is_right`, end that.

    Refusal: `stale` for an entry that was reversed.
    """
    posting = Posting.objects.select_for_update().get(pk=posting.pk)
    if posting.reverses_id or Posting.objects.filter(reverses=posting).exists():
        raise Refusal(_("This was already reversed."), code="stale", status=409)
    own = EntryDoubt.objects.filter(posting=posting, player__in=player.names)
    if is_right:
        said = bool(own.delete()[0])
    elif said := not own.exists():
        found = EntryDoubt.objects.create(posting=posting, player=player)
        signals.entry_doubted.send(EntryDoubt, doubt=found)
    if said:
        audit.log(
            "posting.doubt_ended" if is_right else "posting.doubted",
            club=player.club,
            by=by,
            event=posting.event,
            posting=posting.pk,
            player=player.pk,
        )


def club_account(season: Season) -> Account:
    """Return the club's own account, which pays prizes and receives fees."""
    account, _created = Account.objects.get_or_create(club_id=season.club_id, player=None)
    return account


def _season_for(kind: str, pk: int) -> Season:
    """Lock the season; once it is closed, it takes payments of its debts and nothing else."""
    return locks.season(pk) if kind == Posting.Kind.SETTLEMENT else locks.season_to_change(pk)


def _post(kind: str, moves: Sequence[MoneyMove], entry: EntryFields) -> Posting:
    season, event = _season_for(kind, entry["season"].pk), entry.get("event")
    by, client_id = entry["by"], entry["client_id"]
    note = entry.get("note", "")
    if same := _already_posted(client_id, season):
        repeats.check_same(_is_of(same, kind, event, note) and _moved(same) == _sorted(moves))
        return same
    if event is not None:
        if event.season_id != season.pk:
            raise Refusal(_("This night is not part of the season."), field="event")
        locks.event_to_change(event.pk, must_be_open=False)
    if any(account.club_id != season.club_id for move in moves for account in move[:2]):
        raise Refusal(_("This is not a player of the club. Reload the page."))
    posting = _save(kind, season, event, note, by, client_id)
    _move(posting, moves)
    if kind == Posting.Kind.SETTLEMENT:
        _answer_reports(posting, moves)
    _log(posting, sum(amount for _payer, _payee, amount in moves))
    if kind != Posting.Kind.SIDE:
        signals.entry_posted.send(Posting, posting=posting)
    return posting


def _log(posting: Posting, amount: int) -> None:
    audit.log(
        f"posting.{posting.kind}",
        club=posting.season.club,
        by=posting.by,
        event=posting.event,
        posting=posting.pk,
        amount=amount,
        note=posting.note,
    )


def _answer_reports(posting: Posting, moves: Sequence[MoneyMove]) -> None:
    """Take a payment for the yes to what its payer reported, up to its amount.

    The fewest payments may name others than the payer paid: as much to them since the report is the
    yes, too, if the payer owes nothing any more.
    """
    said = reports.open_reports(posting.season)
    if not said:
        return
    paid = {(moved[1].player_id, moved[0].player_id): moved[2] for moved in moves}
    payers = {payer for payer, _payee in paid}
    net = money.net_of(money.due_in(posting.season, posting.event))
    is_even = {key for key, amounts in net.items() if sum(amounts) >= 0}
    answered = [
        one.row.pk
        for one in said
        if one.row.amount <= paid.get((one.payer.pk, one.payee.pk), 0)
        or (one.payer.pk in payers & is_even and one.row.amount <= _paid_since(one))
    ]
    ReportedPayment.objects.filter(pk__in=answered).update(
        outcome=ReportedPayment.Outcome.POSTED, posting=posting, ended_at=timezone.now()
    )


def _paid_since(report: reports.PaymentReport) -> int:
    """Return what the payer of a report has paid in its season since, to anyone."""
    paid = Transfer.objects.filter(
        payee__player__in=report.payer.names,
        posting__season=report.row.season_id,
        posting__kind=Posting.Kind.SETTLEMENT,
        posting__reverses=None,
        posting__posting=None,
        at__gte=report.row.at,
    )
    return int(paid.aggregate(sum=Sum("amount"))["sum"] or 0)


def _already_posted(client_id: uuid.UUID, season: Season) -> Posting | None:
    """Return the posting that this form made before, if any.

    The caller holds the season's lock, so of two concurrent requests the second finds it.
    """
    same = Posting.objects.filter(client_id=client_id).first()
    if same is not None and same.season_id != season.pk:
        raise Refusal(
            _("This form belongs to another season. Reload the page."),
            code="form",
        )
    return same


def _is_of(same: Posting, kind: str, event: Event | None, note: str) -> bool:
    """Return whether the posting, no reversal, has this kind, night and note."""
    said = (same.kind, same.event_id, same.note, same.reverses_id)
    return said == (kind, event.pk if event else None, _noted(note), None)


def _settles(same: Posting, which: open_debts.Which, entry: EntryFields) -> bool:
    """Return whether the posting is the payment of the chosen debts, in the chosen night if any."""
    event = entry.get("event") or same.event
    moves = same.transfers.select_related("payer__player", "payee__player")
    debts = [money.OwedPayment(move.payee, move.payer, move.amount) for move in moves]
    return (
        _is_of(same, Posting.Kind.SETTLEMENT, event, entry.get("note", ""))
        and sum(debt.amount for debt in debts) == entry["amount"]
        and open_debts.chosen(debts, which) == debts
    )


def _moved(posting: Posting) -> list[tuple[int, int, int]]:
    return sorted(posting.transfers.values_list("payer", "payee", "amount"))


def _sorted(moves: Sequence[MoneyMove]) -> list[tuple[int, int, int]]:
    return sorted((payer.pk, payee.pk, amount) for payer, payee, amount in moves)


def _noted(note: str) -> str:
    return note.strip()[:200]


def _save(
    kind: str,
    season: Season,
    event: Event | None,
    note: str,
    by: User | None,
    client_id: uuid.UUID,
    reverses: Posting | None = None,
    game: Game | None = None,
) -> Posting:
    return Posting.objects.create(
        season=season,
        event=event,
        kind=kind,
        note=_noted(note),
        client_id=client_id,
        reverses=reverses,
        game=game,
        by=by,
    )


def _move(posting: Posting, moves: Sequence[MoneyMove]) -> None:
    Transfer.objects.bulk_create(
        Transfer(
            payer=payer,
            payee=payee,
            amount=amount,
            reason=posting.kind,
            event_id=posting.event_id,
            posting=posting,
            by=posting.by,
        )
        for payer, payee, amount in moves
    )


def _checked(amount: int) -> int:
    if not 0 < amount <= MOST:
        raise Refusal(
            _("Enter a whole number from 1 to one trillion."),
            field="amount",
        )
    return amount
