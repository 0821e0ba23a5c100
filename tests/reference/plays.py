"""What may be led and what beats what."""

from tests.reference import cards as c
from tests.reference.combos import Combo, red

# The option "PR4 (PR5) by a locked-out player": what it chops.
LOCKED_OUT_TARGETS = {
    "PR4": ("2", "22", "PR3", "Q"),
    "PR5": ("22", "PR3", "Q", "PR4"),
}


def unbeatable(rules: dict, top: Combo) -> bool:
    return rules["four_twos_unbeatable"] and top.kind == "quad" and top.only_twos


def long_straights(rules: dict) -> bool:
    """Whether straights of five cards or more are bombs here."""
    return any("S5+" in (target, *choppers) for target, choppers in rules["chops"].items())


def is_higher(rules: dict, play: Combo, top: Combo) -> bool:
    """Same kind, same length, a higher highest card; of long straights the longer."""
    if play.is_long and top.is_long and long_straights(rules):
        return (play.length, play.top) > (top.length, top.top)
    return (play.kind, play.length) == (top.kind, top.length) and play.top > top.top


def in_suit(rules: dict, play: Combo, top: Combo) -> bool:
    """Whether a higher play has the suits of what it beats, where it must."""
    if not rules["answers_match"] or play.is_bomb or play.only_twos:
        return True
    if play.kind in rules["answers_free"] or (play.is_long and long_straights(rules)):
        return True
    if play.kind == "pair" and rules["pairs_match"] == "colour":
        return red(play.cards[0]) == red(top.cards[0])
    return sorted(map(c.suit, play.cards)) == sorted(map(c.suit, top.cards))


def restricted(rules: dict, play: Combo, hand, leads: bool) -> bool:
    """Whether the play may not be led, or not be the last of a hand."""
    if leads and play.is_bomb and not rules["bombs_lead"]:
        return True
    holds_two = any(c.rank(card) == c.TWO for card in play.cards)
    return rules["last_play"] == "no_twos" and len(play.cards) == len(hand) and holds_two


def targets(top: Combo) -> tuple[str, ...]:
    """The names under which a chop table may list the play; four 2s are a quad too."""
    if top.is_long:
        return ("S5+",)
    return ("Q", "2222") if top.kind == "quad" and top.only_twos else (top.name,)


def chops(rules: dict, play: Combo, top: Combo) -> bool:
    """Whether the chop table, or an option beside it, names this play on this top."""
    if not (play.is_bomb or play.is_long or play.kind == "triple"):
        return False
    names = {
        play.name,
        *(name for name in ("S5+", "S6+") if play.is_long and int(name[1]) <= play.length),
    }
    if any(names & set(rules["chops"].get(target, ())) for target in targets(top)):
        return True
    if locked_out_may_play(rules, play, top):  # "even if" he has passed: so anybody else too
        return True
    if rules["quads_beat_pair_runs"] and play.kind == "quad" and top.kind == "pair_run":
        return True
    if top.kind == "single":
        three_pairs_on_two = play.name == "PR3" and top.name == "2" and rules["pr3_opens"]
        if rules["pair_runs_beat_singles"] and play.kind == "pair_run" and not three_pairs_on_two:
            return True
        if rules["quads_beat_singles"] and play.kind == "quad":
            return True
        if rules["triples_beat_ace"] and play.kind == "triple":
            return c.rank(top.top) == c.ACE
    return False


def beats(rules: dict, play: Combo, top: Combo, locked_suit: bool) -> bool:
    """Whether a seat that is not locked out may play this on the top play."""
    if unbeatable(rules, top) or (locked_suit and not play.one_suit):
        return False
    if is_higher(rules, play, top):
        return in_suit(rules, play, top)
    return chops(rules, play, top)


def locked_out_target(rules: dict, top: Combo) -> bool:
    """Whether locked-out seats are asked again on this top play."""
    return not unbeatable(rules, top) and any(
        top.name in LOCKED_OUT_TARGETS[name] for name in rules["locked_out_chops"]
    )


def locked_out_may_play(rules: dict, play: Combo, top: Combo) -> bool:
    """Whether a locked-out seat may play this on the top play."""
    return play.name in rules["locked_out_chops"] and top.name in LOCKED_OUT_TARGETS[play.name]


def may_open_game(rules: dict, play: Combo, lowest: int | None) -> bool:
    """Whether this may be the first play of a game; `lowest` is the card it must hold, if any."""
    if rules["first_play_no_pair_run"] and play.kind == "pair_run":
        return False
    if lowest is None:
        return True
    if rules["first_play"] == "alone":
        return play.cards == (lowest,)
    if rules["first_play"] == "single_pair_straight":
        return lowest in play.cards and play.kind in ("single", "pair", "straight")
    return lowest in play.cards
