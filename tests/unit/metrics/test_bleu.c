/* test_bleu.c - BLEU and its tokenizers against frozen scores, and each rule. */
#include "metrics/bleu.h"

#include "metrics/tokenize.h"
#include "score_cases.h"
#include "text/unicode.h"

static int choice(const char *option, const char *word)
{
    BleuOptions options;
    Err e = { "" };
    const Field *field = fields_find(bleu_fields, option, strlen(option));
    assert_non_null(field);
    if (field_set(field, &options, word, &e)) fail_msg("%s", e.text);
    return *(int *)((char *)&options + field->offset);
}

static Bleu score(const BleuOptions *options, const char *hypothesis, const char *reference)
{
    BleuStats stats = { 0 };
    bleu_add(&stats, options, hypothesis, &reference, 1);
    return bleu_score(&stats, options, 0);
}

/* ---- Tokenizers ---- */

/* The tokens of a line joined by U+0001. */
static char *tokens_of(int kind, const char *text)
{
    Symbols line = { 0 };
    Word word;
    Buf out = { 0 };
    line_read(&line, text);
    line_strip_right(&line);
    tokenize(kind, &line);
    buf_clear(&out);
    for (size_t from = 0; line_next_word(&line, &from, &word);) {
        for (size_t i = 0; i < word.count; i++) unicode_append(&out, word.at[i]);
        buf_putc(&out, '\1');
    }
    symbols_free(&line);
    return out.text;
}

UNIT_TEST(tokenizers_should_cut_as_the_frozen_answers)
{
    cJSON *cases = cases_read("tokenizers.json");
    const cJSON *one, *token;
    cJSON_ArrayForEach(one, cases) {
        Buf expected = { 0 };
        buf_clear(&expected);
        cJSON_ArrayForEach(token, member(one, "out"))
            buf_printf(&expected, "%s\1", token->valuestring);
        char *found = tokens_of(choice("tokenize", text_of(one, "tokenizer")), text_of(one, "in"));
        assert_string_equal(found, expected.text);
        free(found);
        buf_free(&expected);
    }
    cJSON_Delete(cases);
}

static void assert_tokens(int kind, const char *text, const char *expected)
{
    char *found = tokens_of(kind, text);
    for (char *c = found; *c; c++)
        if (*c == '\1') *c = c[1] ? ' ' : '\0';
    assert_string_equal(found, expected);
    free(found);
}

UNIT_TEST(zh_should_take_arrows_and_curly_quotes_for_chinese)
{
    assert_tokens(TOKENIZE_ZH, "a→b’c 我们 \u2001x\u2000y", "a → b ’ c 我 们 x y");
    assert_tokens(TOKENIZE_ZH, "  .5", ".5");
    assert_tokens(TOKENIZE_ZH, "\u2a6d\u2a6e\u9fbb\u9fbc", "\u2a6d \u2a6e \u9fbb \u9fbc");
}

UNIT_TEST(blanks_should_be_those_of_python)
{
    assert_tokens(TOKENIZE_NONE, "a\u00a0b\u2028c\034d\u3000e", "a b c d e");
    assert_tokens(TOKENIZE_NONE, "a\u200bb \ufeffc", "a\u200bb \ufeffc");
}

/* ---- Frozen scores ---- */

static BleuOptions options_of(const cJSON *one)
{
    const cJSON *given = member(one, "options");
    BleuOptions options = bleu_defaults();
    options.tokenize = choice("tokenize", text_of(given, "tokenize"));
    options.smooth = choice("smooth", text_of(given, "smooth"));
    options.lowercase = is_true(given, "lowercase");
    return options;
}

UNIT_TEST(corpora_should_score_as_the_frozen_answers)
{
    cJSON *cases = cases_read("corpus.json");
    const cJSON *one;
    cJSON_ArrayForEach(one, cases) {
        if (strcmp(text_of(one, "metric"), "bleu")) continue;
        BleuOptions options = options_of(one);
        assert_same_corpus(&metric_bleu, &options, one, 1);
    }
    cJSON_Delete(cases);
}

