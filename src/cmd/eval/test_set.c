/* test_set.c - reading what is to be scored. */
#include "cmd/eval/test_set.h"

#include "base/lines.h"
#include "base/mem.h"
#include "base/plural.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"
enum { LONGEST_SENTENCE = 1 << 20 };    /* bytes of a side of a corpus: what is longer is not translated */

/* ---- Finished translations ---- */

static const char *shown(const char *path)
{
    return strcmp(path, "-") ? path : "standard input";
}

static int check_line(const Lines *lines, const char *line, size_t length, Err *e)
{
    const char *name = lines_name(lines);
    long number = lines_number(lines);
    if (memchr(line, '\0', length)) return err(e, "%s:%ld: a NUL byte: this is not a text file", name, number);
    if (!unicode_valid(line, length))
        return err(e, "%s:%ld: invalid UTF-8; " LATIN1_ADVICE, name, number);
    if (lines_end_in_cr(lines))
        return err(e, "%s: its lines end in carriage returns, which end none for sacreBLEU; "
                      "tr '\\r' '\\n' converts them", name);
    return 0;
}

static int read_lines(Text *text, Lines *lines, Err *e)
{
    size_t capacity = 0, length;
    char *line;
    int status;
    while ((status = lines_next(lines, &line, &length, e)) > 0) {
        if (check_line(lines, line, length, e)) return -1;
        text->line = grow(text->line, &capacity, text->count + 1, sizeof *text->line);
        text->line[text->count++] = xstrndup(line, unicode_trimmed(line, length));
    }
    if (status == 0 && text->count == 0) return err(e, "%s: is empty: a sentence a line is needed", lines_name(lines));
    return status;
}

static int text_read(Text *text, const char *path, Err *e)
{
    Lines *lines = lines_open(path, e);
    int failed = !lines || read_lines(text, lines, e);
    text->marked = !failed && lines_had_bom(lines);
    lines_close(lines);
    return failed ? -1 : 0;
}

/* To sacreBLEU the mark is a character like any other: scores would differ without it. */
static void put_mark_back(Text *text, const char *path)
{
    Buf line = { 0 };
    if (!text->marked) return;
    warn("%s: begins with a byte-order mark, which is text for sacreBLEU and so for this score; 'tail -c +4' leaves it "
         "out", shown(path));
    buf_printf(&line, BYTE_ORDER_MARK "%s", text->line[0]);
    free(text->line[0]);
    text->line[0] = line.text;
}

static void text_free(Text *text)
{
    for (size_t i = 0; i < text->count; i++) free(text->line[i]);
    free(text->line);
}

/* Reads a file whose lines belong to those of `known`, which came from `name`. */
static int text_read_beside(Text *text, const char *path, const Text *known, const char *name, Err *e)
{
    if (text_read(text, path, e)) return -1;
    if (text->count == known->count) return 0;
    return err(e, "%s has %zu line%s, but %s has %zu: line n of both must be the same sentence", shown(name),
               known->count, known->count == 1 ? "" : "s", shown(path), text->count);
}

/* Reads `count` files beside the hypotheses, which came from `name`. */
static int read_beside(Text **texts, const TestSet *set, const char *name, const char *const *paths, int count, Err *e)
{
    *texts = xcalloc((size_t)count, sizeof **texts);
    for (int i = 0; i < count; i++) {
        if (text_read_beside(&(*texts)[i], paths[i], &set->hypotheses, name, e)) return -1;
        put_mark_back(&(*texts)[i], paths[i]);
    }
    return 0;
}

/* The first one says how many lines all must have. */
static int read_hypotheses(TestSet *set, const char *const *systems, Err *e)
{
    if (text_read(&set->hypotheses, systems[0], e)) return -1;
    put_mark_back(&set->hypotheses, systems[0]);
    return read_beside(&set->rivals, set, systems[0], systems + 1, set->rival_count, e);
}

static int is_blank(const char *line)
{
    while (*line)
        if (!unicode_is_space(unicode_next(&line))) return 0;
    return 1;
}

