"""Offsets into `plan`, the planner's values and caches, and `dream`, a decision and its games."""

CODES = 3968
GROUPS = 992
TEMPERS = 16
# Array `plan`, in hundredths of a turn. By group: its cost. By code, in each temper: its value as a
# lead and as an answer, and the answer's random deviation. By code: its value to a forward player
# alone on the trick, an answer's value beyond its cost, the number of cards, the cards of each rank
# at four bits each.
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
# The planner's bonuses (`engine.bots.weights`).
P_CARDS = DANGER + 18
P_FORWARD = DANGER + 19
P_BEAT = DANGER + 20
P_BEAT_RANK = DANGER + 21
P_DANGER = DANGER + 22
P_CLOSING = DANGER + 23
P_CHOP = DANGER + 24
P_UNANSWERABLE = DANGER + 25
P_LAST_CARD = DANGER + 26
# Cache of divisions: the stretch of ranks, 64 * its least cost + its groups, its first group.
REMEMBERED = DANGER + 16
MOST_FOUND = 1 << 17
FOUND_KEY = DANGER + 32
FOUND_COST = FOUND_KEY + MOST_FOUND
FOUND_GROUP = FOUND_COST + MOST_FOUND
# Cache of the answers of one decision that break up groups: hand and top play, value, best code.
BROKEN = REMEMBERED + 1
MOST_BROKEN = 1 << 16
BROKEN_KEY = FOUND_GROUP + MOST_FOUND
BROKEN_WORTH = BROKEN_KEY + MOST_BROKEN
BROKEN_BEST = BROKEN_WORTH + MOST_BROKEN
# By group: the planner's last decision that weighed it. DECISIONS numbers the decisions.
WEIGHED = BROKEN_BEST + MOST_BROKEN
DECISIONS = WEIGHED + GROUPS
PLAN_SIZE = DECISIONS + 1

# Array `dream`. The decision.
D_PLAYERS = 0
D_SEAT = 1
D_OUT = 2
D_LOCKED = 3
D_TOP = 4
D_TOP_BY = 5
D_POOL = 6  # number of unknown cards
D_CANDIDATES = 7
D_ROUNDS = 8
D_ROUND = 10  # by round: number of candidates, number of deals
# The top play, the seats that passed on it, all cards not yet played, as in `kernels.layout`.
D_TOP_LOW = 26
D_TOP_HIGH = 27
D_PASSED = 28
D_UNPLAYED = 29
D_SIZES = 32
D_KNOWN = 40  # by seat: number of its known cards
D_DIE = 48
D_CARDS = D_DIE + 626
D_KEYS = D_CARDS + 104
D_KNOWN_CARDS = D_KEYS + 104  # 32 slots for each seat
# By candidate: shape, top card, number of cards; its own score, its total; of the hand it leaves
# the number of groups, the cards of each rank, the groups.
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
# The dealt hands, then the hands in play: the groups of each seat, their number, the cards of each
# rank; then the number of cards left.
DEAL_GROUP = ORDER + MOST_CANDIDATES
DEAL_GROUPS = DEAL_GROUP + 8 * 32
DEAL_RANKS = DEAL_GROUPS + 8
GROUP = DEAL_RANKS + 8
HELD_GROUPS = GROUP + 8 * 32
HELD_RANKS = HELD_GROUPS + 8
LEFT = HELD_RANKS + 8
SUITS = LEFT + 8
SCRATCH = SUITS + 16
# By candidate its play, by seat its hand; two words each.
D_PLAYS = SCRATCH + 104
D_HANDS = D_PLAYS + 2 * MOST_CANDIDATES
# The reward of each place and of a chop, in hundredths of a turn. The number of deals that the
# network's opinion counts for: at least, and per squared cost of the others' decisions. The number
# of the seat's own choices in an imagined game before the network evaluates it.
D_REWARDS = D_HANDS + 16
D_CHOP = D_REWARDS + 8
D_TRUST = D_CHOP + 1
D_DOUBT = D_CHOP + 2
D_FAR = D_CHOP + 3
# The seats' habits, as in `notes` (`kernels.mind_layout`).
D_HABITS = D_CHOP + 4
DREAM_SIZE = D_HABITS + 24
# A ledger's reward (engine.bots.money) holds the place from this bit on.
PLACE_AT = 32
