"""Cards in templates, cached because a table's page has about a hundred of them."""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import lru_cache
from typing import Any, Protocol

from django import template
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engine.rules.cards import RANKS
from tables.base import card_text
from tables.base.faces import Face
from tables.play.facts.standings import MatchRow
from tables.play.pages.boards import Board, Plate
from tables.play.pages.moves import Move

register = template.Library()
SUITS = "cards.svg"


class Faced(Protocol):
    """A player or a seat with a face."""

    face: Face


@register.simple_tag
def card(text: str, size: str = "") -> SafeString:
    """Return a card's HTML for a code such as "TD" (components/card.html)."""
    return _drawn("components/card.html", text, size, get_language(), static(SUITS))


@register.simple_tag
def hand_cards(cards: Sequence[str], name: str, size: str, picked: Container[str]) -> SafeString:
    """Return a hand's cards, selectable if they have a name (components/hand-card.html)."""
    where = (size, get_language(), static(SUITS), name)
    return mark_safe(
        "".join(_drawn("components/hand-card.html", card, *where, card in picked) for card in cards)
    )


@register.simple_tag
def card_word(text: str) -> SafeString:
    """Return a card as HTML for a sentence."""
    return format_html('<span class="word-{}">{}</span>', text[1], card_text.written(text))


@register.simple_tag
def suit_names() -> str:
    """Return the names of the suits for scripts, separated by `|`."""
    return "|".join(str(name) for name in card_text.SUIT_NAMES.values())


@register.filter
def card_name(text: str) -> str:
    """Return a card's spoken name."""
    return card_text.named(text)


@register.filter
def card_rank(text: str) -> str:
    """Return a card's rank as printed."""
    return card_text.rank(text[0])


@register.simple_tag
def icon(name: str) -> SafeString:
    """Return a picture of static/icons.svg (components/icon.html)."""
    return _icon(name, static("icons.svg"))


@register.simple_tag
def kept(part: str, **values: Any) -> SafeString:
    """Return a template of tables/ that is drawn once from these values alone."""
    return _kept(f"tables/{part}.html", tuple(values.items()), get_language(), static(SUITS))


@register.simple_tag
def sub_line(board: Board) -> SafeString:
    """Return the line under the table's name (tables/sub.html)."""
    table = board.table
    about = {name: getattr(table, name) for name in ("stake", "unit", "rated", "players")}
    return kept("sub", game_no=board.game_no, **about)


@register.simple_tag
def seat(plate: Plate, unit: str) -> SafeString:
    """Return a seat (tables/seat.html); most seats are as they were before the last move."""
    shown = {**vars(plate), "mark": "", "holder": 0}
    return _seat(tuple(shown.items()), unit, get_language(), static(SUITS))


@register.simple_tag
def pile_play(move: Move, plates: Sequence[Faced]) -> SafeString:
    """Return a play of a trick (tables/play.html)."""
    return kept("play", move=move, face=seat_face(plates[move.seat], "xs"))


@register.simple_tag
def logged(move: Move) -> SafeString:
    """Return a move as a line of what happened in a trick (tables/logged.html)."""
    return kept("logged", move=move)


@register.simple_tag
def score_row(row: MatchRow, face: Face, unit: str, *, pays: bool) -> SafeString:
    """Return a line of the match's score (tables/score-row.html)."""
    shown = {name: getattr(row, name) for name in ("name", "games", "firsts", "beaten", "net")}
    return kept(
        "score-row", face=_face(*face, "s", static("faces.svg")), unit=unit, pays=pays, **shown
    )


@register.simple_tag
def seat_face(plate: Faced, size: str = "") -> SafeString:
    """Return the face of the player who sits there; `size` is "xs" or "s"."""
    return _face(plate.face.animal, plate.face.ground, size, static("faces.svg"))


@register.filter
def last_play(trick: Sequence[Move]) -> Move | None:
    return next((move for move in reversed(trick) if not move.passed), None)


@register.simple_tag
def combination(cards: tuple[str, ...]) -> str:
    """Return what a play is called, such as "straight of 3"; "" for a single card."""
    ranks = sorted(RANKS.index(card[0]) for card in cards)
    kinds = sorted(set(ranks))
    rank = card_text.rank(cards[0][0])
    if len(kinds) == 1:
        named = {1: "", 2: _("pair of %(rank)s"), 3: _("triple %(rank)s"), 4: _("four %(rank)s")}
        return named.get(len(cards), "") % {"rank": rank}
    if len(kinds) == len(cards):
        return _("straight of %(n)s") % {"n": len(cards)}
    return _("%(n)s pairs in a row") % {"n": len(kinds)}


@register.filter
def around(board: str, seat: int) -> SafeString:
    """Return a board's HTML as a page shows it first to someone in this seat.

    The seats stand where they see them, and what belongs beside the table is left out: the page
    has it there. A board is one text for everyone; a page's script does the same with a new one.
    """
    board = board.split("<small data-side", 1)[0] + "</section>"
    players = board.count('<li class="seat ')
    me = max(seat, 0)
    turned = 'data-direction="clockwise"' in board
    for no in range(players):
        place = (me - no if turned else no - me) % players
        board = board.replace(f'<li class="seat s{no} ', f'<li class="seat p{place} s{no} ')
    return mark_safe(board)


@register.simple_tag
def signed(amount: int) -> str:
    """Return an amount won or lost, with its sign."""
    return f"+{amount}" if amount > 0 else f"−{-amount}" if amount < 0 else "0"


@register.simple_tag
def places_signed(value: float, digits: int) -> str:
    """Return a number of places with its sign, in the reader's notation: +0.4, −1.2."""
    shown = round(value, digits)
    sign = "+" if shown > 0 else "−" if shown < 0 else ""
    return sign + number_format(abs(shown), digits)


@register.simple_tag
def trick_words(trick: list[Move]) -> SafeString:
    """Return a trick as a line of the history (tables/trick-words.html)."""
    return kept("trick-words", trick=tuple(trick))


@lru_cache(100)
def _icon(name: str, _pictures: str) -> SafeString:
    return mark_safe(render_to_string("components/icon.html", {"name": name}).strip())


@lru_cache(5000)
def _seat(
    shown: tuple[tuple[str, Any], ...], unit: str, _language: str | None, _static: str
) -> SafeString:
    context = {"plate": Plate(**dict(shown)), "unit": unit}
    return mark_safe(render_to_string("tables/seat.html", context))


@lru_cache(20_000)
def _kept(
    file: str, values: tuple[tuple[str, Any], ...], _language: str | None, _static: str
) -> SafeString:
    return mark_safe(render_to_string(file, dict(values)).strip())


@lru_cache(1000)
def _face(animal: str, ground: int, size: str, picture: str) -> SafeString:
    return format_html(
        '<span class="{}"><svg aria-hidden="true"><use href="{}#{}"/></svg></span>',
        *(f"ava t{ground} {size}".rstrip(), picture, animal),
    )


@lru_cache(1000)
def _drawn(
    file: str,
    text: str,
    size: str,
    _language: str | None,
    _suits: str,
    name: str = "",
    picked: bool = False,
) -> SafeString:
    context = {"card": text, "size": size, "name": name, "picked": picked}
    html = render_to_string(file, context)
    return mark_safe(" ".join(html.split()))
