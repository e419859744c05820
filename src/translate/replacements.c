/* replacements.c - see replacements.h. */
#include "translate/replacements.h"

#include "base/mem.h"

#include <stdlib.h>

static void copy_unknowns(const char **list, const Chunk *chunk, const Hypothesis *h, const Tokenizer *source)
{
    int *place = xmalloc((size_t)h->length, sizeof *place);
    unknown_replacement_choose(place, h, chunk->source_ids, chunk->source_length, chunk->copy);
    for (int i = 0, k = 0; i < h->length; i++) {
        if (h->ids[i] != ID_UNK) continue;
        if (place[k] >= 0) list[i] = chunk_source_text(chunk, place[k], source);
        k++;
    }
    xfree(place);
}

const char **chunk_replacements(const Chunk *chunk, const Hypothesis *h, const Tokenizer *source)
{
    const int unknowns = chunk->copy == COPY_UNKNOWN ? chunk->unknowns : chunk->copy == COPY_ANY;
    if (!unknowns && !chunk->prefix_unknowns && !chunk->copies.text.count) return NULL;
    const char **list = xcalloc((size_t)h->length, sizeof *list);
    if (unknowns) copy_unknowns(list, chunk, h, source);
    for (int i = 0, k = 0; i < h->length; i++) {
        if (h->ids[i] == ID_UNK && k < chunk->prefix_unknowns) list[i] = chunk->prefix_unknown[k++];
        if (h->ids[i] != ID_UNK) list[i] = chunk_copied_word(chunk, h->ids[i]);
    }
    return list;
}
