/* word_kinds.c - see word_kinds.h. */
#include "train/data/word_kinds.h"

#include "base/mem.h"
#include "text/words.h"

#include <stdlib.h>

/* The number of a core, whose looks are found where it is new. */
static int add_core(WordKinds *k, const char *core, size_t length)
{
    const size_t before = k->cores.count;
    const int id = string_table_add(&k->cores, core, length);
    if (k->cores.count == before) return id;
    k->shape = grow(k->shape, &k->shape_capacity, k->cores.count, 1);
    k->shape[id] = (unsigned char)letter_case_shape(core, length);
    return id;
}

void word_kinds_extend(WordKinds *k, const StringTable *words)
{
    k->core = grow(k->core, &k->core_capacity, words->count, sizeof *k->core);
    k->is_joined = grow(k->is_joined, &k->joined_capacity, words->count, 1);
    for (; k->count < words->count; k->count++) {
        const int word = (int)k->count;
        const char *text = string_table_text(words, word);
        const size_t length = string_table_length(words, word);
        const WordCore core = words_core(text, length);
        k->core[word] = add_core(k, core.text, core.length);
        k->is_joined[word] = words_joiner_length(text, length) > 0;
    }
}

void word_kinds_clear(WordKinds *k)
{
    string_table_clear(&k->cores);
    k->count = 0;
}

void word_kinds_free(WordKinds *k)
{
    string_table_free(&k->cores);
    free(k->core);
    free(k->is_joined);
    free(k->shape);
    *k = (WordKinds){ 0 };
}
