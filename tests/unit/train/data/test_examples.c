/* test_examples.c - from numbers of words to ids: the same words whatever the noise, and words
 * hidden on both sides. */
#include "train/data/examples.h"

#include "base/random/rng.h"
#include "learn_lines.h"
#include "lexicon_case.h"
#include "line_examples.h"
#include "scratch.h"

#include <ctype.h>
#include <math.h>

enum { PAIRS = 5, VISITS = 2000 };

typedef struct { const char *source[PAIRS], *target[PAIRS]; size_t count; } Lines;

static const Lines usual = {
    { "Tom saw Mary in 1999.", "Tom and Tom are here.", "It is warm today.",
      "Mary saw Tom twice, Mary!", "Well, 1999 was warm." },
    { "Tom a vu Mary en 1999.", "Tom et Tom sont ici.", "Il fait chaud.",
      "Mary a vu Tom deux fois, Mary !", "Eh bien, 1999 est 1999." }, PAIRS
};

typedef struct {
    Tokenizer *source, *target;
    Lexicon   *lexicon[LANGUAGES];
    Examples   examples;
    Record     pair[PAIRS];
    PairSample kept;                /* where they are none of the examples */
    Ids        ids[LANGUAGES];      /* of the last visit, and as text */
    Buf        text[LANGUAGES];
} World;

static void fill(World *w, const Lines *lines, const ExampleOptions *options)
{
    Err e;
    line_examples_with(&w->examples, lines->source, lines->target, lines->count, w->source,
                       w->target, (const Lexicon *const *)w->lexicon, options, 1 << 20);
    const Shard *shard = store_load(w->examples.store, 0, &e);
    assert_int_equal(shard->count, w->examples.count);
    for (size_t i = 0; i < shard->count; i++)
        w->pair[i] = shard_record(shard, i);
}

static void world_of(World *w, const Lines *lines, const TextOptions *text,
                     const ExampleOptions *options)
{
    *w = (World){ .source = learn_lines(text, lines->source, lines->count),
                  .target = learn_lines(text, lines->target, lines->count) };
    if (text->placeholders) {
        w->lexicon[LANGUAGE_SOURCE] = lexicon_of("['well saw is here . , \uFF01']");
        w->lexicon[LANGUAGE_TARGET] = lexicon_of("['eh bien et est ici . , !']");
    }
    fill(w, lines, options);
}

static void world_new(World *w, int tokens, ExampleOptions options)
{
    const TextOptions text = { .tokens = tokens, .vocabulary = 60, .min_frequency = 1 };
    if (!options.max_length) options.max_length = 100;
    world_of(w, &usual, &text, &options);
}

static void world_free(World *w)
{
    examples_free(&w->examples);
    if (w->target != w->source) tokenizer_free(w->target);
    tokenizer_free(w->source);
    pair_sample_free(&w->kept);
    for (int side = 0; side < LANGUAGES; side++) {
        lexicon_free(w->lexicon[side]);
        ids_free(&w->ids[side]);
        buf_free(&w->text[side]);
    }
}

/* One visit of a pair; as text <unk> is what is unknown. The ids end in <eos>. */
static void visit(World *w, int i, Visit visit)
{
    const Tokenizer *tokenizers[] = { w->source, w->target };
    w->ids[0].count = w->ids[1].count = 0;
    examples_add(&w->examples, &w->pair[i], visit, &w->ids[0], &w->ids[1]);
    for (int side = 0; side < LANGUAGES; side++) {
        const Ids *ids = &w->ids[side];
        assert_int_equal(ids->id[ids->count - 1], ID_EOS);
        buf_clear(&w->text[side]);
        tokenizer_decode(tokenizers[side], ids->id, ids->count, NULL, NULL, &w->text[side]);
        buf_putc(&w->text[side], '\0');
        w->text[side].length--;
    }
}

/* Of so many visits with this probability; six standard deviations. */
static void assert_binomial(int count, double p)
{
    const double deviation = 6 * sqrt(VISITS * p * (1 - p));
    assert_true(count > p * VISITS - deviation && count < p * VISITS + deviation);
}

UNIT_TEST(from_right_to_left_the_target_should_have_the_other_order)
{
    World w;
    world_new(&w, TOKENS_BPE, (ExampleOptions){ .bpe_dropout = 0.3, .noise = 0.5 });
    Ids source = { 0 }, target = { 0 };
    for (int i = 0; i < PAIRS; i++) {
        source.count = 0;                       /* a batch has the texts one after the other */
        const size_t at = target.count;
        examples_add(&w.examples, &w.pair[i], (Visit){ .key = 7 }, &source, &target);
        visit(&w, i, (Visit){ .key = 7, .right_left = 1 });
        assert_int_equal(source.count, w.ids[0].count);
        assert_memory_equal(source.id, w.ids[0].id, source.count * sizeof *source.id);
        assert_int_equal(target.count - at, w.ids[1].count);
        for (size_t t = at; t + 1 < target.count; t++)
            assert_int_equal(w.ids[1].id[t - at], target.id[target.count - 2 - (t - at)]);
    }
    ids_free(&source);
    ids_free(&target);
    world_free(&w);
}

