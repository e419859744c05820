/* search_options.h - what a user may ask of a translation. */
#ifndef ATTN_SEARCH_SEARCH_OPTIONS_H
#define ATTN_SEARCH_SEARCH_OPTIONS_H

#include "base/field.h"

#include <stdatomic.h>
#include <stdint.h>

enum { REPEATS_MOST = 100 };

/* How a word is drawn. Words as probable as the last one that stays, stay. */
typedef struct {
    double temperature;         /* p is proportional to exp(logit / temperature) */
    int    top_k;               /* only from the k most probable (Fan, Lewis and Dauphin 2018);
                                   0: from all */
    double top_p;               /* only from the fewest, at least one, that have so much of what
                                   top_k leaves together (Holtzman et al. 2020) */
} Sampling;

typedef struct {
    int      beam;              /* 1: greedy */
    int      nbest;             /* hypotheses of a line, at most `beam`; any number if words are
                                   drawn */
    double   beam_threshold;    /* a hypothesis ends once its log-probability is by more than this
                                   below that of the nbest-th best of its sentence (Freitag and
                                   Al-Onaizan 2017, section 3, absolute threshold pruning); 0: none
                                   does */
    double   normalize;         /* a: scores are log P / length^a; 0: log P */
    int      repeats;           /* most successive occurrences of the same words
                                   (search/expansion.h); 0: any number */
    int      batch;             /* sentences translated together */
    int      split;             /* cut a line where the model needs it */
    int      precision;         /* PRECISION_...: how products round (linalg/precision.h); one for
                                   which precision_works, or FIELD_AUTO: search_precision */
    int      replace_unknown;   /* models of words: <unk> becomes the word of the source with the
                                   highest attention */
    int      sample;            /* draw the words as `sampling` says instead of searching for the
                                   best */
    Sampling sampling;
    uint64_t seed;
    /* no options of a command: those who leave them out save memory and time */
    char     to[FIELD_WORD_BYTES];      /* the language of translations, of a model that knows
                                   several; "": as the line says */
    int      attention;         /* keep the attention of all hypotheses */
    int      extra;             /* so many more hypotheses than nbest are returned, as far as
                                   beam_threshold leaves them; nbest + extra is at most `beam` */
    int      probabilities;     /* of the words are wanted; without, those of greedy search mean
                                   nothing */
    int      alternatives;      /* most probable words to keep for each position */
    const atomic_int *stop;     /* once it is not 0 a run ends soon, with no translation of any of
                                   its lines; NULL: never */
} SearchOptions;

extern const Field search_fields[];     /* from beam to precision */
extern const Field sampling_fields[];   /* from sample to seed */
SearchOptions search_defaults(void);

/* search_precision - the precision of "auto": the fastest one that costs no BLEU. */
int search_precision(void);

/* search_places - hypotheses of a sentence that a search returns at most. */
int search_places(const SearchOptions *options);

/* search_score - by which hypotheses of any length are compared: log P / length^a. */
double search_score(const SearchOptions *options, double log_probability, int length);

/* search_is_stopped - whether options->stop asks for the end. */
int search_is_stopped(const SearchOptions *options);

#endif
