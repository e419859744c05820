/* abbreviations.h - full stops that end no sentence, in English, French, German, Spanish and
 * Italian. */
#ifndef ATTN_TEXT_SENTENCES_ABBREVIATIONS_H
#define ATTN_TEXT_SENTENCES_ABBREVIATIONS_H

/* full_stop_ends - whether the full stop at `stop` ends a sentence before the word at `next`, which
 * is no small letter. line: where the sentence begins.
 *
 * It ends none behind
 *   titles and what else comes before a name (Mr. Mme. Hr. Sra. Sig. vs. bzw. p. ej.);
 *   initials (J. R. R. Tolkien), and what may end a sentence as well (U.S. Inc. Jr. Jan.), unless a
 *   word follows that begins most sentences (The, Il, Der);
 *   short words and numbers before a digit (No. 5, p. 7, Fig. 3, am 3. 5.);
 *   numbers of one or two digits at the start, and in German dates and ordinals (1. Item,
 *   am 3. Mai, die 5. Klasse). */
int full_stop_ends(const char *line, const char *stop, const char *next, const char *end);

#endif
