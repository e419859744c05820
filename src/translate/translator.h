/* translator.h - a model that translates: lines in, translations out, in order.
 *
 * Lines are sorted by length into batches and spread over worker threads; the result never depends on how.
 */
#ifndef ATTN_TRANSLATE_TRANSLATOR_H
#define ATTN_TRANSLATE_TRANSLATOR_H

#include "base/error.h"
#include "base/field.h"
#include "base/pool.h"
#include "model/file.h"

#include <stddef.h>

typedef struct {
    int    beam;            /* 1: greedy */
    int    nbest;           /* hypotheses kept per line, at most `beam` */
    double normalize;       /* scores are divided by length^normalize (0: not at all) */
    int    batch;           /* sentences translated together */
    int    attention;       /* keep the attention matrices; no option: who needs none saves memory */
} SearchOptions;

extern const Field search_fields[];
SearchOptions search_defaults(void);

/* One hypothesis. */
typedef struct {
    char  *text;            /* plain text */
    double log_probability; /* natural, sum over its tokens, <eos> included */
    double score;           /* log_probability / length^normalize: what hypotheses are ordered by */
    int   *ids;             /* (length) target tokens, the last is <eos> unless the length limit ended it */
    int    length;
    float *attention;       /* (length, source_length) row-major, each row sums to 1; NULL: not kept */
} Hypothesis;

typedef struct {
    int         *source_ids;     /* (source_length) with <eos> */
    int          source_length;
    Hypothesis  *hypothesis;     /* (count) best first */
    int          count;          /* 1..nbest; 0 for an empty line */
} Translation;

enum { TRANSLATE_MAX_SOURCE = 1000 };   /* bounds the memory that one line can ask for */

typedef struct Translator Translator;

/* translator_new - borrows the model and the pool, which must outlive it. */
Translator *translator_new(const Model *model, const SearchOptions *options, Pool *pool);
void        translator_free(Translator *t);

/* translator_run - translates `count` lines (valid UTF-8, NUL-terminated) into out[0..count-1], in order.
 * An empty or blank line gives a translation with count = 0. A line of more than TRANSLATE_MAX_SOURCE tokens is cut and
 * counted in *cut. Each result is released with translation_free. */
void translator_run(Translator *t, const char *const *lines, size_t count, Translation *out, long *cut);
void translation_free(Translation *t);

#endif
