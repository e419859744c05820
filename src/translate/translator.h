/* translator.h - a model that translates: lines in, translations out, in order.
 *
 * A line is translated in chunks. Each sentence is one: a network that learned single sentences
 * drops most of what follows the first (one with BLEU 94 on sentences of data/ had 38 on lines of
 * two, 8 on lines of four). With split = 0, and with tokens of kind symbol, the line is one. What
 * is longer than nearly all that the network learned (Model.longest; CHUNK_TOKENS where that is not
 * known) is cut as well as possible (text/sentences.h). Marks at the start of a chunk,
 * such as those of a list, stay as they are, and so do tags of HTML (text/markup.h). No text
 * is left out.
 *
 * What the vocabulary does not hold is copied (search/hypothesis.h). Models of words keep <unk>
 * unless it is to be replaced.
 *
 * Chunks are sorted by length into batches and spread over worker threads; the result never depends
 * on how.
 */
#ifndef ATTN_TRANSLATE_TRANSLATOR_H
#define ATTN_TRANSLATE_TRANSLATOR_H

#include "base/error.h"
#include "base/system/pool.h"
#include "model/file/model_file.h"
#include "search/search_options.h"
#include "translate/translation.h"

#include <stddef.h>

typedef struct Translator Translator;

/* translator_options - what was asked for, without "auto": what the models say, or search_defaults.
 * translator_new - of one or more models that agree. It borrows them and the pool, which must
 * outlive it, and copies weights: the models must not change as long as it lives.
 * ensemble_check - whether all models cut text into the same pieces and number them alike, on both
 * sides; their networks may differ. -1 with why the first that differs from model 0 may do so;
 * name: what the message calls each.
 * target_check - whether a model translates into this language, of several (SearchOptions.to). -1
 * with those that it knows. */
SearchOptions translator_options(const Model *models, int count, const SearchOptions *asked);
Translator *translator_new(const Model *models, int count, const SearchOptions *options,
                           Pool *pool);
void        translator_free(Translator *t);
int         ensemble_check(const Model *model, const char *const *name, int count, Err *e);
int         target_check(const Model *model, const char *name, const char *to, Err *e);

/* translator_share - another translator with the options and copies of t, which must outlive it:
 * both may run at the same time, each with its own pool.
 * translator_restart - words are drawn as if t had had no run before. */
Translator *translator_share(const Translator *t, Pool *pool);
void        translator_restart(Translator *t);

/* translator_run - translates `count` lines (valid UTF-8, NUL-terminated); the caller frees what it
 * returns. prefix: (count) what the translation of the first chunk of each begins with (in its
 * normal form, where it is another); NULL or "": anything. Or NULL. A line without words (empty,
 * blank, nothing that is seen) gives a translation with count = 0, and so do all lines after a
 * request to stop. Time and memory grow with the length of a line, not with its square. Words that
 * are drawn depend on the seed and on how many chunks this translator had before, not on how the
 * lines were divided into runs. */
Translations translator_run(Translator *t, const char *const *lines, const char *const *prefix,
                            size_t count);

/* translator_score - the probability of target[i] as the translation of line i, which is not cut:
 * its translation has one chunk and one hypothesis, the target, with the log-probability of each
 * token. An empty line is scored like others. Neither side may have more than SCORE_TOKENS tokens:
 * the results are those of all lines before the first one that has. Not for a translator that draws
 * words. */
enum { SCORE_TOKENS = 1000 };
Translations translator_score(Translator *t, const char *const *lines, const char *const *target,
                              size_t count);

#endif
