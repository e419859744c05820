/* translate.c - `attn translate`: a line in, a line out, in order; or a conversation.
 *
 * Lines are taken as they come: what has arrived is translated together and written at once, so that a slow writer
 * gets each answer without delay and a large file runs in large batches.
 */
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "cmd/answer.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/progress.h"
#include "cmd/prompt.h"
#include "text/unicode.h"
#include "translate/translator.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 4096, MOST_BYTES = 1 << 16, MOST_WARNINGS = 5 };
#define SECONDS_BETWEEN_LINES 30

typedef struct {
    const char   *model, *output;
    int           json, alignment, heatmap, threads, quiet, verbose;
    SearchOptions search;
} Request;

#define AT(member) .offset = offsetof(Request, member)
static const Field request_fields[] = {
    { .group = "Input and output", .name = "model", .letter = 'm', .kind = FIELD_TEXT, AT(model), .value = "FILE",
      .help = "the model that translates" },
    { .name = "output", .letter = 'o', .kind = FIELD_TEXT, AT(output), .value = "FILE",
      .help = "write here, once all is translated, instead of to standard output" },
    { .name = "json", .kind = FIELD_FLAG, AT(json),
      .help = "an object a line: source, translation, score, log_probability, nbest, source_tokens, target_tokens, "
              "attention (a row for each target token), seconds" },
    { .name = "alignment", .kind = FIELD_FLAG, AT(alignment),
      .help = "add a tab and the links between words: 2-1 says that the second word comes from the third" },
    { .name = "heatmap", .kind = FIELD_FLAG, AT(heatmap),
      .help = "draw below each translation what it looked at in the source" },
    { .group = "Running", .name = "threads", .letter = 't', .kind = FIELD_INT, AT(threads), .low = 0, .high = 1024,
      .value = "N", .help = "worker threads; 0: one a core" },
    { .name = "quiet", .letter = 'q', .kind = FIELD_FLAG, AT(quiet), .help = "no progress, no greeting" },
    { .name = "verbose", .letter = 'v', .kind = FIELD_FLAG, AT(verbose), .help = "say at the end how fast it was" },
    { .name = NULL }
};

static const HelpText help_text = {
    .usage = "attn translate [OPTION...] [FILE...]",
    .about =
        "Translates the lines of each FILE, or of standard input, to standard output: one\n"
        "line for each, in the same order, an empty line for an empty line. FILE may end\n"
        "in .gz, and - is standard input. At a terminal without a FILE it is a prompt:\n"
        "type a sentence, or :help.\n"
        "\n"
        "With --nbest 2 or more each line gives several, as 'N ||| translation ||| score'\n"
        "with N counted from 0. NO_COLOR=1 in the environment keeps pictures plain.",
    .examples =
        "attn translate < article.en > article.fr\n"
        "echo 'I am calm.' | attn translate --heatmap\n"
        "attn translate --beam 10 --nbest 3 -m models/other.safetensors book.txt.gz\n"
        "attn translate --json news.txt | jq -r .translation",
};

static Request request_defaults(void)
{
    return (Request){ .model = default_model(), .search = search_defaults() };
}

static void bind(Request *request, OptionSet sets[3])
{
    sets[0] = (OptionSet){ request_fields, request };
    sets[1] = (OptionSet){ search_fields, &request->search };
    sets[2] = (OptionSet){ NULL, NULL };
}

static void check(const Request *r)
{
    if (r->search.nbest > r->search.beam)
        usage_error("translate", "--nbest %d is more than the %d translations that --beam keeps; use --beam %d",
                    r->search.nbest, r->search.beam, r->search.nbest);
    if (r->json && (r->alignment || r->heatmap))
        usage_error("translate", "--json has the whole attention already; leave out --%s",
                    r->alignment ? "alignment" : "heatmap");
}

/* ---- Reading ---- */

/* Lines on their way from the files to the output. */
typedef struct {
    const Model *model;
    AnswerStyle  style;
    Translator  *translator;
    FILE        *out;
    Progress     progress;
    double       started;
    Buf          text;              /* lines of the batch, each with a NUL */
    size_t      *start;             /* (count) where each begins in `text` */
    size_t       count, capacity;
    long         done;              /* lines before this batch */
    long         repaired, cut;     /* lines that were not taken as they stood */
} Job;

/* The length of the line, or less where it is too long: no character is cut in two. */
static size_t bounded(Job *job, const Lines *lines, const char *line, size_t length)
{
    if (length <= MOST_BYTES) return length;
    if (++job->cut <= MOST_WARNINGS) {
        progress_clear(&job->progress);
        warn("%s:%ld: a line of %zu bytes was cut to %d", lines_name(lines), lines_number(lines), length, MOST_BYTES);
    }
    length = MOST_BYTES;
    while (length > 0 && (line[length] & 0xc0) == 0x80)
        length--;
    return length;
}

static void add_line(Job *job, const Lines *lines, const char *line, size_t length)
{
    length = bounded(job, lines, line, length);
    job->start = grow(job->start, &job->capacity, job->count + 1, sizeof *job->start);
    job->start[job->count++] = job->text.length;
    if (unicode_valid(line, length)) {
        buf_add(&job->text, line, length);
    } else {
        int places = unicode_repair(line, length, &job->text);
        if (++job->repaired <= MOST_WARNINGS) {
            progress_clear(&job->progress);
            warn("%s:%ld: no valid UTF-8 in %d place%s, now U+FFFD", lines_name(lines), lines_number(lines), places,
                 places == 1 ? "" : "s");
        }
    }
    buf_putc(&job->text, '\0');
}

