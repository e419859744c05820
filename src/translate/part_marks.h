/* part_marks.h - the marks around the translation of a part of a sentence, as its language writes
 * them: "No," becomes « Non », in French, « Non », becomes "No," in English.
 */
#ifndef ATTN_TRANSLATE_PART_MARKS_H
#define ATTN_TRANSLATE_PART_MARKS_H

#include "text/prepare/prepare.h"

/* A part of the source: text[0 .. body) without its last marks; close: of an aside
 * (text/sentences/parts.h), where what it encloses ends, else length. body <= close <= length. */
typedef struct {
    const char *text;
    size_t      body, close, length;
} PartText;

/* part_tail - what ends the translation in place of its last marks.
 * part_opening - what begins the translation of an aside behind `mark`, what the source has before
 * it, which ends in what opens the aside. Both are the caller's to free. */
char *part_tail(const PartText *part, Language source, Language target);
char *part_opening(const char *mark, Language target);

/* ends_alike - whether sentences of the source end in stops about as often as those of the target, as
 * far as training saw: then a line without one wants none. */
int ends_alike(Language source, Language target);

/* part_quote - a quotation mark of the source, with blanks around it, as the target has it; closes:
 * one that closes. The caller frees it. */
char *part_quote(const char *mark, size_t length, int closes, Language target);

/* words_begun - how many words of a line begin behind a blank in [at, end). */
int words_begun(const char *at, const char *end);

#endif
