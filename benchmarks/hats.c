/* Hats on one row of sticks, 1 to 3 a turn, misere play, trained by self-play: a loop by hand.

   Everything that the library has to look up is known here when the loop is compiled: the
   rules, the number of sticks, that both seats hold the same hats, that both learn.

   It draws from PCG64 (O'Neill 2014), the generator that the library draws from, compiled into the loop.
   From the same state come the same numbers, so the hats must come out the same, to the ball. */

#include <stdint.h>

#define STICKS 20
#define MOST 3

typedef unsigned __int128 uint128;

static inline double pcg64(uint128 *state, uint128 increment)
{
    const uint128 multiplier = ((uint128)2549297995355413924ULL << 64) | 4865540595714422341ULL;
    *state = *state * multiplier + increment;
    uint64_t bits = (uint64_t)(*state >> 64) ^ (uint64_t)*state;
    unsigned turn = (unsigned)(*state >> 122);
    return (((bits >> turn) | (bits << (-turn & 63))) >> 11) * (1.0 / 9007199254740992.0);
}

/* `balls[left][take - 1]`; `words`: state and increment, each the upper and the lower half */
void hats_pcg64(double balls[][MOST], long games, const uint64_t *words)
{
    uint128 state = ((uint128)words[0] << 64) | words[1];
    const uint128 increment = ((uint128)words[2] << 64) | words[3];
    for (long game = 0; game < games; game++) {
        int left = STICKS, turns = 0, hat[STICKS], ball[STICKS];
        while (left > 0) {
            int most = left < MOST ? left : MOST, take = 0;
            double total = 0.0;
            for (int each = 0; each < most; each++)
                total += balls[left][each];
            double rest = total * pcg64(&state, increment);
            while (take < most - 1 && rest >= balls[left][take])
                rest -= balls[left][take++];
            hat[turns] = left;
            ball[turns++] = take;
            left -= take + 1;
        }
        int loser = (turns - 1) & 1;
        for (int turn = 0; turn < turns; turn++) {
            double *drawn = &balls[hat[turn]][ball[turn]];
            if ((turn & 1) != loser)
                *drawn += 1.0;
            else if (*drawn > 1.0)
                *drawn -= 1.0;
        }
    }
}
