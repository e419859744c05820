/* copies.h - text that a translation carries over as it is: rare names, long numbers, addresses, code, emoji. The network
 * sees a numbered placeholder in its place, and its translation has the same placeholder where the text goes (Luong et al.
 * 2015, "Addressing the Rare Word Problem in Neural Machine Translation", section 3.1; numbered as by Crego et al. 2016,
 * "SYSTRAN's Pure Neural Machine Translation Systems", section 3.2).
 *
 * Placeholders are entries of the vocabulary behind the special ones: COPIES_MOST of each kind, numbered in the order of the
 * source. Each stands for a whole word with U+2581 at its head. No text holds one: U+2581 is in no normal form.
 */
#ifndef ATTN_TEXT_COPIES_H
#define ATTN_TEXT_COPIES_H

#include "text/words.h"

#include <stddef.h>

/* Names of two kinds, so that the network learns d'Anouk beside de Marie: whether the first letter without its marks is
 * one of A, E, I, O, U. COPY_OTHER: spans (text/patterns.h) and signs. */
typedef enum { COPY_NEVER, COPY_NUMBER, COPY_NAME, COPY_VOWEL_NAME, COPY_OTHER, COPY_KINDS } CopyKind;

enum { COPIES_MOST = 8, PLACEHOLDERS = (COPY_KINDS - 1) * COPIES_MOST };

/* placeholder_of - the entry for copy `number` of that kind, from 0, below PLACEHOLDERS.
 * placeholder_piece - the entry as the vocabulary has it.
 * placeholder_is - whether a word without marks is a placeholder. */
int         placeholder_of(CopyKind kind, int number);
const char *placeholder_piece(int placeholder);
int         placeholder_is(const char *word, size_t length);

/* The copied texts of a line, in their order. Zero-initialise; copies_free releases. */
typedef struct {
    Words         text;                         /* each behind U+2581, with a NUL at its end */
    unsigned char placeholder[PLACEHOLDERS];    /* (text.count) the entry of each */
    int           number[COPY_KINDS];           /* how many there are of each kind */
} Copies;

/* copies_clear - leaves no text.
 * copies_next - the entry that the next copy of this kind gets; -1: there is none left.
 * copies_add - appends a text with that entry.
 * copies_at - text k; copies_word - the same behind U+2581, as a word of a line. Valid until the next is added.
 * copies_find - the number of the text with this entry, or -1. */
void        copies_clear(Copies *copies);
int         copies_next(const Copies *copies, CopyKind kind);
void        copies_add(Copies *copies, const char *text, size_t length, CopyKind kind);
const char *copies_at(const Copies *copies, int k);
const char *copies_word(const Copies *copies, int k);
int         copies_find(const Copies *copies, int placeholder);
void        copies_free(Copies *copies);

#endif
