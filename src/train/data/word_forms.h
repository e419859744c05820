/* word_forms.h - the words of training as the network sees them, by their numbers: what mask_word (text/mask.h) makes of each
 * is looked up.
 */
#ifndef ATTN_TRAIN_WORD_FORMS_H
#define ATTN_TRAIN_WORD_FORMS_H

#include "text/mask.h"
#include "train/data/word_use.h"

/* A word at one kind of place in its line. */
typedef struct {
    int           form;                 /* number of the word in its usual case */
    unsigned char copied;               /* CopyKind of words of its class */
    unsigned char is_known;             /* it need not be copied */
} WordForm;

/* R words of the corpus, which are the first of the table; F words in all: these and their forms. */
typedef struct {
    StringTable words;                              /* (F) */
    WordKinds   kinds;                              /* of F words */
    size_t      count;                              /* R */
    WordForm   *form[LANGUAGES][WORD_PLACES];       /* (R) */
} WordForms;

/* word_forms_init - takes over `words` and their kinds. lexicon: of each side; NULL: the text needs none
 * (text_needs_lexicon), and each word is its only form.
 * word_forms_free - releases it. */
void word_forms_init(WordForms *forms, StringTable *words, WordKinds *kinds, const TextOptions *options,
                     const Lexicon *const lexicon[LANGUAGES]);
void word_forms_free(WordForms *forms);

/* word_forms_line - sets form[i] to that of word i of a line; scratch: (2 * count). */
void word_forms_line(const WordForms *forms, int side, const int *words, int count, unsigned char *scratch, WordForm *form);

/* word_forms_count - how often each form occurs on a side: (F), the caller's to free. What is always copied counts 0. */
long *word_forms_count(const WordForms *forms, int side, const WordUses *uses);

#endif
