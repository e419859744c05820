/* test_ter.c - TER against frozen scores, a slow twin written from the rules, and each rule. */
#include "metrics/ter.h"

#include "base/random/rng.h"
#include "score_cases.h"

static TerOptions options_of(const cJSON *one)
{
    const cJSON *given = member(one, "options");
    return (TerOptions){ .tercom = { .normalized = is_true(given, "normalized"),
                                     .no_punct = is_true(given, "no_punct"),
                                    .asian = is_true(given, "asian_support") },
                         .case_sensitive = is_true(given, "case_sensitive") };
}

static void corpora_should_score_as_the_frozen_answers(void **state)
{
    (void)state;
    int found = 0;
    cJSON *cases = cases_read("corpus.json");
    const cJSON *one;
    cJSON_ArrayForEach(one, cases) {
        if (strcmp(text_of(one, "metric"), "ter")) continue;
        TerOptions options = options_of(one);
        assert_same_corpus(&metric_ter, &options, one, 1);
        found++;
    }
    assert_int_equal(found, 80);
    cJSON_Delete(cases);
}

static void sentences_should_score_as_the_frozen_answers(void **state)
{
    (void)state;
    TerOptions options;
    metric_ter.defaults(&options);
    cJSON *cases = cases_read("sentence.json");
    const cJSON *one;
    cJSON_ArrayForEach(one, cases) assert_same_sentence(&metric_ter, &options, "ter", one);
    cJSON_Delete(cases);
}

static Symbols symbols_of(const cJSON *numbers)
{
    Symbols words = { 0 };
    const cJSON *number;
    cJSON_ArrayForEach(number, numbers) symbols_add(&words, number->valueint);
    return words;
}

static void limits_of_the_search_should_be_those_of_the_frozen_answers(void **state)
{
    (void)state;
    cJSON *cases = cases_read("ter-limits.json");
    const cJSON *one;
    cJSON_ArrayForEach(one, cases) {
        Symbols hypothesis = symbols_of(member(one, "hyp"));
        Symbols reference = symbols_of(member(one, "ref"));
        assert_near(ter_edits(&hypothesis, &reference), member(one, "edits")->valueint, one);
        symbols_free(&hypothesis);
        symbols_free(&reference);
    }
    cJSON_Delete(cases);
}

/* ---- The rules one by one ---- */

static double score(const TerOptions *options, const char *hypothesis, const char *reference)
{
    double row[METRIC_MAX_WIDTH];
    metric_ter.stats(options, hypothesis, &reference, 1, row);
    return metric_ter.score(options, row, 0);
}

static void shift_of_a_run_should_be_one_edit(void **state)
{
    (void)state;
    TerOptions options = { .case_sensitive = 0 };
    assert_true(score(&options, "d e a b c", "a b c d e") == 20);
    assert_true(score(&options, "a b c d", "a b c d") == 0);
    assert_true(score(&options, "a x c", "a b c d") == 50);
}

static void empty_lines_should_cost_the_words_of_the_other(void **state)
{
    (void)state;
    TerOptions options = { .case_sensitive = 0 };
    double row[METRIC_MAX_WIDTH];
    const char *empty = "";
    assert_true(score(&options, "", "a b") == 100);
    assert_true(score(&options, "a b c", "") == 100);
    assert_true(score(&options, "", "") == 0);
    metric_ter.stats(&options, "a b c", &empty, 1, row);
    assert_true(row[0] == 3 && row[1] == 0);
}

static void nearest_reference_should_count_and_the_mean_length(void **state)
{
    (void)state;
    static const char *const references[] = { "x y z x y z x", NULL, "a b d", "a c" };
    TerOptions options = { .case_sensitive = 0 };
    double row[METRIC_MAX_WIDTH];
    metric_ter.stats(&options, "a b c", references, 4, row);
    assert_true(row[0] == 1 && row[1] == 4);
}

static void options_should_say_which_words_there_are(void **state)
{
    (void)state;
    TerOptions options = { .case_sensitive = 1 };
    assert_true(score(&options, "A b", "a b") == 50);
    options = (TerOptions){ .tercom = { .normalized = 1 } };
    assert_true(score(&options, "It's &quot;so&quot;, 1,5.", "it 's \" so \" , 1,5 .") == 0);
    options.tercom.no_punct = 1;
    assert_true(score(&options, "it's \"so\" (now)!", "it 's so now") == 0);
    options = (TerOptions){ .tercom = { .normalized = 1, .asian = 1 } };
    assert_true(score(&options, "我们。㐀a", "我 们 。 㐀 a") == 0);
    options = (TerOptions){ .tercom = { .no_punct = 1, .asian = 1 } };
    assert_true(score(&options, "我们。「a」", "我们a") == 0);
    options.tercom.asian = 0;
    assert_true(score(&options, "我们。「a」", "我们a") == 100);
}

