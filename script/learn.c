// How `master` learns: games against itself, and a network that says how they end.
//
//   learn train NET GAMES [FROM]   play and learn, from nothing or from the network FROM
//   learn match A B DEALS          one seat of A against three of B, each deal in all four seats
//   learn keep NET FILE            write the weights as bytes, in 64ths: the form that is shipped
//   learn walk GAMES               games at random with choices and inputs, for the test
//
// `script/train-bot` builds and runs it; docs/ladder.md tells what it does. The inputs are those of
// engine/bots/features.py, the groups those of engine/bots/decompose.py. One deck, two to four
// players, thirteen cards, chops as in tien-len.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t Cards;  // card 4 * rank + suit is a bit
enum { SINGLE = 1, PAIR, TRIPLE, QUAD, STRAIGHT = 16, PAIR_RUN = 32, QUAD_RUN = 48 };
enum { RANKS = 13, RUN_RANKS = 12, ACE = 11, TWO = 12, SEATS = 4, NEVER = 13 };
static const Cards DECK = (1ULL << 52) - 1;
static const int EACH[] = {0, 1, 2, 4};  // cards of each rank in a run

// ---- chance: xorshift64*

static uint64_t state = 88172645463325252ULL;

static uint64_t bits(void) {
  state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
  return state * 2685821657736338717ULL;
}

static int below(int n) { return (int)(((bits() >> 32) * (uint64_t)n) >> 32); }

static double uniform(void) { return (double)(bits() >> 11) / 9007199254740992.0; }

static float gauss(void) { return sqrt(-2 * log(uniform() + 1e-300)) * cos(6.283185307 * uniform()); }

static void shuffle(int *deck) {
  for (int i = 0; i < 52; i++) deck[i] = i;
  for (int i = 51; i > 0; i--) {
    int j = below(i + 1), card = deck[i];
    deck[i] = deck[j], deck[j] = card;
  }
}

// ---- plays

typedef struct {
  Cards cards;
  int shape, top;  // shape 0 is a pass
} Play;

static int size(Cards cards) { return __builtin_popcountll(cards); }
static int highest(Cards cards) { return 63 - __builtin_clzll(cards); }
static int suits(Cards cards, int rank) { return (int)(cards >> 4 * rank) & 15; }
static int each_of(int shape) { return shape <= QUAD ? shape : EACH[shape >> 4]; }
static int length_of(int shape) { return shape <= QUAD ? 1 : shape & 15; }

// The lowest `count` of some suits, 0 where there are fewer.
static int lowest_suits(int held, int count) {
  int set = 0;
  for (; count && held; count--, held &= held - 1) set |= held & -held;
  return count ? 0 : set;
}

// The lowest `count` suits whose highest is above `over` (-1: any), or 0.
static int suits_above(int held, int count, int over) {
  int set = lowest_suits(held, count);
  if (!set || set >> (over + 1)) return set;
  int above = held >> (over + 1) << (over + 1), crown = above & -above;
  return crown ? crown | lowest_suits(held & (crown - 1), count - 1) : 0;
}

// Adds plays of one shape above a card (-1: all): for each set of ranks the lowest, and one with
// the highest card on top.
static int of_shape(Cards hand, int shape, int over, Play *plays, int n) {
  int each = each_of(shape), length = length_of(shape), end = shape <= QUAD ? RANKS : RUN_RANKS;
  int from = over < 0 ? 0 : over >> 2;
  for (int rank = from < length - 1 ? length - 1 : from; rank < end; rank++) {
    int held = suits(hand, rank), low = suits_above(held, each, over >= 0 && rank == over >> 2 ? over & 3 : -1);
    if (!low) continue;
    Cards rest = 0;
    int r = rank - 1;
    for (; r > rank - length; r--) {
      int set = lowest_suits(suits(hand, r), each);
      if (!set) break;
      rest |= (Cards)set << 4 * r;
    }
    if (r > rank - length) continue;
    int crown = 1 << highest(held), high = crown | lowest_suits(held & ~crown, each - 1);
    for (int set = low;; set = high) {
      Cards cards = rest | (Cards)set << 4 * rank;
      plays[n++] = (Play){cards, shape, highest(cards)};
      if (set == high) break;
    }
  }
  return n;
}

