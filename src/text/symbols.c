/* symbols.c - see symbols.h. */
#include "text/symbols.h"

#include "text/unicode.h"

#include <string.h>

void symbols_split(const char *line, size_t length, Words *words)
{
    Buf word = { 0 };
    words_clear(words);
    for (const char *at = line, *end = line + length; at < end; at++) {
        const char *blank = memchr(at, ' ', (size_t)(end - at));
        const char *stop = blank ? blank : end;
        buf_clear(&word);
        buf_add(&word, WORD_MARK, WORD_MARK_LENGTH);
        unicode_nfd(at, (size_t)(stop - at), &word);
        words_add(words, word.text, word.length);
        at = stop;
    }
    buf_free(&word);
}

/* A line that is being written. */
typedef struct {
    Buf    *out;
    Buf     letters;        /* of the last word, apart */
    size_t  start;          /* of that word in `out` */
    int     has_mark;       /* U+2581 stands before what comes next */
    size_t  marked;         /* the piece that has the last of them */
} Joining;

/* Parts two words by a blank. */
static void begin_word(Joining *j, size_t line)
{
    if (j->out->length > line) buf_putc(j->out, ' ');
    buf_clear(&j->letters);
    j->start = j->out->length;
    j->has_mark = 0;
}

/* The letters of a word may join across pieces, so the word is composed anew. */
static void add_letters(Joining *j, const char *letters)
{
    buf_puts(&j->letters, letters);
    j->out->length = j->start;
    unicode_nfc(j->letters.text, j->letters.length, j->out);
}

void symbols_join_pieces(const char *const *piece, size_t count, PieceText *text, Buf *out)
{
    const size_t line = out->length, mark = WORD_MARK_LENGTH;
    Joining j = { .out = out, .start = line, .has_mark = 1 };
    for (size_t i = 0; i < count; i++) {
        const char *letters = piece[i];
        if (text) text[i] = (PieceText){ 0 };
        for (; !strncmp(letters, WORD_MARK, mark); letters += mark) {
            j.has_mark = 1;
            j.marked = i;
        }
        if (*letters && j.has_mark) {
            if (text) text[j.marked].begins = 1;
            begin_word(&j, line);
        }
        if (*letters) add_letters(&j, letters);
        if (text) text[i].end = out->length;
    }
    buf_free(&j.letters);
}
