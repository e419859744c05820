/* read_corpus.h - reading a corpus with its report, for the tests of bitext and corpus. */
#ifndef ATTN_TESTS_READ_CORPUS_H
#define ATTN_TESTS_READ_CORPUS_H

#include "text/corpus/corpus.h"

extern const BitextOptions lenient;     /* sides of up to 60 bytes */

typedef struct { Corpus corpus; BitextReport report; } Read;

/* read_files - a TSV, or two aligned files if there is a second one. 0, or -1 with a message.
 * read_corpus - the same, which must work. */
int  read_files(Read *read, const char *first, const char *second, const BitextOptions *options,
                Err *e);
Read read_corpus(const char *first, const char *second, const BitextOptions *options);

#endif
