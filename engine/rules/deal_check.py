"""Checks that a game can start with given hands and a previous game."""

from collections.abc import Sequence

from .cards import format_cards
from .errors import StartError
from .inherited import Previous
from .ruleset import Ruleset
from .texts import mark as _


def check_deal(ruleset: Ruleset, hands: Sequence[Sequence[int]]) -> None:
    """Raise StartError unless these hands are a deal of the ruleset."""
    players = len(hands)
    if not ruleset.min_players <= players <= ruleset.max_players:
        raise StartError(
            _("%(ruleset)s is for %(least)s to %(most)s players, not %(players)s"),
            at="hands",
            ruleset=ruleset.key,
            least=ruleset.min_players,
            most=ruleset.max_players,
            players=players,
        )
    decks = ruleset.decks_for(players)
    each = ruleset.cards_for(players)
    spare = 52 * decks % players if ruleset.deal_all else 0
    for seat, hand in enumerate(hands):
        if len(hand) != each and not (spare and len(hand) == each + 1):
            raise StartError(
                _(
                        "seat %(seat)s has %(held)s cards, but %(ruleset)s deals %(each)s "
                        "each to %(players)s players"
                    ),
                at="hands",
                seat=seat,
                held=len(hand),
                ruleset=ruleset.key,
                each=each,
                players=players,
            )  # fmt: skip
    if spare and sum(len(hand) for hand in hands) != 52 * decks:
        raise StartError(_("all %(count)s cards must be dealt"), at="hands", count=52 * decks)
    _check_copies(hands, decks)


def _check_copies(hands: Sequence[Sequence[int]], decks: int) -> None:
    if len(set().union(*hands)) == sum(map(len, hands)):
        return
    cards = [card for hand in hands for card in hand]
    for card in sorted(set(cards)):
        if cards.count(card) > decks:
            one, two = (
                _("%(card)s appears %(times)s times, but there is only 1 deck"),
                _("%(card)s appears %(times)s times, but there are only 2 decks"),
            )
            raise StartError(
                one if decks == 1 else two,
                at="hands",
                card=format_cards((card,)),
                times=cards.count(card),
            )


def check_inherited(players: int, previous: Previous | None, leader: int | None) -> None:
    """Raise StartError if the leader or the previous game does not fit the game's seats."""
    if leader is not None and not 0 <= leader < players:
        raise _no_such_seat("leader", players)
    if previous is not None:
        _check_previous(previous, players)


def _check_previous(previous: Previous, players: int) -> None:
    seats = [seat for group in previous.placings for seat in group]
    if sorted(seats) != list(range(players)) or not all(previous.placings):
        raise StartError(
            _("list each seat from 0 to %(last)s exactly once, in groups"),
            at="previous: placings",
            last=players - 1,
        )
    for chop in previous.chops:
        if not (0 <= chop.by < players and 0 <= chop.of < players):
            raise _no_such_seat("previous: chops", players)
    if any(not 0 <= seat < players for seat in previous.gone):
        raise _no_such_seat("previous: gone", players)
    if previous.twos_left and len(previous.twos_left) != players:
        raise StartError(
            _("must be %(count)s texts, one for each seat"), at="previous: hands", count=players
        )


def _no_such_seat(at: str, players: int) -> StartError:
    return StartError(_("there are only seats 0 to %(last)s"), at=at, last=players - 1)
