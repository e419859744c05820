/* learn_lines.c - counts words and learns from them. */
#include "learn_lines.h"

#include <string.h>

void count_lines(const TextOptions *options, const char *const *lines, size_t count,
                 StringTable *words)
{
    Words split = { 0 };
    for (size_t line = 0; line < count; line++) {
        tokenizer_split(&(Tokenizer){ .options = *options }, lines[line], strlen(lines[line]), &split);
        for (size_t i = 0; i < split.count; i++) {
            string_table_count(words, words_at(&split, i), 1);
        }
    }
    words_free(&split);
}

Tokenizer *learn_lines(const TextOptions *options, const char *const *lines, size_t count)
{
    StringTable words = { 0 };
    count_lines(options, lines, count, &words);
    Tokenizer *t = tokenizer_learn(options, &(WordCounts){ &words, words.tally }, 1);
    string_table_free(&words);
    return t;
}