/* Waits for one line and takes what else has arrived. 1: there may be more, 0: the end, -1: an error. */
static int read_batch(Job *job, Lines *lines, Err *e)
{
    char *line;
    size_t length;
    int rc;
    buf_clear(&job->text);
    job->count = 0;
    do {
        rc = lines_next(lines, &line, &length, e);
        if (rc > 0) add_line(job, lines, line, length);
    } while (rc > 0 && job->count < MOST_LINES && lines_ready(lines));
    return rc;
}

/* ---- Translating ---- */

static void write_answers(Job *job, const char *const *lines, Translation *translations, double seconds)
{
    Buf out = { 0 };
    for (size_t i = 0; i < job->count; i++) {
        Answer answer = { .source = lines[i], .number = job->done + (long)i, .translation = &translations[i],
                          .seconds = seconds / (double)job->count };
        answer_add(&answer, &job->style, job->model, &out);
        translation_free(&translations[i]);
    }
    fwrite(out.text, 1, out.length, job->out);
    if (job->out == stdout) stdout_flush();
    buf_free(&out);
}

static void show_progress(Job *job)
{
    char lines[COUNT_TEXT], rate[COUNT_TEXT];
    double seconds = clock_seconds() - job->started;
    progress_update(&job->progress, -1, "%s lines  %s lines/s", progress_count(lines, (double)job->done),
                    progress_count(rate, (double)job->done / (seconds + 1e-9)));
}

static void translate_batch(Job *job)
{
    const char **lines = xmalloc(job->count, sizeof *lines);
    Translation *translations = xcalloc(job->count, sizeof *translations);
    for (size_t i = 0; i < job->count; i++)
        lines[i] = job->text.text + job->start[i];

    double before = clock_seconds();
    translator_run(job->translator, lines, job->count, translations, &job->cut);
    write_answers(job, lines, translations, clock_seconds() - before);
    job->done += (long)job->count;
    show_progress(job);
    free(translations);
    free(lines);
}

static int translate_file(Job *job, const char *path, Err *e)
{
    Lines *lines = lines_open(path, e);
    if (!lines) return -1;
    int rc;
    do {
        rc = read_batch(job, lines, e);
        if (job->count) translate_batch(job);
    } while (rc > 0);
    lines_close(lines);
    return rc;
}

static int translate_files(Job *job, int count, char **paths, Err *e)
{
    char *standard_input[] = { "-" };
    if (!count) return translate_file(job, standard_input[0], e);
    int rc = 0;
    for (int i = 0; i < count && !rc; i++)
        rc = translate_file(job, paths[i], e);
    return rc;
}

static void report(const Job *job, int verbose)
{
    char lines[COUNT_TEXT], rate[COUNT_TEXT];
    double seconds = clock_seconds() - job->started;
    if (job->repaired > MOST_WARNINGS) warn("%ld lines in all were no valid UTF-8", job->repaired);
    if (job->cut) warn("%ld line%s too long and cut", job->cut, job->cut == 1 ? " was" : "s were");
    if (verbose)
        fprintf(stderr, "%s lines in %.2f s, %s lines/s\n", progress_count(lines, (double)job->done), seconds,
                progress_count(rate, (double)job->done / (seconds + 1e-9)));
}

/* Everything goes to `out`, which is stdout or the file that --output names. */
static int run_job(const Request *r, const Model *model, FILE *out, int count, char **paths, Err *e)
{
    Pool *pool = pool_new(r->threads);
    Job job = {
        .model = model, .out = out, .started = clock_seconds(),
        .translator = translator_new(model, &r->search, pool),
        .style = { .nbest = r->search.nbest, .json = r->json, .alignment = r->alignment, .heatmap = r->heatmap,
                   .colours = terminal_colours(out), .columns = terminal_columns(out) }
    };
    progress_start(&job.progress, stderr, r->quiet || terminal_is(out), SECONDS_BETWEEN_LINES);
    int rc = translate_files(&job, count, paths, e);
    progress_end(&job.progress);
    report(&job, r->verbose && !rc);
    translator_free(job.translator);
    pool_free(pool);
    buf_free(&job.text);
    free(job.start);
    return rc;
}

static int run_job_to_file(const Request *r, const Model *model, int count, char **paths, Err *e)
{
    Replace file;
    if (replace_begin(&file, r->output, e)) return -1;
    if (!run_job(r, model, file.stream, count, paths, e)) return replace_commit(&file, e);
    replace_abort(&file);
    return -1;
}

static int is_conversation(const Request *r, int files)
{
    return !files && !r->output && !r->json && !r->alignment && terminal_is(stdin) && terminal_is(stdout);
}

static void converse(const Request *r, const Model *model)
{
    AnswerStyle style = { .heatmap = r->heatmap, .colours = terminal_colours(stdout) };
    prompt_run(model, r->model, &r->search, &style, r->quiet);
}

static int run(int argc, char **argv)
{
    Request r = request_defaults();
    OptionSet sets[3];
    bind(&r, sets);
    int files = options_parse(sets, argc, argv, &help_text);
    check(&r);

    Model model;
    if (load_model(&model, r.model)) return EXIT_FAILED;
    Err e;
    int rc = 0;
    if (is_conversation(&r, files)) converse(&r, &model);
    else if (r.output) rc = run_job_to_file(&r, &model, files, argv + 1, &e);
    else rc = run_job(&r, &model, stdout, files, argv + 1, &e);
    model_free(&model);
    return rc ? fail("%s", e.text) : EXIT_OK;
}

static void help(void)
{
    Request r = request_defaults();
    OptionSet sets[3];
    bind(&r, sets);
    options_help(stdout, sets, &help_text);
}

const Command command_translate = { "translate", "translate lines, or a sentence at a time", run, help };