static int leads(Cards hand, Play *plays) {
  int n = 0, most = size(hand);
  for (int shape = SINGLE; shape <= QUAD; shape++) n = of_shape(hand, shape, -1, plays, n);
  for (int kind = 1; kind <= 3; kind++)
    for (int length = kind == 3 ? 2 : 3; length <= RUN_RANKS && length * EACH[kind] <= most; length++)
      n = of_shape(hand, 16 * kind + length, -1, plays, n);
  return n;
}

static int answers(Cards hand, int shape, int top, Play *plays) {
  int n = of_shape(hand, shape, top, plays, 0);
  if (top >> 2 == TWO && shape <= TRIPLE) {
    n = of_shape(hand, PAIR_RUN + 2 + shape, -1, plays, n);
    n = of_shape(hand, shape == SINGLE ? QUAD : QUAD_RUN + shape, -1, plays, n);
  }
  return n;
}

// ---- groups: the cheapest division of a hand, by the costs of engine/bots/data/planner.json

static const struct {
  int single, single_rank, single_ace, single_two, pair, pair_rank, pair_two, triple, triple_rank;
  int straight, straight_rank, straight_length, bomb, bomb_length, quad;
} COST = {94, 6, 21, 132, 110, 7, 41, 113, 5, 134, 4, 7, -27, 40, 8};

static int cost_of(int group) {
  int shape = group >> 4, rank = group & 15;
  if (shape == SINGLE)
    return COST.single - COST.single_rank * rank - COST.single_ace * (rank == ACE) - COST.single_two * (rank == TWO);
  if (shape == PAIR) return COST.pair - COST.pair_rank * rank - COST.pair_two * (rank == TWO);
  if (shape == TRIPLE) return COST.triple - COST.triple_rank * rank;
  if (shape == QUAD) return COST.bomb - COST.quad;
  if (shape < PAIR_RUN) return COST.straight - COST.straight_rank * rank - COST.straight_length * (shape - STRAIGHT - 3);
  return COST.bomb - COST.bomb_length * (shape - PAIR_RUN - 3);
}

typedef struct {
  uint64_t counts;  // cards of each rank, three bits each
  int cost, n;
  uint16_t groups[13];
} Division;

static Division divide(uint64_t counts);

// Takes the division that begins with a group where it costs less, or as little with `ties`.
static void attempt(Division *best, uint64_t left, int group, int ties) {
  Division rest = divide(left);
  int cost = rest.cost + cost_of(group);
  if (cost >= best->cost + ties) return;
  best->cost = cost, best->n = rest.n + 1, best->groups[0] = group;
  memcpy(best->groups + 1, rest.groups, rest.n * sizeof *rest.groups);
}

static Division divide(uint64_t counts) {
  static Division known[1 << 19];
  Division *found = &known[counts * 0x9E3779B97F4A7C15ULL >> 45], best = {counts, 0, 0, {0}};
  if (!counts || found->counts == counts) return counts ? *found : best;
  int rank = __builtin_ctzll(counts) / 3, count = counts >> 3 * rank & 7;
  best.cost = 1 << 20;
  attempt(&best, counts - ((uint64_t)count << 3 * rank), count << 4 | rank, 0);
  if (rank >= ACE && count > 1) attempt(&best, counts - (1ULL << 3 * rank), SINGLE << 4 | rank, 1);
  for (int each = 1; each <= 2; each++) {
    uint64_t left = counts;
    for (int top = rank; top < RUN_RANKS && (int)(counts >> 3 * top & 7) >= each; top++) {
      left -= (uint64_t)each << 3 * top;
      int length = top - rank + 1;
      if (length >= 3) attempt(&best, left, (16 * each + length) << 4 | top, 0);
    }
  }
  return *found = best;
}

static uint64_t counts_of(Cards cards) {
  uint64_t counts = 0;
  for (int rank = 0; rank < RANKS; rank++) counts |= (uint64_t)size(suits(cards, rank)) << 3 * rank;
  return counts;
}

