/* noise.h - text as people type it: with typing errors, without accents.
 *
 * Each kind of noise is a rule; where a rule has a choice, the key decides (base/random/rng.h), so that
 * the same text and key give the same result. A letter is a grapheme cluster that begins with a
 * letter of any script: no rule parts a letter from its marks.
 *
 *   swap        two different neighbouring letters of a word change places: sotre for store
 *   drop        a letter is missing: stoe
 *   double      a letter is written twice: storre
 *   neighbour   a letter is the one on a neighbouring key of a QWERTY keyboard: stire; a-z only
 *               (these four: one in the text, behind the first letter of a word)
 *   accents     Latin letters have none: Ou etes-vous; ae and oe are not joined
 */
#ifndef ATTN_TEXT_NOISE_H
#define ATTN_TEXT_NOISE_H

#include "base/buf.h"

#include <stdint.h>

typedef enum {
    NOISE_SWAP, NOISE_DROP, NOISE_DOUBLE, NOISE_NEIGHBOUR, NOISE_ACCENTS, TEXT_NOISES
} TextNoise;

/* noise_add - appends the text (valid UTF-8), altered; returns 0 where the rule has nothing to
 * alter, and the text is appended as it is. */
int noise_add(TextNoise kind, const char *text, size_t length, uint64_t key, Buf *out);

#endif
