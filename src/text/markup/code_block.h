/* code_block.h - the lines of a text that are no text but code: blocks between fences, as Markdown has them
 * (CommonMark 0.31, section 4.5), which are lines that begin with three or more ` or ~; and elements of HTML that
 * hold code or what is not shown (section 4.6), with comments: <script>, <style>, <pre>, <!-- -->.
 */
#ifndef ATTN_TEXT_MARKUP_CODE_BLOCK_H
#define ATTN_TEXT_MARKUP_CODE_BLOCK_H

#include <stddef.h>

/* is_fence - whether a line begins or ends a block between fences: ```python */
int is_fence(const char *line);

/* The block that is open in a text that is read line by line; set it to zero before the first line. */
typedef struct {
    size_t      fence;          /* how long the fence is that began it; 0: none did */
    const char *closing;        /* static: what ends the element or comment; NULL: none is open */
} CodeBlock;

/* code_block_takes - whether the next line belongs to a block of code, with what begins or ends it. Only ` begins
 * one, since a line of ~ may also underline a heading (reStructuredText). A block may be quoted: > ``` */
int code_block_takes(CodeBlock *block, const char *line);

/* code_block_is_open - whether the text so far ends inside a block. */
int code_block_is_open(const CodeBlock *block);

#endif
