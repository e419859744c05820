/* test_shell.c - the shell itself must read a word as it was. */
#include "base/strings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static void plain_words_should_stay_plain(void **state)
{
    Buf word = { 0 };
    shell_word("models/eng-fra_1.safetensors", &word);
    assert_string_equal(word.text, "models/eng-fra_1.safetensors");
    buf_free(&word);
}

static void the_shell_should_read_the_same_word(void **state)
{
    static const char *const words[] = { "", "a b", "it's", "''", "$HOME", "*", "~", "a\\b", "`x`",
                                         "été", "a;b\n#c" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char read[64];
        Buf command = { 0 };
        buf_puts(&command, "printf %s ");
        shell_word(words[i], &command);
        FILE *shell = popen(command.text, "r");
        assert_non_null(shell);
        read[fread(read, 1, sizeof read - 1, shell)] = '\0';
        assert_int_equal(pclose(shell), 0);
        assert_string_equal(read, words[i]);
        buf_free(&command);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_words_should_stay_plain),
        cmocka_unit_test(the_shell_should_read_the_same_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
