/* sentences.h - where a line of text may be cut, for a network that learned single sentences.
 *
 * A place to cut stands behind a blank; in a script that writes none, behind a mark such as U+3002;
 * and where a run has neither for long, between any two characters. A line is cut at such places
 * only, so that its parts, back to back, are the line.
 */
#ifndef ATTN_TEXT_SENTENCES_H
#define ATTN_TEXT_SENTENCES_H

#include "base/buf.h"
#include "text/tokenizer.h"

#include <stddef.h>

/* sentence_length - the bytes of the first sentence of a line (valid UTF-8, length > 0), with the
 * blanks behind it.
 *
 * A sentence ends behind one of . ! ? and their like, and the quotes and brackets that close behind
 * them, followed by a blank; of the East Asian marks no blank is asked. It does not end before a
 * small letter ("Wait... what?"), nor behind the full stop of an initial, of a number of one or two
 * digits (1., am 3. Mai) or of a title (Mr., Mme.), nor between a full stop and a digit (No. 5). */
size_t sentence_length(const char *line, size_t length);

/* chunk_length - the bytes of a first part of some `most` tokens, at least one character, or of all
 * if they are no more. It ends behind the last place of the best kind that is in reach: end of
 * sentence; semicolon or colon; comma; blank; any place. Tokens are counted run by run, as if each
 * began a line, so that the part as a whole may turn out a few tokens longer or shorter. The time
 * is linear in what is in reach, not in `length`. */
size_t chunk_length(const Tokenizer *t, const char *line, size_t length, size_t most);

/* How the text behind a cut follows the text before it. */
typedef enum {
    JOINT_BLANK,        /* by a blank */
    JOINT_NONE,         /* by nothing: a long run was cut */
    JOINT_SCRIPT        /* by what the script has: nothing behind an East Asian character, else a blank */
} Joint;

/* joint_at - of the cut before byte `at` of a line; 0 < at. */
Joint joint_at(const char *line, size_t at);

/* joint_add - appends a text as the joint says; an empty text on either side needs no blank.
 * joint_has_blank - whether it would put a blank between these bytes and a text that is not
 * empty. */
int  joint_has_blank(Joint joint, const char *before, size_t length);
void joint_add(Buf *out, Joint joint, const char *text);

#endif
