/* tokenizer_learn.c - from word counts to a vocabulary, and merges. */
#include "text/tokenizer/tokenizer.h"

#include "base/mem.h"
#include "text/copies.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

/* The words of all sides, each with its tally. */
static StringTable sum(const WordCounts *counts, size_t sides)
{
    StringTable words = { 0 };
    for (size_t side = 0; side < sides; side++) {
        const StringTable *from = counts[side].words;
        for (int i = 0; i < (int)from->count; i++)
            if (counts[side].times[i])
                string_table_count(&words, string_table_text(from, i),
                                   string_table_length(from, i), counts[side].times[i]);
    }
    return words;
}

static void count_characters(const StringTable *words, StringTable *seen)
{
    for (int word = 0; word < (int)words->count; word++) {
        const char *at = string_table_text(words, word);
        for (const char *end = at + string_table_length(words, word); at < end;) {
            const char *character = at;
            unicode_next(&at);
            string_table_count(seen, character, (size_t)(at - character), words->tally[word]);
        }
    }
}

/* The pieces that the merges leave of the words. */
static void count_pieces(const StringTable *words, const Merges *merges, StringTable *seen)
{
    BpeWord parts = { 0 };
    for (int word = 0; word < (int)words->count; word++) {
        const char *text = string_table_text(words, word);
        bpe_segment(merges, text, string_table_length(words, word), NULL, &parts);
        for (size_t i = 0, start = 0; i < parts.count; start = parts.part[i++].end)
            string_table_count(seen, text + start, parts.part[i].end - start, words->tally[word]);
    }
    bpe_word_free(&parts);
}

/* Fills the vocabulary with the most frequent of what was seen. */
static void add_most_common(StringTable *vocabulary, size_t limit, const StringTable *seen,
                            long least)
{
    int *order = string_table_most_common(seen);
    for (size_t i = 0; i < seen->count && seen->tally[order[i]] >= least
         && vocabulary->count < limit; i++)
        string_table_add(vocabulary, string_table_text(seen, order[i]),
                         string_table_length(seen, order[i]));
    xfree(order);
}

/* Appends a word as symbols: -1 for characters that are not in the vocabulary; returns how many. */
static int add_symbols(const StringTable *vocabulary, const char *word, size_t length,
                       StringTable *symbols, Ids *ids)
{
    size_t before = ids->count;
    for (const char *at = word; at < word + length;) {
        const char *character = at;
        unicode_next(&at);
        size_t bytes = (size_t)(at - character);
        int known = string_table_find(vocabulary, character, bytes) >= 0;
        ids_add(ids, known ? string_table_add(symbols, character, bytes) : -1);
    }
    return (int)(ids->count - before);
}

/* Learns merges; what they make are new entries. */
static void learn_merges(Merges *merges, StringTable *vocabulary, size_t limit,
                         const StringTable *words)
{
    Ids ids = { 0 };
    size_t *start = xmalloc(words->count, sizeof *start);
    int *length = xmalloc(words->count, sizeof *length);
    for (int i = 0; i < (int)words->count; i++) {
        start[i] = ids.count;
        length[i] = add_symbols(vocabulary, string_table_text(words, i),
                                string_table_length(words, i), &merges->symbols, &ids);
    }
    BpeText text = { ids.id, start, length, words->tally, words->count };
    bpe_learn(merges, limit > vocabulary->count ? limit - vocabulary->count : 0, &text);
    for (size_t rank = 0; rank < merges->pairs.count; rank++) {
        int product = merges->product[rank];
        string_table_add(vocabulary, string_table_text(&merges->symbols, product),
                         string_table_length(&merges->symbols, product));
    }
    xfree(length);
    xfree(start);
    ids_free(&ids);
}

static void import_merges(Merges *merges, const Merges *import, StringTable *vocabulary,
                          size_t limit, const StringTable *words)
{
    StringTable pieces = { 0 };
    merges_copy(merges, import);
    count_pieces(words, merges, &pieces);
    add_most_common(vocabulary, limit, &pieces, 1);
    string_table_free(&pieces);
}

/* The mark and the joiner first: a vocabulary without them could not tell where words begin. */
static void add_characters(StringTable *vocabulary, size_t limit, const StringTable *words)
{
    StringTable characters = { 0 };
    count_characters(words, &characters);
    string_table_add(vocabulary, WORD_MARK, WORD_MARK_LENGTH);
    string_table_add(vocabulary, JOINER, JOINER_LENGTH);
    add_most_common(vocabulary, limit, &characters, 1);
    string_table_free(&characters);
}

/* The frequent words of kind symbol. */
static void add_symbol_words(StringTable *vocabulary, size_t limit, const StringTable *words)
{
    long running = 0;
    for (size_t word = 0; word < words->count; word++)
        running += words->tally[word];
    const long least = running / SYMBOL_RUNNING_WORDS;
    add_most_common(vocabulary, limit, words, least > SYMBOL_TIMES ? least : SYMBOL_TIMES);
}

Tokenizer *tokenizer_learn(const TextOptions *options, const WordCounts *counts, size_t sides,
                           const Merges *import)
{
    StringTable words = sum(counts, sides), vocabulary = { 0 };
    Merges merges = { 0 };
    size_t limit = options->vocabulary ? (size_t)options->vocabulary : VOCABULARY_MOST;
    for (int id = 0; id < ID_SPECIALS; id++)
        string_table_add(&vocabulary, special_pieces[id], strlen(special_pieces[id]));
    for (int k = 0; options->placeholders && k < PLACEHOLDERS; k++)
        string_table_add(&vocabulary, placeholder_piece(k), strlen(placeholder_piece(k)));
    if (options->tokens == TOKENS_WORD)
        add_most_common(&vocabulary, limit, &words, options->min_frequency);
    else add_characters(&vocabulary, limit, &words);
    if (options->tokens == TOKENS_SYMBOL) add_symbol_words(&vocabulary, limit, &words);
    if (options->tokens == TOKENS_BPE && import)
        import_merges(&merges, import, &vocabulary, limit, &words);
    else if (options->tokens == TOKENS_BPE) learn_merges(&merges, &vocabulary, limit, &words);
    string_table_free(&words);
    return tokenizer_new(options, &vocabulary, &merges);
}

/* Pieces and merges as they are. */
static void copy_base(const Tokenizer *base, StringTable *vocabulary, Merges *merges)
{
    for (int id = 0; id < tokenizer_size(base); id++) {
        const char *piece = tokenizer_piece(base, id);
        string_table_add(vocabulary, piece, strlen(piece));
    }
    merges_copy(merges, tokenizer_merges(base));
}

Tokenizer *tokenizer_extend(const Tokenizer *base, const WordCounts *counts, size_t sides)
{
    const TextOptions *options = tokenizer_options(base);
    StringTable words = sum(counts, sides), characters = { 0 }, vocabulary = { 0 };
    Merges merges = { 0 };
    copy_base(base, &vocabulary, &merges);
    if (options->tokens == TOKENS_WORD) {
        add_most_common(&vocabulary, VOCABULARY_MOST, &words, options->min_frequency);
    } else {
        count_characters(&words, &characters);
        add_most_common(&vocabulary, VOCABULARY_MOST, &characters, 1);
    }
    string_table_free(&characters);
    string_table_free(&words);
    return tokenizer_new(options, &vocabulary, &merges);
}
