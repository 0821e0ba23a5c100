"""Money pages of a season at every level, and the organisers' entries."""

import re
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts import sessions
from league.base import texts
from league.base.domain.amounts import Usual
from league.base.domain.names import fold
from league.base.lookup import find_event, find_person, find_season, first_or_404
from league.base.page_parts import Tab
from league.base.rights import Right
from league.base.views.base import (
    ClubRequest,
    asked_name,
    club_view,
    form_status,
    incomplete_form,
    must_see_money,
    own_players,
    page,
    sees_money,
    telling,
)
from league.base.views.undo import tell_done
from league.clubs.acts import players
from league.models import Event, Player, Posting, Season, Sitting, Transfer
from league.money.acts import postings
from league.money.facts import money, money_words, open_debts
from league.money.facts.money import Balance, MoneyPage, OwedPayment
from league.money.facts.reports import PaymentReport, open_reports
from league.money.forms import FORMS, HOW, PostingForm
from league.money.pages import night_money, season_short
from league.money.pages import night_sheet as sheets
from league.seasons import places
from league.seasons.facts import standings
from league.seasons.pages import player_page as people
from tables.numbers import whole_number
from tables.refusals import Refusal

EACH = "each"
"""The value of `way` that lists debts pair by pair in place of the fewest payments."""
SHOW_ALL = "show=all"
"""The query with which a season's page of money shows all of its lists."""
OF_PAYMENTS = {"way", "how", "payment", "posting"}
"""The parts of a query that ask for other payments of a night and for nothing beside."""
_PIECES = re.compile(r"[,;\n]")


@club_view(Right.SEE)
def season_money(request: ClubRequest, pk: int) -> HttpResponse:
    """Show the season's money in short; with a query in full, with its zero-sum check.

    What was asked for one of its nights is shown on that night's page.
    """
    must_see_money(request)
    season = find_season(request.club, pk)
    if not request.GET:
        return _season_in_short(request, season)
    event = _night_in(request, season)
    if event is not None:
        asked = request.GET.copy()
        del asked["event"]
        asked.setdefault("show", "all")
        answer = back_to(request, season, event)
        answer["Location"] += "?" + asked.urlencode()
        return answer
    in_play = _in_play(season)
    sums = _parts_of(request, season, in_play)
    settling = settling_of(request, season, None, sums)
    context = {
        "season": season,
        "event": None,
        "sums": sums,
        "settling": settling,
        "payments": settling.payments,
        "zero_sums": _zero_sums(request, money.sums_of_season(season), "event"),
        "shows_all": SHOW_ALL in request.GET.urlencode(),
        "in_full": True,
        "in_play": in_play,
    }
    return page(request, "league/money/season_money.html", context)


def _in_play(season: Season) -> Event | None:
    """Return a night of the season that is played now, whose money is not yet settled here."""
    return money.in_play(season.club).filter(season=season, money_tallies__isnull=False).first()


def _season_in_short(request: ClubRequest, season: Season) -> HttpResponse:
    """Show what the visitor owes, the largest open payments and the latest nights."""
    in_play = _in_play(season)
    sums = _parts_of(request, season, in_play)
    settling, found = settling_of(request, season, None, sums), list(sums.money.payments)
    nights = money.nights_of(season)
    short = season_short.short_of(found, settling.own, nights, settling.reports)
    context = {
        "season": season,
        "event": None,
        "short": short,
        "menu": season_short.menu_of(season, may_organise=request.right >= Right.ORGANISE),
        "sums": sums,
        "settling": settling,
        "payments": season_short.few(found),
        "in_play": in_play,
    }
    return page(request, "league/money/season_short.html", context)


