"""Moves and trades as browsers and programs send them; what is invalid is refused."""

from engine.rules.actions import WITH_CARDS, ActionError, SeatAction, action_from_json
from engine.rules.cards import CardError, parse_cards
from tables.play.acts import trades
from tables.refusals import TableRefusal

DOES = ("play", "lock", "pass", "return", "give", "ask")


def sent_cards(text: str) -> tuple[int, ...]:
    """Return the cards of a text. Refusal: `no_action` for invalid ones."""
    try:
        return parse_cards(text)
    except CardError:
        raise TableRefusal("no_action") from None


def sent_action(seat: int, do: str, cards: str, rank: str) -> SeatAction:
    """Return the engine's action. Refusal: `no_action` for an invalid one, `no_cards`."""
    if do not in DOES:
        raise TableRefusal("no_action")
    try:
        action = action_from_json({"seat": seat, "do": do, "cards": cards, "rank": rank})
    except ActionError:
        raise TableRefusal("no_action") from None
    if do in WITH_CARDS and not action.cards:
        raise TableRefusal("no_cards")
    return action


def take_trade_step(
    who: dict[str, int],
    do: str,
    number: int | None,
    *,
    to: int | None,
    cards: str,
    want: int | None,
    client_id: str,
) -> None:
    """Carry out a step of a trade; `number` is that of the offer, `who` the table and the seat.

    Without `want` an offer asks for as many cards as it gives.
    """
    if do in ("ready", "not_ready"):
        trades.ready(**who, yes=do == "ready")
    elif do == "offer":
        if to is None:
            raise TableRefusal("no_partner")
        given = sent_cards(cards)
        trades.offer(**who, to=to, cards=given, want=len(given) if want is None else want)
    elif number is None:
        raise TableRefusal("no_action")
    elif do == "answer":
        trades.answer(**who, number=number, cards=sent_cards(cards))
    elif do == "agree":
        trades.agree(**who, number=number, client_id=client_id or f"trade-{number}")
    elif do == "end":
        trades.end(**who, number=number)
    else:
        raise TableRefusal("no_action")
