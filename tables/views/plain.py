"""The plain table: the same live table in words, played by one field that takes what people say."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy
from django.views.decorators.http import require_POST

from accounts.models import User
from accounts.sessions import account_of
from engine.rules.actions import SeatAction
from engine.rules.errors import IllegalAction
from tables.base import card_text
from tables.models import Seat, Table
from tables.play.facts import positions
from tables.play.facts.positions import Position
from tables.play.pages import chairs, said, typed
from tables.refusals import Refusal, refusal_of
from tables.views.base import no_store, parts, status_of
from tables.views.moves import take
from tables.views.talk import talk_context
from tables.web import limits
from tables.web.access import place_of, table_of, who
from tables.web.scripts import wants_json
from tables.web.sent import sent_cards

LOOK, PLAIN, FELT = "look", "plain", "felt"
YEAR = 365 * 24 * 3600
MOST_CHOICES = 5
LONGEST = 100
QUESTIONS = {
    "trick": gettext_lazy("Trick"),
    "turn": gettext_lazy("Turn"),
    "counts": pgettext_lazy("question", "Cards"),
    "time": gettext_lazy("Time"),
    "hand": gettext_lazy("My hand"),
    "before": gettext_lazy("Last trick"),
}


@dataclass
class PlainReply:
    """What the plain table answers: a refusal, an answer to a question, or plays to choose from."""

    words: str = ""
    refusal: str = ""
    answer: str = ""
    asked: str = ""
    choices: list[PlayChoice] = field(default_factory=list)


@dataclass(frozen=True)
class PlayChoice:
    """One of several plays that the typed words fit: what differs, and what one keeps."""

    cards: str
    name: str
    keeps: str


def is_plain(request: HttpRequest) -> bool:
    """Return whether the caller plays in words; an address may say so for once."""
    if asked := request.GET.get(LOOK):
        return asked == PLAIN
    user = account_of(request)
    return user.plays_plain if user else request.COOKIES.get(LOOK) == PLAIN


@require_POST
def look(request: HttpRequest, key: str) -> HttpResponse:
    """Keep how the caller plays, for the account or for this browser, and show the table so."""
    plain = request.POST.get(LOOK) == PLAIN
    answer = redirect("tables:table", key)
    if not plain:  # For once, where large text would open the plain table by itself.
        answer["Location"] += f"?{LOOK}={FELT}"
    if user := account_of(request):
        User.objects.filter(pk=user.pk).update(plays_plain=plain)
    else:
        secure = settings.SESSION_COOKIE_SECURE
        kept = PLAIN if plain else FELT
        answer.set_cookie(LOOK, kept, YEAR, samesite="Lax", secure=secure, httponly=True)
    return answer


@require_POST
def typed_play(request: HttpRequest, key: str) -> HttpResponse:
    """Carry out what the caller typed, or answer it; words that fit several plays play none."""
    words = request.POST.get("words", "").strip()[:LONGEST]
    reply, status, table = PlainReply(words), 200, None
    try:
        position, seat = place_of(key, **who(request, key))
        action = _action(request, position, seat, reply)
        if action is not None:
            table = take(request, position, seat, action)
            reply = PlainReply()
        else:
            limits.check(request, "act")
    except (Refusal, IllegalAction) as error:
        refused = refusal_of(error)
        reply.refusal, status = card_text.in_words(refused.text), status_of(refused)
    if wants_json(request):
        return as_json(request, table or table_of(key), reply, status, played=table is not None)
    if table is not None:
        return redirect("tables:table", key)
    return page(request, table_of(key), reply, status)


def page(
    request: HttpRequest, table: Table, reply: PlainReply | None = None, status: int = 200
) -> HttpResponse:
    """Return the plain table as this visitor sees it."""
    context = _context(request, table, reply or PlainReply())
    context |= talk_context(request, table, context["own"].seat)
    return no_store(render(request, "tables/plain.html", context, status=status))


def as_json(
    request: HttpRequest,
    table: Table,
    reply: PlainReply | None = None,
    status: int = 200,
    **more: Any,
) -> JsonResponse:
    """Return the parts of the plain table that change, for its script."""
    context = _context(request, table, reply or PlainReply())
    found = {
        "version": context["table"].version,
        "left": context["board"].milliseconds,
        "plain": render_to_string("tables/plain-parts.html", context, request),
        "token": context["token"],
    }
    return no_store(JsonResponse(found | more, status=status))


def _context(request: HttpRequest, table: Table, reply: PlainReply) -> dict[str, Any]:
    context = parts(request, table)
    board, own = context["board"], context["own"]
    plays = chairs.hints(positions.of(table), own.seat) if own.acts else []
    if reply.asked:
        answers = said.answers(board, own, plays)
        reply.answer = answers.get(reply.asked) or said.time_left(board, own)
    return context | {
        "reply": reply,
        "told": {one: {} for one in said.public(board, own.no) + said.own(own, board)},
        "headline": said.headline(board, own),
        "to_beat": said.to_beat(board, own.no),
        "must_include": said.must_include(own.first_with) if own.first_with else "",
        "counts": said.counts(board, own.no),
        "groups": said.groups(own.hand, plays),
        "log": said.log(board, own.no),
        "places": said.places(board, own.no),
        "types": own.options.part == "play" and bool(own.hand) and own.request is None,
        "examples": [card_text.kind(play) for play in plays[: 1 + own.may_pass]],
        "questions": QUESTIONS,
    }


def _action(
    request: HttpRequest, position: Position, seat: Seat, reply: PlainReply
) -> SeatAction | None:
    """Return the action to carry out; None if the reply says more first."""
    if cards := request.POST.get("cards", "")[:400]:
        return SeatAction(seat.no, "play", sent_cards(cards))
    reply.asked = typed.question(request.POST.get("ask", "") or reply.words)
    if reply.asked == "pass":
        return SeatAction(seat.no, "pass")
    if reply.asked or not reply.words:
        return None
    plays = chairs.hints(position, seat)
    wish = typed.play(request.POST.get("before", "")[:LONGEST])
    if wish and reply.words.isdecimal():  # A number answers the choices that are open.
        fits = [play for play in plays if wish.fits(play)][:MOST_CHOICES]
        if len(fits) > 1 and 0 < int(reply.words) <= len(fits):
            return SeatAction(seat.no, "play", sent_cards(" ".join(fits[int(reply.words) - 1])))
    wish = typed.play(reply.words)
    if wish is None:
        reply.refusal = _("Not played: “%(words)s” names no cards. Type ? for help.") % {
            "words": reply.words
        }
        return None
    fits = [play for play in plays if wish.fits(play)]
    if len(fits) > 1:
        _choose(reply, fits, chairs.hand_of(position, seat))
        return None
    chosen = fits[0] if fits else wish.of(chairs.hand_of(position, seat))
    if chosen:  # A play that fits no rule is refused by the rules, with their reason.
        return SeatAction(seat.no, "play", sent_cards(" ".join(chosen)))
    reply.refusal = _("Not played: you don't have “%(words)s”, or it can't be played now.") % {
        "words": reply.words
    }
    return None


def _choose(reply: PlainReply, fits: list[list[str]], hand: list[str]) -> None:
    reply.refusal = ngettext(
        "Not played: “%(words)s” can be %(n)s play.",
        "Not played: “%(words)s” can be %(n)s plays. Choose one, or name a suit.",
        len(fits),
    ) % {"words": reply.words, "n": len(fits)}
    for play in fits[:MOST_CHOICES]:
        ranks = {card[0] for card in play}
        kept = [card for card in hand if card[0] in ranks and card not in play]
        keeps = ", ".join(map(card_text.named, kept))
        name = ", ".join(map(card_text.named, play))
        reply.choices.append(PlayChoice(" ".join(play), name, keeps))
