/* copies.c - the entries of the vocabulary, and the texts of a line. */
#include "text/copies.h"

#include <string.h>

/* ---- Placeholders ---- */

#define PIECE(kind, k) "<" kind WORD_MARK #k ">"
#define PIECES(kind) PIECE(kind, 1), PIECE(kind, 2), PIECE(kind, 3), PIECE(kind, 4), \
                     PIECE(kind, 5), PIECE(kind, 6), PIECE(kind, 7), PIECE(kind, 8)
static const char *const pieces[PLACEHOLDERS] = { PIECES("number"), PIECES("name"), PIECES("vowel"), PIECES("copy") };

int placeholder_of(CopyKind kind, int number)
{
    return ((int)kind - 1) * COPIES_MOST + number;
}

const char *placeholder_piece(int placeholder)
{
    return pieces[placeholder];
}

int placeholder_is(const char *word, size_t length)
{
    if (!length || *word != '<') return 0;
    for (int k = 0; k < PLACEHOLDERS; k++)
        if (strlen(pieces[k]) == length && !memcmp(pieces[k], word, length)) return 1;
    return 0;
}

/* ---- The texts of a line ---- */

void copies_clear(Copies *copies)
{
    words_clear(&copies->text);
    memset(copies->number, 0, sizeof copies->number);
}

int copies_next(const Copies *copies, CopyKind kind)
{
    const int number = copies->number[kind];
    return number < COPIES_MOST ? placeholder_of(kind, number) : -1;
}

void copies_add(Copies *copies, const char *text, size_t length, CopyKind kind)
{
    copies->placeholder[copies->text.count] = (unsigned char)copies_next(copies, kind);
    copies->number[kind]++;
    buf_puts(&copies->text.text, WORD_MARK);
    buf_add(&copies->text.text, text, length);
    words_add(&copies->text, "", 1);
}

const char *copies_word(const Copies *copies, int k)
{
    size_t length;
    return words_at(&copies->text, (size_t)k, &length);
}

const char *copies_at(const Copies *copies, int k)
{
    return copies_word(copies, k) + WORD_MARK_LENGTH;
}

int copies_find(const Copies *copies, int placeholder)
{
    for (int k = 0; k < (int)copies->text.count; k++)
        if (copies->placeholder[k] == placeholder) return k;
    return -1;
}

void copies_free(Copies *copies)
{
    words_free(&copies->text);
}
