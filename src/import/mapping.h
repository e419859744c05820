/* mapping.h - the arrays of a foreign model as the parameters of attn's network.
 *
 * Each format has a table of rules. A rule says which arrays, one below the other, are a parameter.
 * In its names {side} is "encoder" or "decoder", {n} the number of a layer from 0, {N} from 1.
 * {weight} is "weight" or "bias", and {W}, {scale} and {gamma} are what other formats have for it.
 * The first rule of a parameter whose arrays are there holds. A bias without arrays is 0,
 * but for that of a normalisation, which is another one without. In the end
 * every array has been used: so nothing of a network that attn has not is left out silently.
 */
#ifndef ATTN_IMPORT_MAPPING_H
#define ATTN_IMPORT_MAPPING_H

#include "import/arrays.h"
#include "model/file/model_file.h"

/* How attn names what is in a layer. */
#define OWN_LAYER "{side}.layers.{n}."

enum { RULE_PARTS = 3 };

typedef struct {
    const char *own;                    /* NULL ends the table */
    const char *foreign[RULE_PARTS];    /* NULL: no more */
    int         is_transposed;          /* matrices lie as (inputs, outputs) */
} Rule;

/* What the rows of a side's vocabulary are in the foreign matrices. */
typedef struct {
    int *row;                   /* (count) of each id of attn; -1: it has none, is never written */
    int  start;                 /* another one whose embedding <bos> has; -1: its own */
    int  count;
} VocabularyRows;

typedef struct {
    const Arrays  *arrays;
    const Rule    *rules;
    VocabularyRows vocabulary[2];               /* [side] */
    const int     *layer[2];                    /* [side] the layer, from 0, whose arrays a layer
                                                 * has; NULL: its own */
    const char *const *ignored;                 /* ends of names of arrays that mean nothing here;
                                                 * NULL ends the list */
} Mapping;

/* An entry that has no row has an embedding of zeros. The bias of one that is never written. */
#define NEVER_WRITTEN ((real)-1e9)

/* mapping_apply - sets model->table and the weights, by model->network and the vocabularies' sizes;
 * -1 where an array is missing, has another shape, or is left over. */
int mapping_apply(const Mapping *mapping, Model *model, Err *e);

#endif
