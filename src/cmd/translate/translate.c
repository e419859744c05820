/* translate.c - `attn translate`: a line in, a line out, in order; or a conversation.
 *
 * A line that is no valid text is repaired with a warning, never left out: line n of the output
 * belongs to line n of the input.
 */
#include "base/files/replace.h"
#include "base/mem.h"
#include "base/strings.h"
#include "base/system/environment.h"
#include "cmd/command_files.h"
#include "cmd/translate/translate.h"
#include "linalg/precision.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Lines of a batch. The first one is small, and each is GROWTH times the one before, so that the
 * first output comes soon, and the end of a reader (head -1) is noticed soon. */
enum { FIRST_LINES = 64, GROWTH = 8, MOST_LINES = 4096 };

/* Bytes of a line whose attention is kept, which takes some hundred times the memory of the
 * text. */
enum { ATTENTION_BYTES = 1 << 17 };

#define SECONDS_BETWEEN_LINES 30

/* Refuses options that these models cannot do. */
static void check_models(const Request *r, const Models *models)
{
    Err e;
    const char *needs_attention = r->alignment ? "alignment"
                                : r->heatmap || r->format.heatmap ? "heatmap"
                                : r->search.replace_unknown ? "replace-unknown" : NULL;
    if (attention_map_check(&models->model[0].network, r->format.map, &e))
        usage_error("translate", "%s", e.text);
    if (models->count > 1 && !attention_map_is_usual(r->format.map))
        usage_error("translate", "--heatmap-of, --heatmap-layer and --heatmap-head look into one "
                                 "model; give one --model");
    if (needs_attention && !models_have_attention(models))
        usage_error("translate", "--%s needs attention, and the model was trained with --attention "
                                 "none; leave it out", needs_attention);
}

/* Before any work: a misspelt name of the last file is found now, not hours later; no input is an
 * output, and no file is lost. */
static int check_files(const Request *r, const Models *models, Err *e)
{
    const Output outputs[] = { { r->output, "translations", "-o" },
                               { r->heatmap, "pictures", "--heatmap" } };
    SCOPED(xfree_at) const char **inputs = xmalloc((size_t)(models->count + r->files + 1),
                                                   sizeof *inputs);
    size_t count = 0;
    inputs[count++] = r->prefixes;
    for (int i = 0; i < r->files; i++) inputs[count++] = r->file[i];
    for (int i = 0; i < models->count; i++) inputs[count++] = models->path[i];
    int rc = outputs_check(outputs, sizeof outputs / sizeof *outputs, inputs, count, r->force, e);
    for (int i = 0; i < r->files && !rc; i++) {
        if (is_model_name(r->file[i]))
            usage_error("translate", "'%s' is a model, not text; name it with -m", r->file[i]);
        rc = lines_check(r->file[i], e);
        if (rc && access(r->file[i], F_OK))
            err(e, "%s: there is no such file; a sentence comes from standard input, as in: echo "
                   "'I am calm.' | attn translate", r->file[i]);
    }
    return rc;
}

/* ---- Translating ---- */

/* Lines that one warning at the end of a run counts. */
typedef struct {
    long lines;
    Buf  first;         /* the place of the first one, and what is said of it */
} Counted;

/* Lines on their way from the files to the output. */
typedef struct {
    const Request *r;
    const Models *models;
    OutputFormat  format;
    Translator   *translator;
    FILE         *out;
    Input         input;
    Progress      progress;
    double        started;
    long          done;             /* lines before this batch */
    double        bytes, taken;     /* of all files (-1: not known); of what was read */
    long          lost;             /* lines with text that is not in the vocabulary */
    Counted       behind, cut;      /* with text behind the sentence; ended by the limit */
    int           has_target;       /* no line that leaves its language open is to be warned of */
    UnfamiliarWalks unfamiliar;     /* of the file */
} Job;

