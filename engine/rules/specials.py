"""Payments of a game with real cards, computed from its places and entered specials.

A table with real cards records who chopped whom and what the last player was left with, but not
each card. The money rules follow `tests/rules/pages/mien-nam.md` and `tests/rules/pages/killa.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from .betting import instant_win_ends
from .payments import (
    Left,
    Placings,
    at_the_end,
    payments_from_placings,
    units_for_cong,
    units_for_left,
)
from .ruleset import Ruleset
from .southern_money import BOMBS
from .state import Payment

Kind = Literal["chop", "left", "cards", "cong", "finish", "instant_win"]
KINDS: tuple[Kind, ...] = ("chop", "left", "cards", "cong", "finish", "instant_win")
TWOS = {"B": (1, 0), "R": (0, 1), "BB": (2, 0), "BR": (1, 1), "RR": (0, 2),
        "BBR": (2, 1), "BRR": (1, 2)}  # fmt: skip
"""Numbers of black and of red 2s, by key."""
FINISHES = {"3S": "three_spades", "bomb": "bomb"}
"""Last plays of the winner that may double the payments to the winner."""
LOSING = ("2", "22", "222")
"""Last plays that lose the game, by the number of 2s."""
_TARGETS = ("one_two", "two_twos", "three_twos")


class Special(NamedTuple):
    """An event that costs money besides the places; seats are numbers.

    `chop`: `by` beat `what`, played by `of`; `chained` marks a counter-chop on the chop before it
    in the list. `left`: `of` holds `what` at the end. `cards`: `of` holds `what` cards, a number.
    `cong`: `of` had played no card when the first player went out. `finish`: the last play of `by`,
    the winner, was `what`, a key of `FINISHES`, or that of the loser, one of `LOSING`. Only 3♠ left
    (`three_spades_last`) is `finish` of the winner, or `left` with who was caught. `instant_win`:
    the instant win of `by` ended the game.

    In chops and cards left, `what` is a key of `TWOS` or `BOMBS`. If colours do not count, it is
    `2`, `22`, `222` or `bomb`.
    """

    kind: Kind
    by: int | None = None
    of: int | None = None
    what: str = ""
    chained: bool = False


class SpecialError(ValueError):
    """Impossible specials; `code` is the reason, `number` the position of the wrong one from 1."""

    def __init__(self, code: str, number: int | None = None) -> None:
        super().__init__(code if number is None else f"special {number}: {code}")
        self.code = code
        self.number = number


class Offer(NamedTuple):
    """The specials that a ruleset lets a table enter; an empty field offers none."""

    chops: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    cong: bool = False
    instant_win: bool = False
    rest_may_share: bool = False
    cards: int = 0
    """Most cards left with a loser who has played a card; 0 if cards left do not count."""
    finish: tuple[str, ...] = ()
    first_out: bool = False
    """The game ends when the first player goes out: all others share the last place."""


def offered(ruleset: Ruleset, *, for_money: bool = True) -> Offer:
    """Return the specials that a table with real cards can enter.

    `for_money` means that the game is played for a stake: killa's instant wins end a game only
    without one. Chops and 2s left are offered if money or cards are owed for them.
    """
    paying = for_money and ruleset.betting not in ("none", "points")
    ends = ruleset.plays_instant_wins() and instant_win_ends(ruleset, for_money=paying)
    first_out = ruleset.game_ends == "first_out"
    offer = Offer(
        instant_win=ends, rest_may_share=ruleset.all_lose and not first_out, first_out=first_out
    )
    if ruleset.betting == "mien_nam":
        return offer._replace(
            chops=_targets(ruleset, by_colour=True),
            left=_left_offered(ruleset),
            cong=True,
            cards=_most_left(ruleset) if ruleset.losers_pay == "cards" else 0,
            finish=_finishes(ruleset),
        )
    if ruleset.last_play == "twos_lose":
        offer = offer._replace(finish=LOSING)  # It decides the places, whatever is paid.
    owes = {"go_fish", "chop_debt"} & set(ruleset.exchange)
    if ruleset.betting == "loser_pays_winner" or owes:
        offer = offer._replace(chops=_targets(ruleset, by_colour=False))
    return offer._replace(left=("2",)) if "twos_left" in ruleset.exchange else offer


def _most_left(ruleset: Ruleset) -> int:
    """Return the most cards that a seat can hold after it has played one."""
    most = 0
    for players in range(ruleset.min_players, ruleset.max_players + 1):
        cards = ruleset.cards_for(players)
        has_one_more = ruleset.deal_all and 52 * ruleset.decks_for(players) % players
        most = max(most, cards if has_one_more else cards - 1)
    return most


def _left_offered(ruleset: Ruleset) -> tuple[str, ...]:
    left = ("B", "R", *BOMBS) if ruleset.left_paid else ()
    return (*left, "3S") if ruleset.three_spades_last else left


def _finishes(ruleset: Ruleset) -> tuple[str, ...]:
    names = set(ruleset.winner_doubles)
    if ruleset.three_spades_last:
        names.add("three_spades")
    finishes = tuple(what for what, name in FINISHES.items() if name in names)
    if ruleset.last_play == "twos_lose":
        finishes += LOSING
    return finishes


def twos_in(what: str) -> int:
    """Return the number of 2s that an entered `what` stands for; 0 for a bomb."""
    return len(what) if set(what) <= set("BR2") else 0


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
    winner = placings[0][0]
    if any(special.kind == "instant_win" for special in specials):
        amount = dict(ruleset.money)["instant_win"] * stake
        won = [Payment(seat, winner, amount, "instant_win") for seat in placings[1]]
        return at_the_end(ruleset, won, winner, stake) if mien_nam else places
    chops = [debt for chain in _chains(specials) for debt in _debts(ruleset, chain)]
    paid = [payment._replace(amount=payment.amount * stake) for payment in chops]
    if not mien_nam:
        return [payment for payment in [*paid, *places] if payment.amount]
    if end := _special_end(ruleset, placings, specials):
        owed = [payment._replace(amount=payment.amount * stake) for payment in end]
        paid += at_the_end(ruleset, owed, winner, stake)
        return [payment for payment in paid if payment.amount]
    cong = _cong_seats(specials)
    owed = [
        Payment(
            seat,
            winner,
            units_for_cong(ruleset, _left_with(ruleset, specials, seat)) * stake,
            "cong",
        )
        for seat in cong
    ]
    lapsed = () if ruleset.cong_place else cong
    owed += [p for p in places if p.sender not in lapsed and p.receiver not in lapsed]
    owed += _left(ruleset, placings, specials, stake)
    doubled = _doubles(ruleset, placings, specials)
    paid += at_the_end(ruleset, owed, winner, stake, doubled=doubled)
    return [payment for payment in paid if payment.amount]


def _special_end(
    ruleset: Ruleset, placings: Placings, specials: Sequence[Special]
) -> list[Payment]:
    """Return the payments in units of an end that replaces all others but chops, if it was one."""
    money = dict(ruleset.money)
    winner = placings[0][0]
    for special in specials:
        if special.kind == "finish" and special.what in LOSING and special.by is not None:
            units = money["last_two"] * len(special.what)
            return [Payment(special.by, seat, units, "last_two") for seat in placings[0]]
        if special.what == "3S" and ruleset.three_spades_last:
            payers = placings[1] if special.of is None else (special.of,)
            units = money["three_spades"]
            return [Payment(seat, winner, units, "three_spades") for seat in payers]
    return []


def _ends_specially(ruleset: Ruleset, specials: Sequence[Special]) -> bool:
    spades = ruleset.three_spades_last and any(s.what == "3S" for s in specials)
    return spades or any(s.kind == "finish" and s.what in LOSING for s in specials)


def _cong_seats(specials: Sequence[Special]) -> list[int]:
    return [s.of for s in specials if s.kind == "cong" and s.of is not None]


def _doubles(ruleset: Ruleset, placings: Placings, specials: Sequence[Special]) -> bool:
    """Return whether payments to the winner double: by the last play, or all others are cóng."""
    finishes = {FINISHES.get(s.what) for s in specials if s.kind == "finish"}
    if not finishes.isdisjoint(ruleset.winner_doubles):
        return True
    others = sum(map(len, placings)) - 1
    return "sweep" in ruleset.winner_doubles and len(_cong_seats(specials)) == others


def units_of_chop(ruleset: Ruleset, what: str) -> int:
    """Return the units that a chop of `what` costs; 0 if chops cost no money."""
    return sum(debt.amount for debt in _debts(ruleset, [Special("chop", 0, 1, what)]))


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
    lost = [s.by for s in specials if s.kind == "finish" and s.what in LOSING]
    if offer.first_out and (len(placings) != 2 or len(placings[1 if lost else 0]) != 1):
        raise SpecialError("first_out")
    for number, special in enumerate(specials, start=1):
        earlier = specials[: number - 1]
        if code := _wrong(special, earlier, offer, seats, placings):
            raise SpecialError(code, number)
    _check_shared(placings, specials, offer)
    ended = any(s.kind == "instant_win" for s in specials) or _ends_specially(ruleset, specials)
    if offer.cards and not ended:
        _check_counted(placings, specials)
    if specials:
        _check_twos(ruleset, specials, len(seats))
        _check_hands(ruleset, specials, len(seats))


def check_places(ruleset: Ruleset, placings: Placings) -> None:
    """Raise SpecialError unless a game can have these places, whatever its specials were."""
    one, other = (offered(ruleset, for_money=paid) for paid in (False, True))
    if len(placings) == 2:
        ended = one.instant_win or other.instant_win
        lost = set(LOSING) & {*one.finish, *other.finish}
        if (ended and len(placings[0]) == 1) or (lost and len(placings[1]) == 1):
            return
    if one.first_out and (len(placings) != 2 or len(placings[0]) != 1):
        raise SpecialError("first_out")
    _check_shared(placings, [], one)


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
    """Return why a special is impossible at its position in the list, or None."""
    if _wrong_players(special, seats):
        return "players"
    if special.chained and special.kind != "chop":
        return "chain"
    return _CHECKS[special.kind](special, earlier, offer, placings)


def _wrong_players(special: Special, seats: set[int]) -> bool:
    acts = special.kind in ("chop", "finish", "instant_win")
    suffers = special.kind not in ("finish", "instant_win")
    return (special.by not in seats if acts else special.by is not None) or (
        special.of not in seats if suffers else special.of is not None
    )


def _wrong_chop(
    special: Special, earlier: Sequence[Special], offer: Offer, placings: Placings
) -> str | None:
    if special.what not in offer.chops:
        return "not_offered"
    if special.by == special.of:
        return "self"
    if not special.chained:
        return None
    before = earlier[-1] if earlier else None
    answers = before is not None and before.kind == "chop" and before.by == special.of
    return None if answers and _is_bomb(special.what) else "chain"


def _wrong_left(
    special: Special, earlier: Sequence[Special], offer: Offer, placings: Placings
) -> str | None:
    if special.what not in offer.left:
        return "not_offered"
    if special.what == "3S" and special in earlier:
        return "twice"
    held = special.of in placings[-1] or _has(earlier, "cong", special.of)
    return None if held and special.of not in placings[0] else "not_last"


def _wrong_count(
    special: Special, earlier: Sequence[Special], offer: Offer, placings: Placings
) -> str | None:
    if not offer.cards:
        return "not_offered"
    if special.of not in placings[-1] or special.of in placings[0]:
        return "not_last"
    if _has(earlier, "cards", special.of):
        return "twice"
    known = {str(number) for number in range(1, offer.cards + 1)}
    return None if special.what in known else "count"


def _wrong_finish(
    special: Special, earlier: Sequence[Special], offer: Offer, placings: Placings
) -> str | None:
    if special.what not in offer.finish:
        return "not_offered"
    if special.what in LOSING:
        if list(placings[-1]) != [special.by] or len(placings) != 2:
            return "finish_last"
    elif special.by not in placings[0]:
        return "finish_first"
    return "twice" if _has(earlier, "finish", None) else None


def _wrong_cong(
    special: Special, earlier: Sequence[Special], offer: Offer, placings: Placings
) -> str | None:
    if special.what or not offer.cong:
        return "not_offered"
    if special.of in placings[0]:
        return "cong_first"
    return "twice" if special in earlier else None


def _wrong_instant_win(
    special: Special, earlier: Sequence[Special], offer: Offer, placings: Placings
) -> str | None:
    if special.what or not offer.instant_win:
        return "not_offered"
    return "instant_win_alone" if earlier else None


_CHECKS: dict[Kind, Callable[[Special, Sequence[Special], Offer, Placings], str | None]] = {
    "chop": _wrong_chop,
    "left": _wrong_left,
    "cards": _wrong_count,
    "cong": _wrong_cong,
    "finish": _wrong_finish,
    "instant_win": _wrong_instant_win,
}
"""The check of each kind: returns an error code or None, and ignores the players."""


def _has(specials: Sequence[Special], kind: Kind, of: int | None) -> bool:
    return any(special.kind == kind and special.of == of for special in specials)


def _check_counted(placings: Placings, specials: Sequence[Special]) -> None:
    """Require a card count of each seat in last place, but of no cóng seat."""
    cong = set(_cong_seats(specials))
    counted = {s.of for s in specials if s.kind == "cards"}
    if cong & counted:
        raise SpecialError("counted_cong")
    if len(placings) > 1 and counted != set(placings[-1]) - cong:
        raise SpecialError("cards_missing")


def _check_shared(placings: Placings, specials: Sequence[Special], offer: Offer) -> None:
    """Refuse shared places unless an instant win or the loss of all others ended the game early."""
    winners = [s.by for s in specials if s.kind == "instant_win"]
    if winners:
        if len(specials) > 1:
            raise SpecialError("instant_win_alone")
        if len(placings) != 2 or list(placings[0]) != winners:
            raise SpecialError("instant_win_places")
        return
    if offer.first_out or any(s.kind == "finish" and s.what in LOSING for s in specials):
        return
    allowed = placings[:-1] if offer.rest_may_share else placings
    if any(len(group) != 1 for group in allowed):
        raise SpecialError("shared")


def _check_twos(ruleset: Ruleset, specials: Sequence[Special], players: int) -> None:
    """Refuse more 2s than the decks have.

    Each colour is counted separately for cóng hands; the total includes them.
    """
    most = 2 * ruleset.decks_for(players)
    cong = _cong_seats(specials)
    seen = [s.what for s in specials if s.kind == "chop" or (s.kind == "left" and s.of not in cong)]
    held = [s.what for s in specials if s.kind == "left" and s.of in cong]
    for whats in (seen, held):
        counts = [TWOS.get(what, (0, 0)) for what in whats]
        if any(sum(colour) > most for colour in zip(*counts, strict=True)):
            raise SpecialError("too_many_twos")
    if sum(twos_in(what) for what in (*seen, *held)) > 2 * most:
        raise SpecialError("too_many_twos")


def _check_hands(ruleset: Ruleset, specials: Sequence[Special], players: int) -> None:
    """Refuse 2s and bombs left with a seat that exceed a hand or the entered card count."""
    for seat in {s.of for s in specials if s.kind == "left"}:
        hand = [s.what for s in specials if s.kind == "left" and s.of == seat]
        counted = [int(s.what) for s in specials if s.kind == "cards" and s.of == seat]
        if sum(BOMBS.get(what, 1) for what in hand) > min([ruleset.cards_for(players), *counted]):
            raise SpecialError("too_many_cards")


def _chains(specials: Sequence[Special]) -> Iterator[list[Special]]:
    """Yield the chains: each chop with the counter-chops on it."""
    chain: list[Special] = []
    for special in (s for s in specials if s.kind == "chop"):
        if not special.chained and chain:
            yield chain
            chain = []
        chain.append(special)
    if chain:
        yield chain


def _debts(ruleset: Ruleset, chain: Sequence[Special]) -> list[Payment]:
    """Return a chain's debts in units: one per link if the ruleset pays each, else the last."""
    if ruleset.betting not in ("mien_nam", "loser_pays_winner"):
        return []
    if ruleset.betting != "mien_nam":
        units = 0
        for special in chain:
            on_two = 0 if special.what == "222" else 1
            units = (2 if units else 1) if _is_bomb(special.what) else on_two
        return [_debt(chain[-1], units)]
    units_of = [_worth(ruleset, link.what) * ruleset.chop_multiple for link in chain]
    if ruleset.chops_paid == "each":
        return [_debt(link, units) for link, units in zip(chain, units_of, strict=True)]
    return [_debt(chain[-1], sum(units_of))]


