/* kept_items.h - what a translation must keep exactly: made-up names, numbers, addresses and the
 * like, put into the sources of a test set, and counted in their translations.
 */
#ifndef ATTN_ANALYSIS_KEPT_ITEMS_H
#define ATTN_ANALYSIS_KEPT_ITEMS_H

#include "analysis/corpus_words.h"
#include "text/verbatim/made_up.h"

#include <stdint.h>

typedef struct {
    size_t       line;              /* for the caller */
    char        *text;              /* owned; a number as the source has it */
    MadeUpNumber number;            /* where is_number */
    int          is_number;
    int          times;             /* how often the altered source holds it */
} KeptItem;

/* Zero-initialise it; kept_items_free releases. */
typedef struct { KeptItem *item; size_t count, capacity; } KeptItems;
void kept_items_free(KeptItems *items);

/* kept_items_move - appends all items of `from`, for this line, and leaves `from` empty. */
void kept_items_move(KeptItems *items, KeptItems *from, size_t line);

/* A segment to be altered. Nothing is owned. */
typedef struct {
    const char        *source;      /* in the normal form of text/words.h */
    const char *const *reference;   /* (references) as they are */
    int                references;
    const CorpusWords *words;
    uint64_t           key;         /* base/random/rng.h */
} KeptCase;

/* Each appends the altered source to `out`, and sets `items`, which are empty before, to what must
 * be kept; returns how many these are. 0: the source has no place for one, and `out` holds nothing
 * of use.
 *
 * kept_names           every name (corpus_words.h) that each reference holds as often as the
 *                      source is another, of words that the corpus doesn't hold
 * kept_numbers         every number in digits, with blanks, quotation marks, brackets, currency
 *                      signs, % or punctuation around it, is another
 * kept_verbatim_name   the first such name that occurs once, with no apostrophe behind it, is an
 *                      address, mail, path, code, handle, version or placeholder
 * kept_verbatim_end    one of these, or two, in brackets before the mark that ends the line */
typedef int KeptRule(const KeptCase *c, KeptItems *items, Buf *out);
KeptRule kept_names, kept_numbers, kept_verbatim_name, kept_verbatim_end;

/* kept_item_times - how often a text holds the item exactly: not as part of a longer word or
 * number. A number may have any separators of groups, or none, and a dot or a comma before its
 * fraction. */
int kept_item_times(const KeptItem *item, const char *text);

#endif
