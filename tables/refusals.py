"""Refusals of acts: one exception type for pages, API and tasks, and the tables' reasons."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.rules.errors import IllegalAction, NoSuchSeat
from tables.base.card_text import spoken

REASONS = {
    "stale": _("The game has moved on. Check the table and choose again."),
    "players": _("These rules are not for this many players."),
    "too_many_tables": _("Too many tables are open right now. Try again later."),
    "too_often": _("Too many requests from your address. Wait a few minutes."),
    "no_such_chair": _("There is no such seat."),
    "no_name": _("Enter your name to sit down."),
    "house_name": _("This looks like a name of the house, or an address. Choose another one."),
    "muted": _("Two players have muted you: only quick words reach this table."),
    "chair_taken": _("That seat is taken. Choose another."),
    "bot_name": _(
        "A bot's name begins with a letter: 3 to 30 lowercase letters, digits and hyphens."
    ),
    "bot_name_taken": _("Another bot already has this name. Choose another."),
    "bot_sits_already": _("This bot is already at the table."),
    "bot_is_busy": _("This bot already has many invitations. Try again later."),
    "no_free_chair": _("All seats are taken by people. Someone has to get up first."),
    "no_such_challenge": _("There is no such invitation."),
    "challenge_answered": _("This invitation has already been answered."),
    "reserved": _("The seats at this table are assigned: only the players drawn can sit here."),
    "held": _("One moment: the seats for the next game are being assigned."),
    "sign_in": _("Results at this table go into the club's ledger. Sign in to sit down."),
    "members_only": _(
        "Only players of the club can sit here. Ask an organiser to link your account."
    ),
    "rated_sign_in": _("Games at this table are rated. Sign in to sit down."),
    "rated_people": _(
        "Games at this table are rated: only people can sit down, and only on this page."
    ),
    "rated_same": _(
        "Someone on your device or network is already playing at this table. "
        "At a rated table, only one of you can sit down."
    ),
    "not_met": _("You can only choose people you have played a rated game with."),
    "no_company": _("Nobody else is playing the same game right now."),
    "sprint_over": _("This tournament is over. The next one starts soon."),
    "sprint_full": _("This tournament has no room for more players."),
    "no_bots": _("Games here go into the club's ledger, so bots can't sit down."),
    "sits_already": _("You are already at this table."),
    "no_such_rules": _("There are no such rules."),
    "no_such_bot": _("There is no such bot."),
    "closed": _("This table is closed. Open a new one."),
    "not_again": _("This table can't be reopened."),
    "game_is_on": _("A game is in progress. You can sit down when it is over."),
    "empty_chairs": _("All seats must be taken before the deal. Fill them with bots?"),
    "not_host": _(
        "Only the player who opened the table can add bots: friends may be on their way."
    ),
    "two_ask": _("Two phones already ask for this seat. Ask the players at the table."),
    "a_minute": _("This seat can be given away once its player was offline for a minute."),
    "host_or_later": _(
        "The host may do this at once, the other players once someone has been offline for a"
        " minute."
    ),
    "not_seated": _("You are not at this table."),
    "window": _("Play starts once everyone has had time to declare an instant win."),
    "no_partner": _("Choose who you want to trade with."),
    "nobody_trades": _("Nobody there can trade. Choose someone else."),
    "too_many_offers": _("You have made all your offers for this game."),
    "trade_count": _("Choose exactly the number of cards asked for."),
    "nothing_said": _("Write a message first."),
    "too_long": _("Too long: at most 160 characters."),
    "no_talk": _("You can't say that at this table."),
    "players_talk": _("Only players can chat at this table."),
    "too_fast": _("Not so fast. Wait a moment before your next message."),
    "not_yours": _("Only the host or the author can do that."),
    "trade": _("Play starts when trading time is over."),
    "no_instant_win": _("Your hand is not an instant win."),
    "no_cards": _("Choose cards first."),
    "no_action": _("This action is not possible here."),
    "game_over": _("The game is over."),
    "not_your_turn": _("It is not your turn."),
    "locked_out": _("You passed, so you are out until the next trick."),
    "locked_out_chop": _("You passed: now you can only play a chop that the rules allow."),
    "has_finished": _("You have no cards left."),
    "no_such_seat": _("There is no such seat."),
    "wrong_phase": _("Another step comes first. Look at the table."),
    "not_in_hand": _("You don't have these cards."),
    "no_combination": _("These cards are not a combination in these rules."),
    "does_not_beat": _("This does not beat %(top)s."),
    "trick_is_locked": _("The trick is locked: only a higher straight flush can follow."),
    "cannot_lock": _("Only a straight flush can lock."),
    "must_include": _("Your first play must include %(card)s."),
    "first_play": _("The rules require a different first play."),
    "bomb_lead": _("A bomb may not be led under these rules."),
    "last_play": _("You may not go out with a 2."),
    "must_open": _("Open with what these rules allow, or pass."),
    "must_lead": _("Your lead: play something."),
    "wrong_count": _("Choose exactly %(count)s cards."),
    "only_twos": _("The debt is paid in 2s."),
    "already_refused": _("You already asked for this rank."),
    "key_reused": _("This key was used for another request. Use a new key for each."),
    "no_trade": _("The rules do not allow this trade."),
}
PAYMENTS = {
    "loser": _("last place"),
    "third": _("third place"),
    "chop": _("chop"),
    "twos_left": _("2s left in hand (thối)"),
    "bombs_left": _("bombs left in hand (thối)"),
    "cards_left": _("cards left in hand"),
    "last_two": _("went out on 2s"),
    "three_spades": _("only 3♠ left (đút 3 bích)"),
    "cong": _("cóng"),
    "instant_win": _("instant win"),
}
OWN_DEEDS = {"chop", "instant_win"}
"""Payments for what the player did who is paid; the others are for what the payer did."""
FROM = _("from %(reason)s")


def paid_for(reason: str, amount: int) -> str:
    """Return in words why a player gets an amount, or pays a negative one."""
    if amount <= 0 or reason in OWN_DEEDS:
        return str(PAYMENTS[reason])
    return str(FROM) % {"reason": PAYMENTS[reason]}


class Refusal(ValidationError):
    """A refused request, with the reason in the reader's language.

    `code` names the reason for programs, `status` is the HTTP status, and `field` the form field
    that the reason is about.
    """

    code: str

    def __init__(
        self,
        message: Any,
        code: str = "",
        params: dict[str, Any] | None = None,
        *,
        field: str = "",
        status: int = 400,
    ) -> None:
        reason = ValidationError(message, code or None, params)
        super().__init__({field: reason} if field else reason)
        self.code, self.status = code, status

    @property
    def text(self) -> str:
        return " ".join(self.messages)


class TableRefusal(Refusal):
    """A table's refusal; `code` is a key of `REASONS`."""

    def __init__(self, code: str, *, status: int = 422) -> None:
        super().__init__(str(REASONS[code]), code, status=status)

    def __str__(self) -> str:
        return self.code