// ---- the game; sets of seats are bits

typedef struct {
  int players, forward;  // forward: who is alone on a trick may beat his own play
  Cards hand[SEATS], played;
  int shape, top, by;    // what is to be beaten; shape 0 is an empty table
  int locked, out, placed, turn, first;
  int passed[SEATS][2];  // the lowest rank of a single and of a pair that a seat let pass
  int singles[SEATS];    // the ranks that it played as singles
  int place[SEATS];
} Game;

static void deal(Game *g, int players, int forward) {
  int deck[52];
  Cards lowest = DECK + 1;
  memset(g, 0, sizeof *g);
  g->players = players, g->forward = forward, g->first = 1;
  shuffle(deck);
  for (int i = 0; i < 13 * players; i++) g->hand[i % players] |= 1ULL << deck[i];
  for (int seat = 0; seat < SEATS; seat++) {
    Cards own = g->hand[seat] & -g->hand[seat];
    g->passed[seat][0] = g->passed[seat][1] = NEVER;
    if (seat >= players) g->out |= 1 << seat;
    else if (own < lowest) lowest = own, g->turn = seat;
  }
}

// All choices of the seat to act; a pass comes last.
static int choices(const Game *g, Play *plays) {
  Cards hand = g->hand[g->turn];
  if (g->shape) {
    int n = answers(hand, g->shape, g->top, plays);
    plays[n] = (Play){0, 0, 0};
    return n + 1;
  }
  int n = leads(hand, plays), kept = 0;
  for (int i = 0; i < n; i++)
    if (!g->first || plays[i].cards & hand & -hand) plays[kept++] = plays[i];
  return kept;
}

static int seat_after(const Game *g, int seat, int steps) { return (seat + steps) % g->players; }

static int next_seat(const Game *g, int seat, int blocked) {
  for (int step = 1; step < g->players; step++)
    if (!(blocked >> seat_after(g, seat, step) & 1)) return seat_after(g, seat, step);
  return -1;
}

// Who acts after the seat to act; `over` tells whether the trick ends.
static int next_turn(const Game *g, int by, int locked, int *over) {
  int next = next_seat(g, g->turn, locked | g->out | 1 << by);
  *over = 0;
  if (next >= 0) return next;
  int gone = g->out >> by & 1;
  *over = gone || !g->forward;
  return gone ? next_seat(g, by, g->out) : by;
}

static void act(Game *g, Play play) {
  int seat = g->turn, over;
  if (play.shape) {
    g->hand[seat] &= ~play.cards, g->played |= play.cards, g->first = 0;
    g->shape = play.shape, g->top = play.top, g->by = seat;
    if (play.shape == SINGLE) g->singles[seat] |= 1 << (play.top >> 2);
    if (!g->hand[seat]) {
      g->place[seat] = g->placed++, g->out |= 1 << seat;
      if (g->placed == g->players - 1) {
        g->place[__builtin_ctz(~g->out)] = g->placed, g->turn = -1;
        return;
      }
    }
  } else if (seat == g->by) {
    g->shape = g->locked = 0;
    return;
  } else {
    g->locked |= 1 << seat;
    int rank = g->top >> 2, *lowest = g->passed[seat] + g->shape - 1;
    if (g->shape <= PAIR && rank < *lowest) *lowest = rank;
  }
  g->turn = next_turn(g, g->by, g->locked, &over);
  if (over) g->shape = g->locked = 0;
}

// ---- inputs: what is there, as numbers; engine/bots/features.py has the same

