/* test_steps.c - lines that are one construct over and over: one four times as long takes about four times the steps.
 *
 * A step is a branch of text/ or translate/. What is compiled for this test calls __sanitizer_cov_trace_pc at each
 * (STEPS in the Makefile), in the release build.
 */
#include "learn_lines.h"
#include "lexicon_case.h"
#include "scratch.h"
#include "text/markup.h"
#include "text/patterns.h"
#include "text/sentences.h"
#include "translate/chunks.h"

static long steps;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    steps++;
}

typedef struct { Tokenizer *tokenizer; Lexicon *lexicon, *other; Chunker chunker; } World;

static World world_new(void)
{
    static const char *const lines[] = {
        "the cat is here and he sees a big red house 0123456789 !\"#$%&'()*+,-./:;<=>?@[]^_`{|}~"
    };
    static const char known[] = "['','','','','','','','','the cat is here and he sees a big red house on in of to . ,']";
    TextOptions options = text_defaults();
    options.truecase = options.placeholders = 1;
    World w = { .tokenizer = learn_lines(&options, lines, 1),
                .lexicon = lexicon_of(known),
                .other = lexicon_of("['','','','','','','','','le chat est ici . ,']") };
    w.chunker = (Chunker){
        .source = { .tokenizer = w.tokenizer, .lexicon = w.lexicon },
        .target = { .tokenizer = w.tokenizer, .lexicon = w.other }, .split = 1, .copy = COPY_UNKNOWN };
    return w;
}

static void world_free(World *w)
{
    lexicon_free(w->lexicon);
    lexicon_free(w->other);
    tokenizer_free(w->tokenizer);
}

/* All that reads a line before it becomes tokens, as if it were not cut. */
static void read_line(const World *w, const char *line, size_t length)
{
    const Chunker *c = &w->chunker;
    Markup markup = { 0 };
    MaskedLine masked = { 0 };
    Words target = { 0 };
    markup_take_out(&markup, line);
    for (size_t at = 0; at < length; at += sentence_length(w->lexicon, line + at, length - at))
        patterns_marks(line + at, length - at);
    mask_line(&masked, c->source, line, length, NULL, NULL, 0);
    mask_target(&target, c->target, line, length, &masked.copies);
    markup_free(&markup);
    masked_line_free(&masked);
    words_free(&target);
}

static long steps_of(const World *w, const char *unit, size_t bytes)
{
    Buf line = { 0 };
    while (line.length < bytes)
        buf_puts(&line, unit);
    steps = 0;
    read_line(w, line.text, line.length);
    buf_free(&line);
    return steps;
}

/* What was slow once, and each mark and word that something begins with. */
static const char *const units[] = {
    "a", "aB", "1", "1 ", "17, ", "0f", "1a", "a1", "2x", "1+", "1(", "#1", "1'", "1:2:", "1-", "+1 ",
    "1,000,", "1st ", "$", "$5 ", "5 km ", "5 x ", "12 Baker Street ", "Tom Zorb ", "Mr. and ", "Henri IV ",
    "File > ", "AT&T ", "http://a", "a@", "a@b.", "a.b.", "/a", "./a", "C:\\", "foo(", "a::", "a->", "a=",
    "--a", "a_", "{", "${", "%(", "\\a{", "`a", "<", "<b>", "<b a=\"", "<!--", "<code>", "[", "[a](", "](",
    "*a ", "**", "_a_ ", "~~", "\"", "\"a\" ", "'a ", "‘a ", "« a » ", "\"»", "+«", "(", "(a ", " - a", "a—b",
    "a--b", "; a", "a... ", ".", "? ", "- ", "1. ", "a | ", "a\t", "```", "&", "&#", "&amp;", "& ", "he/",
    ":a", ":)", "😀", "\u0301", "中", "。", "א1"
};

/* Some look up to 2,000 bytes ahead: steps that grow with the square are 16 times as many. */
static int grows_too_fast(const World *w, const char *unit, size_t bytes)
{
    enum { TIMES = 4, MOST = 10 };
    const long some = steps_of(w, unit, bytes), more = steps_of(w, unit, TIMES * bytes);
    if (more <= MOST * some) return 0;
    print_error("%s: %ld steps, and %ld for a line four times as long\n", unit, some, more);
    return 1;
}

UNIT_TEST(the_steps_should_grow_with_the_length)
{
    enum { BYTES = 2560 };          /* no span is as long (PATTERN_BYTES) */
    World w = world_new();
    int failed = 0;
    const int is_counted = steps_of(&w, "a ", BYTES) > 0;
    for (size_t i = 0; i < sizeof units / sizeof *units && is_counted; i++)
        failed += grows_too_fast(&w, units[i], BYTES);
    world_free(&w);
    assert_int_equal(failed, 0);
    if (!is_counted) skip();
}

int main(void) { return run_unit_tests(); }
