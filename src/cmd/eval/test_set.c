/* test_set.c - reads the texts of a test set, and joins them to segments: finished translations
 * with their reference files, or a corpus. All of them last as long as the lists of the
 * segments. */
#include "cmd/eval/eval.h"

#include "base/files/lines.h"
#include "base/mem.h"
#include "base/strings.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

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
    return 0;
}

/* Reads a line a sentence, without the blanks at its end. A byte-order mark is a character of what
 * is scored, as for sacreBLEU: without it scores would differ. */
static int read_text(Region *memory, const char *path, int is_scored, Text *text, Err *e)
{
    SCOPED(xfree_at) const char **all = NULL;
    size_t capacity = 0, count = 0, length;
    char *line;
    int rc;
    SCOPED(buf_free) Buf scored = { 0 };
    Lines *lines = lines_open(path, e);
    if (!lines) return -1;
    while ((rc = lines_next(lines, &line, &length, e)) > 0) {
        if ((rc = check_line(lines, line, length, e))) break;
        length = unicode_trimmed(line, length);
        all = grow(all, &capacity, count + 1, sizeof *all);
        buf_clear(&scored);
        if (!count && is_scored && lines_had_bom(lines)) {
            warn("%s: begins with a byte-order mark, which is text for sacreBLEU and so for this "
                 "score; 'tail -c +4' leaves it out", shown(path));
            buf_puts(&scored, "\xEF\xBB\xBF");
        }
        buf_add(&scored, line, length);
        all[count++] = region_strndup(memory, scored.text, scored.length);
    }
    if (!rc && !count) rc = err(e, "%s: is empty: a sentence a line is needed", lines_name(lines));
    *text = (Text){ region_take(memory, count, sizeof *all), count };
    if (count) memcpy(text->line, all, count * sizeof *all);
    lines_close(lines);
    return rc;
}

static int check_parallel(const Text *known, const char *name, const Text *text, const char *path,
                          Err *e)
{
    if (text->count == known->count) return 0;
    return err(e, "%s has %zu line%s, but %s has %zu: line n of both must be the same sentence",
               shown(name), known->count, plural((double)known->count), shown(path), text->count);
}

/* Reads the files as texts, NULL on failure; all must have as many lines as `known`, which was read
 * from `name`; NULL: as the first of them. */
static Text *read_parallel(Region *memory, const TextList *files, const Text *known,
                           const char *name, Err *e)
{
    Text *texts = region_take(memory, (size_t)files->count, sizeof *texts);
    for (int i = 0; i < files->count; i++) {
        const char *path = files->text[i];
        if (read_text(memory, path, 1, &texts[i], e)) return NULL;
        if (!known) {
            known = texts;
            name = path;
        }
        if (check_parallel(known, name, &texts[i], path, e)) return NULL;
    }
    return texts;
}

/* A reference line without a word is no reference where references may be missing; else it is a
 * reference of no words. */
static int join_references(Segments *segments, const Request *r, const Text *references, Err *e)
{
    Region *memory = &segments->lists;
    const int count = r->references.count;
    segments->count = references->count;
    segments->reference = region_take(memory, segments->count, sizeof *segments->reference);
    segments->references = region_take(memory, segments->count, sizeof *segments->references);
    for (size_t i = 0; i < segments->count; i++) {
        const char **list = region_take(memory, (size_t)count, sizeof *list);
        int found = 0;
        for (int k = 0; k < count; k++)
            if (!r->missing_references || *references[k].line[i])
                list[found++] = references[k].line[i];
        if (!found)
            return err(e, "%s:%zu: no reference: this line is empty in each reference file",
                       r->references.text[0], i + 1);
        segments->reference[i] = list;
        segments->references[i] = found;
    }
    return 0;
}

int test_set_read_files(TestSet *set, const Request *r, Err *e)
{
    Region *memory = &set->segments.lists;
    const char *name = r->hypotheses.text[0];
    set->system_count = r->hypotheses.count;
    set->systems = read_parallel(memory, &r->hypotheses, NULL, NULL, e);
    if (!set->systems) return -1;
    const Text *references = read_parallel(memory, &r->references, set->systems, name, e);
    if (!references || join_references(&set->segments, r, references, e)) return -1;
    Text sources;
    if (r->source && (read_text(memory, r->source, 0, &sources, e)
                      || check_parallel(set->systems, name, &sources, r->source, e)))
        return -1;
    if (r->source) set->segments.source = sources.line;
    for (size_t i = 0; r->piped && i < set->systems->count; i++)
        if (strchr(set->systems->line[i], '\t'))
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
    if (corpus_read(&set->corpus, files, &options, part, &set->report, e)) return -1;
    segments_init(&set->segments, &set->corpus);
    const size_t count = set->segments.count;
    set->system_count = 1;
    set->systems = region_take(&set->segments.lists, 1, sizeof *set->systems);
    *set->systems = (Text){ region_take(&set->segments.lists, count, sizeof(char *)), count };
    if (count) return 0;
    return err(e, "%s: of %ld pair%s none is in the %s part; leave out --part, or name a larger "
                  "corpus", files->name[0], set->report.pairs, plural((double)set->report.pairs),
               names[part]);
}

int test_set_read_outputs(TestSet *set, const TextList *systems, Err *e)
{
    const size_t wanted = set->segments.count;
    set->system_count = systems->count;
    set->systems = read_parallel(&set->segments.lists, systems, NULL, NULL, e);
    if (!set->systems) return -1;
    const size_t found = set->systems->count;
    if (found == wanted) return 0;
    return err(e, "%s has %zu line%s, but the corpus has %zu different source%s; it must have one "
                  "for each, in the order in which they first occur, as --save writes them",
               shown(systems->text[0]), found, plural((double)found), wanted,
               plural((double)wanted));
}

/* ---- Both ---- */

Hypotheses test_set_hypotheses(const TestSet *set, int system)
{
    const Segments *segments = &set->segments;
    return (Hypotheses){ .hypothesis = set->systems[system].line,
                         .reference = (const char *const *const *)segments->reference,
                         .references = segments->references, .count = segments->count };
}

void test_set_free(TestSet *set)
{
    segments_free(&set->segments);
    corpus_free(&set->corpus);
}