enum {
  OWN = 0, OWN_COUNT = OWN + 52, UNSEEN = OWN_COUNT + 52, UNSEEN_COUNT = UNSEEN + 52,
  GROUP = UNSEEN_COUNT + 52, STRAIGHTS = GROUP + 52, PAIR_RUNS = STRAIGHTS + 120,
  GROUPS = PAIR_RUNS + 48, SURE = GROUPS + 10, DOUBTFUL = SURE + 6,
  TOP_SHAPE = DOUBTFUL + 8, TOP_RANK = TOP_SHAPE + 20, ABOVE = TOP_RANK + 39,
  TOP_SURE = ABOVE + 8, OWNER = TOP_SURE + 1, NEXT = OWNER + 4, HAVE = NEXT + 4, PLACED = HAVE + 14,
  OTHER = PLACED + 3, COUNT = 0, LOCKED = 14, PASSED = 15, SINGLES = 41, OTHER_SIZE = 54,
  PLAYERS = OTHER + 3 * OTHER_SIZE, FORWARD = PLAYERS + 3, BOMB = FORWARD + 1, INPUTS = BOMB + 2,
  MOST = 192  // that can be there at once
};

// What the seat to act sees before any choice.
typedef struct {
  Cards unseen;
  int best[64];  // by shape the highest card of the best play of the unseen cards, or -1
  int longest;   // the most cards of an opponent
} View;

static int best_top(Cards cards, int shape) {
  int each = each_of(shape), length = length_of(shape);
  for (int rank = shape <= QUAD ? RANKS - 1 : RUN_RANKS - 1; rank >= length - 1; rank--) {
    int r = rank;
    while (r > rank - length && size(suits(cards, r)) >= each) r--;
    if (r == rank - length) return 4 * rank + highest(suits(cards, rank));
  }
  return -1;
}

static int is_sure(const View *v, int shape, int top, int reach) {
  return each_of(shape) * length_of(shape) > reach || v->best[shape] < top;
}

static int up_to(int number, int most, int from, uint16_t *in, int n) {
  for (int i = 0; i < number && i < most; i++) in[n++] = from + i;
  return n;
}

static int cards_of(Cards cards, int from, uint16_t *in, int n) {
  for (Cards c = cards; c; c &= c - 1) in[n++] = from + __builtin_ctzll(c);
  for (int rank = 0; rank < RANKS; rank++) n = up_to(size(suits(cards, rank)), 4, from + 52 + 4 * rank, in, n);
  return n;
}

// The inputs that no choice changes.
static int scene(const Game *g, View *v, uint16_t *in) {
  int me = g->turn, n = 0;
  v->unseen = DECK & ~g->played & ~g->hand[me];
  v->longest = 0;
  memset(v->best, -1, sizeof v->best);
  for (int shape = SINGLE; shape <= QUAD; shape++) v->best[shape] = best_top(v->unseen, shape);
  for (int base = STRAIGHT; base <= PAIR_RUN; base += 16)
    for (int length = 3; length <= (base == STRAIGHT ? 12 : 6); length++)
      if ((v->best[base + length] = best_top(v->unseen, base + length)) < 0) break;
  n = cards_of(v->unseen, UNSEEN, in, n);
  for (int i = 0; i < SEATS - 1; i++) {
    int base = OTHER + i * OTHER_SIZE, seat = seat_after(g, me, 1 + i);
    int count = i < g->players - 1 ? size(g->hand[seat]) : 0;
    if (count > v->longest) v->longest = count;
    in[n++] = base + COUNT + count;
    if (!count) continue;
    for (int k = 0; k < 2; k++)
      if (g->passed[seat][k] < NEVER) in[n++] = base + PASSED + 13 * k + g->passed[seat][k];
    for (int rank = 0; rank < RANKS; rank++)
      if (g->singles[seat] >> rank & 1) in[n++] = base + SINGLES + rank;
  }
  in[n++] = PLACED + g->placed;
  in[n++] = PLAYERS + g->players - 2;
  if (g->forward) in[n++] = FORWARD;
  if (v->best[QUAD] >= 0) in[n++] = BOMB;
  if (v->best[PAIR_RUN + 3] >= 0) in[n++] = BOMB + 1;
  return n;
}

static int kind(int shape) {
  if (shape <= QUAD) return shape;
  return shape < PAIR_RUN ? shape - STRAIGHT + 2 : shape < QUAD_RUN ? shape - PAIR_RUN + 12 : 19;
}

