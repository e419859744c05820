/* examples.c - see examples.h. */
#include "train/examples.h"

#include "base/hash.h"
#include "base/min.h"
#include "base/mem.h"
#include "base/rng.h"
#include "text/unicode.h"
#include "text/words.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A character that is in no text: Unicode reserves it for ever. */
#define NO_CHARACTER "\U0010FFFF"

/* ---- Sources ---- */

/* Two different sources have the same hash with a probability of 2^-64. */
static uint64_t source_hash(const int *words, int count)
{
    return fnv1a64(FNV1A64_START, words, (size_t)count * sizeof *words);
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void sources_add(Sources *s, const int *words, int count)
{
    s->hash = grow(s->hash, &s->capacity, s->count + 1, sizeof *s->hash);
    s->hash[s->count++] = source_hash(words, count);
}

void sources_sort(Sources *s)
{
    if (s->count) qsort(s->hash, s->count, sizeof *s->hash, by_value);
}

int sources_hold(const Sources *s, const int *words, int count)
{
    const uint64_t hash = source_hash(words, count);
    return s->count && bsearch(&hash, s->hash, s->count, sizeof *s->hash, by_value);
}

void sources_free(Sources *s)
{
    free(s->hash);
    *s = (Sources){ 0 };
}

/* ---- Copied words ---- */

static int has_letter_or_number(const char *word)
{
    while (*word) {
        int32_t point = unicode_next(&word);
        if (unicode_is_letter(point) || unicode_is_number(point)) return 1;
    }
    return 0;
}

/* Marks the words of one side with a bit. */
static int mark_words(void *context, const Record *pair)
{
    unsigned char *sides = context;
    for (int i = 0; i < pair->source_count; i++)
        sides[pair->source[i]] |= 1;
    for (int i = 0; i < pair->target_count; i++)
        sides[pair->target[i]] |= 2;
    return 1;
}

static void find_copyable(Examples *x)
{
    for (int word = 0; word < (int)x->words.count; word++) {
        const char *text = string_table_text(&x->words, word);
        const int is_marked = !strncmp(text, BLANK_MARK, BLANK_MARK_LENGTH);
        x->copyable[word] = x->copyable[word] == 3 && is_marked
                            && has_letter_or_number(text + BLANK_MARK_LENGTH);
    }
}

/* Whether the word occurs exactly once in `words`. */
static int occurs_once(int word, const int *words, int count)
{
    int times = 0;
    for (int i = 0; i < count; i++)
        times += words[i] == word;
    return times == 1;
}

/* The word of this pair that becomes <unk> on both sides, or -1. */
static int copied_word(const Examples *x, const Record *pair, uint64_t key)
{
    if (x->options.copy_words <= 0) return -1;
    for (int i = 0; i < pair->source_count; i++) {
        int word = pair->source[i];
        if (x->copyable[word] && rng_uniform(key, (uint64_t)i) < x->options.copy_words
            && occurs_once(word, pair->source, pair->source_count)
            && occurs_once(word, pair->target, pair->target_count))
            return word;
    }
    return -1;
}

/* ---- Ids ---- */

void examples_lengths(const Examples *x, const Record *pair, int *source, int *target)
{
    *source = *target = 1;
    for (int i = 0; i < pair->source_count; i++)
        *source += word_pieces_length(&x->source, pair->source[i]);
    for (int i = 0; i < pair->target_count; i++)
        *target += word_pieces_length(&x->target, pair->target[i]);
}

static void add_side(const Examples *x, const WordPieces *side, const int *words, int count,
                     int copied, const Ids *unknown, uint64_t key, Ids *ids)
{
    const size_t end = ids->count + (size_t)x->options.max_length;
    for (int i = 0; i < count; i++) {
        const BpeNoise noise = { key, (uint64_t)i, x->options.bpe_dropout };
        if (words[i] != copied) word_pieces_add(side, words[i], noise.p > 0 ? &noise : NULL, ids);
        else for (size_t k = 0; k < unknown->count; k++) ids_add(ids, unknown->id[k]);
    }
    ids_add(ids, ID_EOS);
    if (x->options.truncate && ids->count > end) ids->count = end;
}

void examples_add(const Examples *x, const Record *pair, uint64_t key, Ids *source, Ids *target)
{
    int copied = copied_word(x, pair, rng_key(key, 0, RNG_WORDS));
    add_side(x, &x->source, pair->source, pair->source_count, copied, &x->source_unknown,
             rng_key(key, 1, RNG_WORDS), source);
    add_side(x, &x->target, pair->target, pair->target_count, copied, &x->target_unknown,
             rng_key(key, 2, RNG_WORDS), target);
}

/* ---- Lengths ---- */

static void lengths_add(Lengths *l, int length)
{
    const size_t before = l->capacity;
    l->count = grow(l->count, &l->capacity, (size_t)length + 1, sizeof *l->count);
    memset(l->count + before, 0, (l->capacity - before) * sizeof *l->count);
    l->count[length]++;
}

Extent lengths_largest(const Lengths *lengths, int sentences)
{
    double tokens = 0;
    Extent e = { 0 };
    size_t left = (size_t)sentences;
    for (size_t i = lengths->capacity; i-- > 0 && left; ) {
        const size_t taken = lengths->count[i] < left ? lengths->count[i] : left;
        if (taken && !e.longest) e.longest = (int)i;
        tokens += (double)taken * (double)i;
        left -= taken;
    }
    e.tokens = tokens < INT_MAX ? (int)tokens : INT_MAX;
    return e;
}

/* ---- The whole ---- */

static int is_of(const Sources *sources, const Record *pair)
{
    return sources && sources_hold(sources, pair->source, pair->source_count);
}

static int keep(void *context, const Record *pair)
{
    Examples *x = context;
    const int most = x->options.max_length;
    int source, target;
    if (is_of(x->options.held_out, pair)) {
        x->held_out++;
        return 0;
    }
    examples_lengths(x, pair, &source, &target);
    if (!x->options.truncate && (source > most || target > most)) return 0;
    lengths_add(&x->source_lengths, min_int(source, most));
    lengths_add(&x->target_lengths, min_int(target, most));
    x->validated += is_of(x->options.validated, pair) != 0;
    return mark_words(x->copyable, pair);
}

int examples_init(Examples *x, PairStore *store, StringTable *words, const Tokenizer *source,
                  const Tokenizer *target, const ExampleOptions *options, Err *e)
{
    static const char unknown[] = BLANK_MARK NO_CHARACTER;
    *x = (Examples){ .store = store, .words = *words, .options = *options };
    *words = (StringTable){ 0 };
    word_pieces_init(&x->source, source, &x->words);
    word_pieces_init(&x->target, target, &x->words);
    tokenizer_encode_word(source, unknown, sizeof unknown - 1, NULL, &x->source_unknown);
    tokenizer_encode_word(target, unknown, sizeof unknown - 1, NULL, &x->target_unknown);
    x->copyable = xcalloc(x->words.count, sizeof *x->copyable);
    if (tokenizer_options(target)->tokens == TOKENS_WORD) x->options.copy_words = 0;
    size_t added = store_added(store);
    if (store_finish(store, keep, x, e)) return -1;
    find_copyable(x);
    x->count = store_count(store);
    x->dropped = (long)(added - x->count) - x->held_out;
    x->options.held_out = x->options.validated = NULL;
    return 0;
}

void examples_free(Examples *x)
{
    store_free(x->store);
    string_table_free(&x->words);
    word_pieces_free(&x->source);
    word_pieces_free(&x->target);
    ids_free(&x->source_unknown);
    ids_free(&x->target_unknown);
    free(x->copyable);
    free(x->source_lengths.count);
    free(x->target_lengths.count);
    *x = (Examples){ 0 };
}
