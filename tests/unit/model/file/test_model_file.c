/* test_model_file.c - a model is the same after saving and loading, and any other file gives one
 * message.
 */
#include "model/file/model_file.h"

#include "base/buf.h"
#include "base/files/map.h"
#include "base/mem.h"
#include "learn_lines.h"
#include "lexicon_case.h"
#include "linalg/vector.h"
#include "model/file/safetensors.h"
#include "scratch.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* The state of every test: a tiny model, and a file that holds it. */
typedef struct {
    void  *scratch;
    char  *path;            /* of the file */
    Model  model;
} Saved;

static Model model_of(NetworkOptions network, int tokens)
{
    static const char *const source[] = { "I am calm.", "Am I?" };
    static const char *const target[] = { "Je suis calme.", "Moi ?" };
    network.heads = network.hard_positions = 1;
    Model m = { .network = network, .text = text_defaults() };
    m.text.tokens = tokens;
    m.text.vocabulary = 24;
    m.source = learn_lines(&m.text, source, 2);
    m.text.shared = network.tie == TIE_ALL;
    m.target = m.text.shared ? m.source : learn_lines(&m.text, target, 2);
    m.table = parameters_new(&m.network, tokenizer_size(m.source), tokenizer_size(m.target));
    m.weights = xaligned(m.table->size, sizeof *m.weights);
    parameters_init(m.table, m.weights, 7);
    m.training = cJSON_CreateObject();
    cJSON_AddStringToObject(m.training, "corpus", "data/\"pairs\".tsv");
    cJSON_AddNumberToObject(m.training, "valid_loss", 1.0 / 3);
    return m;
}

static NetworkOptions tiny(void)
{
    NetworkOptions network = network_original();
    network.embedding = 3;
    network.hidden = 2;
    return network;
}

static int saved_setup(void **state)
{
    Saved *saved = xcalloc(1, sizeof *saved);
    Err e;
    *state = saved;
    saved->model = model_of(tiny(), TOKENS_BPE);
    if (scratch_setup(&saved->scratch)) return -1;
    saved->path = xstrdup(scratch_path(saved->scratch, "model.safetensors"));
    return model_save(&saved->model, saved->path, &e);
}

static int saved_teardown(void **state)
{
    Saved *saved = *state;
    int rc = scratch_teardown(&saved->scratch);
    model_free(&saved->model);
    free(saved->path);
    free(saved);
    return rc;
}

/* ---- Files as bytes ---- */

static Buf bytes_of(const char *path)
{
    Mapped m;
    Err e;
    Buf bytes = { 0 };
    assert_int_equal(file_map(&m, path, &e), 0);
    buf_add(&bytes, m.data, m.size);
    file_unmap(&m);
    return bytes;
}

static size_t header_end(const Buf *bytes)
{
    uint64_t length;
    memcpy(&length, bytes->text, sizeof length);
    return sizeof length + length;
}

/* Replaces the first `old` of the file's header by `new`. */
static void edit_header(const Saved *saved, const char *old, const char *new)
{
    Buf before = bytes_of(saved->path), after = { 0 };
    const char *header = before.text + sizeof(uint64_t), *at = strstr(header, old);
    if (!at) fail_msg("the header has no %s", old);
    const char *rest = at + strlen(old), *end = before.text + before.length;
    const uint64_t length = header_end(&before) - sizeof length - strlen(old) + strlen(new);
    buf_add(&after, (const char *)&length, sizeof length);
    buf_add(&after, header, (size_t)(at - header));
    buf_puts(&after, new);
    buf_add(&after, rest, (size_t)(end - rest));
    scratch_write(saved->scratch, "model.safetensors", after.text, after.length);
    buf_free(&before);
    buf_free(&after);
}

/* The file is refused with "PATH: message", and nothing of it stays. */
static void assert_refused(const char *path, const char *message)
{
    static const Model none;
    Model m;
    Err e = { "" };
    if (!model_load(&m, path, &e)) {
        model_free(&m);
        fail_msg("loaded, instead of%s", message);
    }
    assert_memory_equal(&m, &none, sizeof m);
    assert_memory_equal(e.text, path, strlen(path));
    assert_string_equal(e.text + strlen(path), message);
}

