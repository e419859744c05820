/* decoder_self_attention.c - Vaswani et al. (2017), section 3.1: no recurrence. Each of
 * --decoder-attention-layers attends to the words so far, then to the source (nn/self_attention.h):
 *
 *   x_t = s E y_{t-1} + P(t)                        model/embedding_layer.h
 *   y   = layers(x, memory)                         model/attention_layers.h; read by the readout
 *
 * All positions of a batch are computed at once. A search keeps the keys and values of the words so
 * far; those of the memory are computed once a sentence.
 *
 * Parameters, beside those of self-attention layers, in each layer k:
 * decoder.layers.{k}.multihead_attn.{in_proj_weight,in_proj_bias}, (3D, D) (3D), or for a memory of
 * another width C {q,k,v}_proj_weight, (D, D) (D, C) (D, C), and in_proj_bias;
 * .multihead_attn.out_proj.{weight,bias}, (D, D) (D); norm3.{weight,bias}, (D) (D).
 */
#include "model/decoder/decoder_type.h"

static DecoderShape shape(const Sizes *n)
{
    (void)n;
    return (DecoderShape){ .fed = 0 };
}

const DecoderType decoder_self_attention = { .shape = shape };
