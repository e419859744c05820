/* output_format.h - the forms of a translation: a plain line, an n-best list, a line of JSON, a
 * word alignment, a picture of its attention; and what a warning says of it. Text is appended to a
 * Buf; nothing is printed here. */
#ifndef ATTN_CMD_TRANSLATE_OUTPUT_FORMAT_H
#define ATTN_CMD_TRANSLATE_OUTPUT_FORMAT_H

#include "base/buf.h"
#include "base/system/environment.h"
#include "model/file/model_file.h"
#include "model/network.h"
#include "picture/heatmap.h"
#include "translate/translator.h"

typedef struct {
    int     nbest;          /* above 1: a line for each hypothesis instead of one for the best */
    int     score;          /* the log-probability of the translation instead of its text */
    int     json;           /* one object a line, with all details */
    int     alternatives;   /* how many the object has for each target token */
    int     alignment;      /* the word alignment after a tab, or " ||| " in n-best lists */
    int     heatmap;        /* a picture of the attention below the translation */
    MapChoice map;          /* which attention pictures show */
    Colours colours;        /* of the heat map */
    int     columns;        /* of the page for the heat map */
    Gallery *gallery;       /* of pictures in a file; NULL: none */
} OutputFormat;

typedef struct {
    const char        *source;          /* the line as it was read */
    long               number;          /* of the line, from 0 */
    double             seconds;         /* its share of the time of its batch */
    const Translation *translation;
} TranslatedLine;

/* format_add - appends the line with a newline at its end. A translation without a hypothesis
 * (of an empty line) gives an empty line, or its equivalent in the other forms. */
void format_add(const TranslatedLine *line, const OutputFormat *format, const Model *model,
                Buf *out);

/* format_pictures - draws the attention of the best hypothesis as `format` says: appends it, or
 * draws it into the gallery; nothing without a hypothesis. source: the line. */
void format_pictures(const char *source, const Translation *translation, const OutputFormat *format,
                     const Model *model, Buf *out);

/* What became of source text that the network had no place for in its translation. */
typedef enum { UNTRANSLATED_LOST, UNTRANSLATED_BEHIND, UNTRANSLATED_KINDS } Untranslated;

extern const char *const untranslated_text[UNTRANSLATED_KINDS];     /* as a warning says it */

/* untranslated_add - appends such text of a line's best translation, in the form '寿司', '漢' and 2
 * more. Returns how many there are. U+FFFD, which marks repaired bytes, does not count.
 * unfamiliar_text - what a warning says of a text that the model hardly knows. */
int         untranslated_add(const Translation *t, Untranslated kind, Buf *out);
const char *unfamiliar_text(Unfamiliar kind);

#endif
