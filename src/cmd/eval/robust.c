/* robust.c - reads the corpus, makes the altered lines, has them translated or reads their
 * translations, and prints the table as text or as JSON. */
#include "cmd/eval/robust.h"

#include "analysis/robust_score.h"
#include "base/files/replace.h"
#include "base/mem.h"
#include "base/plural.h"
#include "base/printable.h"
#include "cmd/cmd.h"
#include "cmd/eval/model_evaluation.h"
#include "cmd/eval/piped.h"
#include "cmd/eval/python_json.h"
#include "cmd/eval/test_set.h"
#include "cmd/outputs.h"
#include "cmd/progress.h"
#include "cmd/skipped.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

#define AT(member) .offset = offsetof(RobustOptions, member)
const Field robust_fields[] = {
    { .group = "Robustness", .name = "robust", .kind = FIELD_FLAG, AT(wanted),
      .help = "what stays right of CORPUS when its sources hold new names, numbers, addresses, "
              "capitals, typing errors; by a model, or in --hyp",
      .common = 1,
      .reason = "A test set is clean; what people type is not.",
      .related = "robust-save seed part hyp" },
    { .name = "robust-save", .kind = FIELD_TEXT, AT(save), .value = "FILE",
      .help = "write the altered sources, a line each, for another program, and stop; - is standard "
              "output",
      .reason = "Another translator can then take the same test.",
      .related = "robust hyp seed" },
    { .name = NULL }
};

/* What is measured, and on what. */
typedef struct {
    const RobustRequest *request;
    RobustLines          lines;
    Text                *systems;       /* (count) the translations of all lines; owned */
    const char         **name;          /* (count) of the systems, if they are several */
    int                  count;
    ModelEvaluation      evaluation;    /* where models translate */
} Robustness;

static const char *const *output_of(const Robustness *r, int system)
{
    return (const char *const *)r->systems[system].line;
}

/* ---- Texts: each returns 0, or -1 with a message ---- */

static int goes_to_standard_output(const RobustRequest *request)
{
    return request->save_sources && !strcmp(request->save_sources, "-");
}

static void write_sources(const Robustness *r, FILE *out)
{
    for (size_t i = 0; i < r->lines.count; i++) fprintf(out, "%s\n", r->lines.source[i]);
}

static int save_sources(const Robustness *r, Err *e)
{
    Replace file;
    if (goes_to_standard_output(r->request)) {
        write_sources(r, stdout);
        return 0;
    }
    if (replace_open(&file, r->request->save_sources, e)) return -1;
    write_sources(r, file.stream);
    return replace_commit(&file, e);
}

static int read_translation(Robustness *r, int system, Err *e)
{
    const char *path = r->request->hypotheses->text[system];
    const size_t wanted = r->lines.count;
    if (text_read(&r->systems[system], path, e)) return -1;
    const size_t found = r->systems[system].count;
    if (found == wanted) return 0;
    return err(e, "%s has %zu line%s, but the altered sources are %zu: translate the file of "
                  "--robust-save, written with the same corpus, --part and --seed",
               strcmp(path, "-") ? path : "standard input", found, plural((double)found), wanted);
}

static int read_translations(Robustness *r, Err *e)
{
    for (int i = 0; i < r->count; i++)
        if (read_translation(r, i, e)) return -1;
    return 0;
}

static int translate(Robustness *r, Err *e)
{
    const RobustRequest *request = r->request;
    const EvaluationOptions options = { .search = request->search, .save = request->save,
                                        .threads = request->threads, .quiet = request->quiet,
                                        .part = request->part };
    TestSet set = { .systems = r->systems, .system_count = 1,
                    .segments = { .source = r->lines.source, .count = r->lines.count } };
    Models models;
    *r->systems = (Text){ .line = xcalloc(r->lines.count, sizeof(char *)),
                          .count = r->lines.count };
    int rc = load_models(&models, request->models) == EXIT_OK ? 0 : -1;
    if (!rc) rc = model_evaluation_run(&r->evaluation, &models, &set, &options, e);
    models_free(&models);
    return rc;
}

/* ---- Text ---- */

