/* word_forms.c - see word_forms.h. */
#include "train/data/word_forms.h"

#include "base/mem.h"
#include "text/unicode.h"

#include <stdlib.h>

/* ---- Building ---- */

/* The number of a word with plain marks. */
static int plain_form(WordForms *f, int word, Buf *scratch)
{
    const char *text = string_table_text(&f->words, word);
    const size_t length = string_table_length(&f->words, word);
    const size_t mark = words_mark_length(text, length);
    if (unicode_is_ascii(text + mark, length - mark)) return word;
    buf_clear(scratch);
    plain_marks(text, length, scratch);
    return string_table_add(&f->words, scratch->text, scratch->length);
}

/* The number of a word in its usual case at that place. */
static int cased_form(WordForms *f, int word, WordPlace place, const Lexicon *lexicon, Buf *scratch)
{
    const char *text = string_table_text(&f->words, word);
    const size_t length = string_table_length(&f->words, word);
    const size_t mark = words_mark_length(text, length);
    const char *form = truecase_form(lexicon, text + mark, length - mark, place);
    if (!form) return word;
    buf_clear(scratch);
    buf_add(scratch, text, mark);
    buf_puts(scratch, form);
    return string_table_add(&f->words, scratch->text, scratch->length);
}

/* Sets the forms of all words on one side; lexicon NULL: none is needed. */
static void find_forms(WordForms *f, int side, const Lexicon *lexicon, int truecase)
{
    Buf scratch = { 0 };
    for (int word = 0; word < (int)f->count; word++) {
        const int plain = lexicon ? plain_form(f, word, &scratch) : word;
        for (WordPlace place = 0; place < WORD_PLACES; place++)
            f->form[side][place][word] =
                lexicon && truecase ? cased_form(f, plain, place, lexicon, &scratch) : plain;
    }
    buf_free(&scratch);
}

/* Without placeholders any word may become <unk> on both sides, to learn to copy what the
 * vocabulary lacks. */
static CopyKind kind_of(const WordForms *f, int word, const TextOptions *options)
{
    if (options->placeholders) return word_copy(&f->kinds, word);
    return options->tokens != TOKENS_WORD && word_shape(&f->kinds, word) != SHAPE_NONE
        ? COPY_OTHER : COPY_NEVER;
}

static void find_kinds(WordForms *f, const TextOptions *options)
{
    word_kinds_extend(&f->kinds, &f->words);
    f->copy = xmalloc(f->words.count, 1);
    for (int word = 0; word < (int)f->words.count; word++)
        f->copy[word] = (unsigned char)kind_of(f, word, options);
}

static void find_known(WordForms *f, int side, const Lexicon *lexicon)
{
    f->known[side] = xmalloc(f->words.count, 1);
    for (int word = 0; word < (int)f->words.count; word++) {
        const int core = f->kinds.core[word];
        f->known[side][word] = !lexicon
            || lexicon_knows(lexicon, string_table_text(&f->kinds.cores, core),
                             string_table_length(&f->kinds.cores, core));
    }
}

void word_forms_init(WordForms *f, StringTable *words, WordKinds *kinds,
                     const TextOptions *options, const Lexicon *const lexicon[LANGUAGES])
{
    *f = (WordForms){ .words = *words, .kinds = *kinds, .count = words->count };
    *words = (StringTable){ 0 };
    *kinds = (WordKinds){ 0 };
    for (int side = 0; side < LANGUAGES; side++) {
        for (WordPlace place = 0; place < WORD_PLACES; place++)
            f->form[side][place] = xmalloc(f->count, sizeof(int));
        find_forms(f, side, lexicon[side], options->truecase);
    }
    find_kinds(f, options);
    for (int side = 0; side < LANGUAGES; side++)
        find_known(f, side, lexicon[side]);
}

void word_forms_free(WordForms *f)
{
    for (int side = 0; side < LANGUAGES; side++) {
        for (WordPlace place = 0; place < WORD_PLACES; place++)
            free(f->form[side][place]);
        free(f->known[side]);
    }
    string_table_free(&f->words);
    word_kinds_free(&f->kinds);
    free(f->copy);
    *f = (WordForms){ 0 };
}

/* ---- Looking up ---- */

void word_forms_line(const WordForms *f, int side, const int *words, int count,
                     unsigned char *scratch, int *form)
{
    unsigned char *shape = scratch, *place = scratch + count;
    for (int i = 0; i < count; i++)
        shape[i] = (unsigned char)word_shape(&f->kinds, words[i]);
    truecase_places(sentence_case(shape, (size_t)count), shape, (size_t)count, place);
    for (int i = 0; i < count; i++)
        form[i] = f->form[side][place[i]][words[i]];
}

long *word_forms_count(const WordForms *f, int side, const WordUses *uses)
{
    long *count = xcalloc(f->words.count, sizeof *count);
    for (int word = 0; word < (int)f->count; word++) {
        const long first = uses->first[side][word], inside = uses->times[side][word] - first;
        count[f->form[side][PLACE_FIRST][word]] += first;
        count[f->form[side][PLACE_INSIDE][word]] += inside;
    }
    for (int word = 0; word < (int)f->words.count; word++)
        if (f->copy[word] != COPY_NEVER && !f->known[side][word]) count[word] = 0;
    return count;
}