static Model loaded(const char *path)
{
    Model m;
    Err e = { "" };
    if (model_load(&m, path, &e)) fail_msg("%s", e.text);
    return m;
}

static void save(const Model *m, const char *path)
{
    Err e = { "" };
    if (model_save(m, path, &e)) fail_msg("%s", e.text);
}

/* ---- There and back ---- */

static void assert_same_tokenizer(const Tokenizer *a, const Tokenizer *b)
{
    assert_int_equal(tokenizer_size(a), tokenizer_size(b));
    for (int id = 0; id < tokenizer_size(a); id++)
        assert_string_equal(tokenizer_piece(a, id), tokenizer_piece(b, id));
}

static void a_loaded_model_should_be_the_saved_one(void **state)
{
    const Saved *saved = *state;
    const Model *m = &saved->model;
    Model again = loaded(saved->path);
    assert_memory_equal(&again.network, &m->network, sizeof m->network);
    assert_memory_equal(&again.text, &m->text, sizeof m->text);
    assert_same_tokenizer(again.source, m->source);
    assert_same_tokenizer(again.target, m->target);
    assert_true(cJSON_Compare(again.training, m->training, 1));
    assert_int_equal(again.table->size, m->table->size);
    assert_int_equal((uintptr_t)again.weights % 64, 0);
    for (size_t i = 0; i < m->table->size; i++)
        assert_true(again.weights[i] == (float)m->weights[i]);
    model_free(&again);
}

/* Tied embeddings are one tensor of the file, and one array afterwards. */
static void check_tied(const Saved *saved, int tie, const char *name)
{
    NetworkOptions options = tiny();
    options.tie = tie;
    Model m = model_of(options, TOKENS_BPE);
    save(&m, saved->path);
    Model again = loaded(saved->path);
    const Weights w = weights_at(again.table, again.weights);
    assert_ptr_equal(w.output.weights, w.target_embedding);
    assert_int_equal(w.source_embedding == w.target_embedding, tie == TIE_ALL);
    for (size_t i = 0; i < m.table->size; i++)
        assert_true(again.weights[i] == (float)m.weights[i]);
    int found = 0;
    for (int i = 0; i < m.table->count; i++) {
        assert_string_not_equal(m.table->row[i].name, "readout.output.weight");
        found += !strcmp(m.table->row[i].name, name);
    }
    assert_int_equal(found, 1);
    model_free(&again);
    model_free(&m);
}

static void tied_embeddings_should_be_saved_once_and_be_one_array_again(void **state)
{
    check_tied(*state, TIE_TARGET, "decoder.embedding.weight");
    check_tied(*state, TIE_ALL, "encoder.embedding.weight");
}

static void all_embeddings_tied_should_need_one_vocabulary(void **state)
{
    const Saved *saved = *state;
    edit_header(saved, "\\\"tie\\\":\\\"none\\\"", "\\\"tie\\\":\\\"all\\\"");
    assert_refused(saved->path,
                   ": metadata \"network\": all embeddings are tied, but metadata \"text\" "
                   "describes two vocabularies");
}

static void saving_what_was_loaded_should_give_the_same_bytes(void **state)
{
    static const struct { NetworkOptions network; int tokens; } rows[] = {
        { { .embedding = 3, .hidden = 2, .layers = 1, .bidirectional = 1, .heads = 1,
            .hard_positions = 1, .residual_from = 2 }, TOKENS_BPE },
        { { .embedding = 6, .hidden = 4, .attention_width = 3, .layers = 2, .bidirectional = 1,
            .heads = 2, .encoder_attention_layers = 1, .decoder_attention_layers = 1,
            .hard_positions = 2, .residual_from = 2 }, TOKENS_CHAR },
        { { .embedding = 2, .hidden = 3, .layers = 2, .readout = READOUT_SIMPLE,
            .start = START_LAST, .heads = 1, .hard_positions = 1, .residual_from = 2 },
          TOKENS_WORD },
        { { .embedding = 6, .hidden = 4, .layers = 1, .heads = 2, .decoder_attention_layers = 2,
            .decoder = DECODER_SELF_ATTENTION, .readout = READOUT_SIMPLE, .norm = NORM_PRE,
            .positions = POSITIONS_LEARNED, .attention_positions = 5, .hard_positions = 1,
            .residual_from = 2 }, TOKENS_BPE },
        { { .embedding = 4, .hidden = 3, .layers = 3, .cell = 1, .bidirectional = 1,
            .bidirectional_layers = 1, .residual = 1, .residual_from = 3, .heads = 1,
            .decoder = DECODER_GNMT, .readout = READOUT_SIMPLE, .hard_positions = 1 }, TOKENS_BPE },
    };
    const char *path = ((Saved *)*state)->path;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Model first = model_of(rows[i].network, rows[i].tokens);
        save(&first, path);
        Buf before = bytes_of(path);
        Model second = loaded(path);
        save(&second, path);
        Buf after = bytes_of(path);
        assert_int_equal(before.length, after.length);
        assert_memory_equal(before.text, after.text, before.length);
        buf_free(&before);
        buf_free(&after);
        model_free(&first);
        model_free(&second);
    }
}

