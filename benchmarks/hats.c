/* Hats on one row of sticks, 1 to 3 a turn, misere play, trained by self-play: a loop by hand.

   Everything that the library has to look up is known here when the loop is compiled: the
   rules, the number of sticks, that both seats hold the same hats, that both learn.

   The same loop three times, with three sources of chance:
   - `hats_pcg64` is the one to compare with: PCG64 (O'Neill 2014), the generator that the library
     draws from, compiled into the loop. From the same state come the same numbers, so the hats
     must come out the same, to the ball.
   - `hats_numpy` draws from NumPy's own PCG64, through the interface that NumPy offers to C.
   - `hats_xorshift` draws from Marsaglia's xorshift (2003), three shifts: what a program gains
     that may choose a cheaper source of chance. */

#include <stdint.h>

#ifndef STICKS
#define STICKS 20
#endif
#define MOST 3

typedef double (*next_double)(void *state);
typedef unsigned __int128 uint128;

static inline double from_bits(uint64_t bits)
{
    return (bits >> 11) * (1.0 / 9007199254740992.0);
}

static inline double pcg64(uint128 *state, uint128 increment)
{
    const uint128 multiplier = ((uint128)2549297995355413924ULL << 64) | 4865540595714422341ULL;
    *state = *state * multiplier + increment;
    uint64_t bits = (uint64_t)(*state >> 64) ^ (uint64_t)*state;
    unsigned turn = (unsigned)(*state >> 122);
    return from_bits((bits >> turn) | (bits << (-turn & 63)));
}

static inline double xorshift(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    *state = x;
    return from_bits(x);
}

/* balls[left][take - 1]; CHANCE is an expression for a number from [0, 1) */
#define TRAIN(CHANCE)                                                        \
    for (long game = 0; game < games; game++) {                              \
        int left = STICKS, turns = 0, hat[STICKS], ball[STICKS];             \
        while (left > 0) {                                                   \
            int most = left < MOST ? left : MOST, take = 0;                  \
            double total = 0.0;                                              \
            for (int each = 0; each < most; each++)                          \
                total += balls[left][each];                                  \
            double rest = total * (CHANCE);                                  \
            while (take < most - 1 && rest >= balls[left][take])             \
                rest -= balls[left][take++];                                 \
            hat[turns] = left;                                               \
            ball[turns++] = take;                                            \
            left -= take + 1;                                                \
        }                                                                    \
        int loser = (turns - 1) & 1;                                         \
        for (int turn = 0; turn < turns; turn++) {                           \
            double *drawn = &balls[hat[turn]][ball[turn]];                   \
            if ((turn & 1) != loser)                                         \
                *drawn += 1.0;                                               \
            else if (*drawn > 1.0)                                           \
                *drawn -= 1.0;                                               \
        }                                                                    \
    }

/* `words`: state and increment, each the upper and the lower half */
void hats_pcg64(double balls[][MOST], long games, const uint64_t *words)
{
    uint128 state = ((uint128)words[0] << 64) | words[1];
    const uint128 increment = ((uint128)words[2] << 64) | words[3];
    TRAIN(pcg64(&state, increment))
}

void hats_numpy(double balls[][MOST], long games, next_double next, void *state)
{
    TRAIN(next(state))
}

void hats_xorshift(double balls[][MOST], long games, uint64_t seed)
{
    TRAIN(xorshift(&seed))
}
