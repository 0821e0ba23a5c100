"""Notices at a table: a permanent code for programs, and a text for people."""

from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

TEXTS: dict[str, Promise] = {
    # To everyone, in the middle of the table.
    "window": format_lazy(
        "<b>{}</b> {}",
        _("Look at your cards."),
        _("If you have an instant win, declare it now; play starts in a moment."),
    ),
    "trade": format_lazy(
        "<b>{}</b> {}",
        _("Trade cards, if you like."),
        _("Play starts when everyone is done trading, or when time is up."),
    ),
    "ask": _("<b>%(name)s</b> asks %(other)s for a rank."),
    "give": _("<b>%(name)s</b> chooses 2s for %(other)s."),
    "return": _("<b>%(name)s</b> returns cards to %(other)s."),
    "leads": _("<b>%(name)s</b> leads."),
    "people_ready": _("The deal starts when everyone is ready (%(ready)s so far)."),
    "chairs_empty": _("The deal starts when every seat is taken."),
    "players_come": _("Looking for players. Bots take the seats that are still free."),
    "closed": _("This table is closed."),
    "broken_off": format_lazy(
        "{} {}",
        _("This table is closed."),
        _("Its last game was not finished and does not count."),
    ),
    # To the player, while a bot plays for them.
    "away": _("You are sitting out: a bot plays for you."),
    "autopilot": _("You ran out of time, so the autopilot is playing for you."),
    # To players, between games.
    "held": _("The seats for the next game appear here in a moment."),
    "too_few": _("Not enough players. The deal starts when someone joins."),
    "say_ready": _("Tap “I'm ready”. The deal starts when everyone is, or in a few minutes."),
    "ready": _("You are ready. The deal starts when everyone is, or in a few minutes."),
    "say_ready_next": _("You have a seat. Tap “I'm ready”; the deal starts then, or in a minute."),
    "ready_next": _("The deal starts when the new player is ready, or in a minute."),
    "full": _("Everyone is here. Dealing in a moment."),
    "share_with_club": _(
        "Share this page's link: players of %(club)s can sit down, and the deal "
        "starts when all seats are taken."
    ),
    "share": _("No account needed. The deal starts when every seat is taken."),
    "share_with_anyone": _("Anyone can join. After each game, people take over the seats of bots."),
    "company": _("At another table with bots: %(names)s. Play together after their game?"),
    "waits_for_company": _(
        "Waiting for the end of their game, three minutes at most. “Next game” plays with bots."
    ),
    "next_ready": _("You are ready. The next game starts when everyone is, or in a moment."),
    "next_game": _("Next game in a moment."),
    # To spectators.
    "watches_rotation": _(
        "You are watching. Players change after every game; when it is your turn, "
        "your seat appears here automatically."
    ),
    "watches_given": _(
        "You are watching. Players of this table sign in or open their personal link."
    ),
    "watches_club": _("You are watching. When a seat is free, players of %(club)s can sit down."),
    "watches_full": _("You are watching. Every seat is taken."),
    "watches_people": _(
        "You are watching. Every seat is taken. When a player gets up after a game, you can sit"
        " down there."
    ),
    "watches": _("You are watching. You can take a bot's seat after this game."),
}


@dataclass(frozen=True)
class Notice:
    """A notice; `params` are names and numbers in its text."""

    code: str
    params: dict[str, Any] = field(default_factory=dict)

    @property
    def html(self) -> SafeString:
        """The text in the reader's language."""
        params = {name: conditional_escape(value) for name, value in self.params.items()}
        return mark_safe(str(TEXTS[self.code]) % params)