static const BleuOptions *bleu_options(const Robustness *r)
{
    return r->request->score->metrics.options[METRIC_BLEU];
}

/* The plain translations of one system with their references. The caller frees the arrays of
 * references. */
static Hypotheses plain_hypotheses(const Robustness *r, int system)
{
    const RobustLines *lines = &r->lines;
    const size_t count = lines->first[ROBUST_PLAIN + 1];
    const char *const **reference = xmalloc(count, sizeof *reference);
    int *references = xmalloc(count, sizeof *references);
    for (size_t i = 0; i < count; i++) {
        reference[i] = lines->segments->reference[lines->origin[i]];
        references[i] = lines->segments->references[lines->origin[i]];
    }
    return (Hypotheses){ output_of(r, system), reference, references, count };
}

static void hypotheses_free(Hypotheses *hypotheses)
{
    free((void *)hypotheses->reference);
    free((void *)hypotheses->references);
}

enum { TITLE_COLUMNS = 32 };

static void print_row(FILE *out, RobustRow row, const RobustScore *score, int width)
{
    char count[COUNT_TEXT];
    const char *title = robust_row_title(row);
    fprintf(out, "%s%*s", title, TITLE_COLUMNS - unicode_columns(title), "");
    fprintf(out, "%8s", score->measured ? progress_count(count, (double)score->measured) : "none");
    if (score->measured) {
        if (robust_row_is_kept(row)) fprintf(out, "%18s", "");
        else fprintf(out, "  %7.*f  %7.*f", width, score->bleu, width, score->plain);
        fprintf(out, "  %6.1f %%", score->share);
    }
    fputc('\n', out);
}

static void print_table(FILE *out, const Robustness *r, int system)
{
    const int width = r->request->score->width;
    fprintf(out, "%-*s%8s  %7s  %7s  %8s\n", TITLE_COLUMNS, "the source has", "measured", "BLEU",
            "plain", "kept");
    for (RobustRow row = ROBUST_NAMES; row < ROBUST_ROWS; row++) {
        const RobustScore score = robust_score(&r->lines, row, output_of(r, system),
                                               bleu_options(r));
        print_row(out, row, &score, width);
    }
}

static void print_text(FILE *out, const Robustness *r)
{
    for (int i = 0; i < r->count; i++) {
        Hypotheses plain = plain_hypotheses(r, i);
        if (i) fputc('\n', out);
        if (r->name) printable_line(out, "%s", r->name[i]);
        score_print(out, r->request->score, &plain);
        fputc('\n', out);
        print_table(out, r, i);
        hypotheses_free(&plain);
    }
}

/* ---- JSON ---- */

static cJSON *row_to_json(const Robustness *r, RobustRow row, int system)
{
    const int width = r->request->score->width;
    const RobustScore score = robust_score(&r->lines, row, output_of(r, system), bleu_options(r));
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "row", robust_row_name(row));
    cJSON_AddNumberToObject(object, "first_line", (double)r->lines.first[row] + 1);
    cJSON_AddNumberToObject(object, "lines", (double)score.lines);
    cJSON_AddNumberToObject(object, "measured", (double)score.measured);
    if (!score.measured) return object;
    if (robust_row_is_kept(row)) {
        cJSON_AddNumberToObject(object, "kept", (double)score.kept);
    } else {
        cJSON_AddItemToObject(object, "bleu", json_rounded(score.bleu, width));
        cJSON_AddItemToObject(object, "plain", json_rounded(score.plain, width));
    }
    cJSON_AddItemToObject(object, "share", json_rounded(score.share, width));
    return object;
}

static cJSON *system_to_json(const Robustness *r, int system)
{
    Hypotheses plain = plain_hypotheses(r, system);
    cJSON *object = scores_to_json(r->request->score, &plain);
    cJSON *array = cJSON_AddArrayToObject(object, "robust");
    for (RobustRow row = 0; row < ROBUST_ROWS; row++)
        cJSON_AddItemToArray(array, row_to_json(r, row, system));
    hypotheses_free(&plain);
    return object;
}