def _debt(chop: Special, units: int) -> Payment:
    assert chop.of is not None
    assert chop.by is not None
    return Payment(chop.of, chop.by, units, "chop")


def _left(
    ruleset: Ruleset, placings: Placings, specials: Sequence[Special], stake: int
) -> list[Payment]:
    """Return the last players' payments to the winner for cards left, unless they pay cóng."""
    cong = _cong_seats(specials)
    return [
        Payment(seat, placings[0][0], units * stake, reason)
        for seat in placings[-1]
        if len(placings) > 1 and seat not in cong
        for units, reason in units_for_left(ruleset, _left_with(ruleset, specials, seat))
    ]


def _left_with(ruleset: Ruleset, specials: Sequence[Special], seat: int) -> Left:
    """Return the cards entered as left with a seat."""
    held = [s.what for s in specials if s.kind == "left" and s.of == seat]
    return Left(
        cards=sum(int(s.what) for s in specials if s.kind == "cards" and s.of == seat),
        twos=sum(_worth(ruleset, what) for what in held if what in TWOS),
        bombs=sum(_worth(ruleset, what) for what in held if what in BOMBS),
        apart=sum(BOMBS.get(what, 1) for what in held),
    )


def _worth(ruleset: Ruleset, what: str) -> int:
    money = dict(ruleset.money)
    if what in TWOS:
        black, red = TWOS[what]
        return black * money["black_two"] + red * money["red_two"]
    return money[{"PR3": "pair_run_3", "Q": "quad", "PR4": "pair_run_4"}[what]]


def _is_bomb(what: str) -> bool:
    return what == "bomb" or what in BOMBS
