"""Numbers of the inputs of the master's network, and offsets into `notes`, `mind` and `sums`."""

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
# For the next seat; the inputs of each further seat start I_OTHER higher.
I_COUNT = 545
I_LOCKED = 559
I_PASSED = 560
I_SINGLES = 586
I_OTHER = 54
I_PLAYERS = 707
I_FORWARD = 710
I_BOMB = 711

INPUTS = 713
MOST_INPUTS = 224  # active at once, with room for those that a play removes

MOST_CARDS = 13
NOTHING = 13
# Array `notes`. By seat: the lowest rank of a single and of a pair that it passed on, or NOTHING;
# the ranks of the singles it played, as bits; its number of cards. By shape: the highest card of
# the best play of the unseen cards, or -1. Then the groups of a hand, the network's output for a
# choice, and the active inputs.
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

# Array `mind`. By input its weights to the first layer, then that layer's biases; by neuron of the
# first layer its weights to the second, and so on (the last layer's by output); then the chance for
# each step of an opinion.
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
# Array `sums`: the first layer for the shared inputs and for one choice, the second layer.
S_FIRST = MIND_FIRST
S_SECOND = 2 * MIND_FIRST
SUMS_OF_MIND = S_SECOND + MIND_SECOND
