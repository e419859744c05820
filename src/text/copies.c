/* copies.c - kinds of words, and the entries of the vocabulary. */
#include "text/copies.h"

#include "text/letter_case.h"
#include "text/verbatim/verbatim.h"

#include <string.h>

/* What a verbatim span is copied as, if the whole word is one. */
static CopyKind span_kind(const char *word, size_t length)
{
    VerbatimKind kind;
    const char *end = word + length;
    if (verbatim_end(word, word, end, &kind) != end) return COPY_NEVER;
    return kind == VERBATIM_NUMBER ? COPY_NUMBER : COPY_OTHER;
}

CopyKind copy_kind(const char *word, size_t length)
{
    if (!length) return COPY_NEVER;
    const CopyKind span = span_kind(word, length);
    if (span != COPY_NEVER) return span;
    const Shape shape = letter_case_shape(word, length);
    return shape == SHAPE_NONE || shape > SHAPE_SMALL ? COPY_OTHER : COPY_NEVER;
}

void copies_clear(Copies *copies)
{
    words_clear(&copies->text);
}

void copies_add(Copies *copies, const char *text, size_t length, CopyKind kind)
{
    copies->kind[copies->text.count] = (unsigned char)kind;
    buf_add(&copies->text.text, text, length);
    words_add(&copies->text, "", 1);
}

const char *copies_at(const Copies *copies, int k)
{
    size_t length;
    return words_at(&copies->text, (size_t)k, &length);
}

void copies_free(Copies *copies)
{
    words_free(&copies->text);
}

/* ---- Placeholders ---- */

#define NUMBER_PIECE(k) "<number" BLANK_MARK #k ">"
#define COPY_PIECE(k)   "<copy" BLANK_MARK #k ">"
static const char *const pieces[PLACEHOLDERS] = {
    NUMBER_PIECE(1), NUMBER_PIECE(2), NUMBER_PIECE(3), NUMBER_PIECE(4),
    NUMBER_PIECE(5), NUMBER_PIECE(6), NUMBER_PIECE(7), NUMBER_PIECE(8),
    COPY_PIECE(1), COPY_PIECE(2), COPY_PIECE(3), COPY_PIECE(4),
    COPY_PIECE(5), COPY_PIECE(6), COPY_PIECE(7), COPY_PIECE(8),
};

const char *placeholder_piece(int k)
{
    return pieces[k];
}

int placeholder_number(int number, CopyKind kind)
{
    return number + (kind == COPY_NUMBER ? 0 : COPIES_MOST);
}

int placeholder_copy(int k)
{
    return k % COPIES_MOST;
}

int placeholder_is(const char *word, size_t length)
{
    if (!length || *word != '<') return 0;
    for (int k = 0; k < PLACEHOLDERS; k++)
        if (strlen(pieces[k]) == length && !memcmp(pieces[k], word, length)) return 1;
    return 0;
}