UNIT_TEST(sentences_should_score_as_the_frozen_answers)
{
    BleuOptions options = bleu_defaults();
    options.effective_order = 1;
    cJSON *cases = cases_read("sentence.json");
    const cJSON *one;
    cJSON_ArrayForEach(one, cases) assert_same_sentence(&metric_bleu, &options, "bleu", one);
    cJSON_Delete(cases);
}

/* ---- The rules one by one ---- */

UNIT_TEST(smooth_value_should_replace_the_default_of_its_method)
{
    BleuOptions options = bleu_defaults();
    options.smooth = SMOOTH_FLOOR;
    options.smooth_value = 0.4;
    const Bleu bleu = score(&options, "a b c d x", "a b c e x");
    assert_true(fabs(bleu.precision[3] - 20) < 1e-12);     /* 0.4 of 2 */
    Buf signature = { 0 };
    metric_signature(&metric_bleu, &options, 1, (Resamples){ .bootstrap = 0 }, &signature);
    assert_non_null(strstr(signature.text, "|smooth:floor[0.40]|"));
    buf_free(&signature);
}

UNIT_TEST(corpus_without_four_grams_should_score_0_unless_effective)
{
    BleuOptions options = bleu_defaults();
    assert_true(score(&options, "a b", "a b").score == 0);
    options.effective_order = 1;
    assert_true(fabs(score(&options, "a b", "a b").score - 100) < 1e-12);
}

UNIT_TEST(empty_hypothesis_should_score_0)
{
    BleuOptions options = bleu_defaults();
    Bleu bleu = score(&options, "", "a b c");
    assert_true(bleu.score == 0 && bleu.brevity_penalty == 0 && bleu.ratio == 0);
    bleu = score(&options, "", "");
    assert_true(bleu.score == 0 && bleu.brevity_penalty == 1 && bleu.ratio == 0);
}

UNIT_TEST(closest_reference_should_count_and_of_two_the_shorter)
{
    static const char *const references[] = { "a b c d e f", "a b", "a", "a b c d e" };
    BleuOptions options = bleu_defaults();
    BleuStats stats = { 0 };
    bleu_add(&stats, &options, "a b c d", references, 1);
    assert_int_equal(stats.reference_length, 6);
    stats = (BleuStats){ 0 };
    bleu_add(&stats, &options, "a b c d", references, 3);
    assert_int_equal(stats.reference_length, 2);
    stats = (BleuStats){ 0 };
    bleu_add(&stats, &options, "a b c d", references, 4);
    assert_int_equal(stats.reference_length, 5);
}

static void assert_lower(const char *text, const char *lower)
{
    BleuOptions options = bleu_defaults();
    options.tokenize = TOKENIZE_NONE;
    options.lowercase = 1;
    assert_int_equal(score(&options, text, lower).stats.correct[0], 1);
    options.lowercase = 0;
    assert_int_equal(score(&options, text, lower).stats.correct[0], 0);
}

UNIT_TEST(lower_case_should_be_that_of_all_of_unicode)
{
    assert_lower("ÉTÉ", "été");
    assert_lower("İ", "i\u0307");
    assert_lower("ΌΔΟΣ,", "όδος,");                 /* a sigma that ends a word */
    assert_lower("ΣΑΣ", "σας");
    assert_lower("ΣΟΦ'Σ", "σοφ'ς");         /* case ignores apostrophes, dots and marks */
    assert_lower("ΑΣ．Α", "ασ．α");
    assert_lower("ΑΣ．", "ας．");
    assert_lower("ʵΣ", "ʵσ");               /* a modifier letter is ignored: nothing precedes */
    assert_lower("ⅣΣ", "ⅳς");                       /* a Roman numeral is cased */
    assert_lower("ΑΣ.Α", "ασ.α");
    assert_lower("ΑΣ\u0301Α", "ασ\u0301α");
    assert_lower("Σ", "σ");
    assert_lower("京Σ", "京σ");
}

UNIT_TEST(blanks_at_the_end_should_not_change_a_score)
{
    BleuOptions options = bleu_defaults();
    options.tokenize = TOKENIZE_INTL;
    assert_int_equal(score(&options, "in 1999.\u00a0 ", "in 1999.").stats.correct[0], 2);
}

int main(void) { return run_unit_tests(); }
