/* Hats on one row of 20 sticks, 1 to 3 a turn, misere play, trained by self-play: a loop by hand.

   Everything that the library has to look up is known here when the loop is compiled: the
   rules, the number of sticks, that both seats hold the same hats, that both learn.

   The same loop twice, with two sources of chance:
   - `hats_numpy` draws from the NumPy generator that the library draws from, through the
     interface that NumPy offers to C. The numbers are the same, so the hats must come out
     the same, to the ball: the comparison is of the same work.
   - `hats_xorshift` draws from Marsaglia's xorshift (2003), three shifts, compiled into the loop:
     what a program gains that may choose a cheaper source of chance. */

#include <stdint.h>

#define STICKS 20
#define MOST 3

typedef double (*next_double)(void *state);

static inline double xorshift(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    *state = x;
    return (x >> 11) * (1.0 / 9007199254740992.0);
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

void hats_numpy(double balls[][MOST], long games, next_double next, void *state)
{
    TRAIN(next(state))
}

void hats_xorshift(double balls[][MOST], long games, uint64_t seed)
{
    TRAIN(xorshift(&seed))
}
