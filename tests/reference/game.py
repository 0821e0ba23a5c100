"""One game from the deal to the last placing, as a straight script."""

from typing import NamedTuple

from tests.reference import cards as c
from tests.reference import exchange, instant, money, plays
from tests.reference.combos import Combo
from tests.reference.table import Chop, Table


class Lead(NamedTuple):
    seat: int
    lowest: int | None  # the card that the first play must hold, if any


def play_game(table: Table) -> None:
    """Play the game through; what happened is in the table afterwards."""
    exchange.settle(table)
    lead = first_leader(table)
    winners = instant.declarers(table, lead.seat)
    if winners and instant.ends_game(table.rules):
        table.place(winners[0])
        table.place(*table.left)
        money.settle_game(table, instant=True)
        return
    for seat in winners:
        table.place(seat)
    if len(table.left) == 1:
        table.place(*table.left)
    if not table.over:
        lead = leader_after_instant_wins(table, lead, winners)
        play_tricks(table, lead)
    money.settle_game(table, instant=False)


def lowest_card_leads(table: Table) -> Lead:
    """The seat with the lowest card; of two with the same, the lower seat."""
    card, seat = min((min(table.hands[seat]), seat) for seat in table.left)
    return Lead(seat, card)


def first_leader(table: Table) -> Lead:
    if table.given_leader is not None:
        return Lead(table.given_leader, None)
    if table.previous is None or table.rules["later_games_led_by"] == "lowest":
        return lowest_card_leads(table)
    winner = table.previous["placings"][0][0]
    if winner in table.gone or (table.gone and table.rules["new_player_resets"]):
        return lowest_card_leads(table)
    return Lead(winner, None)


def leader_after_instant_wins(table: Table, lead: Lead, winners: list[int]) -> Lead:
    if not winners:
        return lead
    if lead.lowest is not None or table.rules["lowest_leads_after_instant"]:
        return lowest_card_leads(table)
    return Lead(table.next_in(lead.seat), None)


def play_tricks(table: Table, lead: Lead) -> None:
    seat, opening = opened_with_pair_run(table, lead.seat)
    if opening is None:
        seat, opening = lead.seat, ask_lead(table, lead)
    while not table.over:
        seat = play_trick(table, seat, *opening)
        money.settle_chain(table)
        if not table.over:
            opening = ask_lead(table, Lead(seat, None), first=False)


def may_open(rules: dict, play) -> bool:
    """Whether the play may open a game out of turn."""
    if rules["opened_with"] == "chops":
        return play.kind in ("quad", "pair_run", "quad_run")
    return play.name == "PR3"


def opened_with_pair_run(table: Table, leader: int):
    """The seat that opens with three consecutive pairs and its play, where that is the rule."""
    if table.rules["pr3_opens"]:
        for seat in table.around(leader):
            if seat not in table.out:
                hand = table.hands[seat]
                runs = [x for x in table.combos(seat) if may_open(table.rules, x)]
                runs = [x for x in runs if not plays.restricted(table.rules, x, hand, False)]
                play = choose(table, seat, runs, True)
                if play:
                    return seat, play
    return leader, None


def ask_lead(table: Table, lead: Lead, first: bool = True) -> tuple[Combo, bool]:
    combos = table.combos(lead.seat)
    if first:
        combos = [x for x in combos if plays.may_open_game(table.rules, x, lead.lowest)]
    hand = table.hands[lead.seat]
    combos = [x for x in combos if not plays.restricted(table.rules, x, hand, True)] or combos
    return choose(table, lead.seat, combos, may_pass=False)


def choose(table: Table, seat: int, combos, may_pass: bool) -> tuple[Combo, bool] | None:
    """The combination that the seat plays and whether it locks the trick, or None for a pass."""
    locks = table.rules["locks"]
    answers = {c.text(x.cards): (x, locks == "always" and flush(x)) for x in combos}
    if locks == "choice":
        answers.update({f"lock {c.text(x.cards)}": (x, True) for x in combos if flush(x)})
    if may_pass:
        answers["pass"] = None
    return answers[table.ask(seat, "play", answers)]


def flush(combo: Combo) -> bool:
    return combo.kind == "straight" and combo.one_suit


