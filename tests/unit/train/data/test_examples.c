/* test_examples.c - from numbers of words to ids: the same words whatever the noise, and words
 * hidden on both sides. */
#include "train/data/examples.h"

#include "base/random/rng.h"
#include "learn_lines.h"
#include "lexicon_case.h"
#include "line_examples.h"
#include "scratch.h"

#include <ctype.h>

enum { PAIRS = 5, VISITS = 2000 };

static const char *const sources[PAIRS] = {
    "Tom saw Mary in 1999.", "Tom and Tom are here.", "It is warm today.", "Mary saw Tom twice, Mary!",
    "Well, 1999 was warm.",
};
static const char *const targets[PAIRS] = {
    "Tom a vu Mary en 1999.", "Tom et Tom sont ici.", "Il fait chaud.", "Mary a vu Tom deux fois, Mary !",
    "Eh bien, 1999 est 1999.",
};

typedef struct {
    Tokenizer *source, *target;
    Examples   examples;
    Record     pair[PAIRS];
} World;

static void world_new(World *w, int tokens, const ExampleOptions *options)
{
    Err e;
    const TextOptions text = { .tokens = tokens, .vocabulary = 60, .min_frequency = 1 };
    w->source = learn_lines(&text, sources, PAIRS);
    w->target = learn_lines(&text, targets, PAIRS);
    line_examples(&w->examples, sources, targets, PAIRS, w->source, w->target, options, 1 << 20);
    const Shard *shard = store_load(w->examples.store, 0, &e);
    assert_int_equal(shard->count, w->examples.count);
    for (size_t i = 0; i < shard->count; i++)
        w->pair[i] = shard_record(shard, i);
}

static void world_free(World *w)
{
    examples_free(&w->examples);
    tokenizer_free(w->source);
    tokenizer_free(w->target);
}

/* Both sides of one visit as text, <unk> where it is unknown; the ids end in <eos>. */
static void visit(const World *w, int i, uint64_t key, Buf *source, Buf *target)
{
    Ids m = { 0 }, n = { 0 };
    examples_add(&w->examples, &w->pair[i], (Visit){ .key = key }, &m, &n);
    assert_int_equal(m.id[m.count - 1], ID_EOS);
    assert_int_equal(n.id[n.count - 1], ID_EOS);
    buf_clear(source);
    buf_clear(target);
    tokenizer_decode(w->source, m.id, m.count, NULL, source);
    tokenizer_decode(w->target, n.id, n.count, NULL, target);
    ids_free(&m);
    ids_free(&n);
}

static void from_right_to_left_the_target_should_have_the_other_order(void **state)
{
    World w;
    world_new(&w, TOKENS_BPE, &(ExampleOptions){ .max_length = 100, .bpe_dropout = 0.3, .noise = 0.5 });
    Ids source = { 0 }, target = { 0 }, same = { 0 }, reversed = { 0 };
    for (int i = 0; i < PAIRS; i++) {
        source.count = same.count = 0;          /* a batch has the texts one after the other */
        const size_t at = target.count;
        examples_add(&w.examples, &w.pair[i], (Visit){ .key = 7 }, &source, &target);
        examples_add(&w.examples, &w.pair[i], (Visit){ .key = 7, .right_left = 1 }, &same, &reversed);
        assert_int_equal(source.count, same.count);
        assert_memory_equal(source.id, same.id, source.count * sizeof *source.id);
        assert_int_equal(target.count, reversed.count);
        assert_int_equal(reversed.id[reversed.count - 1], ID_EOS);
        for (size_t t = at; t + 1 < target.count; t++)
            assert_int_equal(reversed.id[t], target.id[target.count - 2 - (t - at)]);
    }
    ids_free(&source);
    ids_free(&target);
    ids_free(&same);
    ids_free(&reversed);
    world_free(&w);
}

