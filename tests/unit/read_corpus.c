/* read_corpus.c - see read_corpus.h. */
#include "read_corpus.h"

#include "scratch.h"

const BitextOptions lenient = { .max_bytes = 60 };

int read_files(Read *read, const char *first, const char *second,
                      const BitextOptions *options, Err *e)
{
    const char *const names[] = { first, second };
    const BitextFiles files = { .name = names, .count = second ? 2 : 1, .aligned = second != NULL };
    return corpus_read(&read->corpus, &files, options, -1, &read->report, e);
}

Read read_corpus(const char *first, const char *second, const BitextOptions *options)
{
    Err e = { "" };
    Read read;
    if (read_files(&read, first, second, options, &e)) fail_msg("%s", e.text);
    return read;
}