/* Answers of sacreBLEU 2.6: the second pass over a reference splits what the first puts a blank
 * behind. */
static void normalised_references_should_be_cut_twice(void **state)
{
    (void)state;
    static const struct { const char *hypothesis, *reference; int asian; double score; } cases[] = {
        { "Nima 's, gegründet von Dr. T.", "Der Verein Nima's, gegründet von Dr. T.", 0,
          200 / 11.0 },
        { "the dog's.", "the dog's.", 0, 50 },
        { "a ..5 b", "a ..5 b", 0, 40 },
        { "l's中", "l's中", 1, 200 / 3.0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TerOptions options = { .tercom = { .normalized = 1, .asian = cases[i].asian } };
        assert_float_equal(score(&options, cases[i].hypothesis, cases[i].reference), cases[i].score,
                           1e-12);
    }
    /* between the passes blanks of every kind become ' ' */
    TerOptions normalized = { .tercom = { .normalized = 1 } };
    assert_true(score(&normalized, "the dog's bone", "the dog's\xC2\xA0 bone") == 0);
}

/* ---- A slow twin: whole matrices, every shift computed anew ----
 *
 * Lengths stay below 25, so that the matrix is nowhere cut. */

enum { LONGEST = 24 };
typedef struct { int32_t at[LONGEST]; int count; } Words;

static int least(int a, int b) { return a < b ? a : b; }

static void fill(const Words *h, const Words *r, int cost[LONGEST + 1][LONGEST + 1])
{
    for (int i = 0; i <= h->count; i++)
        for (int j = 0; j <= r->count; j++) {
            cost[i][j] = i && j ? cost[i - 1][j - 1] + (h->at[i - 1] != r->at[j - 1]) : i + j;
            if (i) cost[i][j] = least(cost[i][j], cost[i - 1][j] + 1);
            if (j) cost[i][j] = least(cost[i][j], cost[i][j - 1] + 1);
        }
}

static int levenshtein(const Words *h, const Words *r)
{
    int cost[LONGEST + 1][LONGEST + 1];
    fill(h, r, cost);
    return cost[h->count][r->count];
}

/* Where each word of the reference is aligned, and which words are matched (bit sets). */
static void trace(const Words *h, const Words *r, int *where, unsigned *right_h, unsigned *right_r)
{
    int cost[LONGEST + 1][LONGEST + 1], i = h->count, j = r->count;
    fill(h, r, cost);
    *right_h = *right_r = 0;
    while (i || j) {
        int same = i && j && h->at[i - 1] == r->at[j - 1];
        if (i && j && cost[i][j] == cost[i - 1][j - 1] + !same) {
            if (same) *right_h |= 1u << (i - 1);
            if (same) *right_r |= 1u << (j - 1);
            where[--j] = --i;
        } else if (i && cost[i][j] == cost[i - 1][j] + 1) {
            i--;
        } else {
            where[--j] = i - 1;
        }
    }
}

/* Moves the phrase to behind `target` words of the rest, or of the whole line. */
static Words moved(const Words *h, int start, int length, int target)
{
    Words rest = { .count = 0 }, out = { .count = 0 };
    for (int i = 0; i < h->count; i++)
        if (i < start || i >= start + length) rest.at[rest.count++] = h->at[i];
    int before = least(target > start + length ? target - length : target, rest.count);
    for (int i = 0; i < before; i++) out.at[out.count++] = rest.at[i];
    for (int i = 0; i < length; i++) out.at[out.count++] = h->at[start + i];
    for (int i = before; i < rest.count; i++) out.at[out.count++] = rest.at[i];
    return out;
}

static unsigned run_of(int start, int length)
{
    return ((1u << length) - 1) << start;
}

typedef struct { int gain, length, start, target; Words words; } Candidate;

static int beats(const Candidate *a, const Candidate *b)
{
    if (a->gain != b->gain) return a->gain > b->gain;
    if (a->length != b->length) return a->length > b->length;
    return a->start != b->start ? a->start < b->start : a->target < b->target;
}

/* The best shift; returns how many candidates there were. */
static int best_shift(const Words *h, const Words *r, Candidate *best)
{
    int where[LONGEST + 1], tried = 0, distance_now = levenshtein(h, r);
    unsigned right_h, right_r;
    trace(h, r, where + 1, &right_h, &right_r);
    where[0] = -1;                                      /* where[j + 1] is of word j */
    *best = (Candidate){ .gain = -LONGEST };
    for (int start = 0; start < h->count; start++)
        for (int there = 0; there < r->count; there++)
            for (int n = 1; n <= 10 && start + n <= h->count && there + n <= r->count; n++) {
                if (h->at[start + n - 1] != r->at[there + n - 1]) break;
                if (!(run_of(start, n) & ~right_h) || !(run_of(there, n) & ~right_r)) continue;
                if (where[there + 1] >= start && where[there + 1] < start + n) continue;
                for (int word = there; word <= there + n; word++) {
                    Candidate c = { .length = n, .start = start, .target = where[word] + 1 };
                    if (word > there && where[word] == where[word - 1]) continue;
                    c.words = moved(h, start, n, c.target);
                    c.gain = distance_now - levenshtein(&c.words, r);
                    if (!tried++ || beats(&c, best)) *best = c;
                }
            }
    return tried;
}

static int slow_edits(Words h, const Words *r)
{
    int tried = 0;
    if (!r->count) return h.count;
    for (int shifts = 0;; shifts++) {
        Candidate best;
        tried += best_shift(&h, r, &best);
        if (tried >= 1000 || best.gain <= 0) return levenshtein(&h, r) + shifts;
        h = best.words;
    }
}

static Words random_words(uint64_t key, uint64_t stream, uint64_t vocabulary)
{
    Words words = { .count = (int)rng_below(key, 100 * stream, LONGEST + 1) };
    for (int i = 0; i < words.count; i++)
        words.at[i] = 1 + (int32_t)rng_below(key, 100 * stream + 1 + (uint64_t)i, vocabulary);
    return words;
}

static int fast_edits(const Words *h, const Words *r)
{
    Words ours = *h, theirs = *r;
    return ter_edits(&(Symbols){ .at = ours.at, .count = (size_t)ours.count },
                     &(Symbols){ .at = theirs.at, .count = (size_t)theirs.count });
}

static void edits_should_be_those_of_the_slow_twin(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 300; round++) {
        uint64_t key = rng_key(7, round, RNG_SHUFFLE), vocabulary = 2 + round % 23;
        Words h = random_words(key, 0, vocabulary), r = random_words(key, 1, vocabulary);
        if (round % 3 == 0 && r.count > 4) {    /* the first words moved to the end */
            h = moved(&r, 0, 1 + (int)rng_below(key, 998, 4), r.count);
            h.at[rng_below(key, 999, (uint64_t)h.count)] = 99;
        }
        assert_int_equal(fast_edits(&h, &r), slow_edits(h, &r));
    }
}

