/* fuzz_model.c - any bytes as a model file (frame.h). The file is refused with one message, or the
 * model translates, and is the same after saving and loading.
 *
 * The seeds are models of `attn train` with --hidden 2 --embedding 2 on corpora of a few letters,
 * one for each kind of network and token, and edited copies of them.
 */
#include "frame.h"
#include "nameless.h"

#include "model/file/model_file.h"
#include "translate/translator.h"

#include <unistd.h>

enum { BEAM = 2, LARGEST = 1 << 20 };       /* weights; the seeds have some hundreds */

static void translate(const Model *model)
{
    static const char *const lines[] = { "ab ba. b1 \xF0\x9F\x98\x80", "" };
    SearchOptions options = search_defaults();
    options.beam = options.nbest = BEAM;
    options.attention = 1;
    Pool *pool = pool_new(1);
    Translator *translator = translator_new(model, 1, &options, pool);
    Translations out = translator_run(translator, lines, NULL, 2);
    const int may_be_empty = model->text.tokens == TOKENS_SENTENCEPIECE;       /* whose map may remove any character */
    require((out.line[0].count || may_be_empty) && out.line[0].count <= BEAM && out.line[1].count == 0);
    translations_free(&out);
    translator_free(translator);
    pool_free(pool);
}

static int same_vocabulary(const Tokenizer *a, const Tokenizer *b)
{
    if (tokenizer_size(a) != tokenizer_size(b)) return 0;
    for (int id = 0; id < tokenizer_size(a); id++)
        if (strcmp(tokenizer_piece(a, id), tokenizer_piece(b, id))) return 0;
    return 1;
}

/* Saves to another file, because a file without a name cannot be replaced. */
static void save_and_load(const Model *model)
{
    char path[] = "/tmp/attn-fuzz-XXXXXX";
    Err e = { "" };
    Model again;
    int fd = mkstemp(path);
    require(fd >= 0);
    require(!model_save(model, path, &e));
    require(!model_load(&again, path, &e));
    require(again.table->size == model->table->size);
    require(!memcmp(again.weights, model->weights, model->table->size * sizeof *model->weights));
    require(same_vocabulary(again.source, model->source)
            && same_vocabulary(again.target, model->target));
    require(cJSON_Compare(again.training, model->training, 1));
    model_free(&again);
    remove(path);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    Err e = { "" };
    Buf framed = { 0 };
    Model model;
    buf_clear(&framed);
    frame_file(bytes, length, &framed);
    Nameless file = nameless_file(framed.text, framed.length);
    int failed = model_load(&model, file.path, &e);
    require(!failed == !e.text[0]);
    require(!failed || !strncmp(e.text, file.path, strlen(file.path)));
    if (!failed && model.table->size < LARGEST) {
        translate(&model);
        save_and_load(&model);
    }
    model_free(&model);
    fclose(file.stream);
    buf_free(&framed);
    return 0;
}