static void other_tools_should_find_metadata_and_tensors(void **state)
{
    Err e = { "" };
    Safetensors *file = safetensors_open(((Saved *)*state)->path, &e);
    assert_non_null(file);
    assert_string_equal(safetensors_metadata(file, "format"), "attn");
    assert_string_equal(safetensors_metadata(file, "format_version"), "1");
    Tensor weight = { .name = "encoder.rnn.weight_ih_l0_reverse", .rank = 2, .shape = { 6, 3 } };
    Tensor bias = { .name = "encoder.rnn.bias_hh_l0_reverse", .rank = 1, .shape = { 6 } };
    const Tensor *found = safetensors_find(file, &weight, &e);
    assert_non_null(found);
    assert_int_equal(found->dtype, DTYPE_F32);
    assert_non_null(safetensors_find(file, &bias, &e));
    safetensors_close(file);
}

static void a_file_without_training_should_load_with_an_empty_object(void **state)
{
    const Saved *saved = *state;
    edit_header(saved, "\"training\":", "\"untold\":");
    Model m = loaded(saved->path);
    assert_true(cJSON_IsObject(m.training));
    assert_int_equal(cJSON_GetArraySize(m.training), 0);
    model_free(&m);
}

static void a_setting_that_the_file_lacks_should_be_the_original_one(void **state)
{
    const Saved *saved = *state;
    edit_header(saved, ",\\\"bidirectional\\\":true", "");
    edit_header(saved, ",\\\"layer-norm\\\":false", "");
    Model m = loaded(saved->path);
    assert_int_equal(m.network.bidirectional, network_original().bidirectional);
    assert_false(m.network.layer_norm);
    model_free(&m);
}

/* ---- Integers ---- */

/* Matrices become what quantise makes of them, vectors stay. */
static void a_file_of_integers_should_hold_the_rounded_matrices(void **state)
{
    const Saved *saved = *state;
    Model m = model_of(tiny(), TOKENS_BPE);
    m.stored = PRECISION_INT8;
    save(&m, saved->path);
    Model again = loaded(saved->path);
    assert_int_equal(again.stored, PRECISION_INT8);
    for (int i = 0; i < m.table->count; i++) {
        const Parameter *p = &m.table->row[i];
        const size_t columns = p->columns ? (size_t)p->columns : 1;
        for (size_t j = 0; j < parameter_count(p); j++) {
            const real *row = m.weights + p->at + j / columns * columns;
            const double largest = (double)vector_absolute_largest(row, (int)columns);
            const double bound = p->columns ? 0.5001 * largest / 127 : 0;
            assert_true(fabs((double)again.weights[p->at + j] - (float)m.weights[p->at + j])
                        <= bound);
        }
    }
    model_free(&m);
    model_free(&again);
}

static void saving_integers_again_should_give_the_same_bytes(void **state)
{
    const Saved *saved = *state;
    Model m = model_of(tiny(), TOKENS_BPE);
    m.stored = PRECISION_INT8;
    save(&m, saved->path);
    Buf before = bytes_of(saved->path);
    Model again = loaded(saved->path);
    save(&again, saved->path);
    Buf after = bytes_of(saved->path);
    assert_int_equal(before.length, after.length);
    assert_memory_equal(before.text, after.text, before.length);
    buf_free(&before);
    buf_free(&after);
    model_free(&m);
    model_free(&again);
}

/* ---- Lexicons ---- */

