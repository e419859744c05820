/* word_projections.c - the caches of products that depend only on the word. */
#include "model/word_projections.h"

void word_projections_init(WordProjections *words, const Architecture *net)
{
    const Sizes *n = &net->n;
    *words = (WordProjections){ .target = NULL };
    for (int d = 0; n->R && d < encoder_directions(n, 0); d++)
        words->source[d] = projection_cache_new(n->Vs, n->G);
    if (n->decoder_attention.layers) return;
    words->target = projection_cache_new(n->Vt, n->G);
    if (net->options.readout == READOUT_DEEP) words->readout = projection_cache_new(n->Vt, n->E);
}

void word_projections_free(WordProjections *words)
{
    projection_cache_free(words->source[0]);
    projection_cache_free(words->source[1]);
    projection_cache_free(words->target);
    projection_cache_free(words->readout);
}
