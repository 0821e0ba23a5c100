"""Offsets into two arrays: `rules`, a ruleset's tables, and `work`, a game and its lists."""

Numbers = list[int]

# Array `rules`. SUBSETS, by 256 * size + a rank's byte: the number of subsets of that size. SUBSET
# and SUBSET_TOP: the subsets as bytes, and their highest suits; 20 slots each. BYTE_CARDS: the
# cards in a byte.
SUBSETS = 0
SUBSET = SUBSETS + 5 * 256
SUBSET_TOP = SUBSET + 5 * 256 * 20
BYTE_CARDS = SUBSET_TOP + 5 * 256 * 20
# By the code to beat: the row of its chops, and the row of the chops open to locked-out seats; -1
# if they are not asked.
CHOP_ROW = BYTE_CARDS + 256
LOCKED_ROW = CHOP_ROW + 4096
# Flags and limits of the ruleset.
FACTS = LOCKED_ROW + 4096
STRAIGHT_END = FACTS
PAIR_END = FACTS + 1
LONGEST = FACTS + 2
QUAD_RUNS = FACTS + 3
FORWARD = FACTS + 4
PASS_LOCKS = FACTS + 5
ALL_LOSE = FACTS + 6
FIRST_KINDS = FACTS + 7  # 0: any, 1: a single, 2: a single, a pair or a straight
FIRST_NO_PAIR_RUN = FACTS + 8
DECKS = FACTS + 9
DEALT = FACTS + 10  # cards dealt to all seats together
INSTANT_WINS = FACTS + 11  # kinds of instant wins, as bits
HIDES_COUNTS = FACTS + 12
FIRST_OUT_ENDS = FACTS + 13
# The cost of cards left in hand: 0 none, 1 only for 2s and bombs (or cóng), 2 more than that, 3 if
# the last plays decide it too.
LEFT_COUNTS = FACTS + 14
UNBEATEN = FACTS + 15  # code >> 2 of the plays that no higher play of their shape beats, or 0
PAIRS_MATCH = FACTS + 16  # 1 where cards must match in colour or suit, as the ruleset says
STRAIGHTS_MATCH = FACTS + 17
PAIR_RUNS_MATCH = FACTS + 18
ANSWERS_MATCH = FACTS + 19  # bits: 1 singles, 2 pairs, 4 triples, 8 straights
MATCHED = FACTS + 20  # any of the four
LAST_NO_TWOS = FACTS + 21
NO_BOMBS_LEAD = FACTS + 22
PARTICULAR = FACTS + 23  # 1: `matching.keep_allowed` filters the listed plays
TWOS_LOSE = FACTS + 24  # who goes out on 2s loses, and the game ends
THREE_SPADES = FACTS + 25  # who has only 3♠ left wins if nobody beats the play, else is caught
LONG_STRAIGHTS = FACTS + 26  # straights of five cards or more are bombs
# The state that every seeding of a die begins with.
DIE_BASE = FACTS + 32
# Rows of shapes: their number, then the shapes.
ROWS = DIE_BASE + 624
ROW = 32