/* Saves a model whose text is in its usual case. */
static void save_with_lexicons(const Saved *saved)
{
    Model m = model_of(tiny(), TOKENS_BPE);
    tokenizer_free(m.source);
    tokenizer_free(m.target);
    m.text.truecase = 1;
    m.source = learn_lines(&m.text, (const char *const[]){ "I am calm.", "Am I?" }, 2);
    m.target = learn_lines(&m.text, (const char *const[]){ "Je suis calme.", "Moi ?" }, 2);
    m.source_lexicon = lexicon_of("['','am I']");
    m.target_lexicon = lexicon_of("['moi','Je']");
    save(&m, saved->path);
    model_free(&m);
}

static void lexicons_should_be_saved_and_loaded(void **state)
{
    const Saved *saved = *state;
    Model without = loaded(saved->path);
    assert_null(model_source(&without).lexicon);
    assert_null(model_target(&without).lexicon);
    model_free(&without);
    save_with_lexicons(saved);
    Model m = loaded(saved->path);
    assert_int_equal(lexicon_count(model_source(&m).lexicon, "am", 2), 2);
    assert_int_equal(lexicon_count(model_source(&m).lexicon, "Je", 2), 0);
    assert_int_equal(lexicon_count(model_target(&m).lexicon, "Je", 2), 2);
    model_free(&m);
}

static void lexicons_that_are_missing_or_broken_should_be_refused(void **state)
{
    static const struct { const char *old, *new, *message; } rows[] = {
        { "\"source_lexicon\":", "\"lexicon\":", ": metadata \"source_lexicon\": is missing" },
        { "\"target_lexicon\":", "\"lexicon\":", ": metadata \"target_lexicon\": is missing" },
        { "\"source_lexicon\":\"[", "\"source_lexicon\":\"7[",
          ": metadata \"source_lexicon\": line 1: more text after the end of the JSON value" },
        { "\\\"am I\\\"", "\\\"am am\\\"",
          ": metadata \"source_lexicon\": entry 1: 'am' occurs twice" },
        { "\\\"moi\\\"", "7", ": metadata \"target_lexicon\": entry 0 is no list of words" },
    };
    const Saved *saved = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        save_with_lexicons(saved);
        edit_header(saved, rows[i].old, rows[i].new);
        assert_refused(saved->path, rows[i].message);
    }
}

/* ---- What is refused ---- */

typedef struct { const char *old, *new, *message; } Edit;

/* Each edit of a good file's header is refused with its message. */
static void assert_edits_refused(const Saved *saved, const Edit *edits, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        save(&saved->model, saved->path);
        edit_header(saved, edits[i].old, edits[i].new);
        assert_refused(saved->path, edits[i].message);
    }
}

static void a_metadata_entry_that_does_not_fit_should_be_refused(void **state)
{
    static const Edit rows[] = {
        { "\"format\":\"attn\"", "\"format\":\"pt\"",
          ": is a safetensors file, but not a model that attn train has written" },
        { "\"format\":", "\"kind\":",
          ": is a safetensors file, but not a model that attn train has written" },
        { "\"format_version\":", "\"version\":",
          ": is a safetensors file, but not a model that attn train has written" },
        { "\"format_version\":\"1\"", "\"format_version\":\"2\"",
          ": is a model of format 2; this version of attn reads format 1" },
        { "\"network\":", "\"net\":", ": metadata \"network\": is missing" },
        { "\"network\":\"{", "\"network\":\"",
          ": metadata \"network\": line 1: more text after the end of the JSON value" },
        { "\"network\":\"{", "\"network\":\"[", ": metadata \"network\": line 1: not valid JSON" },
        { "\\\"hidden\\\":2", "\\\"hidden\\\":0",
          ": metadata \"network\": hidden: 0 is not a whole number from 1 to 16384, or \"auto\"" },
        { "\\\"hidden\\\":2", "\\\"hidden\\\":\\\"auto\\\"",
          ": metadata \"network\": \"hidden\" is \"auto\", no value of a finished model" },
        { "\\\"hidden\\\":2", "\\\"hiden\\\":2",
          ": metadata \"network\": \"hiden\" is not a known setting; did you mean \"hidden\"?" },
        { "\"text\":", "\"words\":", ": metadata \"text\": is missing" },
        { "\\\"vocabulary\\\":24", "\\\"vocabulary\\\":-1",
          ": metadata \"text\": vocabulary: -1 is not a whole number from 0 to 2000000" },
        { "\"text\":\"{\\\"tokens\\\":\\\"bpe\\\"", "\"text\":\"{\\\"tokens\\\":\\\"word\\\"",
          ": metadata \"text\" contradicts the tokenizers" },
        { "\"source_tokenizer\":", "\"source\":", ": metadata \"source_tokenizer\": is missing" },
        { "\"target_tokenizer\":\"{", "\"target_tokenizer\":\"7{",
          ": metadata \"target_tokenizer\": line 1: more text after the end of the JSON value" },
        { "\"target_tokenizer\":\"{\\\"options\\\"", "\"target_tokenizer\":\"{\\\"choices\\\"",
          ": metadata \"target_tokenizer\": \"options\" is missing; it should be an object" },
        { "\"training\":\"{", "\"training\":\"[{}]\",\"rest\":\"{",
          ": metadata \"training\": is not an object" },
        { "\"training\":\"{", "\"training\":\"}\",\"rest\":\"{",
          ": metadata \"training\": line 1: not valid JSON" },
    };
    assert_edits_refused(*state, rows, sizeof rows / sizeof *rows);
}

