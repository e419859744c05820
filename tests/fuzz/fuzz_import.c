/* fuzz_import.c - any bytes as the files of another program's model (files.h). They are refused with one message, or the
 * model can be saved, and is the same after loading.
 *
 * The seeds are tiny networks in each format, which tests/cli/foreign_models.py writes.
 */
#include "files.h"
#include "fuzz.h"

#include "model/file/model_file.h"

#include <unistd.h>

enum { LARGEST = 1 << 20 };     /* weights */

static void save_and_load(const Model *model)
{
    char path[] = "/tmp/attn-fuzz-XXXXXX";
    Err e = { "" };
    Model again;
    const int fd = mkstemp(path);
    require(fd >= 0);
    if (!all_finite(model->weights, model->table->size)) {
        require(model_save(model, path, &e) && e.text[0]);
    } else {
        require(!model_save(model, path, &e));
        require(!model_load(&again, path, &e));
        require(again.table->size == model->table->size);
        require(!memcmp(again.weights, model->weights, model->table->size * sizeof *model->weights));
        require(tokenizer_size(again.source) == tokenizer_size(model->source));
        require(again.search.beam == model->search.beam && again.longest == model->longest);
        model_free(&again);
    }
    remove(path);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    Err e = { "" };
    Package package = { 0 };
    Model model = { 0 };
    const int failed = files_add(&package, (const char *)bytes, length, &e) || import_package(&model, &package, &e);
    require(!failed == !e.text[0]);
    if (!failed && model.table->size < LARGEST) save_and_load(&model);
    model_free(&model);
    package_free(&package);
    return 0;
}