static void write_lines(Job *job, const char *const *lines, const Translation *translations,
                        double seconds)
{
    const Model *model = job->models->model;
    SCOPED(buf_free) Buf out = { 0 };
    buf_clear(&out);            /* a string even without a line */
    for (size_t i = 0; i < job->input.count; i++) {
        TranslatedLine line = { .source = lines[i], .number = job->done + (long)i,
                                .translation = &translations[i],
                                .seconds = seconds / (double)job->input.count };
        format_add(&line, &job->format, model, &out);
    }
    fwrite(out.text, 1, out.length, job->out);
    if (job->out == stdout) stdout_flush();
}

static void count_line(Counted *counted, const char *file, long number, const char *what)
{
    if (!counted->lines++) buf_printf(&counted->first, "%s:%ld: %s", file, number, what);
}

/* Warns of what a translation lacks, and counts what only the end of the run tells. */
static void report_line(Job *job, const char *file, long number, const Translation *t)
{
    const Model *model = job->models->model;
    SCOPED(buf_free) Buf texts = { 0 };
    const Unfamiliar found = job->r->score ? UNFAMILIAR_NOT
        : unfamiliar_add(&job->unfamiliar, t, model_source(model), model_target(model));
    if (found != UNFAMILIAR_NOT) {
        progress_clear(&job->progress);
        warn("%s:%ld: %s", file, number, unfamiliar_text(found));
    }
    if (untranslated_add(t, UNTRANSLATED_LOST, &texts) && ++job->lost <= MOST_WARNINGS) {
        progress_clear(&job->progress);
        warn("%s:%ld: %s: %s", file, number, untranslated_text[UNTRANSLATED_LOST], texts.text);
    }
    buf_clear(&texts);
    buf_printf(&texts, "%s: ", untranslated_text[UNTRANSLATED_BEHIND]);
    if (untranslated_add(t, UNTRANSLATED_BEHIND, &texts))
        count_line(&job->behind, file, number, texts.text);
    if (translation_is_cut(t))
        count_line(&job->cut, file, number, "cut where it had the most tokens for its source");
}

static void show_progress(Job *job)
{
    double seconds = clock_seconds() - job->started;
    double share = job->bytes > 0 ? job->taken / job->bytes : -1;
    progress_update(&job->progress, share, "%s line%s  %s lines/s",
                    progress_count((double)job->done).text, plural((double)job->done),
                    progress_count((double)job->done / (seconds + 1e-9)).text);
}

/* Scores the lines of a batch, which are cut at their first tab; further columns are ignored, as in
 * a corpus. -1 at a line that cannot be scored; the batch then ends before it. */
static int score_lines(Job *job, const char *file, const char *const *lines, const char **target,
                       Translations *translations, Err *e)
{
    size_t pairs = 0;
    for (char *tab; pairs < job->input.count; pairs++) {
        if (!(tab = strchr(input_line(&job->input, pairs), '\t'))) break;
        *tab++ = '\0';
        tab[strcspn(tab, "\t")] = '\0';
        target[pairs] = tab;
    }
    *translations = translator_score(job->translator, lines, target, pairs);
    const size_t scored = translations->count;
    if (scored == job->input.count) return 0;
    const long number = job->input.line[scored].number;
    job->input.count = scored;
    if (scored == pairs)
        return err(e, "%s:%ld: no tab between source and translation; --score reads both", file,
                   number);
    return err(e, "%s:%ld: more than %d tokens on a side can't be scored; cut the line into its "
                  "sentences", file, number, SCORE_TOKENS);
}

/* -1 at a line whose result is not a number; the batch then ends before it. */
static int check_numbers(Job *job, const char *file, const Translation *translations, Err *e)
{
    const size_t count = job->input.count;
    size_t sound = 0;
    while (sound < count && !translation_is_void(&translations[sound]))
        sound++;
    if (sound == count) return 0;
    SCOPED(buf_free) Buf where = { 0 };
    buf_printf(&where, "%s:%ld", file, job->input.line[sound].number);
    models_overflow(job->models, where.text, e);
    job->input.count = sound;
    return -1;
}

/* Translates the lines of a batch, each with its prefix. */
static int translate_lines(Job *job, const char *const *lines, const char **prefix,
                           Translations *translations, Err *e)
{
    const size_t count = job->input.count;
    if (input_prefixes(&job->input, prefix, count, e)) return -1;
    *translations = translator_run(job->translator, lines, prefix, count);
    return 0;
}

