"""The two questions one can put to a record: what is legal now, and what has happened."""

from tests.reference import cards as c
from tests.reference.rulesets import ruleset
from tests.reference.table import Table


def action_of(seat: int, answer: str) -> dict:
    """An action from a seat and one of its legal answers."""
    if answer in ("pass", "declare", "decline"):
        return {"seat": seat, "do": answer}
    word, _, rest = answer.partition(" ")
    if word == "ask":
        return {"seat": seat, "do": "ask", "rank": rest}
    if word in ("lock", "return", "give"):
        return {"seat": seat, "do": word, "cards": rest}
    return {"seat": seat, "do": "play", "cards": answer}


def table_for(record: dict, answer, next_trade) -> Table:
    return Table(
        ruleset(record["ruleset"], record.get("options")),
        [c.parse(hand) for hand in record["hands"]],
        answer,
        next_trade,
        previous=record.get("previous"),
        leader=record.get("leader"),
        stake=record.get("stake", 1),
    )


def legal_of(table: Table) -> dict:
    if table.question is None:
        return {"finished": True, "seat": None, "phase": "over", "legal": []}
    return {"finished": False, **table.question._asdict()}


def replay_of(table: Table) -> dict:
    net = [0] * len(table.hands)
    for payment in table.payments:
        net[payment.payer] -= payment.amount
        net[payment.payee] += payment.amount
    return {
        "finished": table.over,
        "placings": [list(group) for group in table.placings],
        "net": net,
        "payments": [
            {"from": p.payer, "to": p.payee, "amount": p.amount, "reason": p.reason}
            for p in table.payments
        ],
        "chops": [
            {
                "by": chop.by,
                "of": chop.of,
                "cards": c.text(chop.play.cards),
                "on": c.text(chop.on.cards),
                "level": chop.level,
            }
            for chop in table.chops
        ],
        "hands": [c.text(hand) for hand in table.hands],
        "dealer_next": max(table.placings[-1]) if table.over else None,
    }