@club_view(Right.SEE, of=find_event)
def event_money(request: ClubRequest, event: Event) -> HttpResponse:
    """Show who pays whom for the night; with a query in full, with its sheet and all entries.

    Another list of the same payments, or a page of it, has neither. Those who see the season's
    money also have the zero-sum check, and each table's and game's own.
    """
    must_see_money(request, event)
    sitting, game = _table_of(request, event)
    if sitting is not None:
        must_see_money(request)
    each, how = request.GET.get("way") == EACH, _how(request.GET)
    transfers = event.transfers.all()
    moves: money.MoneyMoves = event.money_tallies.all()
    if sitting is not None:
        moves = transfers = transfers.filter(result__sitting=sitting)
    if game is not None:
        moves = transfers = transfers.filter(result__game_no=game)
    paid = None if each or sitting else money.payments_in(event.season, event)
    parts = money_parts(request, moves, transfers, paid, each=event if each else None)
    is_whole, sees_season = bool(request.GET.keys() - OF_PAYMENTS), sees_money(request)
    context: dict[str, Any] = {
        "event": event,
        "season": event.season,
        "each": each,
        "in_full": bool(request.GET),
        "is_whole": is_whole,
        "shows_all": SHOW_ALL in request.GET.urlencode(),
        "scope": money_words.scope_name(event, sitting, game) if sitting else "",
        "menu": night_money.menu_of(
            event, sees_season=sees_season, may_organise=request.right >= Right.ORGANISE
        ),
        "sums": parts,
        "payments": parts.payments,
    }
    if is_whole and sees_season:
        level = "game" if sitting else "sitting"
        context["zero_sums"] = _zero_sums(request, transfers, level, lists=game is None)
    # Debts are settled by night or season, never for a single table or game.
    if sitting is None:
        settling = settling_of(request, event.season, event, parts)
        is_open = settling.payments.paginator.count > 0
        shown = settling.payments
        every = shown.paginator.object_list if shown.has_other_pages() else shown
        ordered = sorted(every, key=lambda each: not night_money.is_of(each, settling.own))
        shown.object_list = ordered[max(0, shown.start_index() - 1) :][: shown.paginator.per_page]
        context |= {
            "ways": [
                Tab(_("Fewest payments"), _asking(how=how), not each),
                Tab(_("Pair by pair"), _asking(way=EACH, how=how), each),
            ],
            "settling": settling,
            "payments": settling.payments,
            "night": night_money.night_money(
                event,
                parts.money.payments if is_open else [],
                settling.own,
                settling.reports,
            ),
        }
        if sees_season and context["night"].own and not event.is_in_play:
            context["is_part"] = open_debts.has_more(event)
        if is_whole:
            only = parts.balances if parts.query else None
            context["sheet"] = sheets.of_night(event, even=settling.is_even, only=only)
    return page(request, "league/money/event_money.html", context)


@club_view(Right.SEE, of=find_event)
def night_sheet(request: ClubRequest, event: Event) -> HttpResponse:
    """Lead to the sheet on the night's own page, where it stood apart until 1.2."""
    must_see_money(request, event)
    return redirect(night_money.sheet_of(event))


class ZeroSums(NamedTuple):
    """The zero-sum check of some money: of all, and of its parts at that level."""

    whole: money.Proof
    parts: Page[money.Proof]
    level: str


def _zero_sums(
    request: ClubRequest, moves: money.MoneyMoves, level: str, *, lists: bool = True
) -> ZeroSums:
    found = money.proofs(moves, level) if lists else []
    whole = money.sum_of(found) if found else money.proof_of_all(moves)
    return ZeroSums(whole, _page(request, "part", found), level)


@dataclass(frozen=True)
class MoneyParts:
    """Balances, payments and the latest transfers, with the query parameters to repeat.

    `scope` repeats all parameters, `within` all but the name searched for.
    """

    money: MoneyPage
    query: str
    balances: Page[Balance]
    payments: Page[OwedPayment]
    transfers: list[Transfer]
    kept: list[tuple[str, str]]
    within: str
    scope: str


@dataclass(frozen=True)
class Settling:
    """The payments to settle, other entries of the ledger, and what organisers need to settle.

    `own` are the visitor's players, `reports` the payments that wait for a yes. `is_even` says that
    nothing of a night is open because all of its season is settled.
    """

    payments: Page[OwedPayment]
    postings: Page[Posting]
    client_id: uuid.UUID
    is_even: bool = False
    own: Collection[int] = ()
    reports: Sequence[PaymentReport] = ()
    can_settle: bool = False
    how: str = ""
    hows: Sequence[Tab] = ()
    open_sum: int = 0
    of_people: Sequence[open_debts.OfPerson] = ()
    paid_over_the_season: bool = False

    @property
    def has_more(self) -> bool:
        """Whether the entries say more than that the payments listed above them are paid."""
        paid, entries = Posting.Kind.SETTLEMENT, self.postings
        return entries.number > 1 or any(one.kind != paid or one.doubts.all() for one in entries)

    @property
    def you(self) -> int | None:
        """The visitor's player, if there is one alone: who has several reads their names."""
        return next(iter(self.own)) if len(self.own) == 1 else None

    @property
    def names_own(self) -> bool:
        """Whether one of the visitor's players may say *Not right* of an entry."""
        return any(money.names_one_of(one, self.own) for one in self.postings)


