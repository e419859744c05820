/* untranslated.c - the first few texts, shortened, and the number of the others. */
#include "cmd/translate/untranslated.h"

#include "text/unicode.h"

#include <string.h>

enum { MOST_NAMED = 3, MOST_CHARACTERS = 40 };

const char *const untranslated_text[UNTRANSLATED_KINDS] = {
    [UNTRANSLATED_LOST] = "not in the model's vocabulary, and lost in translation",
    [UNTRANSLATED_BEHIND] = "left out by the network, and written behind the sentence"
};

/* Whether the text is U+FFFD only, which replaced invalid bytes with a warning. */
static int is_repair(const char *text)
{
    while (*text)
        if (unicode_next(&text) != 0xFFFD) return 0;
    return 1;
}

/* Text i of a chunk that is to be copied: of its placeholders first, then of its <unk>. */
static const char *copied_text(const Chunk *chunk, int i)
{
    const int copies = (int)chunk->copies.text.count;
    return i < copies ? copies_at(&chunk->copies, i) : chunk->unknown[i - copies];
}

static int is_behind(const Chunk *chunk, int i)
{
    return i < (int)chunk->copies.text.count && chunk_lacks_copy(chunk, chunk_hypothesis(chunk, 0), i);
}

static int is_lost(const Chunk *chunk, int i)
{
    const char *text = copied_text(chunk, i);
    return !is_behind(chunk, i) && !strstr(chunk->text[0], text) && !is_repair(text);
}

static void add_quoted(const char *text, Buf *out)
{
    const char *end = text;
    for (int i = 0; *end && i < MOST_CHARACTERS; i++)
        unicode_next(&end);
    buf_putc(out, '\'');
    buf_add(out, text, (size_t)(end - text));
    buf_puts(out, *end ? "…'" : "'");
}

int untranslated_add(const Translation *t, Untranslated kind, Buf *out)
{
    int (*const is_such)(const Chunk *, int) = kind == UNTRANSLATED_LOST ? is_lost : is_behind;
    int count = 0;
    for (size_t i = 0; i < t->chunks; i++)
        for (int k = 0; k < (int)t->chunk[i].copies.text.count + t->chunk[i].unknowns; k++) {
            if (!is_such(&t->chunk[i], k) || ++count > MOST_NAMED) continue;
            if (count > 1) buf_puts(out, ", ");
            add_quoted(copied_text(&t->chunk[i], k), out);
        }
    if (count > MOST_NAMED) buf_printf(out, " and %d more", count - MOST_NAMED);
    return count;
}

const char *unfamiliar_text(Unfamiliar kind)
{
    return kind == UNFAMILIAR_TARGET
               ? "most words so far are of the language that the model translates into; is it the right model?"
               : "the model knows few of the words so far; is this the language that it translates from?";
}
