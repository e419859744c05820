/* expansion.h - the words that may follow the hypotheses of a search, and the state of a search:
 * for the files of search/ alone. B sentences, R = B * beam rows at most, V words.
 *
 * Some words never follow: the special ones but <eos>, <unk> where nothing is left to copy,
 * placeholders that the source lacks or that are written, or where no word may begin
 * (text/mask.h), words that would continue a loop, and those that the model forbids. All of them
 * keep their share of the probability.
 *
 * Loops. A network may repeat the same words forever. A word is forbidden if it would end one more
 * than `repeats` successive occurrences of the same one to eight words, unless some words of the
 * source follow themselves as often (1000000000, ha ha ha ha ha). Paulus, Xiong and Socher (2018,
 * section 2.5) let no three words occur twice anywhere: that also forbids what is right, this only
 * loops. <unk> is excepted: it stands for any word.
 *
 * Banks. The places of a beam are divided by how many placeholders are written (Post and Vilar
 * 2018, "Fast Lexically Constrained Decoding with Dynamic Beam Allocation for Neural Machine
 * Translation", section 3.2). A hypothesis that writes a placeholder early is less probable than
 * one that puts it off, and a beam that compares both forgets it. So hypotheses with as many
 * placeholders compete among themselves, for a bank of the beam: of a source with C of them, bank k
 * has about beam / (C + 1) places for those with k. What a bank has no hypotheses for goes to its
 * nearest neighbours. The threshold holds within a bank. The paper forces all constraints into
 * every translation; here a placeholder that is less probable than a word drawn from all by chance
 * is not written, since it then stands better behind the sentence than anywhere inside
 * (translate/translation.h).
 */
#ifndef ATTN_SEARCH_EXPANSION_H
#define ATTN_SEARCH_EXPANSION_H

#include "search/search.h"
#include "text/copies.h"
#include "text/tokenizer/tokenizer.h"

enum { LONGEST_LOOP = 8 };

/* What a translation of one sentence may have at most. */
typedef struct {
    int      unknowns;          /* <unk>; INT_MAX: any number */
    int      repeats;           /* successive occurrences of the same words; 0: any number */
    int      placeholders;      /* whether the vocabulary has them */
    unsigned copies;            /* those of the source, a bit each (placeholder_bit) */
    const unsigned char *breaks;        /* (V) behind which words one may begin in the order of
                                           writing; NULL: behind all */
} WordLimits;

/* What a hypothesis has of it. */
typedef struct {
    int      unknowns;
    unsigned copies;
} WordsWritten;

WordLimits word_limits_of(const Sentence *source, const SearchRules *rules);

/* copies_lacking - how many of `copies` are not among some words. */
int copies_lacking(unsigned copies, const int *ids, int count);

/* The logit of a word that must not follow: finite, so that differences of two are numbers. */
#define FORBIDDEN ((real)-1e30)

/* forbid_words - makes the logits of the words FORBIDDEN that must not follow a node (NULL: at the
 * beginning). */
void forbid_words(real *logits, const Node *last, WordsWritten written, const WordLimits *most);

/* A word that could follow a row. */
typedef struct {
    double log_probability;     /* of all words up to this one */
    int    row, id;
} Candidate;

/* Best first: the more probable; ties by row and word, so that the order never depends on
 * chance. */
typedef struct {
    Candidate *candidate;       /* (most) */
    int        count, most;
} Candidates;

/* The logits of one row; largest holds the greatest of each VECTOR_BLOCK of them, or more. */
typedef struct {
    const real *logit;          /* (V) */
    const real *largest;        /* (ceil(V / VECTOR_BLOCK)) */
    int         V;
} LogitRow;

/* candidates_offer - adds the words of a row that belong among the best: log P = base + logit.
 * Whole blocks that can't are passed over, so that the time is little more than one look at each
 * block. */
void candidates_offer(Candidates *list, const LogitRow *words, int row, double base);

/* sample_word - a word drawn from softmax(logit / temperature), cut as `how` says: to top_k first,
 * then to top_p of what is left. uniform: a random number in [0, 1); p: scratch (V). At least one
 * logit isn't forbidden. */
int sample_word(const real *logit, real *p, int V, const Sampling *how, double uniform);

/* An unfinished hypothesis. */
typedef struct {
    int          sentence;
    int          place;         /* in the beam of its sentence, when words are drawn */
    const Node  *last;          /* its last word; NULL: none */
    int          from;          /* its row in the step before, which holds its decoder state; in the
                                   first step its sentence */
    WordsWritten written;
    double       log_probability;
} Row;

typedef struct {
    double      score;          /* search_worth */
    const Node *last;
    int         length;
} Finished;

typedef struct {
    const SearchRules   *rules;
    const SearchOptions *options;   /* rules->options */
    const Sentence      *sentence;  /* (B) */
    int                  count;     /* B */
    SourceBatch          batch;
    WordLimits          *limits;    /* (B) */
    ScorerState         *scorer;    /* (scorers) */
    int                  scorers, V;
    Row                 *row;       /* (rows) of this step; those of a sentence are neighbours,
                                       best first */
    Row                 *next;      /* (next_rows) of the next step */
    int                  rows, next_rows;
    Finished            *finished;  /* (B, beam) best first; they share the places of a sentence
                                       with its rows */
    int                 *finished_count;    /* (B) */
    Candidates          *candidates;    /* (B) the best words behind all rows of each sentence */
    Candidates         **banks;     /* (B) its banks; NULL: its places are not divided */
    Candidates          *alternatives;  /* (R) the most probable words behind each row; NULL: not
                                           wanted */
    StepRows             step;      /* has room for R */
    real                *largest;   /* of the logits of a row, block by block */
    real                *p;         /* (V) probabilities of a row, when words are drawn */
    Region              *memory;    /* of all but the scorers and the batch */
} Search;

/* candidates_new - `lists` empty ones for `most` each. */
Candidates *candidates_new(Region *region, size_t lists, int most);

/* banks_new - those of the sentences with placeholders, but none with a beam of one or where words
 * are drawn. */
Candidates **banks_new(const Search *s);

/* expand_rows - fills s->candidates and s->alternatives after a step of the scorers. position: of
 * the words to be written, from 0. A sentence with a row that has no numbers gets one candidate,
 * <eos> with the log-probability NaN, and loses its finished hypotheses. */
void expand_rows(Search *s, int position);

#endif