def settling_of(
    request: ClubRequest, season: Season, event: Event | None, parts: MoneyParts
) -> Settling:
    """Return how to settle the debts shown, and the list of entries."""
    beside = money.postings_of(season).exclude(kind=Posting.Kind.GAME)
    settling = Settling(
        payments=parts.payments,
        postings=_page(request, "posting", beside.filter(event=event) if event else beside),
        client_id=uuid.uuid4(),
        own=own_players(request, event),
        reports=open_reports(season, event),
    )
    if event is not None and money.is_even(money.due_in(season, event)):
        return replace(settling, payments=_page(request, "payment", []), is_even=True)
    if request.right < Right.ORGANISE:
        return settling
    found, how = parts.money.payments, _how(request.GET)
    asked = dict(parts.kept) | {"q": parts.query}
    return replace(
        settling,
        can_settle=True,
        how=how,
        hows=[
            Tab(str(words), _asking(**asked | {"how": key}), key == how)
            for key, words in HOW.items()
        ],
        open_sum=found.total if len(found) > 1 and not parts.query else 0,
        of_people=open_debts.by_person(found) if parts.payments.paginator.num_pages == 1 else [],
        paid_over_the_season=event is not None and open_debts.paid_over_the_season(season),
    )


@require_POST
@club_view(Right.ORGANISE, of=find_season)
def settle(request: ClubRequest, season: Season) -> HttpResponse:
    """Post the tapped debts as paid; the message offers to undo it."""
    event = _night_in(request, season)
    keys = (whole_number(request.POST.get(name)) for name in open_debts.Which._fields)
    each = event is not None and request.POST.get("way") == EACH
    how = _how(request.POST)
    with telling(request):
        posting = postings.settle_open(
            season=season,
            event=event,
            which=open_debts.Which(*keys),
            amount=whole_number(request.POST.get("amount")) or 0,
            by=request.user,
            client_id=form_key(request),
            each=each,
            note=Posting.HOW.get(how, ""),
        )
        undo = reverse("league:posting_reverse", args=[request.club.slug, season.pk, posting.pk])
        fields = [("client_id", uuid.uuid4()), ("event", event.pk if event else "")]
        tell_done(request, _paid_words(posting), undo, fields)
    back = back_to(request, season, event)
    shows = "all" if request.POST.get("show") else ""
    if each or how or shows:
        back["Location"] += _asking(way=EACH if each else "", how=how, show=shows)
    return back


def _how(said: QueryDict) -> str:
    """Return the chosen way of paying, a key of `HOW`, empty by default."""
    how = said.get("how", "")
    return how if how in HOW else ""


def _asking(**asked: str) -> str:
    """Return the query string of the arguments that are not empty."""
    return "?" + urlencode([pair for pair in asked.items() if pair[1]])


def _paid_words(posting: Posting) -> str:
    """Return the message for a payment posted by a tap."""
    moves = posting.transfers.select_related("payer__player", "payee__player", "payer__club")
    unit = posting.season.unit
    if len(moves) > 3:
        text = _("%(count)s payments are noted as paid, %(amount)s in all.")
        total = texts.amount(sum(move.amount for move in moves), unit)
        return text % {"count": len(moves), "amount": total}
    text = _("%(payer)s paid %(payee)s %(amount)s.")
    return " ".join(
        text
        % {
            "payer": move.payee,
            "payee": move.payer,
            "amount": texts.amount(move.amount, unit),
        }
        for move in moves
    )


def back_to(request: ClubRequest, season: Season, event: Event | None) -> HttpResponse:
    """Redirect to the money page of the night, or without one of the season."""
    if event is not None:
        return redirect("league:event_money", slug=request.club.slug, pk=event.pk)
    return redirect("league:season_money", slug=request.club.slug, pk=season.pk)


