/* tokenizer.h - raw text of one language to ids and back; what it learned travels in the model
 * file.
 *
 *     line --normalise--> line --split--> words --subwords--> pieces --vocabulary--> ids
 *
 * Kinds:
 *   bpe    words and punctuation are split reversibly (a leading U+2581 marks that a blank stood before), then cut
 *          into subwords by byte-pair encoding (Sennrich, Haddow and Birch 2016, "Neural Machine Translation of Rare
 *          Words with Subword Units", Algorithm 1) learned on the training side, or read from a file.
 *   char   the same without merges.
 *   word   the textbook's (Zhang et al., Dive into Deep Learning, section 10.5 "Machine Translation and the Dataset"):
 *          lower case if asked, U+202F, U+00A0 and controls to blanks, a blank before each of , . ! ? that has none,
 *          split at blanks, words seen fewer than `min_frequency` times become <unk>. Decoding joins with blanks.
 *
 * Unknown text. A piece that the vocabulary doesn't hold falls back to its characters. Characters
 * that it doesn't hold, because the training text has them too rarely for its size, or never,
 * become <unk>: one for each longest run of them in a word. What each <unk> stands for is told by
 * tokenizer_encode and taken by tokenizer_decode, so that with bpe and char a line always comes
 * back as its normal form, byte for byte. (The mark itself is always in their vocabularies.)
 *
 * Normalisation of bpe and char: NFC, every Unicode blank to U+0020, runs of blanks to one, none at
 * the ends, control and zero-width format characters removed except ZWJ and ZWNJ, U+2581 to '_';
 * lower case if asked.
 */
#ifndef ATTN_TEXT_TOKENIZER_H
#define ATTN_TEXT_TOKENIZER_H

#include "base/buf.h"
#include "base/error.h"
#include "base/field.h"
#include "base/json.h"
#include "text/bpe.h"
#include "text/string_table.h"
#include "text/merges.h"
#include "text/words.h"

#include <stddef.h>

/* The first four ids of every vocabulary. */
enum { ID_UNK, ID_PAD, ID_BOS, ID_EOS, ID_SPECIALS };
extern const char *const special_pieces[ID_SPECIALS];              /* "<unk>", "<pad>", "<bos>", "<eos>" */

enum { VOCABULARY_MOST = 2000000 };                                /* entries */

enum { TOKENS_BPE, TOKENS_WORD, TOKENS_CHAR };

typedef struct {
    int tokens;              /* TOKENS_... */
    int vocabulary;          /* most entries, the specials included; 0: no limit */
    int min_frequency;       /* word: rarer words become <unk> */
    int lowercase;
    int shared;              /* one vocabulary for both languages */
} TextOptions;

/* The rows of TextOptions: --tokens --vocabulary --min-frequency --lowercase --shared-vocabulary */
extern const Field text_fields[];
TextOptions text_defaults(void);    /* bpe, 0, 1, cased */

/* text_vocabulary - the size of the vocabulary that suits a training text: options->vocabulary
 * unless that is 0 and the kind bpe; then 35 * sqrt(pairs), so that the rarest pieces are still
 * seen some times in a small text and most words are whole in a large one: 3,500 for 10^4 pairs,
 * 12,000 for 1.2 * 10^5, 32,000 from 8.3 * 10^5 on. */
int text_vocabulary(const TextOptions *options, double pairs);

typedef struct Tokenizer Tokenizer;

/* A growing list of ids; zero-initialise, ids_free releases. */
typedef struct { int *id; size_t count, capacity; } Ids;
void ids_add(Ids *ids, int id);
void ids_reserve(Ids *ids, size_t count);       /* room for so many in all */
void ids_free(Ids *ids);

/* tokenizer_split - the words of one line of valid UTF-8, normalised; replaces what `words`
 * holds. */
void tokenizer_split(const TextOptions *options, const char *line, size_t length, Words *words);

/* The distinct words of a text and how often each occurs; words with times 0 are not part of it. */
typedef struct {
    const StringTable *words;
    const long    *times;               /* (words->count) */
} WordCounts;

/* tokenizer_learn - the tokenizer for the sum of `sides` counts over one and the same lexicon (2: a
 * vocabulary for two languages). Nothing but the counts matters, not the order of the words: of
 * equally frequent entries, the one with the lower bytes goes first. With `import` its merges are
 * used and none are learned: the vocabulary then is all characters and the most frequent pieces
 * that the merges leave of the words. Never fails: an empty text gives the specials and, but for
 * words, the mark. The caller frees it with tokenizer_free. */
Tokenizer *tokenizer_learn(const TextOptions *options, const WordCounts *counts, size_t sides, const Merges *import);

/* tokenizer_new - from its parts, which it takes over and leaves empty: a vocabulary that begins
 * with special_pieces, and merges (none unless options say bpe). */
Tokenizer *tokenizer_new(const TextOptions *options, StringTable *vocabulary, Merges *merges);

cJSON     *tokenizer_to_json(const Tokenizer *t);
/* tokenizer_from_json - trusts nothing: types, sizes, duplicate pieces, learned merges of unknown
 * pieces are errors. */
Tokenizer *tokenizer_from_json(const cJSON *json, Err *e);
void       tokenizer_free(Tokenizer *t);

const TextOptions *tokenizer_options(const Tokenizer *t);      /* what it was learned with; owned by t */
int         tokenizer_size(const Tokenizer *t);                /* entries of the vocabulary */
const char *tokenizer_piece(const Tokenizer *t, int id);       /* as stored: "▁calm", "<eos>"; owned by t */

const Merges *tokenizer_merges(const Tokenizer *t);            /* empty unless the kind is bpe; owned by t */

/* All below are safe to call from several threads at once on one tokenizer. */

/* tokenizer_encode - appends the ids of one line (valid UTF-8, `length` bytes), without <bos> and
 * <eos>; and to `unknown`, unless it is NULL, the text that each <unk> among them stands for, in
 * order. */
void tokenizer_encode(const Tokenizer *t, const char *line, size_t length, Ids *ids, Words *unknown);

/* tokenizer_encode_word - appends the ids of one word of tokenizer_split; noise NULL: as in
 * tokenizer_encode. Only bpe knows noise. */
void tokenizer_encode_word(const Tokenizer *t, const char *word, size_t length, const BpeNoise *noise, Ids *ids);

/* tokenizer_decode - appends the text of `count` ids to `out`; ids that are no words (<pad>, <bos>,
 * <eos>) are left out. copies: what to write for each <unk> among the ids, in order; where an entry
 * is NULL, or copies itself is, "<unk>" is written. Words stand one blank apart, with none at the
 * ends, whatever marks of blanks are among the ids. */
void tokenizer_decode(const Tokenizer *t, const int *ids, size_t count, const char *const *copies, Buf *out);

#endif
