"""Rulesets as frozen values, their presets, JSON form and digest."""

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, Literal

from .errors import RulesetError
from .fields import (
    InvalidValueError,
    ListOf,
    OneOf,
    flag,
    list_of,
    mapping,
    one_of,
    rule,
    text,
    whole,
)
from .texts import mark as _

__all__ = [
    "Ruleset", "RulesetError", "compare", "digest", "from_json", "preset", "preset_keys",
    "to_json", "with_options",
]  # fmt: skip

PRESETS = (
    "tien-len", "hawaii-killer", "thirteen", "penguin", "viet-cong", "family", "killa", "mien-nam",
    "dem-la", "nhat-an-tat", "mien-bac", "mien-bac-3-bich", "mien-bac-khong-thong",
)  # fmt: skip
PLAYER_COUNTS = tuple(str(n) for n in range(2, 9))
CHOPS = (
    *(f"PR{n}" for n in range(3, 14)),
    "PR3+", "Q",
    *(f"QR{n}" for n in range(2, 7)),
    "S5+", "S6+",
)  # fmt: skip
TARGETS = (
    "one_two", "two_twos", "three_twos", "four_twos", "Q",
    *(f"PR{n}" for n in range(3, 8)),
    "S5+",
)  # fmt: skip
INSTANT_WINS = (
    "four_twos", "one_suit", "ultimate_dragon", "dragon", "dragon_to_ace",
    "three_consecutive_triples", "six_consecutive_pairs", "five_consecutive_pairs",
    "four_triples", "three_triples", "one_colour", "six_pairs", "four_threes", "two_bombs",
    "three_pairs_with_three_spades",
)  # fmt: skip
EXCHANGES = ("go_fish", "winner_takes", "negotiated", "chop_debt", "twos_left")
BETTING = ("none", "loser_pays_winner", "loser_pays_all", "points", "mien_nam")
MONEY = {
    "loser": 2, "third": 1, "black_two": 1, "red_two": 2, "pair_run_3": 2, "quad": 2,
    "pair_run_4": 2, "cong": 4, "instant_win": 4, "card": 1,
    "loser_3": 0, "loser_2": 0, "last_two": 13, "three_spades": 26,
}  # fmt: skip
_LATER_MONEY = ("card", "loser_3", "loser_2", "last_two", "three_spades")
KINDS = ("single", "pair", "triple", "straight")
FIRST_GAME_WINS = ("four_threes", "three_pairs_with_three_spades")
"""Instant wins that count in the first game of a match only."""
WINNER_DOUBLES = ("three_spades", "bomb", "sweep")
_ONE_DECK = tuple((n, 1) for n in PLAYER_COUNTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """The rules of a game; docs/records.md describes each field.

    Objects of the JSON form (`cards_each`, `decks`, `chops`, `money`) are tuples of pairs here,
    so that the value is hashable; `cards_for` and `decks_for` read the first two.
    """

    key: str = rule(text(40, key=True))
    name: str = rule(text(80))
    version: int = rule(whole(1, 10**6), 1)
    document: str = rule(text(80), "house rules")

    min_players: int = rule(whole(2, 8))
    max_players: int = rule(whole(2, 8))
    cards_each: tuple[tuple[str, int], ...] = rule(mapping(PLAYER_COUNTS, whole(3, 26)))
    decks: tuple[tuple[str, int], ...] = rule(mapping(PLAYER_COUNTS, whole(1, 2)), _ONE_DECK)
    deal_all: bool = rule(flag, False)
    direction: str = rule(one_of("clockwise", "counter-clockwise"), "clockwise")
    first_dealer: str = rule(one_of("highest_cut", "random", "agreed"), "agreed")
    first_card_to_winner: bool = rule(flag, False)
    card_counts: str = rule(one_of("public", "hidden"), "public")
    lowest_cards_revealed: bool = rule(flag, False)

    twos_top_straights: bool = rule(flag, False)
    twos_top_pair_runs: bool = rule(flag, False)
    quad_runs: bool = rule(flag, False)
    longest_pair_run: int = rule(whole(2, 13), 13)

    pairs_match: str = rule(one_of("any", "colour"), "any", later=True)
    straights_match: str = rule(one_of("any", "suit"), "any", later=True)
    pair_runs_match: str = rule(one_of("any", "colour"), "any", later=True)
    answers_match: bool = rule(flag, False, later=True)
    answers_free: tuple[str, ...] = rule(list_of(KINDS, any_order=True), (), later=True)

    later_games_led_by: Literal["winner", "lowest"] = rule(one_of("winner", "lowest"), "winner")
    new_player_resets: bool = rule(flag, False)
    first_play: str = rule(one_of("any", "single_pair_straight", "alone"), "any")
    first_play_not_pair_run: bool = rule(flag, False)
    pair_run_opens: bool = rule(flag, False)
    opened_with: str = rule(one_of("three_pairs", "chops"), "three_pairs", later=True)

    pass_locks: bool = rule(flag, True)
    forward: bool = rule(flag, False)
    all_lose: bool = rule(flag, False)
    straight_flush_locks: str = rule(one_of("never", "always", "choice"), "never")
    bombs_lead: bool = rule(flag, True, later=True)
    last_play: str = rule(one_of("any", "no_twos", "twos_lose"), "any", later=True)
    three_spades_last: bool = rule(flag, False, later=True)
    game_ends: str = rule(one_of("one_left", "first_out"), "one_left", later=True)

    chops: tuple[tuple[str, tuple[str, ...]], ...] = rule(
        mapping(TARGETS, list_of(CHOPS, any_order=True)), ()
    )
    locked_out_chops: tuple[str, ...] = rule(list_of(("PR4", "PR5"), any_order=True), ())
    pair_runs_beat_singles: bool = rule(flag, False)
    quads_beat_singles: bool = rule(flag, False)
    triples_beat_aces: bool = rule(flag, False)
    quads_beat_pair_runs: bool = rule(flag, False)
    quad_run_beats_four_twos: bool = rule(flag, False)

    instant_wins: tuple[str, ...] = rule(list_of(INSTANT_WINS), ())
    instant_wins_declared: str = rule(one_of("choice", "automatic"), "choice")
    instant_win_then: str = rule(one_of("play_on", "end", "end_without_betting"), "play_on")
    instant_win_order: str = rule(one_of("listed", "previous_placings", "top_pair"), "listed")
    instant_win_lead: str = rule(one_of("usual", "lowest"), "usual")
    instant_pairs: str = rule(one_of("any", "playable", "one_colour"), "any", later=True)
    instant_win_ties: str = rule(one_of("turn", "hand"), "turn", later=True)

    exchange: tuple[str, ...] = rule(list_of(EXCHANGES), ())
    trade_equal: bool = rule(flag, True)
    trade_net: int = rule(whole(0, 13), 2)
    trade_hand: int = rule(whole(13, 26), 15)
    trade_seconds: int = rule(whole(0, 3600), 30)
    trading_ends_instant_wins: bool = rule(flag, False)
    ultimate_dragon_by_trade: bool = rule(flag, False)
    chop_debt_owed_by: str = rule(one_of("each", "last"), "each")
    chop_debt_cards: str = rule(one_of("highest_two", "any_two", "highest_card"), "highest_two")
    chop_debt_count: str = rule(one_of("stacking", "doubling", "none"), "stacking")

    betting: str = rule(one_of(*BETTING), "none")
    money: tuple[tuple[str, int], ...] = rule(mapping(MONEY, whole(0, 10**6)), tuple(MONEY.items()))
    losers_pay: str = rule(one_of("places", "first", "cards"), "places", later=True)
    left_paid: bool = rule(flag, True, later=True)
    left_counted: bool = rule(flag, True, later=True)
    chops_paid: str = rule(one_of("last", "each"), "last", later=True)
    chop_multiple: int = rule(whole(1, 10), 1, later=True)
    cong_place: bool = rule(flag, False, later=True)
    cong_multiple: int = rule(whole(1, 4), 1, later=True)
    winner_doubles: tuple[str, ...] = rule(list_of(WINNER_DOUBLES, any_order=True), (), later=True)
    most_paid: int = rule(whole(0, 10**6), 0, later=True)
    forfeit: str = rule(text(120, least=0), "", later=True)

    def cards_for(self, players: int) -> int:
        """Return the number of cards per seat; with `deal_all` some seats get one more."""
        if self.deal_all:
            return 52 * self.decks_for(players) // players
        return dict(self.cards_each)[str(players)]

    def decks_for(self, players: int) -> int:
        """Return the number of decks for this number of players."""
        return dict(self.decks).get(str(players), 1)

    def plays_instant_wins(self) -> bool:
        """Return whether instant wins count: entries of `exchange` can turn them off."""
        off = "winner_takes" in self.exchange or (
            self.trading_ends_instant_wins and "negotiated" in self.exchange
        )
        return bool(self.instant_wins) and not off


_CHECKS = {f.name: f.metadata["check"] for f in fields(Ruleset)}
CHOICES = {
    name: check.names for name, check in _CHECKS.items() if isinstance(check, OneOf | ListOf)
}
"""The names that each field of names takes, in the order of their documents."""
_LATER = {f.name: f.default for f in fields(Ruleset) if f.metadata["later"]}
_REQUIRED = ("key", "name", "min_players", "max_players", "cards_each")
_MERGED = ("cards_each", "decks", "chops", "money")


def preset_keys() -> tuple[str, ...]:
    """Return the keys of the presets, in the order of their documents."""
    return PRESETS


@cache
def preset(key: str) -> Ruleset:
    """Return the preset with this key; raises RulesetError for an unknown key."""
    if key not in PRESETS:
        raise RulesetError(
            _("%(value)s is not known; choose from %(names)s"),
            at="ruleset",
            value=repr(key[:40]),
            names=", ".join(PRESETS),
        )
    path = Path(__file__).parent.parent / "rulesets" / f"{key}.toml"
    return from_json(tomllib.loads(path.read_text(encoding="utf-8")))


def from_json(obj: object) -> Ruleset:
    """Return the ruleset that a JSON object describes; raises RulesetError for a wrong field.

    Missing optional fields get their default.
    """
    if not isinstance(obj, Mapping):
        raise RulesetError(_("must be an object with the fields of a ruleset"), at="ruleset")
    values: dict[str, Any] = {}
    for name in obj:
        if name not in _CHECKS:
            raise RulesetError(_("a ruleset has no such field"), at=_printable(str(name)))
    for name, check in _CHECKS.items():
        if name in obj:
            try:
                values[name] = check(obj[name])
            except InvalidValueError as wrong:
                raise RulesetError.of(wrong, name) from None
        elif name in _REQUIRED:
            raise RulesetError(_("this field is missing"), at=name)
    for name, default in (("money", MONEY), ("decks", dict(_ONE_DECK))):
        if name in values:
            values[name] = _CHECKS[name]({**default, **dict(values[name])})
    ruleset = Ruleset(**values)
    _check_together(ruleset)
    return ruleset


def _printable(name: str) -> str:
    return name[:40] if name.isprintable() else repr(name[:40])


def _check_together(rules: Ruleset) -> None:
    if rules.min_players > rules.max_players:
        raise RulesetError(
            _("must be at least min_players (%(least)s)"),
            at="max_players",
            least=rules.min_players,
        )
    for players in range(rules.min_players, rules.max_players + 1):
        deck = 52 * rules.decks_for(players)
        if not rules.deal_all and str(players) not in dict(rules.cards_each):
            raise RulesetError(
                _("no value for %(players)s players"), at="cards_each", players=players
            )
        if rules.cards_for(players) > 26:
            raise RulesetError(
                _("would give %(players)s players more than 26 cards each"),
                at="deal_all",
                players=players,
            )
        if rules.cards_for(players) * players > deck:
            raise RulesetError(
                _("%(players)s players need more than %(deck)s cards"),
                at="cards_each",
                players=players,
                deck=deck,
            )
        if rules.trade_net >= rules.cards_for(players):
            raise RulesetError(_("a player could give away their whole hand"), at="trade_net")
    if rules.pair_run_opens and rules.first_play_not_pair_run:
        raise RulesetError(
            _("can't be combined with chops that open the game: choose one"),
            at="first_play_not_pair_run",
        )
    if rules.pair_run_opens and not rules.bombs_lead:
        raise RulesetError(
            _("can't be combined with chops that open the game: choose one"), at="bombs_lead"
        )
    if rules.straights_match == "any" and long_straights(rules):
        raise RulesetError(_("straights chop only if they are of one suit"), at="chops")
    if rules.betting == "mien_nam" and rules.chops_paid == "last" and long_straights(rules):
        raise RulesetError(_("where straights chop, each chop must be paid"), at="chops_paid")
    ends = {"three_spades_last": rules.three_spades_last, "last_play": rules.last_play}
    for field, value in ends.items():
        if value in (True, "twos_lose") and rules.game_ends != "first_out":
            raise RulesetError(_("needs a game that ends when the first player is out"), at=field)


def long_straights(rules: Ruleset) -> bool:
    """Return whether straights of five cards or more are bombs."""
    return any("S5+" in (target, *chops) or "S6+" in chops for target, chops in rules.chops)


def to_json(ruleset: Ruleset) -> dict[str, Any]:
    """Return every field as JSON values; `from_json` is the inverse."""
    return {name: _plain(name, getattr(ruleset, name)) for name in _CHECKS}


def _plain(name: str, value: Any) -> Any:
    if name in _MERGED:
        return {key: list(v) if isinstance(v, tuple) else v for key, v in value}
    return list(value) if isinstance(value, tuple) else value


def with_options(ruleset: Ruleset, options: Mapping[str, object]) -> Ruleset:
    """Return the ruleset with some fields replaced; objects are merged key by key."""
    if not isinstance(options, Mapping):
        raise RulesetError(_("write an object with the fields to change"), at="options")
    if not options:
        return ruleset
    obj = to_json(ruleset)
    for name, value in options.items():
        merged = name in _MERGED and isinstance(value, Mapping)
        obj[name] = {**obj[name], **value} if merged else value  # type: ignore[dict-item]
    return from_json(obj)


def digest(ruleset: Ruleset) -> str:
    """Return the SHA-256 of the canonical JSON, in hex: the identity of a frozen ruleset.

    Fields added in later versions are left out while they have their default.
    """
    obj = to_json(ruleset)
    for name, default in _LATER.items():
        if getattr(ruleset, name) == default:
            del obj[name]
    for part in _LATER_MONEY:
        if obj["money"][part] == MONEY[part]:
            del obj["money"][part]
    text = json.dumps(obj, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def compare(a: Ruleset, b: Ruleset) -> list[tuple[str, Any, Any]]:
    """Return (field, value in a, value in b) for each field in which two rulesets differ."""
    left, right = to_json(a), to_json(b)
    return [(name, left[name], right[name]) for name in _CHECKS if left[name] != right[name]]
