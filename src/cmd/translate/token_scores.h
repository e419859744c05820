/* token_scores.h - tables for people: the probability of each token of a translation, and its
 * alternatives. */
#ifndef ATTN_CMD_TRANSLATE_TOKEN_SCORES_H
#define ATTN_CMD_TRANSLATE_TOKEN_SCORES_H

#include "base/buf.h"
#include "text/tokenizer/tokenizer.h"
#include "translate/translation.h"

/* token_scores_probabilities - appends a row for each token of the best translation: its natural
 * log-probability and its probability, given the tokens before it. The last row is their sum. */
void token_scores_probabilities(const Translation *t, const Tokenizer *target, Buf *out);

/* token_scores_alternatives - appends a row for each token: the token, then the most probable
 * others at its position, as many as fit into `page` columns. The translation has `count`
 * alternatives at each position. */
void token_scores_alternatives(const Translation *t, const Tokenizer *target, int count, int page,
                               Buf *out);

#endif