// The other inputs after a choice, but for the cards of the own hand.
static int outlook(const Game *g, const View *v, Play play, uint16_t *in) {
  int n = 0, me = g->turn, sure = 0, over = 0, reach = 0;
  Cards hand = g->hand[me] & ~play.cards;
  Division d = divide(counts_of(hand));
  for (int i = 0; i < d.n; i++) {
    int shape = d.groups[i] >> 4, rank = d.groups[i] & 15;
    if (shape <= QUAD) in[n++] = GROUP + 13 * (shape - 1) + rank;
    else if (shape < PAIR_RUN) in[n++] = STRAIGHTS + 12 * (shape - STRAIGHT - 3) + rank;
    else in[n++] = PAIR_RUNS + 12 * (shape - PAIR_RUN - 3) + rank;
    sure += is_sure(v, shape, 4 * rank + highest(suits(hand, rank)), v->longest);
  }
  n = up_to(d.n, 10, GROUPS, in, n);
  n = up_to(sure, 6, SURE, in, n);
  n = up_to(d.n - sure, 8, DOUBTFUL, in, n);
  in[n++] = HAVE + size(hand);

  int shape = g->shape, top = g->top, by = g->by, locked = g->locked;
  if (play.shape) shape = play.shape, top = play.top, by = me;
  else if (by == me) shape = 0;
  else locked |= 1 << me;
  int next = shape ? next_turn(g, by, locked, &over) : me;
  in[n++] = NEXT + (next - me + g->players) % g->players;
  if (!shape || over) {
    in[n++] = TOP_SHAPE;
    return n;
  }
  for (int i = 0; i < g->players - 1; i++) {
    int seat = seat_after(g, me, 1 + i);
    if (locked >> seat & 1) in[n++] = OTHER + i * OTHER_SIZE + LOCKED;
    else if (seat != by && size(g->hand[seat]) > reach) reach = size(g->hand[seat]);
  }
  in[n++] = OWNER + (by - me + g->players) % g->players;
  in[n++] = TOP_SHAPE + kind(shape);
  in[n++] = TOP_RANK + 13 * (shape <= PAIR ? shape - 1 : 2) + (top >> 2);
  if (shape <= PAIR) n = up_to(size(v->unseen >> (top + 1)), 8, ABOVE, in, n);
  if (is_sure(v, shape, top, reach)) in[n++] = TOP_SURE;
  return n;
}

// ---- the network: two hidden layers; opinions are the chances of a first place, of one of the
// first two, of one of the first three

enum { FIRST = 256, SECOND = 64, OPINIONS = 3, LANES = 16 };
typedef float Lanes __attribute__((vector_size(4 * LANES), may_alias));
#define ALIGNED __attribute__((aligned(4 * LANES)))
typedef struct {
  float w1[INPUTS][FIRST], b1[FIRST], w2[FIRST][SECOND], b2[SECOND], w3[OPINIONS][SECOND], b3[OPINIONS];
} ALIGNED Net;
enum { PARAMETERS = INPUTS * FIRST + FIRST + FIRST * SECOND + SECOND + OPINIONS * SECOND + OPINIONS };
static const float WORTH[OPINIONS] = {0.6f, 0.25f, 0.15f};

// Adds the columns of some inputs, or takes them away.
static void add(const Net *net, float *x, const uint16_t *in, int n, float sign) {
  for (int at = 0; at < FIRST; at += 4 * LANES) {
    Lanes *to = (Lanes *)(x + at), a = to[0], b = to[1], c = to[2], d = to[3];
    for (int i = 0; i < n; i++) {
      const Lanes *from = (const Lanes *)(net->w1[in[i]] + at);
      a += sign * from[0], b += sign * from[1], c += sign * from[2], d += sign * from[3];
    }
    to[0] = a, to[1] = b, to[2] = c, to[3] = d;
  }
}