UNIT_TEST(without_noise_ids_should_be_those_of_the_lines)
{
    World w;
    world_new(&w, TOKENS_BPE, (ExampleOptions){ 0 });
    for (int i = 0; i < PAIRS; i++) {
        Ids line = { 0 };
        int m, n;
        tokenizer_encode(w.source, usual.source[i], strlen(usual.source[i]), &line, NULL);
        visit(&w, i, (Visit){ .key = 7 });
        examples_lengths(&w.examples, &w.pair[i], &m, &n);
        assert_int_equal(w.ids[0].count, line.count + 1);
        assert_int_equal(w.ids[0].count, m);
        assert_int_equal(w.ids[1].count, n);
        assert_memory_equal(w.ids[0].id, line.id, line.count * sizeof *line.id);
        ids_free(&line);
    }
    world_free(&w);
}

UNIT_TEST(bpe_dropout_should_cut_words_otherwise_and_keep_the_text)
{
    World w;
    world_new(&w, TOKENS_BPE, (ExampleOptions){ .bpe_dropout = 0.3 });
    Ids last = { 0 };
    int different = 0;
    for (uint64_t key = 1; key <= 50; key++) {
        visit(&w, 0, (Visit){ .key = key });
        assert_string_equal(w.text[0].text, usual.source[0]);
        assert_string_equal(w.text[1].text, usual.target[0]);
        different += last.count != w.ids[0].count
                     || memcmp(last.id, w.ids[0].id, last.count * sizeof *last.id);
        last.count = 0;
        for (size_t i = 0; i < w.ids[0].count; i++)
            ids_add(&last, w.ids[0].id[i]);
    }
    assert_true(different > 40);
    ids_free(&last);
    world_free(&w);
}

/* How often `word` is hidden in both sides of the pair; what is hidden must be hidden on both. */
static int times_hidden(World *w, int i, const char *word)
{
    int hidden = 0;
    for (uint64_t key = 1; key <= VISITS; key++) {
        visit(w, i, (Visit){ .key = key });
        const char *source = w->text[0].text, *target = w->text[1].text;
        assert_int_equal(strstr(source, "<unk>") != NULL, strstr(target, "<unk>") != NULL);
        assert_int_equal(strstr(source, word) != NULL, strstr(target, word) != NULL);
        hidden += !strstr(source, word);
    }
    return hidden;
}

/* Each of three words in a pair is hidden with P, unless one before it was: P, P (1 - P), P (1 -
 * P)^2. A word that occurs twice is ambiguous, punctuation is no word, different words are no copy,
 * and the textbook's words are never hidden. */
UNIT_TEST(words_equal_on_both_sides_should_be_hidden_sometimes)
{
    static const struct { int pair; const char *word; } never[] = {
        { 1, "Tom" }, { 3, "Mary" }, { 4, "1999" }, { 0, "." }, { 2, "i" },
    };
    World w;
    world_new(&w, TOKENS_BPE, (ExampleOptions){ .copy_words = 0.1 });
    assert_binomial(times_hidden(&w, 0, "Tom"), 0.1);
    assert_binomial(times_hidden(&w, 0, "1999"), 0.1 * 0.81);
    assert_binomial(times_hidden(&w, 3, "Tom"), 0.1);
    world_free(&w);
    world_new(&w, TOKENS_BPE, (ExampleOptions){ .copy_words = 1 });
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        assert_int_equal(times_hidden(&w, never[i].pair, never[i].word), 0);
    world_free(&w);
    world_new(&w, TOKENS_WORD, (ExampleOptions){ .copy_words = 1 });
    assert_int_equal(times_hidden(&w, 0, "Tom"), 0);
    world_free(&w);
}

/* ---- Phrases ---- */

/* Each word is a translation of the one in its place; the second pair is nothing but a name, the
 * last has a word that is written on to another. */
static const Lines phrase_lines = {
    { "a b c.", "Zorb", "b c a!", "c a b d?", "l'a, b c" },
    { "A B C.", "Zorb", "B C A!", "C A B D?", "L'A, B C" }, PAIRS
};

