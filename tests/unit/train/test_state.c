/* test_state.c - the state file: it comes back exactly, and says what was asked for and how far the
 * run had come. And what is no state of this run, or damaged, is refused with what differs.
 */
#include "base/mem.h"
#include "journal.h"
#include "train/checkpoint.h"

#include <math.h>

/* ---- the file ---- */

static Updater *updater_of(Toy *toy)
{
    const Model *m = &toy->model;
    const Architecture net = model_architecture(m);
    return updater_new(&net, m->table, m->weights, &toy->hyper, toy->training.pool,
                       (BatchSize){ .sentences = toy->hyper.batch }, SIZE_MAX, ID_BOS, NULL);
}

/* 0.1 + 0.2 is 0.30000000000000004, and 0.3 where too few digits are written. */
static const TrainingProgress far = {
    .step = 123456789012, .epoch = 17, .batch = 2, .rate = 0.1 + 0.2, .last_rate = 0.1 / 3,
    .best_score = -1.0 / 7, .best_loss = 1.0 / 3, .best_step = 123456789000,
    .validated_step = 123456789006, .stalled = 4, .skipped = 5,
    .seconds = 1e6 / 7, .tokens = 1e15 / 7,
    .network = 2, .earlier_seconds = 1e5 / 3,
    .tally = { 1e3 / 7, 1e4 / 7, 1e12 / 7, 1.0 / 7, 48, 3 },
};

static void save(Toy *toy, Updater *updater, const TrainingProgress *progress)
{
    Err e;
    if (state_save(&toy->training, updater, progress, &e)) fail_msg("%s", e.text);
}

/* Structs of zeros may hold no other padding. */
static void check_round_trip(Scratch *scratch, const TrainingProgress *progress)
{
    Err e;
    TrainingProgress found;
    Hyperparameters was;
    Toy *toy = toy_new(scratch, TOKENS_BPE, 1), *other = toy_new(scratch, TOKENS_BPE, 1);
    toy->hyper.average = other->hyper.average = 0.9;
    const size_t size = toy->model.table->size, bytes = size * sizeof(real);
    Updater *from = updater_of(toy), *to = updater_of(other);
    const UpdaterState a = updater_state(from), b = updater_state(to);
    real *saved[] = { toy->model.weights, a.first, a.second, a.kept, a.averaged };
    real *loaded[] = { other->model.weights, b.first, b.second, b.kept, b.averaged };
    for (size_t k = 0; k < 5; k++)
        for (size_t i = 0; i < size; i++)
            saved[k][i] = 1 / (real)(3 + 2 * k + i);
    save(toy, from, progress);
    memset(&found, 0, sizeof found);
    if (state_load(&other->training, to, &found, &was, &e)) fail_msg("%s", e.text);
    assert_memory_equal(&found, progress, sizeof found);
    for (size_t k = 0; k < 5; k++)
        assert_memory_equal(loaded[k], saved[k], bytes);
    updater_free(from);
    updater_free(to);
    toy_free(toy);
    toy_free(other);
}

TEST_IN_SCRATCH(a_state_should_come_back_exactly)
{
    static const TrainingProgress begun = { .rate = 0.001, .best_score = -HUGE_VAL,
                                            .best_loss = HUGE_VAL };
    check_round_trip(*state, &far);
    check_round_trip(*state, &begun);
}

/* ---- what a state is asked ---- */

TEST_IN_SCRATCH(a_state_should_hold_the_request_and_the_progress)
{
    Err e;
    TrainingProgress progress;
    char *request;
    Toy *toy = small_run(*state, "{}", 1);
    toy->training.request = "what was asked for";
    run_until(toy, 5, 0);
    if (state_peek(toy->state_path, &progress, &request, &e)) fail_msg("%s", e.text);
    assert_string_equal(request, "what was asked for");
    assert_int_equal(progress.step, 5);
    free(request);
    assert_int_equal(state_peek(toy->model_path, &progress, &request, &e), -1);
    assert_null(request);
    assert_non_null(strstr(e.text, "it is no training state"));
    toy_free(toy);
}

