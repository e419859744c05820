/* formats.h - the three formats of networks: from named arrays and options to a model.
 *
 * Each function sets all of the model but its record; the message names a file where one is to
 * blame, and else nothing: then it is the network's.
 */
#ifndef ATTN_IMPORT_FORMATS_H
#define ATTN_IMPORT_FORMATS_H

#include "import/arrays.h"
#include "import/package.h"
#include "import/vocabulary.h"

/* What import.c has read of a network. */
typedef struct {
    const Package *package;
    Arrays         arrays;
    Vocabularies   vocabularies;
} Foreign;

/* import_marian - Marian's transformers: options from special:model.yml, names of
 *   src/models/transformer.h of marian-dev.
 * import_hugging_face - MarianMT of the library transformers (models/marian/modeling_marian.py).
 * import_ctranslate2 - the encoder and decoder of CTranslate2 (python/ctranslate2/specs). */
int import_marian(Foreign *foreign, Model *model, Err *e);
int import_hugging_face(Foreign *foreign, Model *model, Err *e);
int import_ctranslate2(Foreign *foreign, Model *model, Err *e);

/* ---- What they share ---- */

/* config_flag, config_number, config_text - what an object of JSON, or NULL, has under a key; a
 * value of another type counts as none, and a flag without one is off. */
int         config_flag(const cJSON *config, const char *key);
double      config_number(const cJSON *config, const char *key, double by_default);
const char *config_text(const cJSON *config, const char *key, const char *by_default);

/* network_of_layers - a network of self-attention alone, with these layers and width, whose words
 * are read times the root of it. */
NetworkOptions network_of_layers(int width, int encoder_layers, int decoder_layers);

/* tie_of - which of these matrices are one, TIE_...; the two vocabularies may be shared or not. */
int tie_of(const Array *source, const Array *target, const Array *output, int is_shared);

/* read_positions - sets the kind of sinusoids that a table (P, width) has, or learned positions. */
void read_positions(const Array *table, NetworkOptions *o);

/* model_language - sets a language of the text options to this code, or NULL, if it is its tag.
 * model_finish - tokenizers, then weights by the rules: what every format does last. Its embeddings
 * say how many rows each vocabulary has. */
void model_language(const char *code, char tag[FIELD_WORD_BYTES]);
int  model_finish(Foreign *foreign, const Array *source, const Array *target, Mapping *mapping,
                  Model *model, Err *e);

#endif
