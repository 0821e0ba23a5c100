"""Where what lies in the arrays: `rules` is what a ruleset allows, `work` a game with its lists."""

# rules: by number of cards and by a rank's byte how many subsets, the subsets as bytes (20 places
# each), their highest suits; cards in a byte.
SUBSETS = 0
SUBSET = SUBSETS + 5 * 256
SUBSET_TOP = SUBSET + 5 * 256 * 20
BYTE_CARDS = SUBSET_TOP + 5 * 256 * 20
# By the code to beat: the row of its chops; of those for who has passed, -1 where he is not asked.
CHOP_ROW = BYTE_CARDS + 256
LOCKED_ROW = CHOP_ROW + 4096
# Single facts of the ruleset, by the offsets below.
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
DEALT = FACTS + 10  # cards that are dealt out
INSTANT_WINS = FACTS + 11  # which kinds of hands may win as dealt, as bits
HIDES_COUNTS = FACTS + 12
FIRST_OUT_ENDS = FACTS + 13
# What cards that are left may cost: 0 nothing, 1 2s and bombs (or cóng), 2 more than that.
LEFT_COUNTS = FACTS + 14
UNBEATEN = FACTS + 15  # the code, without its suit, that no higher play of its shape beats, or 0
PAIRS_MATCH = FACTS + 16  # 1 where cards must match in colour or suit, as the ruleset says
STRAIGHTS_MATCH = FACTS + 17
PAIR_RUNS_MATCH = FACTS + 18
ANSWERS_MATCH = FACTS + 19
MATCHED = FACTS + 20  # any of the four
LAST_NO_TWOS = FACTS + 21
NO_BOMBS_LEAD = FACTS + 22
PARTICULAR = FACTS + 23  # not all that is listed may be played
# What every seeding of a die begins with.
DIE_BASE = FACTS + 32
# Rows of shapes: how many, then the shapes.
ROWS = DIE_BASE + 624
ROW = 32

# work: what the game stands at.
PLAYERS = 0
TURN = 1
OUT = 2
FIRST = 3  # nobody has played yet
MUST = 4  # the card that the first play must contain, or -1
TOP_LOW = 5
TOP_HIGH = 6  # 0: an empty table
TOP_BY = 7
LOCKED = 8
PASSED = 9
PLAYED = 10
# What came of it.
CHANGES = 11
FINISHED = 12  # the seats that went out one by one, in this order: from ENDED on
EVENTS = 13
TURNS = 14
FAULT = 15  # a list was too long: the game stopped
LEADER = 16
OWED = 17  # how many bombs are in the trick: what they cost is paid when it is over
UNPLAYED = 18  # all cards that were not played yet, as two words
DEAL_DIE = 20  # of the dice of deals that of the first seat
ALL_DICE = 21  # how many dice the deals have
THROWN = 22  # how often they were thrown
ENDED = 24
HANDS = 32
POLICIES = 48
# By seat: 1 where its die is not seeded yet, 0 where it is in use; from SHARED on, how often it has
# thrown the deal's die.
DIE_STATE = 56
SHARED = 2
# The deck's and by seat: how many words, then up to four of them, the lowest first.
DECK_SEED = 64
SEED = 5
SEEDS = DECK_SEED + SEED
START = 112  # the hands before the first play
# By seat: cards that others do not count where hands are hidden (engine.bots.belief), else 0.
HIDDEN = 128
# By event: what, the seat; of a bomb the play, what it was played on and whose that was; of a seat
# that went out which seats had played, and two words on its last play.
EVENT = 8
MOST_EVENTS = 1024
MOST_EVENTS_OF_GAME = 64
EVENT_LOG = 136
# By turn: the seat, its play or a pass as two zeros, how many plays it could choose from.
TURN_LOG = EVENT_LOG + EVENT * MOST_EVENTS
MOST_TURNS = 2048
# One die for the deck, and for each seat.
DECK_DIE = TURN_LOG + 4 * MOST_TURNS
DICE = DECK_DIE + 626
DECK = DICE + 8 * 626
# The list of plays, and stems of runs in two halves.
MOST_PLAYS = 16384
LIST_LOW = DECK + 104
LIST_HIGH = LIST_LOW + MOST_PLAYS
STEM_LOW = LIST_HIGH + MOST_PLAYS
STEM_HIGH = STEM_LOW + MOST_PLAYS
HALF = MOST_PLAYS // 2
# Games that are played one after another, and what came of them.
MOST_RESULTS = 64
RESULTS = STEM_HIGH + MOST_PLAYS
RESULT = 40
# Who went out, by digits of base 8 after a 1; below 0 where chops may cost money besides; UNSETTLED
# where cards that are left may.
R_ORDER = 0
R_LEADER = 1
R_CHANGES = 2
R_FIRST_EVENT = 3
R_EVENTS = 4
R_DEALT = 8
R_HANDS = 24
UNSETTLED = -1
UNPLAYABLE = -2
# Deals for them: their dice side by side, with their seeds (kernels.dice) and first throws; the
# bots' orders; the policy of each bot; for each game the bots by seat; and what was dealt.
MOST_DEALS = 16
MOST_DICE = 96
# No seat needs more: of two decks there are 103 plays at most, and between two of them it acts
# once, or twice where the trick ends with one who went out.
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
D_ASKED = 2  # someone may win as dealt: nothing is played
D_POINTS = 8  # by seat, as `engine.sim.effects.hand_points`
SIZE = DEALS + MOST_DEALS * DEAL

BOMB = 1
OUT_NOW = 2
TRICK_OVER = 3

# Kinds of hands that may win as dealt.
FOUR_TWOS = 1
DRAGONS = 2
THREE_TRIPLES = 4
FIVE_PAIRS_IN_A_ROW = 8
SIX_PAIRS = 16
ONE_COLOUR = 32
FOUR_THREES = 64
TWO_BOMBS = 128

RANDOM = 0
GREEDY = 1
LOWEST = 2
PLANNER = 3

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
# What is below the 2s in the upper word of a hand.
TWOS_BELOW = (1 << 40) - 1
