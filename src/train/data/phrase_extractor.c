/* phrase_extractor.c - see phrase_extractor.h. */
#include "train/data/phrase_extractor.h"

#include "base/mem.h"

#include <stdlib.h>

/* The words of one side in their usual case, without the marks of blanks. */
typedef struct {
    WordForm      *form;                /* (form_capacity) */
    int           *word;                /* (word_capacity) */
    unsigned char *place;               /* (capacity) PhrasePlace */
    unsigned char *scratch;             /* (scratch_capacity) of word_forms_line */
    size_t         form_capacity, word_capacity, place_capacity, scratch_capacity;
} SideWords;

struct PhraseExtractor {
    const WordForms *words;
    Aligner         *aligner;
    SideWords        side[LANGUAGES];
};

PhraseExtractor *phrase_extractor_new(const WordForms *words)
{
    PhraseExtractor *x = xcalloc(1, sizeof *x);
    x->words = words;
    x->aligner = aligner_new();
    return x;
}

void phrase_extractor_free(PhraseExtractor *x)
{
    if (!x) return;
    aligner_free(x->aligner);
    for (int side = 0; side < LANGUAGES; side++) {
        free(x->side[side].form);
        free(x->side[side].word);
        free(x->side[side].place);
        free(x->side[side].scratch);
    }
    free(x);
}

/* Whether a word has the mark at its head: it is one of letters or digits, or a mark behind a blank. */
static int has_mark(const WordForms *words, int word)
{
    return words_mark_length(string_table_text(&words->words, word),
                             string_table_length(&words->words, word)) > 0;
}

/* The place of a word behind the word `before` it (-1: none). The textbook's words have no marks: all are behind blanks. */
static PhrasePlace place_of(const WordForms *words, int before, int word, int is_marked)
{
    if (word_shape(&words->kinds, word) == SHAPE_NONE) return PHRASE_FINAL;
    const int is_joined = before >= 0 && words->kinds.is_joined[before];
    return is_joined || (is_marked && !has_mark(words, word)) ? PHRASE_NOT_FIRST : PHRASE_ANYWHERE;
}

static void set_side(PhraseExtractor *x, int side, const int *words, int count)
{
    SideWords *s = &x->side[side];
    const size_t room = (size_t)count;
    s->form = grow(s->form, &s->form_capacity, room, sizeof *s->form);
    s->word = grow(s->word, &s->word_capacity, room, sizeof *s->word);
    s->place = grow(s->place, &s->place_capacity, room, 1);
    s->scratch = grow(s->scratch, &s->scratch_capacity, 2 * room, 1);
    word_forms_line(x->words, side, words, count, s->scratch, s->form);
    for (int i = 0; i < count; i++) {
        s->place[i] = (unsigned char)place_of(x->words, i ? words[i - 1] : -1, words[i], has_mark(x->words, words[0]));
        s->word[i] = x->words->kinds.core[s->form[i].form];
    }
}

/* The pair as it is aligned. */
static Record aligned_words(PhraseExtractor *x, const Record *pair)
{
    set_side(x, LANGUAGE_SOURCE, pair->source, pair->source_count);
    set_side(x, LANGUAGE_TARGET, pair->target, pair->target_count);
    return (Record){ x->side[LANGUAGE_SOURCE].word, x->side[LANGUAGE_TARGET].word,
                     pair->source_count, pair->target_count };
}

void phrase_extractor_add(PhraseExtractor *x, const Record *pair)
{
    const Record words = aligned_words(x, pair);
    aligner_add(x->aligner, &words);
}

void phrase_extractor_learn(PhraseExtractor *x, int workers)
{
    aligner_learn(x->aligner, workers);
}

int phrase_extractor_draw(PhraseExtractor *x, const Record *pair, uint64_t key, Record *phrase)
{
    WordAlignment alignment;
    const Record words = aligned_words(x, pair);
    return aligner_align(x->aligner, &words, &alignment)
        && phrase_draw(pair, &alignment, x->side[LANGUAGE_SOURCE].place,
                       x->side[LANGUAGE_TARGET].place, key, phrase);
}
