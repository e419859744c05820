/* convert.c - `attn convert`: a model file with its weights in another precision. */
#include "base/json.h"
#include "base/mem.h"
#include "base/strings.h"
#include "cmd/cmd.h"
#include "cmd/command_files.h"
#include "cmd/models.h"
#include "cmd/options.h"

#include <stddef.h>
#include <stdio.h>

typedef struct {
    const char *output, *about;
    int         precision, force, quiet;
} Request;

/* Products may be bfloat16, files not. */
static const char *const precisions[] = { "float", "int8", NULL };
static const Precision stored[] = { PRECISION_FLOAT, PRECISION_INT8 };
enum { STORED_FLOAT, STORED_INT8 };

#define AT(member) .offset = offsetof(Request, member)
static const Field request_fields[] = {
    { .group = "Output", .name = "output", .letter = 'o', .kind = FIELD_TEXT, AT(output),
      .value = "FILE",
      .help = "model file to write", .common = 1 },
    { .name = "precision", .kind = FIELD_CHOICE, AT(precision), .choices = precisions,
      .value = "HOW",
      .help = "numbers of the matrices: int8 rounds each row to 255 values, and takes a quarter of "
              "the bytes of float", .common = 1 },
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
    .usage = "attn convert [OPTION...] -o FILE [MODEL]",
    .about =
        "Writes a model with its weights in another precision. All commands read either\n"
        "kind of file. Without MODEL it reads the file that attn translate would use.\n"
        "\n"
        "The precision of a file is not that of the products: attn translate --precision\n"
        "chooses that, for any file.",
    .examples =
        "attn convert -o models/small.safetensors\n"
        "attn convert --precision float -o large.safetensors models/small.safetensors\n"
        "attn convert --about \"tatoeba.org, CC BY 2.0 FR\" -o mine.safetensors attn",
    .operand = "MODEL",
};

static int check_output(const Request *r, const char *path, Err *e)
{
    const Output output = { r->output, "model", "-o" };
    if (outputs_check(&output, 1, &path, 1, r->force, e)) return -1;
    return output_exists(r->output) ? model_check_replaceable(r->output, e) : 0;
}

static int convert(const Request *r, const char *path, Err *e)
{
    Model model;
    if (check_output(r, path, e) || load_model(&model, path, e)) return -1;
    model.stored = stored[r->precision];
    if (r->about) {
        cJSON_DeleteItemFromObject(model.training, "about");
        json_add_bytes(model.training, "about", r->about);
    }
    const int rc = model_save(&model, r->output, e);
    model_free(&model);
    return rc;
}

static int run(int argc, char **argv)
{
    Err e;
    Request r = { .precision = STORED_INT8 };
    const OptionSet sets[] = { { request_fields, &r }, { NULL, NULL } };
    SCOPED(options_free) Options given = options_parse(sets, argc, argv);
    SCOPED(buf_free) Buf path = { 0 };
    if (given.count > 1)
        usage_error("convert", "one model at a time: '%s' is one too many; the file to "
                               "write is named by -o", given.operand[1]);
    if (!r.output) usage_error("convert", "name the file to write: -o FILE");
    const int failed = model_path(*given.operand, &path, &e) || convert(&r, path.text, &e);
    return failed ? fail("%s", e.text) : EXIT_OK;
}

static Description describe(void)
{
    static Request r = { .precision = STORED_INT8 };
    static const OptionSet sets[] = { { request_fields, &r }, { NULL, NULL } };
    return (Description){ sets, &help_text };
}

const Command command_convert = {
    "convert", "write a model file in another precision", run, describe
};
