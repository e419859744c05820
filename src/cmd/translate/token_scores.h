/* token_scores.h - a translation word for word: how probable each was, and what else was. For people: tables of text. */
#ifndef ATTN_CMD_TRANSLATE_TOKEN_SCORES_H
#define ATTN_CMD_TRANSLATE_TOKEN_SCORES_H

#include "base/buf.h"
#include "text/tokenizer.h"
#include "translate/translation.h"

/* token_scores_probabilities - appends a row for each token of the best translation, with its natural log-probability and
 * its probability behind the tokens before it, and their sum. */
void token_scores_probabilities(const Translation *t, const Tokenizer *target, Buf *out);

/* token_scores_alternatives - appends a row for each token: the token, then the most probable ones in its place, itself
 * left out, as many as fit into a page of so many columns. Each position of the translation has `count`. */
void token_scores_alternatives(const Translation *t, const Tokenizer *target, int count, int page, Buf *out);

#endif