static void the_exponent_of_the_length_should_be_saved_and_checked(void **state)
{
    static const Edit rows[] = {
        { "\"normalize\":\"1.52\"", "\"normalize\":\"10.1\"",
          ": metadata \"normalize\": is no number from 0 to 10" },
        { "\"normalize\":\"1.52\"", "\"normalize\":\"-1\"",
          ": metadata \"normalize\": is no number from 0 to 10" },
        { "\"normalize\":\"1.52\"", "\"normalize\":\"{\"",
          ": metadata \"normalize\": is no number from 0 to 10" },
    };
    Saved *saved = *state;
    Model without = loaded(saved->path);
    assert_true(without.normalize == 0);
    model_free(&without);
    saved->model.normalize = 1.52;
    save(&saved->model, saved->path);
    Model with = loaded(saved->path);
    assert_true(with.normalize == 1.52);
    model_free(&with);
    assert_edits_refused(saved, rows, sizeof rows / sizeof *rows);
}

static void options_that_do_not_fit_together_should_be_refused(void **state)
{
    const Saved *saved = *state;
    NetworkOptions options = saved->model.network;
    Buf message = { 0 };
    Err why;
    options.start = START_LAST;
    assert_int_equal(network_check(&options, &why), -1);
    buf_printf(&message, ": metadata \"network\": %s", why.text);
    edit_header(saved, "\\\"start\\\":\\\"project\\\"", "\\\"start\\\":\\\"last\\\"");
    assert_refused(saved->path, message.text);
    buf_free(&message);
}

static void tensors_that_are_not_those_of_the_network_should_be_refused(void **state)
{
    static const Edit rows[] = {
        { "\"bridge.bias\":", "\"bridge.byas\":",
          ": tensor \"bridge.bias\" of shape [2] is missing" },
        { "\"bridge.bias\":{\"dtype\":\"F32\",\"shape\":[2]",
          "\"bridge.bias\":{\"dtype\":\"F32\",\"shape\":[2,1]",
          ": tensor \"bridge.bias\" has the shape [2, 1], not [2]" },
        { "\"bridge.bias\":",
          "\"more\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]},\"bridge.bias\":",
          ": tensors that are no part of the network: 1" },
        { "\\\"hidden\\\":2", "\\\"hidden\\\":3",
          ": tensor \"encoder.rnn.weight_ih_l0\" has the shape [6, 3], not [9, 3]" },
    };
    assert_edits_refused(*state, rows, sizeof rows / sizeof *rows);
}

static void integers_without_sound_scales_should_be_refused(void **state)
{
    static const Edit rows[] = {
        { "\"bridge.weight_scale\":", "\"bridge.scale\":",
          ": tensor \"bridge.weight_scale\" of shape [2] is missing" },
        { "\"bridge.weight_scale\":{\"dtype\":\"F32\",\"shape\":[2]",
          "\"bridge.weight_scale\":{\"dtype\":\"F32\",\"shape\":[2,1]",
          ": tensor \"bridge.weight_scale\" has the shape [2, 1], not [2]" },
        { "\"bridge.bias\":", "\"more\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]},"
          "\"bridge.bias\":", ": tensors that are no part of the network: 1" },
    };
    Saved *saved = *state;
    saved->model.stored = PRECISION_INT8;
    assert_edits_refused(saved, rows, sizeof rows / sizeof *rows);
}

