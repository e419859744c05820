/* full_names.h - names of several words, of which the network would translate one: Bill Gates, Stephen
 * King, Mary White, San Francisco, Vincent van Gogh.
 *
 * They are copied as a whole (text/copies.h). But a first name that both languages have and the network
 * knows well stays a word, which tells it whether a man or a woman is meant: of Mary White only White
 * is copied.
 */
#ifndef ATTN_TEXT_PREPARE_FULL_NAMES_H
#define ATTN_TEXT_PREPARE_FULL_NAMES_H

#include "text/prepare/line_words.h"

/* full_name_end - behind what is copied of a name from word i on; i: nothing is. */
size_t full_name_end(const LineWords *line, size_t i);

#endif