TEST_IN_SCRATCH(time_should_count_over_all_runs)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    Updater *updater = updater_of(toy);
    save(toy, updater, &(TrainingProgress){ .rate = 0.02, .best_score = -HUGE_VAL,
                                            .best_loss = HUGE_VAL, .seconds = 1000 });
    updater_free(updater);
    toy->training.resume = 1;
    toy->hyper.time_limit = 1000.001;
    toy->hyper.steps = 0;
    toy_run(toy, NULL);
    assert_int_equal(toy->ending, ENDED_TIME);
    assert_true(toy->progress.seconds >= 1000.001 && toy->progress.seconds < 1100);
    toy_free(toy);
}

/* ---- what is refused ---- */

typedef void Setting(Toy *toy);

static void other_corpus(Toy *toy) { toy->training.corpus_hash = 43; }
static void fewer_pairs(Toy *toy) { toy->train.count--; }
static void other_validation(Toy *toy) { toy->training.valid_hash = 1; }
static void other_vocabulary(Toy *toy) { toy->training.vocabulary_hash = 1; }
static void other_rate(Toy *toy) { toy->hyper.rate = 0.01; }
static void other_seed(Toy *toy) { toy->hyper.seed = 2; }
static void other_readout(Toy *toy) { toy->model.network.readout = READOUT_SIMPLE; }
static void other_case(Toy *toy) { toy->model.text.lowercase = 1; }
static void other_tokens(Toy *toy) { toy->model.text.tokens = TOKENS_CHAR; }

#define GO_ON_OR_INIT "go on with the same; --init in place of --resume begins a training with another " \
                      "from the weights of a model"
#define GO_ON_OR_ANEW "go on with the same, or begin anew with --force in place of --resume"

/* A state after two steps; then the toy is another. */
TEST_IN_SCRATCH(a_state_of_another_run_should_be_refused_with_what_differs)
{
    static const struct { Setting *setting; const char *message; } cases[] = {
        { other_corpus, "the text of the corpus, or of --replay, is not the same as before; " GO_ON_OR_INIT },
        { fewer_pairs, "the number of training pairs was 8 and is 7 now; " GO_ON_OR_INIT },
        { toy_validate, "the number of validation pairs was 0 and is 8 now; " GO_ON_OR_INIT },
        { other_validation, "the text of --valid is not the same as before; " GO_ON_OR_INIT },
        { other_vocabulary, "the vocabulary, which follows from the corpus, is not the same as "
                            "before; " GO_ON_OR_ANEW },
        { other_rate, "--learning-rate was 0.02 and is 0.01 now; " GO_ON_OR_INIT },
        { other_seed, "--seed was 1 and is 2 now; " GO_ON_OR_INIT },
        { other_readout, "--readout was deep and is simple now; " GO_ON_OR_ANEW },
        { other_case, "--lowercase was false and is true now; " GO_ON_OR_ANEW },
        { other_tokens, "--tokens was bpe and is char now; " GO_ON_OR_ANEW },
    };
    Err e = { "" };
    Toy *toy = toy_new(*state, TOKENS_BPE, WORKERS);
    run_until(toy, 2, 0);
    toy_free(toy);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        toy = toy_new(*state, TOKENS_BPE, WORKERS);
        toy->training.resume = 1;
        cases[i].setting(toy);
        toy_refused(toy, &e);
        const char *message = strstr(e.text, "cannot resume from '");
        if (!message || !strstr(message, cases[i].message)) fail_msg("%s", e.text);
        toy_free(toy);
    }
}

TEST_IN_SCRATCH(a_missing_state_should_be_an_error_that_says_what_to_do)
{
    Err e;
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy->training.resume = 1;
    toy_refused(toy, &e);
    assert_non_null(strstr(e.text, "model.state: there is no such state to go on from, as no "
                                   "training was interrupted, or it has ended; leave out --resume to "
                                   "begin anew, or go on from a finished model with --init"));
    toy_free(toy);
}

/* Interrupts a run after its best weights were written, does `harm` to the model and goes on;
 * refused with this. */