static cJSON *systems_to_json(const Robustness *r)
{
    cJSON *object = cJSON_CreateObject(), *array = cJSON_AddArrayToObject(object, "systems");
    for (int i = 0; i < r->count; i++) {
        cJSON *system = system_to_json(r, i);
        json_add_bytes(system, "system", r->name[i]);
        cJSON_AddItemToArray(array, system);
    }
    return object;
}

static void print_json(FILE *out, const Robustness *r)
{
    cJSON *object = r->name ? systems_to_json(r) : system_to_json(r, 0);
    if (!r->request->hypotheses->count) model_evaluation_to_json(&r->evaluation, object);
    python_json_print(out, object);
    cJSON_Delete(object);
}

/* ---- All of it ---- */

static void tell_saved(const Robustness *r)
{
    char count[COUNT_TEXT];
    if (r->request->quiet) return;
    fprintf(stderr, "%s line%s written to %s; score their translation with --robust --hyp FILE and the "
                    "same corpus, --part and --seed\n",
            progress_count(count, (double)r->lines.count), plural((double)r->lines.count),
            goes_to_standard_output(r->request) ? "standard output" : r->request->save_sources);
}

/* EXIT_OK, EXIT_FAILED after a message, or PIPED_AGAIN. */
static int measure(Robustness *r)
{
    Err e = { "" };
    const int finished = r->request->hypotheses->count;
    if (r->request->save_sources) {
        if (save_sources(r, &e)) return fail("%s", e.text);
        tell_saved(r);
        return EXIT_OK;
    }
    if (finished ? read_translations(r, &e) : translate(r, &e))
        return *e.text ? fail("%s", e.text) : EXIT_FAILED;
    if (r->request->listens && piped_since()) return PIPED_AGAIN;
    (r->request->score->json ? print_json : print_text)(stdout, r);
    return EXIT_OK;
}

static int check_outputs(const RobustRequest *request, Err *e)
{
    const Output outputs[] = { { request->save, "translations", "--save" },
                               { goes_to_standard_output(request) ? NULL : request->save_sources,
                                 "altered sources", "--robust-save" } };
    const size_t models = request->hypotheses->count ? 0 : (size_t)request->models->count;
    const size_t hypotheses = (size_t)request->hypotheses->count;
    const size_t corpus = (size_t)request->files.count;
    const char **inputs = xmalloc(models + hypotheses + corpus, sizeof *inputs);
    memcpy(inputs, request->models->text, models * sizeof *inputs);
    memcpy(inputs + models, request->hypotheses->text, hypotheses * sizeof *inputs);
    memcpy(inputs + models + hypotheses, request->files.name, corpus * sizeof *inputs);
    const CommandFiles all = { outputs, inputs, 2, models + hypotheses + corpus };
    const int rc = outputs_check(&all, request->score->force, e);
    free(inputs);
    return rc;
}

static void init(Robustness *r, const RobustRequest *request, const Segments *segments,
                 const CorpusWords *words)
{
    const int finished = request->hypotheses->count;
    *r = (Robustness){ .request = request, .count = finished ? finished : 1 };
    if (finished > 1) r->name = (const char **)request->hypotheses->text;
    r->systems = xcalloc((size_t)r->count, sizeof *r->systems);
    robust_lines_init(&r->lines, segments, words, request->score->seed);
}

static void release(Robustness *r)
{
    for (int i = 0; i < r->count; i++) text_free(&r->systems[i]);
    free(r->systems);
    robust_lines_free(&r->lines);
}

int robust_run(const RobustRequest *request)
{
    Err e;
    TestSet set;
    CorpusWords words = { 0 };
    Robustness r;
    if (check_outputs(request, &e)
        || test_set_read_corpus(&set, &request->files, request->part, &words, &e)) {
        corpus_words_free(&words);
        return fail("%s", e.text);
    }
    warn_skipped(&set.report, &request->files);
    if (request->first_reference) test_set_keep_first(&set);
    init(&r, request, &set.segments, &words);
    const int status = measure(&r);
    release(&r);
    corpus_words_free(&words);
    test_set_free(&set);
    return status;
}
