"""Where the inputs of the master's network begin, and where its numbers and what it notes lie."""

I_OWN = 0
I_OWN_COUNT = 52
I_UNSEEN = 104
I_UNSEEN_COUNT = 156
I_GROUP = 208
I_STRAIGHT = 260
I_PAIR_RUN = 380
I_GROUPS = 428
I_SURE = 438
I_DOUBTFUL = 444
I_TOP_SHAPE = 452
I_TOP_RANK = 472
I_ABOVE = 511
I_TOP_SURE = 519
I_OWNER = 520
I_NEXT = 524
I_HAVE = 528
I_PLACED = 542
# Of the first other seat; each seat after it has as many.
I_COUNT = 545
I_LOCKED = 559
I_PASSED = 560
I_SINGLES = 586
I_OTHER = 54
I_PLAYERS = 707
I_FORWARD = 710
I_BOMB = 711

INPUTS = 713
MOST_INPUTS = 224  # that are there at once, with room for what a play takes away

MOST_CARDS = 13
NOTHING = 13
# notes: by seat the lowest rank of a single and of a pair that it let pass, or NOTHING; the ranks
# of its singles, as bits; its cards. By shape the best play of the unseen cards. Groups of a hand.
# What a network says of a choice; inputs.
N_LET_SINGLE = 0
N_LET_PAIR = 8
N_SINGLES = 16
HABITS = 24
N_SIZES = 24
N_BEST = 32
N_GROUPS = 96
N_CHANCES = 160
N_BEST_CHOICE = 164
N_INPUTS = 168
NOTES = N_INPUTS + 2 * MOST_INPUTS

# mind: by input what it gives to the first layer; what that begins with; by number of the first
# layer what it gives to the second, and so on; then the chance for each of so many opinions.
MIND_FIRST = 256
MIND_SECOND = 64
OPINIONS = 3
M_BIAS = INPUTS * MIND_FIRST
M_SECOND = M_BIAS + MIND_FIRST
M_SECOND_BIAS = M_SECOND + MIND_FIRST * MIND_SECOND
M_LAST = M_SECOND_BIAS + MIND_SECOND
M_LAST_BIAS = M_LAST + OPINIONS * MIND_SECOND
M_CHANCES = M_LAST_BIAS + OPINIONS
CHANCES = 4096
CHANCE_STEP = 1024
CERTAIN = 1 << 16
# sums: of the first layer for what all choices share and for one choice; of the second.
S_FIRST = MIND_FIRST
S_SECOND = 2 * MIND_FIRST
SUMS_OF_MIND = S_SECOND + MIND_SECOND