static void without_noise_ids_should_be_those_of_the_lines(void **state)
{
    World w;
    world_new(&w, TOKENS_BPE, &(ExampleOptions){ .max_length = 100 });
    for (int i = 0; i < PAIRS; i++) {
        Ids line = { 0 }, source = { 0 }, target = { 0 };
        int m, n;
        tokenizer_encode(w.source, sources[i], strlen(sources[i]), &line, NULL);
        examples_add(&w.examples, &w.pair[i], (Visit){ .key = 7 }, &source, &target);
        examples_lengths(&w.examples, &w.pair[i], &m, &n);
        assert_int_equal(source.count, line.count + 1);
        assert_int_equal(source.count, m);
        assert_int_equal(target.count, n);
        assert_memory_equal(source.id, line.id, line.count * sizeof *line.id);
        ids_free(&line);
        ids_free(&source);
        ids_free(&target);
    }
    world_free(&w);
}

static void bpe_dropout_should_cut_words_otherwise_and_keep_the_text(void **state)
{
    World w;
    Buf source = { 0 }, target = { 0 };
    int different = 0;
    world_new(&w, TOKENS_BPE, &(ExampleOptions){ .max_length = 100, .bpe_dropout = 0.3 });
    for (uint64_t key = 1; key <= 50; key++) {
        Ids one = { 0 }, other = { 0 }, targets_ids = { 0 };
        visit(&w, 0, key, &source, &target);
        assert_string_equal(source.text, sources[0]);
        assert_string_equal(target.text, targets[0]);
        examples_add(&w.examples, &w.pair[0], (Visit){ .key = key }, &one, &targets_ids);
        examples_add(&w.examples, &w.pair[0], (Visit){ .key = key + 1 }, &other, &targets_ids);
        different += one.count != other.count
                     || memcmp(one.id, other.id, one.count * sizeof *one.id);
        ids_free(&one);
        ids_free(&other);
        ids_free(&targets_ids);
    }
    assert_true(different > 40);
    buf_free(&source);
    buf_free(&target);
    world_free(&w);
}

/* How often `word` is hidden in both sides of the pair; what is hidden must be hidden on both. */
static int times_hidden(const World *w, int i, const char *word)
{
    Buf source = { 0 }, target = { 0 };
    int hidden = 0;
    for (uint64_t key = 1; key <= VISITS; key++) {
        visit(w, i, key, &source, &target);
        assert_int_equal(strstr(source.text, "<unk>") != NULL,
                         strstr(target.text, "<unk>") != NULL);
        assert_int_equal(strstr(source.text, word) != NULL, strstr(target.text, word) != NULL);
        hidden += !strstr(source.text, word);
    }
    buf_free(&source);
    buf_free(&target);
    return hidden;
}

/* Each of three words in a pair is hidden with P, unless one before it was: P, P (1 - P), P (1 -
 * P)^2. The counts are binomial; six standard deviations are allowed. */
static void words_equal_on_both_sides_should_be_hidden_sometimes(void **state)
{
    World w;
    const double p = 0.1, deviation = 6 * 13.5;     /* sqrt(2000 * 0.1 * 0.9) = 13.4 */
    world_new(&w, TOKENS_BPE, &(ExampleOptions){ .max_length = 100, .copy_words = p });
    assert_true(times_hidden(&w, 0, "Tom") > p * VISITS - deviation);
    assert_true(times_hidden(&w, 0, "Tom") < p * VISITS + deviation);
    assert_true(times_hidden(&w, 0, "1999") > p * 0.81 * VISITS - deviation);
    assert_true(times_hidden(&w, 0, "1999") < p * 0.81 * VISITS + deviation);
    assert_true(times_hidden(&w, 3, "Tom") > p * VISITS - deviation);
    world_free(&w);
}

/* A word that occurs twice is ambiguous, punctuation is no word, and different words are no
 * copy. */
