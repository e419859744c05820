/* order.h - the order of a decoder's step: when it looks at the source, and what it makes of what it sees.
 *
 * A new order is one new file with a `const Order order_NAME`, a row in the table of decoder.c with its name in
 * parameters.c, and, where it has parameters of its own, their rows there. Each is built from the attention, and from
 * the stack of recurrent layers below:
 *
 *   d_t^1 = cell(W_E E y_{t-1} + W_F f_t, d_{t-1}^1)      f_t (F): what the order feeds
 *   d_t^l = cell(W d_t^{l-1}, d_{t-1}^l)                  dropout between the layers; with --residual, d_t^{l-1} is added
 *                                                         to what layer l says (not to the state it carries)
 */
#ifndef ATTN_MODEL_ORDER_H
#define ATTN_MODEL_ORDER_H

#include "model/decoder.h"

typedef struct {
    /* layout - what the order keeps beside the stack and the attention; d->output must be set. NULL: nothing, and the
     * output is the top layer's state */
    void (*layout)(DecoderState *d, Arena *arena, const Architecture *net, size_t N, size_t B, int backward);
    void (*step)(DecoderState *d, const DecoderPass *pass, int at, int rows);
    /* within - inside stack_step, between layer 0's new state, which it may change, and what reads it; NULL: nothing.
     * within_backward - inside stack_backward; in and out as for step_backward */
    void (*within)(DecoderState *d, const DecoderPass *pass, int at, int rows);
    void (*within_backward)(DecoderState *d, const DecoderGradient *g, const DecoderPass *pass, int at, int rows);

    /* step_backward - in: carried gradients, what flows back from step t+1, and the readout's g of these rows.
     * Out: carried gradients of step t-1. weights_backward - after the last: what belongs to all N rows at once. */
    void (*step_backward)(DecoderState *d, const DecoderGradient *g, const DecoderPass *pass, int at, int rows);
    void (*weights_backward)(DecoderState *d, const DecoderGradient *g, const DecoderPass *pass, int N);
} Order;

extern const Order order_bahdanau, order_luong, order_conditional;

/* decoder_carry - one more thing, (B, width), that each row hands to the next step, zero at first; for layout.
 * gradient: (B, width), or NULL in a pass without */
void decoder_carry(DecoderState *d, Arena *arena, size_t B, int width, real *gradient);

const Order *order_of(const Architecture *net);

/* ---- the attention of one step: context, alpha and query of its rows; state (rows, H) with row distance ld ---- */

void attend(DecoderState *d, const DecoderPass *pass, const real *state, int ld, int at, int rows);
void attend_backward(DecoderState *d, real *dstate, int ld, const DecoderGradient *g, const DecoderPass *pass, int at,
                     int rows);

/* attend_weights_backward - after the last step, from the states (N, H) that asked. */
void attend_weights_backward(const DecoderState *d, const DecoderPass *pass, const real *state, int ld, int N);

/* ---- the stack ---- */

/* stack_feed - what is fed, x (rows, F), into the gates of layer 0; stack_feed_backward - dx (rows, F), overwritten or
 * accumulated; stack_feed_weights - from x (N, F). */
void stack_feed(DecoderState *d, const DecoderPass *pass, const real *x, int at, int rows);
void stack_feed_backward(DecoderState *d, Store store, real *dx, const DecoderPass *pass, int at, int rows);
void stack_feed_weights(DecoderState *d, const DecoderPass *pass, const real *x, int N);

/* stack_step - all layers; the carried states go from before to after. */
void stack_step(DecoderState *d, const DecoderPass *pass, int at, int rows);

/* stack_backward - dtop (rows, H): the gradient of the top layer's states, beside what is carried. Turns the carried
 * gradients into those before the step, and the gates of all layers into gradients. */
void stack_backward(DecoderState *d, const real *dtop, const DecoderGradient *g, const DecoderPass *pass, int at,
                    int rows);

/* stack_weights_backward - all weights of the layers but those of layer 0's input. The states before the steps
 * (save->previous) may be used up. */
void stack_weights_backward(DecoderState *d, const DecoderPass *pass, int N);

#endif
