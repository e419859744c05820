/* test_parts.c - where marks part a sentence. In the tables | says where. */
#include "text/sentences/parts.h"

#include "base/buf.h"
#include "random_text.h"
#include "text/unicode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum { ALL = (1 << PART_MARKS) - 1 };

/* The bar ends the first part; none: there is only one. */
static void assert_parts(const char *const *lines, unsigned marks)
{
    for (const char *const *line = lines; *line; line++) {
        const char *bar = strchr(*line, '|');
        Buf text = { 0 };
        buf_puts(&text, *line);
        if (bar) {
            text.length = (size_t)(bar - *line);
            buf_puts(&text, bar + 1);
        }
        const SentencePart first = part_first(text.text, text.length, marks);
        assert_int_equal(first.length, bar ? (size_t)(bar - *line) : text.length);
        buf_free(&text);
    }
}

static void speech_behind_a_colon_should_always_be_a_part(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "Tom: |How are you?", "He said: |\"No.\"", "Il dit : |« Non. »", "Tom: |Yes: No.",
        "At 12:30 Tom said: |No.", "Three things: one, two.", "At 12:30 Tom came.", "http://A.b",
        ": Yes", "Tom:", "Tom: ", "I know; Tom too.", "He (Tom) came.", "He – Tom – came.",
        "\"No,\" he said.", NULL
    };
    assert_parts(lines, 0);
}

static void each_mark_should_part_where_it_is_asked_to(void **state)
{
    (void)state;
    static const char *const verbatim[] = { "a &lt; b", "see /usr/bin; |then go", "a &lt;; |b", NULL };
    assert_parts(verbatim, part_set(PART_SEMICOLON));
    static const char *const alone[PART_MARKS][2] = {
        [PART_SEMICOLON] = { "it is; |so it is" }, [PART_COLON] = { "it is: |so it is" },
        [PART_ELLIPSIS] = { "it is... |so it is" },
        [PART_DASH] = { "it is |– so it is" }, [PART_PARENTHESES] = { "it is |(so it is)" },
        [PART_BRACKETS] = { "it is |[so it is]" }, [PART_QUOTES] = { "\"It is,\" |he said." },
        [PART_GUILLEMETS] = { "« Oui », |il le dit." }
    };
    for (PartMark mark = 0; mark < PART_MARKS; mark++) {
        assert_parts(alone[mark], part_set(mark));
        Buf whole = { 0 };
        const char *bar = strchr(alone[mark][0], '|');
        buf_add(&whole, alone[mark][0], (size_t)(bar - alone[mark][0]));
        buf_puts(&whole, bar + 1);
        const SentencePart first = part_first(whole.text, whole.length, ALL & ~part_set(mark));
        assert_int_equal(first.length, whole.length);
        assert_int_equal(first.end, 0);
        buf_free(&whole);
    }
}

static void marks_inside_words_and_at_the_ends_should_part_nothing(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "Wait... |what?", "Wait… |what?", "a.... |b", "a..b", "a.. b", "a...b", "a ... b", "a... ",
        "...and so", "!... b", "Mr. b",
        "see https://ex.org/a--b or", "foo_bar--baz is", "He left|—she stayed", "a|--b", "3—5 May", "a—3", "a —b", "a!—b", "—b", "a—", "a--",
        "Il sait ; |moi aussi.", "a;b", "; so", "so;", "one: |two; three", "He |(Tom) came.",
        "(he said), |and left", "(All of it.)", "f(x) is", "(1) is", "call (555) now", "he (who",
        "he (who)m", "he |-- who -- came", "well-known", "3 - 5 May", "- one", "he -", "é |— è",
        "He said, |“No.”", "« Non », dit-il.", "\"Yes,\" asked Tom.", "(a) go; |(b) stay", "The word \"love\" has", "He said \"no\" to me",
        "He said |\"I love you.\"", "Click on \"Save as\".", "Cliquez sur « Enregistrer sous ».", "\"Yes.\"", "\"Yes", NULL
    };
    assert_parts(lines, ALL);
}

static void an_aside_should_end_behind_its_marks(void **state)
{
    (void)state;
    static const struct { const char *text; SentencePart part; } asides[] = {
        { "(he) is", { 5, 1, 3 } }, { "(he),  is", { 7, 1, 3 } }, { "(really?).", { 10, 1, 8 } },
        { "(ce soir) ? Oui", { 12, 1, 8 } }, { "« Oui », il", { 11, 3, 7 } }, { "[été]", { 7, 1, 6 } },
        { "“a b” He", { 10, 3, 6 } }, { "(I came; I saw.)", { 16, 1, 15 } },
        { "\"I'm (so) ill.\"", { 15, 1, 14 } },
        { "(he", { 3, 0, 0 } }, { "(1) a", { 5, 0, 0 } }, { "()", { 2, 0, 0 } }, { "(a)b c", { 6, 0, 0 } },
        { "(ab)12", { 6, 0, 0 } }, { "(", { 1, 0, 0 } }, { "", { 0, 0, 0 } }
    };
    for (size_t i = 0; i < sizeof asides / sizeof *asides; i++) {
        const size_t length = strlen(asides[i].text);
        const SentencePart found = part_first(asides[i].text, length, ALL);
        assert_int_equal(found.length, asides[i].part.length);
        assert_int_equal(found.begin, asides[i].part.begin);
        assert_int_equal(found.end, asides[i].part.end);
        assert_int_equal(part_first(asides[i].text, length, 0).end, 0);
    }
}

