/* diagram.c - the layers of a network, from the words of each side down. */
#include "cmd/diagram.h"

#include "cmd/progress.h"

#include <stdarg.h>
#include <stdio.h>

/* What there is between two layers, or what a layer is; its details begin in one column. */
typedef enum { VALUES, LAYER } Line;

__attribute__((format(printf, 4, 5)))
static void add_line(Buf *out, Line kind, const char *name, const char *format, ...)
{
    const char *arrow = kind == LAYER ? "  \u2193 " : "";
    const int width = kind == LAYER ? 16 : 20;
    char details[160];
    va_list args;
    va_start(args, format);
    vsnprintf(details, sizeof details, format, args);
    va_end(args);
    buf_printf(out, "  %s%-*s %s\n", arrow, width, name, details);
}

static void add_words(Buf *out, const char *name, int count)
{
    char words[COUNT_TEXT];
    add_line(out, VALUES, name, "%s words", progress_count(words, count));
}

/* positions: whether self-attention reads the words. */
static void add_embedding(Buf *out, const Architecture *net, int positions)
{
    const char *kind = net->n.P ? ", with learned positions" : ", with sinusoidal positions";
    add_line(out, LAYER, "embedding", "%d%s", net->n.E, positions ? kind : "");
}

static void add_attention_stack(Buf *out, const AttentionStack *stack)
{
    const SelfAttentionSizes *n = &stack->sizes;
    char feed_forward[40] = "";
    if (!stack->layers) return;
    if (n->F) snprintf(feed_forward, sizeof feed_forward, ", feed-forward %d", n->F);
    add_line(out, LAYER, "self-attention", "%d x %d, %d heads%s, %s-norm", stack->layers,
             n->attention.D, n->attention.heads, feed_forward, n->pre ? "pre" : "post");
    if (n->M)
        add_line(out, LAYER, "attention", "in each of these layers, %d heads, over the memory",
                 n->attention.heads);
}

/* What is particular to the recurrent layers of a side. */
static void add_recurrent(Buf *out, const Architecture *net, int layers, const char *how)
{
    const Sizes *n = &net->n;
    char residual[40] = "";
    if (!layers) return;
    if (n->first_residual < layers)
        snprintf(residual, sizeof residual, ", residuals from layer %d", n->first_residual + 1);
    add_line(out, LAYER, cell_names[net->options.cell], "%d x %d, %s%s%s", layers, n->H, how,
             residual, net->options.layer_norm ? ", layer normalisation" : "");
}

static void add_encoder(Buf *out, const Architecture *net)
{
    const Sizes *n = &net->n;
    char directions[40] = "forward";
    if (n->two_way == n->R) snprintf(directions, sizeof directions, "in both directions");
    else if (n->two_way)
        snprintf(directions, sizeof directions, "the lowest %d in both directions", n->two_way);
    add_words(out, "source", n->Vs);
    add_embedding(out, net, !n->R);
    add_recurrent(out, net, n->R, directions);
    add_attention_stack(out, &n->encoder_attention);
    add_line(out, VALUES, "memory", "%d a word", n->C);
}

static void add_decoder(Buf *out, const Architecture *net)
{
    const Sizes *n = &net->n;
    const NetworkOptions *o = &net->options;
    add_words(out, "words so far", n->Vt);
    add_embedding(out, net, n->decoder_attention.layers > 0);
    add_attention_stack(out, &n->decoder_attention);
    add_recurrent(out, net, n->L, decoder_type_names[o->decoder]);
    if (n->L)
        add_line(out, LAYER, "attention", "%s, over the memory%s%s",
                 attention_score_names[o->attention], o->hard_attention ? ", hard: " : "",
                 o->hard_attention ? hard_names[o->hard_attention] : "");
    if (o->readout == READOUT_DEEP)
        add_line(out, LAYER, "readout", "%d, of state, context and last word", n->E);
    add_line(out, LAYER, "output layer", "%d%s", n->O,
             o->tie == TIE_ALL ? ", the weights of all embeddings"
             : o->tie == TIE_TARGET ? ", the weights of the target's embedding" : "");
    add_words(out, "next word", n->Vt);
}

void diagram_add(const Architecture *net, Buf *out)
{
    add_encoder(out, net);
    buf_putc(out, '\n');
    add_decoder(out, net);
}
