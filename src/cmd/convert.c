/* convert.c - `attn convert`: a model file with its weights in another precision, or another
 * program's translator as a model of attn. */
#include "base/json.h"
#include "base/mem.h"
#include "base/strings.h"
#include "cmd/cmd.h"
#include "cmd/command_files.h"
#include "cmd/models.h"
#include "cmd/options.h"
#include "import/import.h"

#include <stddef.h>
#include <stdio.h>

typedef struct {
    const char *output, *about;
    int         precision, force, quiet;
} Request;

/* Products may be bfloat16, files not. */
static const char *const precisions[] = { "float", "int8", NULL };
static const Precision stored[] = { PRECISION_FLOAT, PRECISION_INT8 };

#define AT(member) .offset = offsetof(Request, member)
static const Field request_fields[] = {
    { .group = "Output", .name = "output", .letter = 'o', .kind = FIELD_TEXT, AT(output),
      .value = "FILE",
      .help = "model file to write; for another program's model also a name, such as opus, that -m "
              "of other commands finds", .common = 1 },
    { .name = "precision", .kind = FIELD_CHOICE, AT(precision), .choices = precisions,
      .value = "HOW", .automatic = 1,
      .help = "numbers of the matrices: int8 rounds each row to 255 values, and takes a quarter of "
              "the bytes of float; auto: int8, but float for another program's model",
      .common = 1 },
    { .name = "about", .kind = FIELD_TEXT, AT(about), .value = "TEXT",
      .help = "keep TEXT in the file, for attn info: what the model learned from, under which "
              "licences; default: the text of MODEL", .common = 1 },
    { .name = "force", .kind = FIELD_FLAG, AT(force),
      .help = "replace FILE where it is a model already", .common = 1 },
    { .name = "quiet", .letter = 'q', .kind = FIELD_FLAG, AT(quiet),
      .help = "print only errors and warnings", .common = 1 },
    { .name = NULL }
};

static const HelpText help_text = {
    .usage = "attn convert [OPTION...] -o FILE [MODEL | FILE-OR-FOLDER...]",
    .about =
        "Writes a model with its weights in another precision. All commands read either\n"
        "kind of file. Without MODEL it reads the file that attn translate would use.\n"
        "\n"
        "The precision of a file is not that of the products: attn translate --precision\n"
        "chooses that, for any file.\n"
        "\n"
        "Or makes a model of what another program has trained: OPUS-MT and other\n"
        "transformers of Marian (.npz, .bin), Firefox's (.bin with 8 bits), MarianMT of\n"
        "Hugging Face (model.safetensors), CTranslate2's (model.bin), Argos packages.\n"
        "Name the folder or archive that has all of it, or the network and its\n"
        "vocabularies (.spm, .yml, .json, .txt), the source's first. Such a model reads\n"
        "a line as it is: tags are text.",
    .examples =
        "attn convert -o models/small.safetensors\n"
        "attn convert --precision float -o large.safetensors models/small.safetensors\n"
        "attn convert --about \"tatoeba.org, CC BY 2.0 FR\" -o mine.safetensors attn\n"
        "attn convert -o opus opus-mt-en-fr/\n"
        "attn convert -o fox model.enes.intgemm.alphas.bin vocab.enes.spm",
    .operand = "FILE",
};

static int check_output(const Request *r, const char *output, const char *const *input, int count,
                        Err *e)
{
    const Output wanted = { output, "model", "-o" };
    if (outputs_check(&wanted, 1, input, (size_t)count, r->force, e)) return -1;
    return output_exists(output) ? model_check_replaceable(output, e) : 0;
}

/* Writes the model, and releases it. */
static int write_model(const Request *r, Model *model, Precision by_default, const char *output,
                       Err *e)
{
    model->stored = r->precision == FIELD_AUTO ? by_default : stored[r->precision];
    if (r->about) {
        cJSON_DeleteItemFromObject(model->training, "about");
        json_add_bytes(model->training, "about", r->about);
    }
    const int rc = model_save(model, output, e);
    model_free(model);
    return rc;
}

static int convert(const Request *r, const char *path, Err *e)
{
    Model model;
    if (check_output(r, r->output, &path, 1, e) || load_model(&model, path, e)) return -1;
    return write_model(r, &model, PRECISION_INT8, r->output, e);
}

/* Another program's model. */
static int import(const Request *r, const char *const *path, int count, Err *e)
{
    Model model;
    SCOPED(buf_free) Buf output = { 0 };
    if (model_output(r->output, &output, e) || check_output(r, output.text, path, count, e)
        || import_model(&model, path, count, e))
        return -1;
    if (model.text.tokens == TOKENS_WHITESPACE)
        warn("its tokens are what stands between blanks: lines must come to attn translate as its "
             "own program prepares them");
    if (write_model(r, &model, PRECISION_FLOAT, output.text, e))
        return -1;
    if (!r->quiet) printable_line(stderr, "attn: wrote %s", output.text);
    return 0;
}

static int run(int argc, char **argv)
{
    Err e;
    Request r = { .precision = FIELD_AUTO };
    const OptionSet sets[] = { { request_fields, &r }, { NULL, NULL } };
    SCOPED(options_free) Options given = options_parse(sets, argc, argv);
    SCOPED(buf_free) Buf path = { 0 };
    if (given.count > 1 && !import_is_foreign(given.operand[0]))
        usage_error("convert", "one model at a time: '%s' is one too many; the file to "
                               "write is named by -o", given.operand[1]);
    if (!r.output) usage_error("convert", "name the file to write: -o FILE");
    const char *const *operands = (const char *const *)given.operand;
    int failed = given.count < 2 ? model_path(*given.operand, &path, &e) : 0;
    if (!failed && given.count > 1) failed = import(&r, operands, given.count, &e);
    else if (!failed && import_is_foreign(path.text))
        failed = import(&r, (const char *[]){ path.text }, 1, &e);
    else if (!failed) failed = convert(&r, path.text, &e);
    return failed ? fail("%s", e.text) : EXIT_OK;
}

static Description describe(void)
{
    static Request r = { .precision = FIELD_AUTO };
    static const OptionSet sets[] = { { request_fields, &r }, { NULL, NULL } };
    return (Description){ sets, &help_text };
}

const Command command_convert = {
    "convert", "write a model in another precision, or another program's", run, describe
};