static void other_words_should_never_be_hidden(void **state)
{
    World w;
    world_new(&w, TOKENS_BPE, &(ExampleOptions){ .max_length = 100, .copy_words = 1 });
    assert_int_equal(times_hidden(&w, 1, "Tom"), 0);
    assert_int_equal(times_hidden(&w, 3, "Mary"), 0);
    assert_int_equal(times_hidden(&w, 4, "1999"), 0);
    assert_int_equal(times_hidden(&w, 0, "."), 0);
    assert_int_equal(times_hidden(&w, 2, "i"), 0);
    world_free(&w);
}

static void the_textbooks_words_should_never_be_hidden(void **state)
{
    World w;
    world_new(&w, TOKENS_WORD, &(ExampleOptions){ .max_length = 100, .copy_words = 1 });
    assert_int_equal(times_hidden(&w, 0, "Tom"), 0);
    world_free(&w);
}

/* ---- Phrases ---- */

/* Each word is a translation of the one in its place; the second pair is nothing but a name, the
 * last has a word that is written on to another. */
static const char *const phrase_sources[] = { "a b c.", "Zorb", "b c a!", "c a b d?", "l'a, b c" };
static const char *const phrase_targets[] = { "A B C.", "Zorb", "B C A!", "C A B D?", "L'A, B C" };

/* The pairs, and in `sample` a copy of them; held: whether they are held out of what is learned. */
static void phrases_new(World *w, double phrases, PairSample *sample, int held)
{
    const TextOptions text = { .tokens = TOKENS_BPE, .vocabulary = 60, .min_frequency = 1 };
    ExampleOptions options = { .max_length = 100, .workers = 1 };
    HashSet held_out = { 0 };
    PairSample learned = { 0 };
    Err e;
    w->source = learn_lines(&text, phrase_sources, PAIRS);
    w->target = learn_lines(&text, phrase_targets, PAIRS);
    line_examples(&w->examples, phrase_sources, phrase_targets, PAIRS, w->source, w->target,
                  &options, 1 << 20);
    const Shard *shard = store_load(w->examples.store, 0, &e);
    for (size_t i = 0; i < PAIRS; i++) {
        w->pair[i] = shard_record(shard, i);
        pair_sample_add(sample, &w->pair[i], 1000);
        pair_sample_add(&learned, &w->pair[i], 1000);
        if (held) hash_set_add(&held_out, source_hash(w->pair[i].source, w->pair[i].source_count),
                               SIZE_MAX);
    }
    examples_free(&w->examples);
    options.phrases = phrases;
    options.sample = &learned.pairs;
    options.held_out = &held_out;
    line_examples(&w->examples, phrase_sources, phrase_targets, PAIRS, w->source, w->target,
                  &options, 1 << 20);
    for (size_t i = 0; i < PAIRS; i++)
        w->pair[i] = shard_record(&sample->pairs, i);
    hash_set_free(&held_out);
    pair_sample_free(&learned);
}

/* Whether the text is longer than the part, which begins in it behind a blank or an apostrophe. */
static int is_part(const Buf *part, const char *text)
{
    const char *at = strstr(text, part->text);
    while (at && at > text && at[-1] != ' ' && at[-1] != '\'')
        at = strstr(at + 1, part->text);
    return at && part->length < strlen(text);
}

static void phrases_should_take_the_place_of_their_share_of_the_pairs(void **state)
{
    World w;
    Buf source = { 0 }, target = { 0 };
    PairSample sample = { 0 };
    int parts = 0;
    phrases_new(&w, 0.25, &sample, 0);
    for (uint64_t key = 1; key <= VISITS; key++)
        for (int i = 0; i < PAIRS; i++) {
            visit(&w, i, key, &source, &target);
            buf_putc(&source, '\0');
            buf_putc(&target, '\0');
            source.length--;
            assert_int_equal(source.length, strlen(target.text));
            for (size_t k = 0; k < source.length; k++)
                if (strcmp(source.text, "Zorb") != 0)
                    assert_int_equal(toupper((unsigned char)source.text[k]), target.text[k]);
            if (!strcmp(source.text, phrase_sources[i])) continue;
            parts++;
            assert_true(is_part(&source, phrase_sources[i]) && !strchr(source.text, ','));
        }
    /* Of four pairs a quarter; five standard deviations. */
    assert_in_range(parts, 2000 - 194, 2000 + 194);
    buf_free(&source);
    buf_free(&target);
    world_free(&w);
    pair_sample_free(&sample);
}

