/* data.h - from corpus files to the inputs of training: the parts, both tokenizers, all pairs as
 * ids.
 *
 * A hash of the source's normal form (text/corpus/corpus.h) selects the part, so that anyone can
 * select the same. A tokenizer may see less than the normal form: with --lowercase no case, with
 * the textbook's rules no blank before a full stop. Sources that look the same to the tokenizer may
 * be in different parts. Such a pair of the training part is left out too, so that no held-out
 * source is trained on. A validation file of its own removes nothing from the training part: pairs
 * with one of its sources are counted (Examples.validated).
 *
 * If a source has several translations, the first is the one that a single reference is compared
 * with, and often the plainest. It can be the only one that is learned (none is, if it is too
 * long).
 *
 * The files are read once (Reading). Training pairs are kept as numbers of words
 * (train/data/examples.h), validation pairs as text, test pairs not at all. Only a file to replay
 * is read twice: first its pairs are counted.
 */
#ifndef ATTN_TRAIN_DATA_H
#define ATTN_TRAIN_DATA_H

#include "text/corpus/corpus.h"
#include "train/data/examples.h"
#include "train/hyperparameters.h"

/* Validation pairs that are used; further ones of a larger corpus are not. */
enum { MOST_VALID = 20000 };

typedef struct {
    BitextFiles    files;
    const char    *valid;           /* a TSV for validation; NULL: the sources of PART_VALID */
    const char    *replay;          /* a TSV whose training part, by the same hash, is learned too:
                                     * three of its sources for each pair of `files` to train,
                                     * evenly spread; NULL: none */
    int            holdout;         /* keep the sources of PART_TEST out and, without `valid`, those
                                     * of PART_VALID */
    BitextOptions  cleaning;        /* of `files`; of `valid` only lines with faults are left out */
    size_t         first_only;      /* of so many training sources, by their hashes, only the first
                                     * translation is learned; 0: all are */
    size_t         sample;          /* most word pairs to learn phrases from (train/data/phrases.h);
                                     * 0: none are learned */
    size_t         memory;          /* bytes for training pairs, of all processes together; further
                                     * pairs go to a file in */
    const char    *folder;
    int            workers;         /* that read; 0: one a core. The result is the same */
    TextOptions    text;
    Language       base[LANGUAGES]; /* of a model whose vocabularies and lexicons this text extends, or of
                                     * files of vocabularies; tokenizer NULL: learn new ones */
    ExampleOptions examples;
    int            valid_segments, length_segments;         /* of Data.text, Data.length_text */
    /* Called before the first line is judged; may still set `cleaning` and `text`. is_sequence:
     * text.tokens is "auto", and the corpus is one (sequences_are). May be NULL. */
    void         (*begin)(void *context, int is_sequence);
    /* Called after the files are read, before anything is learned; may still set `examples` and the
     * segments. -1 ends the work. May be NULL. */
    int          (*settle)(void *context, const CorpusSize *size, Err *e);
    void          *context;
    Processes     *processes;       /* each holds its share of the training pairs; NULL: this one
                                     * holds all */
} DataOptions;

typedef struct {
    BitextReport report, valid_report, replay_report;       /* the last two of DataOptions.valid,
                                                             * .replay */
    size_t       part[PARTS];       /* pairs in each part */
    size_t       trained[PARTS];    /* pairs of the training part, by the part that their source's
                                     * hash names: all PART_TRAIN where nothing else is learned */
    size_t       replayed;          /* pairs of DataOptions.replay in the training part */
    size_t       further;           /* translations of the training part left out because they are
                                     * not the first of their source */
    TextOptions  learned;           /* DataOptions.text with the size of the vocabulary settled */
    Tokenizer   *source, *target;   /* learned on the training part; the same pointer if the
                                     * vocabulary is shared. A caller that takes them over, as the
                                     * lexicons, sets them to NULL */
    Lexicon     *lexicon[LANGUAGES];        /* NULL: the text needs none */
    Examples     train;
    Corpus       valid_corpus;
    Pairs        valid;
    Segments     text;              /* of valid_corpus, to translate in each validation */
    Segments     length_text;       /* of valid_corpus, for length_calibration */
    double       source_tokens, target_tokens;      /* of the training part, without <eos> */
    double       read_seconds, learn_seconds, encode_seconds;
    double       unknown;           /* share of <unk> among the tokens of the test part */
} Data;

/* data_prepare - reads, splits, learns, encodes. A training part without a usable pair is an error.
 * data_free - also after a failure. */
int  data_prepare(Data *data, const DataOptions *options, Err *e);
void data_free(Data *data);

/* What data_prepare reads: the words of the files, their counts, and the training pairs as numbers
 * of words.
 *
 * Lines are taken in rounds. What is done to each line alone is done by all workers; what depends
 * on the lines before it (duplicates, the first translation, the numbers of words) is done in the
 * order of the lines. So the result does not depend on the workers.
 */
typedef struct {
    Data              *data;                /* gets reports, parts, and validation pairs */
    const DataOptions *options;
    PairStore         *store;               /* gets the training pairs */
    StringTable        words;
    WordKinds          kinds;
    WordUses           train, test;         /* (words.count) */
    WordForms          forms;               /* takes over `words` and `kinds` */
    PairSample         sample;              /* of the training pairs, where phrases are learned */
    HashSet            sources;             /* of the training part, with DataOptions.first_only */
    HashSet            held_out, validated; /* source_hash of all pairs that are not trained on, and
                                             * of DataOptions.valid */
} Reading;

/* sequences_are - whether a corpus with these lines (count), as bitext_read gave them, is one of
 * sequences that are no sentences: spellings and sounds, dates, numbers and their words, lemmas and
 * their forms. In sentences many words come again. In sequences, on one side, more than half of the
 * running words occur once, as spellings do, or there is less than one kind of word for 20 lines,
 * as of sounds (data/results/quality.md: 63 corpora of sentences, 23 of sequences). A pair that
 * comes again does not count, nor does a side whose script has no blanks between words. 0 for few
 * lines, of which nothing can be said. */
int sequences_are(const BitextLine *line, size_t count);

/* reading_read - reads all files. -1: a file cannot be read, or the store not be written.
 * reading_free - also after a failure. */
int  reading_read(Reading *r, Err *e);
void reading_free(Reading *r);

#endif