def money_parts(
    request: ClubRequest,
    moves: money.MoneyMoves,
    transfers: QuerySet[Transfer],
    paid: QuerySet[Transfer] | None = None,
    due: money.MoneyMoves | None = None,
    *,
    each: Event | None = None,
) -> MoneyParts:
    """Return the parts of the money pages: balances, payments, the latest transfers.

    `due` are those of the moves that are to settle, all by default. `each` is a night whose debts
    are shown pair by pair, not as the fewest payments.
    """
    found = money.money_page(moves, paid, due)
    if each is not None:
        found = replace(found, payments=money.each_with_each(each))
    query = asked_name(request)
    balances, payments = found.of(query) if query else (found.balances, found.payments)
    fields = [
        (name, key)
        for name in ("event", "sitting", "game")
        if (key := request.GET.get(name, "")) and whole_number(key) is not None
    ]
    fields += [("way", EACH)] if each is not None else []
    fields += [("how", how)] if (how := _how(request.GET)) else []
    return MoneyParts(
        money=found,
        query=query,
        balances=_page(request, "page", balances),
        payments=_page(request, "payment", payments),
        transfers=money.latest(transfers),
        kept=fields,
        within="".join(f"{urlencode([pair])}&" for pair in fields),
        scope="".join(f"{urlencode([pair])}&" for pair in (*fields, ("q", query)) if pair[1]),
    )


def _parts_of(request: ClubRequest, season: Season, in_play: Event | None) -> MoneyParts:
    moves, paid = money.sums_of_season(season), money.payments_in(season)
    due = money.due_in(season) if in_play else None
    return money_parts(request, moves, money.of_season(season), paid, due)


def _page(request: ClubRequest, name: str, items: Sequence[Any] | QuerySet[Any]) -> Page[Any]:
    return Paginator(items, 100).get_page(request.GET.get(name))


@club_view(Right.SEE)
def money_between(request: ClubRequest, pk: int, one: int, other: int) -> HttpResponse:
    """Show every transfer between two people in the season."""
    must_see_money(request)
    season = find_season(request.club, pk)
    a, b = find_person(request.club, one), find_person(request.club, other)
    rows = money.between(season, people.keys_of(a), people.keys_of(b))
    context = {"season": season, "one": a, "other": b, "rows": rows}
    return page(request, "league/money/money_between.html", context)


@club_view(Right.ORGANISE, of=find_season)
def posting_create(request: ClubRequest, season: Season, kind: str) -> HttpResponse:
    """Post a cash payment, a shared cost, a fee or a prize."""
    if kind not in FORMS:
        raise Http404
    names_given = ("payer", "payee", "player", "amount", "event", "note")
    initial: dict[str, Any] = {name: request.GET.get(name, "")[:200] for name in names_given}
    initial["amount"] = whole_number(initial["amount"])
    form = FORMS[kind](request.POST or None, season=season, initial=initial)
    if request.method == "POST" and form.is_valid():
        with telling(request, form=form):
            if _post(request, season, kind, form) is not None:
                messages.success(request, _("Posted."))
                return back_to(request, season, form.cleaned_data["event"])
    names = [*request.club.players.people().values_list("name", flat=True)[:500]]
    if kind == Posting.Kind.SETTLEMENT:
        names.append(request.club.name)
    context = {
        "season": season,
        "label": Posting.Kind(kind).label,
        "title": money_words.POSTINGS[kind][0],
        "says": money_words.POSTINGS[kind][1],
        "form": form,
        "names": names,
    }
    return page(request, "league/money/money_posting.html", context, form_status(form))


@require_POST
@club_view(Right.ORGANISE, of=find_season)
def posting_reverse(request: ClubRequest, season: Season, posting: int) -> HttpResponse:
    found = first_or_404(season.postings.filter(pk=posting).select_related("game__table"))
    with telling(request, _("Reversed.")):
        postings.reverse(posting=found, by=request.user, client_id=form_key(request))
    if found.game is not None:
        return redirect("league:club_table", request.club.slug, found.game.table.key)
    return back_to(request, season, found.event if request.POST.get("event") else None)


@require_POST
@club_view(Right.SEE, of=find_season)
def posting_doubt(request: ClubRequest, season: Season, posting: int) -> HttpResponse:
    """Say that an entry that names the visitor is not right, or that it is right after all."""
    found = first_or_404(season.postings.filter(pk=posting).select_related("event"))
    must_see_money(request, found.event)
    own = money.named_in(found).keys() & set(own_players(request, found.event))
    player = first_or_404(request.club.players.filter(pk__in=own))
    by = sessions.account_of(request)
    is_right = request.POST.get("is_right") == "1"
    with telling(request, _("Saved.") if is_right else _("The organisers are told.")):
        postings.doubt(posting=found, player=player, by=by, is_right=is_right)
    return back_to(request, season, found.event if request.POST.get("event") else None)


def _night_in(request: ClubRequest, season: Season) -> Event | None:
    """Return the season's night that the query or form names; 404 if there is no such night."""
    key = _said(request, "event")
    event = find_event(request.club, key) if key is not None else None
    if event is not None and event.season_id != season.pk:
        raise Http404
    return event