static void held_out_pairs_should_not_be_aligned(void **state)
{
    World w;
    Buf source = { 0 }, target = { 0 };
    PairSample sample = { 0 };
    phrases_new(&w, 1, &sample, 1);
    for (int i = 0; i < PAIRS; i++) {
        visit(&w, i, 1, &source, &target);
        assert_memory_equal(source.text, phrase_sources[i], strlen(phrase_sources[i]));
    }
    buf_free(&source);
    buf_free(&target);
    world_free(&w);
    pair_sample_free(&sample);
}

/* ---- Placeholders ---- */

/* Pairs with unknown names and numbers, which become placeholders on both sides at each visit. */
static const char *const copied_sources[] = { "Zorb Yorb saw 241.", "Well, Zorb is here\uFF01" };
static const char *const copied_targets[] = { "241 et Zorb Yorb.", "Eh bien, Zorb est ici !" };

static void copies_new(World *w, Lexicon *lexicon[LANGUAGES], double copy_words, double noise)
{
    const TextOptions text = { .tokens = TOKENS_CHAR, .min_frequency = 1, .truecase = 1,
                               .placeholders = 1 };
    const ExampleOptions options = { .max_length = 100, .copy_words = copy_words, .noise = noise };
    Err e;
    lexicon[LANGUAGE_SOURCE] = lexicon_of("['well saw is here . , \uFF01']");
    lexicon[LANGUAGE_TARGET] = lexicon_of("['eh bien et est ici . , !']");
    w->source = learn_lines(&text, copied_sources, 2);
    w->target = learn_lines(&text, copied_targets, 2);
    line_examples_with(&w->examples, copied_sources, copied_targets, 2, w->source, w->target,
                       (const Lexicon *const *)lexicon, &options, 1 << 20);
    const Shard *shard = store_load(w->examples.store, 0, &e);
    assert_int_equal(shard->count, 2);
    for (size_t i = 0; i < 2; i++)
        w->pair[i] = shard_record(shard, i);
}

