/* packing.c - panels of recurrent weights. */
#include "model/packing.h"

/* Of w (n,k). */
static Panels pack(Arena *arena, const real *w, int ldw, int k, int n, int backward)
{
    real *forward = arena_reals(arena, matrix_panels(k, n));
    real *back = backward ? arena_reals(arena, matrix_panels(n, k)) : NULL;
    return arena->block ? matrix_pack(forward, back, w, ldw, k, n) : (Panels){ NULL, NULL, PRECISION_FLOAT };
}

Weights weights_packed(const Weights *w, const Net *net, Arena *arena, int backward)
{
    const Sizes *n = &net->n;
    Weights packed = *w;
    for (int l = 0; l < n->L; l++) {
        CellWeights *cell = &packed.decoder[l];
        const int skipped = l ? 0 : n->E, read = l ? n->H : n->F;
        for (int d = 0; l < n->R && d < n->directions; d++)
            packed.encoder[l][d].U_panels = pack(arena, w->encoder[l][d].U, n->H, n->H, n->G, backward);
        cell->U_panels = pack(arena, cell->U, n->H, n->H, n->G, backward);
        cell->W_panels = pack(arena, arena->block ? cell->W + skipped : NULL, skipped + read, read, n->G, backward);
    }
    if (net->options.decoder == DECODER_CONDITIONAL) {
        packed.transition.U_panels = pack(arena, w->transition.U, n->H, n->H, n->G, backward);
        packed.transition.W_panels = pack(arena, w->transition.W, n->C, n->C, n->G, backward);
    }
    return packed;
}