static void a_vocabulary_without_embedding_rows_should_be_refused(void **state)
{
    const Saved *saved = *state;
    int rows = tokenizer_size(saved->model.source);
    Buf message = { 0 };
    buf_printf(&message, ": tensor \"encoder.embedding.weight\" has the shape [%d, 3], not [%d, 3]",
               rows, rows + 1);
    edit_header(saved, "\\\"<eos>\\\",", "\\\"<eos>\\\",\\\"more\\\",");
    assert_refused(saved->path, message.text);
    buf_free(&message);
}

static void weights_that_are_not_finite_should_be_refused(void **state)
{
    static const float bad[] = { NAN, INFINITY, -INFINITY };
    static const char *const names[] = { "nan", "inf", "-inf" };
    const Saved *saved = *state;
    for (int i = 0; i < 3; i++) {
        Buf bytes = bytes_of(saved->path), message = { 0 };
        memcpy(bytes.text + header_end(&bytes), &bad[i], sizeof bad[i]);
        scratch_write(saved->scratch, "model.safetensors", bytes.text, bytes.length);
        buf_printf(&message, ": tensor \"encoder.embedding.weight\" holds a value that is not "
                             "finite (%s, number 0)", names[i]);
        assert_refused(saved->path, message.text);
        buf_free(&bytes);
        buf_free(&message);
    }
}

static void weights_that_are_not_finite_should_not_replace_a_good_file(void **state)
{
    Saved *saved = *state;
    const ParameterTable *table = saved->model.table;
    real *last = &saved->model.weights[table->row[table->count - 1].at], kept = *last;
    Err e = { "" };
    *last = (real)INFINITY;
    assert_int_equal(model_save(&saved->model, saved->path, &e), -1);
    *last = kept;
    assert_memory_equal(e.text, saved->path, strlen(saved->path));
    assert_string_equal(e.text + strlen(saved->path),
                        ": not written: tensor \"readout.output.bias\" holds a value "
                        "that is not finite (inf, number 0)");
    Model old = loaded(saved->path);
    model_free(&old);
    assert_int_equal(scratch_files(saved->scratch), 1);
}

static long peak_kilobytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* At a width of 4096 the network would take half a gigabyte, all of it cleared before it is
 * read. */
static void options_that_ask_for_more_than_the_file_holds_should_take_no_memory(void **state)
{
    const Saved *saved = *state;
    long before = peak_kilobytes();
    edit_header(saved, "\\\"hidden\\\":2", "\\\"hidden\\\":4096");
    assert_refused(saved->path,
                   ": tensor \"encoder.rnn.weight_ih_l0\" has the shape [6, 3], not [12288, 3]");
    assert_true(peak_kilobytes() - before < 50000);
}

static void a_model_cut_at_any_byte_should_be_refused(void **state)
{
    const char *path = ((Saved *)*state)->path;
    Buf whole = bytes_of(path);
    for (size_t size = whole.length; size--;) {
        Model m;
        Err e = { "" };
        assert_int_equal(truncate(path, (off_t)size), 0);
        assert_int_equal(model_load(&m, path, &e), -1);
    }
    buf_free(&whole);
}

/* Translates a line to ids and back, and reads all weights: for the sanitizers. */
static void use(const Model *m)
{
    Ids ids = { 0 };
    Buf text = { 0 };
    double sum = 0;
    tokenizer_encode(m->source, "I am.", 5, &ids, NULL);
    tokenizer_decode(m->source, ids.id, ids.count, NULL, &text);
    for (size_t i = 0; i < m->table->size; i++)
        sum += m->weights[i];
    assert_true(isfinite(sum));
    ids_free(&ids);
    buf_free(&text);
}

static void put_byte(int fd, size_t at, char byte)
{
    assert_int_equal(pwrite(fd, &byte, 1, (off_t)at), 1);
}