/* held: whether the pairs are held out of what is learned, and so are no examples. */
static void phrases_new(World *w, double phrases, int held)
{
    const TextOptions text = { .tokens = TOKENS_BPE, .vocabulary = 60, .min_frequency = 1 };
    ExampleOptions options = { .max_length = 100, .workers = 1 };
    HashSet held_out = { 0 };
    PairSample sample = { 0 };
    world_of(w, &phrase_lines, &text, &options);
    for (size_t i = 0; i < PAIRS; i++) {
        const Record *pair = &w->pair[i];
        pair_sample_add(&sample, pair, 1000);
        pair_sample_add(&w->kept, pair, 1000);
        if (held) hash_set_add(&held_out, source_hash(pair->source, pair->source_count), SIZE_MAX);
    }
    examples_free(&w->examples);
    options.phrases = phrases;
    options.sample = &sample.pairs;
    options.held_out = &held_out;
    fill(w, &phrase_lines, &options);
    for (size_t i = 0; i < PAIRS; i++)
        w->pair[i] = shard_record(&w->kept.pairs, i);
    hash_set_free(&held_out);
    pair_sample_free(&sample);
}

/* Whether the text is longer than the part, which begins in it behind a blank or an apostrophe. */
static int is_part(const Buf *part, const char *text)
{
    const char *at = strstr(text, part->text);
    while (at && at > text && at[-1] != ' ' && at[-1] != '\'')
        at = strstr(at + 1, part->text);
    return at && part->length < strlen(text);
}

UNIT_TEST(phrases_should_take_the_place_of_their_share_of_the_pairs)
{
    World w;
    phrases_new(&w, 0.25, 0);
    int parts = 0;
    for (uint64_t key = 1; key <= VISITS; key++)
        for (int i = 0; i < PAIRS; i++) {
            visit(&w, i, (Visit){ .key = key });
            const char *source = w.text[0].text, *target = w.text[1].text;
            assert_int_equal(strlen(source), strlen(target));
            for (size_t k = 0; source[k]; k++)
                if (strcmp(source, "Zorb") != 0)
                    assert_int_equal(toupper((unsigned char)source[k]), target[k]);
            if (!strcmp(source, phrase_lines.source[i])) continue;
            parts++;
            assert_true(is_part(&w.text[0], phrase_lines.source[i]) && !strchr(source, ','));
        }
    /* Of four pairs a quarter; five standard deviations. */
    assert_in_range(parts, 2000 - 194, 2000 + 194);
    world_free(&w);
    phrases_new(&w, 1, 1);
    for (int i = 0; i < PAIRS; i++) {
        visit(&w, i, (Visit){ .key = 1 });
        assert_string_equal(w.text[0].text, phrase_lines.source[i]);
    }
    world_free(&w);
}

/* ---- Placeholders ---- */

/* Pairs with unknown names and numbers, which become placeholders on both sides at each visit. */
static void copies_new(World *w, double copy_words, double noise)
{
    static const Lines lines = { { "Zorb Yorb saw 241.", "Well, Zorb is here\uFF01" },
                                 { "241 et Zorb Yorb.", "Eh bien, Zorb est ici !" }, 2 };
    const TextOptions text = { .tokens = TOKENS_CHAR, .min_frequency = 1, .truecase = 1,
                               .placeholders = 1 };
    world_of(w, &lines, &text, &(ExampleOptions){ .max_length = 100, .copy_words = copy_words,
                                                  .noise = noise });
}

static unsigned placeholders_of(const Ids *ids)
{
    unsigned seen = 0;
    for (size_t i = 0; i < ids->count; i++) {
        const unsigned bit = placeholder_bit(ids->id[i]);
        assert_false(seen & bit);
        seen |= bit;
    }
    return seen;
}

/* A name of two words is two placeholders, the number is another; their numbers are those of
 * translation, where no other words are copied. */
UNIT_TEST(unknown_names_and_numbers_should_always_be_placeholders_on_both_sides)
{
    World w;
    copies_new(&w, 0, 0);
    unsigned used = 0;
    for (uint64_t key = 1; key <= VISITS; key++)
        for (int i = 0; i < 2; i++) {
            visit(&w, i, (Visit){ .key = key });
            const unsigned seen = placeholders_of(&w.ids[0]);
            assert_int_equal(seen, placeholders_of(&w.ids[1]));
            assert_int_equal(__builtin_popcount(seen), i == 0 ? 3 : 1);
            used |= seen;
        }
    assert_int_equal(used, 1u << placeholder_of(COPY_NUMBER, 0) | 1u << placeholder_of(COPY_NAME, 0)
                           | 1u << placeholder_of(COPY_NAME, 1));
    world_free(&w);
}