def _table_of(request: ClubRequest, event: Event) -> tuple[Sitting | None, int | None]:
    """Return the night's table and its game that the query names; 404 if they are not there."""
    key, game = _said(request, "sitting"), _said(request, "game")
    if key is None:
        return None, None
    found = Sitting.objects.filter(pk=key, round__event=event)
    return first_or_404(found.select_related("round")), game


def _said(request: ClubRequest, name: str) -> int | None:
    """Return the number that the query or form says; 404 for a text that is none."""
    text = (request.POST if request.method == "POST" else request.GET).get(name)
    number = whole_number(text)
    if text and number is None:
        raise Http404
    return number


def _doubt(
    season: Season, event: Event | None, payer: Player | None, payee: Player | None, amount: int
) -> str:
    """Return the question to ask before posting a payment above the debt or far below it."""
    unit = season.unit
    debt = open_debts.between(season, event, payer, payee)
    due = debt.amount if debt else open_debts.owed_at_most(season, event, payer, payee)
    usual = Usual(least=due).far_from(amount)
    if usual is not None:
        return _("%(amount)s is very little: the debt is %(debt)s.") % {
            "amount": texts.amount(amount, unit),
            "debt": texts.amount(usual, unit),
        }
    found = open_debts.overpaid(season, event, payer=payer, payee=payee, amount=amount)
    if found is None:
        return ""
    text = _("This is %(more)s more than %(payer)s owes %(payee)s.")
    one, other = (person.name if person else season.club.name for person in (payer, payee))
    said = {"more": texts.amount(found.more, unit), "payer": one, "payee": other}
    then = _("%(payer)s will then owe %(payee)s %(amount)s.")
    return " ".join(
        [text % said]
        + [
            then % {"payer": one, "payee": other, "amount": texts.amount(much, unit)}
            for one, other, much in found.debts
        ]
    )


def _post(request: ClubRequest, season: Season, kind: str, form: PostingForm) -> Posting | None:
    """Post the form's entry; return None if the form asks a question first."""
    data = form.cleaned_data
    shared: postings.EntryFields = {
        "season": season,
        "event": data["event"],
        "amount": data["amount"],
        "note": data["note"],
        "client_id": data["client_id"],
        "by": request.user,
    }
    if kind == Posting.Kind.SETTLEMENT:
        payer, payee = (_named_or_club(request, side, data[side]) for side in ("payer", "payee"))
        is_retry = season.postings.filter(client_id=data["client_id"]).exists()
        question = _doubt(season, data["event"], payer, payee, data["amount"])
        if question and not is_retry:
            form.ask("amount", question)
        return postings.settle(payer=payer, payee=payee, **shared) if form.is_valid() else None
    if kind == Posting.Kind.PRIZE:
        return postings.award_prize(player=_named(request, "player", data["player"]), **shared)
    people = _bearers(request, season, data)
    if kind == Posting.Kind.FEE:
        return postings.charge_fee(players=people, **shared)
    paid_by = _named(request, "paid_by", data["paid_by"]) if data["paid_by"].strip() else None
    return postings.share_cost(bearers=people, paid_by=paid_by, **shared)


def _bearers(request: ClubRequest, season: Season, data: dict[str, Any]) -> list[Player]:
    """Return the people who bear the amount, bots left out unless named."""
    if data["bearers"] == "named":
        pieces = [piece for piece in _PIECES.split(data["names"]) if piece.strip()]
        return [_named(request, "names", piece) for piece in pieces]
    if data["bearers"] == "last":
        return places.in_last_place(data["event"])
    if data["bearers"] == "season":
        rows = [one for one in standings.season_standings(season) if one.row.games]
    else:
        rows = standings.event_standings(data["event"])
    return [row.player for row in rows if not row.player.bot]


def _named_or_club(request: ClubRequest, field: str, name: str) -> Player | None:
    """Return who is named; None for the club, which no player is called."""
    try:
        return _named(request, field, name)
    except ValidationError:
        if fold(name.strip()) != fold(request.club.name):
            raise
        return None


def _named(request: ClubRequest, field: str, name: str) -> Player:
    try:
        return players.named(club=request.club, name=name)
    except ValidationError as error:
        raise Refusal(error.messages, field=field) from error


def form_key(request: HttpRequest) -> uuid.UUID:
    try:
        return uuid.UUID(request.POST.get("client_id", ""))
    except ValueError as error:
        raise incomplete_form() from error
