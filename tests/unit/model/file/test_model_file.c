/* test_model_file.c - a model is the same after saving and loading, whatever it has, and its file is
 * replaced whole or not at all. test_stored_weights.c has the weights in 8 bits. */
#include "model/file/safetensors.h"
#include "model_case.h"

#include <math.h>

/* ---- There and back ---- */

static void assert_same_tokenizer(const Tokenizer *a, const Tokenizer *b)
{
    if (b->segmenter) assert_true(tokenizers_are_same(a, b));
    assert_int_equal(tokenizer_size(a), tokenizer_size(b));
    for (int id = 0; id < tokenizer_size(a); id++)
        assert_string_equal(tokenizer_piece(a, id), tokenizer_piece(b, id));
}

static void assert_same_weights(const Model *a, const Model *b)
{
    assert_int_equal(a->table->size, b->table->size);
    assert_int_equal(model_networks(a), model_networks(b));
    for (int k = 0; k < model_networks(a); k++)
        for (size_t i = 0; i < a->table->size; i++)
            assert_true((float)model_weights(a, k)[i] == (float)model_weights(b, k)[i]);
}

static void assert_same_search(const ModelSearch *a, const ModelSearch *b)
{
    assert_true(a->is_known == b->is_known && a->beam == b->beam && a->repeats == b->repeats);
    assert_true(a->beam_threshold == b->beam_threshold && a->length_factor == b->length_factor);
    assert_int_equal(a->forbidden_count, b->forbidden_count);
    for (int i = 0; i < a->forbidden_count; i++)
        assert_int_equal(a->forbidden[i], b->forbidden[i]);
}

static void a_loaded_model_should_be_the_saved_one(void **state)
{
    static const char *const kinds[] = { "plain", "lengths", "lexicons", "ensemble", "search", "segmenter", "segmenters" };
    const ModelCase *saved = *state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        Model m = model_case_kind(kinds[i]);
        model_case_save(&m, saved->path);
        Model again = model_case_load(saved->path);
        assert_memory_equal(&again.network, &m.network, sizeof m.network);
        assert_memory_equal(&again.text, &m.text, sizeof m.text);
        assert_same_tokenizer(again.source, m.source);
        assert_same_tokenizer(again.target, m.target);
        assert_int_equal(again.source == again.target, m.source == m.target);
        assert_true(cJSON_Compare(again.training, m.training, 1));
        assert_true(again.normalize == m.normalize && again.longest == m.longest);
        assert_memory_equal(&again.length_limit, &m.length_limit, sizeof m.length_limit);
        assert_int_equal(again.right_left, m.right_left);
        assert_same_search(&again.search, &m.search);
        assert_int_equal(model_format(&again), m.search.is_known || m.source->segmenter ? 4 : 3);
        assert_int_equal((uintptr_t)again.weights % 64, 0);
        assert_same_weights(&again, &m);
        const Lexicon *source = model_source(&again).lexicon, *target = model_target(&again).lexicon;
        assert_int_equal(source != NULL, m.source_lexicon != NULL);
        if (source) assert_int_equal(lexicon_count(source, slice_of("am")), 2);
        if (source) assert_int_equal(lexicon_count(source, slice_of("Je")), 0);
        if (source) assert_int_equal(lexicon_count(target, slice_of("Je")), 2);
        model_free(&again);
        model_free(&m);
    }
}

/* Tied embeddings are one tensor of the file, and one array afterwards. */
static void check_tied(const ModelCase *saved, int tie, const char *name)
{
    NetworkOptions options = model_case_tiny();
    options.tie = tie;
    Model m = model_case_of(options, TOKENS_BPE);
    model_case_save(&m, saved->path);
    Model again = model_case_load(saved->path);
    const Weights w = weights_at(again.table, again.weights);
    assert_ptr_equal(w.output.weights, w.embedding[SIDE_TARGET]);
    assert_int_equal(w.embedding[SIDE_SOURCE] == w.embedding[SIDE_TARGET], tie == TIE_ALL);
    assert_same_weights(&again, &m);
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

static void check_bytes(Model first, const char *path)
{
    model_case_save(&first, path);
    Buf before = model_case_bytes(path);
    Model second = model_case_load(path);
    model_case_save(&second, path);
    Buf after = model_case_bytes(path);
    assert_int_equal(before.length, after.length);
    assert_memory_equal(before.text, after.text, before.length);
    buf_free(&before);
    buf_free(&after);
    model_free(&first);
    model_free(&second);
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
        { { .embedding = 4, .hidden = 3, .layers = 1, .heads = 2, .encoder = ENCODER_SELF_ATTENTION,
            .encoder_attention_layers = 7, .decoder = DECODER_SELF_ATTENTION,
            .decoder_attention_layers = 2, .readout = READOUT_SIMPLE, .hard_positions = 1,
            .residual_from = 2, .positions = POSITIONS_MARIAN, .activation = 1, .norm_epsilon = 1e-6,
            .embedding_scale = SCALE_NONE, .embedding_norm = 1, .zero_start = 1,
            .decoder_recurrence = RECURRENCE_SSRU, .alignment_layer = 2, .alignment_head = 1 },
          TOKENS_BPE },
    };
    static const char *const kinds[] = { "int8", "lengths", "lexicons", "int8 ensemble", "search" };
    const char *path = ((ModelCase *)*state)->path;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_bytes(model_case_of(rows[i].network, rows[i].tokens), path);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        check_bytes(model_case_kind(kinds[i]), path);
}

