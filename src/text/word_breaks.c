/* word_breaks.c - see word_breaks.h. */
#include "text/word_breaks.h"

#include "base/mem.h"
#include "text/sentences/sentences.h"
#include "text/unicode.h"

#include <string.h>

/* Whether a sentence goes on behind a piece: it is no final mark. */
static int goes_on(const char *piece)
{
    const WordCore core = words_core(piece, strlen(piece));
    return !core.length || !is_final_mark(unicode_before(core.text, core.text + core.length));
}

unsigned char *word_breaks(const Tokenizer *t)
{
    const int size = tokenizer_size(t);
    unsigned char *breaks = xmalloc((size_t)size, 1);
    for (int id = 0; id < size; id++)
        breaks[id] = id < ID_SPECIALS || goes_on(tokenizer_piece(t, id));
    return breaks;
}