/* Looks at the first line that asks for no language. */
static void check_target(Job *job, const char *file, const char *const *lines)
{
    for (size_t i = 0; i < job->input.count && !job->has_target; i++) {
        if (!*lines[i] || language_length(slice_of(lines[i]))) continue;
        SCOPED(buf_free) Buf where = { 0 };
        buf_printf(&where, "%s:%ld", file, job->input.line[i].number);
        progress_clear(&job->progress);
        warn_without_target(job->models->model, where.text);
        job->has_target = 1;
    }
}

static int translate_batch(Job *job, const char *file, Err *e)
{
    const size_t count = job->input.count;
    SCOPED(xfree_at) const char **lines = xmalloc(count, sizeof *lines);
    SCOPED(xfree_at) const char **target = xcalloc(count, sizeof *target);
    SCOPED(translations_free) Translations translations = { 0 };
    for (size_t i = 0; i < count; i++)
        lines[i] = input_line(&job->input, i);
    check_target(job, file, lines);

    double before = clock_seconds();
    int rc = job->r->score ? score_lines(job, file, lines, target, &translations, e)
                        : translate_lines(job, lines, target, &translations, e);
    const int is_translated = !rc || job->r->score;
    if (is_translated && check_numbers(job, file, translations.line, e)) rc = -1;
    if (is_translated) {
        for (size_t i = 0; i < job->input.count; i++)
            report_line(job, file, job->input.line[i].number, &translations.line[i]);
        write_lines(job, lines, translations.line, clock_seconds() - before);
        job->done += (long)job->input.count;
        show_progress(job);
    }
    return rc;
}

static int translate_file(Job *job, const char *path, Err *e)
{
    Lines *lines = lines_open(path, e);
    const double before = job->taken;
    if (!lines) return -1;
    int rc;
    job->unfamiliar = (UnfamiliarWalks){ 0 };
    do {
        rc = input_batch(&job->input, lines, e);
        job->taken = before + lines_bytes_returned(lines);
        if (job->input.count && translate_batch(job, lines_name(lines), e)) rc = -1;
        if (job->input.most_lines < MOST_LINES) job->input.most_lines *= GROWTH;
    } while (rc > 0);
    lines_close(lines);
    return rc;
}

static int translate_files(Job *job, Err *e)
{
    char *const *file = job->r->file;
    const int files = job->r->files;
    int rc = 0;
    for (int i = 0; i < files && job->bytes >= 0; i++) {
        const double bytes = lines_bytes(file[i]);
        job->bytes = bytes < 0 ? -1 : job->bytes + bytes;
    }
    if (job->bytes > 0) show_progress(job);
    for (int i = 0; i < files && !rc; i++)
        rc = translate_file(job, file[i], e);
    return rc ? rc : input_end(&job->input, e);
}

static void report(const Job *job, int is_done)
{
    const double seconds = clock_seconds() - job->started;
    const Counted *counted[] = { &job->behind, &job->cut };
    input_report(&job->input);
    if (job->lost > MOST_WARNINGS)
        warn("%ld lines in all have text %s", job->lost, untranslated_text[UNTRANSLATED_LOST]);
    for (int i = 0; i < 2; i++)
        if (counted[i]->lines)
            warn("%s (%ld line%s in all)", counted[i]->first.text, counted[i]->lines,
                 plural((double)counted[i]->lines));
    if (job->r->verbose && is_done)
        fprintf(stderr, "%s line%s in %.2f s, %s lines/s\n",
                progress_count((double)job->done).text, plural((double)job->done), seconds,
                progress_count((double)job->done / (seconds + 1e-9)).text);
}

