/* word_forms.c - see word_forms.h. */
#include "train/word_forms.h"

#include "base/mem.h"
#include "text/unicode.h"

#include <stdlib.h>

/* ---- Building ---- */

static void describe_words(WordForms *f)
{
    StringTable cores = { 0 };
    f->core = xmalloc(f->count, sizeof *f->core);
    f->shape = xmalloc(f->count, 1);
    for (int word = 0; word < (int)f->count; word++) {
        const char *text = string_table_text(&f->words, word);
        const size_t length = string_table_length(&f->words, word);
        const size_t mark = words_mark_length(text, length);
        f->core[word] = string_table_add(&cores, text + mark, length - mark);
        f->shape[word] = (unsigned char)letter_case_shape(text + mark, length - mark);
    }
    string_table_free(&cores);
}

/* Adds the forms of all words at one place; lexicon NULL: they keep their case. */
static void add_forms(WordForms *f, int *form, WordPlace place, const Lexicon *lexicon)
{
    Buf text = { 0 };
    for (int word = 0; word < (int)f->count; word++) {
        buf_clear(&text);
        prepare_word(lexicon, string_table_text(&f->words, word),
                     string_table_length(&f->words, word), place, &text);
        form[word] = string_table_add(&f->words, text.text, text.length);
    }
    buf_free(&text);
}

static void keep_forms(int *form, size_t count)
{
    for (int word = 0; word < (int)count; word++)
        form[word] = word;
}

static int has_letter_or_number(const char *word)
{
    while (*word) {
        int32_t point = unicode_next(&word);
        if (unicode_is_letter(point) || unicode_is_number(point)) return 1;
    }
    return 0;
}

/* Without placeholders any word may become <unk> on both sides, to learn to copy what the vocabulary
 * lacks. */
static CopyKind kind_of(const char *word, size_t length, const TextOptions *options)
{
    if (options->placeholders) return copy_kind(word, length);
    return options->tokens != TOKENS_WORD && has_letter_or_number(word) ? COPY_OTHER : COPY_NEVER;
}

static void find_kinds(WordForms *f, const TextOptions *options, const Lexicon *const lexicon[LANGUAGES])
{
    f->copy = xmalloc(f->words.count, 1);
    for (int side = 0; side < LANGUAGES; side++)
        f->known[side] = xmalloc(f->words.count, 1);
    for (int word = 0; word < (int)f->words.count; word++) {
        const char *text = string_table_text(&f->words, word);
        const size_t mark = words_mark_length(text, string_table_length(&f->words, word));
        const size_t length = string_table_length(&f->words, word) - mark;
        f->copy[word] = (unsigned char)kind_of(text + mark, length, options);
        for (int side = 0; side < LANGUAGES; side++)
            f->known[side][word] =
                !lexicon[side] || lexicon_knows(lexicon[side], text + mark, length);
    }
}

void word_forms_init(WordForms *f, StringTable *words, const TextOptions *options,
                     const Lexicon *const lexicon[LANGUAGES])
{
    *f = (WordForms){ .words = *words, .count = words->count };
    *words = (StringTable){ 0 };
    describe_words(f);
    for (int side = 0; side < LANGUAGES; side++)
        for (WordPlace place = 0; place < WORD_PLACES; place++) {
            int *form = f->form[side][place] = xmalloc(f->count, sizeof *form);
            if (!lexicon[side]) keep_forms(form, f->count);
            else add_forms(f, form, place, options->truecase ? lexicon[side] : NULL);
        }
    find_kinds(f, options, lexicon);
}

void word_forms_free(WordForms *f)
{
    for (int side = 0; side < LANGUAGES; side++) {
        for (WordPlace place = 0; place < WORD_PLACES; place++)
            free(f->form[side][place]);
        free(f->known[side]);
    }
    string_table_free(&f->words);
    free(f->core);
    free(f->shape);
    free(f->copy);
    *f = (WordForms){ 0 };
}

/* ---- Looking up ---- */

void word_forms_line(const WordForms *f, int side, const int *words, int count,
                     unsigned char *scratch, int *form)
{
    unsigned char *shape = scratch, *place = scratch + count;
    for (int i = 0; i < count; i++)
        shape[i] = f->shape[words[i]];
    truecase_places(shape, (size_t)count, place);
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
