/* few_sentences.h - a handful of translated segments, written down in a test. */
#ifndef ATTN_TESTS_FEW_SENTENCES_H
#define ATTN_TESTS_FEW_SENTENCES_H

#include "cmd/eval/system_outputs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { MOST_SENTENCES = 16, MOST_REFERENCES = 4 };

typedef struct { const char *source, *translation, *other, *reference[MOST_REFERENCES]; } Row;

typedef struct {
    const char *source[MOST_SENTENCES], *translation[MOST_SENTENCES], *other[MOST_SENTENCES];
    const char *list[MOST_SENTENCES][MOST_REFERENCES], **reference[MOST_SENTENCES];
    int         references[MOST_SENTENCES];
    Segments    segments;
    SystemOutputs outputs;
} Few;

/* few_init - from `count` rows; a row has references up to its last that is not NULL. */
static inline void few_init(Few *few, const Row *rows, size_t count)
{
    assert_true(count <= MOST_SENTENCES);
    memset(few, 0, sizeof *few);
    for (size_t i = 0; i < count; i++) {
        few->source[i] = rows[i].source;
        few->translation[i] = rows[i].translation;
        few->other[i] = rows[i].other;
        few->reference[i] = few->list[i];
        for (int r = 0; r < MOST_REFERENCES; r++) {
            few->list[i][r] = rows[i].reference[r];
            if (rows[i].reference[r]) few->references[i] = r + 1;
        }
    }
    few->segments = (Segments){ few->source, few->reference, few->references, count };
    few->outputs = (SystemOutputs){
        &few->segments, { few->translation, rows[0].other ? few->other : NULL }
    };
}

static inline void read_stream(FILE *stream, char *text, size_t size)
{
    rewind(stream);
    text[fread(text, 1, size - 1, stream)] = '\0';
    fclose(stream);
}

#endif
