/* random_text.h - lines of generated Unicode that meet every rule of the text layer: mostly from
 * small pools where neighbours combine, fold or separate, and now and then any code point, or a
 * chunk such as an address or a flag.
 */
#ifndef ATTN_TESTS_RANDOM_TEXT_H
#define ATTN_TESTS_RANDOM_TEXT_H

#include "base/buf.h"

#include <stdint.h>

/* random_line - replaces what `out` holds by line number `number`: up to 40 code points or chunks
 * of valid UTF-8. */
void random_line(uint64_t number, Buf *out);

#endif
