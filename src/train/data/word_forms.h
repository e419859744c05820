/* word_forms.h - the words of a corpus by their numbers: what they look like, how often each is
 * used, and what the network sees of them. All of it is found once for each word, not each time it
 * occurs.
 */
#ifndef ATTN_TRAIN_WORD_FORMS_H
#define ATTN_TRAIN_WORD_FORMS_H

#include "text/corpus/store.h"
#include "text/lexicon.h"
#include "text/mask.h"

enum { LANGUAGE_SOURCE, LANGUAGE_TARGET, LANGUAGES };

/* ---- What they look like ---- */

/* C cores: the W words without their marks and joiners. Zero-initialise; word_kinds_free
 * releases. */
typedef struct {
    StringTable    cores;
    int           *core;                /* (W) */
    unsigned char *is_joined;           /* (W) the next word is written on to it */
    unsigned char *shape;               /* (C) Shape */
    size_t         count;               /* W */
    size_t         core_capacity, joined_capacity, shape_capacity;
} WordKinds;

/* word_kinds_extend - adds the words that the table got since the last call. */
void word_kinds_extend(WordKinds *kinds, const StringTable *words);
void word_kinds_free(WordKinds *kinds);

static inline Shape word_shape(const WordKinds *kinds, int word)
{
    return (Shape)kinds->shape[kinds->core[word]];
}

/* ---- How often each is used ---- */

/* What is counted of a word, as in WordUse (text/lexicon.h). */
enum { USED, USED_FIRST, USED_SHARED, USED_STOPPED, USED_ENDED, WORD_USES };

/* Zero-initialise; word_uses_free releases. */
typedef struct {
    long  *times[LANGUAGES][WORD_USES];         /* (capacity) */
    size_t capacity;
} WordUses;

/* word_uses_reserve - makes room for so many words: the counts of new ones are 0.
 * word_uses_add - counts a pair, whose words have their kinds.
 * word_uses_merge - adds the counts of `from`, whose `words` words have these numbers here.
 * word_uses_of - one side, to learn its lexicon. */
void    word_uses_reserve(WordUses *uses, size_t words);
void    word_uses_add(WordUses *uses, const WordKinds *kinds, const Record *pair);
void    word_uses_merge(WordUses *uses, const WordUses *from, const int *number, size_t words);
WordUse word_uses_of(const WordUses *uses, const StringTable *words, int side);
void    word_uses_free(WordUses *uses);

/* ---- What the network sees ---- */

/* What mask_word (text/mask.h) makes of a word at one kind of place in its line. */
typedef struct {
    int           form;                 /* number of the word in its usual case */
    unsigned char copied;               /* CopyKind of words of its class */
    unsigned char is_known;             /* it need not be copied */
} WordForm;

/* R words of the corpus, the first of the table; F words in all: these and their forms. */
typedef struct {
    StringTable words;                              /* (F) */
    WordKinds   kinds;                              /* of F words */
    size_t      count;                              /* R */
    WordForm   *form[LANGUAGES][WORD_PLACES];       /* (R) */
} WordForms;

/* word_forms_init - takes over `words` and their kinds. lexicon: of each side; NULL: the text needs
 * none (text_needs_lexicon), and each word is its only form. word_forms_free releases all.
 * word_forms_line - sets form[i] to that of word i of a line; scratch: (2 * count).
 * word_forms_count - how often each form occurs on a side: (F), the caller's to free. What is
 * always copied counts 0.
 * word_forms_has_mark - whether a word has a mark at its head: letters or digits, or a mark behind
 * a blank. */
void  word_forms_init(WordForms *forms, StringTable *words, WordKinds *kinds,
                      const TextOptions *options, const Lexicon *const lexicon[LANGUAGES]);
void  word_forms_free(WordForms *forms);
void  word_forms_line(const WordForms *forms, int side, const int *words, int count,
                      unsigned char *scratch, WordForm *form);
long *word_forms_count(const WordForms *forms, int side, const WordUses *uses);
int   word_forms_has_mark(const WordForms *forms, int word);

#endif
