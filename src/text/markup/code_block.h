/* code_block.h - the lines of a text that are code: blocks between fences, as Markdown has them (CommonMark 0.31,
 * section 4.5), which are lines of three or more ` or ~; and elements of HTML that hold code or what is not shown
 * (section 4.6): <script>, <style>, <pre>, <!-- -->; and tags that go on in further lines.
 */
#ifndef ATTN_TEXT_MARKUP_CODE_BLOCK_H
#define ATTN_TEXT_MARKUP_CODE_BLOCK_H

#include <stddef.h>

/* is_fence - whether a line is a fence: ```python */
int is_fence(const char *line);

/* The block that is open in a text that is read line by line; set it to zero before the first line. */
typedef struct {
    size_t      fence;          /* how long the fence is that began it; 0: none did */
    char        sign;           /* which that fence is made of */
    int         is_quoted;      /* it is in a quotation: > ``` */
    const char *closing;        /* static: what ends the element or comment; NULL: none is open */
} CodeBlock;

/* code_block_takes - whether the next line belongs to a block of code, with what begins or ends it. A line with words
 * before an element, or behind it, is text. Of ~ only a fence with a language begins a block: in reStructuredText it
 * underlines a heading. */
int code_block_takes(CodeBlock *block, const char *line);

/* code_block_is_open - whether the text so far ends inside a block. */
int code_block_is_open(const CodeBlock *block);

#endif
