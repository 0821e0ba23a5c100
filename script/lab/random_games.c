/* Random games of tien-len in plain C, to compare the compiled core with.

Full lists of legal plays, lock-out by passing, chops, playing on to the last place. Instant wins
and trades are left out. Prints games per second of processor time, turns and plays per game. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef uint64_t cards; /* Bit 4 * rank + suit. */
typedef struct {
    cards cards;
    int shape, top; /* Shape: 1 to 4 cards of a rank; 16, 32 or 48 plus the ranks of a run. */
} play;

static cards hands[4];
static play list[16384], top;
static int by, locked, out, sets[5][16], members[5][16][6];
static uint64_t seed = 88172645463325252ull;

static unsigned below(unsigned n) {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return (seed >> 32) * n >> 32;
}

static int group(int n, cards hand, int rank, int size, int above) {
    int held = hand >> 4 * rank & 15;
    for (int i = 0; i < sets[size][held]; i++) {
        int set = members[size][held][i], highest = 4 * rank + 31 - __builtin_clz(set);
        if (highest > above) list[n++] = (play){(cards)set << 4 * rank, size, highest};
    }
    return n;
}

/* Ranks of which a hand holds enough cards, as the lowest bit of each nibble. */
static cards ranks_with(cards hand, int each) {
    cards ones = 0x1111111111111ull, a = hand & ones, b = hand >> 1 & ones;
    cards c = hand >> 2 & ones, d = hand >> 3 & ones;
    if (each == 1) return a | b | c | d;
    if (each == 4) return a & b & c & d;
    return (a & b) | (c & d) | ((a | b) & (c | d));
}

/* Lists the runs from `start` to `end`; their shorter parts are in `stems` already. */
static int runs(int n, cards hand, int each, int shortest, int longest, int above) {
    static cards stems[2][16384];
    cards held = ranks_with(hand & (1ull << 48) - 1, each);
    int kind = each == 4 ? 48 : 16 * each;
    cards starts = held;
    for (int i = 1; i < shortest; i++) starts &= held >> 4 * i;
    for (; starts; starts &= starts - 1) {
        int start = __builtin_ctzll(starts) >> 2, count = 1, from = 0;
        stems[0][0] = 0;
        for (int rank = start; rank < start + longest && held >> 4 * rank & 1; rank++) {
            int byte = hand >> 4 * rank & 15, more = 0, length = rank - start + 1;
            for (int j = 0; j < sets[each][byte]; j++) {
                int set = members[each][byte][j], highest = 4 * rank + 31 - __builtin_clz(set);
                int counts = length >= shortest && highest > above;
                for (int i = 0; i < count; i++) {
                    cards with = stems[from][i] | (cards)set << 4 * rank;
                    stems[1 - from][more++] = with;
                    if (counts) list[n++] = (play){with, kind + length, highest};
                }
            }
            count = more, from = 1 - from;
        }
    }
    return n;
}

static int shaped(int n, cards hand, int shape, int above) {
    if (shape < 5) {
        cards left = above < 0 ? hand : hand >> (above & ~3) << (above & ~3);
        if (shape == 1) {
            for (left = above < 0 ? hand : hand >> above >> 1 << above << 1; left; left &= left - 1)
                list[n++] = (play){left & -left, 1, __builtin_ctzll(left)};
            return n;
        }
        if (shape != 3) left = 15 * ranks_with(left, shape);
        while (left) {
            int rank = __builtin_ctzll(left) >> 2;
            n = group(n, hand, rank, shape, above);
            left &= ~(15ull << 4 * rank);
        }
        return n;
    }
    int each = shape < 32 ? 1 : shape < 48 ? 2 : 4;
    return runs(n, hand, each, shape & 15, shape & 15, above);
}

static int leads(cards hand) {
    int n = 0;
    for (cards left = hand; left;) {
        int rank = __builtin_ctzll(left) >> 2;
        for (int size = 1; size < 5; size++) n = group(n, hand, rank, size, -1);
        left &= ~(15ull << 4 * rank);
    }
    n = runs(n, hand, 1, 3, 12, -1);
    n = runs(n, hand, 2, 3, 6, -1);
    return runs(n, hand, 4, 2, 3, -1);
}

static int answers(cards hand) {
    int n = shaped(0, hand, top.shape, top.top);
    if (top.top < 48 || top.shape > 3) return n;
    static const int chops[4][2] = {{0, 0}, {35, 4}, {36, 50}, {37, 51}};
    n = shaped(n, hand, chops[top.shape][0], -1);
    return shaped(n, hand, chops[top.shape][1], -1);
}

static int after(int seat, int blocked) {
    for (int step = 1; step < 4; step++)
        if (!(blocked >> (seat + step & 3) & 1)) return seat + step & 3;
    return -1;
}

static long game(void) {
    int deck[52], turn = 0, first = 1, lowest = 0;
    long turns = 0;
    for (int i = 0; i < 52; i++) deck[i] = i;
    for (int i = 51; i > 0; i--) {
        int j = below(i + 1), card = deck[i];
        deck[i] = deck[j], deck[j] = card;
    }
    for (int seat = 0; seat < 4; seat++) hands[seat] = 0;
    for (int i = 0; i < 52; i++) hands[i & 3] |= 1ull << deck[i];
    for (int seat = 0; seat < 4; seat++)
        if (hands[seat] & 1) turn = seat;
    top.shape = locked = out = 0, by = -1;
    for (;; turns++) {
        int n = top.shape ? answers(hands[turn]) : leads(hands[turn]), next;
        if (first) {
            int kept = 0;
            for (int i = 0; i < n; i++)
                if (list[i].cards >> lowest & 1) list[kept++] = list[i];
            n = kept, first = 0;
        }
        int choices = top.shape ? n + 1 : n, i = choices > 1 ? (int)below(choices) : 0;
        if (i < n) {
            top = list[i], by = turn, hands[turn] &= ~top.cards;
            if (!hands[turn]) {
                out |= 1 << turn;
                if (__builtin_popcount(out) == 3) return turns + 1;
            }
        } else if (turn != by) {
            locked |= 1 << turn;
        }
        next = i < n || turn != by ? after(turn, locked | out | 1 << by) : -1;
        if (next < 0 && !(out >> by & 1) && (i < n || turn != by)) next = by; /* Forward. */
        else if (next < 0) {
            next = out >> by & 1 ? after(by, out) : by;
            top.shape = locked = 0, by = -1;
        }
        turn = next;
    }
}

int main(int count, char **words) {
    double seconds = count > 1 ? atof(words[1]) : 1, best = 0;
    long games = 0, turns = 0;
    for (int size = 1; size < 5; size++)
        for (int held = 0; held < 16; held++)
            for (int set = 1; set < 16; set++)
                if (!(set & ~held) && __builtin_popcount(set) == size)
                    members[size][held][sets[size][held]++] = set;
    for (int stretch = 0; stretch < 5; stretch++) {
        clock_t begin = clock();
        double spent = 0;
        long played = 0;
        for (; spent < seconds / 5; spent = (double)(clock() - begin) / CLOCKS_PER_SEC)
            for (int i = 0; i < 64; i++, played++) turns += game();
        if (played / spent > best) best = played / spent;
        games += played;
    }
    printf("%.0f games a second, %.1f turns a game\n", best, (double)turns / games);
    return 0;
}
