/* word_breaks.c - see word_breaks.h. */
#include "text/word_breaks.h"

#include "base/mem.h"
#include "text/sentences/sentences.h"
#include "text/unicode.h"

#include <string.h>

static int is_uncased(int32_t point)
{
    return unicode_is_mark(point) || (unicode_is_letter(point) && !unicode_is_cased(point));
}

/* Whether letters without case begin words behind blanks. Text without blanks has some before a name or a
 * number. */
static int has_blanks(const Tokenizer *t)
{
    enum { FEW = 10 };
    int behind_blank = 0, others = 0;
    for (int id = ID_SPECIALS; id < tokenizer_size(t); id++) {
        const char *text = tokenizer_piece(t, id);
        const size_t mark = words_mark_length(text, strlen(text));
        const char *first = text + mark;
        if (!is_uncased(unicode_next(&first))) continue;
        if (mark) behind_blank++;
        else others++;
    }
    return FEW * behind_blank > others;
}

static int is_break(const char *text, int uncased_are_parted)
{
    const size_t length = strlen(text), mark = words_mark_length(text, length);
    const int32_t last = unicode_before(text, text + length);
    if (mark == length) return 1;
    if (is_uncased(last)) return !uncased_are_parted;
    return !unicode_is_letter(last) && !unicode_is_number(last) && !is_final_mark(last) && !strchr(",;:", last);
}

unsigned char *word_breaks(const Tokenizer *t)
{
    const int size = tokenizer_size(t), has_marks = tokenizer_options(t)->tokens != TOKENS_WORD;
    const int uncased_are_parted = has_blanks(t);
    unsigned char *breaks = xmalloc((size_t)size, 1);
    for (int id = 0; id < size; id++) {
        const char *text = tokenizer_piece(t, id);
        breaks[id] = id < ID_SPECIALS || !has_marks || is_break(text, uncased_are_parted);
    }
    return breaks;
}