// The opinions on the sums of the first layer; `hidden` keeps those of the second.
static void judge(const Net *net, const float *x, float *hidden, float *opinions) {
  const Lanes *bias = (const Lanes *)net->b2;
  Lanes a = bias[0], b = bias[1], c = bias[2], d = bias[3], *to = (Lanes *)hidden;
  for (int i = 0; i < FIRST; i++) {
    const Lanes *row = (const Lanes *)net->w2[i];
    if (x[i] > 0) a += x[i] * row[0], b += x[i] * row[1], c += x[i] * row[2], d += x[i] * row[3];
  }
  to[0] = a, to[1] = b, to[2] = c, to[3] = d;
  for (int k = 0; k < OPINIONS; k++) {
    float sum = net->b3[k];
    for (int j = 0; j < SECOND; j++) sum += (hidden[j] > 0 ? hidden[j] : 0) * net->w3[k][j];
    opinions[k] = 1 / (1 + expf(-sum));
  }
}

// A choice that was made: what was there after it, the opinions on the best one, and how it ended.
typedef struct {
  uint16_t n, in[MOST];
  uint8_t seat, strays;
  float opinions[OPINIONS], goal[OPINIONS];
} Choice;

// Returns the best choice by the network's opinion, each value blurred by `noise`.
static int choose(const Net *net, const Game *g, const Play *plays, int n, float noise, Choice *note) {
  Cards hand = g->hand[g->turn];
  for (int i = 0; i < n; i++)
    if (plays[i].cards == hand) {
      if (note) note->n = 0;
      return i;
    }
  View v;
  uint16_t in[MOST], own[MOST];
  float base[FIRST] ALIGNED, x[FIRST] ALIGNED, hidden[SECOND] ALIGNED, opinions[OPINIONS];
  float most = -1, loudest = -1e9f;
  int best = 0, chosen = 0, common = scene(g, &v, in);
  memcpy(base, net->b1, sizeof base);
  add(net, base, in, common, 1);
  for (int i = 0; i < n; i++) {
    memcpy(x, base, sizeof x);
    add(net, x, own, cards_of(hand & ~plays[i].cards, OWN, own, 0), 1);
    add(net, x, own, outlook(g, &v, plays[i], own), 1);
    judge(net, x, hidden, opinions);
    float value = 0;
    for (int k = 0; k < OPINIONS; k++) value += WORTH[k] * opinions[k];
    float loud = noise > 0 ? value + noise * gauss() : value;
    if (loud > loudest) loudest = loud, chosen = i;
    if (value <= most) continue;
    most = value, best = i;
    if (note) memcpy(note->opinions, opinions, sizeof opinions);
  }
  if (note) {
    note->seat = g->turn, note->strays = chosen != best;
    note->n = cards_of(hand & ~plays[chosen].cards, OWN, in, common);
    note->n += outlook(g, &v, plays[chosen], in + note->n);
    memcpy(note->in, in, note->n * sizeof *in);
  }
  return chosen;
}

// ---- learning

enum { RING = 1 << 18, BATCH = 256, AT_ONCE = 64, ENOUGH = 20000 };
#define LIMIT (127 / 64.f)  // of a weight, so that a byte holds it
static const float NOISE[] = {0, 0, 0.015f, 0.05f}, KEEP = 0.8f;
static Choice ring[RING];
static uint64_t filled;
static Net net, calm, gradient, mean, square;  // `calm` is the running mean of `net`: it plays

// One game; every choice joins the ring with how it ended, as far as its seat did not stray, and
// with what the network thought on the way.
static void self_play(void) {
  static Choice notes[400];
  int noted = 0, what = below(20);
  float noise[SEATS], goal[SEATS][OPINIONS];
  Game g;
  Play plays[256];
  deal(&g, what == 0 ? 2 : what == 1 ? 3 : 4, what < 18);
  for (int seat = 0; seat < SEATS; seat++) noise[seat] = NOISE[below(4)];
  while (g.turn >= 0) {
    int n = choices(&g, plays), at = 0;
    if (n > 1 && noted < 400) {
      at = choose(&calm, &g, plays, n, noise[g.turn], &notes[noted]);
      noted += notes[noted].n > 0;
    }
    act(&g, plays[at]);
  }
  for (int seat = 0; seat < SEATS; seat++)
    for (int k = 0; k < OPINIONS; k++) goal[seat][k] = g.place[seat] <= k;
  while (noted--) {
    Choice *note = &notes[noted];
    float *end = goal[note->seat], keep = note->strays ? 0 : KEEP;
    memcpy(note->goal, end, sizeof note->goal);
    ring[filled++ % RING] = *note;
    for (int k = 0; k < OPINIONS; k++) end[k] = keep * end[k] + (1 - keep) * note->opinions[k];
  }
}

