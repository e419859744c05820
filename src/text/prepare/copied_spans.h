/* copied_spans.h - which words of a source are copied (text/copies.h), and which of them together. */
#ifndef ATTN_TEXT_PREPARE_COPIED_SPANS_H
#define ATTN_TEXT_PREPARE_COPIED_SPANS_H

#include "text/copies.h"
#include "text/prepare/line_words.h"

/* Words [first, end) of a line, which are one copy. */
typedef struct {
    size_t       first, end;
    CopyKind     kind;
} CopiedSpan;

/* Those of a line, in its order. Zero-initialise; free(span). */
typedef struct {
    CopiedSpan *span;                   /* (count) */
    size_t      count, capacity;
} CopiedSpans;

/* copied_spans_find - appends those of a line. is_cut: (words.count) whether a tag was taken out
 * before each word, where a copy ends. */
void copied_spans_find(CopiedSpans *spans, LineWords *line, const unsigned char *is_cut);

#endif
