/* model_case.c - see model_case.h. */
#include "model_case.h"

#include "base/files/files.h"
#include "base/mem.h"
#include "learn_lines.h"

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
    m.table = parameters_new(&m.network, tokenizer_size(m.source), tokenizer_size(m.target));
    m.weights = xaligned(m.table->size, sizeof *m.weights);
    parameters_init(m.table, m.weights, 7);
    m.training = cJSON_CreateObject();
    cJSON_AddStringToObject(m.training, "corpus", "data/\"pairs\".tsv");
    cJSON_AddNumberToObject(m.training, "valid_loss", 1.0 / 3);
    return m;
}

NetworkOptions model_case_tiny(void)
{
    NetworkOptions network = network_original();
    network.embedding = 3;
    network.hidden = 2;
    return network;
}

int model_case_setup(void **state)
{
    ModelCase *saved = xcalloc(1, sizeof *saved);
    Err e;
    *state = saved;
    saved->model = model_case_of(model_case_tiny(), TOKENS_BPE);
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

/* Replaces the first `old` of the file's header by `new`. */
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

/* The file is refused with "PATH: message", and nothing of it stays. */
void assert_model_refused(const char *path, const char *message)
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
