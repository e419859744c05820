/* models.c - the folders of models, loading one after another, and what metadata says of them. */
#include "cmd/models.h"

#include "base/mem.h"
#include "base/strings.h"
#include "cmd/cmd.h"
#include "nn/score/score.h"
#include "translate/translator.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXTENSION ".safetensors"

const char *default_model(void)
{
    const char *named = getenv("ATTN_MODEL");
    return named && *named ? named : "models/attn.safetensors";
}

int is_model_name(const char *name)
{
    return has_extension(name, EXTENSION);
}

/* ---- The file of a name ---- */

enum { FOLDERS = 4 };

/* The XDG Base Directory Specification allows only absolute paths. */
static void find_folders(Buf folder[FOLDERS])
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    /* that of packages where there is no /proc, as in a bare chroot */
    char program[4096] = "/usr/bin/attn";
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length > 0) program[length] = '\0';
    *strrchr(program, '/') = '\0';
    buf_puts(&folder[0], "models");
    buf_printf(&folder[1], "%s/models", program);
    char *slash = strrchr(program, '/');
    if (slash) *slash = '\0';
    buf_printf(&folder[2], "%s/share/attn/models", program);
    if (data && *data == '/') buf_printf(&folder[3], "%s/attn/models", data);
    else buf_printf(&folder[3], "%s/.local/share/attn/models", home ? home : "");
}

/* Whether the file begins as one of safetensors does: 8 bytes of a length, then '{'. */
static int begins_as_model(const char *path)
{
    char start[9];
    struct stat status;
    if (stat(path, &status) || !S_ISREG(status.st_mode)) return 0;
    FILE *file = fopen(path, "rb");
    const int is_long = file && fread(start, 1, sizeof start, file) == sizeof start;
    if (file) fclose(file);
    return is_long && start[8] == '{';
}

/* Whether one of the folders has the model; *path is then its file. */
static int find(const Buf folder[FOLDERS], const char *name, Buf *path)
{
    for (int i = 0; i < FOLDERS; i++) {
        buf_clear(path);
        buf_printf(path, "%s/%s%s", folder[i].text, name,
                   ends_with(name, EXTENSION) ? "" : EXTENSION);
        if (!access(path->text, F_OK)) return 1;
    }
    return 0;
}

int model_path(const char *name, Buf *path, Err *e)
{
    const char *named = getenv("ATTN_MODEL");
    Buf folder[FOLDERS] = { { 0 } };
    int is_found;
    find_folders(folder);
    if (!name && named && *named) name = named;
    if (!name) {
        is_found = find(folder, "attn", path) || find(folder, "eng-fra", path);
        name = default_model();
    } else {
        is_found = !strchr(name, '/') && !begins_as_model(name) && find(folder, name, path);
    }
    if (!is_found) {
        buf_clear(path);
        buf_puts(path, name);
    }
    const int is_lost = !is_found && !strchr(name, '/') && access(name, F_OK);
    if (is_lost)
        err(e, "there is no model '%s': neither a file of that name, nor in %s, %s, %s or %s; "
               "'attn train CORPUS' makes one", name, folder[0].text, folder[1].text,
            folder[2].text, folder[3].text);
    for (int i = 0; i < FOLDERS; i++) buf_free(&folder[i]);
    return is_lost ? -1 : 0;
}

/* Makes the folders of a path, but its last part. */
static int make_folders(char *path, Err *e)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0777) && errno != EEXIST)
            return err(e, "cannot make the folder '%s': %s; -o FILE names a file", path,
                       strerror(errno));
        *slash = '/';
    }
    return 0;
}

int model_output(const char *name, Buf *path, Err *e)
{
    Buf folder[FOLDERS] = { { 0 } };
    buf_clear(path);
    if (strchr(name, '/') || strchr(name, '.')) {
        buf_puts(path, name);
        return 0;
    }
    find_folders(folder);
    buf_printf(path, "%s/%s%s", folder[access("models", F_OK) ? FOLDERS - 1 : 0].text, name,
               EXTENSION);
    for (int i = 0; i < FOLDERS; i++) buf_free(&folder[i]);
    return make_folders(path->text, e);
}

/* ---- Loading ---- */

const char models_help[] = "the model that translates: a file, or a name such as eng-fra in "
                           "models, among the installed models or the user's; given several "
                           "times, the mean of their probabilities decides";

static int load(Model *model, const char *path, int is_packed, Err *e)
{
    Err why;
    if (!(is_packed ? model_load_packed : model_load)(model, path, &why)) return 0;
    return err(e, "%s%s", why.text, access(path, F_OK)
               ? "; 'attn train CORPUS' makes a model, -m FILE or ATTN_MODEL=FILE names another"
               : "");
}

int load_model(Model *model, const char *path, Err *e)
{
    return load(model, path, 0, e);
}

void warn_without_target(const Model *model, const char *where)
{
    SCOPED(buf_free) Buf known = { 0 };
    tokenizer_languages(model->source, &known);
    if (known.length)
        warn("%s: the model translates into several languages, and chooses one itself; --to asks "
             "for one of: %.700s", where, known.text);
}

TextList default_models(void)
{
    return (TextList){ .text = { default_model() }, .count = 1, .is_default = 1 };
}

int find_models(Models *models, const TextList *names, Err *e)
{
    SCOPED(buf_free) Buf path = { 0 };
    for (int i = 0; i < names->count; i++) {
        if (model_path(names->is_default ? NULL : names->text[i], &path, e)) return -1;
        models->path[models->count++] = xstrdup(path.text);
    }
    return 0;
}

int load_models(Models *models, int is_packed, Err *e)
{
    for (int i = 0; i < models->count; i++)
        if (load(&models->model[i], models->path[i], is_packed, e)) return -1;
    return ensemble_check(models->model, (const char *const *)models->path, models->count, e);
}

void models_free(Models *models)
{
    for (int i = 0; i < models->count; i++) {
        model_free(&models->model[i]);
        free(models->path[i]);
    }
}

int models_overflow(const Models *models, const char *where, Err *e)
{
    return err(e, "%s: what %s computes of this line is no number: its weights are too large; "
                  "train it again with a lower --learning-rate", where,
               models->count > 1 ? "an ensemble" : models->path[0]);
}

int models_have_attention(const Models *models)
{
    for (int i = 0; i < models->count; i++)
        if (network_has_attention(&models->model[i].network)) return 1;
    return 0;
}

/* ---- Metadata ---- */

void model_origin(const cJSON *training, Buf *out)
{
    Err ignored;
    const char *corpus, *file, *format;
    double exact, bleu;
    if (!json_get_string(training, "imported_from", &file, &ignored)
        && !json_get_string(training, "imported_format", &format, &ignored))
        buf_printf(out, "made of %.200s, a model of %.40s", file, format);
    if (json_get_string(training, "corpus", &corpus, &ignored)) return;
    buf_printf(out, "%slearned from %.200s", out->length ? "; " : "", corpus);
    if (!json_get_number(training, "valid_exact", &exact, &ignored))
        buf_printf(out, ", %.1f %% exact on validation", exact);
    else if (!json_get_number(training, "valid_bleu", &bleu, &ignored))
        buf_printf(out, ", BLEU %.1f on validation", bleu);
}

int model_check_replaceable(const char *path, Err *e)
{
    Err ignored;
    cJSON *training = model_load_training(path, &ignored);
    cJSON_Delete(training);
    return training ? 0
         : err(e, "%s: is there already and is no model that attn train has written, so it is not "
                  "replaced; name another with -o", path);
}
