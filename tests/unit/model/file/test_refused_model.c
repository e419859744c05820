/* test_refused_model.c - any file that is no sound model gives one message, and takes no memory. */
#include "base/buf.h"
#include "model_case.h"

#include <fcntl.h>
#include <math.h>
#include <sys/resource.h>

typedef struct { const char *old, *new, *message; } Edit;

/* Each edit of a good file's header is refused with its message. */
static void assert_edits_refused(const ModelCase *saved, const Edit *edits, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        model_case_save(&saved->model, saved->path);
        model_case_edit(saved, edits[i].old, edits[i].new);
        assert_model_refused(saved->path, edits[i].message);
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
        { "\"format_version\":\"3\"", "\"format_version\":\"2\"",
          ": is a model of format 2, and this version of attn reads format 3; learn it anew with attn train, or go on "
          "with the attn that wrote it" },
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
        { "\\\"tie\\\":\\\"none\\\"", "\\\"tie\\\":\\\"all\\\"",
          ": metadata \"network\": all embeddings are tied, but metadata \"text\" describes two "
          "vocabularies" },
        { "\"text\":", "\"words\":", ": metadata \"text\": is missing" },
        { "\\\"vocabulary\\\":24", "\\\"vocabulary\\\":-1",
          ": metadata \"text\": vocabulary: -1 is not a whole number from 0 to 2000000" },
        { "\"text\":\"{\\\"tokens\\\":\\\"bpe\\\"", "\"text\":\"{\\\"tokens\\\":\\\"word\\\"",
          ": metadata \"text\" contradicts the tokenizers" },
        { "\\\"to\\\":null", "\\\"to\\\":\\\"fr_FR\\\"",
          ": metadata \"text\": --to: 'fr_FR' is no language tag; write its code in ISO 639, as in en, pt-BR, zh-Hant" },
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

/* What searches need to know of the lengths of translations. */
static void numbers_of_lengths_should_be_saved_and_checked(void **state)
{
    static const char exponent[] = ": metadata \"normalize\": is no number from 0 to 10";
    static const char longest[] =
        ": metadata \"trained_length\": is no whole number from 0 to 100000";
    static const char limit[] = ": metadata \"length_limit\": has no ratio from 0 to 1000 and spread "
                                "from 0 to 10000";
    static const Edit rows[] = {
        { "\"normalize\":\"1.52\"", "\"normalize\":\"10.1\"", exponent },
        { "\"normalize\":\"1.52\"", "\"normalize\":\"-1\"", exponent },
        { "\"normalize\":\"1.52\"", "\"normalize\":\"{\"", exponent },
        { "\"trained_length\":\"120\"", "\"trained_length\":\"1.5\"", longest },
        { "\"trained_length\":\"120\"", "\"trained_length\":\"-1\"", longest },
        { "\"trained_length\":\"120\"", "\"trained_length\":\"1e9\"", longest },
        { "\"trained_length\":\"120\"", "\"trained_length\":\"a\"", longest },
        { "\\\"ratio\\\":1.25", "\\\"ratio\\\":1001", limit },
        { "\\\"ratio\\\":1.25", "\\\"ratio\\\":-1", limit },
        { "\\\"ratio\\\":1.25", "\\\"other\\\":1", limit },
        { "\\\"spread\\\":3.5", "\\\"spread\\\":\\\"3\\\"", limit },
        { "\"length_limit\":\"{", "\"length_limit\":\"[{", limit },
    };
    ModelCase *saved = *state;
    Model without = model_case_load(saved->path);
    assert_true(without.normalize == 0 && without.longest == 0 && without.length_limit.ratio == 0);
    model_free(&without);
    saved->model.normalize = 1.52;
    saved->model.longest = 120;
    saved->model.length_limit = (LengthLimit){ 1.25, 3.5 };
    model_case_save(&saved->model, saved->path);
    Model with = model_case_load(saved->path);
    assert_true(with.normalize == 1.52 && with.longest == 120);
    assert_true(with.length_limit.ratio == 1.25 && with.length_limit.spread == 3.5);
    model_free(&with);
    assert_edits_refused(saved, rows, sizeof rows / sizeof *rows);
}

static void options_that_do_not_fit_together_should_be_refused(void **state)
{
    const ModelCase *saved = *state;
    NetworkOptions options = saved->model.network;
    Buf message = { 0 };
    Err why;
    options.start = START_LAST;
    assert_int_equal(network_check(&options, &why), -1);
    buf_printf(&message, ": metadata \"network\": %s", why.text);
    model_case_edit(saved, "\\\"start\\\":\\\"project\\\"", "\\\"start\\\":\\\"last\\\"");
    assert_model_refused(saved->path, message.text);
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
    ModelCase *saved = *state;
    saved->model.stored = PRECISION_INT8;
    assert_edits_refused(saved, rows, sizeof rows / sizeof *rows);
}

static void a_vocabulary_without_embedding_rows_should_be_refused(void **state)
{
    const ModelCase *saved = *state;
    int rows = tokenizer_size(saved->model.source);
    Buf message = { 0 };
    buf_printf(&message, ": tensor \"encoder.embedding.weight\" has the shape [%d, 3], not [%d, 3]",
               rows, rows + 1);
    model_case_edit(saved, "\\\"<eos>\\\",", "\\\"<eos>\\\",\\\"more\\\",");
    assert_model_refused(saved->path, message.text);
    buf_free(&message);
}

static void weights_that_are_not_finite_should_be_refused(void **state)
{
    static const float bad[] = { NAN, INFINITY, -INFINITY };
    static const char *const names[] = { "nan", "inf", "-inf" };
    const ModelCase *saved = *state;
    for (int i = 0; i < 3; i++) {
        Buf bytes = model_case_bytes(saved->path), message = { 0 };
        memcpy(bytes.text + model_case_header_end(&bytes), &bad[i], sizeof bad[i]);
        scratch_write(saved->scratch, "model.safetensors", bytes.text, bytes.length);
        buf_printf(&message, ": tensor \"encoder.embedding.weight\" holds a value that is not "
                             "finite (%s, number 0)", names[i]);
        assert_model_refused(saved->path, message.text);
        buf_free(&bytes);
        buf_free(&message);
    }
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
    const ModelCase *saved = *state;
    long before = peak_kilobytes();
    model_case_edit(saved, "\\\"hidden\\\":2", "\\\"hidden\\\":4096");
    assert_model_refused(saved->path,
                         ": tensor \"encoder.rnn.weight_ih_l0\" has the shape [6, 3], not [12288, 3]");
    assert_true(peak_kilobytes() - before < 50000);
}

static void a_model_cut_at_any_byte_should_be_refused(void **state)
{
    const char *path = ((ModelCase *)*state)->path;
    Buf whole = model_case_bytes(path);
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
    const char *path = ((ModelCase *)*state)->path;
    Buf bytes = model_case_bytes(path);
    size_t end = model_case_header_end(&bytes);
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, model_case_setup, model_case_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(integers_without_sound_scales_should_be_refused),
        TEST(a_metadata_entry_that_does_not_fit_should_be_refused),
        TEST(numbers_of_lengths_should_be_saved_and_checked),
        TEST(options_that_do_not_fit_together_should_be_refused),
        TEST(tensors_that_are_not_those_of_the_network_should_be_refused),
        TEST(a_vocabulary_without_embedding_rows_should_be_refused),
        TEST(weights_that_are_not_finite_should_be_refused),
        TEST(options_that_ask_for_more_than_the_file_holds_should_take_no_memory),
        TEST(a_model_cut_at_any_byte_should_be_refused),
        TEST(a_model_with_any_byte_of_its_header_flipped_should_be_loaded_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