// Adds the gradient of one choice; returns its loss.
static double descend(const Choice *choice) {
  float x[FIRST] ALIGNED, hidden[SECOND] ALIGNED, opinions[OPINIONS];
  float slope1[FIRST] ALIGNED, slope2[SECOND] ALIGNED = {0};
  double loss = 0;
  memcpy(x, net.b1, sizeof x);
  add(&net, x, choice->in, choice->n, 1);
  judge(&net, x, hidden, opinions);
  for (int k = 0; k < OPINIONS; k++) {
    float goal = choice->goal[k], miss = (opinions[k] - goal) / BATCH;
    loss -= goal * log(opinions[k] + 1e-9) + (1 - goal) * log(1 - opinions[k] + 1e-9);
    gradient.b3[k] += miss;
    for (int j = 0; j < SECOND; j++) {
      if (hidden[j] <= 0) continue;
      gradient.w3[k][j] += miss * hidden[j];
      slope2[j] += miss * net.w3[k][j];
    }
  }
  for (int j = 0; j < SECOND; j++) gradient.b2[j] += slope2[j];
  for (int i = 0; i < FIRST; i++) {
    slope1[i] = 0;
    if (x[i] <= 0) continue;
    Lanes sum = {0}, *to = (Lanes *)gradient.w2[i], *row = (Lanes *)net.w2[i], *slope = (Lanes *)slope2;
    for (int j = 0; j < SECOND / LANES; j++) to[j] += x[i] * slope[j], sum += row[j] * slope[j];
    for (int j = 0; j < LANES; j++) slope1[i] += sum[j];
  }
  for (int j = 0; j < FIRST; j++) gradient.b1[j] += slope1[j];
  for (int i = 0; i < choice->n; i++)
    for (int j = 0; j < FIRST / LANES; j++) ((Lanes *)gradient.w1[choice->in[i]])[j] += ((Lanes *)slope1)[j];
  return loss / OPINIONS;
}

// One step of Adam on choices drawn from the ring.
static double learn(float rate, uint64_t have) {
  static int steps;
  double loss = 0;
  memset(&gradient, 0, sizeof gradient);
  for (int i = 0; i < BATCH; i++) loss += descend(&ring[(bits() >> 20) % have]) / BATCH;
  steps++;
  float *w = (float *)&net, *g = (float *)&gradient, *m = (float *)&mean, *v = (float *)&square, *c = (float *)&calm;
  float m1 = 1 / (1 - powf(0.9f, steps)), v1 = 1 / (1 - powf(0.999f, steps));
  for (int i = 0; i < PARAMETERS; i++) {
    m[i] = 0.9f * m[i] + 0.1f * g[i];
    v[i] = 0.999f * v[i] + 0.001f * g[i] * g[i];
    w[i] -= rate * m[i] * m1 / (sqrtf(v[i] * v1) + 1e-8f);
    w[i] = w[i] > LIMIT ? LIMIT : w[i] < -LIMIT ? -LIMIT : w[i];
    c[i] += 0.001f * (w[i] - c[i]);
  }
  return loss;
}

static void begin(void) {
  for (int i = 0; i < INPUTS; i++) for (int j = 0; j < FIRST; j++) net.w1[i][j] = 0.1f * gauss();
  for (int i = 0; i < FIRST; i++) for (int j = 0; j < SECOND; j++) net.w2[i][j] = sqrtf(2.f / FIRST) * gauss();
  for (int k = 0; k < OPINIONS; k++) for (int j = 0; j < SECOND; j++) net.w3[k][j] = sqrtf(1.f / SECOND) * gauss();
}

// ---- files and commands

static void save(const void *what, size_t length, const char *path) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(what, length, 1, file) != 1 || fclose(file)) perror(path), exit(1);
}

static void load(Net *to, const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file || fread(to, PARAMETERS * sizeof(float), 1, file) != 1) perror(path), exit(1);
  fclose(file);
}

