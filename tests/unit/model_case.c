/* model_case.c - see model_case.h. */
#include "model_case.h"

#include "base/files/files.h"
#include "base/mem.h"
#include "learn_lines.h"
#include "lexicon_case.h"
#include "plain_case.h"

/* A model whose tokenizers are there gets its weights and record. */
static void finish(Model *m)
{
    m->table = parameters_new(&m->network, tokenizer_size(m->source), tokenizer_size(m->target));
    m->weights = xaligned(m->table->size, sizeof *m->weights);
    parameters_init(m->table, m->weights, 7);
    m->training = cJSON_CreateObject();
    cJSON_AddStringToObject(m->training, "corpus", "data/\"pairs\".tsv");
    cJSON_AddNumberToObject(m->training, "valid_loss", 1.0 / 3);
}

Model model_case_of(NetworkOptions network, int tokens)
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
    finish(&m);
    return m;
}

/* SentencePiece models over one vocabulary: the same for both sides, or two. */
static Model segmented(const char *source, const char *target)
{
    static const char *const piece[] = { "▁a", "b", "a b", "▁", ">>fra<<" };
    Model m = { .network = model_case_tiny() };
    m.network.tie = TIE_ALL;
    m.source = plain_case(source, piece, 5);
    m.source->preparation = target ? PREPARATION_OPUS : PREPARATION_NONE;
    m.target = target ? plain_case(target, piece, 5) : m.source;
    m.text = m.source->options;
    finish(&m);
    return m;
}

NetworkOptions model_case_tiny(void)
{
    NetworkOptions network = network_original();
    network.embedding = 3;
    network.hidden = 2;
    return network;
}

static void put_lexicons(Model *m)
{
    tokenizer_free(m->source);
    tokenizer_free(m->target);
    m->text.truecase = 1;
    m->source = learn_lines(&m->text, (const char *const[]){ "I am calm.", "Am I?" }, 2);
    m->target = learn_lines(&m->text, (const char *const[]){ "Je suis calme.", "Moi ?" }, 2);
    m->source_lexicon = lexicon_of("['','am I']");
    m->target_lexicon = lexicon_of("['moi','Je']");
}

Model model_case_kind(const char *kind)
{
    if (!strcmp(kind, "segmenter")) return segmented("unigram", NULL);
    if (!strcmp(kind, "segmenters")) return segmented("unigram", "bpe");
    const int has_many = !strcmp(kind, "ensemble") || !strcmp(kind, "int8 ensemble");
    Model m = model_case_of(model_case_tiny(), TOKENS_BPE);
    if (!strncmp(kind, "int8", 4)) m.stored = PRECISION_INT8;
    if (!strcmp(kind, "lexicons")) put_lexicons(&m);
    if (!strcmp(kind, "lengths")) {
        m.normalize = 1.52;
        m.longest = 120;
        m.length_limit = (LengthLimit){ 1.25, 3.5, 0 };
    }
    if (!strcmp(kind, "search")) {
        m.search = (ModelSearch){ 1, 4, 0, 0.5, 2.5, xcalloc(2, sizeof *m.search.forbidden), 2 };
        m.search.forbidden[1] = 5;
    }
    for (int k = 0; has_many && k < 2; k++) {
        m.further[k] = xaligned(m.table->size, sizeof(real));
        parameters_init(m.table, m.further[k], (uint64_t)(100 + k));
        m.right_left = 1;
    }
    return m;
}

int model_case_setup(void **state)
{
    ModelCase *saved = xcalloc(1, sizeof *saved);
    Err e;
    *state = saved;
    saved->model = model_case_kind("plain");
    if (scratch_setup(&saved->scratch)) return -1;
    saved->path = xstrdup(scratch_path(saved->scratch, "model.safetensors"));
    return model_save(&saved->model, saved->path, &e);
}

int model_case_teardown(void **state)
{
    ModelCase *saved = *state;
    int rc = scratch_teardown(&saved->scratch);
    model_free(&saved->model);
    free(saved->path);
    free(saved);
    return rc;
}

/* ---- Files as bytes ---- */

Buf model_case_bytes(const char *path)
{
    Content m;
    Err e;
    Buf bytes = { 0 };
    assert_int_equal(content_read(&m, path, &e), 0);
    buf_add(&bytes, m.data, m.size);
    content_free(&m);
    return bytes;
}

size_t model_case_header_end(const Buf *bytes)
{
    uint64_t length;
    memcpy(&length, bytes->text, sizeof length);
    return sizeof length + length;
}

void model_case_edit(const ModelCase *saved, const char *old, const char *new)
{
    Buf before = model_case_bytes(saved->path), after = { 0 };
    const char *header = before.text + sizeof(uint64_t), *at = strstr(header, old);
    if (!at) fail_msg("the header has no %s", old);
    const char *rest = at + strlen(old), *end = before.text + before.length;
    const uint64_t length = model_case_header_end(&before) - sizeof length - strlen(old) + strlen(new);
    buf_add(&after, (const char *)&length, sizeof length);
    buf_add(&after, header, (size_t)(at - header));
    buf_puts(&after, new);
    buf_add(&after, rest, (size_t)(end - rest));
    scratch_write(saved->scratch, "model.safetensors", after.text, after.length);
    buf_free(&before);
    buf_free(&after);
}

void assert_model_refused(const char *path, const char *message)
{
    static const Model none;
    Model m;
    Err e = { "" };
    if (!model_load(&m, path, &e)) fail_msg("loaded, instead of: %s", message);
    assert_memory_equal(&m, &none, sizeof m);
    assert_memory_equal(e.text, path, strlen(path));
    if (strncmp(e.text + strlen(path) + 2, message, strlen(message)))
        fail_msg("%s\ninstead of: %s", e.text, message);
}

Model model_case_load(const char *path)
{
    Model m;
    Err e = { "" };
    if (model_load(&m, path, &e)) fail_msg("%s", e.text);
    return m;
}

void model_case_save(const Model *m, const char *path)
{
    Err e = { "" };
    if (model_save(m, path, &e)) fail_msg("%s", e.text);
}
