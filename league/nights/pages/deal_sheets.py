"""Deals for real cards: sheets by which packs are sorted, and the check of a hand."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from engine.rules.cards import parse_cards
from league.models import Event, NightDeals
from league.nights.domain.check_words import check_word
from league.nights.facts import same_deals
from league.nights.pages.same_deals import HAND_NAMES
from league.seasons.domain.same_deals import HANDS
from tables.play.facts import deals

SUITS = "♠♣♦♥"
RANKS = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2")
MOST_TABLES = 8


@dataclass(frozen=True)
class Suit:
    """The cards of one suit in a hand, as a sorted pack has them."""

    symbol: str
    is_red: bool
    ranks: str


@dataclass(frozen=True)
class Slip:
    """One hand of a deal for its envelope; `seat` plays it, at every table."""

    name: str
    seat: int
    suits: list[Suit]
    word: str


@dataclass(frozen=True)
class DealSheet:
    """One deal of a round: four slips on one page."""

    number: int
    round_no: int
    game_no: int
    slips: list[Slip]


@dataclass(frozen=True)
class DealSheetsPage:
    """All deals of a night for who prepares them; no sheets for others."""

    sheets: list[DealSheet]
    tables: range
    plays: bool


@dataclass(frozen=True)
class HandCheckPage:
    """A hand as ticked card by card; its word stands on the envelope."""

    suits: list[tuple[str, bool, list[tuple[int, str, bool]]]]
    count: int
    word: str


def deal_sheets_page(event: Event, user_id: int) -> DealSheetsPage:
    """Return the sheets, for one who has asked to prepare the deals and is not on the list."""
    plays = same_deals.plays(event, user_id)
    prepares = not plays and user_id in same_deals.preparers(event)
    sheets = _sheets(event) if prepares else []
    tables = -(-event.entrants.filter(counts=True).count() // HANDS)
    return DealSheetsPage(sheets, range(1, min(max(tables, HANDS), MOST_TABLES) + 1), plays)


def hand_check_page(ticked: Collection[int]) -> HandCheckPage:
    """Return the 52 cards by suit, and the word of those ticked once they are a hand."""
    suits = [
        (
            symbol,
            suit > 1,
            [
                (HANDS * at + suit, rank, HANDS * at + suit in ticked)
                for at, rank in enumerate(RANKS)
            ],
        )
        for suit, symbol in enumerate(SUITS)
    ]
    word = check_word(ticked) if len(ticked) == len(RANKS) else ""
    return HandCheckPage(suits, len(ticked), word)


def _sheets(event: Event) -> list[DealSheet]:
    games = event.games_per_round or 0
    found = NightDeals.objects.select_related("shared").filter(event=event)
    return [
        DealSheet(
            (known.round_no - 1) * games + number,
            known.round_no,
            number,
            [
                _slip(hand, number, parse_cards(text))
                for hand, text in enumerate(deals.shared_hands(known.shared, number, event.rules))
            ],
        )
        for known in found.order_by("round_no")
        for number in range(1, games + 1)
    ]


def _slip(hand: int, number: int, cards: Collection[int]) -> Slip:
    suits = [
        Suit(
            symbol,
            suit > 1,
            " ".join(RANKS[c // HANDS] for c in sorted(cards) if c % HANDS == suit),
        )
        for suit, symbol in enumerate(SUITS)
    ]
    return Slip(str(HAND_NAMES[hand]), (hand - number) % HANDS + 1, suits, check_word(cards))
