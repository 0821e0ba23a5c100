"""Where what lies in the array `past`: what others decided, and a deal that explains it."""

H_DECISIONS = 0
# A deal is half as likely for each so many hundredths of a turn; as much as one decision may tell;
# swaps before the first deal and before each other one; of a hundred deals so many explain.
H_UNIT = 1
H_MOST = 2
H_FIRST = 3
H_BETWEEN = 4
H_SHARE = 5
# By seat, and after the last seat for cards that nobody has: the hand, how badly it explains what
# the seat did, where its unknown cards stand among those of the deal and how many they are.
H_HANDS = 32
H_REGRETS = 56
H_AT = 68
H_COUNTS = 80
# The unknown cards in the order of the deal.
H_CARDS = 96
# By decision: the seat, the top play, whose it was, who was locked out, all cards that were not
# played, the cards that the seat has played since, the code of its play or 0, the least cards that
# another seat held, the card that a first play had to contain or -1.
MOST_DECISIONS = 256
H_DECISION = 208
H_ROW = 12
PAST_SIZE = H_DECISION + H_ROW * MOST_DECISIONS