static void refuses_model(Scratch *scratch, void (*harm)(const char *path), const char *message)
{
    Err e;
    Toy *toy = small_run(scratch, "{}", 1);
    run_until(toy, 4, 0);
    harm(toy->model_path);
    toy_free(toy);
    toy = small_run(scratch, "{}", 1);
    toy->training.resume = 1;
    toy_refused(toy, &e);
    assert_non_null(strstr(e.text, message));
    assert_non_null(strstr(e.text, "; put it back, or begin anew with --force"));
    toy_free(toy);
}

static void take_away(const char *path)
{
    assert_int_equal(unlink(path), 0);
}

static void cut_short(const char *path)
{
    assert_int_equal(truncate(path, 100), 0);
}

/* One that has taken fewer steps than the best of this run. */
static void make_older(const char *path)
{
    Err e;
    Model model;
    assert_int_equal(model_load(&model, path, &e), 0);
    cJSON_ReplaceItemInObjectCaseSensitive(model.training, "steps", cJSON_CreateNumber(0));
    assert_int_equal(model_save(&model, path, &e), 0);
    model_free(&model);
}

TEST_IN_SCRATCH(a_state_without_its_best_model_should_be_refused)
{
    refuses_model(*state, take_away, "model: cannot be opened");
    refuses_model(*state, cut_short, "model: ");
    refuses_model(*state, make_older, "model: is the model of another run");
}

/* A block of the state with one value that can't be. */
static void refuses_value(Scratch *scratch, int block, real value)
{
    Err e = { "" };
    TrainingProgress progress;
    Hyperparameters was;
    Toy *toy = toy_new(scratch, TOKENS_BPE, 1);
    Updater *updater = updater_of(toy);
    real *blocks[] = { toy->model.weights, updater_state(updater).first,
                       updater_state(updater).second, updater_state(updater).kept };
    blocks[block][7] = value;
    save(toy, updater, &far);
    assert_int_equal(state_load(&toy->training, updater, &progress, &was, &e), -1);
    assert_non_null(strstr(e.text, "model.state': it holds a value that no training can reach"));
    updater_free(updater);
    toy_free(toy);
}

TEST_IN_SCRATCH(values_that_cannot_be_should_be_refused)
{
    for (int block = 0; block < 4; block++) {
        refuses_value(*state, block, (real)NAN);
        refuses_value(*state, block, (real)INFINITY);
    }
    refuses_value(*state, 2, -1);
}

static void refuses_file(Scratch *scratch, const char *bytes, size_t size, const char *message)
{
    Err e = { "" };
    scratch_write(scratch, "model.state", bytes, size);
    Toy *toy = toy_new(scratch, TOKENS_BPE, WORKERS);
    toy->training.resume = 1;
    toy_refused(toy, &e);
    if (!strstr(e.text, "model.state") || !strstr(e.text, message)) fail_msg("%s", e.text);
    toy_free(toy);
}

/* The state after one step. */
static Content good_state(Scratch *scratch)
{
    Toy *toy = toy_new(scratch, TOKENS_BPE, WORKERS);
    run_until(toy, 1, 0);
    Content good = read_file(toy->state_path);
    toy_free(toy);
    return good;
}

TEST_IN_SCRATCH(a_damaged_or_foreign_file_should_be_refused)
{
    Content good = good_state(*state);
    Toy *toy = toy_new(*state, TOKENS_BPE, WORKERS);
    toy_run(toy, NULL);
    Content model = read_file(toy->model_path);
    toy_free(toy);
    for (size_t size = 0; size < good.size; size += 1 + good.size / 50)
        refuses_file(*state, good.data, size, "");
    refuses_file(*state, good.data, good.size - 1, "");
    refuses_file(*state, model.data, model.size, "it is no training state");
    refuses_file(*state, "a\tb\n", 4, "is not a safetensors file");
    content_free(&good);
    content_free(&model);
}

