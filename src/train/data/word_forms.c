/* word_forms.c - see word_forms.h. */
#include "train/data/word_forms.h"

#include "base/mem.h"

#include <stdlib.h>

/* ---- Building ---- */

/* Without placeholders any word may become <unk> on both sides, to learn to copy what the vocabulary lacks. */
static CopyKind copied_without_placeholders(const WordForms *f, const TextOptions *options, int word)
{
    return options->tokens != TOKENS_WORD && word_shape(&f->kinds, word) != SHAPE_NONE ? COPY_OTHER : COPY_NEVER;
}

static void find_forms(WordForms *f, int side, const TextOptions *options, const Lexicon *lexicon)
{
    Buf form = { 0 };
    for (int word = 0; word < (int)f->count; word++)
        for (WordPlace place = 0; place < WORD_PLACES; place++) {
            const char *text = string_table_text(&f->words, word);
            int is_known;
            CopyKind kind = mask_word(options, lexicon, text, string_table_length(&f->words, word), place, &form, &is_known);
            if (!options->placeholders) kind = copied_without_placeholders(f, options, word);
            f->form[side][place][word] = (WordForm){ string_table_add(&f->words, form.text, form.length),
                                                     (unsigned char)kind, (unsigned char)is_known };
        }
    buf_free(&form);
}

void word_forms_init(WordForms *f, StringTable *words, WordKinds *kinds, const TextOptions *options,
                     const Lexicon *const lexicon[LANGUAGES])
{
    *f = (WordForms){ .words = *words, .kinds = *kinds, .count = words->count };
    *words = (StringTable){ 0 };
    *kinds = (WordKinds){ 0 };
    for (int side = 0; side < LANGUAGES; side++) {
        for (WordPlace place = 0; place < WORD_PLACES; place++)
            f->form[side][place] = xmalloc(f->count, sizeof(WordForm));
        find_forms(f, side, options, lexicon[side]);
    }
    word_kinds_extend(&f->kinds, &f->words);
}

void word_forms_free(WordForms *f)
{
    for (int side = 0; side < LANGUAGES; side++)
        for (WordPlace place = 0; place < WORD_PLACES; place++)
            free(f->form[side][place]);
    string_table_free(&f->words);
    word_kinds_free(&f->kinds);
    *f = (WordForms){ 0 };
}

/* ---- Looking up ---- */

void word_forms_line(const WordForms *f, int side, const int *words, int count, unsigned char *scratch, WordForm *form)
{
    unsigned char *shape = scratch, *place = scratch + count;
    for (int i = 0; i < count; i++)
        shape[i] = (unsigned char)word_shape(&f->kinds, words[i]);
    truecase_places(sentence_case(shape, (size_t)count), shape, (size_t)count, place);
    for (int i = 0; i < count; i++)
        form[i] = f->form[side][place[i]][words[i]];
}

static void count_form(long *count, const WordForm *form, long times)
{
    if (form->copied == COPY_NEVER || form->is_known) count[form->form] += times;
}

long *word_forms_count(const WordForms *f, int side, const WordUses *uses)
{
    long *count = xcalloc(f->words.count, sizeof *count);
    for (int word = 0; word < (int)f->count; word++) {
        const long first = uses->first[side][word];
        count_form(count, &f->form[side][PLACE_FIRST][word], first);
        count_form(count, &f->form[side][PLACE_INSIDE][word], uses->times[side][word] - first);
    }
    return count;
}
