"""Payments of a game with real cards: a function of the places and of the specials entered.

A table that plays with real cards knows who chopped whom and what the last was left with, but not
each card. The reading of the money is `docs/rules/mien-nam.md` and `docs/rules/killa.md`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from engine.payments import Placings, payments_from_placings
from engine.ruleset import Ruleset
from engine.state import Payment

Kind = Literal["chop", "left", "cong", "instant_win"]
KINDS: tuple[Kind, ...] = ("chop", "left", "cong", "instant_win")
TWOS = {"B": (1, 0), "R": (0, 1), "BB": (2, 0), "BR": (1, 1), "RR": (0, 2),
        "BBR": (2, 1), "BRR": (1, 2)}  # fmt: skip
"""2s by colour: how many black and how many red."""
BOMBS = {"PR3": 6, "Q": 4, "PR4": 8}
"""Bombs and the cards they need; PR4 stands for four pairs and longer."""
_TARGETS = ("one_two", "two_twos", "three_twos")


class Special(NamedTuple):
    """Something at the table that costs money besides the places; seats are numbers.

    `chop`: `by` beat `what` of `of`; with `chained` it was played on the chop before it in the
    list. `left`: `of` holds `what` at the end. `cong`: `of` had played no card when the first went
    out. `instant_win`: `by` won as dealt and the game ended there.

    `what` is a key of `TWOS` or `BOMBS`; where colours do not count, `2`, `22`, `222` or `bomb`.
    """

    kind: Kind
    by: int | None = None
    of: int | None = None
    what: str = ""
    chained: bool = False


class SpecialError(ValueError):
    """Specials that cannot have happened; `code` says why and `number` which of them, from 1."""

    def __init__(self, code: str, number: int | None = None) -> None:
        super().__init__(code if number is None else f"special {number}: {code}")
        self.code = code
        self.number = number


class Offer(NamedTuple):
    """What can be entered under a ruleset; empty where it has none."""

    chops: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    cong: bool = False
    instant_win: bool = False
    rest_may_share: bool = False


def offered(ruleset: Ruleset, *, for_money: bool = True) -> Offer:
    """Return what a table with real cards can enter besides the places.

    `for_money` is whether the game is played for a stake: killa's instant wins end a game only
    without one.
    """
    ends = ruleset.plays_instant_wins() and (
        ruleset.instant_win_then == "end"
        or (
            ruleset.instant_win_then == "end_without_betting"
            and (ruleset.betting in ("none", "points") or not for_money)
        )
    )
    offer = Offer(instant_win=ends, rest_may_share=ruleset.all_lose)
    if ruleset.betting == "mien_nam":
        left = ("B", "R", *BOMBS)
        return offer._replace(chops=_targets(ruleset, by_colour=True), left=left, cong=True)
    if ruleset.betting == "loser_pays_winner":
        return offer._replace(chops=_targets(ruleset, by_colour=False))
    return offer


def payments_of_game(
    ruleset: Ruleset, placings: Placings, specials: Sequence[Special] = (), stake: int = 1
) -> list[Payment]:
    """Return every payment of a finished game; the sum over all seats is zero.

    Raises SpecialError for specials that the ruleset does not have or that contradict each other
    or the places.
    """
    check_specials(ruleset, placings, specials, for_money=stake > 0)
    places = payments_from_placings(ruleset, placings, stake)
    mien_nam = ruleset.betting == "mien_nam"
    if any(special.kind == "instant_win" for special in specials):
        amount = dict(ruleset.money)["instant_win"]
        return _everybody_pays(placings, amount * stake) if mien_nam else places
    chops = [_debt(ruleset, chain) for chain in _chains(specials)]
    paid = [payment._replace(amount=payment.amount * stake) for payment in chops]
    if mien_nam:
        paid += _cong(ruleset, placings, specials, stake)
    cong = {special.of for special in specials if special.kind == "cong"}
    paid += [p for p in places if not {p.sender, p.receiver} & cong]
    if mien_nam:
        paid += _left(ruleset, placings, specials, stake)
    return [payment for payment in paid if payment.amount]


def check_specials(
    ruleset: Ruleset,
    placings: Placings,
    specials: Sequence[Special],
    *,
    for_money: bool = True,
) -> None:
    """Raise SpecialError unless these specials can have happened in a game with these places."""
    offer = offered(ruleset, for_money=for_money)
    seats = {seat for group in placings for seat in group}
    for number, special in enumerate(specials, start=1):
        earlier = specials[: number - 1]
        if code := _wrong(special, earlier, offer, seats, placings):
            raise SpecialError(code, number)
    _check_shared(placings, specials, offer)
    if specials:
        _check_cards(ruleset, specials, len(seats))


def _targets(ruleset: Ruleset, *, by_colour: bool) -> tuple[str, ...]:
    counts = [n for n, key in enumerate(_TARGETS, 1) if dict(ruleset.chops).get(key)]
    if not by_colour:
        return (*("2" * n for n in counts), "bomb")
    return (*(twos for twos in TWOS if len(twos) in counts), *BOMBS)


def _wrong(
    special: Special,
    earlier: Sequence[Special],
    offer: Offer,
    seats: set[int],
    placings: Placings,
) -> str | None:
    """Return why a special cannot stand where it stands in the list, None when it can."""
    by, of, what = special.by, special.of, special.what
    actor = special.kind in ("chop", "instant_win")
    if (by not in seats) if actor else (by is not None):
        return "players"
    if (of is not None) if special.kind == "instant_win" else (of not in seats):
        return "players"
    if special.kind == "chop":
        return _wrong_chop(special, earlier, offer)
    if special.chained:
        return "chain"
    if special.kind == "left":
        if what not in offer.left:
            return "not_offered"
        held = of in placings[-1] or any(s.kind == "cong" and s.of == of for s in earlier)
        return None if held and of not in placings[0] else "not_last"
    if what or not getattr(offer, special.kind):
        return "not_offered"
    if special.kind == "cong":
        if of in placings[0]:
            return "cong_first"
        return "twice" if special in earlier else None
    return "instant_win_alone" if earlier else None


def _wrong_chop(special: Special, earlier: Sequence[Special], offer: Offer) -> str | None:
    if special.what not in offer.chops:
        return "not_offered"
    if special.by == special.of:
        return "self"
    if special.chained:
        before = earlier[-1] if earlier else None
        if before is None or before.kind != "chop" or not _is_bomb(special.what):
            return "chain"
        return None if before.by == special.of else "chain"
    return None


def _check_shared(placings: Placings, specials: Sequence[Special], offer: Offer) -> None:
    """Shared places only where the game ended early: an instant win, or all others lost."""
    winners = [s.by for s in specials if s.kind == "instant_win"]
    if winners:
        if len(specials) > 1:
            raise SpecialError("instant_win_alone")
        if len(placings) != 2 or list(placings[0]) != winners:
            raise SpecialError("instant_win_places")
        return
    allowed = placings[:-1] if offer.rest_may_share else placings
    if any(len(group) != 1 for group in allowed):
        raise SpecialError("shared")


def _check_cards(ruleset: Ruleset, specials: Sequence[Special], players: int) -> None:
    """A deck has two black and two red 2s; a hand has so many cards."""
    decks = ruleset.decks_for(players)
    cong = {s.of for s in specials if s.kind == "cong"}
    seen = [s.what for s in specials if s.kind == "chop" or (s.kind == "left" and s.of not in cong)]
    held = [s.what for s in specials if s.kind == "left" and s.of in cong]
    for whats in (seen, held):
        counts = [TWOS.get(what, (0, 0)) for what in whats]
        if max(sum(black for black, _ in counts), sum(red for _, red in counts)) > 2 * decks:
            raise SpecialError("too_many_twos")
    for seat in {s.of for s in specials if s.kind == "left"}:
        hand = [s.what for s in specials if s.kind == "left" and s.of == seat]
        if sum(BOMBS.get(what, 1) for what in hand) > ruleset.cards_for(players):
            raise SpecialError("too_many_cards")


def _chains(specials: Sequence[Special]) -> Iterator[list[Special]]:
    """The chops, each with those that were played on it."""
    chain: list[Special] = []
    for special in (s for s in specials if s.kind == "chop"):
        if not special.chained and chain:
            yield chain
            chain = []
        chain.append(special)
    if chain:
        yield chain


def _debt(ruleset: Ruleset, chain: Sequence[Special]) -> Payment:
    """The last debt of a chain, the only one that is paid, in units."""
    last = chain[-1]
    assert last.of is not None
    assert last.by is not None
    if ruleset.betting == "mien_nam":
        units = sum(_worth(ruleset, special.what) for special in chain)
    else:
        units = 0
        for special in chain:
            on_two = 0 if special.what == "222" else 1
            units = (2 if units else 1) if _is_bomb(special.what) else on_two
    return Payment(last.of, last.by, units, "chop")


def _everybody_pays(placings: Placings, amount: int) -> list[Payment]:
    winner = placings[0][0]
    return [Payment(seat, winner, amount, "instant_win") for seat in placings[1] if amount]


def _cong(
    ruleset: Ruleset, placings: Placings, specials: Sequence[Special], stake: int
) -> list[Payment]:
    """What each player who never played pays the first: the fixed sum and what he then held."""
    paid = []
    for seat in [s.of for s in specials if s.kind == "cong" and s.of is not None]:
        units = dict(ruleset.money)["cong"] + sum(_worths(ruleset, specials, seat))
        paid.append(Payment(seat, placings[0][0], units * stake, "cong"))
    return paid


def _left(
    ruleset: Ruleset, placings: Placings, specials: Sequence[Special], stake: int
) -> list[Payment]:
    """What the last pays the first for the 2s and bombs in hand, unless he pays cóng."""
    cong = {s.of for s in specials if s.kind == "cong"}
    paid = []
    for seat in [seat for seat in placings[-1] if seat not in cong]:
        twos, bombs = _worths(ruleset, specials, seat)
        paid.append(Payment(seat, placings[0][0], twos * stake, "twos_left"))
        paid.append(Payment(seat, placings[0][0], bombs * stake, "bombs_left"))
    return paid


def _worths(ruleset: Ruleset, specials: Sequence[Special], seat: int) -> tuple[int, int]:
    """What the 2s and what the bombs that a seat was left with are worth."""
    held = [s.what for s in specials if s.kind == "left" and s.of == seat]
    twos = sum(_worth(ruleset, what) for what in held if what in TWOS)
    return twos, sum(_worth(ruleset, what) for what in held if what in BOMBS)


def _worth(ruleset: Ruleset, what: str) -> int:
    money = dict(ruleset.money)
    if what in TWOS:
        black, red = TWOS[what]
        return black * money["black_two"] + red * money["red_two"]
    return money[{"PR3": "pair_run_3", "Q": "quad", "PR4": "pair_run_4"}[what]]


def _is_bomb(what: str) -> bool:
    return what == "bomb" or what in BOMBS
