/* single_quotes.h - 'single quotes' of a line as "double" ones, which markup.h and sentences/parts.h
 * know. Apostrophes stay: don't, l'homme, the students' books, the '90s, 'tis.
 */
#ifndef ATTN_TEXT_MARKUP_SINGLE_QUOTES_H
#define ATTN_TEXT_MARKUP_SINGLE_QUOTES_H

/* single_quotes_double - replaces pairs of ' or of U+2018 and U+2019 around words in place, each by
 * as many bytes: ", U+201C and U+201D. A line that has double quotes stays as it is, and so do code,
 * addresses and the like (text/verbatim/verbatim.h). */
void single_quotes_double(char *line);

#endif
