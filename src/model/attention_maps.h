/* attention_maps.h - what the heads of a network's self-attention layers look at in one sentence
 * pair: the pictures of Vaswani et al. (2017), figures 3 to 5.
 */
#ifndef ATTN_MODEL_ATTENTION_MAPS_H
#define ATTN_MODEL_ATTENTION_MAPS_H

#include "model/attention_layers.h"

/* CROSS: the target's words look at the source. SOURCE, TARGET: a side looks at itself. */
typedef enum { MAP_CROSS, MAP_SOURCE, MAP_TARGET } MapKind;
extern const char *const map_names[];       /* NULL-terminated, in this order */

typedef struct {
    MapKind    of;
    HeadChoice heads;
} MapChoice;

/* attention_map_is_usual - whether the choice is the attention that every translation has. */
int attention_map_is_usual(MapChoice choice);

/* attention_map_check - whether the network has such heads; -1 with a message. The usual choice is
 * always right. */
int attention_map_check(const NetworkOptions *options, MapChoice choice, Err *e);

/* attention_map - the weights, (T, S), (S, S) or (T, T), for free(). Row t of a target's is the
 * search for word t, and column t the word that it reads: <bos>, then the words before. bos: the id
 * of <bos>; pair: both sides. */
float *attention_map(const Architecture *net, const Weights *w, const Sentence *pair, int bos,
                     MapChoice choice);

#endif