static int make_segments(TestSet *set, const char *const *paths, int missing, Err *e)
{
    Segments *segments = &set->segments;
    segments->count = set->hypotheses.count;
    segments->reference = xcalloc(segments->count, sizeof *segments->reference);
    segments->references = xcalloc(segments->count, sizeof *segments->references);
    for (size_t i = 0; i < segments->count; i++) {
        segments->reference[i] = xcalloc((size_t)set->reference_count + 1, sizeof **segments->reference);
        for (int r = 0; r < set->reference_count; r++)
            if (!missing || !is_blank(set->references[r].line[i]))
                segments->reference[i][segments->references[i]++] = set->references[r].line[i];
        if (!segments->references[i])
            return err(e, "%s:%zu: no reference: this line is empty in each reference file", paths[0], i + 1);
    }
    return 0;
}

int test_set_read_files(TestSet *set, const char *const *systems, int system_count, const char *const *references,
                       int count, int missing, Err *e)
{
    *set = (TestSet){ .rival_count = system_count - 1, .reference_count = count };
    if (!read_hypotheses(set, systems, e)
        && !read_beside(&set->references, set, systems[0], references, count, e)
        && !make_segments(set, references, missing, e)) return 0;
    test_set_free(set);
    return -1;
}

int test_set_check_one_system(TestSet *set, Err *e)
{
    size_t i = 0;
    while (i < set->hypotheses.count && !strchr(set->hypotheses.line[i], '\t'))
        i++;
    if (i == set->hypotheses.count) return 0;
    test_set_free(set);
    return err(e, "standard input:%zu: a tab: sacreBLEU takes it to separate systems; give each its own --hyp FILE, or "
                  "say --hyp - if tabs are text", i + 1);
}

int test_set_read_sources(TestSet *set, const char *hypothesis, const char *path, Err *e)
{
    if (text_read_beside(&set->sources, path, &set->hypotheses, hypothesis, e)) {
        test_set_free(set);
        return -1;
    }
    set->segments.source = xmalloc(set->sources.count, sizeof *set->segments.source);
    for (size_t i = 0; i < set->sources.count; i++) set->segments.source[i] = set->sources.line[i];
    return 0;
}

/* ---- A corpus ---- */

int test_set_read_corpus(TestSet *set, const BitextFiles *files, int part, Err *e)
{
    static const char *const names[PARTS] = {
        [PART_TEST] = "test", [PART_VALID] = "validation", [PART_TRAIN] = "training"
    };
    const BitextOptions options = { .max_bytes = LONGEST_SENTENCE };
    *set = (TestSet){ 0 };
    if (corpus_read(&set->corpus, files, &options, part, &set->report, e)) return -1;
    segments_init(&set->segments, &set->corpus);
    set->hypotheses = (Text){ .line = xcalloc(set->segments.count, sizeof(char *)), .count = set->segments.count };
    if (set->segments.count) return 0;
    err(e, "%s: of %ld pair%s none is in the %s part", files->name[0], set->report.pairs,
        plural((double)set->report.pairs), names[part]);
    test_set_free(set);
    return -1;
}

void test_set_keep_first(TestSet *set)
{
    for (size_t i = 0; i < set->segments.count; i++) set->segments.references[i] = 1;
}

Hypotheses test_set_scored(const TestSet *set, int system)
{
    const Text *hypotheses = system ? &set->rivals[system - 1] : &set->hypotheses;
    return (Hypotheses){ .hypothesis = (const char *const *)hypotheses->line,
                     .reference = (const char *const *const *)set->segments.reference,
                     .references = set->segments.references, .count = set->segments.count };
}

SystemOutput test_set_translated(const TestSet *set)
{
    return (SystemOutput){ .segments = &set->segments, .translation = (const char *const *)set->hypotheses.line,
                         .rival = set->rival_count ? (const char *const *)set->rivals[0].line : NULL };
}

static void texts_free(Text *texts, int count)
{
    for (int i = 0; texts && i < count; i++) text_free(&texts[i]);
    free(texts);
}

void test_set_free(TestSet *set)
{
    text_free(&set->sources);
    segments_free(&set->segments);
    text_free(&set->hypotheses);
    corpus_free(&set->corpus);
    texts_free(set->rivals, set->rival_count);
    texts_free(set->references, set->reference_count);
}
