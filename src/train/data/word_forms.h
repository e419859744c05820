/* word_forms.h - the words of training as the network sees them (text/prepare/prepare.h), by their
 * numbers: what prepare_source would do with each is looked up instead.
 */
#ifndef ATTN_TRAIN_WORD_FORMS_H
#define ATTN_TRAIN_WORD_FORMS_H

#include "text/prepare/prepare.h"
#include "text/prepare/truecase.h"
#include "train/data/word_use.h"

/* R words of the corpus, which are the first of the table; F words in all: these and their forms.
 * */
typedef struct {
    StringTable    words;                       /* (F) */
    WordKinds      kinds;                       /* of F words */
    size_t         count;                       /* R */
    int           *form[LANGUAGES][WORD_PLACES];    /* (R) number of the word in its usual case */
    unsigned char *copy;                        /* (F) CopyKind */
    unsigned char *known[LANGUAGES];                /* (F) the side's lexicon has the word */
} WordForms;

/* word_forms_init - takes over `words` and their kinds. lexicon: of each side; NULL: the text needs
 * none (text_needs_lexicon), each word is its only form, and every word is known.
 * word_forms_free - releases it. */
void word_forms_init(WordForms *forms, StringTable *words, WordKinds *kinds,
                     const TextOptions *options, const Lexicon *const lexicon[LANGUAGES]);
void word_forms_free(WordForms *forms);

/* word_forms_line - sets form[i] to the form of word i of a line; scratch: (2 * count). */
void word_forms_line(const WordForms *forms, int side, const int *words, int count,
                     unsigned char *scratch, int *form);

/* word_forms_count - how often each form occurs on a side: (F), the caller's to free. What is
 * always copied counts 0. */
long *word_forms_count(const WordForms *forms, int side, const WordUses *uses);

#endif
