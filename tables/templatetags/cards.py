"""Cards and the parts of a table in templates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django import template
from django.utils.safestring import SafeString, mark_safe

from tables.base import card_text, currencies
from tables.numbers import rounded
from tables.play.pages.moves import Move
from tables.play.pages.options import TableButton
from tables.web import drawn

register = template.Library()
for tag in (drawn.card, drawn.hand, drawn.icon, drawn.score, drawn.sentences, drawn.sub_line,
            drawn.trick, currencies.sign, currencies.signed, currencies.signed_amount):  # fmt: skip
    register.simple_tag(tag)
register.simple_tag(drawn.face, name="seat_face")


@register.simple_tag(takes_context=True)
def buttons(context: Any, actions: Iterable[TableButton]) -> SafeString:
    """Return things to press, of tables.play.pages.options."""
    return drawn.buttons(actions, str(context.get("csrf_token", "")))


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


@register.filter
def last_play(trick: Sequence[Move]) -> Move | None:
    return next((move for move in reversed(trick) if not move.passed), None)


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
def places_signed(value: float, digits: int) -> str:
    """Return a number of places with its sign, in the reader's notation: +0.4, −1.2."""
    shown = round(value, digits)
    sign = "+" if shown > 0 else "−" if shown < 0 else ""
    return sign + rounded(abs(shown), digits)
