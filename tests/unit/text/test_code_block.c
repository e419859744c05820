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
        "tRun this:", "c```sh", "cmake", "c", "c```", "tThen:", "c  ````", "c```", "cinside", "c```` c", "c`````  ", "t",
        "c``` title=\"a b\"", "c~~~", "c~~~", "c ```", "t``` is a fence, ``` too", "t``", "t", "t~~~", "tHeading",
        "t~~~~~~~", "t`code`", "t```Yes,'' he said.", "t```Yes he said", "c```{r, echo=FALSE}", "c```",
        "c```js live", "c```", "c- ```sh", "c  x", "c  ```", "c12) ```", "c```", "t12 ```", "t-- ```", "t1.```",
        "c```make", "cinstall```", "tDone.", "c~~~python", "c```", "c~~~", "t~~~", "t~~~ The end", "c```", "cthe end" };
    assert_blocks(lines, sizeof lines / sizeof *lines);
}

static void a_quoted_block_should_end_with_its_quotation(void **state)
{
    (void)state;
    static const char *const lines[] = { "c> ``` python", "c> x = 1", "c> ```\t", "t> and", "c> ```", "c> x", "t",
                                         "tText", "c> ```", "c```", "c> x", "c```" };
    assert_blocks(lines, sizeof lines / sizeof *lines);
}

static void elements_of_code_and_comments_should_stay(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "t<p>Text</p>", "c<script src=\"a.js\">", "cif (a < b) {", "c```", "c}</script>", "t<p>Text", "tText <pre>", "tx",
        "c<PRE>", "c</PRE>", "c  <STYLE>p { color: red }", "c</style>", "t<prefix>Text", "t<pre-view>", "t<pre>x</pre> text",
        "c<!--", "c<script>", "c-->", "ta <!-- b --> c", "t<", "c<!--Copyright", "cx", "c -->" };
    assert_blocks(lines, sizeof lines / sizeof *lines);
}

static void text_beside_elements_of_code_should_be_text(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "t<title>My church</title><style>", "cp { }", "t</style><p>Text</p>", "t<!-- <script> -->", "tText",
        "t<script>s=\"<!--\"</script>", "tText", "t<script>a><style></script>", "tText", "c<script>", "cx", "c</script><script>", "cy", "cz()</script></body>",
        "tText", "t<style name=\"a\"/>", "tText", "t<pre>x</pre><pre>y", "cz", "t</pre>Text", "c<pre", "cid=\"a\">",
        "c</pre>", "t", "t<anna> look at <pre>", "t<anna> or <!-- this", "tText", "t<p>Text</p> <pre>", "c", "c</pre>",
        "c<img", "csrc=\"a\"", "c/>", "t<img src=\"a\">", "c<my-image a=\"b\"", "c>", "t<3 is a=b", "t<ab c", "t<ab=c", "t" };
    assert_blocks(lines, sizeof lines / sizeof *lines);
}

static void fences_should_be_of_three_signs_or_more(void **state)
{
    (void)state;
    static const char *const fences[] = { "```", "~~~", "  ```python", "> ~~~~", "\t`````" };
    static const char *const others[] = { "", "``", "~", "``` or ```", "~~~x~~~", "a ```", "'''", "```No, no'' he said." };
    for (size_t i = 0; i < sizeof fences / sizeof *fences; i++)
        assert_true(is_fence(fences[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(is_fence(others[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_should_reach_from_fence_to_fence),
        cmocka_unit_test(a_quoted_block_should_end_with_its_quotation),
        cmocka_unit_test(elements_of_code_and_comments_should_stay),
        cmocka_unit_test(text_beside_elements_of_code_should_be_text),
        cmocka_unit_test(fences_should_be_of_three_signs_or_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