/* The words of the reference are all different; some are dropped, some replaced by new ones. Each
 * of these must be put in by an edit, and as many are enough: no shift can help. */
static void without_shifts_edits_should_be_levenshteins(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 200; round++) {
        uint64_t key = rng_key(8, round, RNG_SHUFFLE);
        Words h = { .count = 0 }, r = { .count = 0 };
        int missing = 0;
        for (int word = 1; word <= LONGEST; word++) {
            uint64_t fate = rng_below(key, (uint64_t)word, 4);  /* dropped, replaced, kept, kept */
            r.at[r.count++] = word;
            missing += fate < 2;
            if (fate) h.at[h.count++] = fate == 1 ? word + LONGEST : word;
        }
        assert_int_equal(levenshtein(&h, &r), missing);
        assert_int_equal(fast_edits(&h, &r), missing);
    }
}

/* A block of a long line stands elsewhere, 60 words away: farther than shifts reach. One of 40
 * words away is moved. */
static void long_lines_should_keep_to_the_limits_of_shifts(void **state)
{
    (void)state;
    enum { WORDS = 100 };
    for (int away = 40; away <= 60; away += 20) {
        int32_t reference[WORDS], hypothesis[WORDS];
        for (int i = 0; i < WORDS; i++) reference[i] = hypothesis[i] = i + 1;
        memmove(hypothesis + 10, hypothesis + 13, (size_t)away * sizeof *hypothesis);
        memcpy(hypothesis + 10 + away, reference + 10, 3 * sizeof *hypothesis);
        Symbols ours = { .at = hypothesis, .count = WORDS };
        Symbols theirs = { .at = reference, .count = WORDS };
        assert_int_equal(ter_edits(&ours, &theirs), away == 40 ? 1 : 6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corpora_should_score_as_the_frozen_answers),
        cmocka_unit_test(sentences_should_score_as_the_frozen_answers),
        cmocka_unit_test(limits_of_the_search_should_be_those_of_the_frozen_answers),
        cmocka_unit_test(shift_of_a_run_should_be_one_edit),
        cmocka_unit_test(empty_lines_should_cost_the_words_of_the_other),
        cmocka_unit_test(nearest_reference_should_count_and_the_mean_length),
        cmocka_unit_test(options_should_say_which_words_there_are),
        cmocka_unit_test(normalised_references_should_be_cut_twice),
        cmocka_unit_test(edits_should_be_those_of_the_slow_twin),
        cmocka_unit_test(without_shifts_edits_should_be_levenshteins),
        cmocka_unit_test(long_lines_should_keep_to_the_limits_of_shifts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