# Array `work`. The position.
PLAYERS = 0
TURN = 1
OUT = 2
FIRST = 3  # 1 until the first play
MUST = 4  # the card that the first play must contain, or -1
TOP_LOW = 5
TOP_HIGH = 6  # 0: an empty table
TOP_BY = 7
LOCKED = 8
PASSED = 9
PLAYED = 10
# The course of the game.
CHANGES = 11
FINISHED = 12  # number of seats that went out; ENDED lists them in order
EVENTS = 13
TURNS = 14
FAULT = 15  # 1: a list overflowed and the game stopped
LEADER = 16
OWED = 17  # number of bombs in the trick; they are paid for when it ends
UNPLAYED = 18  # all cards not yet played, as two words
DEAL_DIE = 20  # index of the first seat's die among the deals' dice
ALL_DICE = 21  # number of dice of all deals
THROWN = 22  # number of throws of them that are stored in THROWS
ENDED = 24
HANDS = 32
POLICIES = 48
# By seat: 0 if its die is seeded, 1 if it is not; SHARED + n if it uses the deal's die and has
# thrown it n times.
DIE_STATE = 56
SHARED = 2
# Seeds, of the deck's die and by seat: the number of 32-bit words, then up to four words, lowest
# first.
DECK_SEED = 64
SEED = 5
SEEDS = DECK_SEED + SEED
START = 112  # the hands before the first play
# By seat: the cards that opponents do not count where card counts are hidden (engine.bots.belief),
# else 0.
HIDDEN = 128
# By event: its kind, the seat. BOMB: the play, the play it beats, that play's seat. OUT_NOW: the
# seats that had played, an unused slot, the last play. Plays are two words.
EVENT = 8
MOST_EVENTS = 1024
MOST_EVENTS_OF_GAME = 64
EVENT_LOG = 136
# By turn: the seat, its play as two words (zeros for a pass), the number of plays to choose from.
TURN_LOG = EVENT_LOG + EVENT * MOST_EVENTS
MOST_TURNS = 2048
# Dice (kernels.dice): the deck's, and one for each seat.
DECK_DIE = TURN_LOG + 4 * MOST_TURNS
DICE = DECK_DIE + 626
DECK = DICE + 8 * 626
# The list of plays, and the stems (runs without their top rank), in two halves.
MOST_PLAYS = 16384
LIST_LOW = DECK + 104
LIST_HIGH = LIST_LOW + MOST_PLAYS
STEM_LOW = LIST_HIGH + MOST_PLAYS
STEM_HIGH = STEM_LOW + MOST_PLAYS
HALF = MOST_PLAYS // 2
# Results of games played in one call.
MOST_RESULTS = 64
RESULTS = STEM_HIGH + MOST_PLAYS
RESULT = 40
# R_ORDER: the seats that went out, as octal digits after a 1; negative if chops may cost money too,
# UNPLAYABLE if the readable engine must play. R_LEFT: 0 if cards left in hand cost nothing, -1 if
# the readable engine must say what, else a number that decides it together with R_ORDER.
R_ORDER = 0
R_LEADER = 1
R_CHANGES = 2
R_FIRST_EVENT = 3
R_EVENTS = 4
R_LEFT = 5
R_DEALT = 8
R_HANDS = 24
UNPLAYABLE = -2
# Deals: their dice side by side, with their seeds (kernels.dice) and first throws; the bots'
# orders; the policy of each bot; the bots by seat for each game; a row of D_ fields for each deal.
MOST_DEALS = 16
MOST_DICE = 96
# Enough for a seat: two decks make at most 103 plays, and between two of them a seat acts once, or
# twice where it goes on after a trick whose winner is out.
MOST_THROWS = 113
MOST_SEATINGS = 320
DEAL_DICE = RESULTS + MOST_RESULTS * RESULT
DEAL_KEYS = DEAL_DICE + MOST_DICE * 624
THROWS = DEAL_KEYS + MOST_DICE * 5
ORDERS = THROWS + MOST_DICE * MOST_THROWS
BOTS = ORDERS + MOST_SEATINGS
SEATINGS = BOTS + 8
DEALS = SEATINGS + 8 * MOST_SEATINGS
DEAL = 16
D_LEADER = 0
D_MUST = 1
D_ASKED = 2  # 1: a hand may be an instant win, so nothing is played
D_POINTS = 8  # by seat: `engine.sim.effects.hand_points`
SIZE = DEALS + MOST_DEALS * DEAL

BOMB = 1
OUT_NOW = 2
TRICK_OVER = 3

# Kinds of instant wins.
FOUR_TWOS = 1
DRAGONS = 2
THREE_TRIPLES = 4
FIVE_PAIRS_IN_A_ROW = 8
SIX_PAIRS = 16
ONE_COLOUR = 32
FOUR_THREES = 64
TWO_BOMBS = 128
THREE_PAIRS = 256  # from the 3s on

RANDOM = 0
GREEDY = 1
LOWEST = 2
PLANNER = 3

# Of words with a rank in each byte: pairs of bits, nibbles, the lowest bit of each byte. GATHER
# times such bits has them in a row from bit 49 on.
PAIRS = 0x33333333333333
NIBBLES = 0x0F0F0F0F0F0F0F
ONES = 0x01010101010101
GATHER = 0x2040810204080
LOW_MASK = (1 << 56) - 1
HIGH_MASK = (1 << 48) - 1
ONE_DECK_LOW = 0x55555555555555
ONE_DECK_HIGH = 0x555555555555
CODE_AT = 48
SHAPE_AT = 54
LONGER = 1 << 54
# Both copies of every diamond and heart.
RED_LOW = 0xF0F0F0F0F0F0F0
RED_HIGH = 0xF0F0F0F0F0F0
# Both copies of the spade of each rank.
SUIT_LOW = 0x03030303030303
SUIT_HIGH = 0x030303030303
TWO = 12
# The cards below the 2s in the upper word of a hand.
TWOS_BELOW = (1 << 40) - 1
