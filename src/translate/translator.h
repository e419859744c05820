/* translator.h - a model that translates: lines in, translations out, in order.
 *
 * A line is translated in chunks, because a network that learned single sentences drops most of what it is given
 * beyond the first: of one that reaches BLEU 94 on sentences of data/, pairs of them in a line got 38, four 8. So each
 * sentence is a chunk (or with split = 0 the line), and what has more than CHUNK_TOKENS tokens, as many as
 * training takes by default, is cut again (text/sentences.h). No text is left out.
 *
 * What the vocabulary does not hold is copied (translate/unknown_replacement.h). Words of the textbook stay <unk>, unless they are
 * to be replaced.
 *
 * Stretches are sorted by length into batches and spread over worker threads; the result never depends on how.
 */
#ifndef ATTN_TRANSLATE_TRANSLATOR_H
#define ATTN_TRANSLATE_TRANSLATOR_H

#include "base/error.h"
#include "base/field.h"
#include "base/pool.h"
#include "model/model_file.h"
#include "translate/chunks.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int      beam;              /* 1: greedy */
    int      nbest;             /* hypotheses kept per line, at most `beam`; when words are drawn any number */
    double   normalize;         /* scores are divided by length^normalize (0: not at all) */
    double   max_length_ratio;  /* a translation has at most so many tokens for each of the source, and 10 */
    int      repeats;           /* the same words stand at most so often in a row (translate/search.h); 0: any number */
    int      batch;             /* sentences translated together */
    int      split;             /* translate each sentence of a line by itself */
    int      precision;         /* PRECISION_...: how the products round (linalg/precision.h); precision_works */
    int      replace_unknown;   /* models of words: <unk> becomes the source's word with the highest attention */
    int      sample;            /* draw the words instead of searching for the best, as the four below say */
    double   temperature;
    int      top_k;
    double   top_p;
    uint64_t seed;
    int      hard_attention;    /* 0: as trained; or instead of what the model was trained with HARD_... + 1 */
    int      hard_positions;
    /* no options of a command: who needs none saves memory and time */
    int      attention;         /* keep the attention matrices */
    int      scoreless;         /* nobody asks how probable a translation is */
    int      alternatives;      /* keep so many of the most probable words at each position */
    const atomic_int *stop;     /* once it is not 0 a run ends soon, with nothing for any of its lines; NULL: never */
} SearchOptions;

extern const Field search_fields[];     /* from beam to precision */
extern const Field sampling_fields[];   /* from sample to seed */
SearchOptions search_defaults(void);

/* translator_check - whether the options can be asked of these models; -1 with what would be right. */
int translator_check(const SearchOptions *options, const Model *models, int count, Err *e);

typedef struct Translator Translator;

/* translator_new - borrows the model and the pool, which must outlive it, and copies weights: as long as it lives, the
 * model must stay the same.
 * translator_new_ensemble - the same for one or more models that agree (translate/ensemble.h).
 * Both are told options that pass translator_check. */
Translator *translator_new(const Model *model, const SearchOptions *options, Pool *pool);
Translator *translator_new_ensemble(const Model *models, int count, const SearchOptions *options, Pool *pool);
void        translator_free(Translator *t);

/* translator_run - translates `count` lines (valid UTF-8, NUL-terminated) into out[0..count-1], in order.
 * A line without words (empty, blank, nothing that is seen) gives a translation with count = 0. Time and memory grow
 * with the length of a line, not with its square. Each result is released with translation_free.
 * What is drawn depends on the seed and on how many chunks the translator was given before, not on how the lines
 * came in runs. */
void translator_run(Translator *t, const char *const *lines, size_t count, Translation *out);

/* translator_continue - the same where the translation of line i must begin with prefix[i] (in its normal form, where
 * it is another); NULL or "": with anything. The prefix is for the first chunk of the line. */
void translator_continue(Translator *t, const char *const *lines, const char *const *prefix, size_t count,
                         Translation *out);

/* translator_score - how probable target[i] is as the translation of line i, which is not cut: out[i] has one chunk
 * and one hypothesis, the target; its found->log_probabilities tell of each token. An empty line is scored like others.
 * Neither side may have more than SCORE_TOKENS tokens: returns `count`, or the number of the first line that has; then
 * out has what was found for the lines before it. Not for a translator that draws words. */
enum { SCORE_TOKENS = 1000 };
size_t translator_score(Translator *t, const char *const *lines, const char *const *target, size_t count,
                        Translation *out);

#endif
