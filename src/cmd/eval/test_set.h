/* test_set.h - what a score is computed on: segments with their references, and a hypothesis for each.
 *
 * It comes from finished translations and their reference files, or from a corpus whose sources are yet to be
 * translated: then pairs with the same source are one segment with several references.
 */
#ifndef ATTN_CMD_EVAL_TEST_SET_H
#define ATTN_CMD_EVAL_TEST_SET_H

#include "base/error.h"
#include "analysis/system_output.h"
#include "metrics/statistics.h"
#include "text/corpus.h"
#include "text/segments.h"

typedef struct {
    char **line;                /* (count) */
    size_t count;
    int    marked;              /* a byte-order mark stood before the first line, of which it is no part */
} Text;

typedef struct {
    Segments segments;          /* source: NULL where it is not known */
    Text     hypotheses;        /* one for each segment */
    Text    *rivals;            /* of more systems to compare with: one each for each segment */
    int      rival_count;
    BitextReport report;        /* of the corpus */
    Corpus   corpus;            /* what the segments point into: this, */
    Text    *references;        /* or these */
    int      reference_count;
    Text     sources;           /* or, with test_set_read_sources, these */
} TestSet;

/* test_set_read_files - line n of each system's hypotheses belongs to line n of each of `count` references. Blanks at
 * the end of lines are left out. A byte-order mark at the start of a file is text, as in sacreBLEU 2.6, with a warning.
 * So is a reference line without a word a reference of no words; with `missing` it is none, so that lines may have more
 * or fewer of them, and one at least is needed. */
int test_set_read_files(TestSet *set, const char *const *systems, int system_count, const char *const *references,
                       int count, int missing, Err *e);

/* test_set_check_one_system - that no hypothesis has a tab, which sacreBLEU takes on standard input to separate
 * systems; a failure releases the set. */
int test_set_check_one_system(TestSet *set, Err *e);

/* test_set_read_sources - the source of each line of the hypothesis, after test_set_read_files; a failure releases the
 * set. */
int test_set_read_sources(TestSet *set, const char *hypothesis, const char *path, Err *e);

/* test_set_read_corpus - part: a Part, or -1 for all. What lines were skipped is in set->report. The hypotheses are
 * NULL: the caller sets each to a string from malloc. */
int test_set_read_corpus(TestSet *set, const BitextFiles *files, int part, Err *e);

/* test_set_keep_first - leaves every segment its first reference alone. */
void test_set_keep_first(TestSet *set);

/* test_set_scored - of the system of that number, from 0. */
Hypotheses     test_set_scored(const TestSet *set, int system);

/* test_set_translated - the first system, with the second as its rival. */
SystemOutput test_set_translated(const TestSet *set);
void       test_set_free(TestSet *set);

#endif
