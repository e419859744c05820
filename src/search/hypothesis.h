/* hypothesis.h - a translation that a search found for one source, as ids. */
#ifndef ATTN_SEARCH_HYPOTHESIS_H
#define ATTN_SEARCH_HYPOTHESIS_H

/* A word that could stand at a position, and its probability behind the words before it. */
typedef struct {
    int    id;
    double log_probability;
} Alternative;

/* Where the network overflows, the logits of a word are no numbers. The sentence then has a single
 * hypothesis, whose log_probability and score are NaN. */
typedef struct {
    int          length;
    int         *ids;               /* (length) owned; the last is <eos> unless the length limit
                                       ended the search */
    double      *log_probabilities; /* (length) owned: of each word behind the words before it */
    float       *attention;         /* (length, source_length) owned; NULL: not kept */
    Alternative *alternatives;      /* (length, SearchOptions.alternatives) owned: the most
                                       probable words at each position, best first; NULL: not
                                       kept */
    double       log_probability;   /* the sum */
    double       score;             /* log_probability / length^normalize; of networks of both
                                       directions, what they agree on (search/agreement.h) */
} Hypothesis;

void hypothesis_free(Hypothesis *h);

/* hypothesis_is_finished - whether it ends in <eos>: not where the limit of the length has ended it. */
int hypothesis_is_finished(const Hypothesis *h);

/* hypothesis_reverse - the words in the other order, but for a last <eos>, and with each what is known
 * of it. source_length: of its attention; alternatives: of each word. */
void hypothesis_reverse(Hypothesis *h, int source_length, int alternatives);

#endif
