/* tokenizer.h - raw text of one language to ids and back. A model file holds what a tokenizer
 * learned.
 *
 *     line --normalise--> line --split--> words --subwords--> pieces --vocabulary--> ids
 *
 * Kinds:
 *   bpe    Words and punctuation are split reversibly (text/words.h), then cut into subwords by byte-pair encoding
 *          (Sennrich, Haddow and Birch 2016, "Neural Machine Translation of Rare Words with Subword Units", Algorithm 1),
 *          whose merges are learned on the training side.
 *   char   The same without merges.
 *   symbol For sequences that are no sentences: spellings, sounds, dates, features. A word that stands
 *          between blanks is one entry if it is frequent (SYMBOL_TIMES); of other words, each character is. So phones and
 *          features are whole, and new words are spelled.
 *   word   The textbook's (Zhang et al., Dive into Deep Learning, section 10.5, "Machine
 *          Translation and the Dataset"; words_split_textbook). Words seen fewer than `min_frequency` times become <unk>.
 *          Decoding joins with blanks.
 *   sentencepiece  A line goes whole to a SentencePiece model (sentencepiece.h), which cuts it into
 *          pieces; of these the vocabulary is. One that it lacks is <unk>.
 *   whitespace     What stands between blanks is a token, or <unk>. Decoding joins with blanks.
 * The last two are plain (text_is_plain): nothing is done to a line before, no word of it is
 * copied, noised or cased.
 *
 * Unknown text: a piece that is not in the vocabulary is encoded as its characters. Characters that
 * are not in it, because the training text has them too rarely for its size, or never, become
 * <unk>: one for each longest run of them in a word. tokenizer_encode returns the text behind each
 * <unk>, and tokenizer_decode takes it, so that with bpe, char and symbol every line comes back as its
 * normal form, byte for byte. (The mark itself is always in their vocabularies.)
 *
 * The normal form of these kinds is that of words_normalise, of a source of bpe and char that of words_fold.
 */
#ifndef ATTN_TEXT_TOKENIZER_TOKENIZER_H
#define ATTN_TEXT_TOKENIZER_TOKENIZER_H

#include "base/buf.h"
#include "base/error.h"
#include "base/field.h"
#include "base/json.h"
#include "text/string_table.h"
#include "text/tokenizer/bpe.h"
#include "text/tokenizer/sentencepiece.h"
#include "text/words.h"

#include <stddef.h>

/* The first four ids of every vocabulary: "<unk>", "<pad>", "<bos>", "<eos>". The placeholders
 * follow them (text/copies.h), where TextOptions.placeholders is set. */
enum { ID_UNK, ID_PAD, ID_BOS, ID_EOS, ID_SPECIALS };
extern const char *const special_pieces[ID_SPECIALS];

/* placeholder_bit - 1 << k for the id of placeholder k; 0 for other ids. Only for vocabularies that
 * have them. */
unsigned placeholder_bit(int id);

enum { VOCABULARY_MOST = 2000000 };     /* entries */

/* Those before TOKENS_KINDS learn their tokens from the words of attn. */
enum { TOKENS_BPE, TOKENS_WORD, TOKENS_CHAR, TOKENS_SYMBOL, TOKENS_KINDS,
       TOKENS_SENTENCEPIECE = TOKENS_KINDS, TOKENS_WHITESPACE };

/* What is done to a line before a segmenter has it. PREPARATION_OPUS: the punctuation of OPUS-MT's
 * preprocess-spm.sh (text/tokenizer/plain.c). */
enum { PREPARATION_NONE, PREPARATION_OPUS, PREPARATIONS };

/* A word of kind symbol is frequent if it occurs so many times in the training text, and is at least one of so many of its
 * running words. */
enum { SYMBOL_TIMES = 10, SYMBOL_RUNNING_WORDS = 2000 };

typedef struct {
    int tokens;              /* TOKENS_... */
    int vocabulary;          /* most entries, the specials included; 0: no limit */
    int min_frequency;       /* word: rarer words become <unk> */
    int lowercase;
    int shared;              /* one vocabulary for both languages */
    int truecase;            /* words in their usual case (lexicon_form); not
                              * with `lowercase` */
    int placeholders;        /* numbers, unknown names and the like are copied (text/copies.h) */
    char from[FIELD_WORD_BYTES], to[FIELD_WORD_BYTES];   /* the languages, as tags; "": not known */
} TextOptions;

/* The rows of TextOptions: --tokens --vocabulary --min-frequency --lowercase --shared-vocabulary
 * --truecase --placeholders --from --to */
