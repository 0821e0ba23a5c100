"""Offsets into the array `past`: the others' decisions, and a sampled deal that explains them."""

H_DECISIONS = 0
# The fields of `engine.bots.imagination.Belief`: the regret, in hundredths of a turn, that halves a
# deal's likelihood; the most regret of one decision; the swaps that start the chain; the swaps
# before each deal; the percentage of deals taken from the chain.
H_UNIT = 1
H_MOST = 2
H_FIRST = 3
H_BETWEEN = 4
H_SHARE = 5
# By seat, and after the last seat for the cards that no seat holds: the hand, the total regret of
# the seat's decisions, the index of its first unknown card and the number of them.
H_HANDS = 32
H_REGRETS = 56
H_AT = 68
H_COUNTS = 80
# The unknown cards, in dealing order.
H_CARDS = 96
# By decision: the seat, the top play, its seat, the locked-out seats, all cards not yet played, the
# cards that the seat has played from this decision on, the code of its play or 0, the fewest cards
# held by another seat, the card that a first play must contain or -1. Plays and cards are two words
# each.
MOST_DECISIONS = 256
H_DECISION = 208
H_ROW = 12
PAST_SIZE = H_DECISION + H_ROW * MOST_DECISIONS
