/* nn.h - the laws of this folder, and the layout of sequences that all layers share.
 *
 * Layers are plain functions on arrays of `real`: first what all calls of a pass share, if there is
 * much of it (CellLayer, ScoreLayer, ...), then outputs, inputs, sizes. They allocate nothing,
 * print nothing and keep nothing between calls (tests/cli/layers.bats). Arrays are row-major, the
 * last index runs fastest, and "ld" is the distance between two rows where it may differ from the
 * width.
 *
 * Gradients are named d + what they belong to. Parameter gradients are accumulated (+=), activation
 * gradients are overwritten (=); every exception is named where it happens.
 *
 * Dimensions:
 *   B  sentences        E  width of an embedding        Vs, Vt  vocabularies of source and target
 *   S  source steps     H  width of a GRU state         I       width of a layer's input
 *   T  target steps     C  width of an encoder state    L       layers
 *   N  real tokens      A  width of the attention
 *
 * Sequences are packed: time-major, longest first, and no padding is stored. At step t only the
 * first rows[t] sentences are still running; their rows are neighbours:
 *
 *     step            0        1      2
 *     sentence 0      a0       a1     a2        rows  = 3 2 1
 *     sentence 1      b0       b1               start = 0 3 5 6        packed: a0 b0 c0 a1 b1 a2
 *     sentence 2      c0
 */
#ifndef ATTN_NN_NN_H
#define ATTN_NN_NN_H

typedef struct {
    int        steps;       /* length of the longest sequence */
    int        total;       /* N: packed rows */
    const int *rows;        /* (steps) sequences that are still running, never increasing */
    const int *start;       /* (steps + 1) first packed row of each step; start[steps] = total */
} PackedSequence;

#endif
