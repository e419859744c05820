/* test_code_block.c - which lines of a text are fences and code. */
#include "text/markup/code_block.h"

#include "scratch.h"

/* Each line begins with what is expected: c of code, t of text. */
static void assert_blocks(const char *const *lines, size_t count)
{
    CodeBlock block = { 0 };
    for (size_t i = 0; i < count; i++)
        if (code_block_takes(&block, lines[i] + 1) != (lines[i][0] == 'c'))
            fail_msg("line %zu: %s", i, lines[i]);
}

static void blocks_should_reach_from_fence_to_fence(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "tRun this:", "c```sh", "cmake", "c", "c```", "tThen:", "c  ````", "c```", "c```` c", "c`````  ", "t",
        "c> ``` python", "c> x = 1", "c> ```\t", "tand", "c``` title=\"a b\"", "c~~~", "c~~~", "c ```",
        "t``` is a fence, ``` too", "t``", "t", "t~~~", "tHeading", "t~~~~~~~", "t`code`", "c```", "cthe end" };
    assert_blocks(lines, sizeof lines / sizeof *lines);
}

static void elements_of_code_and_comments_should_stay(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "t<p>Text</p>", "c<script src=\"a.js\">", "cif (a < b) {", "c```", "c}</script>", "t<p>Text", "tText <pre>", "cx",
        "c", "c</PRE>", "c  <STYLE>p { color: red }", "c</style> text", "t<prefix>Text", "t<pre>x</pre> text", "c<!--",
        "c<script>", "c-->", "ta <!-- b --> c", "c<pre>x</pre><pre>y", "cz</pre>", "t<", "c<!-- a", "cthe end" };
    assert_blocks(lines, sizeof lines / sizeof *lines);
}

static void fences_should_be_of_three_signs_or_more(void **state)
{
    (void)state;
    static const char *const fences[] = { "```", "~~~", "  ```python", "> ~~~~", "\t`````" };
    static const char *const others[] = { "", "``", "~", "``` or ```", "~~~x~~~", "a ```", "'''" };
    for (size_t i = 0; i < sizeof fences / sizeof *fences; i++)
        assert_true(is_fence(fences[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(is_fence(others[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_should_reach_from_fence_to_fence),
        cmocka_unit_test(elements_of_code_and_comments_should_stay),
        cmocka_unit_test(fences_should_be_of_three_signs_or_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