/* In the tables {} is around the aside with the blank before it, | around what it encloses. */
static void assert_enclosed(const char *shown, unsigned marks)
{
    size_t at[4] = { 0 };
    int count = 0;
    Buf text = { 0 };
    buf_clear(&text);
    for (const char *c = shown; *c; c++) {
        if (!strchr("{|}", *c)) buf_putc(&text, *c);
        else at[count++] = text.length;
    }
    for (size_t i = 0; i < text.length; i++) {
        const SentencePart found =
            part_enclosed(text.text, text.text + i, text.text + text.length, marks);
        const int is_here = count && i == at[0];
        assert_int_equal(found.length, is_here ? at[3] - at[0] : 0);
        assert_int_equal(found.begin, is_here ? at[1] - at[0] : 0);
        assert_int_equal(found.end, is_here ? at[2] - at[0] : 0);
    }
    buf_free(&text);
}

static void an_aside_inside_a_clause_should_be_found(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "He{ (|my son|)} is here", "He{ (|he?|)}, who is", "He{  ( |my son| )}  is", "I{ [|été|]} a",
        "go{ (|1|)} there", "a{ (|b|)} c", "He is{ - |my son| -} so", "é é{ — |à la fin| —} où",
        "He{ -- |Mr. Son| --} is so", "<b>He</b>{ (|my *son*|)} <i>is</i>", "a{ (|\u20AC5|)} b",
        "(he) is", "He (my son).", "He (my son) !", "He (my son)", "He, (my son) is", "He (my (son)) is",
        "He (my [son]) is", "He(my son) is", "He (my son)is", "He (my son] is", "He () is", "He (!) is",
        "He - my son is", "He - my son -is", "He -my son - is", "well-known son - is", "- he - is",
        "He is - no. No - is so", "3 - 5 - is", "He (a{ - |b| -} c) is", "He (a - b) is", "He is - a (b) - is", "red - green - blue", "Colours: red - green - blue",
        "He is - my son - Is he?", "He is (my *son) so",
        "He is{—|my son|—}so", "He{--|a|--}is so", "He{—|my well-known son|—}is so", "He is—my son—Is",
        "He is—my son", "He is—my son.", "red—green—blue", "He is—no. No—is so", "He is—my *son—so",
        "He is —my son— so", NULL
    };
    for (const char *const *line = lines; *line; line++)
        assert_enclosed(*line, ALL);
    assert_enclosed("He (my son) is - I know - so here", part_set(PART_BRACKETS));
    assert_enclosed("He (my son) is{ - |I know| -} so here", part_set(PART_DASH));
}

/* So that the work grows with the line, and no chunk is too large. */
static void long_asides_and_late_marks_should_be_left(void **state)
{
    (void)state;
    Buf line = { 0 };
    buf_putc(&line, '(');
    for (int i = 0; i < PART_BYTES; i++)
        buf_puts(&line, "é");
    buf_puts(&line, ") is; he");
    const SentencePart first = part_first(line.text, line.length, ALL);
    assert_int_equal(first.length, line.length);
    assert_int_equal(first.end, 0);
    buf_free(&line);
}

static void parts_should_be_the_whole_line_and_tear_no_character(void **state)
{
    (void)state;
    static const char *const marks[] = { "(", ") ", "; ", "\"", " \"", "« ", " », ", " – ", ": ", " [", "] " };
    enum { MARKS = sizeof marks / sizeof *marks };
    Buf text = { 0 }, line = { 0 };
    for (uint64_t number = 0; number < 5000; number++) {
        random_line(number, &text);
        buf_clear(&line);
        for (uint64_t i = 0; i < 3; i++) {
            buf_puts(&line, marks[(number >> i) % MARKS]);
            buf_puts(&line, text.text);
            buf_puts(&line, "Il va");
        }
        for (size_t at = 0; at < line.length;) {
            const char *rest = line.text + at;
            const SentencePart part = part_first(rest, line.length - at, ALL);
            assert_in_range(part.length, 1, line.length - at);
            assert_true(part.begin <= part.end && part.end <= part.length);
            assert_true(unicode_valid(rest, part.length));
            assert_true(unicode_valid(rest + part.begin, part.end - part.begin));
            at += part.length;
        }
    }
    buf_free(&line);
    buf_free(&text);
}

static void code_should_be_no_parts(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "Run `cd a; ls` now; |so it is", "Run `a - b; c`", "Run `a; |b", "a ` b; |c `", "a ``; b``", NULL
    };
    assert_parts(lines, ALL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speech_behind_a_colon_should_always_be_a_part),
        cmocka_unit_test(each_mark_should_part_where_it_is_asked_to),
        cmocka_unit_test(marks_inside_words_and_at_the_ends_should_part_nothing),
        cmocka_unit_test(an_aside_should_end_behind_its_marks),
        cmocka_unit_test(an_aside_inside_a_clause_should_be_found),
        cmocka_unit_test(long_asides_and_late_marks_should_be_left),
        cmocka_unit_test(code_should_be_no_parts),
        cmocka_unit_test(parts_should_be_the_whole_line_and_tear_no_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
