/* sentences.h - where a line of text may be cut, and where one that was broken goes on.
 *
 * A place to cut lies behind a blank; in a script without blanks, behind a mark such as U+3002; and
 * in a long run that has neither, between any two characters. A line is cut only at such places, so
 * its parts, one after another, are the line.
 */
#ifndef ATTN_TEXT_SENTENCES_H
#define ATTN_TEXT_SENTENCES_H

#include "base/buf.h"
#include "text/lexicon.h"
#include "text/tokenizer/tokenizer.h"

#include <stddef.h>
#include <stdint.h>

/* sentence_length - the bytes of the first sentence of a line (valid UTF-8, length > 0), with the
 * blanks behind it.
 *
 * A sentence ends behind a final mark, and the quotes and brackets that close behind it, if a blank
 * follows; East Asian marks need none, unless a letter follows what closes. It does not end before a
 * small letter ("Wait... what?"), nor behind a full stop before a digit (p. 7), nor behind that of an initial
 * (J. R. R. Tolkien), nor behind one of an
 * abbreviation that the lexicon has; NULL: it knows none. */
size_t sentence_length(const Lexicon *lexicon, const char *line, size_t length);

/* chunk_length - the bytes of the first chunk of a text, at least one character, or of the whole
 * text if it has no more than about `most` tokens.
 *
 * What has more is cut behind the last place of the surest kind in reach: end of sentence; ; : , a
 * blank; any place. Tokens are counted run by run, as if each began a line, so the chunk as a whole
 * may have a few tokens more or fewer. The time is linear in what is in reach, not in `length`. */
size_t chunk_length(const Tokenizer *t, const Lexicon *lexicon, const char *line, size_t length, size_t most);

/* ends_in_stop - whether the last mark of a text ends a sentence, quotes and brackets that close left
 * out. */
int ends_in_stop(const char *text, size_t length);

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

/* Lines that were broken where they reached the width of a text.
 *
 * wrapping_width - the characters of a line of valid UTF-8.
 *
 * wrapping_goes_on - whether a line goes on in the next one, in a text whose widest line has `width`
 * characters: the first word of that one had no room in it. So a heading, a line of a poem or a signature
 * doesn't go on, nor does any line of a text of narrow ones, nor one before an item of a list or a row of a
 * table. Both lines have a NUL at their ends. */
size_t wrapping_width(const char *line);
int    wrapping_goes_on(const char *line, const char *next, size_t width);

#endif
