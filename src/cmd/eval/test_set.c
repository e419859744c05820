/* test_set.c - reads the texts of a test set, and joins them to segments. */
#include "cmd/eval/eval.h"

#include "base/files/lines.h"
#include "base/mem.h"
#include "base/strings.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"
enum { MAX_SENTENCE_BYTES = 1 << 20 };  /* longer pairs of a corpus are skipped */

/* ---- Finished translations ---- */

static const char *shown(const char *path)
{
    return strcmp(path, "-") ? path : "standard input";
}

static int check_line(const Lines *lines, const char *line, size_t length, Err *e)
{
    const char *name = lines_name(lines);
    const long number = lines_number(lines);
    if (memchr(line, '\0', length))
        return err(e, "%s:%ld: a NUL byte: this is not a text file", name, number);
    if (!unicode_valid(line, length))
        return err(e, "%s:%ld: invalid UTF-8" UNICODE_ADVICE, name, number);
    if (lines_end_in_cr(lines))
        return err(e, "%s: its lines end in carriage returns, which end none for sacreBLEU; "
                      "tr '\\r' '\\n' converts them", name);
    return 0;
}

/* Reads a line a sentence, without the blanks at its end; *marked: whether the file begins with a
 * byte-order mark, which is not in line[0]. */
static int text_read(Text *text, const char *path, int *marked, Err *e)
{
    size_t capacity = 0, length;
    char *line;
    int rc;
    Lines *lines = lines_open(path, e);
    if (!lines) return -1;
    while ((rc = lines_next(lines, &line, &length, e)) > 0) {
        if ((rc = check_line(lines, line, length, e))) break;
        text->line = grow(text->line, &capacity, text->count + 1, sizeof *text->line);
        text->line[text->count++] = xstrndup(line, unicode_trimmed(line, length));
    }
    if (!rc && !text->count)
        rc = err(e, "%s: is empty: a sentence a line is needed", lines_name(lines));
    *marked = lines_had_bom(lines);
    lines_close(lines);
    return rc;
}

static void text_free(Text *text)
{
    for (size_t i = 0; i < text->count; i++) free(text->line[i]);
    free(text->line);
}

static void texts_free(Text *texts, int count)
{
    for (int i = 0; texts && i < count; i++) text_free(&texts[i]);
    free(texts);
}

/* For sacreBLEU the byte-order mark is a character of the text: without it scores would differ. */
static void restore_mark(Text *text, const char *path)
{
    Buf line = { 0 };
    warn("%s: begins with a byte-order mark, which is text for sacreBLEU and so for this score; "
         "'tail -c +4' leaves it out", shown(path));
    buf_printf(&line, BYTE_ORDER_MARK "%s", text->line[0]);
    free(text->line[0]);
    text->line[0] = line.text;
}

static int check_parallel(const Text *known, const char *name, const Text *text, const char *path,
                          Err *e)
{
    if (text->count == known->count) return 0;
    return err(e, "%s has %zu line%s, but %s has %zu: line n of both must be the same sentence",
               shown(name), known->count, plural((double)known->count), shown(path), text->count);
}

/* Reads `count` files into the empty texts. All must have as many lines as `known`, which was read
 * from `name`; NULL: as the first of them. */
static int read_parallel(Text *texts, const char *const *paths, int count, const Text *known,
                         const char *name, Err *e)
{
    for (int i = 0, marked; i < count; i++) {
        if (text_read(&texts[i], paths[i], &marked, e)) return -1;
        if (marked) restore_mark(&texts[i], paths[i]);
        if (known && check_parallel(known, name, &texts[i], paths[i], e)) return -1;
        if (known) continue;
        known = &texts[i];
        name = paths[i];
    }
    return 0;
}

static int is_blank(const char *line)
{
    while (*line)
        if (!unicode_is_space(unicode_next(&line))) return 0;
    return 1;
}

static int join_references(TestSet *set, const TestFiles *files, Err *e)
{
    Segments *segments = &set->segments;
    segments->count = set->systems[0].count;
    segments->reference = xcalloc(segments->count, sizeof *segments->reference);
    segments->references = xcalloc(segments->count, sizeof *segments->references);
    for (size_t i = 0; i < segments->count; i++) {
        segments->reference[i] = xcalloc((size_t)set->reference_count + 1,
                                         sizeof **segments->reference);
        for (int r = 0; r < set->reference_count; r++)
            if (!files->missing || !is_blank(set->references[r].line[i]))
                segments->reference[i][segments->references[i]++] = set->references[r].line[i];
        if (!segments->references[i])
            return err(e, "%s:%zu: no reference: this line is empty in each reference file",
                       files->reference[0], i + 1);
    }
    return 0;
}