/* A quarter of copy_words, before the final mark and <eos>; the other placeholder of the pair is not
 * at its end. */
UNIT_TEST(a_placeholder_should_be_added_to_both_sides_sometimes)
{
    World w;
    copies_new(&w, 1, 0);
    int added = 0;
    for (uint64_t key = 1; key <= VISITS; key++) {
        visit(&w, 1, (Visit){ .key = key });
        const unsigned seen = placeholders_of(&w.ids[0]);
        const int is_added = placeholder_bit(w.ids[0].id[w.ids[0].count - 3]) != 0;
        assert_int_equal(seen, placeholders_of(&w.ids[1]));
        assert_int_equal(__builtin_popcount(seen), 1 + is_added);
        added += is_added;
    }
    assert_binomial(added, 0.25);
    world_free(&w);
}

/* Whichever placeholder it has. */
UNIT_TEST(noise_should_leave_the_target_alone)
{
    World w;
    copies_new(&w, 0, 0.25);
    Ids first = { 0 };
    int unmarked = 0;
    for (uint64_t key = 1; key <= VISITS; key++) {
        visit(&w, 1, (Visit){ .key = key });
        for (size_t i = 0; i < w.ids[1].count; i++) {
            const int id = w.ids[1].id[i], what = placeholder_bit(id) ? ID_UNK : id;
            if (key == 1) ids_add(&first, what);
            assert_int_equal(what, first.id[i]);
        }
        assert_int_equal(w.ids[1].count, first.count);
        unmarked += !strstr(w.text[0].text, "\uFF01");
    }
    assert_binomial(unmarked, 0.25);
    ids_free(&first);
    world_free(&w);
}

/* ---- Both directions ---- */

/* Pairs of sides of different lengths, with one tokenizer. */
static void shared_new(World *w, double noise)
{
    const TextOptions text = { .tokens = TOKENS_CHAR, .min_frequency = 1 };
    const char *both[2 * PAIRS];
    memcpy(both, usual.source, sizeof usual.source);
    memcpy(both + PAIRS, usual.target, sizeof usual.target);
    *w = (World){ .source = learn_lines(&text, both, 2 * PAIRS) };
    w->target = w->source;
    fill(w, &usual, &(ExampleOptions){ .max_length = 100, .noise = noise, .both_directions = 1 });
}

/* With noise, only what is read has it. */
UNIT_TEST(half_of_the_visits_should_swap_the_sides_of_both_directions)
{
    for (int noise = 0; noise <= 1; noise++) {
        World w;
        shared_new(&w, 0.9 * noise);
        const char *const lines[] = { usual.source[0], usual.target[0] };
        int swapped = 0, altered[2] = { 0 };
        for (uint64_t key = 1; key <= VISITS; key++) {
            visit(&w, 0, (Visit){ .key = key, .both_directions = 1 });
            const int is_swapped = !strcmp(w.text[1].text, lines[0]);
            swapped += is_swapped;
            assert_string_equal(w.text[1].text, lines[!is_swapped]);
            altered[is_swapped] += strcmp(w.text[0].text, lines[is_swapped]) != 0;
            visit(&w, 0, (Visit){ .key = key });
            assert_string_equal(w.text[1].text, lines[1]);
        }
        assert_binomial(swapped, 0.5);
        for (int i = 0; i < 2; i++)
            assert_true(noise ? altered[i] > VISITS / 4 : !altered[i]);
        world_free(&w);
    }
}

/* ---- Lengths ---- */

UNIT_TEST(pairs_beyond_the_limit_should_be_dropped_or_cut)
{
    enum { LIMIT = 6 };
    World w;
    world_new(&w, TOKENS_WORD, (ExampleOptions){ .max_length = LIMIT });
    assert_int_equal(w.examples.count, 1);      /* of 7, 7, 6, 8 and 7 ids a longer side */
    assert_int_equal(w.examples.dropped, 4);
    world_free(&w);
    world_new(&w, TOKENS_WORD, (ExampleOptions){ .max_length = LIMIT, .truncate = 1 });
    assert_int_equal(w.examples.count, PAIRS);
    Ids source = { 0 }, target = { 0 };
    examples_add(&w.examples, &w.pair[3], (Visit){ .key = 1 }, &source, &target);
    examples_add(&w.examples, &w.pair[2], (Visit){ .key = 1 }, &source, &target);
    assert_int_equal(source.count, 2 * LIMIT);
    assert_true(source.id[LIMIT - 1] != ID_EOS);
    assert_int_equal(source.id[2 * LIMIT - 1], ID_EOS);
    ids_free(&source);
    ids_free(&target);
    world_free(&w);
}

int main(void) { return run_unit_tests(); }
