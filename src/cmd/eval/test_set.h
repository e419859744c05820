/* test_set.h - segments with their references, and the output of each system to be scored.
 *
 * It is read from finished translations and their reference files, or from a corpus whose sources a
 * model is to translate: then pairs with the same source are one segment with several references.
 */
#ifndef ATTN_CMD_EVAL_TEST_SET_H
#define ATTN_CMD_EVAL_TEST_SET_H

#include "cmd/eval/system_outputs.h"
#include "base/error.h"
#include "metrics/statistics.h"
#include "text/corpus/corpus.h"
#include "text/corpus/segments.h"

typedef struct {
    char **line;                /* (count) owned */
    size_t count;
    int    marked;  /* the file begins with a byte-order mark, which is not in line[0] */
} Text;

typedef struct {
    Segments     segments;      /* source: NULL where it is unknown; they point into the corpus, or
                                   into references and sources */
    Text        *systems;       /* (system_count) the output of each, a line for each segment; the
                                   first is the baseline; owned */
    int          system_count;
    Text        *references;    /* (reference_count) owned */
    int          reference_count;
    Text         sources;
    Corpus       corpus;
    BitextReport report;        /* of the corpus */
} TestSet;

/* test_set_read_files - reads the output of each system and `count` references; line n of all files
 * is segment n. Blanks at the end of lines are left out. A byte-order mark at the start of a file
 * is text, as in sacreBLEU 2.6, with a warning. A reference line without a word is a reference of
 * no words; with `missing` it is no reference, but each segment needs one. Returns 0, or -1 with a
 * message. test_set_free releases. */
int test_set_read_files(TestSet *set, const char *const *systems, int system_count,
                        const char *const *references, int count, int missing, Err *e);

/* test_set_check_one_system - checks that no line of the first system has a tab, which separates
 * systems for sacreBLEU on standard input. Returns 0, or -1 with a message after it released the
 * set. */
int test_set_check_one_system(TestSet *set, Err *e);

/* test_set_read_sources - reads the source of each segment, after test_set_read_files; `system` is
 * the file of the first system. Returns 0, or -1 with a message after it released the set. */
int test_set_read_sources(TestSet *set, const char *system, const char *path, Err *e);

/* test_set_read_corpus - part: a Part, or -1 for all. set->report counts the skipped lines. There is
 * one system, whose lines are NULL: the caller sets each to a string from malloc. Returns 0, or -1
 * with a message. test_set_free releases. */
int test_set_read_corpus(TestSet *set, const BitextFiles *files, int part, Err *e);

/* test_set_read_outputs - reads the output of each system, after test_set_read_corpus: a line for
 * each segment, as it saved them. Returns 0, or -1 with a message after it released the set. */
int test_set_read_outputs(TestSet *set, const char *const *systems, int count, Err *e);

/* test_set_keep_first - keeps only the first reference of each segment. */
void test_set_keep_first(TestSet *set);

/* test_set_hypotheses - the output of one system, 0..system_count-1, with the references. */
Hypotheses test_set_hypotheses(const TestSet *set, int system);

/* test_set_outputs - the output of the first system, and of the second if there is one. */
SystemOutputs test_set_outputs(const TestSet *set);

void test_set_free(TestSet *set);

#endif