class Stale(TableRefusal):
    """A refusal because the table has changed since the player saw it."""

    def __init__(self) -> None:
        super().__init__("stale", status=409)


def refusal_of(error: Refusal | IllegalAction) -> Refusal:
    """Return a refusal unchanged; translate one of the engine into the reader's language."""
    if isinstance(error, Refusal):
        return error
    status = 404 if isinstance(error, NoSuchSeat) else 422
    if error.code == "no_combination":
        text = no_combination(error.params["cards"])  # type: ignore[arg-type]
    else:
        card = error.params.get("card")
        params = error.params | ({"card": (card,)} if isinstance(card, int) else {})
        said = {k: spoken(v) if isinstance(v, tuple) else str(v) for k, v in params.items()}
        text = str(REASONS[error.code]) % said
    return Refusal(text, error.code, status=status)


def no_combination(cards: tuple[int, ...]) -> str:
    """Return a sentence that says why these cards are no combination."""
    ranks = sorted({card >> 2 for card in cards})
    if len(cards) == 2:
        return gettext("Two cards must be a pair.")
    if len(ranks) == len(cards) and ranks[-1] - ranks[0] == len(ranks) - 1:
        return gettext("This would be a straight, but in these rules a 2 can't be part of one.")
    if len(ranks) == len(cards):
        return gettext("A straight needs consecutive ranks without a gap.")
    if len(cards) == 2 * len(ranks) and len(ranks) < 3:
        return gettext("Consecutive pairs need three pairs or more.")
    return str(REASONS["no_combination"])
