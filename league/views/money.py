"""Money of a season at every level, and what organisers post beside the games."""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.models import Event, Player, Posting, Season, Sitting, Transfer
from league.money_forms import FORMS, PostingForm
from league.rights import Right
from league.selectors import money, people, standings
from league.services import players, postings
from league.views.base import (
    ClubRequest,
    add_errors,
    asked_name,
    club_view,
    event_or_404,
    form_status,
    incomplete_form,
    page,
    tell,
)
from league.views.players import player_or_404
from league.views.seasons import season_or_404

_PIECES = re.compile(r"[,;\n]")


@club_view(Right.SEE)
def season_money(request: ClubRequest, pk: int) -> HttpResponse:
    """Who owes whom over the season, a night, a table or a game, with the zero-sum proof."""
    season = season_or_404(request, pk)
    event, sitting, game = _scope(request, season)
    transfers, parts = money.of_season(season), "event"
    if event is not None:
        transfers, parts = event.transfers.all(), "sitting"
    if sitting is not None:
        transfers, parts = transfers.filter(result__sitting=sitting), "game"
    if game is not None:
        transfers = transfers.filter(result__game_no=game)
    moves: money.Moves = transfers if event is not None else money.sums_of_season(season)
    beside = money.postings_of(season).exclude(kind=Posting.Kind.GAME)
    context = {
        "season": season,
        "event": event,
        "sitting": sitting,
        "game": game,
        **money_context(request, moves, transfers),
        "whole": money.proof_of_all(moves),
        "parts": _page(request, "part", [] if game else money.proofs(moves, parts)),
        "level": parts,
        "postings": None if event else _page(request, "posting", beside),
        "client_id": uuid.uuid4(),
    }
    return page(request, "league/season_money.html", context)


def money_context(
    request: ClubRequest, moves: money.Moves, transfers: QuerySet[Transfer]
) -> dict[str, Any]:
    """What the templates of money show: pages of balances and payments, the latest transfers."""
    found = money.money_page(moves)
    query = asked_name(request)
    balances, payments = found.of(query) if query else (found.balances, found.payments)
    kept = [
        (name, key)
        for name in ("event", "sitting", "game")
        if (key := request.GET.get(name, "")).isdecimal()
    ]
    return {
        "money": found,
        "query": query,
        "balances": _page(request, "page", balances),
        "payments": _page(request, "payment", payments),
        "transfers": money.latest(transfers),
        "kept": kept,
        "scope": "".join(f"{urlencode([pair])}&" for pair in (*kept, ("q", query)) if pair[1]),
    }


def _page(request: ClubRequest, name: str, items: Sequence[Any] | QuerySet[Any]) -> Page[Any]:
    return Paginator(items, 100).get_page(request.GET.get(name))


@club_view(Right.SEE)
def money_between(request: ClubRequest, pk: int, one: int, other: int) -> HttpResponse:
    """Everything that moved between two people in the season."""
    season = season_or_404(request, pk)
    a, b = player_or_404(request, one), player_or_404(request, other)
    rows = money.between(season, people.keys_of(a), people.keys_of(b))
    context = {"season": season, "one": a, "other": b, "rows": rows}
    return page(request, "league/money_between.html", context)


@club_view(Right.ORGANISE)
def posting_create(request: ClubRequest, pk: int, kind: str) -> HttpResponse:
    """Posts a payment in cash, a shared cost, a fee or a prize."""
    season = season_or_404(request, pk)
    if kind not in FORMS:
        raise Http404
    initial = {name: request.GET.get(name, "")[:60] for name in ("payer", "payee", "amount")}
    form = FORMS[kind](request.POST or None, season=season, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            _post(request, season, kind, form)
        except ValidationError as error:
            add_errors(form, error)
        else:
            messages.success(request, _("Posted."))
            return redirect("league:season_money", slug=request.club.slug, pk=pk)
    names = request.club.players.filter(merged_into=None, bot="").values_list("name", flat=True)
    context = {
        "season": season,
        "kind": kind,
        "label": Posting.Kind(kind).label,
        "form": form,
        "names": list(names[:500]),
    }
    return page(request, "league/money_posting.html", context, form_status(form))


@require_POST
@club_view(Right.ORGANISE)
def posting_reverse(request: ClubRequest, pk: int, posting: int) -> HttpResponse:
    """Takes a posting back."""
    season = season_or_404(request, pk)
    found = season.postings.filter(pk=posting).select_related("game__table").first()
    if found is None:
        raise Http404
    try:
        postings.reverse(posting=found, by=request.user, client_id=_form_key(request))
    except ValidationError as error:
        tell(request, error)
    else:
        messages.success(request, _("Taken back by its mirror image."))
    if found.game is not None:
        return redirect("league:club_table", request.club.slug, found.game.table.key)
    return redirect("league:season_money", slug=request.club.slug, pk=pk)


def _scope(request: ClubRequest, season: Season) -> tuple[Event | None, Sitting | None, int | None]:
    """The night, table and game that the address asks for; 404 for what the season has not."""
    keys = [request.GET.get(name, "") for name in ("event", "sitting", "game")]
    if any(key and not (key.isdecimal() and len(key) < 18) for key in keys):
        raise Http404
    event = event_or_404(request, int(keys[0])) if keys[0] else None
    if event is not None and event.season_id != season.pk:
        raise Http404
    sitting = None
    if keys[1] and event is not None:
        found = Sitting.objects.filter(pk=keys[1], round__event=event).select_related("round")
        sitting = found.first()
        if sitting is None:
            raise Http404
    game = int(keys[2]) if keys[2] and sitting is not None else None
    return event, sitting, game


def _post(request: ClubRequest, season: Season, kind: str, form: PostingForm) -> Posting:
    data = form.cleaned_data
    shared: dict[str, Any] = {
        "season": season,
        "event": data["event"],
        "amount": data["amount"],
        "note": data["note"],
        "client_id": data["client_id"],
        "by": request.user,
    }
    if kind == Posting.Kind.SETTLEMENT:
        return postings.settle(
            payer=_named(request, "payer", data["payer"]),
            payee=_named(request, "payee", data["payee"]),
            **shared,
        )
    if kind == Posting.Kind.PRIZE:
        return postings.award_prize(player=_named(request, "player", data["player"]), **shared)
    people = _bearers(request, data)
    if kind == Posting.Kind.FEE:
        return postings.charge_fee(players=people, **shared)
    paid_by = _named(request, "paid_by", data["paid_by"]) if data["paid_by"].strip() else None
    return postings.share_cost(bearers=people, paid_by=paid_by, **shared)


def _bearers(request: ClubRequest, data: dict[str, Any]) -> list[Player]:
    """The people meant, people only: bots have no purse."""
    if data["bearers"] == "named":
        pieces = [piece for piece in _PIECES.split(data["names"]) if piece.strip()]
        return [_named(request, "names", piece) for piece in pieces]
    rows = [s for s in standings.event_standings(data["event"]) if not s.player.bot]
    if data["bearers"] == "all":
        return [row.player for row in rows]
    ranked = [row for row in rows if row.row.games and row.row.rank]
    return [row.player for row in ranked if row.row.rank == ranked[-1].row.rank]


def _named(request: ClubRequest, field: str, name: str) -> Player:
    try:
        return players.named(club=request.club, name=name)
    except ValidationError as error:
        raise ValidationError({field: error.messages}) from error


def _form_key(request: HttpRequest) -> uuid.UUID:
    try:
        return uuid.UUID(request.POST.get("client_id", ""))
    except ValueError as error:
        raise incomplete_form() from error
