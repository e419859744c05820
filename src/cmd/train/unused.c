/* unused.c - the options by what a network must have for them. */
#include "cmd/train/unused.h"

#include "model/decoder/decoder_type.h"

#include <stddef.h>

static int reads_recurrently(const NetworkOptions *o)
{
    return o->encoder == ENCODER_RECURRENT;
}

static int is_recurrent(const NetworkOptions *o)
{
    return reads_recurrently(o) || o->decoder != DECODER_SELF_ATTENTION;
}

static int has_self_attention(const NetworkOptions *o)
{
    return o->encoder_attention_layers || o->decoder_attention_layers;
}

static int has_residuals(const NetworkOptions *o)
{
    return o->residual;
}

static int attends_hard(const NetworkOptions *o)
{
    return o->hard_attention != HARD_NONE;
}

enum { NAMES = 5 };
static const struct {
    int       (*is_there)(const NetworkOptions *o);
    const char *purpose;
    const char *option[NAMES + 1];      /* NULL ends the list */
} rows[] = {
    { is_recurrent, "recurrent layers, and with --encoder and --decoder self-attention there are "
                    "none; leave it out (the depth is --encoder-attention-layers and "
                    "--decoder-attention-layers)",
      { "layers", "cell", "residual", "residual-from", "dropout-recurrent" } },
    { reads_recurrently, "the layers of a recurrent encoder, and --encoder self-attention has "
                         "none; leave it out",
      { "bidirectional-layers" } },
    { has_self_attention, "self-attention layers, and there are none; give the network some, for "
                          "example --encoder-attention-layers 2",
      { "heads", "feed-forward", "norm", "positions" } },
    { has_residuals, "residual connections; add --residual", { "residual-from" } },
    { attends_hard, "hard attention; choose its kind by --hard-attention",
      { "hard-positions", "hard-gradient" } },
};

int unused_check(const NetworkOptions *network, const Options *given, Err *e)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (const char *const *name = rows[i].option; *name && !rows[i].is_there(network); name++)
            if (options_given(given, *name))
                return err(e, "--%s is for %s", *name, rows[i].purpose);
    return 0;
}
