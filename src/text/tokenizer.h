/* tokenizer.h - raw text of one language to ids and back; what it learned travels in the model file.
 *
 *     line --normalise--> line --split--> words --subwords--> pieces --vocabulary--> ids
 *
 * Kinds:
 *   bpe    words and punctuation are split reversibly (a leading U+2581 marks that a blank stood before), then cut
 *          into subwords by byte-pair encoding (Sennrich, Haddow and Birch 2016, "Neural Machine Translation of Rare
 *          Words with Subword Units", Algorithm 1) learned on the training side.
 *          Decoding gives the normalised line back, byte for byte, where no <unk> was needed. A character that the
 *          training text does not hold, or too rarely for the size of the vocabulary, becomes <unk>: what it was is
 *          lost.
 *   char   the same without merges.
 *   word   the textbook's (Zhang et al., Dive into Deep Learning, section 10.5 "Machine Translation and the Dataset"):
 *          lower case if asked, U+202F, U+00A0 and controls to blanks, a blank before each of , . ! ? that has none,
 *          split at blanks, words seen fewer than `min_frequency` times become <unk>. Decoding joins with blanks.
 *
 * Normalisation of bpe and char: NFC, every Unicode blank to U+0020, runs of blanks to one, none at the ends, control
 * and zero-width format characters removed except ZWJ and ZWNJ, U+2581 to '_'; lower case if asked.
 */
#ifndef ATTN_TEXT_TOKENIZER_H
#define ATTN_TEXT_TOKENIZER_H

#include "base/buf.h"
#include "base/error.h"
#include "base/field.h"
#include "base/json.h"

#include <stddef.h>

/* The first four ids of every vocabulary. */
enum { ID_UNKNOWN, ID_PAD, ID_BEGIN, ID_END, ID_SPECIALS };   /* <unk> <pad> <bos> <eos> */

enum { TOKENS_BPE, TOKENS_WORD, TOKENS_CHAR };

typedef struct {
    int tokens;              /* TOKENS_... */
    int vocabulary;          /* most entries, the specials included; 0: no limit (word) */
    int min_frequency;       /* word: rarer words become <unk> */
    int lowercase;
} TextOptions;

extern const Field text_fields[];   /* the rows of TextOptions: --tokens --vocabulary --min-frequency --lowercase */
TextOptions text_defaults(void);    /* bpe, 8000, 1, cased */

typedef struct Tokenizer Tokenizer;

/* A growing list of ids; zero-initialise, ids_free releases. */
typedef struct { int *id; size_t count, capacity; } Ids;
void ids_add(Ids *ids, int id);
void ids_free(Ids *ids);

/* tokenizer_learn - the tokenizer for `count` lines of valid UTF-8. Never fails: an empty text gives the specials
 * only. The caller frees it with tokenizer_free. */
Tokenizer *tokenizer_learn(const TextOptions *options, const char *const *lines, size_t count);

cJSON     *tokenizer_to_json(const Tokenizer *t);
/* tokenizer_from_json - trusts nothing: types, sizes, duplicate pieces, merges of unknown pieces are errors. */
Tokenizer *tokenizer_from_json(const cJSON *json, Err *e);
void       tokenizer_free(Tokenizer *t);

const TextOptions *tokenizer_options(const Tokenizer *t);      /* what it was learned with; owned by t */
int         tokenizer_size(const Tokenizer *t);                /* entries of the vocabulary */
const char *tokenizer_piece(const Tokenizer *t, int id);       /* as stored: "▁calm", "<eos>"; owned by t */

/* tokenizer_encode - appends the ids of one line (valid UTF-8, `length` bytes), without <bos> and <eos>.
 * Safe to call from several threads at once on one tokenizer. */
void tokenizer_encode(const Tokenizer *t, const char *line, size_t length, Ids *ids);

/* tokenizer_decode - appends the text of `count` ids to `out`; ids that are no words (<pad>, <bos>, <eos>) are left
 * out, <unk> is written as "<unk>". */
void tokenizer_decode(const Tokenizer *t, const int *ids, size_t count, Buf *out);

#endif
