/* model_origin.c - languages by the codes in file names. */
#include "cmd/model_origin.h"

#include "model/file/model_file.h"

#include <ctype.h>
#include <string.h>

/* ISO 639 codes have two letters or three. Returns the length of one at `text`, 0 if there is
 * none. */
static size_t code_length(const char *text)
{
    size_t length = 0;
    while (islower((unsigned char)text[length]))
        length++;
    return length == 2 || length == 3 ? length : 0;
}

static int add_pair(const char *source, size_t source_length, const char *target,
                    size_t target_length, Buf *out)
{
    buf_add(out, source, source_length);
    buf_puts(out, " → ");
    buf_add(out, target, target_length);
    return 1;
}

/* Whether an ending names the format of a file, not its language. */
static int is_format(const char *ending)
{
    return !strncmp(ending, "tsv", 3) || !strncmp(ending, "txt", 3) || !strncmp(ending, "gz", 2);
}

/* The code that ends the name of `length` bytes, behind a dot; NULL if none does. */
static const char *last_code(const char *name, size_t length)
{
    const char *code = name + length;
    while (code > name && code[-1] != '.')
        code--;
    if (code == name || is_format(code)) return NULL;
    return code_length(code) == (size_t)(name + length - code) ? code : NULL;
}

int model_languages(const char *corpus, Buf *out)
{
    size_t first = strcspn(corpus, " "), length = code_length(corpus);
    if (length && corpus[length] == '-') {
        const char *target = corpus + length + 1;
        size_t target_length = code_length(target);
        if (target_length && strchr("._-", target[target_length]))      /* or the end */
            return add_pair(corpus, length, target, target_length, out);
    }
    if (!corpus[first]) return 0;
    const char *second = corpus + first + 1, *source = last_code(corpus, first);
    size_t end = strcspn(second, " ");
    const char *target = last_code(second, end);
    if (!source || !target || second[end]) return 0;
    return add_pair(source, (size_t)(corpus + first - source), target,
                    (size_t)(second + end - target), out);
}

void model_origin(const cJSON *training, Buf *out)
{
    Err ignored;
    const char *corpus;
    double exact, bleu;
    if (json_get_string(training, "corpus", &corpus, &ignored)) return;
    if (model_languages(corpus, out)) buf_puts(out, ", ");
    buf_printf(out, "learned from %.200s", corpus);
    if (!json_get_number(training, "valid_exact", &exact, &ignored))
        buf_printf(out, ", %.1f %% exact on validation", exact);
    else if (!json_get_number(training, "valid_bleu", &bleu, &ignored))
        buf_printf(out, ", BLEU %.1f on validation", bleu);
}

cJSON *model_origin_load(const char *path, Err *e)
{
    Err why;
    cJSON *training = model_load_training(path, &why);
    if (!training)
        err(e, "%s: is there already and is no model that attn train has written, so it is not "
               "replaced; name another with -o", path);
    return training;
}