static void other_tools_should_find_metadata_and_tensors(void **state)
{
    Err e = { "" };
    Safetensors *file = safetensors_open(((ModelCase *)*state)->path, &e);
    assert_non_null(file);
    assert_string_equal(safetensors_metadata(file, "format"), "attn");
    assert_string_equal(safetensors_metadata(file, "format_version"), "3");
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
    const ModelCase *saved = *state;
    model_case_edit(saved, "\"training\":", "\"untold\":");
    Model m = model_case_load(saved->path);
    assert_true(cJSON_IsObject(m.training));
    assert_int_equal(cJSON_GetArraySize(m.training), 0);
    model_free(&m);
}

static void a_setting_that_the_file_lacks_should_be_the_original_one(void **state)
{
    const ModelCase *saved = *state;
    model_case_edit(saved, ",\\\"bidirectional\\\":true", "");
    model_case_edit(saved, ",\\\"layer-norm\\\":false", "");
    Model m = model_case_load(saved->path);
    assert_int_equal(m.network.bidirectional, network_original().bidirectional);
    assert_false(m.network.layer_norm);
    model_free(&m);
}

/* Each of these alone: a reader of format 3 would not know it. */
static void a_network_that_format_3_lacks_should_be_of_format_4(void **state)
{
    NetworkOptions usual = model_case_tiny();
    assert_false(network_is_recent(&usual));
#define ASSERT_RECENT(member, value) \
    do { \
        NetworkOptions n = usual; \
        n.member = value; \
        assert_true(network_is_recent(&n)); \
    } while (0)
    ASSERT_RECENT(activation, ACTIVATION_SWISH);
    ASSERT_RECENT(norm_epsilon, 1e-6);
    ASSERT_RECENT(embedding_scale, SCALE_NONE);
    ASSERT_RECENT(embedding_norm, 1);
    ASSERT_RECENT(source_end, SOURCE_END_NONE);
    ASSERT_RECENT(zero_start, 1);
    ASSERT_RECENT(decoder_recurrence, RECURRENCE_SSRU);
    ASSERT_RECENT(alignment_layer, 1);
    ASSERT_RECENT(alignment_head, 1);
    ASSERT_RECENT(positions, POSITIONS_MARIAN);
    ASSERT_RECENT(encoder_attention_layers, 7);
    ASSERT_RECENT(decoder_attention_layers, 7);
}

/* ---- Replacing ---- */

static void weights_that_are_not_finite_should_not_replace_a_good_file(void **state)
{
    const ModelCase *saved = *state;
    Model m = model_case_kind("ensemble");
    Err e = { "" };
    model_weights(&m, 2)[m.table->row[m.table->count - 1].at] = (real)INFINITY;
    assert_int_equal(model_save(&m, saved->path, &e), -1);
    assert_memory_equal(e.text, saved->path, strlen(saved->path));
    assert_string_equal(e.text + strlen(saved->path),
                        ": not written: tensor \"readout.output.bias\" holds a value "
                        "that is not finite (inf, number 0)");
    model_free(&m);
    Model old = model_case_load(saved->path);
    model_free(&old);
    assert_int_equal(scratch_files(saved->scratch), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, model_case_setup, model_case_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_loaded_model_should_be_the_saved_one),
        TEST(tied_embeddings_should_be_saved_once_and_be_one_array_again),
        TEST(saving_what_was_loaded_should_give_the_same_bytes),
        TEST(other_tools_should_find_metadata_and_tensors),
        TEST(a_file_without_training_should_load_with_an_empty_object),
        TEST(a_setting_that_the_file_lacks_should_be_the_original_one),
        TEST(a_network_that_format_3_lacks_should_be_of_format_4),
        TEST(weights_that_are_not_finite_should_not_replace_a_good_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