// The rate stays for two fifths of the games and falls to a thirtieth by the end.
static void train(const char *path, long games) {
  double loss = 0;
  long steps = 0;
  calm = net;
  for (long game = 0; game < games; game += AT_ONCE) {
    double part = (double)game / games, rate = 1e-3 * (part < 0.4 ? 1 : pow(0.03, (part - 0.4) / 0.6));
    uint64_t before = filled;
    for (int i = 0; i < AT_ONCE; i++) self_play();
    uint64_t have = filled < RING ? filled : RING;
    if (have < ENOUGH) continue;
    for (uint64_t i = 0; i < 2 * (filled - before) / BATCH; i++) loss += learn(rate, have), steps++;
    if (game % (256 * AT_ONCE)) continue;
    printf("%ld games, loss %.4f, rate %.6f\n", game, loss / steps, rate), fflush(stdout);
    loss = steps = 0;
    save(&calm, PARAMETERS * sizeof(float), path);
  }
  save(&calm, PARAMETERS * sizeof(float), path);
}

static void match(const Net *a, const Net *b, int deals) {
  double firsts = 0, places = 0;
  for (int i = 0; i < deals; i++) {
    Game start;
    deal(&start, 4, 1);
    for (int seat = 0; seat < 4; seat++) {
      Game g = start;
      Play plays[256];
      while (g.turn >= 0) {
        int n = choices(&g, plays);
        act(&g, plays[n > 1 ? choose(g.turn == seat ? a : b, &g, plays, n, 0, NULL) : 0]);
      }
      firsts += !g.place[seat], places += 1 + g.place[seat];
    }
  }
  printf("%.2f%% first, mean place %.3f\n", 25 * firsts / deals, places / deals / 4);
}

static void keep(const char *path) {
  static int8_t bytes[PARAMETERS];
  for (int i = 0; i < PARAMETERS; i++) bytes[i] = (int8_t)lrintf(64 * ((float *)&net)[i]);
  save(bytes, sizeof bytes, path);
}

// Each game: players, forward, hands; each choice: their number, them, the one taken, its inputs.
static void walk(int games) {
  for (int i = 0; i < games; i++) {
    Game g;
    Play plays[256];
    deal(&g, i % 3 + 2, i / 3 % 2);
    printf("%d %d", g.players, g.forward);
    for (int seat = 0; seat < g.players; seat++) printf(" %llu", (unsigned long long)g.hand[seat]);
    while (g.turn >= 0) {
      View v;
      uint16_t in[MOST];
      int n = choices(&g, plays), at = below(n), inputs = scene(&g, &v, in);
      inputs = cards_of(g.hand[g.turn] & ~plays[at].cards, OWN, in, inputs);
      inputs += outlook(&g, &v, plays[at], in + inputs);
      printf("\n");
      for (int j = 0; j < n; j++) printf("%llu ", (unsigned long long)plays[j].cards);
      printf("| %llu |", (unsigned long long)plays[at].cards);
      for (int j = 0; j < inputs; j++) printf(" %d", in[j]);
      act(&g, plays[at]);
    }
    printf("\nend");
    for (int seat = 0; seat < g.players; seat++) printf(" %d", g.place[seat]);
    printf("\n");
  }
}

int main(int argc, char **argv) {
  const char *what = argc > 2 ? argv[1] : "";
  if (!strcmp(what, "walk")) {
    walk(atoi(argv[2]));
  } else if (!strcmp(what, "keep") && argc == 4) {
    load(&net, argv[2]), keep(argv[3]);
  } else if (!strcmp(what, "match") && argc == 5) {
    load(&net, argv[2]), load(&calm, argv[3]), match(&net, &calm, atoi(argv[4]));
  } else if (!strcmp(what, "train") && (argc == 4 || argc == 5)) {
    if (argc == 5) load(&net, argv[4]);
    else begin();
    train(argv[2], atol(argv[3]));
  } else {
    fprintf(stderr, "learn train NET GAMES [FROM] | match A B DEALS | keep NET FILE | walk GAMES\n");
    return 2;
  }
}
