/* packing.c - panels of recurrent weights. */
#include "model/packing.h"

/* Where the panels go, and which of them are written. */
typedef struct {
    Arena  *arena;
    int     backward;
    Portion portion;
} Packing;

/* Of w (n,k). */
static Panels pack(const Packing *p, const real *w, int ldw, int k, int n)
{
    real *forward = arena_reals(p->arena, matrix_panels(k, n));
    real *backward = p->backward ? arena_reals(p->arena, matrix_panels(n, k)) : NULL;
    if (!p->arena->block) return (Panels){ NULL, NULL, PRECISION_FLOAT };
    return matrix_pack(forward, backward, w, ldw, k, n, p->portion);
}

/* From this column on; while the arena measures there is no w. */
static const real *column(const Packing *p, const real *w, int first)
{
    return p->arena->block ? w + first : NULL;
}

static Weights with_recurrent(const Packing *p, const Weights *w, const Net *net)
{
    const Sizes *n = &net->n;
    Weights packed = *w;
    for (int l = 0; l < n->L; l++) {
        CellWeights *cell = &packed.decoder[l];
        const int skipped = l ? 0 : n->E, read = l ? n->H : n->F;
        for (int d = 0; l < n->R && d < n->directions; d++)
            packed.encoder[l][d].U_panels = pack(p, w->encoder[l][d].U, n->H, n->H, n->G);
        cell->U_panels = pack(p, cell->U, n->H, n->H, n->G);
        cell->W_panels = pack(p, column(p, cell->W, skipped), skipped + read, read, n->G);
    }
    if (net->options.decoder == DECODER_CONDITIONAL) {
        packed.transition.U_panels = pack(p, w->transition.U, n->H, n->H, n->G);
        packed.transition.W_panels = pack(p, w->transition.W, n->C, n->C, n->G);
    }
    return packed;
}

Weights weights_packed(const Weights *w, const Net *net, Arena *arena)
{
    const Packing p = { arena, 0, { 0, 1 } };
    return with_recurrent(&p, w, net);
}

Weights weights_packed_to_learn(const Weights *w, const Net *net, int sparse, Arena *arena, Portion portion)
{
    const Sizes *n = &net->n;
    const Packing p = { arena, 1, portion }, output = { arena, !sparse, portion };
    Weights packed = with_recurrent(&p, w, net);
    packed.output_panels = pack(&output, w->output_weight, n->O, n->O, n->Vt);
    return packed;
}