static int join_sources(TestSet *set, const TestFiles *files, Err *e)
{
    int ignored;
    Text *sources = &set->sources;
    if (text_read(sources, files->source, &ignored, e)
        || check_parallel(set->systems, files->system[0], sources, files->source, e))
        return -1;
    set->segments.source = xmalloc(sources->count, sizeof *set->segments.source);
    for (size_t i = 0; i < sources->count; i++) set->segments.source[i] = sources->line[i];
    return 0;
}

int test_set_read_files(TestSet *set, const TestFiles *files, Err *e)
{
    set->system_count = files->systems;
    set->reference_count = files->references;
    set->systems = xcalloc((size_t)files->systems, sizeof *set->systems);
    set->references = xcalloc((size_t)files->references, sizeof *set->references);
    if (read_parallel(set->systems, files->system, files->systems, NULL, NULL, e)
        || read_parallel(set->references, files->reference, files->references, set->systems,
                         files->system[0], e)
        || join_references(set, files, e) || (files->source && join_sources(set, files, e)))
        return -1;
    for (size_t i = 0; files->one_system && i < set->systems[0].count; i++)
        if (strchr(set->systems[0].line[i], '\t'))
            return err(e, "standard input:%zu: a tab: sacreBLEU takes it to separate systems; give "
                          "each its own --hyp FILE, or say --hyp - if tabs are text", i + 1);
    return 0;
}

/* ---- A corpus ---- */

int test_set_read_corpus(TestSet *set, const BitextFiles *files, int part, Err *e)
{
    static const char *const names[PARTS] = {
        [PART_TEST] = "test", [PART_VALID] = "validation", [PART_TRAIN] = "training"
    };
    const BitextOptions options = { .max_bytes = MAX_SENTENCE_BYTES };
    Bitext *bitext = bitext_open(files, &options, e);
    Slice source, target;
    int status;
    if (!bitext) return -1;
    while ((status = bitext_next(bitext, &source, &target, e)) > 0)
        if (part < 0 || (int)corpus_part(corpus_source_hash(source.text, source.length)) == part)
            corpus_add(&set->corpus, source, target);
    set->report = *bitext_report(bitext);
    bitext_close(bitext);
    if (status) return -1;
    segments_init(&set->segments, &set->corpus);
    set->system_count = 1;
    set->systems = xcalloc(1, sizeof *set->systems);
    *set->systems = (Text){ .line = xcalloc(set->segments.count, sizeof(char *)),
                            .count = set->segments.count };
    if (set->segments.count) return 0;
    return err(e, "%s: of %ld pair%s none is in the %s part; leave out --part, or name a larger "
                  "corpus", files->name[0], set->report.pairs, plural((double)set->report.pairs),
               names[part]);
}

int test_set_read_outputs(TestSet *set, const char *const *systems, int count, Err *e)
{
    const size_t wanted = set->segments.count;
    texts_free(set->systems, set->system_count);
    set->system_count = count;
    set->systems = xcalloc((size_t)count, sizeof *set->systems);
    if (read_parallel(set->systems, systems, count, NULL, NULL, e)) return -1;
    const size_t found = set->systems[0].count;
    if (found == wanted) return 0;
    return err(e, "%s has %zu line%s, but the corpus has %zu different source%s; it must have one "
                  "for each, in the order in which they first occur, as --save writes them",
               shown(systems[0]), found, plural((double)found), wanted, plural((double)wanted));
}

/* ---- Both ---- */

static const char *const *output_of(const TestSet *set, int system)
{
    return system < set->system_count ? (const char *const *)set->systems[system].line : NULL;
}

Hypotheses test_set_hypotheses(const TestSet *set, int system)
{
    const Segments *segments = &set->segments;
    return (Hypotheses){ .hypothesis = output_of(set, system),
                         .reference = (const char *const *const *)segments->reference,
                         .references = segments->references, .count = segments->count };
}

SystemOutputs test_set_outputs(const TestSet *set)
{
    return (SystemOutputs){ .segments = &set->segments,
                            .output = { output_of(set, 0), output_of(set, 1) } };
}

void test_set_free(TestSet *set)
{
    text_free(&set->sources);
    segments_free(&set->segments);
    corpus_free(&set->corpus);
    texts_free(set->systems, set->system_count);
    texts_free(set->references, set->reference_count);
}
