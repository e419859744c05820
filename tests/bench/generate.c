/* generate.c - a corpus of any size out of a small one: what the time and the memory for large
 * corpora are measured with.
 *
 *   generate PAIRS LENGTH CORPUS      writes a TSV of PAIRS pairs
 *
 * A pair is one sentence of CORPUS and its translation, or two joined; with LENGTH above 0 as many
 * as it takes for that many words a side, cut to these. One word a side is replaced by a made-up
 * one, the head of a word of CORPUS with the tail of another. So the vocabulary grows as that of a
 * text does, with the square root of its words (Heaps' law): made-up word k or a rarer one is drawn
 * with the probability COMMON / k. Word k of one side always goes with word k of the other.
 * The same arguments give the same bytes.
 */
#include "base/error.h"
#include "base/mem.h"
#include "base/random/rng.h"
#include "text/corpus/corpus.h"
#include "text/unicode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDES = 2, COMMON = 1000, LEAST_BYTES = 4 };

typedef struct { Slice *item; size_t count, capacity; } Spans;

typedef struct {
    const char *const *line[SIDES];     /* (count) */
    size_t             count;
    Spans              words[SIDES];    /* all that consist of letters, to make others from */
    size_t             length;          /* words a side; 0: one sentence or two */
} Generator;

/* One pair on its way; `at` numbers its random values. */
typedef struct { Spans token[SIDES]; uint64_t key, at; } Sentences;

static void add(Spans *spans, const char *text, size_t length)
{
    spans->item = grow(spans->item, &spans->capacity, spans->count + 1, sizeof *spans->item);
    spans->item[spans->count++] = (Slice){ text, length };
}

static void add_tokens(Spans *tokens, const char *line)
{
    for (size_t length; *line; line += length) {
        length = strcspn(line, " ");
        if (length) add(tokens, line, length);
        else length = 1;
    }
}

static int is_word(Slice token)
{
    const char *at = token.text, *end = at + token.length;
    while (at < end)
        if (!unicode_is_letter(unicode_next(&at))) return 0;
    return token.length >= LEAST_BYTES;
}

static void collect_words(Generator *g, int side)
{
    Spans tokens = { 0 };
    for (size_t i = 0; i < g->count; i++) {
        tokens.count = 0;
        add_tokens(&tokens, g->line[side][i]);
        for (size_t k = 0; k < tokens.count; k++)
            if (is_word(tokens.item[k])) add(&g->words[side], tokens.item[k].text,
                                             tokens.item[k].length);
    }
    free(tokens.item);
    if (!g->words[side].count) die("the corpus has no words of %d letters", LEAST_BYTES);
}

/* The bytes of a word's head: half of it, down to the start of a character. */
static size_t head_of(Slice word)
{
    size_t half = word.length / 2;
    while (half && (word.text[half] & 0xC0) == 0x80)
        half--;
    return half;
}

static void print_made_up(const Generator *g, int side, uint64_t number)
{
    const Spans *words = &g->words[side];
    const uint64_t key = rng_key((uint64_t)side, number, RNG_WORDS);
    const Slice head = words->item[rng_below(key, 0, words->count)];
    const Slice tail = words->item[rng_below(key, 1, words->count)];
    const size_t cut = head_of(tail);
    fwrite(head.text, 1, head_of(head), stdout);
    fwrite(tail.text + cut, 1, tail.length - cut, stdout);
}

static size_t draw(Sentences *pair, size_t bound)
{
    return (size_t)rng_below(pair->key, pair->at++, bound);
}

/* The place of a random word, or the number of tokens where it finds none. */
static size_t choose_word(Sentences *pair, int side)
{
    const Spans *tokens = &pair->token[side];
    for (size_t tries = tokens->count; tries; tries--) {
        const size_t place = draw(pair, tokens->count);
        if (is_word(tokens->item[place])) return place;
    }
    return tokens->count;
}

static void print_side(const Generator *g, Sentences *pair, int side, uint64_t number)
{
    const Spans *tokens = &pair->token[side];
    const size_t made_up = choose_word(pair, side);
    for (size_t i = 0; i < tokens->count; i++) {
        if (i) putchar(' ');
        if (i == made_up) print_made_up(g, side, number);
        else fwrite(tokens->item[i].text, 1, tokens->item[i].length, stdout);
    }
    putchar(side ? '\n' : '\t');
}

static void add_sentence(const Generator *g, Sentences *pair)
{
    const size_t i = draw(pair, g->count);
    for (int side = 0; side < SIDES; side++)
        add_tokens(&pair->token[side], g->line[side][i]);
}

static void choose_sentences(const Generator *g, Sentences *pair)
{
    for (size_t more = 1 + draw(pair, 2); more && !g->length; more--)
        add_sentence(g, pair);
    while (pair->token[0].count < g->length || pair->token[1].count < g->length)
        add_sentence(g, pair);
    for (int side = 0; side < SIDES && g->length; side++)
        pair->token[side].count = g->length;
}

static void print_pair(const Generator *g, Sentences *pair, uint64_t number)
{
    pair->key = rng_key(0, number, RNG_SAMPLE);
    pair->at = 0;
    pair->token[0].count = pair->token[1].count = 0;
    choose_sentences(g, pair);
    const double u = 1 - rng_uniform(pair->key, pair->at++);
    for (int side = 0; side < SIDES; side++)
        print_side(g, pair, side, (uint64_t)(COMMON / u));
}

int main(int argc, char **argv)
{
    if (argc != 4) die("usage: generate PAIRS LENGTH CORPUS");
    Err e;
    Corpus corpus;
    BitextReport report;
    const BitextFiles files = { .name = (const char *const *)argv + 3, .count = 1 };
    if (corpus_read(&corpus, &files, &(BitextOptions){ 0 }, -1, &report, &e)) die("%s", e.text);
    Generator g = { .line = { corpus.source, corpus.target }, .count = corpus.count,
                    .length = strtoul(argv[2], NULL, 10) };
    Sentences pair = { 0 };
    const uint64_t pairs = strtoull(argv[1], NULL, 10);
    for (int side = 0; side < SIDES; side++)
        collect_words(&g, side);
    for (uint64_t number = 0; number < pairs; number++)
        print_pair(&g, &pair, number);
    for (int side = 0; side < SIDES; side++) {
        free(pair.token[side].item);
        free(g.words[side].item);
    }
    corpus_free(&corpus);
    return 0;
}
