/* quotation.h - quotations that are no tags (markup.h), but stay in their line: what someone says, and
 * names of things, which are copied where the model does not know them:
 *
 *     He said "yes".   She told me "I know".
 *     Click on "Save as".   What does "house" mean?   « Le Petit Prince »
 */
#ifndef ATTN_TEXT_MARKUP_QUOTATION_H
#define ATTN_TEXT_MARKUP_QUOTATION_H

/* In a line: the quotes with their blanks, and what they enclose. */
typedef struct { const char *line, *open, *first, *stop, *close, *end; } Quotation;

/* quotation_is_said - whether it stands behind a verb of saying. Only where training has seen its marks,
 * around speech, it stays for that.
 * quotation_is_name - whether it has up to four words that begin with a capital, or stand beside a word
 * that speaks of words (the word "cat"). */
int quotation_is_said(const Quotation *q);
int quotation_is_name(const Quotation *q);

#endif