extern const Field text_fields[];
TextOptions text_defaults(void);    /* bpe, 0, 1, cased, no placeholders, no languages */

/* text_language - gives the tag of a language, the value of an option, its usual form (unicode_language); "" stays. -1
 * with a message if it is no tag. text_languages - both of the options. */
int text_language(const char *option, char tag[FIELD_WORD_BYTES], Err *e);
int text_languages(TextOptions *options, Err *e);

/* text_is_same - whether two options make the same words of a line.
 * text_needs_lexicon - whether they need a lexicon (text/lexicon.h). */
int text_is_same(const TextOptions *one, const TextOptions *other);
int text_needs_lexicon(const TextOptions *options);

/* text_is_plain - whether a line goes to the network as it is: tokens sentencepiece or whitespace.
 * text_has_words - whether the tokens are what stands between blanks: word or whitespace. */
int text_is_plain(const TextOptions *options);
int text_has_words(const TextOptions *options);

/* text_vocabulary - the size of vocabulary for a training text: options->vocabulary, unless that is
 * 0 and the kind bpe; then 35 * sqrt(pairs), from 8,000 to 16,000, so that most words are whole:
 * 12,000 for 1.2 * 10^5 pairs. A small text has fewer, and then all words
 * that are no more often parts of others are whole; with 35 * sqrt(pairs) there 2,000 and 10,000 pairs
 * lose more than 1 BLEU (data/results/scaling.md). */
int text_vocabulary(const TextOptions *options, double pairs);

/* ids_reverse - the words in the other order; a last <eos> stays the last. */
void ids_reverse(int *id, size_t count);

/* ---- Learning ---- */

/* Read only. tokenizer_free releases it. */
typedef struct {
    TextOptions options;
    StringTable vocabulary;     /* its ids are the tokens; the first ID_SPECIALS are special */
    Merges      merges;         /* empty unless the kind is bpe */
    SentencePiece *segmenter;   /* NULL unless the kind is sentencepiece */
    int           *piece;       /* (vocabulary.count) the segmenter's id of each token; -1: it has
                                 * none */
    int            preparation; /* PREPARATION_...: what is done to a line before */
} Tokenizer;

/* The distinct words of a text, and how often each occurs; a word with 0 times is not part of
 * it. */
typedef struct {
    const StringTable *words;
    const long        *times;           /* (words->count) */
} WordCounts;

/* tokenizer_learn - the tokenizer for the sum of `sides` counts over the same string table (2: one
 * vocabulary for two languages). Only the counts matter, not the order of the words: of equally
 * frequent entries, the one with the lower bytes goes first. An empty text gives the
 * specials and, except for kind word, the mark.
 * tokenizer_extend - a tokenizer with the entries and merges of `base`, and behind those what the
 * text has that it lacks: with bpe, char and symbol the characters, with word and whitespace the words seen min_frequency
 * times or more, with sentencepiece nothing; the most frequent first. What `base` knows is split as before. */
Tokenizer *tokenizer_learn(const TextOptions *options, const WordCounts *counts, size_t sides);
Tokenizer *tokenizer_extend(const Tokenizer *base, const WordCounts *counts, size_t sides);

/* tokenizer_of_pieces - the tokenizer of a network that was made elsewhere.
 *   options    tokens is TOKENS_SENTENCEPIECE or TOKENS_WHITESPACE
 *   segmenter  taken over, also after a failure; NULL with TOKENS_WHITESPACE
 *   piece      (count) the text of each token in the order of the network's ids, but for those that
 *              special_pieces stand for, which come first here: piece[i] has the id ID_SPECIALS + i.
 *              So </s>, <unk>, <s> and <pad>, or whatever their names are, are not among them.
 * NULL with a message if a piece occurs twice, is empty, or is no UTF-8. Two tokenizers of one
 * vocabulary (text.shared) may have a segmenter each.
 * tokenizer_of_segmenter - the same with all pieces of the segmenter, in their order, that text may
 * have. */
Tokenizer *tokenizer_of_pieces(const TextOptions *options, SentencePiece *segmenter,
                               const char *const *piece, size_t count, Err *e);
Tokenizer *tokenizer_of_segmenter(const TextOptions *options, SentencePiece *segmenter, Err *e);

/* tokenizer_set_segmenter - for a tokenizer of kind sentencepiece that tokenizer_from_json has read:
 * reads the bytes of its SentencePiece model. -1 with a message.
 * vocabularies_are_same - whether both have the same tokens with the same ids.
 * tokenizers_are_same - whether both cut every line into the same ids, too. */