class Trick:
    """What lies on top, whose it is, who is locked out, and who has passed on this top play."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.top: Combo | None = None
        self.owner = -1
        self.suit_locked = False
        self.locked_out: set[int] = set()
        self.passed: set[int] = set()

    def put(self, seat: int, play: Combo, locks: bool) -> None:
        """Lay the play on top, note a chop, and give the seat its placing if it runs out."""
        table = self.table
        owner = self.owner
        catches = self.top is not None and seat != owner and waits(table, owner)
        chops = play.is_bomb or play.is_long
        if self.top and chops and (self.top.only_twos or self.top.is_bomb):
            level = table.chain[-1].level + 1 if table.chain else 1
            table.chain.append(Chop(seat, self.owner, play, self.top, level))
            table.chops.append(table.chain[-1])
            money.settle_link(table, table.chain[-1])
        elif table.chain:  # Something beat a long straight: that is no chop.
            money.settle_chain(table)
        self.top, self.owner, self.suit_locked = play, seat, locks
        self.passed = set()
        self.locked_out.discard(seat)
        table.has_played.add(seat)
        table.last_play = play
        table.hands[seat] = c.without(table.hands[seat], play.cards)
        if catches:
            table.last_three_spades = owner
        if catches or not table.hands[seat]:
            run_out(table, seat)

    def note_pass(self, seat: int) -> None:
        self.passed.add(seat)
        if self.table.rules["pass_locks"]:
            self.locked_out.add(seat)

    def may_act(self, seat: int) -> bool:
        if seat == self.owner or seat in self.table.out or seat in self.passed:
            return False
        if seat in self.locked_out:
            return plays.locked_out_target(self.table.rules, self.top)
        return True

    def may_play(self, seat: int) -> list[Combo]:
        rules = self.table.rules
        if seat in self.locked_out:
            test = lambda play: plays.locked_out_may_play(rules, play, self.top)  # noqa: E731
        else:
            test = lambda play: plays.beats(rules, play, self.top, self.suit_locked)  # noqa: E731
        hand = self.table.hands[seat]
        legal = [
            play
            for play in self.table.combos(seat)
            if test(play) and not plays.restricted(rules, play, hand, False)
        ]
        on_chop = self.top.only_twos or self.top.is_bomb
        self.table.chop_is_legal = on_chop and any(play.is_bomb or play.is_long for play in legal)
        return legal


def play_trick(table: Table, leader: int, play: Combo, locks: bool) -> int:
    """Play one trick from its lead on and return the seat that leads the next one."""
    trick = Trick(table)
    trick.put(leader, play, locks)
    turn = leader
    while not table.over:
        others = [seat for seat in table.around(turn)[1:] if trick.may_act(seat)]
        if others:
            turn = others[0]
        elif table.rules["forward"] and table.rules["pass_locks"] and trick.owner not in table.out:
            turn = trick.owner
        else:
            break
        answer = choose(table, turn, trick.may_play(turn), may_pass=True)
        table.chop_is_legal = False
        if answer:
            trick.put(turn, *answer)
        elif turn == trick.owner:
            break
        else:
            trick.note_pass(turn)
    if table.over:
        return trick.owner
    if waits(table, trick.owner):
        table.last_three_spades = trick.owner
        run_out(table, trick.owner)
        return trick.owner
    if trick.owner in table.out and table.rules["all_lose"]:
        table.place(*table.left)
        return trick.owner
    return table.next_in(trick.owner)


def waits(table: Table, seat: int) -> bool:
    """Whether the seat holds 3♠ alone where it then wins, or is caught."""
    return table.rules["three_spades_last"] and table.hands[seat] == [0]


def run_out(table: Table, seat: int) -> None:
    last = table.last_play
    twos = last.only_twos and len(last.cards) < 4 and not table.hands[seat]
    if twos and table.rules["last_play"] == "twos_lose":
        table.last_twos = len(last.cards)
        table.place(*(other for other in table.left if other != seat))
    table.place(seat)
    if len(table.placings) == 1 and table.last_three_spades is None:
        money.first_is_out(table)
    if table.left and (len(table.left) == 1 or table.rules["game_ends"] == "first_out"):
        table.place(*table.left)
