/* output_format.h - how a translation is written: a plain line, an n-best list, a line of JSON, links between words, a
 * picture of its attention. Everything is appended to a Buf; nothing is printed here. */
#ifndef ATTN_CMD_TRANSLATE_OUTPUT_FORMAT_H
#define ATTN_CMD_TRANSLATE_OUTPUT_FORMAT_H

#include "base/buf.h"
#include "base/terminal.h"
#include "model/model_file.h"
#include "picture/gallery.h"
#include "translate/translator.h"

typedef struct {
    int     nbest;          /* above 1: a line for each hypothesis instead of one for the best */
    int     score;          /* the log-probability of the translation instead of its text */
    int     json;           /* an object a line, with all there is to know */
    int     alternatives;   /* so many in JSON for each target token */
    int     alignment;      /* links behind the translation: after a tab, or in n-best lists after " ||| " */
    int     heatmap;        /* below the translation */
    Colours colours;        /* of the heat map */
    int     columns;        /* of the page it is drawn on */
} OutputFormat;

/* What is answered. */
typedef struct {
    const char        *source;          /* the line as it was read */
    long               number;          /* of the line, from 0 */
    double             seconds;         /* its share of the time */
    const Translation *translation;
} TranslatedLine;

/* format_add - appends the answer with a newline at its end. A translation without a hypothesis (an empty line) is an
 * empty line, or its equivalent in the other styles. */
void format_add(const TranslatedLine *answer, const OutputFormat *style, const Model *model, Buf *out);

/* format_heatmap - appends the picture of the best hypothesis; nothing if there is none. */
void format_heatmap(const Translation *translation, const OutputFormat *style, const Model *model, Buf *out);

/* format_picture - draws it into a file; source is the line. */
void format_picture(const char *source, const Translation *translation, const Model *model, Gallery *gallery);

#endif