/* Some of these files are models too (another piece, another figure); those must be complete. */
static void a_model_with_any_byte_of_its_header_flipped_should_be_loaded_or_refused(void **state)
{
    static const char masks[] = { 0x01, 0x02, 0x10, 0x20, (char)0x80, (char)0xff };
    const char *path = ((Saved *)*state)->path;
    Buf bytes = bytes_of(path);
    size_t end = header_end(&bytes);
    int refused = 0, fd = open(path, O_RDWR);
    for (size_t i = 0; i < end * sizeof masks; i++) {
        Model m;
        Err e = { "" };
        char byte = bytes.text[i / sizeof masks];
        long before = peak_kilobytes();
        put_byte(fd, i / sizeof masks, byte ^ masks[i % sizeof masks]);
        int failed = model_load(&m, path, &e);
        if (!failed) use(&m);
        model_free(&m);
        put_byte(fd, i / sizeof masks, byte);
        refused += failed != 0;
        assert_true(peak_kilobytes() - before < 50000);
    }
    close(fd);
    buf_free(&bytes);
    assert_true(refused > 1000);
}

/* Sets all weights to this number: a file that holds parts of two models shows it. */
static int save_filled(Model *m, const char *path, int number)
{
    Err e;
    for (size_t i = 0; i < m->table->size; i++)
        m->weights[i] = (real)number;
    return model_save(m, path, &e);
}

/* A process that replaces the file until it is killed, or left alone. */
static pid_t start_writer(Model *m, const char *path)
{
    const pid_t parent = getpid(), child = fork();
    assert_true(child >= 0);
    for (int number = 1; !child && getppid() == parent; number++)
        if (save_filled(m, path, number)) _exit(1);
    if (!child) _exit(0);
    return child;
}

static void a_model_that_is_replaced_should_always_be_read_whole(void **state)
{
    Saved *saved = *state;
    int status, changes = 0;
    real before = 0;
    assert_int_equal(save_filled(&saved->model, saved->path, 0), 0);
    const pid_t writer = start_writer(&saved->model, saved->path);
    for (int read = 0; read < 1000000 && changes < 20; read++) {
        Err e;
        Model m;
        if (model_load(&m, saved->path, &e)) fail_msg("%s", e.text);
        const Parameter *row = m.table->row;
        const real first = m.weights[row->at];
        for (int i = 0; i < m.table->count; i++)
            for (size_t k = 0; k < parameter_count(&row[i]); k++)
                assert_true(m.weights[row[i].at + k] == first);
        changes += first != before;
        before = first;
        model_free(&m);
    }
    assert_int_equal(kill(writer, SIGKILL), 0);
    assert_int_equal(waitpid(writer, &status, 0), writer);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(changes, 20);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, saved_setup, saved_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_loaded_model_should_be_the_saved_one),
        TEST(tied_embeddings_should_be_saved_once_and_be_one_array_again),
        TEST(all_embeddings_tied_should_need_one_vocabulary),
        TEST(saving_what_was_loaded_should_give_the_same_bytes),
        TEST(other_tools_should_find_metadata_and_tensors),
        TEST(a_file_without_training_should_load_with_an_empty_object),
        TEST(a_setting_that_the_file_lacks_should_be_the_original_one),
        TEST(a_file_of_integers_should_hold_the_rounded_matrices),
        TEST(saving_integers_again_should_give_the_same_bytes),
        TEST(integers_without_sound_scales_should_be_refused),
        TEST(lexicons_should_be_saved_and_loaded),
        TEST(lexicons_that_are_missing_or_broken_should_be_refused),
        TEST(a_metadata_entry_that_does_not_fit_should_be_refused),
        TEST(the_exponent_of_the_length_should_be_saved_and_checked),
        TEST(options_that_do_not_fit_together_should_be_refused),
        TEST(tensors_that_are_not_those_of_the_network_should_be_refused),
        TEST(a_vocabulary_without_embedding_rows_should_be_refused),
        TEST(weights_that_are_not_finite_should_be_refused),
        TEST(weights_that_are_not_finite_should_not_replace_a_good_file),
        TEST(options_that_ask_for_more_than_the_file_holds_should_take_no_memory),
        TEST(a_model_that_is_replaced_should_always_be_read_whole),
        TEST(a_model_cut_at_any_byte_should_be_refused),
        TEST(a_model_with_any_byte_of_its_header_flipped_should_be_loaded_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