/* A good state but for one key of its metadata; NULL: without it. */
static void refuses_metadata(Scratch *scratch, const Content *good, const char *key,
                             const char *value, const char *message)
{
    Buf out = { 0 };
    uint64_t length;
    memcpy(&length, good->data, sizeof length);
    cJSON *header = cJSON_ParseWithLength(good->data + sizeof length, length);
    cJSON *metadata = cJSON_GetObjectItemCaseSensitive(header, "__metadata__");
    cJSON_DeleteItemFromObjectCaseSensitive(metadata, key);
    if (value) cJSON_AddStringToObject(metadata, key, value);
    char *text = json_text(header, 0);
    const uint64_t altered = strlen(text);
    buf_add(&out, (const char *)&altered, sizeof altered);
    buf_puts(&out, text);
    buf_add(&out, good->data + sizeof length + length, good->size - sizeof length - length);
    refuses_file(scratch, out.text, out.length, message);
    buf_free(&out);
    free(text);
    cJSON_Delete(header);
}

TEST_IN_SCRATCH(metadata_that_lie_should_be_refused)
{
    static const struct { const char *key, *value, *message; } cases[] = {
        { "format", "attn", "it is no training state" }, { "format", NULL, "it is no training state" },
        { "format_version", NULL, "it is no training state" },
        { "format_version", "1", "its format has version 1, not 8" },
        { "run", NULL, "it is no training state" }, { "run", "{}", "it knows no 'version'" },
        { "run", "{", "not valid JSON" },
        { "run", "[]", "its record of the run is not the same as before" },
        { "reached", NULL, "it does not say how far the training has come" },
        { "reached", "{", "not valid JSON" }, { "reached", "{\"step\":1}", "\"epoch\" is missing" },
    };
    Content good = good_state(*state);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuses_metadata(*state, &good, cases[i].key, cases[i].value, cases[i].message);
    content_free(&good);
}

/* The progress of a good state, but for what is given. */
static char *progress_with(const Content *good, const char *changes)
{
    uint64_t length;
    memcpy(&length, good->data, sizeof length);
    cJSON *header = cJSON_ParseWithLength(good->data + sizeof length, length);
    cJSON *metadata = cJSON_GetObjectItemCaseSensitive(header, "__metadata__");
    cJSON *reached = cJSON_Parse(
        cJSON_GetObjectItemCaseSensitive(metadata, "reached")->valuestring);
    cJSON *other = cJSON_Parse(changes);
    for (const cJSON *item = other->child; item; item = item->next)
        assert_true(cJSON_ReplaceItemInObjectCaseSensitive(reached, item->string,
                                                           cJSON_Duplicate(item, 1)));
    char *text = json_text(reached, 0);
    cJSON_Delete(header);
    cJSON_Delete(reached);
    cJSON_Delete(other);
    return text;
}

TEST_IN_SCRATCH(a_progress_that_cannot_be_should_be_refused)
{
    static const struct { const char *changes, *message; } cases[] = {
        { "{\"rate\":-1}", "'rate' is -1, below 0" },
        { "{\"last_rate\":-1}", "'last_rate' is -1, below 0" },
        { "{\"best_step\":2}", "it knows of validations after its last step, 1" },
        { "{\"step\":-1}", "'step' is -1, not a count" },
        { "{\"step\":1.5}", "'step' is 1.5, not a count" },
        { "{\"batch\":-1}", "\"batch\" is -1" },
        { "{\"batch\":2}", "it has done 2 of the 1 batches of an epoch" },
        { "{\"batch\":2147483647}", "it has done 2147483647 of" },
        { "{\"best_step\":\"x\"}", "\"best_step\" is not a number" },
        { "{\"network\":8}", "network" },
        { "{\"earlier_seconds\":-1}", "'earlier_seconds' is -1, below 0" },
        { "{\"tally\":{\"loss\":-1,\"tokens\":1,\"flops\":1,\"seconds\":1,\"updates\":1,"
          "\"skipped\":0}}", "'loss' is -1, below 0" },
        { "{\"tally\":{\"loss\":\"x\"}}", "\"loss\" is not a number" },
    };
    Content good = good_state(*state);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = progress_with(&good, cases[i].changes);
        refuses_metadata(*state, &good, "reached", text, cases[i].message);
        free(text);
    }
    content_free(&good);
}

int main(void) { return run_unit_tests(); }