/* Writes all translations to `out`, stdout or the file of --output. */
static int run_job(const Request *r, const Models *models, FILE *out, Gallery *gallery, Err *e)
{
    Lines *prefixes = r->prefixes ? lines_open(r->prefixes, e) : NULL;
    if (r->prefixes && !prefixes) return -1;
    Pool *pool = start_workers(r->threads);
    SearchOptions search = r->search;
    search.attention = r->json || r->alignment || r->heatmap || r->format.heatmap;
    if (!r->json && !r->score && search.nbest == 1) search.probabilities = 0;
    if (r->score) {                         /* nothing is searched */
        search.beam = 1;
        if (search.precision == FIELD_AUTO) search.precision = PRECISION_FLOAT;
    }
    Job job = {
        .r = r, .models = models, .out = out, .format = r->format, .started = clock_seconds(),
        .translator = translator_new(models->model, models->count, &search, pool),
        .has_target = *search.to != 0,
        .input = { .most_lines = FIRST_LINES, .is_wrapped = r->wrapped, .prefix = r->prefix,
                   .prefixes = prefixes,
                   .most_bytes = search.attention ? ATTENTION_BYTES : LINE_BYTES },
    };
    job.format.gallery = gallery;
    job.format.colours = terminal_colours(out, (ColourWish)r->colour);
    job.format.columns = terminal_columns(out);
    job.input.progress = &job.progress;
    progress_init(&job.progress, stderr, r->quiet || terminal_is(out) || r->is_typed,
                  SECONDS_BETWEEN_LINES);
    int rc = translate_files(&job, e);
    progress_clear(&job.progress);
    report(&job, !rc);
    translator_free(job.translator);
    pool_free(pool);
    input_free(&job.input);
    buf_free(&job.behind.first);
    buf_free(&job.cut.first);
    return rc;
}

/* Writes to standard output, or to a file that appears once all is there. The pictures are finished
 * first, which takes memory: where it is refused, neither file is left. */
static int run_job_to_files(const Request *r, const Models *models, Err *e)
{
    Replace file = { 0 };
    Gallery *gallery = r->heatmap ? gallery_open(r->heatmap, e) : NULL;
    int rc = r->heatmap && !gallery ? -1 : 0;
    if (!rc && r->output) rc = replace_open(&file, r->output, e);
    if (!rc) rc = run_job(r, models, r->output ? file.stream : stdout, gallery, e);
    if (rc) {
        gallery_drop(gallery);
        replace_abort(&file);
        return -1;
    }
    if (gallery) {
        long offered, drawn = gallery_drawn(gallery, &offered);
        if (drawn < offered)
            warn("%s: only the first %ld of %ld sentences are drawn", r->heatmap, drawn, offered);
        rc = gallery_finish(gallery, e);
    }
    return (r->output && replace_commit(&file, e)) || rc ? -1 : 0;
}

static int is_conversation(const Request *r)
{
    const int has_form = r->json || r->alignment || r->score || r->prefixes || r->heatmap;
    return !r->given.count && !r->output && !has_form && r->is_typed && terminal_is(stdout);
}

/* Whether products in 8 bits are all that is asked for. A prompt may ask for others, and pictures of
 * chosen heads have floats. */
static int only_in_8_bits(const Request *r)
{
    const int precision = r->search.precision == FIELD_AUTO ? search_precision()
                                                            : r->search.precision;
    return precision == PRECISION_INT8 && !r->score && !r->heatmap && !r->format.heatmap
           && !is_conversation(r);
}

static int translate(const Request *r, const Models *models, Err *e)
{
    check_models(r, models);
    if (!is_conversation(r)) return run_job_to_files(r, models, e);
    prompt_run(r, models);
    return 0;
}

static int run(int argc, char **argv)
{
    Err e;
    Request r;
    SCOPED(models_free) Models models = { 0 };
    translate_request(&r, argc, argv);
    const int failed = find_models(&models, &r.models, &e) || check_files(&r, &models, &e)
                       || load_models(&models, only_in_8_bits(&r), &e)
                       || target_check(models.model, models.path[0], r.search.to, &e)
                       || translate(&r, &models, &e);
    options_free(&r.given);
    return failed ? fail("%s", e.text) : EXIT_OK;
}

const Command command_translate = {
    "translate", "translate files, lines, or sentences at a prompt", run, translate_describe
};
