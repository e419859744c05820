/* shared_text.h - what the first process learns of a text, and all use.
 *
 * The others have NULL, which becomes a copy that has passed through JSON, as a model file's does.
 * -1: it cannot be read there. Collective.
 */
#ifndef ATTN_TRAIN_SHARED_TEXT_H
#define ATTN_TRAIN_SHARED_TEXT_H

#include "text/lexicon.h"
#include "text/tokenizer/tokenizer.h"
#include "train/update/processes.h"

int share_lexicon(Processes *p, Lexicon **lexicon, const char *language, Err *e);
int share_tokenizer(Processes *p, Tokenizer **tokenizer, Err *e);

#endif
