/* sentences.h - sentence splitting: where a line of text may be cut, for a network that learned
 * single sentences.
 *
 * A place to cut lies behind a blank; in a script without blanks, behind a mark such as U+3002; and
 * in a long run that has neither, between any two characters. A line is cut only at such places, so
 * its parts, one after another, are the line.
 */
#ifndef ATTN_TEXT_SENTENCES_SENTENCES_H
#define ATTN_TEXT_SENTENCES_SENTENCES_H

#include "base/buf.h"
#include "text/tokenizer/tokenizer.h"

#include <stddef.h>

/* sentence_length - the bytes of the first sentence of a line (valid UTF-8, length > 0), with the
 * blanks behind it.
 *
 * A sentence ends behind . ! ? and their like, and the quotes and brackets that close behind them,
 * if a blank follows; East Asian marks need no blank. It does not end before a small letter
 * ("Wait... what?", which parts.h parts), nor behind the full stop of an abbreviation (abbreviations.h). */
size_t sentence_length(const char *line, size_t length);

/* sentence_mark_length - the bytes before a sentence that are no part of it, with the blanks around
 * them; 0 if there are none, or nothing else is there. first: of the first sentence of a line, its
 * indentation, the marks of a list, a heading or a quotation, an ellipsis, and symbols before a capital:
 *     - item    1. item    (a) item    ## heading    > - quoted    ...and so on    ☑ done    - [x] done
 * of others the dash that a speaker's words begin with ("— Oui. — Non.").
 * part_mark_length - the same of a part of a sentence at `at`: a dash, perhaps between words. */
size_t sentence_mark_length(const char *line, size_t length, int first);
size_t part_mark_length(const char *line, size_t at, size_t end);

/* How many tokens a chunk has at most: about `most`; of a sentence that has more than `clause`,
 * parts of so many, wherever a clause begins. clause >= most: such parts are not looked for. */
typedef struct { size_t clause, most; } ChunkTokens;

/* chunk_length - the bytes of the first chunk of a text, at least one character, or of the whole
 * text if it has no more tokens than `limits` allow.
 *
 * A long sentence is cut between its clauses (clauses.h; a semicolon; a colon), where its parts
 * come nearest to one length. What is too long without them is cut behind the last place of the
 * best kind in reach: end of sentence; clause; comma; blank; any place. Tokens are counted run by
 * run, as if each began a line, so the chunk as a whole may have a few tokens more or fewer. The
 * time is linear in what is in reach, not in `length`. */
size_t chunk_length(const Tokenizer *t, const char *line, size_t length, ChunkTokens limits);

/* unmarked_length - the bytes of a text without the blanks and marks at its end that a text may be
 * cut behind: . ! ? ; : , and their like.
 * ends_in_stop - whether its last mark ends a sentence, quotes and brackets that close left out.
 * ends_in_ellipsis - whether it ends in "..." or U+2026, but for blanks. */
size_t unmarked_length(const char *text, size_t length);
int    ends_in_stop(const char *text, size_t length);
int    ends_in_ellipsis(const char *text, size_t length);

/* What separates the text behind a cut from the text before it. */
typedef enum {
    JOINT_BLANK,        /* a blank */
    JOINT_NONE,         /* nothing: a long run was cut, or a block ended without a blank */
    JOINT_SCRIPT        /* by the script: nothing behind an East Asian character, else a blank */
} Joint;

/* joint_at - the joint of a cut before byte `at` of a line; 0 < at. */
Joint joint_at(const char *line, size_t at);

/* joint_add - appends a text with its joint; an empty text on either side needs no blank.
 * joint_has_blank - whether the joint puts a blank between these bytes and a text that is not
 * empty. */
int  joint_has_blank(Joint joint, const char *before, size_t length);
void joint_add(Buf *out, Joint joint, const char *text);

#endif