static void copies_free_world(World *w, Lexicon *lexicon[LANGUAGES])
{
    world_free(w);
    lexicon_free(lexicon[LANGUAGE_SOURCE]);
    lexicon_free(lexicon[LANGUAGE_TARGET]);
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

/* A name of two words is two placeholders, the number is another; their numbers are those of translation, where no other words
 * are copied. */
static void unknown_names_and_numbers_should_always_be_placeholders_on_both_sides(void **state)
{
    World w;
    Lexicon *lexicon[LANGUAGES];
    unsigned used = 0;
    copies_new(&w, lexicon, 0, 0);
    for (uint64_t key = 1; key <= VISITS; key++)
        for (int i = 0; i < 2; i++) {
            Ids source = { 0 }, target = { 0 };
            examples_add(&w.examples, &w.pair[i], (Visit){ .key = key }, &source, &target);
            const unsigned seen = placeholders_of(&source);
            assert_int_equal(seen, placeholders_of(&target));
            assert_int_equal(__builtin_popcount(seen), i == 0 ? 3 : 1);
            used |= seen;
            ids_free(&source);
            ids_free(&target);
        }
    assert_int_equal(used, 1u << placeholder_of(COPY_NUMBER, 0) | 1u << placeholder_of(COPY_NAME, 0)
                           | 1u << placeholder_of(COPY_NAME, 1));
    copies_free_world(&w, lexicon);
}

/* Whether the ids end in a placeholder, the final mark and <eos>. */
static int has_aside(const Ids *ids)
{
    return placeholder_bit(ids->id[ids->count - 3]) != 0;
}

/* A quarter of copy_words; the other placeholder of the pair is not at its end. */
static void a_placeholder_should_be_added_to_both_sides_sometimes(void **state)
{
    World w;
    Lexicon *lexicon[LANGUAGES];
    int added = 0;
    const double p = 0.25, deviation = 6 * 19.4;    /* sqrt(2000 * 0.25 * 0.75) = 19.4 */
    copies_new(&w, lexicon, 4 * p, 0);
    for (uint64_t key = 1; key <= VISITS; key++) {
        Ids source = { 0 }, target = { 0 };
        examples_add(&w.examples, &w.pair[1], (Visit){ .key = key }, &source, &target);
        const unsigned seen = placeholders_of(&source);
        assert_int_equal(seen, placeholders_of(&target));
        assert_int_equal(__builtin_popcount(seen), 1 + has_aside(&source));
        added += has_aside(&source);
        ids_free(&source);
        ids_free(&target);
    }
    assert_true(added > p * VISITS - deviation && added < p * VISITS + deviation);
    copies_free_world(&w, lexicon);
}

/* Noise alters the source, and never the target. */
static void noise_should_leave_the_target_alone(void **state)
{
    World w;
    Lexicon *lexicon[LANGUAGES];
    Buf source = { 0 }, target = { 0 }, first = { 0 };
    int unmarked = 0;
    const double p = 0.25, deviation = 6 * 19.4;    /* sqrt(2000 * 0.25 * 0.75) = 19.4 */
    copies_new(&w, lexicon, 0, p);
    for (uint64_t key = 1; key <= VISITS; key++) {
        Ids m = { 0 }, n = { 0 };
        examples_add(&w.examples, &w.pair[1], (Visit){ .key = key }, &m, &n);
        for (size_t i = 0; i < n.count; i++)        /* whichever placeholder it is */
            if (placeholder_bit(n.id[i])) n.id[i] = ID_UNK;
        buf_clear(&source);
        buf_clear(&target);
        tokenizer_decode(w.source, m.id, m.count, NULL, &source);
        tokenizer_decode(w.target, n.id, n.count, NULL, &target);
        if (key == 1) buf_puts(&first, target.text);
        assert_string_equal(target.text, first.text);
        unmarked += !strstr(source.text, "\uFF01");
        ids_free(&m);
        ids_free(&n);
    }
    assert_true(unmarked > p * VISITS - deviation && unmarked < p * VISITS + deviation);
    buf_free(&source);
    buf_free(&target);
    buf_free(&first);
    copies_free_world(&w, lexicon);
}

/* ---- Both directions ---- */

/* Pairs of sides of different lengths, with one tokenizer. */
static void shared_new(World *w, double noise)
{
    const TextOptions text = { .tokens = TOKENS_CHAR, .min_frequency = 1 };
    const ExampleOptions options = { .max_length = 100, .noise = noise, .both_directions = 1 };
    const char *both[2 * PAIRS];
    Err e;
    for (int i = 0; i < PAIRS; i++) {
        both[2 * i] = sources[i];
        both[2 * i + 1] = targets[i];
    }
    w->source = w->target = learn_lines(&text, both, 2 * PAIRS);
    line_examples(&w->examples, sources, targets, PAIRS, w->source, w->target, &options, 1 << 20);
    const Shard *shard = store_load(w->examples.store, 0, &e);
    for (size_t i = 0; i < shard->count; i++)
        w->pair[i] = shard_record(shard, i);
}

static void shared_free(World *w)
{
    w->target = NULL;
    world_free(w);
}

static int are_same(const Ids *a, const Ids *b)
{
    return a->count == b->count && !memcmp(a->id, b->id, a->count * sizeof *a->id);
}

static void half_of_the_visits_should_swap_the_sides_of_both_directions(void **state)
{
    World w;
    int swapped = 0;
    const double p = 0.5, deviation = 6 * 22.4;     /* sqrt(2000 * 0.5 * 0.5) = 22.4 */
    shared_new(&w, 0);
    for (uint64_t key = 1; key <= VISITS; key++) {
        const Visit one = { .key = key }, either = { .key = key, .both_directions = 1 };
        Ids source = { 0 }, target = { 0 }, m = { 0 }, n = { 0 };
        examples_add(&w.examples, &w.pair[0], one, &source, &target);
        examples_add(&w.examples, &w.pair[0], either, &m, &n);
        const int is_swapped = are_same(&m, &target) && are_same(&n, &source);
        assert_true(is_swapped != (are_same(&m, &source) && are_same(&n, &target)));
        swapped += is_swapped;
        ids_free(&source);
        ids_free(&target);
        ids_free(&m);
        ids_free(&n);
    }
    assert_true(swapped > p * VISITS - deviation && swapped < p * VISITS + deviation);
    shared_free(&w);
}

static void what_is_read_should_have_the_noise_in_both_directions(void **state)
{
    World w;
    int altered[2] = { 0 };
    shared_new(&w, 0.9);
    for (uint64_t key = 1; key <= VISITS; key++) {
        const Visit either = { .key = key, .both_directions = 1 };
        Ids m = { 0 }, n = { 0 };
        Buf read = { 0 }, written = { 0 };
        examples_add(&w.examples, &w.pair[0], either, &m, &n);
        tokenizer_decode(w.source, m.id, m.count, NULL, &read);
        tokenizer_decode(w.source, n.id, n.count, NULL, &written);
        const int is_swapped = !strcmp(written.text, sources[0]);
        if (!is_swapped) assert_string_equal(written.text, targets[0]);
        altered[is_swapped] += strcmp(read.text, is_swapped ? targets[0] : sources[0]) != 0;
        ids_free(&m);
        ids_free(&n);
        buf_free(&read);
        buf_free(&written);
    }
    assert_true(altered[0] > VISITS / 4 && altered[1] > VISITS / 4);
    shared_free(&w);
}

/* ---- Lengths ---- */

static void pairs_beyond_the_limit_should_be_dropped_or_cut(void **state)
{
    enum { LIMIT = 6 };
    World w;
    world_new(&w, TOKENS_WORD, &(ExampleOptions){ .max_length = LIMIT });
    assert_int_equal(w.examples.count, 1);      /* of 7, 7, 6, 8 and 7 ids a longer side */
    assert_int_equal(w.examples.dropped, 4);
    world_free(&w);
    world_new(&w, TOKENS_WORD, &(ExampleOptions){ .max_length = LIMIT, .truncate = 1 });
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_noise_ids_should_be_those_of_the_lines),
        cmocka_unit_test(from_right_to_left_the_target_should_have_the_other_order),
        cmocka_unit_test(bpe_dropout_should_cut_words_otherwise_and_keep_the_text),
        cmocka_unit_test(words_equal_on_both_sides_should_be_hidden_sometimes),
        cmocka_unit_test(other_words_should_never_be_hidden),
        cmocka_unit_test(the_textbooks_words_should_never_be_hidden),
        cmocka_unit_test(phrases_should_take_the_place_of_their_share_of_the_pairs),
        cmocka_unit_test(held_out_pairs_should_not_be_aligned),
        cmocka_unit_test(unknown_names_and_numbers_should_always_be_placeholders_on_both_sides),
        cmocka_unit_test(a_placeholder_should_be_added_to_both_sides_sometimes),
        cmocka_unit_test(noise_should_leave_the_target_alone),
        cmocka_unit_test(half_of_the_visits_should_swap_the_sides_of_both_directions),
        cmocka_unit_test(what_is_read_should_have_the_noise_in_both_directions),
        cmocka_unit_test(pairs_beyond_the_limit_should_be_dropped_or_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
