/* cutting.h - lines to stretches, and stretches to ids. */
#ifndef ATTN_TRANSLATE_CUTTING_H
#define ATTN_TRANSLATE_CUTTING_H

#include "text/tokenizer.h"
#include "translate/translation.h"

enum { STRETCH_TOKENS = 80 };

typedef struct {
    const Tokenizer *source, *target;
    int              split;             /* a stretch is a sentence, not a line */
    int              keep_unknown;      /* the text of each <unk> of the source */
} Cutter;

/* cut_line - the stretches of a line, nothing found yet; none if it has nothing that is seen. */
Translation cut_line(const Cutter *cutter, const char *line);

/* cut_whole - the same of a line as one stretch, however long, and if it is nothing but <eos>. */
Translation cut_whole(const Cutter *cutter, const char *line);

/* give_words - what the translation of a stretch must begin with; complete: and nothing else, it ends there. */
void give_words(const Cutter *cutter, Stretch *stretch, const char *text, int complete);

#endif
