/* fuzz_state.c - edits of a state that was just saved: it is refused, or training could go on from
 * it.
 *
 * A state is valid for one program, one corpus and one set of hyperparameters; a stored file would
 * be refused as soon as any of them changes. So the bytes are not a file but edits of the state of
 * a small training. Each edit is a header of four bytes (two: the place, little-endian; one: the
 * kind, 0 overwrite, 1 insert, 2 delete; one: how many bytes) and the bytes to write. The length of
 * the state's header follows the edits unless the first byte of the input is odd. An input without
 * edits is the state itself.
 */
#include "nameless.h"

#include "base/buf.h"
#include "base/files/files.h"
#include "base/mem.h"
#include "train/checkpoint.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    Model           model;
    Hyperparameters hyper;
    Examples        train;
    Pairs           valid;
    Training        training;
    Updater        *updater;
    Buf             state;          /* the file */
} World;

static Tokenizer *learn(const TextOptions *options)
{
    StringTable words = { 0 };
    string_table_count(&words, slice_of("ab"), 1);
    Tokenizer *t = tokenizer_learn(options, &(WordCounts){ &words, words.tally }, 1);
    string_table_free(&words);
    return t;
}

static Model small_model(void)
{
    Model m = { .network = network_original(), .text = text_defaults(),
                .training = cJSON_CreateObject() };
    m.network.embedding = m.network.hidden = 2;
    m.source = learn(&m.text);
    m.target = learn(&m.text);
    m.table = parameters_new(&m.network, tokenizer_size(m.source), tokenizer_size(m.target));
    m.weights = xaligned(m.table->size, sizeof *m.weights);
    parameters_init(m.table, m.weights, 1);
    return m;
}

static int keep(void *context, const Record *pair)
{
    (void)context;
    (void)pair;
    return 1;
}

static PairStore *one_pair(void)
{
    Err e;
    const int word = 0;
    PairStore *store = store_new(1 << 20, "/tmp", (Portion){ 0, 1 });
    require(!store_add(store, &(Record){ &word, &word, 1, 1 }, &e));
    require(!store_finish(store, keep, NULL, &e));
    return store;
}

/* Saves to a file with a name, because the others cannot be replaced. */
static void save(World *w)
{
    char path[] = "/tmp/attn-fuzz-XXXXXX";
    Err e;
    Content file;
    const TrainingProgress progress = { .step = 3, .batch = 1, .rate = 0.1, .best_score = -1,
                                        .best_loss = 1, .best_step = 2, .validated_step = 2 };
    int fd = mkstemp(path);
    require(fd >= 0);
    w->training.state_path = path;
    require(!state_save(&w->training, w->updater, &progress, &e));
    require(!content_read(&file, path, &e));
    buf_add(&w->state, file.data, file.size);
    content_free(&file);
    remove(path);
    close(fd);
}

/* Made once, and kept to the end. */
static World *world(void)
{
    static World w;
    if (w.updater) return &w;
    w.model = small_model();
    w.hyper = hyperparameters_defaults();
    w.train = (Examples){ .store = one_pair(), .count = 1 };
    w.training = (Training){ .model = &w.model, .hyper = &w.hyper, .train = &w.train,
                             .valid = &w.valid, .pool = pool_new(1) };
    Architecture net = model_architecture(&w.model);
    w.updater = updater_new(&net, w.model.table, w.model.weights, &w.hyper, w.training.pool,
                            (BatchSize){ .sentences = 1 }, SIZE_MAX, ID_BOS, NULL);
    save(&w);
    return &w;
}

typedef struct { size_t at, count; int what; } Edit;
enum { EDIT_OVERWRITE, EDIT_INSERT, EDIT_DELETE, EDIT_KINDS, EDIT_BYTES = 4 };

static uint64_t header_length(const Buf *file)
{
    uint64_t length;
    memcpy(&length, file->text, sizeof length);
    return length;
}

/* Replaces bytes of the file by others. */
static void splice(Buf *file, size_t at, size_t old, const uint8_t *bytes, size_t count)
{
    Buf after = { 0 };
    buf_add(&after, file->text, at);
    buf_add(&after, (const char *)bytes, count);
    buf_add(&after, file->text + at + old, file->length - at - old);
    buf_free(file);
    *file = after;
}

/* Applies one edit to the file. Returns the bytes behind it. */
static const uint8_t *apply(const uint8_t *bytes, const uint8_t *end, int follow, Buf *file)
{
    Edit edit = { (size_t)(bytes[0] | bytes[1] << 8) % file->length, bytes[3],
                  bytes[2] % EDIT_KINDS };
    bytes += EDIT_BYTES;
    size_t given = edit.what == EDIT_DELETE ? 0 : edit.count, rest = file->length - edit.at;
    if (given > (size_t)(end - bytes)) given = (size_t)(end - bytes);
    size_t old = edit.what == EDIT_INSERT ? 0 : edit.what == EDIT_OVERWRITE ? given : edit.count;
    if (old > rest) old = rest;
    uint64_t length = header_length(file);
    int in_header = edit.at >= sizeof length && edit.at < sizeof length + length;
    splice(file, edit.at, old, bytes, given);
    length += given - old;
    if (in_header && follow && file->length >= sizeof length)
        memcpy(file->text, &length, sizeof length);
    return bytes + given;
}

static void check_progress(const World *w, const TrainingProgress *r)
{
    const real *block[] = { w->model.weights, updater_state(w->updater).first,
                            updater_state(w->updater).second };
    require(r->step >= 0 && r->epoch >= 0 && r->batch >= 0 && r->stalled >= 0 && r->skipped >= 0);
    require(r->rate >= 0 && isfinite(r->rate) && r->last_rate >= 0 && isfinite(r->last_rate));
    require(isfinite(r->seconds) && isfinite(r->tokens) && isfinite(r->tally.loss)
            && isfinite(r->tally.flops));
    require(r->best_step ? isfinite(r->best_loss) : r->best_loss > 0);
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < w->model.table->size; i++)
            require(isfinite(block[k][i]));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    World *w = world();
    Err e = { "" };
    TrainingProgress progress;
    Hyperparameters was;
    Buf edited = { 0 };
    buf_add(&edited, w->state.text, w->state.length);
    const uint8_t *at = bytes + 1, *end = bytes + length;
    while (length && end - at >= EDIT_BYTES && edited.length >= sizeof(uint64_t))
        at = apply(at, end, !(bytes[0] & 1), &edited);
    Nameless file = nameless_file(edited.text, edited.length);
    w->training.state_path = file.path;
    int failed = state_load(&w->training, w->updater, &progress, &was, &e);
    require(!failed == !e.text[0]);
    require(length || !failed);
    if (!failed) check_progress(w, &progress);
    fclose(file.stream);
    buf_free(&edited);
    return 0;
}
