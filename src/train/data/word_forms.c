/* word_forms.c - see word_forms.h. */
#include "train/data/word_forms.h"

#include "base/mem.h"
#include "text/words.h"

#include <stdlib.h>
#include <string.h>

/* ---- What they look like ---- */

void word_kinds_extend(WordKinds *k, const StringTable *words)
{
    k->core = grow(k->core, &k->core_capacity, words->count, sizeof *k->core);
    k->is_joined = grow(k->is_joined, &k->joined_capacity, words->count, 1);
    for (; k->count < words->count; k->count++) {
        const Slice word = string_table_at(words, (int)k->count), core = words_core(word);
        const size_t before = k->cores.count;
        const int number = string_table_add(&k->cores, core);
        k->shape = grow(k->shape, &k->shape_capacity, k->cores.count, 1);
        if (k->cores.count > before)
            k->shape[number] = (unsigned char)letter_case_shape(core);
        k->core[k->count] = number;
        k->is_joined[k->count] = words_joiner_length(word) > 0;
    }
}

void word_kinds_free(WordKinds *k)
{
    string_table_free(&k->cores);
    free(k->core);
    free(k->is_joined);
    free(k->shape);
    *k = (WordKinds){ 0 };
}

/* ---- How often each is used ---- */

void word_uses_reserve(WordUses *u, size_t words)
{
    if (words <= u->capacity) return;
    const size_t capacity = 2 * words, added = capacity - u->capacity;
    for (int side = 0; side < LANGUAGES; side++)
        for (int use = 0; use < WORD_USES; use++) {
            long **times = &u->times[side][use];
            *times = xrealloc(*times, capacity, sizeof **times);
            memset(*times + u->capacity, 0, added * sizeof **times);
        }
    u->capacity = capacity;
}

static void count_side(long *const *times, const WordKinds *kinds, const int *words, int count)
{
    int first = 0;
    while (first < count && word_shape(kinds, words[first]) == SHAPE_NONE)
        first++;
    for (int i = 0; i < count; i++)
        times[USED][words[i]]++;
    if (first < count) times[USED_FIRST][words[first]]++;
    for (int i = 1; i < count; i++) {
        const char *core = string_table_text(&kinds->cores, kinds->core[words[i]]);
        const int is_full_stop = !strcmp(core, ".") && !kinds->is_joined[words[i]]; /* as of 3.5 */
        if (is_full_stop) times[i + 1 < count ? USED_STOPPED : USED_ENDED][words[i - 1]]++;
    }
}

void word_uses_add(WordUses *u, const WordKinds *kinds, const Record *pair)
{
    word_uses_reserve(u, kinds->count);
    count_side(u->times[LANGUAGE_SOURCE], kinds, pair->source, pair->source_count);
    count_side(u->times[LANGUAGE_TARGET], kinds, pair->target, pair->target_count);
    /* A word of the source, and the first such word of the target, are shared. */
    for (int i = 0; i < pair->source_count; i++) {
        int k = 0;
        while (k < pair->target_count
               && kinds->core[pair->target[k]] != kinds->core[pair->source[i]])
            k++;
        if (k == pair->target_count) continue;
        u->times[LANGUAGE_SOURCE][USED_SHARED][pair->source[i]]++;
        u->times[LANGUAGE_TARGET][USED_SHARED][pair->target[k]]++;
    }
}

/* What is 0 needs no look at where it would go. */
void word_uses_merge(WordUses *u, const WordUses *from, const int *number, size_t words)
{
    for (int side = 0; side < LANGUAGES; side++)
        for (int use = 0; use < WORD_USES; use++) {
            const long *some = from->times[side][use];
            long *all = u->times[side][use];
            for (size_t word = 0; word < words; word++)
                if (some[word]) all[number[word]] += some[word];
        }
}

WordUse word_uses_of(const WordUses *u, const StringTable *words, int side)
{
    long *const *times = u->times[side];
    return (WordUse){ words, times[USED], times[USED_FIRST], times[USED_SHARED],
                      times[USED_STOPPED], times[USED_ENDED], NULL };
}

void word_uses_free(WordUses *u)
{
    for (int side = 0; side < LANGUAGES; side++)
        for (int use = 0; use < WORD_USES; use++)
            free(u->times[side][use]);
    *u = (WordUses){ 0 };
}

/* ---- What the network sees ---- */

/* Without placeholders any word may become <unk> on both sides, to learn to copy what the
 * vocabulary lacks. */
static void find_forms(WordForms *f, int side, const TextOptions *options, const Lexicon *lexicon)
{
    Buf form = { 0 };
    for (int word = 0; word < (int)f->count; word++)
        for (WordPlace place = 0; place < WORD_PLACES; place++) {
            int is_known;
            CopyKind kind = mask_word(options, lexicon, string_table_at(&f->words, word), place,
                                      &form, &is_known);
            if (!options->placeholders) {
                const int is_word = word_shape(&f->kinds, word) != SHAPE_NONE;
                kind = options->tokens != TOKENS_WORD && is_word ? COPY_OTHER : COPY_NEVER;
            }
            f->form[side][place][word] =
                (WordForm){ string_table_add(&f->words, buf_slice(&form)),
                            (unsigned char)kind, (unsigned char)is_known };
        }
    buf_free(&form);
}

void word_forms_init(WordForms *f, StringTable *words, WordKinds *kinds,
                     const TextOptions *options, const Lexicon *const lexicon[LANGUAGES])
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

void word_forms_line(const WordForms *f, int side, const int *words, int count,
                     unsigned char *scratch, WordForm *form)
{
    unsigned char *shape = scratch, *place = scratch + count;
    for (int i = 0; i < count; i++)
        shape[i] = (unsigned char)word_shape(&f->kinds, words[i]);
    sentence_case(shape, (size_t)count, place);
    for (int i = 0; i < count; i++)
        form[i] = f->form[side][place[i]][words[i]];
}

static void count_form(long *count, const WordForm *form, long times)
{
    if (form->copied == COPY_NEVER || form->is_known) count[form->form] += times;
}

long *word_forms_count(const WordForms *f, int side, const WordUses *uses)
{
    long *const *times = uses->times[side];
    long *count = xcalloc(f->words.count, sizeof *count);
    for (int word = 0; word < (int)f->count; word++) {
        const long first = times[USED_FIRST][word];
        count_form(count, &f->form[side][PLACE_FIRST][word], first);
        count_form(count, &f->form[side][PLACE_INSIDE][word], times[USED][word] - first);
    }
    return count;
}

int word_forms_has_mark(const WordForms *f, int word)
{
    return words_mark_length(string_table_at(&f->words, word)) > 0;
}
