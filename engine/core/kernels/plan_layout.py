"""Where what lies in the arrays of imagined games: worths and memory, and a decision."""

CODES = 3968
GROUPS = 992
TEMPERS = 16
# plan: by group its cost; by code, in each temper, its worth as a lead and as an answer and the
# whim of the answer; alone on a trick; what an answer has more than its cost; cards; cards of each
# rank, four bits for each.
COST = 0
LEAD = COST + GROUPS
ANSWER = LEAD + TEMPERS * CODES
WHIM = ANSWER + TEMPERS * CODES
ALONE = WHIM + TEMPERS * CODES
BONUS = ALONE + CODES
CARDS = BONUS + CODES
RANKS = CARDS + CODES
DANGER = RANKS + CODES
CLOSING = DANGER + 1
CHOP_MONEY = DANGER + 2
PLACE_MONEY = DANGER + 8
# What the planner adds to what a play leaves (`engine.bots.weights`).
P_CARDS = DANGER + 18
P_FORWARD = DANGER + 19
P_BEAT = DANGER + 20
P_BEAT_RANK = DANGER + 21
P_DANGER = DANGER + 22
P_CLOSING = DANGER + 23
P_CHOP = DANGER + 24
P_UNANSWERABLE = DANGER + 25
P_LAST_CARD = DANGER + 26
# Divisions that were found: a stretch of ranks, 64 * its least cost + its groups, its first group.
REMEMBERED = DANGER + 16
MOST_FOUND = 1 << 17
FOUND_KEY = DANGER + 32
FOUND_COST = FOUND_KEY + MOST_FOUND
FOUND_GROUP = FOUND_COST + MOST_FOUND
# Answers that take groups apart, of one decision: a hand with what it answers, worth, the best.
BROKEN = REMEMBERED + 1
MOST_BROKEN = 1 << 16
BROKEN_KEY = FOUND_GROUP + MOST_FOUND
BROKEN_WORTH = BROKEN_KEY + MOST_BROKEN
BROKEN_BEST = BROKEN_WORTH + MOST_BROKEN
# By group the planner's last decision that weighed it, and how many it has made.
WEIGHED = BROKEN_BEST + MOST_BROKEN
DECISIONS = WEIGHED + GROUPS
PLAN_SIZE = DECISIONS + 1

# dream: who decides on what.
D_PLAYERS = 0
D_SEAT = 1
D_OUT = 2
D_LOCKED = 3
D_TOP = 4
D_TOP_BY = 5
D_POOL = 6  # how many cards are dealt anew
D_CANDIDATES = 7
D_ROUNDS = 8
D_ROUND = 10  # by round: how many candidates, how many deals
# The top play, who passed on it, all cards that were not played, as `kernels.layout` has them.
D_TOP_LOW = 26
D_TOP_HIGH = 27
D_PASSED = 28
D_UNPLAYED = 29
D_SIZES = 32
D_KNOWN = 40  # by seat: how many of its cards are known
D_DIE = 48
D_CARDS = D_DIE + 626
D_KEYS = D_CARDS + 104
D_KNOWN_CARDS = D_KEYS + 104  # 32 places for each seat
# By candidate: shape, top card, cards; its own score, its total; what it leaves: groups, ranks.
MOST_CANDIDATES = 1024
CANDIDATE = 40
C_SHAPE = 0
C_TOP = 1
C_CARDS = 2
C_SCORE = 3
C_TOTAL = 4
C_GROUPS = 5
C_RANKS = 6
C_GROUP = 8
CANDIDATES = D_KNOWN_CARDS + 8 * 32
ORDER = CANDIDATES + CANDIDATE * MOST_CANDIDATES
# A deal as it begins, and while it is played: groups of each seat, how many, ranks, cards left.
DEAL_GROUP = ORDER + MOST_CANDIDATES
DEAL_GROUPS = DEAL_GROUP + 8 * 32
DEAL_RANKS = DEAL_GROUPS + 8
GROUP = DEAL_RANKS + 8
HELD_GROUPS = GROUP + 8 * 32
HELD_RANKS = HELD_GROUPS + 8
LEFT = HELD_RANKS + 8
SUITS = LEFT + 8
SCRATCH = SUITS + 16
# By deal, and in it by candidate, what the game came to.
MOST_RESULTS = 1 << 14
RESULTS = SCRATCH + 104
# By candidate its play, by seat a hand, as two words.
D_PLAYS = RESULTS + MOST_RESULTS
D_HANDS = D_PLAYS + 2 * MOST_CANDIDATES
# By place what it is worth, in hundredths, and a chop; how many deals the network's opinion counts
# as, at least and for what a decision cost the others, squared; after how many choices of its own
# it says what comes of the game.
D_REWARDS = D_HANDS + 16
D_CHOP = D_REWARDS + 8
D_TRUST = D_CHOP + 1
D_DOUBT = D_CHOP + 2
D_FAR = D_CHOP + 3
# What seats did, as `kernels.mind_layout` has it.
D_HABITS = D_CHOP + 4
DREAM_SIZE = D_HABITS + 24
# A ledger's reward (engine.bots.rollout) has the place above this bit.
PLACE_AT = 32
