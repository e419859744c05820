/* model_file.h - a model in one safetensors file: tensors with PyTorch's names, and everything that
 * translation needs.
 *
 * src/docs/attn-model.5 describes the file: the metadata are strings, most of them JSON.
 *
 * The tensors are those of the table of parameters (model/parameters.h), as F32; or the matrices
 * are I8, each with a vector of F32, NAME_scale, as `quantise` below describes. Those of the
 * second network of an ensemble are called 2.NAME, and so on: the networks are of one table, and
 * the mean of their probabilities chooses every word (search/scorer.h), in each direction by itself
 * (search/search.h).
 */
#ifndef ATTN_MODEL_MODEL_FILE_H
#define ATTN_MODEL_MODEL_FILE_H

#include "base/error.h"
#include "base/json.h"
#include "linalg/precision.h"
#include "model/batch.h"
#include "model/prepacked_weights.h"
#include "text/mask.h"

#include <stdint.h>

enum { MOST_NETWORKS = 8 };     /* of an ensemble */
enum { LONGEST_MOST = 100000 }; /* of Model.longest */

/* What suits a search with the model, where it is known: translate/translator.c takes it unless a
 * user says otherwise. */
typedef struct {
    int     is_known;
    int     beam, repeats;          /* as in SearchOptions (search/search_options.h) */
    double  beam_threshold;
    double  length_factor;          /* a translation has at most so many times the tokens of its
                                     * source, rounded up, <eos> among both; 0: Model.length_limit */
    int    *forbidden;              /* (forbidden_count) ids that are never written; owned */
    int     forbidden_count;
} ModelSearch;

typedef struct {
    NetworkOptions  network;
    TextOptions     text;
    Tokenizer      *source, *target;    /* the same pointer if the vocabulary is shared */
    Lexicon        *source_lexicon, *target_lexicon;    /* NULL: neither is needed */
    ParameterTable *table;
    real           *weights;     /* one block, laid out as in `table` */
    real           *further[MOST_NETWORKS - 1];     /* those of an ensemble's other networks; NULL
                                                     * from the end of them on */
    struct {
        Weights          *w;     /* of a model for products in 8 bits; else NULL */
        PrepackedWeights *copies;
    } packed[MOST_NETWORKS];
    int             right_left;  /* how many of its networks, the last ones, write from right to
                                  * left; all of them only while such a one is trained */
    double          normalize;   /* exponent of the length that suits a search with it
                                  * (SearchOptions.normalize); 0: none is known, unless
                                  * search.is_known */
    int             longest;     /* the most tokens that 99 % of its sources had: a longer sentence is
                                  * cut; 0: not known */
    LengthLimit     length_limit;   /* of translations; a ratio of 0: none is known */
    ModelSearch     search;
    Precision       stored;      /* how a file holds the matrices: PRECISION_FLOAT or _INT8 */
    cJSON          *training;    /* a record of its training; an object */
} Model;

Architecture  model_architecture(const Model *model);     /* the shape of the model's network */

/* model_networks - how many translate together; 1: no ensemble.
 * model_weights - of the network with this number, from 0. */
int           model_networks(const Model *model);
real         *model_weights(const Model *model, int network);
Language      model_source(const Model *model);
Language      model_target(const Model *model);

/* model_search_copy - with ids of its own. model_search_to_json - a new object of what is known.
 * model_format - 3, or 4 if a reader of format 3 could not translate with the model. */
ModelSearch   model_search_copy(const ModelSearch *search);
cJSON        *model_search_to_json(const ModelSearch *search);
int           model_format(const Model *model);

/* model_save - replaces the file, atomically and durably. The weights are stored as F32, whatever
 * `real` is, or as Model.stored says. If a weight is not finite, nothing is written and the old
 * file stays. */
int  model_save(const Model *model, const char *path, Err *e);

/* model_load - checks everything; a truncated, foreign or hostile file is reported in one message,
 * and the model is then all zero. An option that is missing from the file has its default. */
int  model_load(Model *model, const char *path, Err *e);

/* model_load_packed - the same for translation with PRECISION_INT8 and nothing else: of matrices that
 * only products read there are the prepacked copies, a quarter of the bytes, and no others. Where
 * products have no copies this is model_load. */
int  model_load_packed(Model *model, const char *path, Err *e);

/* model_load_training - returns Model.training of a file that attn train has written, in any
 * version of the format: an object, empty if there is no record. It does not check the weights. It
 * returns NULL with a message if the file is not a model. */
cJSON *model_load_training(const char *path, Err *e);

void model_free(Model *model);      /* NULL members are allowed; the model is all zero afterwards */

/* quantise, dequantise - matrices (rows, columns) as integers of 8 bits, each row with a scale of
 * its own: a quarter of the bytes of F32. x is finite.
 *
 *   w_ij ~ scale_i q_ij,   q_ij in -127 .. 127,   scale_i = max_j |w_ij| / 127
 *
 * A scale is rounded up to 16 significant bits. So each scale_i q_ij is exact in 32 bits, what is
 * quantised again gives the same integers and scales, and so do products with PRECISION_INT8
 * (linalg/precision.h) that read whole rows. |w_ij - scale_i q_ij| <= (1/2 + 2^-15) scale_i.
 */
void quantise(const real *x, int rows, int columns, int8_t *q, real *scales);
void dequantise(const int8_t *q, const real *scales, int rows, int columns, real *x);

#endif
