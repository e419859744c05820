/* merges.h - the merges of byte-pair encoding: a table by pairs, and subword-nmt's file of "codes".
 *
 * A symbol is a character, or what merges made of characters. A merge turns two neighbours into one
 * symbol, the text of both; its rank is its place in the list.
 *
 * The file (Sennrich, Haddow and Birch 2016; https://github.com/rsennrich/subword-nmt) has a line
 * "left right" for each merge, the best first. Words end in "</w>" there: with a first line
 * "#version: 0.1", or none, as a symbol of its own behind the last character; with "#version: 0.2"
 * as a part of the last character's symbol.
 */
#ifndef ATTN_TEXT_TOKENIZER_MERGES_H
#define ATTN_TEXT_TOKENIZER_MERGES_H

#include "base/buf.h"
#include "base/error.h"
#include "text/string_table.h"

#include <stddef.h>

#define WORD_END "</w>"
enum { WORD_END_LENGTH = 4 };

/* How merges see the end of a word; those that attn learns do not see it. */
typedef enum { WORD_END_NONE, WORD_END_SEPARATE, WORD_END_ATTACHED, WORD_END_KINDS } WordEnd;

typedef struct { int left, right; } Pair;

/* Zero-initialise; merges_free releases. */
typedef struct {
    StringTable symbols;        /* every symbol that a merge takes or makes, perhaps others */
    StringTable pairs;          /* each string is a Pair of symbols; its id is the rank */
    int        *product;        /* (pairs.count) the symbol that the pair becomes */
    size_t      capacity;
    WordEnd     end;
    int         marked;         /* whether a merge takes a symbol with the blank's mark, U+2581 */
} Merges;

/* merges_add, merges_add_text - append a merge of two symbols by their ids, or by their text; -1 if
 * the pair is there already. */
int merges_add(Merges *m, Pair pair);
int merges_add_text(Merges *m, const char *left, size_t left_length, const char *right,
                    size_t right_length);

Pair merges_pair(const Merges *m, size_t rank);

/* merges_rank - of a pair, or -1 if it doesn't merge. */
int merges_rank(const Merges *m, int left, int right);

/* symbol_valid - whether a text can be a symbol: not empty, valid UTF-8, without U+0020 and
 * controls. */
int symbol_valid(const char *text, size_t length);

/* merges_read - reads a subword-nmt file into a zero-initialised table. If a pair comes twice, its
 * first line counts, as in subword-nmt; empty lines are ignored. Any other form of line, and a file
 * without merges, are errors: -1, and nothing is to be released. */
int merges_read(Merges *m, const char *path, Err *e);

/* merges_line - appends the merge of that rank as "left right". */
void merges_line(const Merges *m, size_t rank, Buf *out);

/* merges_write - appends the whole file. Merges without word ends are written as version 0.1, whose
 * end symbol is in no merge then. So subword-nmt segments words that carry the mark as attn
 * does. */
void merges_write(const Merges *m, Buf *out);

void merges_copy(Merges *to, const Merges *from);       /* into a zero-initialised table */
void merges_free(Merges *m);

#endif
