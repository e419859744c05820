/* tokenizer_learn.c - from word counts to a vocabulary, and merges. */
#include "text/tokenizer.h"

#include "base/mem.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

/* The words of all sides, each with its tally. */
static Lexicon sum(const WordCounts *counts, size_t sides)
{
    Lexicon words = { 0 };
    for (size_t side = 0; side < sides; side++) {
        const Lexicon *from = counts[side].words;
        for (int i = 0; i < (int)from->count; i++)
            if (counts[side].times[i])
                lexicon_count(&words, lexicon_text(from, i), lexicon_length(from, i), counts[side].times[i]);
    }
    return words;
}

static void count_characters(const Lexicon *words, Lexicon *seen)
{
    for (int word = 0; word < (int)words->count; word++) {
        const char *at = lexicon_text(words, word);
        for (const char *end = at + lexicon_length(words, word); at < end;) {
            const char *character = at;
            unicode_next(&at);
            lexicon_count(seen, character, (size_t)(at - character), words->tally[word]);
        }
    }
}

/* The pieces that the merges leave of the words. */
static void count_pieces(const Lexicon *words, const Merges *merges, Lexicon *seen)
{
    BpeWord parts = { 0 };
    for (int word = 0; word < (int)words->count; word++) {
        const char *text = lexicon_text(words, word);
        bpe_segment(merges, text, lexicon_length(words, word), NULL, &parts);
        for (size_t i = 0, start = 0; i < parts.count; start = parts.part[i++].end)
            lexicon_count(seen, text + start, parts.part[i].end - start, words->tally[word]);
    }
    bpe_word_free(&parts);
}

/* Fills the vocabulary with the most frequent of what was seen. */
static void add_most_common(Lexicon *vocabulary, size_t limit, const Lexicon *seen, long least)
{
    int *order = lexicon_most_common(seen);
    for (size_t i = 0; i < seen->count && seen->tally[order[i]] >= least && vocabulary->count < limit; i++)
        lexicon_add(vocabulary, lexicon_text(seen, order[i]), lexicon_length(seen, order[i]));
    free(order);
}

/* Appends a word as symbols: -1 for characters that are not in the vocabulary; returns how many. */
static int add_symbols(const Lexicon *vocabulary, const char *word, size_t length, Lexicon *symbols, Ids *ids)
{
    size_t before = ids->count;
    for (const char *at = word; at < word + length;) {
        const char *character = at;
        unicode_next(&at);
        size_t bytes = (size_t)(at - character);
        int known = lexicon_find(vocabulary, character, bytes) >= 0;
        ids_add(ids, known ? lexicon_add(symbols, character, bytes) : -1);
    }
    return (int)(ids->count - before);
}

/* Learns merges; what they make are new entries. */
static void learn_merges(Merges *merges, Lexicon *vocabulary, size_t limit, const Lexicon *words)
{
    Ids ids = { 0 };
    size_t *start = xmalloc(words->count, sizeof *start);
    int *length = xmalloc(words->count, sizeof *length);
    for (int i = 0; i < (int)words->count; i++) {
        start[i] = ids.count;
        length[i] = add_symbols(vocabulary, lexicon_text(words, i), lexicon_length(words, i), &merges->symbols, &ids);
    }
    BpeText text = { ids.id, start, length, words->tally, words->count };
    bpe_learn(merges, limit > vocabulary->count ? limit - vocabulary->count : 0, &text);
    for (size_t rank = 0; rank < merges->pairs.count; rank++) {
        int product = merges->product[rank];
        lexicon_add(vocabulary, lexicon_text(&merges->symbols, product), lexicon_length(&merges->symbols, product));
    }
    free(length);
    free(start);
    ids_free(&ids);
}

static void import_merges(Merges *merges, const Merges *import, Lexicon *vocabulary, size_t limit, const Lexicon *words)
{
    Lexicon pieces = { 0 };
    merges_copy(merges, import);
    count_pieces(words, merges, &pieces);
    add_most_common(vocabulary, limit, &pieces, 1);
    lexicon_free(&pieces);
}

/* The mark first among equals, as it is in nearly every word: a vocabulary without it could not tell words apart. */
static void add_characters(Lexicon *vocabulary, size_t limit, const Lexicon *words)
{
    Lexicon characters = { 0 };
    count_characters(words, &characters);
    lexicon_add(vocabulary, BLANK_MARK, BLANK_MARK_LENGTH);
    add_most_common(vocabulary, limit, &characters, 1);
    lexicon_free(&characters);
}

Tokenizer *tokenizer_learn(const TextOptions *options, const WordCounts *counts, size_t sides, const Merges *import)
{
    Lexicon words = sum(counts, sides), vocabulary = { 0 };
    Merges merges = { 0 };
    size_t limit = options->vocabulary ? (size_t)options->vocabulary : VOCABULARY_MOST;
    for (int id = 0; id < ID_SPECIALS; id++)
        lexicon_add(&vocabulary, special_pieces[id], strlen(special_pieces[id]));
    if (options->tokens == TOKENS_WORD) add_most_common(&vocabulary, limit, &words, options->min_frequency);
    else add_characters(&vocabulary, limit, &words);
    if (options->tokens == TOKENS_BPE && import) import_merges(&merges, import, &vocabulary, limit, &words);
    else if (options->tokens == TOKENS_BPE) learn_merges(&merges, &vocabulary, limit, &words);
    lexicon_free(&words);
    return tokenizer_make(options, &vocabulary, &merges);
}
