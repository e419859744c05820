/* fuzz.h - the interface of each target here: one function that takes any bytes and must return.
 *
 * tests/fuzz/fuzz_NAME.c is built twice: by `make fuzz` with libFuzzer, which generates the bytes
 * and starts from the files in tests/fuzz/seeds/NAME/; and as a test of each variant with replay.c,
 * which passes these files and nothing else. An input that broke something is kept there. A new
 * target is a new file and a folder of seeds.
 */
#ifndef ATTN_TESTS_FUZZ_H
#define ATTN_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The name is libFuzzer's. Returns 0; the bytes may be overwritten when it returns. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* require - a law: aborts the program if it is broken, which the fuzzer and the tests count as a
 * crash. */
#define require(law) ((law) ? (void)0 : broken_law(#law, __FILE__, __LINE__))

static inline void broken_law(const char *law, const char *file, int line)
{
    fprintf(stderr, "%s:%d: the law is broken: %s\n", file, line, law);
    abort();
}

#endif
