"""What the fields of a ruleset and their values are called where somebody chooses them."""

from __future__ import annotations

from engine.texts import mark as _
from league.domain.rule_text.terms import EXCHANGES, INSTANT_WINS

FIELDS = {
    "name": _("Name"),
    "document": _("Where these rules come from"),
    "key": _("Name in records"),
    "version": _("Version"),
    "min_players": _("Fewest players"),
    "max_players": _("Most players"),
    "cards_each": _("Cards for each"),
    "decks": _("Decks"),
    "deal_all": _("Deal all cards out"),
    "direction": _("Direction"),
    "first_dealer": _("First dealer"),
    "first_card_to_winner": _("The first card goes to the last winner"),
    "card_counts": _("How many cards others hold"),
    "lowest_cards_revealed": _("Show the lowest cards to find the leader"),
    "twos_top_straights": _("A 2 may end a straight"),
    "twos_top_pair_runs": _("2s may end consecutive pairs"),
    "quad_runs": _("Consecutive quads are a combination"),
    "longest_pair_run": _("Most consecutive pairs (13: no limit)"),
    "later_games_led_by": _("Later games are led by"),
    "new_player_resets": _("A new player: the lowest card leads again"),
    "first_play": _("First play where the lowest card leads"),
    "first_play_not_pair_run": _("The first play may not be consecutive pairs"),
    "pair_run_opens": _("Three consecutive pairs may open the game"),
    "pass_locks": _("Who passes is out until the next trick"),
    "forward": _("Tiến lên: the last to play may go on alone"),
    "all_lose": _("Unbeaten last cards end the game, all others lose"),
    "straight_flush_locks": _("A straight in one suit locks the trick"),
    "chops": _("What chops what"),
    "locked_out_chops": _("Chops by those who have passed"),
    "pair_runs_beat_singles": _("Consecutive pairs beat any single card"),
    "quads_beat_singles": _("Four of a kind beats any single card"),
    "triples_beat_aces": _("A triple beats a single ace"),
    "quads_beat_pair_runs": _("Four of a kind beats consecutive pairs of any length"),
    "quad_run_beats_four_twos": _("Two consecutive quads beat one to four 2s"),
    "instant_wins": _("Hands that win as dealt"),
    "instant_wins_declared": _("Declared"),
    "instant_win_then": _("What follows"),
    "instant_win_order": _("When several have one"),
    "instant_win_lead": _("Who leads then"),
    "exchange": _("Cards that change hands"),
    "trade_equal": _("Trades: equal numbers only"),
    "trade_net": _("Trades: most cards given away for nothing"),
    "trade_hand": _("Trades: largest hand"),
    "trade_seconds": _("Trades: seconds (0: no limit)"),
    "trading_ends_instant_wins": _("Trades: no instant wins then"),
    "ultimate_dragon_by_trade": _("Trades: the ultimate dragon still counts"),
    "chop_debt_owed_by": _("Chop debt: owed by"),
    "chop_debt_cards": _("Chop debt: paid with"),
    "chop_debt_count": _("Chop debt: how many"),
    "betting": _("What is paid"),
    "money": _("Amounts of the Southern money game"),
}
CHOICES = {
    "direction": {
        "clockwise": _("clockwise"),
        "counter-clockwise": _("counter-clockwise"),
    },
    "first_dealer": {
        "highest_cut": _("cuts the highest card"),
        "random": _("is drawn by lot"),
        "agreed": _("is agreed"),
    },
    "card_counts": {
        "public": _("is told to whoever asks"),
        "hidden": _("need not be told"),
    },
    "later_games_led_by": {
        "winner": _("the winner of the last game"),
        "lowest": _("the lowest card"),
    },
    "first_play": {
        "any": _("anything that contains it"),
        "single_pair_straight": _("it alone, a pair or a straight with it"),
        "alone": _("it alone"),
    },
    "straight_flush_locks": {
        "never": _("never"),
        "always": _("always"),
        "choice": _("if its player says so"),
    },
    "instant_wins_declared": {
        "choice": _("by choice"),
        "automatic": _("always"),
    },
    "instant_win_then": {
        "play_on": _("the others play on"),
        "end": _("the game ends"),
        "end_without_betting": _("the game ends, unless payments are at stake"),
    },
    "instant_win_order": {
        "listed": _("the better hand, in the order above"),
        "previous_placings": _("the better place in the last game"),
        "top_pair": _("four 2s or the highest pair, and only that one wins"),
    },
    "instant_win_lead": {
        "usual": _("whoever would lead, or the next one"),
        "lowest": _("the lowest card left"),
    },
    "chop_debt_owed_by": {
        "each": _("everybody who was chopped"),
        "last": _("the last one chopped"),
    },
    "chop_debt_cards": {
        "highest_two": _("the highest 2s"),
        "any_two": _("any 2s"),
        "highest_card": _("the highest cards"),
    },
    "chop_debt_count": {
        "stacking": _("one more for each further chop"),
        "doubling": _("doubled for each further chop"),
        "none": _("one for each 2, whatever follows"),
    },
    "betting": {
        "none": _("nothing"),
        "points": _("nothing: places earn points"),
        "loser_pays_winner": _("the last pays the first, chops are paid (Killa)"),
        "loser_pays_all": _("the last pays everybody"),
        "mien_nam": _("the Southern money game: chops, cóng, thối"),
    },
    "instant_wins": INSTANT_WINS,
    "exchange": EXCHANGES,
    "locked_out_chops": {
        "PR4": _("4 consecutive pairs"),
        "PR5": _("5 consecutive pairs"),
    },
}
MONEY = {
    "loser": _("The last pays the first"),
    "third": _("The third pays the second (four players)"),
    "black_two": _("A black 2"),
    "red_two": _("A red 2"),
    "pair_run_3": _("3 consecutive pairs"),
    "quad": _("Four of a kind"),
    "pair_run_4": _("4 or more consecutive pairs"),
    "cong": _("Cóng: nothing played"),
    "instant_win": _("Instant win, from each"),
}
REASONS = {
    "loser": _("last place"),
    "third": _("third place"),
    "chop": _("chop"),
    "twos_left": _("2s left in hand"),
    "bombs_left": _("bombs left in hand"),
    "cong": _("cóng"),
    "instant_win": _("instant win"),
}