int tokenizer_set_segmenter(Tokenizer *t, const void *bytes, size_t size, Err *e);
int vocabularies_are_same(const Tokenizer *a, const Tokenizer *b);
int tokenizers_are_same(const Tokenizer *a, const Tokenizer *b);

/* tokenizer_language - the id of the token that asks a network of several targets for this one:
 * >>fra<< for "fra" or another tag of that language, such as "fr"; 0: the vocabulary has none.
 * tokenizer_languages - appends the languages of all such tokens, with a blank between them.
 * language_length - the bytes of a token like >>fra<< at the beginning of a text; 0: there is none. */
int    tokenizer_language(const Tokenizer *t, Slice language);
void   tokenizer_languages(const Tokenizer *t, Buf *out);
size_t language_length(Slice text);

/* tokenizer_from_json - NULL with a message for wrong types and sizes, duplicate pieces, and
 * learned merges of unknown pieces: it trusts nothing. */
Tokenizer *tokenizer_from_json(const cJSON *json, Err *e);
cJSON     *tokenizer_to_json(const Tokenizer *t);
void       tokenizer_free(Tokenizer *t);

/* tokenizer_piece - an entry as stored: "▁calm", "<eos>". tokenizer_size - entries of the vocabulary. */
const char *tokenizer_piece(const Tokenizer *t, int id);
int         tokenizer_size(const Tokenizer *t);

/* ---- Lines to ids ----
 *
 * Several threads may call these functions on one tokenizer at once.
 *
 * tokenizer_split - replaces `words` by the words of one line of valid UTF-8, normalised; by its
 *   pieces where a segmenter finds them. It needs the options, and of a plain kind the segmenter,
 *   the preparation, and the vocabulary, which says what words like >>fra<< are tokens.
 * tokenizer_split_source - the same for a line of the source, folded (words_fold), in which words end before the bytes `at`
 *   (count, rising) of the line as well; before: (count) becomes the number of words before each.
 * tokenizer_encode - appends the ids of one line (valid UTF-8), without <bos> and <eos>. Appends to `unknown`, unless that is
 *   NULL, the text behind each <unk> among them, in order.
 * tokenizer_encode_range - the same for words [first, end): of tokenizer_split, or of text/mask.h.
 * tokenizer_encode_word - for one word. noise: for bpe only; NULL: as tokenizer_encode.
 * tokenizer_writes - whether the vocabulary has each character of a text. */
void tokenizer_split(const Tokenizer *t, const char *line, size_t length, Words *words);
void tokenizer_split_source(const Tokenizer *t, const char *line, size_t length, const size_t *at, size_t *before,
                            size_t count, Words *words);
void tokenizer_encode(const Tokenizer *t, const char *line, size_t length, Ids *ids, Words *unknown);
void tokenizer_encode_range(const Tokenizer *t, const Words *words, size_t first, size_t end, Ids *ids, Words *unknown);
void tokenizer_encode_word(const Tokenizer *t, Slice word, const BpeNoise *noise, Ids *ids);
int  tokenizer_writes(const Tokenizer *t, Slice word);

/* The ids of every word of a string table: a text that is stored as numbers of words becomes tokens by looking them up. */
typedef struct {
    const Tokenizer   *tokenizer;   /* borrowed, as the words are */
    const StringTable *words;
    Ids                ids;         /* of all words, one after another */
    size_t            *end;         /* (words->count) where each word's ids end in `ids` */
} WordPieces;

/* word_pieces_length - how many ids the word has without noise.
 * word_pieces_add - appends the word's ids; noise may be NULL. */
void word_pieces_init(WordPieces *pieces, const Tokenizer *tokenizer, const StringTable *words);
void word_pieces_free(WordPieces *pieces);
int  word_pieces_length(const WordPieces *pieces, int word);
void word_pieces_add(const WordPieces *pieces, int word, const BpeNoise *noise, Ids *ids);

/* ---- Ids to lines ----
 *
 * tokenizer_decode - appends the text of `count` ids to `out`, without <pad>, <bos> and <eos>.
 * replacements: (count) the text to write for each id; its piece for an entry that is NULL, and for
 * all if `replacements` is NULL. Words are separated by one blank, with none at
 * the ends, whatever marks of blanks are among the ids. text: (count) becomes what the line has of
 * each piece, as words_join_pieces has it; or NULL. */
void tokenizer_decode(const Tokenizer *t, const int *ids, size_t count,
                      const char *const *replacements, PieceText *text, Buf *out);

#endif
